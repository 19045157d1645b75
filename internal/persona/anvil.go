package persona

import (
	"math"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/tokencontract"
)

// Anvil is anvil 1.7.1, without its exceptions to execution-apis that package dialect has.
var Anvil = Persona{
	ChainID:        31337,
	TestnetID:      31338,
	Accounts:       10,
	Chain:          chain.Options{History: 4000, TxGasLimit: math.MaxUint64, Calls: chain.Calls{CallsSeeBaseFee: true, CallsBelowBaseFee: true, FixedPrecompiles: true}},
	GasLimit:       30_000_000,
	KeepsBaseFee:   true,
	Mode:           control.Instant,
	Order:          pool.FeeCap,
	FlashblockTime: preconf.NoFlashblocks,
	Blocks: preconf.Behaviour{
		EqualTimestamps: true, PendingPool: true, PendingHash: preconf.HashSoFar, BatchReady: true, ClipLogs: true, FeeRecipient: new(common.Address),
	},
	Pool: pool.Behaviour{FeeCapBumpOnly: true, RejectBelowBaseFee: true, AnnounceReady: true, AnySize: true, StateFirst: true},
	Wire: api.Behaviour{
		Forms: anvilForms, ClientVersion: "anvil/v1.7.1", SendSync: api.SyncGeth, AnyObject: true, WholeSteps: true, WholeSearch: true, CallsOnNext: true,
	},
	Limits:  api.Limits{GasCap: simulate.GasOfBlock},
	Methods: dialect.Anvil,
	Token:   tokencontract.Strict,
}

var anvilForms = func() api.Forms {
	forms := gethForms
	forms.Receipts = shape.AnvilMembers
	return forms
}()
