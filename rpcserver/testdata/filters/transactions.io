// what enters the pool: hashes, or whole transactions
>> {"jsonrpc":"2.0","id":1,"method":"eth_newPendingTransactionFilter","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_newPendingTransactionFilter","params":[true]}
<< {"jsonrpc":"2.0","id":2,"result":"0x2"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_newPendingTransactionFilter","params":[false]}
<< {"jsonrpc":"2.0","id":3,"result":"0x3"}
!! pay
>> {"jsonrpc":"2.0","id":4,"method":"anvil_setBalance","params":["0x9999999999999999999999999999999999999999","0xde0b6b3a7640000"]}
<< {"jsonrpc":"2.0","id":4,"result":null}
>> {"jsonrpc":"2.0","id":5,"method":"eth_sendUnsignedTransaction","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":5,"result":"0x01050d85d5ae99b0e764ceeccd5a4491b086264b7d8fffbd66c68b6666a1c13f"}
>> {"jsonrpc":"2.0","id":6,"method":"eth_getFilterChanges","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": [
       "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
       "0x01050d85d5ae99b0e764ceeccd5a4491b086264b7d8fffbd66c68b6666a1c13f"
     ]
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_getFilterChanges","params":["0x2"]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": [
       {
         "blockHash": null,
         "blockNumber": null,
         "blockTimestamp": null,
         "transactionIndex": null,
         "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
         "gas": "0x5208",
         "gasPrice": "0x4a817c800",
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
       },
       {
         "blockHash": null,
         "blockNumber": null,
         "blockTimestamp": null,
         "transactionIndex": null,
         "from": "0x9999999999999999999999999999999999999999",
         "gas": "0x5208",
         "gasPrice": "0xa3e9ab80",
         "maxFeePerGas": "0xa3e9ab80",
         "maxPriorityFeePerGas": "0x3b9aca00",
         "hash": "0x01050d85d5ae99b0e764ceeccd5a4491b086264b7d8fffbd66c68b6666a1c13f",
         "input": "0x",
         "nonce": "0x0",
         "to": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
         "value": "0x1",
         "type": "0x2",
         "accessList": [],
         "chainId": "0x7a69",
         "v": "0x0",
         "r": "0x9999999999999999999999999999999999999999",
         "s": "0x1",
         "yParity": "0x0"
       }
     ]
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_getFilterChanges","params":["0x3"]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "result": [
       "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
       "0x01050d85d5ae99b0e764ceeccd5a4491b086264b7d8fffbd66c68b6666a1c13f"
     ]
   }
>> {"jsonrpc":"2.0","id":9,"method":"eth_getFilterChanges","params":["0x2"]}
<< {"jsonrpc":"2.0","id":9,"result":[]}
>> {"jsonrpc":"2.0","id":10,"method":"eth_newPendingTransactionFilter","params":["yes"]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (full transactions) of eth_newPendingTransactionFilter: have \"yes\" (string), want true or false"
     }
   }
