package persona

import (
	"time"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/tokencontract"
)

// Optimism is OP Mainnet since Karst.
var Optimism = Persona{
	ChainID:        10,
	TestnetID:      11155420,
	Rules:          optimism.Karst.Name,
	Fees:           Fees{Denominator: 250, Elasticity: 2, MinBaseFee: new(uint64)},
	L1Scalars:      [2]uint32{5227, 1_014_213},
	GasLimit:       40_000_000,
	BlockTime:      2 * time.Second,
	FlashblockTime: 200 * time.Millisecond,
	Wire:           api.Behaviour{Preconf: api.PreconfPending},
	Frames:         flashblocks.Subblocks,
	Bridge:         assembly.OptimismBridge,
	Token:          tokencontract.Strict,
}
