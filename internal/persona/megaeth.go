package persona

import (
	"time"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/tokencontract"
)

// MegaETH has mini-blocks of 10 ms, with which latest moves.
var MegaETH = Persona{
	ChainID:        4326,
	TestnetID:      6343,
	BlockTime:      time.Second,
	FlashblockTime: 10 * time.Millisecond,
	Wire:           api.Behaviour{Preconf: api.PreconfMegaETH, SendSync: api.SyncMegaETH},
	Limits:         api.Limits{SocketIdle: 30 * time.Second},
	Token:          tokencontract.Strict,
}
