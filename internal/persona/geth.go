package persona

import (
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Geth is the profile of live clients: answers as in execution-apis.
var Geth = Persona{
	Wire:   api.Behaviour{Forms: gethForms, SendSync: api.SyncGeth, RejectUnprotected: true, StandardBlockOverrides: true},
	Limits: api.Limits{FeeCap: uint256.NewInt(params.Ether)},
}

var gethForms = api.Forms{
	Profile:           "geth",
	RevertReason:      true,
	HeaderNotFound:    true,
	FewCodes:          true,
	Lenient:           true,
	StandardOverrides: true,
	IgnoreType:        true, GasPriceDropsBlobs: true,
	FirstAccountSends: true,
	EmptyRangeIsError: true,
	HashOrRange:       true,
	SimulateOnLatest:  true,
	Simulate: simulate.Rules{
		ChargeBaseFee: true, RejectUnfunded: true, ReportGaps: true, ComputeStateRoots: true, GasPriceDecides: true, RejectDifficulty: true,
	},
	ErrorObjects:    true,
	NullRatios:      true,
	ChecksumSenders: true,
	DeclaredReasons: true,
	Receipts:        shape.StandardMembers,
}
