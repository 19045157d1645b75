// A failing call is a result: status 0x0 and error, a string (contract 2.6-error; geth: an object).
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"to":"0x1000000000000000000000000000000000000002","data":"0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036261640000000000000000000000000000000000000000000000000000000000"},{"to":"0x1000000000000000000000000000000000000002"},{"to":"0x1000000000000000000000000000000000000002","data":"0x4e487b710000000000000000000000000000000000000000000000000000000000000011"},{"to":"0x1000000000000000000000000000000000000005","gas":"0x186a0"},{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x32eac",
         "hash": "0x531eb34299838cc04fbbb338702b1f46144226f571a7cf5ea91ab063191af72b",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000010000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0xd63ca2a7d31be869ac405f5d5f3f4022fa9f2fbc997845f441c3f89f36476e16",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0x0ed8f0d1beb44e743d675b094b4a3df0ac45be75ef5827592045bb4d923c93cd",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x3c2",
         "transactions": [
           "0x7f5066c16b516d8aa82af1e174f9ce4f6f2f3328e8a0eb7a7b258227a9c7b8a2",
           "0x37e2da3b1a0d90beb4c6dcbb0597cd106947347a5f6170c18f5a8e0f91a67d03",
           "0x21123b6d1deaf52e22d1b59a7f9e65658592f9519c2a384991f4e1d4809c91fa",
           "0xfd9777f0b93cdc8949506af047ca414d0f5e338d06f4b7bb69e29c28a4173167",
           "0xf73566bb6a8bb335517e7d0a15dd37e52cd874466de63d7f60d0d1a30896fd24"
         ],
         "uncles": [],
         "withdrawals": [],
         "calls": [
           {
             "returnData": "0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036261640000000000000000000000000000000000000000000000000000000000",
             "logs": [],
             "gasUsed": "0x56fe",
             "maxUsedGas": "0x56fe",
             "status": "0x0",
             "error": "execution reverted: bad"
           },
           {
             "returnData": "0x",
             "logs": [],
             "gasUsed": "0x5215",
             "maxUsedGas": "0x5215",
             "status": "0x0",
             "error": "execution reverted"
           },
           {
             "returnData": "0x4e487b710000000000000000000000000000000000000000000000000000000000000011",
             "logs": [],
             "gasUsed": "0x5406",
             "maxUsedGas": "0x5406",
             "status": "0x0",
             "error": "execution reverted: arithmetic underflow or overflow"
           },
           {"returnData":"0x","logs":[],"gasUsed":"0x186a0","maxUsedGas":"0x186a0","status":"0x0","error":"out of gas"},
           {
             "returnData": "0x0000000000000000000000000000000000000000000000000000000000000001",
             "logs": [
               {
                 "address": "0x1000000000000000000000000000000000000004",
                 "topics": [],
                 "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
                 "blockNumber": "0x1",
                 "transactionHash": "0xf73566bb6a8bb335517e7d0a15dd37e52cd874466de63d7f60d0d1a30896fd24",
                 "transactionIndex": "0x4",
                 "blockHash": "0x531eb34299838cc04fbbb338702b1f46144226f571a7cf5ea91ab063191af72b",
                 "blockTimestamp": "0x6553f10c",
                 "logIndex": "0x0",
                 "removed": false
               }
             ],
             "gasUsed": "0xaaf3",
             "maxUsedGas": "0xaaf3",
             "status": "0x1"
           }
         ]
       }
     ]
   }
// Without validation nonces and fees are free; a call without its value fails alone (contract D-unfunded).
>> {"jsonrpc":"2.0","id":2,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","nonce":"0x63"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x5208",
         "hash": "0xde0507e9dc290e0bdd3f7d526372ae3a56f4f365670d5bd5c38ebc435152d3ec",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0xa340240d9776f2cbf69af367fe31c96660c4009e6f1c8b921acc2b57877c9c39",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x28f",
         "transactions": ["0xe4b08e4d33fd673787be2615ca5f7045d80a7f8f957eebadea01306b4fad7473"],
         "uncles": [],
         "withdrawals": [],
         "calls": [{"returnData":"0x","logs":[],"gasUsed":"0x5208","maxUsedGas":"0x5208","status":"0x1"}]
       }
     ]
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x0",
         "hash": "0x3951adb9498d9e640b27e763a40ea30f34f787fc7f24b8c1872ae83059fc6fb1",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0x9b8c53ea067dc3b6b92753e4cb82ac0ea9573f6807424f7f58b7a38681c56dc0",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0x3348505c81ebd99794c441619a92c0bfa34d4da1ae0ef86b3cd41a10d5881032",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x28d",
         "transactions": ["0x0b5fb488d2f6f03e9e94b39eabe7d9528341eb5f6d63a6fdd94cdf55949d3293"],
         "uncles": [],
         "withdrawals": [],
         "calls": [
           {
             "returnData": "0x",
             "logs": [],
             "gasUsed": "0x0",
             "maxUsedGas": "0x0",
             "status": "0x0",
             "error": "insufficient funds for gas * price + value: address 0x9999999999999999999999999999999999999999 have 0 want 1"
           }
         ]
       }
     ]
   }
// With validation: nonce too low, too high, no base fee asked for (contract D-validation), no funds, and one that is fine.
>> {"jsonrpc":"2.0","id":4,"method":"eth_simulateV1","params":[{"validation":true,"blockStateCalls":[{"stateOverrides":{"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266":{"nonce":"0x5"}},"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","nonce":"0x4","maxFeePerGas":"0x77359400"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -38010,
       "message": "err: nonce too low: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, tx: 4 state: 5 (supplied gas 50000000)"
     }
   }
>> {"jsonrpc":"2.0","id":5,"method":"eth_simulateV1","params":[{"validation":true,"blockStateCalls":[{"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","nonce":"0x9","maxFeePerGas":"0x77359400"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -38011,
       "message": "err: nonce too high: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, tx: 9 state: 0 (supplied gas 50000000)"
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_simulateV1","params":[{"validation":true,"blockStateCalls":[{"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x5208",
         "hash": "0x3c4b6c5cd982121a78966bdb8815742dbd37303aba47af31e72e15e5de914fcf",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0x4b44b0d539f9019b708c24989ec81ca59f9b71f6c98d0639b2c63b6717f1430b",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x28f",
         "transactions": ["0x0ef764c3d551435c06b31f51f6ee6f773e9a356fe507c0db8c45b324d03aad3f"],
         "uncles": [],
         "withdrawals": [],
         "calls": [{"returnData":"0x","logs":[],"gasUsed":"0x5208","maxUsedGas":"0x5208","status":"0x1"}]
       }
     ]
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_simulateV1","params":[{"validation":true,"blockStateCalls":[{"calls":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","maxFeePerGas":"0x77359400"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {
       "code": -38014,
       "message": "err: insufficient funds for gas * price + value: address 0x9999999999999999999999999999999999999999 have 0 want 100000000000000000 (supplied gas 50000000)"
     }
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_simulateV1","params":[{"validation":true,"blockStateCalls":[{"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","nonce":"0x0","maxFeePerGas":"0x77359400","maxPriorityFeePerGas":"0x1"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x5208",
         "hash": "0xb387dbc0f93ea250ccbb1b2db3ff3d78f8a3c649942aa5baa46d11a5ba03cf9f",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0x526eaaa105ef6abed67add7f7bf2783cb91213e88d397eace452620a4e14800f",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x293",
         "transactions": ["0x6e32663243e9d15ae1f6c990b69380c0ee28bf1083c62fbbc7c00f4d7fa81a14"],
         "uncles": [],
         "withdrawals": [],
         "calls": [{"returnData":"0x","logs":[],"gasUsed":"0x5208","maxUsedGas":"0x5208","status":"0x1"}]
       }
     ]
   }
// The other codes of execution-apis.
>> {"jsonrpc":"2.0","id":9,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"to":"0x1000000000000000000000000000000000000004","gas":"0x1"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {"code":-38013,"message":"err: intrinsic gas too low: have 1, want 21000 (supplied gas 1)"}
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"gasLimit":"0xc350"},"calls":[{"to":"0x1000000000000000000000000000000000000004","gas":"0x186a0"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {"code":-38015,"message":"block gas limit reached: remaining: 50000, required: 100000"}
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"number":"0x5"}},{"blockOverrides":{"number":"0x5"}}]},"latest"]}
<< {"jsonrpc":"2.0","id":11,"error":{"code":-38020,"message":"block numbers must be in order: 5 <= 5"}}
>> {"jsonrpc":"2.0","id":12,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"time":"0x6553f1f1"}},{"blockOverrides":{"time":"0x6553f1f1"}}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {"code":-38021,"message":"block timestamps must be in order: 1700000241 <= 1700000241"}
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"stateOverrides":{"0x0000000000000000000000000000000000000004":{"movePrecompileToAddress":"0x0000000000000000000000000000000000000004"}}}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "error": {"code":-38022,"message":"account 0x0000000000000000000000000000000000000004 is moved to itself"}
   }
>> {"jsonrpc":"2.0","id":14,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"stateOverrides":{"0x0000000000000000000000000000000000000004":{"movePrecompileToAddress":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"},"0x70997970c51812dc3a010c7d01b50e0d17dc79c8":{"balance":"0x1"}}}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "error": {"code":-38023,"message":"account 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 is already overridden"}
   }
>> {"jsonrpc":"2.0","id":15,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"stateOverrides":{"0x1000000000000000000000000000000000000004":{"movePrecompileToAddress":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"}}}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "error": {"code":-32000,"message":"account 0x1000000000000000000000000000000000000004 is not a precompile"}
   }
>> {"jsonrpc":"2.0","id":16,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"number":"0x200"}}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 16,
     "error": {"code":-38026,"message":"too many blocks: block 512 is more than 256 above block 0"}
   }
>> {"jsonrpc":"2.0","id":17,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"stateOverrides":{"0x1000000000000000000000000000000000000004":{"state":{},"stateDiff":{}}}}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 17,
     "error": {
       "code": -32602,
       "message": "account 0x1000000000000000000000000000000000000004 has both 'state' and 'stateDiff'"
     }
   }
// What is no payload.
>> {"jsonrpc":"2.0","id":18,"method":"eth_simulateV1","params":[{"blockStateCalls":[]},"latest"]}
<< {"jsonrpc":"2.0","id":18,"error":{"code":-32602,"message":"empty input: blockStateCalls has no entries"}}
>> {"jsonrpc":"2.0","id":19,"method":"eth_simulateV1","params":[{},"latest"]}
<< {"jsonrpc":"2.0","id":19,"error":{"code":-32602,"message":"empty input: blockStateCalls has no entries"}}
>> {"jsonrpc":"2.0","id":20,"method":"eth_simulateV1","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 20,
     "error": {
       "code": -32602,
       "message": "missing argument 0 (payload) of eth_simulateV1: want a simulation payload: {blockStateCalls: [{calls, stateOverrides, blockOverrides}], traceTransfers, validation, returnFullTransactions}"
     }
   }
>> {"jsonrpc":"2.0","id":21,"method":"eth_simulateV1","params":[[],"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 21,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (payload) of eth_simulateV1: have [] (array), want a simulation payload: {blockStateCalls: [{calls, stateOverrides, blockOverrides}], traceTransfers, validation, returnFullTransactions}"
     }
   }
>> {"jsonrpc":"2.0","id":22,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"to":"0x1"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 22,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (payload) of eth_simulateV1: have {\"blockStateCalls\":[{\"calls\":[{\"to\":\"0x1\"}]}]} (blockStateCalls.calls.to is hex string of odd length, want an address (20 bytes in hex)), want a simulation payload: {blockStateCalls: [{calls, stateOverrides, blockOverrides}], traceTransfers, validation, returnFullTransactions}"
     }
   }
>> {"jsonrpc":"2.0","id":23,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"stateOverrides":{"0x1000000000000000000000000000000000000004":{"storage":{}}}}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 23,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x0",
         "hash": "0xeadbf0c33e7f975660a5773582692b751d1583a26a8fedc3d627919179840eb9",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x264",
         "transactions": [],
         "uncles": [],
         "withdrawals": [],
         "calls": []
       }
     ]
   }
>> {"jsonrpc":"2.0","id":24,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}],"validation":"yes"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 24,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (payload) of eth_simulateV1: have {\"blockStateCalls\":[{}],\"validation\":\"yes\"} (validation is string, want true or false), want a simulation payload: {blockStateCalls: [{calls, stateOverrides, blockOverrides}], traceTransfers, validation, returnFullTransactions}"
     }
   }
>> {"jsonrpc":"2.0","id":25,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}]},"pending",1]}
<< {
     "jsonrpc": "2.0",
     "id": 25,
     "error": {"code":-32602,"message":"too many arguments of eth_simulateV1: have 3, want at most 2; argument 2 is 1"}
   }
// Members are all known: a misspelt one is refused and named, on every level. Only a call may have more.
>> {"jsonrpc":"2.0","id":26,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}],"validaton":true},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 26,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (payload) of eth_simulateV1: have {\"blockStateCalls\":[{}],\"validaton\":true} (member \"validaton\" is unknown, want blockStateCalls, traceTransfers, validation, returnFullTransactions), want a simulation payload: {blockStateCalls: [{calls, stateOverrides, blockOverrides}], traceTransfers, validation, returnFullTransactions}"
     }
   }
>> {"jsonrpc":"2.0","id":27,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"cals":[]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 27,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (payload) of eth_simulateV1: have {\"blockStateCalls\":[{\"cals\":[]}]} (blockStateCalls[0]: member \"cals\" is unknown, want calls, stateOverrides, blockOverrides), want a simulation payload: {blockStateCalls: [{calls, stateOverrides, blockOverrides}], traceTransfers, validation, returnFullTransactions}"
     }
   }
>> {"jsonrpc":"2.0","id":28,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"timestmap":"0x5"}}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 28,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (payload) of eth_simulateV1: have {\"blockStateCalls\":[{\"blockOverrides\":{\"timestmap\":\"0x5\"}}]} (blockStateCalls[0].blockOverrides: member \"timestmap\" is unknown, want number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, difficulty, beaconRoot, withdrawals, blockNumber, timestamp, coinbase, random, baseFee, blockHash), want a simulation payload: {blockStateCalls: [{calls, stateOverrides, blockOverrides}], traceTransfers, validation, returnFullTransactions}"
     }
   }
>> {"jsonrpc":"2.0","id":29,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","kind":"read"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 29,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x5208",
         "hash": "0x3c4b6c5cd982121a78966bdb8815742dbd37303aba47af31e72e15e5de914fcf",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0x4b44b0d539f9019b708c24989ec81ca59f9b71f6c98d0639b2c63b6717f1430b",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x28f",
         "transactions": ["0x0ef764c3d551435c06b31f51f6ee6f773e9a356fe507c0db8c45b324d03aad3f"],
         "uncles": [],
         "withdrawals": [],
         "calls": [{"returnData":"0x","logs":[],"gasUsed":"0x5208","maxUsedGas":"0x5208","status":"0x1"}]
       }
     ]
   }
// The block is required (geth: latest).
>> {"jsonrpc":"2.0","id":30,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}]}]}
<< {
     "jsonrpc": "2.0",
     "id": 30,
     "error": {
       "code": -32602,
       "message": "missing argument 1 (block) of eth_simulateV1: want a block number in hex, \"latest\", \"pending\", \"safe\", \"finalized\", \"earliest\" or a block hash; \"pending\" for pre-confirmed state"
     }
   }
>> {"jsonrpc":"2.0","id":31,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}]},null]}
<< {
     "jsonrpc": "2.0",
     "id": 31,
     "error": {
       "code": -32602,
       "message": "missing argument 1 (block) of eth_simulateV1: want a block number in hex, \"latest\", \"pending\", \"safe\", \"finalized\", \"earliest\" or a block hash; \"pending\" for pre-confirmed state"
     }
   }
