package persona

import (
	"math"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/tokencontract"
)

// Hardhat is Hardhat's own network, of Hardhat 2.29.
var Hardhat = Persona{
	ChainID:          31337,
	TestnetID:        31338,
	ForkKeepsChainID: true,
	Chain:            chain.Options{TxGasLimit: math.MaxUint64, Calls: chain.Calls{FixedPrecompiles: true, CallsFree: true}},
	Mode:             control.Instant,
	Order:            pool.Fees,
	Pool:             pool.Behaviour{AnySize: true},
	FlashblockTime:   preconf.NoFlashblocks,
	Blocks: preconf.Behaviour{
		Lags: preconf.Lags{SafeLag: new(uint64), FinalizedLag: new(uint64)}, PendingPool: true, PendingHash: preconf.HashSoFar, BatchReady: true,
		KeepPoolOnInstant: true, ClipLogs: true, FeeRecipient: new(common.HexToAddress("0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e")),
	},
	Wire: api.Behaviour{
		Forms: gethForms, ClientVersion: "HardhatNetwork/2.29.1/@nomicfoundation/edr/0.3.8", SendSync: api.SyncGeth, StandardBlockOverrides: true, LogsAboveHead: true,
	},
	Methods: dialect.Hardhat,
	Token:   tokencontract.Strict,
}
