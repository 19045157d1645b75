// what a correct client must conclude; the parameters are the scenario's, and those that it does not take are refused as it refuses them
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_scenario","params":["DeepReorg",{"payer":7,"depth":"0x2"}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {
       "scenario": "DeepReorg",
       "statement": "The payment happened once, in another block than first seen: the logs of the first are removed, those of the second count. Whatever was stored under the first block's hash or number is stale.",
       "transaction": "0x7f4f2b3446fba7f239ec6649a41c66ade52e3e0b201e9be086512a3833c390b5",
       "contract": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
       "payer": "0x14dc79964da2c08b23698b3d3cc7ca32193d9955",
       "nonce": "0x5f6e2fbe1ebad0fed43ca4d767ae314eb6b58e566a78fb793dea1c06aa485c10",
       "merchant": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "value": "25000000",
       "settled": true,
       "received": "25000000",
       "blockHash": "0x3a5b2f0dcf09541176cbb3b6ac71b269b6f879d3517b245b04ffc45e65c6a5d8",
       "blockNumber": 2,
       "orphans": ["0x6b731c5092b42d04ff1a3674e88c2d6079649b52e3a8fdebd6b2d8f6f585d82c"]
     }
   }
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_scenario","params":["DeepReorg"]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": {
       "scenario": "DeepReorg",
       "statement": "The payment happened once, in another block than first seen: the logs of the first are removed, those of the second count. Whatever was stored under the first block's hash or number is stale.",
       "transaction": "0x0b99bef2b81f88342736821a9e68318ec35008d34e5f87cbc53a644ede3fc180",
       "contract": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
       "payer": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "nonce": "0x5d0b1d5411d63897b669ea020b0ab6630c0180bf481c2310b70d372c86e5a873",
       "merchant": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
       "value": "25000000",
       "settled": true,
       "received": "25000000",
       "blockHash": "0x507771c590941a98edf7ac0479afe93e3d07ceca6f4a0a0df39209af388f8f4b",
       "blockNumber": 5,
       "orphans": ["0x5ea7665e1d17c2c44921617a4109d2d46f98cf68e5eb16929a84cf13c660b98d"]
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_scenario","params":["DeepReorg",{"payer":70}]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "error": {
       "code": -32602,
       "message": "fakenode_scenario: scenario DeepReorg: account 70: the node has accounts 0 to 19"
     }
   }
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_scenario","params":["Doom"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -32602,
       "message": "fakenode_scenario: unknown scenario \"Doom\", known are of pre-confirmations: FeeSpikeWhileCapturing, LateBlock, LostPreconfirmation, PhantomLog, StalledPending; of reorgs: CaptureReorgedOut, CaptureThenReorg, DeepReorg, FlappingHead, ShippedThenReorgedOut; of nodes that are behind: HeadGoesBack, LogsNotYetThere, NonceFromReplica, ReceiptThenNull, ReplicaOnOrphan; of orders: CeilingExceeded, MemoReorgedOut, PartialCapturesThenReorg, PermitFrontRun, ReclaimRacesCapture; of subscriptions: PeriodRollover, PermissionRevoked; of channels: ChannelDepositReorgedOut, ClaimRacesWithdrawal, DepositSeenThenLost, VoucherAfterRefund, WithdrawalOverslept; of user operations: BundleRevertedByNeighbour, DelegationFrontRun, OperationInLostFlashblock, PaymasterRanDry, SponsoredThenReorgedOut; of an L1's bridge: DepositDelayed, DepositReorgedOut, FinalizedTooEarly, GameBlacklisted, PortalPaused, ProvedTwice, WithdrawalProvenAgainstBadRoot"
     }
   }
