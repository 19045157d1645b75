package persona

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/tokencontract"
)

// Monad is Monad since July 2026: a block every 300 ms, which validators agree on after it was executed.
var Monad = Persona{
	ChainID:        143,
	TestnetID:      10143,
	Chain:          chain.Options{CodeLimit: 128 * 1024, TxGasLimit: 30_000_000, ChargeGasLimit: true, Tip: 2 * params.GWei},
	GasLimit:       150_000_000,
	BlockTime:      300 * time.Millisecond,
	FlashblockTime: preconf.NoFlashblocks,
	Blocks: preconf.Behaviour{
		Lags: preconf.Lags{SafeLag: new(uint64(1)), FinalizedLag: new(uint64(2))}, FixedBaseFee: big.NewInt(100 * params.GWei),
	},
	Pool:       pool.Behaviour{RejectBelowBaseFee: true, NoBlobs: true, AnySize: true, MaxAuthorizations: 4},
	Wire:       api.Behaviour{Forms: gethForms, ClientVersion: "Monad/0.12.0", Preconf: api.PreconfMonad, SendSync: api.SyncMonad, RejectUnprotected: true},
	Limits:     api.Limits{LogsMaxRange: 1001, GasCap: 30_000_000},
	Methods:    dialect.Monad,
	Token:      tokencontract.Strict,
	X402Assets: true,
}
