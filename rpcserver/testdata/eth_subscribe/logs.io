// sealed logs; a reorg removes them first
>>ws {"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["logs",{}]}
<<ws {"jsonrpc":"2.0","id":1,"result":"0x1"}
!! log 0xa1
>>ws {"jsonrpc":"2.0","id":2,"method":"fakenode_seal","params":[]}
<<ws {
       "jsonrpc": "2.0",
       "method": "eth_subscription",
       "params": {
         "subscription": "0x1",
         "result": {
           "address": "0x000000000000000000000000000000000000010c",
           "topics": [
             "0x00000000000000000000000000000000000000000000000000000000000000a1",
             "0x0000000000000000000000000000000000000000000000000000000000000001"
           ],
           "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
           "blockNumber": "0x1",
           "transactionHash": "0xce73d63af6e3770cfc3afe473fd7fb0538814d403516f43e912cdc2fede7e926",
           "transactionIndex": "0x0",
           "blockHash": "0xe93bde10f5ba5549aa36eb7f7b36c0c2c937ec47acde6fa80cf1a8c3498d8c70",
           "blockTimestamp": "0x6553f102",
           "logIndex": "0x0",
           "removed": false
         }
       }
     }
<<ws {"jsonrpc":"2.0","id":2,"result":["0xe93bde10f5ba5549aa36eb7f7b36c0c2c937ec47acde6fa80cf1a8c3498d8c70"]}
>>ws {"jsonrpc":"2.0","id":3,"method":"fakenode_reorg","params":[{"depth":1}]}
<<ws {
       "jsonrpc": "2.0",
       "method": "eth_subscription",
       "params": {
         "subscription": "0x1",
         "result": {
           "address": "0x000000000000000000000000000000000000010c",
           "topics": [
             "0x00000000000000000000000000000000000000000000000000000000000000a1",
             "0x0000000000000000000000000000000000000000000000000000000000000001"
           ],
           "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
           "blockNumber": "0x1",
           "transactionHash": "0xce73d63af6e3770cfc3afe473fd7fb0538814d403516f43e912cdc2fede7e926",
           "transactionIndex": "0x0",
           "blockHash": "0xe93bde10f5ba5549aa36eb7f7b36c0c2c937ec47acde6fa80cf1a8c3498d8c70",
           "blockTimestamp": "0x6553f102",
           "logIndex": "0x0",
           "removed": true
         }
       }
     }
<<ws {
       "jsonrpc": "2.0",
       "method": "eth_subscription",
       "params": {
         "subscription": "0x1",
         "result": {
           "address": "0x000000000000000000000000000000000000010c",
           "topics": [
             "0x00000000000000000000000000000000000000000000000000000000000000a1",
             "0x0000000000000000000000000000000000000000000000000000000000000001"
           ],
           "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
           "blockNumber": "0x1",
           "transactionHash": "0xce73d63af6e3770cfc3afe473fd7fb0538814d403516f43e912cdc2fede7e926",
           "transactionIndex": "0x0",
           "blockHash": "0x7d6336f3a6ba827117d9a63a9a7488f70bc302b549fa795e642d2aed58f50c41",
           "blockTimestamp": "0x6553f102",
           "logIndex": "0x0",
           "removed": false
         }
       }
     }
<<ws {
       "jsonrpc": "2.0",
       "id": 3,
       "result": {
         "removed": ["0xe93bde10f5ba5549aa36eb7f7b36c0c2c937ec47acde6fa80cf1a8c3498d8c70"],
         "added": [
           "0x7d6336f3a6ba827117d9a63a9a7488f70bc302b549fa795e642d2aed58f50c41",
           "0x0a870aeba30ce97ad053b638532dba9b315faa7300bd7336ca21413f21ba72ef"
         ],
         "requeued": []
       }
     }
