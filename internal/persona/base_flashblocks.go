package persona

import (
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/tokencontract"
)

// BaseFlashblocks is Base until Denim, with blocks of 2 s and flashblocks.
var BaseFlashblocks = Persona{
	ChainID:    8453,
	TestnetID:  84532,
	Rules:      optimism.Azul.Name,
	Fees:       Fees{MinBaseFee: new(uint64(5_000_000))},
	Bridge:     assembly.AzulBridge,
	Token:      tokencontract.Strict,
	X402Assets: true,
}
