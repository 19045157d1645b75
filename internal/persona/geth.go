package persona

import (
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/tokencontract"
)

// Geth is the profile of live clients: answers as in execution-apis.
var Geth = Persona{
	Blocks:  preconf.Behaviour{PendingPool: true, PendingHash: preconf.HashSoFar},
	Pool:    pool.Behaviour{RequireTip: true, AnnounceReady: true},
	Wire:    api.Behaviour{Forms: gethForms, SendSync: api.SyncGeth, RejectUnprotected: true, StandardBlockOverrides: true},
	Limits:  api.Limits{FeeCap: uint256.NewInt(params.Ether)},
	Methods: dialect.Geth,
	Token:   tokencontract.Strict,
}

// gethForms are the forms of live clients and of other development nodes.
var gethForms = api.Forms{
	Profile:            "geth",
	RevertReason:       true,
	HeaderNotFound:     true,
	FewCodes:           true,
	Lenient:            true,
	StandardOverrides:  true,
	IgnoreType:         true,
	GasPriceDropsBlobs: true,
	FirstAccountSends:  true,
	EmptyRangeIsError:  true,
	HashOrRange:        true,
	SimulateOnLatest:   true,
	Simulate: simulate.Rules{
		ChargeBaseFee: true, RejectUnfunded: true, ReportGaps: true, ComputeStateRoots: true, GasPriceDecides: true, RejectDifficulty: true,
	},
	ErrorObjects:    true,
	NullRatios:      true,
	ChecksumSenders: true,
	DeclaredReasons: true,
	Receipts:        shape.StandardMembers,
}
