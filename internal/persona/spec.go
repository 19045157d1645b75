package persona

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
)

// Spec is the profile of the contract. All personas have its values in the fields that they leave out.
var Spec = Persona{Token: tokencontract.DocumentedFlow, Blocks: preconf.Behaviour{FeeRecipient: &FeeRecipient}}

// FeeRecipient receives the tips of blocks, unless the persona or the rules of an OP-stack chain name another account.
// Nobody has its key.
var FeeRecipient = common.HexToAddress("0xfeefeefeefeefeefeefeefeefeefeefeefeefee0")

// Dev is a chain that stands for no other.
var Dev = Persona{ChainID: 31337, TestnetID: 31338}
