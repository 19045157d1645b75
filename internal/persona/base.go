package persona

import (
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/tokencontract"
)

// Base is Base since Denim: a block every 200 ms.
var Base = Persona{ChainID: 8453, TestnetID: 84532, Rules: optimism.Denim.Name, Bridge: assembly.BaseBridge, Token: tokencontract.Strict, X402Assets: true}
