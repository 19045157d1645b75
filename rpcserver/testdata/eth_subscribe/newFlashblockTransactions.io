// hashes, or with true transactions with their logs
>>ws {"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newFlashblockTransactions"]}
<<ws {"jsonrpc":"2.0","id":1,"result":"0x1"}
>>ws {"jsonrpc":"2.0","id":2,"method":"eth_subscribe","params":["newFlashblockTransactions",true]}
<<ws {"jsonrpc":"2.0","id":2,"result":"0x2"}
!! log 0xa1
>>ws {"jsonrpc":"2.0","id":3,"method":"fakenode_preconfirm","params":[]}
<<ws {
       "jsonrpc": "2.0",
       "method": "eth_subscription",
       "params": {"subscription":"0x1","result":"0xce73d63af6e3770cfc3afe473fd7fb0538814d403516f43e912cdc2fede7e926"}
     }
<<ws {
       "jsonrpc": "2.0",
       "method": "eth_subscription",
       "params": {
         "subscription": "0x2",
         "result": {
           "blockHash": null,
           "blockNumber": "0x1",
           "blockTimestamp": "0x6553f102",
           "transactionIndex": "0x0",
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "gas": "0x2dc6c0",
           "gasPrice": "0x6fc23ac0",
           "maxFeePerGas": "0x4a817c800",
           "maxPriorityFeePerGas": "0x3b9aca00",
           "hash": "0xce73d63af6e3770cfc3afe473fd7fb0538814d403516f43e912cdc2fede7e926",
           "input": "0x00000000000000000000000000000000000000000000000000000000000000a100000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000001",
           "nonce": "0x0",
           "to": "0x000000000000000000000000000000000000010c",
           "value": "0x0",
           "type": "0x2",
           "accessList": [],
           "chainId": "0x7a69",
           "v": "0x1",
           "r": "0x3fe6bb3ff519f9840b82cbbce5741568a8c9caa406ea032d25dd66d72ccce18c",
           "s": "0x382903e7f490e9ad4fb9d93c313cb139ca09f494e4a2ef3d023d4286bb60eb92",
           "yParity": "0x1",
           "logs": [
             {
               "address": "0x000000000000000000000000000000000000010c",
               "topics": [
                 "0x00000000000000000000000000000000000000000000000000000000000000a1",
                 "0x0000000000000000000000000000000000000000000000000000000000000001"
               ],
               "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
               "blockNumber": "0x1",
               "transactionHash": "0xce73d63af6e3770cfc3afe473fd7fb0538814d403516f43e912cdc2fede7e926",
               "transactionIndex": "0x0",
               "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
               "blockTimestamp": "0x6553f102",
               "logIndex": "0x0",
               "removed": false
             }
           ]
         }
       }
     }
<<ws {
       "jsonrpc": "2.0",
       "id": 3,
       "result": {
         "blockNumber": 1,
         "index": 0,
         "transactions": ["0xce73d63af6e3770cfc3afe473fd7fb0538814d403516f43e912cdc2fede7e926"]
       }
     }
