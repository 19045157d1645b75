package persona

import (
	"time"

	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/tokencontract"
)

// Arc is Circle's chain, whose native coin is USDC, of its node 0.7.3.
var Arc = Persona{
	ChainID:        5042,
	TestnetID:      5042002,
	Chain:          chain.Options{NativeToken: tokencontract.NativeAddress, SmoothedBaseFee: true},
	GasLimit:       30_000_000,
	BlockTime:      500 * time.Millisecond,
	FlashblockTime: preconf.NoFlashblocks,
	Blocks: preconf.Behaviour{
		Lags: preconf.Lags{SafeLag: new(uint64), FinalizedLag: new(uint64)}, NoBeacon: true, NoReorgs: true,
	},
	Pool:    pool.Behaviour{NoBlobs: true},
	Wire:    api.Behaviour{Forms: gethForms, ClientVersion: "arc/v1", RejectUnprotected: true},
	Limits:  api.Limits{MaxBatch: 100, GasCap: 30_000_000, FeeCap: uint256.MustFromDecimal("1000000000000000000000")},
	Methods: dialect.Arc,
	Token:   tokencontract.Native,
}
