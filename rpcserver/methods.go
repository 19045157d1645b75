package rpcserver

import (
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/bridge"
	"github.com/fakenode/fakenode/rpcserver/bundler"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/explain"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/wallet"
)

// methods is the whole API. A line holds everything about a method: its wire names, the group, the function that serves
// it, the names of its parameters in error messages (parameters of pointer type are optional), whether it commands the
// node (control, own), and whether it needs the pre-confirmation layer.
var methods = jsonrpc.Aliases(map[string]method{
	// The contract's methods.
	"eth_getLogs":    public(inContract, jsonrpc.Params1(eth.GetLogs, "filter")),
	"eth_call":       public(inContract, jsonrpc.Params4(eth.Executing(eth.Execution.Answer), "call", "block", "state overrides", "block overrides")),
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
	"eth_getBlockByNumber":                 public(inBlocks, jsonrpc.Params2(eth.GetBlock[api.NumberTag], "block", "full transactions")),
	"eth_getBlockByHash":                   public(inBlocks, jsonrpc.Params2(eth.GetBlock[api.BlockHash], "block hash", "full transactions")),
	"eth_getHeaderByNumber":                public(inBlocks, jsonrpc.Params1(eth.GetHeader[api.NumberTag], "block")),
	"eth_getHeaderByHash":                  public(inBlocks, jsonrpc.Params1(eth.GetHeader[api.BlockHash], "block hash")),
	"eth_getBlockTransactionCountByNumber": public(inBlocks, jsonrpc.Params1(eth.CountTransactions[api.NumberTag], "block")),
	"eth_getBlockTransactionCountByHash":   public(inBlocks, jsonrpc.Params1(eth.CountTransactions[api.BlockHash], "block hash")),
	"eth_getBlockReceipts":                 public(inBlocks, jsonrpc.Params1(eth.GetBlockReceipts, "block")),
	"eth_getBlockAccessList":               public(inBlocks, jsonrpc.Params1(eth.GetBlockAccessList, "block")),
	"eth_getUncleCountByBlockNumber":       public(inBlocks, jsonrpc.Params1(eth.CountUncles[api.NumberTag], "block")),
	"eth_getUncleCountByBlockHash":         public(inBlocks, jsonrpc.Params1(eth.CountUncles[api.BlockHash], "block hash")),
	"eth_getUncleByBlockNumberAndIndex":    public(inBlocks, jsonrpc.Params2(eth.GetUncle[api.NumberTag], "block", "index")),
	"eth_getUncleByBlockHashAndIndex":      public(inBlocks, jsonrpc.Params2(eth.GetUncle[api.BlockHash], "block hash", "index")),

	// Transactions.
	"eth_getTransactionByHash":                   public(inTransactions, jsonrpc.Params1(eth.GetTransactionByHash, "transaction hash")),
	"eth_getTransactionByBlockNumberAndIndex":    public(inTransactions, jsonrpc.Params2(eth.GetTransactionIn[api.NumberTag], "block", "index")),
	"eth_getTransactionByBlockHashAndIndex":      public(inTransactions, jsonrpc.Params2(eth.GetTransactionIn[api.BlockHash], "block hash", "index")),
	"eth_getRawTransactionByHash":                public(inTransactions, jsonrpc.Params1(eth.GetRawTransactionByHash, "transaction hash")),
	"eth_getRawTransactionByBlockNumberAndIndex": public(inTransactions, jsonrpc.Params2(eth.GetRawTransactionIn[api.NumberTag], "block", "index")),
	"eth_getRawTransactionByBlockHashAndIndex":   public(inTransactions, jsonrpc.Params2(eth.GetRawTransactionIn[api.BlockHash], "block hash", "index")),
	"eth_getTransactionBySenderAndNonce":         public(inTransactions, jsonrpc.Params2(eth.GetTransactionBySenderAndNonce, "sender", "nonce")),
	"eth_getTransactionReceipt":                  public(inTransactions, jsonrpc.Params1(eth.GetTransactionReceipt, "transaction hash")),
	"base_transactionStatus":                     public(inTransactions, jsonrpc.Params1(eth.TransactionStatus, "transaction hash")).needsPreconf(),

	// Sending and signing.
	"eth_sendRawTransaction":                 public(inSending, jsonrpc.Params1(eth.SendRawTransaction, "transaction")),
	"eth_sendRawTransactionSync":             public(inSending, jsonrpc.Params2(eth.SendRawTransactionSync, "transaction", "timeout")),
	"realtime_sendRawTransaction":            public(inSending, jsonrpc.Params2(eth.RealtimeSendRawTransaction, "transaction", "timeout")).of(api.PreconfMegaETH),
	"eth_sendTransaction":                    public(inSending, jsonrpc.Params1(eth.SendTransaction, "transaction")),
	"eth_sendTransactionSync":                public(inSending, jsonrpc.Params2(eth.SendTransactionSync, "transaction", "timeout")),
	"eth_signTransaction":                    public(inSending, jsonrpc.Params1(eth.SignTransaction, "transaction")),
	"eth_fillTransaction":                    public(inSending, jsonrpc.Params1(eth.FillTransaction, "transaction")),
	"eth_accounts eth_requestAccounts":       public(inSending, jsonrpc.Params0(eth.Accounts)),
	"eth_sign":                               public(inSending, jsonrpc.Params2(eth.Sign, "address", "message")),
	"personal_sign":                          public(inSending, jsonrpc.Params3(eth.PersonalSign, "message", "address", "password")),
	"personal_ecRecover":                     public(inSending, jsonrpc.Params2(eth.PersonalRecover, "message", "signature")),
	"eth_signTypedData eth_signTypedData_v4": public(inSending, jsonrpc.Params2(eth.SignTypedData, "address", "typed data")),

	// Gas and fees.
	"eth_estimateGas":          public(inFees, jsonrpc.Params4(eth.Executing(eth.Execution.Estimate), "call", "block", "state overrides", "block overrides")),
	"eth_callAfter":            public(inFees, jsonrpc.Params4(eth.CallAfter, "call", "condition", "state overrides", "block overrides")).of(api.PreconfMegaETH),
	"eth_createAccessList":     public(inFees, jsonrpc.Params4(eth.Executing(eth.Execution.AccessList), "call", "block", "state overrides", "block overrides")),
	"eth_gasPrice":             public(inFees, jsonrpc.Params0(eth.GasPrice)),
	"eth_maxPriorityFeePerGas": public(inFees, jsonrpc.Params0(eth.MaxPriorityFeePerGas)),
	"eth_feeHistory":           public(inFees, jsonrpc.Params3(eth.FeeHistory, "block count", "newest block", "reward percentiles")),
	"eth_baseFee":              public(inFees, jsonrpc.Params0(eth.BaseFee)),
	"eth_blobBaseFee":          public(inFees, jsonrpc.Params0(eth.BlobBaseFee)),

	// Methods of a rollup node, if the chain has an L1.
	"optimism_outputAtBlock": public(inRollup, jsonrpc.Params1(bridge.OutputAtBlock, "block number")),
	"optimism_syncStatus":    public(inRollup, jsonrpc.Params0(bridge.SyncStatus)),
	"optimism_rollupConfig":  public(inRollup, jsonrpc.Params0(bridge.RollupConfig)),
	"optimism_version":       public(inRollup, jsonrpc.Params0(bridge.Version)),
	"superroot_atTimestamp":  public(inRollup, jsonrpc.Params1(bridge.SuperRootAtTimestamp, "timestamp")),

	// User operations, as in a bundler (ERC-7769).
	"eth_supportedEntryPoints":         public(inOperations, jsonrpc.Params0(bundler.SupportedEntryPoints)),
	"eth_sendUserOperation":            public(inOperations, jsonrpc.Params2(bundler.SendUserOperation, "user operation", "EntryPoint")),
	"eth_estimateUserOperationGas":     public(inOperations, jsonrpc.Params3(bundler.EstimateUserOperationGas, "user operation", "EntryPoint", "state overrides")),
	"eth_getUserOperationByHash":       public(inOperations, jsonrpc.Params1(bundler.GetUserOperationByHash, "user operation hash")),
	"eth_getUserOperationReceipt":      public(inOperations, jsonrpc.Params1(bundler.GetUserOperationReceipt, "user operation hash")),
	"pimlico_getUserOperationGasPrice": public(inOperations, jsonrpc.Params0(bundler.GetUserOperationGasPrice)),
	"pimlico_getUserOperationStatus":   public(inOperations, jsonrpc.Params1(bundler.GetUserOperationStatus, "user operation hash")),
	"pm_getPaymasterStubData":          public(inOperations, jsonrpc.Params4(bundler.GetPaymasterStubData, "user operation", "EntryPoint", "chain id", "context")),
	"pm_getPaymasterData":              public(inOperations, jsonrpc.Params4(bundler.GetPaymasterData, "user operation", "EntryPoint", "chain id", "context")),
	"debug_bundler_dumpMempool":        public(inOperations, jsonrpc.Params1(bundler.DumpMempool, "EntryPoint")),
	"debug_bundler_clearState":         control(inOperations, jsonrpc.Params0(bundler.ClearState)),

	// Requests of a dapp to its user's wallet.
	"wallet_sendCalls":                                   public(inWallet, jsonrpc.Params1(wallet.SendCalls, "calls")),
	"wallet_getCallsStatus":                              public(inWallet, jsonrpc.Params1(wallet.GetCallsStatus, "id")),
	"wallet_showCallsStatus":                             public(inWallet, jsonrpc.Params1(wallet.ShowCallsStatus, "id")),
	"wallet_getCapabilities":                             public(inWallet, jsonrpc.Params2(wallet.GetCapabilities, "address", "chain ids")),
	"wallet_switchEthereumChain wallet_addEthereumChain": public(inWallet, jsonrpc.Params1(wallet.SwitchChain, "chain")),
	"wallet_getPermissions":                              public(inWallet, jsonrpc.Params0(wallet.GetPermissions)),
	"wallet_requestPermissions":                          public(inWallet, jsonrpc.Params1(wallet.RequestPermissions, "permissions")),
	"wallet_revokePermissions":                           public(inWallet, jsonrpc.Params1(wallet.RevokePermissions, "permissions")),
	"wallet_watchAsset":                                  public(inWallet, jsonrpc.Params2(wallet.WatchAsset, "type", "options").Named("type", "options")),

	// The chain and the node.
	"eth_chainId":               public(inNode, jsonrpc.Params0(eth.ChainID)),
	"net_version eth_networkId": public(inNode, jsonrpc.Params0(eth.NetVersion)),
	"net_listening":             public(inNode, constant(true)),
	"net_peerCount":             public(inNode, constant(hexutil.Uint64(0))),
	"admin_nodeInfo":            public(inNode, jsonrpc.Params0(eth.NodeInfo)),
	"web3_clientVersion":        public(inNode, jsonrpc.Params0(eth.Web3ClientVersion)),
	"web3_sha3":                 public(inNode, jsonrpc.Params1(eth.Web3Sha3, "data")),
	"rpc_modules":               public(inNode, jsonrpc.Params0(eth.Modules)),
	"eth_config":                public(inNode, jsonrpc.Params0(eth.Config)),
	"eth_capabilities":          public(inNode, jsonrpc.Params0(eth.Capabilities)),
	"eth_syncing":               public(inNode, constant(false)),
	"eth_coinbase":              public(inNode, jsonrpc.Params0(eth.Coinbase)),
	"eth_protocolVersion":       public(inNode, constant(hexutil.Uint64(68))),
	"eth_mining":                public(inNode, jsonrpc.Params0(command.GetAutomine)),
	"eth_hashrate":              public(inNode, constant(hexutil.Uint64(0))),
	"testing_buildBlockV1":      control(inNode, jsonrpc.Params4(command.BuildBlock, "parent hash", "payload attributes", "transactions", "extra data")),

	// Subscriptions, over WebSocket.
	"eth_subscribe":   public(inSubscriptions, jsonrpc.Params2(eth.Subscribe, "kind", "option")),
	"eth_unsubscribe": public(inSubscriptions, jsonrpc.Params1(eth.Unsubscribe, "subscription id")),

	// Filters: subscriptions for clients that poll.
	"eth_newFilter":                   public(inFilters, jsonrpc.Params1(eth.NewFilter, "filter")),
	"eth_newBlockFilter":              public(inFilters, jsonrpc.Params0(eth.NewBlockFilter)),
	"eth_newPendingTransactionFilter": public(inFilters, jsonrpc.Params1(eth.NewPendingTransactionFilter, "full transactions")),
	"eth_getFilterChanges":            public(inFilters, jsonrpc.Params1(eth.GetFilterChanges, "filter id")),
	"eth_getLogsWithCursor":           public(inFilters, jsonrpc.Params1(eth.GetLogsWithCursor, "filter")).of(api.PreconfMegaETH),
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
	"debug_traceTransaction":      public(inDebugging, jsonrpc.Params2(explain.TraceTransaction, "hash", "tracer")).executes(),
	"debug_traceCall":             public(inDebugging, jsonrpc.Params3(explain.TraceCall, "call", "block", "tracer")).executes(),
	"debug_traceBlock":            public(inDebugging, jsonrpc.Params2(explain.TraceRawBlock, "block", "tracer")).executes(),
	"debug_traceBlockByNumber":    public(inDebugging, jsonrpc.Params2(explain.TraceBlock[api.NumberTag], "block", "tracer")).executes(),
	"debug_traceBlockByHash":      public(inDebugging, jsonrpc.Params2(explain.TraceBlock[api.BlockHash], "hash", "tracer")).executes(),
	"debug_setHead":               control(inDebugging, jsonrpc.Params1(command.SetHead, "number")),

	// Traces in OpenEthereum's form, and the methods of the block explorer Otterscan.
	"trace_block":                        public(inTracing, jsonrpc.Params1(explain.TraceModuleBlock, "block")).executes(),
	"trace_transaction":                  public(inTracing, jsonrpc.Params1(explain.TraceModuleTransaction, "hash")).executes(),
	"trace_get":                          public(inTracing, jsonrpc.Params2(explain.TraceGet, "hash", "indices")).executes(),
	"trace_filter":                       public(inTracing, jsonrpc.Params1(explain.TraceFilter, "filter")).executes(),
	"trace_call":                         public(inTracing, jsonrpc.Params3(explain.TraceModuleCall, "call", "kinds of trace", "block")).executes(),
	"trace_callMany":                     public(inTracing, jsonrpc.Params2(explain.TraceCallMany, "calls", "block")).executes(),
	"trace_rawTransaction":               public(inTracing, jsonrpc.Params3(explain.TraceRawTransaction, "transaction", "kinds of trace", "block")).executes(),
	"trace_replayTransaction":            public(inTracing, jsonrpc.Params2(explain.TraceReplayTransaction, "hash", "kinds of trace")).executes(),
	"trace_replayBlockTransactions":      public(inTracing, jsonrpc.Params2(explain.TraceReplayBlockTransactions, "block", "kinds of trace")).executes(),
	"ots_getApiLevel":                    public(inTracing, constant(8)),
	"ots_getInternalOperations":          public(inTracing, jsonrpc.Params1(explain.OtsInternalOperations, "hash")).executes(),
	"ots_hasCode":                        public(inTracing, jsonrpc.Params2(explain.OtsHasCode, "address", "block")),
	"ots_getTransactionError":            public(inTracing, jsonrpc.Params1(explain.OtsTransactionError, "hash")).executes(),
	"ots_traceTransaction":               public(inTracing, jsonrpc.Params1(explain.OtsTraceTransaction, "hash")).executes(),
	"ots_getBlockDetails":                public(inTracing, jsonrpc.Params1(explain.OtsBlockDetails[explain.PlainTag], "block")),
	"ots_getBlockDetailsByHash":          public(inTracing, jsonrpc.Params1(explain.OtsBlockDetails[api.BlockHash], "block hash")),
	"ots_getBlockTransactions":           public(inTracing, jsonrpc.Params3(explain.OtsBlockTransactions, "block", "page", "page size")),
	"ots_searchTransactionsBefore":       public(inTracing, jsonrpc.Params3(explain.OtsSearchBefore, "address", "block number", "page size")).executes(),
	"ots_searchTransactionsAfter":        public(inTracing, jsonrpc.Params3(explain.OtsSearchAfter, "address", "block number", "page size")).executes(),
	"ots_getTransactionBySenderAndNonce": public(inTracing, jsonrpc.Params2(explain.OtsTransactionBySenderAndNonce, "sender", "nonce")),
	"ots_getContractCreator":             public(inTracing, jsonrpc.Params1(explain.OtsContractCreator, "address")).executes(),
	"erigon_getHeaderByNumber":           public(inTracing, jsonrpc.Params1(eth.GetHeader[api.NumberTag], "block")),

	// Control methods that only fakenode has.
	"fakenode_setFault":        own(jsonrpc.Params1(command.SetFault, "fault")),
	"fakenode_clearFaults":     own(jsonrpc.Params0(command.ClearFaults)),
	"fakenode_faults":          own(jsonrpc.Params0(command.FaultsInForce)),
	"fakenode_subscriptions":   own(jsonrpc.Params0(command.Subscriptions)),
	"fakenode_disconnect":      own(jsonrpc.Params1(command.Disconnect, "options")),
	"fakenode_calls":           own(jsonrpc.Params1(command.Calls, "filter")),
	"fakenode_advance":         own(jsonrpc.Params1(command.Advance, "milliseconds")),
	"fakenode_jump":            own(jsonrpc.Params1(command.Jump, "milliseconds")),
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
	"fakenode_scenarioStart":   own(jsonrpc.Params2(command.StartScenario, "name", "params")),
	"fakenode_scenarioNext":    own(jsonrpc.Params1(command.NextOfScenario, "id")),
	"fakenode_info":            own(jsonrpc.Params0(command.Info)),
	"fakenode_compareForks":    own(jsonrpc.Params1(explain.CompareForks, "options")).executes(),
	"fakenode_profile":         own(jsonrpc.Params2(explain.Profile, "transaction or call", "block")).executes(),
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
	"fakenode_replica":         own(jsonrpc.Params2(command.Replica, "number", "lag")),
	"fakenode_newWorld":        own(jsonrpc.Params1(command.NewWorld, "world")).needsWorlds(),
	"fakenode_closeWorld":      own(jsonrpc.Params1(command.CloseWorld, "name")).needsWorlds(),
	"fakenode_worlds":          own(jsonrpc.Params0(command.Worlds)).needsWorlds(),

	// Control methods with the names of other nodes: blocks.
	"evm_mine":                                                          control(inControlBlocks, jsonrpc.Params1(command.EvmMine, "options")),
	"evm_mine_detailed anvil_mine_detailed":                             control(inControlBlocks, jsonrpc.Params1(command.MineDetailed, "options")),
	"anvil_mine hardhat_mine":                                           control(inControlBlocks, jsonrpc.Params2(command.AnvilMine, "blocks", "interval")),
	"evm_setAutomine anvil_setAutomine":                                 control(inControlBlocks, jsonrpc.Params1(command.SetAutomine, "enabled")),
	"miner_start":                                                       control(inControlBlocks, jsonrpc.Params1(command.MinerStart, "threads").Answering(true)),
	"miner_stop":                                                        control(inControlBlocks, jsonrpc.Params0(command.MinerStop).Answering(true)),
	"anvil_getAutomine hardhat_getAutomine":                             control(inControlBlocks, jsonrpc.Params0(command.GetAutomine)),
	"evm_setIntervalMining anvil_setIntervalMining":                     control(inControlBlocks, jsonrpc.Params1(command.SetIntervalMining, "seconds")),
	"anvil_getIntervalMining":                                           control(inControlBlocks, jsonrpc.Params0(command.GetIntervalMining)),
	"anvil_setCoinbase hardhat_setCoinbase":                             control(inControlBlocks, jsonrpc.Params1(command.SetCoinbase, "address")),
	"evm_setBlockGasLimit anvil_setBlockGasLimit":                       control(inControlBlocks, jsonrpc.Params1(command.SetBlockGasLimit, "gas")),
	"anvil_setMinGasPrice hardhat_setMinGasPrice":                       control(inControlBlocks, jsonrpc.Params1(command.SetMinGasPrice, "wei")),
	"anvil_setNextBlockPrevRandao hardhat_setPrevRandao":                control(inControlBlocks, jsonrpc.Params1(command.SetNextBlockPrevRandao, "value")),
	"anvil_setNextBlockBaseFeePerGas hardhat_setNextBlockBaseFeePerGas": control(inControlBlocks, jsonrpc.Params1(command.SetNextBlockBaseFeePerGas, "wei")),

	// Time, in Unix seconds.
	"evm_increaseTime anvil_increaseTime":                                     control(inControlTime, jsonrpc.Params1(command.IncreaseTime, "seconds")),
	"evm_setTime anvil_setTime":                                               control(inControlTime, jsonrpc.Params1(command.SetTime, "timestamp")),
	"evm_setNextBlockTimestamp anvil_setNextBlockTimestamp":                   control(inControlTime, jsonrpc.Params1(command.SetNextBlockTimestamp, "timestamp")),
	"anvil_setBlockTimestampInterval":                                         control(inControlTime, jsonrpc.Params1(command.SetBlockTimestampInterval, "seconds")),
	"hardhat_setBlockTimestampInterval":                                       control(inControlTime, jsonrpc.Params1(command.HardhatSetBlockTimestampInterval, "milliseconds")),
	"anvil_removeBlockTimestampInterval hardhat_removeBlockTimestampInterval": control(inControlTime, jsonrpc.Params0(command.RemoveBlockTimestampInterval)),
	"anvil_getGenesisTime":                                                    control(inControlTime, jsonrpc.Params0(command.GetGenesisTime)),

	// Accounts.
	"anvil_setBalance hardhat_setBalance evm_setAccountBalance":       control(inControlAccounts, jsonrpc.Params2(command.SetBalance, "address", "wei")),
	"anvil_addBalance hardhat_addBalance":                             control(inControlAccounts, jsonrpc.Params2(command.AddBalance, "address", "wei")),
	"anvil_setCode hardhat_setCode evm_setAccountCode":                control(inControlAccounts, jsonrpc.Params2(command.SetCode, "address", "code")),
	"anvil_setNonce hardhat_setNonce evm_setAccountNonce":             control(inControlAccounts, jsonrpc.Params2(command.SetNonce, "address", "nonce")),
	"anvil_setStorageAt hardhat_setStorageAt evm_setAccountStorageAt": control(inControlAccounts, jsonrpc.Params3(command.SetStorageAt, "address", "slot", "value")),
	"anvil_dealERC20 anvil_setERC20Balance":                           control(inControlAccounts, jsonrpc.Params3(command.DealERC20, "account", "token", "units")),
	"anvil_setERC20Allowance":                                         control(inControlAccounts, jsonrpc.Params4(command.SetERC20Allowance, "owner", "spender", "token", "units")),
	"anvil_impersonateAccount hardhat_impersonateAccount":             control(inControlAccounts, jsonrpc.Params1(command.ImpersonateAccount, "address")),
	"anvil_stopImpersonatingAccount hardhat_stopImpersonatingAccount": control(inControlAccounts, jsonrpc.Params1(command.StopImpersonatingAccount, "address")),
	"anvil_autoImpersonateAccount hardhat_autoImpersonateAccount":     control(inControlAccounts, jsonrpc.Params1(command.AutoImpersonateAccount, "enabled")),
	"eth_sendUnsignedTransaction":                                     control(inControlAccounts, jsonrpc.Params1(eth.SendUnsignedTransaction, "transaction")),
	"anvil_dumpState hardhat_dumpState":                               control(inControlAccounts, jsonrpc.Params0(command.DumpState)),
	"anvil_loadState hardhat_loadState":                               control(inControlAccounts, jsonrpc.Params1(command.LoadState, "dump")),

	// The chain and the pool.
	"evm_snapshot anvil_snapshot": control(inControlChain, jsonrpc.Params0(command.Snapshot)),
	"evm_revert anvil_revert":     control(inControlChain, jsonrpc.Params1(command.EvmRevert, "id")),
	"anvil_reorg":                 control(inControlChain, jsonrpc.Params2(command.AnvilReorg, "depth", "transactions").Named("depth", "tx_block_pairs")),
	"anvil_rollback":              control(inControlChain, jsonrpc.Params1(command.AnvilRollback, "depth")),
	"anvil_reset hardhat_reset":   control(inControlChain, jsonrpc.Params1(command.Reset, "options")),
	"anvil_setRpcUrl":             control(inControlChain, jsonrpc.Params1(command.SetRPCURL, "URL")),
	"anvil_dropTransaction":       control(inControlChain, jsonrpc.Params1(command.DropTransaction, "hash")),
	"hardhat_dropTransaction":     control(inControlChain, jsonrpc.Params1(command.HardhatDropTransaction, "hash")),
	"anvil_dropAllTransactions hardhat_dropAllTransactions": control(inControlChain, jsonrpc.Params0(command.DropAllTransactions)),
	"anvil_removePoolTransactions":                          control(inControlChain, jsonrpc.Params1(command.RemovePoolTransactions, "address")),
	"anvil_nodeInfo":                                        control(inControlChain, jsonrpc.Params0(command.NodeInfo)),
	"anvil_metadata hardhat_metadata":                       control(inControlChain, jsonrpc.Params0(command.Metadata)),
	"anvil_setLoggingEnabled hardhat_setLoggingEnabled":     control(inControlChain, jsonrpc.Params1(command.SetLoggingEnabled, "enabled")),
})
