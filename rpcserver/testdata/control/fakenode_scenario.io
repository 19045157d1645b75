// what a correct client must conclude; the parameters are the scenario's, and those that it does not take are refused as it refuses them
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_scenario","params":["DeepReorg",{"payer":7,"depth":"0x2"}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {
       "scenario": "DeepReorg",
       "statement": "The payment happened once, in another block than first seen: the logs of the first are removed, those of the second count. Whatever was stored under the first block's hash or number is stale.",
       "transaction": "0xaa8efac358895c2bd02cb4e4f80b39f56f0840934eef3c1824f4c8e363dd5074",
       "contract": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
       "payer": "0x14dc79964da2c08b23698b3d3cc7ca32193d9955",
       "nonce": "0x8db1c9ad1548dc5076845c3176c35e6b727e7af75bb324425d6e5b136e57fad2",
       "merchant": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "value": "25000000",
       "settled": true,
       "received": "25000000",
       "blockHash": "0x721de9c6308d6b38521f9a3af8f372cd85fbcf85a510be3844d6ec995973e6fc",
       "blockNumber": 2,
       "orphans": ["0x59bd2d7c7a4ce7162da5a6c555ecc4c527cb525ef666c348bf38d8bc343da24b"]
     }
   }
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_scenario","params":["DeepReorg"]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": {
       "scenario": "DeepReorg",
       "statement": "The payment happened once, in another block than first seen: the logs of the first are removed, those of the second count. Whatever was stored under the first block's hash or number is stale.",
       "transaction": "0x8eca8ef8802f8592f41263ae62728675bdbe3044eddedc733aae3468a365295f",
       "contract": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
       "payer": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "nonce": "0x11a21f2ce10ec13b61163efac4e0fb82b6967981d74c7b132939047a2d17f261",
       "merchant": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
       "value": "25000000",
       "settled": true,
       "received": "25000000",
       "blockHash": "0x913628ab478300057132a29290405587dad57dd0acd8616975c929fe90ae7bd7",
       "blockNumber": 5,
       "orphans": ["0x94444ec970b6cae86232b5ea9368458910aeb86e361cd88896a36bc1e91e310c"]
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_scenario","params":["DeepReorg",{"payer":70}]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "error": {"code":-32602,"message":"fakenode_scenario: account 70: the node has accounts 0 to 19"}
   }
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_scenario","params":["Doom"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -32602,
       "message": "fakenode_scenario: unknown scenario \"Doom\", known are of pre-confirmations: FeeSpikeWhileCapturing, LateBlock, LostPreconfirmation, PhantomLog, StalledPending; of reorgs: CaptureReorgedOut, CaptureThenReorg, DeepReorg, FlappingHead, ProposalReplaced, ShippedThenReorgedOut; of nodes that are behind: HeadGoesBack, LogsNotYetThere, NonceFromReplica, ReceiptThenNull, ReplicaOnOrphan; of decoys: FakeToken, NonceOfAnotherPayer, OtherToken; of captures: SettledUnseen; of orders: CeilingExceeded, MemoReorgedOut, PartialCapturesThenReorg, PermitFrontRun, ReclaimRacesCapture; of subscriptions: PeriodRollover, PermissionRevoked; of channels: ChannelDepositReorgedOut, ClaimRacesWithdrawal, DepositSeenThenLost, VoucherAfterRefund, WithdrawalOverslept; of user operations: BundleRevertedByNeighbour, DelegationFrontRun, OperationInLostFlashblock, PaymasterRanDry, SponsoredThenReorgedOut; of an L1's bridge: DepositDelayed, DepositReorgedOut, FinalizedTooEarly, GameBlacklisted, PortalPaused, ProvedTwice, WithdrawalProvenAgainstBadRoot"
     }
   }
