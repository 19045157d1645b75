package persona

import (
	"time"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/tokencontract"
)

// Unichain is Unichain since Karst.
var Unichain = Persona{
	ChainID:        130,
	TestnetID:      1301,
	Rules:          optimism.Karst.Name,
	Fees:           Fees{Denominator: 250, Elasticity: 6, MinBaseFee: new(uint64)},
	L1Scalars:      [2]uint32{2000, 900_000},
	GasLimit:       60_000_000,
	BlockTime:      time.Second,
	FlashblockTime: 200 * time.Millisecond,
	Frames:         flashblocks.Full,
	Bridge:         assembly.UnichainBridge,
	Token:          tokencontract.Strict,
}
