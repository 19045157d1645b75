// what waits: executable, or for an earlier nonce
!! pay
>> {"jsonrpc":"2.0","id":1,"method":"txpool_status","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":{"pending":"0x1","queued":"0x0"}}
>> {"jsonrpc":"2.0","id":2,"method":"txpool_content","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": {
       "pending": {
         "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266": {
           "0": {
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
           }
         }
       },
       "queued": {}
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"txpool_inspect","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": {
       "pending": {
         "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266": {
           "0": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8: 1000 wei + 21000 gas × 20000000000 wei"
         }
       },
       "queued": {}
     }
   }
>> {"jsonrpc":"2.0","id":4,"method":"txpool_contentFrom","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "result": {
       "pending": {
         "0": {
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
         }
       },
       "queued": {}
     }
   }
>> {"jsonrpc":"2.0","id":5,"method":"txpool_contentFrom","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]}
<< {"jsonrpc":"2.0","id":5,"result":{"pending":{},"queued":{}}}
>> {"jsonrpc":"2.0","id":6,"method":"anvil_dropAllTransactions","params":[]}
<< {"jsonrpc":"2.0","id":6,"result":null}
>> {"jsonrpc":"2.0","id":7,"method":"txpool_status","params":[]}
<< {"jsonrpc":"2.0","id":7,"result":{"pending":"0x0","queued":"0x0"}}
