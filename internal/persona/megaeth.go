package persona

import (
	"math/big"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/tokencontract"
)

// MegaETH has mini-blocks of 10 ms, with which latest moves.
var MegaETH = Persona{
	ChainID:        4326,
	TestnetID:      6343,
	GasLimit:       10_000_000_000,
	BlockTime:      time.Second,
	FlashblockTime: 10 * time.Millisecond,
	Blocks:         preconf.Behaviour{FixedBaseFee: big.NewInt(1_000_000)},
	Wire:           api.Behaviour{Preconf: api.PreconfMegaETH, SendSync: api.SyncMegaETH},
	Limits:         api.Limits{SocketIdle: 30 * time.Second},
	Token:          tokencontract.Strict,
	X402Assets:     true,
}
