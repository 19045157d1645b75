// What geth takes and the contract does not, or not so.
// A simulation without a block is on latest.
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}]}]}
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
         "gasUsed": "0x0",
         "hash": "0x894b96c3681504e447798c508d072ea0ab27ea54917189faa69b8e13f43a66c5",
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
         "stateRoot": "0xb62744aed5ebff0f2b79a9f82962d4d359c496376e16723e3fa8776c2df2e6c3",
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
// Members that geth does not know are ignored, second names of block overrides among them.
>> {"jsonrpc":"2.0","id":2,"method":"eth_call","params":[{"data":"0x435f524260205260405ff3"},"latest",{"0x1000000000000000000000000000000000000004":{"stateDif":{}}},{"blockNumber":"0x63","timestamp":"0x7","tme":"0x7"}]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": "0x0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006553f100"
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_call","params":[{"data":"0x435f524260205260405ff3"},"latest",{},{"number":"0x63","time":"0x7"}]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": "0x00000000000000000000000000000000000000000000000000000000000000630000000000000000000000000000000000000000000000000000000000000007"
   }
>> {"jsonrpc":"2.0","id":4,"method":"eth_simulateV1","params":[{"validaton":true,"blockStateCalls":[{"cals":[],"blockOverrides":{"timestamp":"0x7"}}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (payload) of eth_simulateV1: blockStateCalls[0]: unknown field \"timestamp\" in an override"
     }
   }
>> {"jsonrpc":"2.0","id":5,"method":"debug_traceCall","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{"tracer":"callTracer","blockOverrides":{"tme":"0x7"}}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": {
       "from": "0x0000000000000000000000000000000000000000",
       "gas": "0x2faf080",
       "gasUsed": "0xaaf3",
       "to": "0x1000000000000000000000000000000000000004",
       "input": "0x",
       "output": "0x0000000000000000000000000000000000000000000000000000000000000001",
       "value": "0x0",
       "type": "CALL"
     }
   }
// A gasPrice makes a transaction of type 0, or 1 with an access list, whatever else it would lose.
>> {"jsonrpc":"2.0","id":6,"method":"eth_simulateV1","params":[{"returnFullTransactions":true,"blockStateCalls":[{"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004","gas":"0x100000","gasPrice":"0x77359400","accessList":[{"address":"0x1000000000000000000000000000000000000004","storageKeys":[]}]}]}]},"latest"]}
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
         "gasUsed": "0xb453",
         "hash": "0x16d73c1d98124eca2231a30b824087e50d73635e06c10a85b31042f3b1d2824d",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000010000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0xb9323ec5c599bda9672b0084c31a0d423f6a7cb755638a67df6e2f84be2826f2",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x161f003a054f96b027eabc450701ed6beb70f2dbd33d2ee0eb1eeff01072a0a5",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0x2af63d0eecac8940d3e73e9f3c47768948441537b23dd16441a5fbf3e8a14129",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x2ab",
         "transactions": [
           {
             "blockHash": "0x16d73c1d98124eca2231a30b824087e50d73635e06c10a85b31042f3b1d2824d",
             "blockNumber": "0x1",
             "blockTimestamp": "0x6553f10c",
             "transactionIndex": "0x0",
             "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
             "gas": "0x100000",
             "gasPrice": "0x77359400",
             "hash": "0x38794bec3eefef35679d981fe28d62787bb7d60bb2c61a06b94646a6a71e781b",
             "input": "0x",
             "nonce": "0x0",
             "to": "0x1000000000000000000000000000000000000004",
             "value": "0x0",
             "type": "0x1",
             "accessList": [{"address":"0x1000000000000000000000000000000000000004","storageKeys":[]}],
             "chainId": "0x7a69",
             "v": "0x0",
             "r": "0x0",
             "s": "0x0",
             "yParity": "0x0"
           }
         ],
         "uncles": [],
         "withdrawals": [],
         "calls": [
           {
             "returnData": "0x0000000000000000000000000000000000000000000000000000000000000001",
             "logs": [
               {
                 "address": "0x1000000000000000000000000000000000000004",
                 "topics": [],
                 "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
                 "blockNumber": "0x1",
                 "transactionHash": "0x38794bec3eefef35679d981fe28d62787bb7d60bb2c61a06b94646a6a71e781b",
                 "transactionIndex": "0x0",
                 "blockHash": "0x16d73c1d98124eca2231a30b824087e50d73635e06c10a85b31042f3b1d2824d",
                 "blockTimestamp": "0x6553f10c",
                 "logIndex": "0x0",
                 "removed": false
               }
             ],
             "gasUsed": "0xb453",
             "maxUsedGas": "0xb453",
             "status": "0x1"
           }
         ]
       }
     ]
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004","gas":"0x100000","gasPrice":"0x77359400","accessList":[{"address":"0x1000000000000000000000000000000000000004","storageKeys":[]}]}]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": {
       "raw": "0x01f83f827a69808477359400831000009410000000000000000000000000000000000000048080d7d6941000000000000000000000000000000000000004c0808080",
       "tx": {
         "type": "0x1",
         "chainId": "0x7a69",
         "nonce": "0x0",
         "to": "0x1000000000000000000000000000000000000004",
         "gas": "0x100000",
         "gasPrice": "0x77359400",
         "maxPriorityFeePerGas": null,
         "maxFeePerGas": null,
         "value": "0x0",
         "input": "0x",
         "accessList": [{"address":"0x1000000000000000000000000000000000000004","storageKeys":[]}],
         "v": "0x0",
         "r": "0x0",
         "s": "0x0",
         "yParity": "0x0",
         "hash": "0x38794bec3eefef35679d981fe28d62787bb7d60bb2c61a06b94646a6a71e781b"
       }
     }
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004","gas":"0x100000","gasPrice":"0x77359400","blobVersionedHashes":["0x0100000000000000000000000000000000000000000000000000000000000000"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "result": {
       "raw": "0xe4808477359400831000009410000000000000000000000000000000000000048080808080",
       "tx": {
         "type": "0x0",
         "nonce": "0x0",
         "to": "0x1000000000000000000000000000000000000004",
         "gas": "0x100000",
         "gasPrice": "0x77359400",
         "maxPriorityFeePerGas": null,
         "maxFeePerGas": null,
         "value": "0x0",
         "input": "0x",
         "v": "0x0",
         "r": "0x0",
         "s": "0x0",
         "hash": "0x27fc03bbb1ec88613596cb42c3c759aeb243641f7f2c637e41d7e087baab0bcb"
       }
     }
   }
// Raw transactions are bound to a chain (EIP-155).
>> {"jsonrpc":"2.0","id":9,"method":"eth_sendRawTransaction","params":["0xf8638084773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c801801ba0bcf0726342ececfe601672ff5ba17ba87acb8e49b0317c69863f47406427d8d8a02002348c32a55e401f4986d9ca8ab71e2426beb41cdd59703cc28413efc9bcf0"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {"code":-32000,"message":"only replay-protected (EIP-155) transactions allowed over RPC"}
   }
// No blocks of fee history; bytes that are no block.
>> {"jsonrpc":"2.0","id":10,"method":"eth_feeHistory","params":[0,"latest",[]]}
<< {"jsonrpc":"2.0","id":10,"result":{"oldestBlock":"0x0","gasUsedRatio":null}}
>> {"jsonrpc":"2.0","id":11,"method":"debug_traceBlock","params":["0x"]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {"code":-32000,"message":"invalid argument 0 (block) of debug_traceBlock: not the RLP of a block"}
   }
// Members of a request are taken in any case, and the last one counts.
>> {"JSONRPC":"2.0","Id":5,"METHOD":"eth_chainId","method":"eth_blockNumber","params":[1],"params":[]}
<< {"jsonrpc":"2.0","id":5,"result":"0x0"}
// An unknown block has geth's words.
>> {"jsonrpc":"2.0","id":30,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x3b9aca00"]}
<< {"jsonrpc":"2.0","id":30,"error":{"code":-32000,"message":"header not found"}}
>> {"jsonrpc":"2.0","id":31,"method":"eth_call","params":[{},{"blockHash":"0x1200000000000000000000000000000000000000000000000000000000000000"}]}
<< {"jsonrpc":"2.0","id":31,"error":{"code":-32000,"message":"header for hash not found"}}
>> {"jsonrpc":"2.0","id":32,"method":"admin_nodeInfo","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 32,
     "result": {
       "enode": "",
       "id": "",
       "ip": "",
       "listenAddr": "",
       "name": "fakenode/test",
       "ports": {"discovery":0,"listener":0},
       "protocols": {
         "eth": {
           "genesis": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
           "head": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
           "network": 31337
         }
       }
     }
   }
