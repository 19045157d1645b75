package rpcserver

import (
	"maps"

	"github.com/fakenode/fakenode/rpcserver/bridge"
	"github.com/fakenode/fakenode/rpcserver/bundler"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/explain"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/wallet"
)

// methods is the whole API.
var methods = joined(ownMethods, borrowedMethods)

// joined returns one table of the methods of two, which have no name in common.
func joined(a, b map[string]method) map[string]method {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// ownMethods is the API without borrowedMethods. A line holds everything about a method: the wire name, the group, the
// function that serves it, what its parameters are called in error messages (those of pointer type are optional),
// whether it commands the node (control, own), and whether it needs the pre-confirmation layer.
var ownMethods = map[string]method{
	// The contract's methods.
	"eth_getLogs":    public(inContract, jsonrpc.Params1(eth.GetLogs, "filter")),
	"eth_call":       public(inContract, jsonrpc.Params4(eth.Call, "call", "block", "state overrides", "block overrides")),
	"eth_getCode":    public(inContract, jsonrpc.Params2(eth.GetCode, "address", "block")),
	"eth_simulateV1": public(inContract, jsonrpc.Params2(eth.SimulateV1, "payload", "block")).needsPreconf(),

	// Accounts.
	"eth_getBalance":          public(inAccounts, jsonrpc.Params2(eth.GetBalance, "address", "block")),
	"eth_getTransactionCount": public(inAccounts, jsonrpc.Params2(eth.GetTransactionCount, "address", "block")),
	"eth_getAccount":          public(inAccounts, jsonrpc.Params2(eth.GetAccount, "address", "block")),
	"eth_getAccountInfo":      public(inAccounts, jsonrpc.Params2(eth.GetAccountInfo, "address", "block")),
	"eth_getStorageAt":        public(inAccounts, jsonrpc.Params3(eth.GetStorageAt, "address", "storage key", "block")),
	"eth_getStorageValues":    public(inAccounts, jsonrpc.Params2(eth.GetStorageValues, "storage keys by address", "block")),
	"eth_getProof":            public(inAccounts, jsonrpc.Params3(eth.GetProof, "address", "storage keys", "block")),

	// Blocks.
	"eth_blockNumber":                      public(inBlocks, jsonrpc.Params0(eth.BlockNumber)),
	"eth_getBlockByNumber":                 public(inBlocks, jsonrpc.Params2(eth.GetBlockByNumber, "block", "full transactions")),
	"eth_getBlockByHash":                   public(inBlocks, jsonrpc.Params2(eth.GetBlockByHash, "block hash", "full transactions")),
	"eth_getHeaderByNumber":                public(inBlocks, jsonrpc.Params1(eth.GetHeaderByNumber, "block")),
	"eth_getHeaderByHash":                  public(inBlocks, jsonrpc.Params1(eth.GetHeaderByHash, "block hash")),
	"eth_getBlockTransactionCountByNumber": public(inBlocks, jsonrpc.Params1(eth.GetBlockTransactionCountByNumber, "block")),
	"eth_getBlockTransactionCountByHash":   public(inBlocks, jsonrpc.Params1(eth.GetBlockTransactionCountByHash, "block hash")),
	"eth_getBlockReceipts":                 public(inBlocks, jsonrpc.Params1(eth.GetBlockReceipts, "block")),
	"eth_getBlockAccessList":               public(inBlocks, jsonrpc.Params1(eth.GetBlockAccessList, "block")),
	"eth_getUncleCountByBlockNumber":       public(inBlocks, jsonrpc.Params1(eth.GetUncleCountByBlockNumber, "block")),
	"eth_getUncleCountByBlockHash":         public(inBlocks, jsonrpc.Params1(eth.GetUncleCountByBlockHash, "block hash")),
	"eth_getUncleByBlockNumberAndIndex":    public(inBlocks, jsonrpc.Params2(eth.GetUncleByBlockNumberAndIndex, "block", "index")),
	"eth_getUncleByBlockHashAndIndex":      public(inBlocks, jsonrpc.Params2(eth.GetUncleByBlockHashAndIndex, "block hash", "index")),

	// Transactions.
	"eth_getTransactionByHash":                   public(inTransactions, jsonrpc.Params1(eth.GetTransactionByHash, "transaction hash")),
	"eth_getTransactionByBlockNumberAndIndex":    public(inTransactions, jsonrpc.Params2(eth.GetTransactionByBlockNumberAndIndex, "block", "index")),
	"eth_getTransactionByBlockHashAndIndex":      public(inTransactions, jsonrpc.Params2(eth.GetTransactionByBlockHashAndIndex, "block hash", "index")),
	"eth_getRawTransactionByHash":                public(inTransactions, jsonrpc.Params1(eth.GetRawTransactionByHash, "transaction hash")),
	"eth_getRawTransactionByBlockNumberAndIndex": public(inTransactions, jsonrpc.Params2(eth.GetRawTransactionByBlockNumberAndIndex, "block", "index")),
	"eth_getRawTransactionByBlockHashAndIndex":   public(inTransactions, jsonrpc.Params2(eth.GetRawTransactionByBlockHashAndIndex, "block hash", "index")),
	"eth_getTransactionBySenderAndNonce":         public(inTransactions, jsonrpc.Params2(eth.GetTransactionBySenderAndNonce, "sender", "nonce")),
	"eth_getTransactionReceipt":                  public(inTransactions, jsonrpc.Params1(eth.GetTransactionReceipt, "transaction hash")),
	"base_transactionStatus":                     public(inTransactions, jsonrpc.Params1(eth.TransactionStatus, "transaction hash")).needsPreconf(),

	// Sending and signing.
	"eth_sendRawTransaction":     public(inSending, jsonrpc.Params1(eth.SendRawTransaction, "transaction")),
	"eth_sendRawTransactionSync": public(inSending, jsonrpc.Params2(eth.SendRawTransactionSync, "transaction", "timeout")),
	"eth_sendTransaction":        public(inSending, jsonrpc.Params1(eth.SendTransaction, "transaction")),
	"eth_sendTransactionSync":    public(inSending, jsonrpc.Params2(eth.SendTransactionSync, "transaction", "timeout")),
	"eth_signTransaction":        public(inSending, jsonrpc.Params1(eth.SignTransaction, "transaction")),
	"eth_fillTransaction":        public(inSending, jsonrpc.Params1(eth.FillTransaction, "transaction")),
	"eth_accounts":               public(inSending, jsonrpc.Params0(eth.Accounts)),
	"eth_requestAccounts":        public(inSending, jsonrpc.Params0(eth.Accounts)),
	"eth_sign":                   public(inSending, jsonrpc.Params2(eth.Sign, "address", "message")),
	"personal_sign":              public(inSending, jsonrpc.Params3(eth.PersonalSign, "message", "address", "password")),
	"personal_ecRecover":         public(inSending, jsonrpc.Params2(eth.PersonalRecover, "message", "signature")),
	"eth_signTypedData":          public(inSending, jsonrpc.Params2(eth.SignTypedData, "address", "typed data")),
	"eth_signTypedData_v4":       public(inSending, jsonrpc.Params2(eth.SignTypedData, "address", "typed data")),

	// Gas and fees.
	"eth_estimateGas":          public(inFees, jsonrpc.Params4(eth.EstimateGas, "call", "block", "state overrides", "block overrides")),
	"eth_createAccessList":     public(inFees, jsonrpc.Params4(eth.CreateAccessList, "call", "block", "state overrides", "block overrides")),
	"eth_gasPrice":             public(inFees, jsonrpc.Params0(eth.GasPrice)),
	"eth_maxPriorityFeePerGas": public(inFees, jsonrpc.Params0(eth.MaxPriorityFeePerGas)),
	"eth_feeHistory":           public(inFees, jsonrpc.Params3(eth.FeeHistory, "block count", "newest block", "reward percentiles")),
	"eth_baseFee":              public(inFees, jsonrpc.Params0(eth.BaseFee)),
	"eth_blobBaseFee":          public(inFees, jsonrpc.Params0(eth.BlobBaseFee)),

	// What a rollup node answers, where there is an L1 beside the chain.
	"optimism_outputAtBlock": public(inRollup, jsonrpc.Params1(bridge.OutputAtBlock, "block number")),
	"optimism_syncStatus":    public(inRollup, jsonrpc.Params0(bridge.SyncStatus)),
	"optimism_rollupConfig":  public(inRollup, jsonrpc.Params0(bridge.RollupConfig)),
	"optimism_version":       public(inRollup, jsonrpc.Params0(bridge.Version)),

	// User operations, as a bundler serves them (ERC-7769).
	"eth_supportedEntryPoints":     public(inOperations, jsonrpc.Params0(bundler.SupportedEntryPoints)),
	"eth_sendUserOperation":        public(inOperations, jsonrpc.Params2(bundler.SendUserOperation, "user operation", "EntryPoint")),
	"eth_estimateUserOperationGas": public(inOperations, jsonrpc.Params3(bundler.EstimateUserOperationGas, "user operation", "EntryPoint", "state overrides")),
	"eth_getUserOperationByHash":   public(inOperations, jsonrpc.Params1(bundler.GetUserOperationByHash, "user operation hash")),
	"eth_getUserOperationReceipt":  public(inOperations, jsonrpc.Params1(bundler.GetUserOperationReceipt, "user operation hash")),
	"pm_getPaymasterStubData":      public(inOperations, jsonrpc.Params4(bundler.GetPaymasterStubData, "user operation", "EntryPoint", "chain id", "context")),
	"pm_getPaymasterData":          public(inOperations, jsonrpc.Params4(bundler.GetPaymasterData, "user operation", "EntryPoint", "chain id", "context")),
	"debug_bundler_dumpMempool":    public(inOperations, jsonrpc.Params1(bundler.DumpMempool, "EntryPoint")),
	"debug_bundler_clearState":     control(inOperations, jsonrpc.Params0(bundler.ClearState)),

	// What a dapp asks its user's wallet.
	"wallet_sendCalls":           public(inWallet, jsonrpc.Params1(wallet.SendCalls, "calls")),
	"wallet_getCallsStatus":      public(inWallet, jsonrpc.Params1(wallet.GetCallsStatus, "id")),
	"wallet_showCallsStatus":     public(inWallet, jsonrpc.Params1(wallet.ShowCallsStatus, "id")),
	"wallet_getCapabilities":     public(inWallet, jsonrpc.Params2(wallet.GetCapabilities, "address", "chain ids")),
	"wallet_switchEthereumChain": public(inWallet, jsonrpc.Params1(wallet.SwitchChain, "chain")),
	"wallet_addEthereumChain":    public(inWallet, jsonrpc.Params1(wallet.SwitchChain, "chain")),
	"wallet_getPermissions":      public(inWallet, jsonrpc.Params0(wallet.GetPermissions)),
	"wallet_requestPermissions":  public(inWallet, jsonrpc.Params1(wallet.RequestPermissions, "permissions")),
	"wallet_revokePermissions":   public(inWallet, jsonrpc.Params1(wallet.RevokePermissions, "permissions")),
	"wallet_watchAsset":          public(inWallet, jsonrpc.Params2(wallet.WatchAsset, "type", "options").Named("type", "options")),

	// The chain and the node.
	"eth_chainId":          public(inNode, jsonrpc.Params0(eth.ChainID)),
	"net_version":          public(inNode, jsonrpc.Params0(eth.NetVersion)),
	"eth_networkId":        public(inNode, jsonrpc.Params0(eth.NetVersion)),
	"net_listening":        public(inNode, jsonrpc.Params0(eth.NetListening)),
	"net_peerCount":        public(inNode, jsonrpc.Params0(eth.NetPeerCount)),
	"web3_clientVersion":   public(inNode, jsonrpc.Params0(eth.Web3ClientVersion)),
	"web3_sha3":            public(inNode, jsonrpc.Params1(eth.Web3Sha3, "data")),
	"rpc_modules":          public(inNode, jsonrpc.Params0(eth.Modules)),
	"eth_config":           public(inNode, jsonrpc.Params0(eth.Config)),
	"eth_capabilities":     public(inNode, jsonrpc.Params0(eth.Capabilities)),
	"eth_syncing":          public(inNode, jsonrpc.Params0(eth.Syncing)),
	"eth_coinbase":         public(inNode, jsonrpc.Params0(eth.Coinbase)),
	"eth_protocolVersion":  public(inNode, jsonrpc.Params0(eth.ProtocolVersion)),
	"eth_mining":           public(inNode, jsonrpc.Params0(command.GetAutomine)),
	"eth_hashrate":         public(inNode, jsonrpc.Params0(eth.Hashrate)),
	"testing_buildBlockV1": control(inNode, jsonrpc.Params4(command.BuildBlock, "parent hash", "payload attributes", "transactions", "extra data")),

	// Subscriptions, over WebSocket.
	"eth_subscribe":   public(inSubscriptions, jsonrpc.Params2(eth.Subscribe, "kind", "option")),
	"eth_unsubscribe": public(inSubscriptions, jsonrpc.Params1(eth.Unsubscribe, "subscription id")),

	// Filters: subscriptions for clients that poll.
	"eth_newFilter":                   public(inFilters, jsonrpc.Params1(eth.NewFilter, "filter")),
	"eth_newBlockFilter":              public(inFilters, jsonrpc.Params0(eth.NewBlockFilter)),
	"eth_newPendingTransactionFilter": public(inFilters, jsonrpc.Params1(eth.NewPendingTransactionFilter, "full transactions")),
	"eth_getFilterChanges":            public(inFilters, jsonrpc.Params1(eth.GetFilterChanges, "filter id")),
	"eth_getFilterLogs":               public(inFilters, jsonrpc.Params1(eth.GetFilterLogs, "filter id")),
	"eth_uninstallFilter":             public(inFilters, jsonrpc.Params1(eth.UninstallFilter, "filter id")),

	// The pool.
	"txpool_status":           public(inPool, jsonrpc.Params0(eth.TxpoolStatus)),
	"txpool_content":          public(inPool, jsonrpc.Params0(eth.TxpoolContent)),
	"txpool_contentFrom":      public(inPool, jsonrpc.Params1(eth.TxpoolContentFrom, "address")),
	"txpool_inspect":          public(inPool, jsonrpc.Params0(eth.TxpoolInspect)),
	"eth_pendingTransactions": public(inPool, jsonrpc.Params0(eth.PendingTransactions)),

	// Raw encodings and traces.
	"debug_getRawBlock":           public(inDebugging, jsonrpc.Params1(eth.GetRawBlock, "block")),
	"debug_getRawHeader":          public(inDebugging, jsonrpc.Params1(eth.GetRawHeader, "block")),
	"debug_getRawBlockAccessList": public(inDebugging, jsonrpc.Params1(eth.GetRawBlockAccessList, "block")),
	"debug_getRawReceipts":        public(inDebugging, jsonrpc.Params1(eth.GetRawReceipts, "block")),
	"debug_getRawTransaction":     public(inDebugging, jsonrpc.Params1(eth.GetRawTransaction, "hash")),
	"debug_traceTransaction":      public(inDebugging, jsonrpc.Params2(explain.TraceTransaction, "hash", "tracer")),
	"debug_traceCall":             public(inDebugging, jsonrpc.Params3(explain.TraceCall, "call", "block", "tracer")),
	"debug_traceBlock":            public(inDebugging, jsonrpc.Params2(explain.TraceRawBlock, "block", "tracer")),
	"debug_traceBlockByNumber":    public(inDebugging, jsonrpc.Params2(explain.TraceBlockByNumber, "block", "tracer")),
	"debug_traceBlockByHash":      public(inDebugging, jsonrpc.Params2(explain.TraceBlockByHash, "hash", "tracer")),
	"debug_setHead":               control(inDebugging, jsonrpc.Params1(command.SetHead, "number")),

	// Traces in OpenEthereum's form, and what the block explorer Otterscan calls.
	"trace_block":                        public(inTracing, jsonrpc.Params1(explain.TraceModuleBlock, "block")),
	"trace_transaction":                  public(inTracing, jsonrpc.Params1(explain.TraceModuleTransaction, "hash")),
	"trace_get":                          public(inTracing, jsonrpc.Params2(explain.TraceGet, "hash", "indices")),
	"trace_filter":                       public(inTracing, jsonrpc.Params1(explain.TraceFilter, "filter")),
	"trace_call":                         public(inTracing, jsonrpc.Params3(explain.TraceModuleCall, "call", "kinds of trace", "block")),
	"trace_callMany":                     public(inTracing, jsonrpc.Params2(explain.TraceCallMany, "calls", "block")),
	"trace_rawTransaction":               public(inTracing, jsonrpc.Params3(explain.TraceRawTransaction, "transaction", "kinds of trace", "block")),
	"trace_replayTransaction":            public(inTracing, jsonrpc.Params2(explain.TraceReplayTransaction, "hash", "kinds of trace")),
	"trace_replayBlockTransactions":      public(inTracing, jsonrpc.Params2(explain.TraceReplayBlockTransactions, "block", "kinds of trace")),
	"ots_getApiLevel":                    public(inTracing, jsonrpc.Params0(explain.OtsAPILevel)),
	"ots_getInternalOperations":          public(inTracing, jsonrpc.Params1(explain.OtsInternalOperations, "hash")),
	"ots_hasCode":                        public(inTracing, jsonrpc.Params2(explain.OtsHasCode, "address", "block")),
	"ots_getTransactionError":            public(inTracing, jsonrpc.Params1(explain.OtsTransactionError, "hash")),
	"ots_traceTransaction":               public(inTracing, jsonrpc.Params1(explain.OtsTraceTransaction, "hash")),
	"ots_getBlockDetails":                public(inTracing, jsonrpc.Params1(explain.OtsBlockDetails, "block")),
	"ots_getBlockDetailsByHash":          public(inTracing, jsonrpc.Params1(explain.OtsBlockDetailsByHash, "block hash")),
	"ots_getBlockTransactions":           public(inTracing, jsonrpc.Params3(explain.OtsBlockTransactions, "block", "page", "page size")),
	"ots_searchTransactionsBefore":       public(inTracing, jsonrpc.Params3(explain.OtsSearchBefore, "address", "block number", "page size")),
	"ots_searchTransactionsAfter":        public(inTracing, jsonrpc.Params3(explain.OtsSearchAfter, "address", "block number", "page size")),
	"ots_getTransactionBySenderAndNonce": public(inTracing, jsonrpc.Params2(explain.OtsTransactionBySenderAndNonce, "sender", "nonce")),
	"ots_getContractCreator":             public(inTracing, jsonrpc.Params1(explain.OtsContractCreator, "address")),
	"erigon_getHeaderByNumber":           public(inTracing, jsonrpc.Params1(eth.GetHeaderByNumber, "block")),

	// Control: what only fakenode has.
	"fakenode_setFault":        own(jsonrpc.Params1(command.SetFault, "fault")),
	"fakenode_clearFaults":     own(jsonrpc.Params0(command.ClearFaults)),
	"fakenode_faults":          own(jsonrpc.Params0(command.FaultsInForce)),
	"fakenode_subscriptions":   own(jsonrpc.Params0(command.Subscriptions)),
	"fakenode_disconnect":      own(jsonrpc.Params1(command.Disconnect, "options")),
	"fakenode_calls":           own(jsonrpc.Params1(command.Calls, "filter")),
	"fakenode_advance":         own(jsonrpc.Params1(command.Advance, "milliseconds")),
	"fakenode_preconfirm":      own(jsonrpc.Params0(command.Preconfirm)).needsPreconf(),
	"fakenode_seal":            own(jsonrpc.Params1(command.Seal, "blocks")),
	"fakenode_reorg":           own(jsonrpc.Params1(command.Reorg, "reorg")),
	"fakenode_flashblockFault": own(jsonrpc.Params1(command.FlashblockFault, "fault")).needsPreconf(),
	"fakenode_feedFault":       own(jsonrpc.Params1(command.FeedFault, "fault")).needsPreconf(),
	"fakenode_orphans":         own(jsonrpc.Params0(command.Orphans)),
	"fakenode_console":         own(jsonrpc.Params1(command.Console, "transaction hash")),
	"fakenode_hold":            own(jsonrpc.Params1(command.Hold, "hold")),
	"fakenode_release":         own(jsonrpc.Params0(command.Release)),
	"fakenode_setSafe":         own(jsonrpc.Params1(command.SetSafe, "number")),
	"fakenode_setFinalized":    own(jsonrpc.Params1(command.SetFinalized, "number")),
	"fakenode_snapshot":        own(jsonrpc.Params0(command.Snapshot)),
	"fakenode_revert":          own(jsonrpc.Params2(command.Revert, "id", "announce")),
	"fakenode_scenario":        own(jsonrpc.Params2(command.Scenario, "name", "params")),
	"fakenode_info":            own(jsonrpc.Params0(command.Info)),
	"fakenode_compareForks":    own(jsonrpc.Params1(explain.CompareForks, "options")),
	"fakenode_profile":         own(jsonrpc.Params2(explain.Profile, "transaction or call", "block")),
	"fakenode_transaction":     own(jsonrpc.Params1(command.TransactionPlace, "transaction hash")),
	"fakenode_mintToken":       own(jsonrpc.Params2(command.MintToken, "address", "token units")),
	"fakenode_delegate":        own(jsonrpc.Params2(command.Delegate, "account", "implementation")),
	"fakenode_deposit":         own(jsonrpc.Params1(command.Deposit, "deposit")),
	"fakenode_setL1":           own(jsonrpc.Params1(command.SetL1, "L1 block")),
	"fakenode_bridge":          own(jsonrpc.Params0(bridge.Overview)),
	"fakenode_propose":         own(jsonrpc.Params1(bridge.Propose, "proposal")),
	"fakenode_resolveGame":     own(jsonrpc.Params1(bridge.ResolveGame, "game")),
	"fakenode_blacklistGame":   own(jsonrpc.Params1(bridge.BlacklistGame, "index")),
	"fakenode_pausePortal":     own(jsonrpc.Params1(bridge.PausePortal, "paused")),
	"fakenode_forkMisses":      own(jsonrpc.Params0(command.ForkMisses)),
	"fakenode_bundlerFault":    own(jsonrpc.Params1(command.BundlerFault, "fault")),
	"fakenode_operation":       own(jsonrpc.Params1(bundler.OperationPlace, "user operation hash")),
	"fakenode_paymaster":       own(jsonrpc.Params1(command.Paymaster, "paymaster")),
	"fakenode_weather":         own(jsonrpc.Params1(command.Weather, "weather")),
	"fakenode_newWorld":        own(jsonrpc.Params1(command.NewWorld, "world")).needsWorlds(),
	"fakenode_closeWorld":      own(jsonrpc.Params1(command.CloseWorld, "name")).needsWorlds(),
	"fakenode_worlds":          own(jsonrpc.Params0(command.Worlds)).needsWorlds(),
}
