// the whole pending block, cumulative; empty flashblocks too
>>ws {"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newFlashblocks"]}
<<ws {"jsonrpc":"2.0","id":1,"result":"0x1"}
!! pay
>>ws {"jsonrpc":"2.0","id":2,"method":"fakenode_preconfirm","params":[]}
<<ws {
       "jsonrpc": "2.0",
       "method": "eth_subscription",
       "params": {
         "subscription": "0x1",
         "result": {
           "baseFeePerGas": "0x342770c0",
           "blobGasUsed": "0x0",
           "difficulty": "0x0",
           "excessBlobGas": "0x0",
           "extraData": "0x",
           "gasLimit": "0x3938700",
           "gasUsed": "0x5208",
           "hash": "0x0000000000000000000000000000000000000000000000000000000000000000",
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
           "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
           "timestamp": "0x6553f102",
           "transactionsRoot": "0x61806685b8418853bf917ecec1352f4edc07eeb3c5fd09b078c7e4e382754d77",
           "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
           "transactions": [
             {
               "blockHash": null,
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
           "uncles": [],
           "withdrawals": []
         }
       }
     }
<<ws {
       "jsonrpc": "2.0",
       "id": 2,
       "result": {
         "blockNumber": 1,
         "index": 0,
         "transactions": ["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]
       }
     }
>>ws {"jsonrpc":"2.0","id":3,"method":"fakenode_preconfirm","params":[]}
<<ws {
       "jsonrpc": "2.0",
       "method": "eth_subscription",
       "params": {
         "subscription": "0x1",
         "result": {
           "baseFeePerGas": "0x342770c0",
           "blobGasUsed": "0x0",
           "difficulty": "0x0",
           "excessBlobGas": "0x0",
           "extraData": "0x",
           "gasLimit": "0x3938700",
           "gasUsed": "0x5208",
           "hash": "0x0000000000000000000000000000000000000000000000000000000000000000",
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
           "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
           "timestamp": "0x6553f102",
           "transactionsRoot": "0x61806685b8418853bf917ecec1352f4edc07eeb3c5fd09b078c7e4e382754d77",
           "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
           "transactions": [
             {
               "blockHash": null,
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
           "uncles": [],
           "withdrawals": []
         }
       }
     }
<<ws {"jsonrpc":"2.0","id":3,"result":{"blockNumber":1,"index":1,"transactions":[]}}
