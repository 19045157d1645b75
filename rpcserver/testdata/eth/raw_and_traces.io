// raw encodings, traces and what an explorer asks, of one payment
!! pay
!! seal
>> {"jsonrpc":"2.0","id":1,"method":"net_peerCount","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":2,"method":"rpc_modules","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": {
       "admin": "1.0",
       "anvil": "1.0",
       "base": "1.0",
       "debug": "1.0",
       "erigon": "1.0",
       "eth": "1.0",
       "evm": "1.0",
       "fakenode": "1.0",
       "hardhat": "1.0",
       "miner": "1.0",
       "net": "1.0",
       "optimism": "1.0",
       "ots": "1.0",
       "personal": "1.0",
       "pimlico": "1.0",
       "pm": "1.0",
       "realtime": "1.0",
       "rpc": "1.0",
       "superroot": "1.0",
       "testing": "1.0",
       "trace": "1.0",
       "txpool": "1.0",
       "wallet": "1.0",
       "web3": "1.0"
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_getBlockAccessList","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "error": {"code":-32001,"message":"block 1 has no access list: it is before amsterdam (EIP-7928)"}
   }
>> {"jsonrpc":"2.0","id":4,"method":"debug_getRawBlockAccessList","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {"code":-32001,"message":"block 1 has no access list: it is before amsterdam (EIP-7928)"}
   }
>> {"jsonrpc":"2.0","id":5,"method":"debug_getRawBlock","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": "0xf902dcf90261a083533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2a01dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347940000000000000000000000000000000000000000a08fcbb2e72e7f10e7e608b10a41ed35b2148b157276c8906b016562aa98830c44a061806685b8418853bf917ecec1352f4edc07eeb3c5fd09b078c7e4e382754d77a0f78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efab901000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000080018403938700825208846553f10280a0c70fb0f16c483de0d1599ac927b4a2b1ff973de5b454e358754ed8563ae3337488000000000000000084342770c0a056e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b4218080a00000000000000000000000000000000000000000000000000000000000000000a0e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855f874b87202f86f827a6980843b9aca008504a817c8008252089470997970c51812dc3a010c7d01b50e0d17dc79c88203e880c080a0460d12dbbe48c64d156bf5234ac8489be6922bf1e186b7877895392a891d9891a0211334c80440d069705a603537607dcb309581bfb073424d2954b4243e943f33c0c0"
   }
>> {"jsonrpc":"2.0","id":6,"method":"debug_getRawHeader","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": "0xf90261a083533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2a01dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347940000000000000000000000000000000000000000a08fcbb2e72e7f10e7e608b10a41ed35b2148b157276c8906b016562aa98830c44a061806685b8418853bf917ecec1352f4edc07eeb3c5fd09b078c7e4e382754d77a0f78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efab901000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000080018403938700825208846553f10280a0c70fb0f16c483de0d1599ac927b4a2b1ff973de5b454e358754ed8563ae3337488000000000000000084342770c0a056e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b4218080a00000000000000000000000000000000000000000000000000000000000000000a0e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
   }
>> {"jsonrpc":"2.0","id":7,"method":"debug_getRawReceipts","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": [
       "0x02f9010801825208b9010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000c0"
     ]
   }
>> {"jsonrpc":"2.0","id":8,"method":"debug_getRawTransaction","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "result": "0x02f86f827a6980843b9aca008504a817c8008252089470997970c51812dc3a010c7d01b50e0d17dc79c88203e880c080a0460d12dbbe48c64d156bf5234ac8489be6922bf1e186b7877895392a891d9891a0211334c80440d069705a603537607dcb309581bfb073424d2954b4243e943f33"
   }
>> {"jsonrpc":"2.0","id":9,"method":"debug_traceTransaction","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",{"tracer":"callTracer"}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "result": {
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gas": "0x5208",
       "gasUsed": "0x5208",
       "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
       "input": "0x",
       "value": "0x3e8",
       "type": "CALL"
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"debug_traceBlockByNumber","params":["0x1",{"tracer":"callTracer"}]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "result": [
       {
         "txHash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
         "result": {
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "gas": "0x5208",
           "gasUsed": "0x5208",
           "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "input": "0x",
           "value": "0x3e8",
           "type": "CALL"
         }
       }
     ]
   }
>> {"jsonrpc":"2.0","id":11,"method":"debug_traceBlockByHash","params":["0x0000000000000000000000000000000000000000000000000000000000000000",{"tracer":"callTracer"}]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32001,
       "message": "block not found: hash 0x0000000000000000000000000000000000000000000000000000000000000000"
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"trace_block","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "result": [
       {
         "action": {
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "callType": "call",
           "gas": "0x0",
           "input": "0x",
           "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "value": "0x3e8"
         },
         "result": {"gasUsed":"0x0","output":"0x"},
         "subtraces": 0,
         "traceAddress": [],
         "type": "call",
         "blockHash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
         "blockNumber": 1,
         "transactionHash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
         "transactionPosition": 0
       }
     ]
   }
>> {"jsonrpc":"2.0","id":13,"method":"trace_transaction","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "result": [
       {
         "action": {
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "callType": "call",
           "gas": "0x0",
           "input": "0x",
           "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "value": "0x3e8"
         },
         "result": {"gasUsed":"0x0","output":"0x"},
         "subtraces": 0,
         "traceAddress": [],
         "type": "call",
         "blockHash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
         "blockNumber": 1,
         "transactionHash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
         "transactionPosition": 0
       }
     ]
   }
>> {"jsonrpc":"2.0","id":14,"method":"trace_get","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",["0x0"]]}
<< {"jsonrpc":"2.0","id":14,"result":null}
>> {"jsonrpc":"2.0","id":15,"method":"trace_filter","params":[{"fromBlock":"0x1","toBlock":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "result": [
       {
         "action": {
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "callType": "call",
           "gas": "0x0",
           "input": "0x",
           "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "value": "0x3e8"
         },
         "result": {"gasUsed":"0x0","output":"0x"},
         "subtraces": 0,
         "traceAddress": [],
         "type": "call",
         "blockHash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
         "blockNumber": 1,
         "transactionHash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
         "transactionPosition": 0
       }
     ]
   }
>> {"jsonrpc":"2.0","id":16,"method":"trace_call","params":[{"from":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","to":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"},["trace"],"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 16,
     "result": {
       "output": "0x",
       "stateDiff": null,
       "trace": [
         {
           "action": {
             "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
             "callType": "call",
             "gas": "0x2fa9e78",
             "input": "0x",
             "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
             "value": "0x0"
           },
           "result": {"gasUsed":"0x0","output":"0x"},
           "subtraces": 0,
           "traceAddress": [],
           "type": "call"
         }
       ],
       "vmTrace": null
     }
   }
>> {"jsonrpc":"2.0","id":17,"method":"trace_callMany","params":[[[{"from":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","to":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"},["trace"]]],"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 17,
     "result": [
       {
         "output": "0x",
         "stateDiff": null,
         "trace": [
           {
             "action": {
               "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
               "callType": "call",
               "gas": "0x2fa9e78",
               "input": "0x",
               "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
               "value": "0x0"
             },
             "result": {"gasUsed":"0x0","output":"0x"},
             "subtraces": 0,
             "traceAddress": [],
             "type": "call"
           }
         ],
         "vmTrace": null
       }
     ]
   }
>> {"jsonrpc":"2.0","id":18,"method":"trace_rawTransaction","params":["0x00",["trace"]]}
<< {
     "jsonrpc": "2.0",
     "id": 18,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (transaction) of trace_rawTransaction: have 0x00, want a signed transaction: typed transaction too short"
     }
   }
>> {"jsonrpc":"2.0","id":19,"method":"trace_replayTransaction","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",["trace"]]}
<< {
     "jsonrpc": "2.0",
     "id": 19,
     "result": {
       "output": "0x",
       "stateDiff": null,
       "trace": [
         {
           "action": {
             "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
             "callType": "call",
             "gas": "0x0",
             "input": "0x",
             "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
             "value": "0x3e8"
           },
           "result": {"gasUsed":"0x0","output":"0x"},
           "subtraces": 0,
           "traceAddress": [],
           "type": "call"
         }
       ],
       "vmTrace": null,
       "transactionHash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"
     }
   }
>> {"jsonrpc":"2.0","id":20,"method":"trace_replayBlockTransactions","params":["0x1",["trace"]]}
<< {
     "jsonrpc": "2.0",
     "id": 20,
     "result": [
       {
         "output": "0x",
         "stateDiff": null,
         "trace": [
           {
             "action": {
               "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
               "callType": "call",
               "gas": "0x0",
               "input": "0x",
               "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
               "value": "0x3e8"
             },
             "result": {"gasUsed":"0x0","output":"0x"},
             "subtraces": 0,
             "traceAddress": [],
             "type": "call"
           }
         ],
         "vmTrace": null,
         "transactionHash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"
       }
     ]
   }
>> {"jsonrpc":"2.0","id":21,"method":"ots_getApiLevel","params":[]}
<< {"jsonrpc":"2.0","id":21,"result":8}
>> {"jsonrpc":"2.0","id":22,"method":"ots_getInternalOperations","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {"jsonrpc":"2.0","id":22,"result":[]}
>> {"jsonrpc":"2.0","id":23,"method":"ots_hasCode","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}
<< {"jsonrpc":"2.0","id":23,"result":false}
>> {"jsonrpc":"2.0","id":24,"method":"ots_getTransactionError","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {"jsonrpc":"2.0","id":24,"result":"0x"}
>> {"jsonrpc":"2.0","id":25,"method":"ots_traceTransaction","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {
     "jsonrpc": "2.0",
     "id": 25,
     "result": [
       {
         "type": "CALL",
         "depth": 0,
         "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
         "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "value": "0x3e8",
         "input": "0x",
         "output": "0x"
       }
     ]
   }
>> {"jsonrpc":"2.0","id":26,"method":"ots_getBlockDetails","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 26,
     "result": {
       "block": {
         "baseFeePerGas": "0x342770c0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x5208",
         "hash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
         "logsBloom": null,
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0xc70fb0f16c483de0d1599ac927b4a2b1ff973de5b454e358754ed8563ae33374",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "size": "0x2df",
         "stateRoot": "0x8fcbb2e72e7f10e7e608b10a41ed35b2148b157276c8906b016562aa98830c44",
         "timestamp": "0x6553f102",
         "transactionCount": 1,
         "transactionsRoot": "0x61806685b8418853bf917ecec1352f4edc07eeb3c5fd09b078c7e4e382754d77",
         "uncles": [],
         "withdrawals": [],
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"
       },
       "issuance": {"blockReward":"0x0","uncleReward":"0x0","issuance":"0x0"},
       "totalFees": "0x23cfb4e35600"
     }
   }
>> {"jsonrpc":"2.0","id":27,"method":"ots_getBlockDetailsByHash","params":["0x0000000000000000000000000000000000000000000000000000000000000000"]}
<< {"jsonrpc":"2.0","id":27,"result":null}
>> {"jsonrpc":"2.0","id":28,"method":"ots_getBlockTransactions","params":["0x1",0,5]}
<< {
     "jsonrpc": "2.0",
     "id": 28,
     "result": {
       "fullblock": {
         "baseFeePerGas": "0x342770c0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x5208",
         "hash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
         "logsBloom": null,
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0xc70fb0f16c483de0d1599ac927b4a2b1ff973de5b454e358754ed8563ae33374",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "size": "0x2df",
         "stateRoot": "0x8fcbb2e72e7f10e7e608b10a41ed35b2148b157276c8906b016562aa98830c44",
         "timestamp": "0x6553f102",
         "transactionCount": 1,
         "transactions": [
           {
             "accessList": [],
             "blockHash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
             "blockNumber": "0x1",
             "blockTimestamp": "0x6553f102",
             "chainId": "0x7a69",
             "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
             "gas": "0x5208",
             "gasPrice": "0x6fc23ac0",
             "hash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
             "input": "0x",
             "maxFeePerGas": "0x4a817c800",
             "maxPriorityFeePerGas": "0x3b9aca00",
             "nonce": "0x0",
             "r": "0x460d12dbbe48c64d156bf5234ac8489be6922bf1e186b7877895392a891d9891",
             "s": "0x211334c80440d069705a603537607dcb309581bfb073424d2954b4243e943f33",
             "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
             "transactionIndex": "0x0",
             "type": "0x2",
             "v": "0x0",
             "value": "0x3e8",
             "yParity": "0x0"
           }
         ],
         "transactionsRoot": "0x61806685b8418853bf917ecec1352f4edc07eeb3c5fd09b078c7e4e382754d77",
         "uncles": [],
         "withdrawals": [],
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"
       },
       "receipts": [
         {
           "blockHash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
           "blockNumber": "0x1",
           "blockTimestamp": "0x6553f102",
           "contractAddress": null,
           "cumulativeGasUsed": "0x5208",
           "effectiveGasPrice": "0x6fc23ac0",
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "gasUsed": "0x5208",
           "logs": null,
           "logsBloom": null,
           "status": "0x1",
           "timestamp": "0x6553f102",
           "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "transactionHash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
           "transactionIndex": "0x0",
           "type": "0x2"
         }
       ]
     }
   }
>> {"jsonrpc":"2.0","id":29,"method":"ots_searchTransactionsBefore","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",0,5]}
<< {
     "jsonrpc": "2.0",
     "id": 29,
     "result": {
       "txs": [
         {
           "blockHash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
           "blockNumber": "0x1",
           "blockTimestamp": "0x6553f102",
           "transactionIndex": "0x0",
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "gas": "0x5208",
           "gasPrice": "0x6fc23ac0",
           "maxFeePerGas": "0x4a817c800",
           "maxPriorityFeePerGas": "0x3b9aca00",
           "hash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
           "input": "0x",
           "nonce": "0x0",
           "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "value": "0x3e8",
           "type": "0x2",
           "accessList": [],
           "chainId": "0x7a69",
           "v": "0x0",
           "r": "0x460d12dbbe48c64d156bf5234ac8489be6922bf1e186b7877895392a891d9891",
           "s": "0x211334c80440d069705a603537607dcb309581bfb073424d2954b4243e943f33",
           "yParity": "0x0"
         }
       ],
       "receipts": [
         {
           "blockHash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
           "blockNumber": "0x1",
           "blockTimestamp": "0x6553f102",
           "contractAddress": null,
           "cumulativeGasUsed": "0x5208",
           "effectiveGasPrice": "0x6fc23ac0",
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "gasUsed": "0x5208",
           "logs": null,
           "logsBloom": null,
           "status": "0x1",
           "timestamp": "0x6553f102",
           "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "transactionHash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
           "transactionIndex": "0x0",
           "type": "0x2"
         }
       ],
       "firstPage": true,
       "lastPage": true
     }
   }
>> {"jsonrpc":"2.0","id":30,"method":"ots_searchTransactionsAfter","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",0,5]}
<< {
     "jsonrpc": "2.0",
     "id": 30,
     "result": {
       "txs": [
         {
           "blockHash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
           "blockNumber": "0x1",
           "blockTimestamp": "0x6553f102",
           "transactionIndex": "0x0",
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "gas": "0x5208",
           "gasPrice": "0x6fc23ac0",
           "maxFeePerGas": "0x4a817c800",
           "maxPriorityFeePerGas": "0x3b9aca00",
           "hash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
           "input": "0x",
           "nonce": "0x0",
           "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "value": "0x3e8",
           "type": "0x2",
           "accessList": [],
           "chainId": "0x7a69",
           "v": "0x0",
           "r": "0x460d12dbbe48c64d156bf5234ac8489be6922bf1e186b7877895392a891d9891",
           "s": "0x211334c80440d069705a603537607dcb309581bfb073424d2954b4243e943f33",
           "yParity": "0x0"
         }
       ],
       "receipts": [
         {
           "blockHash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
           "blockNumber": "0x1",
           "blockTimestamp": "0x6553f102",
           "contractAddress": null,
           "cumulativeGasUsed": "0x5208",
           "effectiveGasPrice": "0x6fc23ac0",
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "gasUsed": "0x5208",
           "logs": null,
           "logsBloom": null,
           "status": "0x1",
           "timestamp": "0x6553f102",
           "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "transactionHash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
           "transactionIndex": "0x0",
           "type": "0x2"
         }
       ],
       "firstPage": true,
       "lastPage": true
     }
   }
>> {"jsonrpc":"2.0","id":31,"method":"ots_getTransactionBySenderAndNonce","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",0]}
<< {"jsonrpc":"2.0","id":31,"result":"0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"}
>> {"jsonrpc":"2.0","id":32,"method":"ots_getContractCreator","params":["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"]}
<< {"jsonrpc":"2.0","id":32,"result":null}
>> {"jsonrpc":"2.0","id":33,"method":"erigon_getHeaderByNumber","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 33,
     "result": {
       "baseFeePerGas": "0x342770c0",
       "blobGasUsed": "0x0",
       "difficulty": "0x0",
       "excessBlobGas": "0x0",
       "extraData": "0x",
       "gasLimit": "0x3938700",
       "gasUsed": "0x5208",
       "hash": "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
       "miner": "0x0000000000000000000000000000000000000000",
       "mixHash": "0xc70fb0f16c483de0d1599ac927b4a2b1ff973de5b454e358754ed8563ae33374",
       "nonce": "0x0000000000000000",
       "number": "0x1",
       "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
       "receiptsRoot": "0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa",
       "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
       "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
       "stateRoot": "0x8fcbb2e72e7f10e7e608b10a41ed35b2148b157276c8906b016562aa98830c44",
       "timestamp": "0x6553f102",
       "transactionsRoot": "0x61806685b8418853bf917ecec1352f4edc07eeb3c5fd09b078c7e4e382754d77",
       "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"
     }
   }
>> {"jsonrpc":"2.0","id":36,"method":"debug_getRawTransactions","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 36,
     "result": [
       "0x02f86f827a6980843b9aca008504a817c8008252089470997970c51812dc3a010c7d01b50e0d17dc79c88203e880c080a0460d12dbbe48c64d156bf5234ac8489be6922bf1e186b7877895392a891d9891a0211334c80440d069705a603537607dcb309581bfb073424d2954b4243e943f33"
     ]
   }
>> {"jsonrpc":"2.0","id":37,"method":"debug_executionWitness","params":["0x0"]}
<< {
     "jsonrpc": "2.0",
     "id": 37,
     "error": {"code":-32000,"message":"the genesis block has no parent, whose state a witness is made of"}
   }
>> {"jsonrpc":"2.0","id":34,"method":"debug_setHead","params":["0x0"]}
<< {"jsonrpc":"2.0","id":34,"result":null}
>> {"jsonrpc":"2.0","id":35,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":35,"result":"0x0"}
