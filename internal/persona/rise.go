package persona

import (
	"time"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/tokencontract"
)

// Rise has shreds, with which latest moves.
var Rise = Persona{
	ChainID:        4153,
	TestnetID:      11155931,
	BlockTime:      time.Second,
	FlashblockTime: 10 * time.Millisecond,
	Wire:           api.Behaviour{Preconf: api.PreconfRise, SendSync: api.SyncEIP},
	Token:          tokencontract.Strict,
}
