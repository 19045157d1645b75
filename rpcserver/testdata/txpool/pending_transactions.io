// the pool as a list, in the order of arrival; what is pre-confirmed has left it
!! pay
!! pay
>> {"jsonrpc":"2.0","id":1,"method":"eth_pendingTransactions","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
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
         "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
         "gas": "0x5208",
         "gasPrice": "0x4a817c800",
         "maxFeePerGas": "0x4a817c800",
         "maxPriorityFeePerGas": "0x3b9aca00",
         "hash": "0xee1a9dbde9a13309ab0117ea3b4da5d5c2f534d93acb6e7f1b995401278107b2",
         "input": "0x",
         "nonce": "0x1",
         "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "value": "0x3e8",
         "type": "0x2",
         "accessList": [],
         "chainId": "0x7a69",
         "v": "0x1",
         "r": "0xeba213fd6ca449774cf7416e31b2d26913acb2ea68fe140e491956a70d5fc821",
         "s": "0x315cc469ba467347c8829ddc56d83675b72433adf00115362a853df5cf8d56f5",
         "yParity": "0x1"
       }
     ]
   }
!! preconfirm
>> {"jsonrpc":"2.0","id":2,"method":"eth_pendingTransactions","params":[]}
<< {"jsonrpc":"2.0","id":2,"result":[]}
