// sealed logs, and with toBlock pending the pre-confirmed ones too
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"address":"0x000000000000000000000000000000000000010c"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_newFilter","params":[{"toBlock":"pending"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x2"}
!! log 0xa1
!! preconfirm
>> {"jsonrpc":"2.0","id":3,"method":"eth_getFilterChanges","params":["0x1"]}
<< {"jsonrpc":"2.0","id":3,"result":[]}
>> {"jsonrpc":"2.0","id":4,"method":"eth_getFilterChanges","params":["0x2"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "result": [
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
!! seal
>> {"jsonrpc":"2.0","id":5,"method":"eth_getFilterChanges","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": [
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
         "blockHash": "0xe93bde10f5ba5549aa36eb7f7b36c0c2c937ec47acde6fa80cf1a8c3498d8c70",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
// a reorg: removed first, then mined again
>> {"jsonrpc":"2.0","id":6,"method":"fakenode_reorg","params":[{"depth":1,"length":1}]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": {
       "removed": ["0xe93bde10f5ba5549aa36eb7f7b36c0c2c937ec47acde6fa80cf1a8c3498d8c70"],
       "added": ["0x7d6336f3a6ba827117d9a63a9a7488f70bc302b549fa795e642d2aed58f50c41"],
       "requeued": []
     }
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_getFilterChanges","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": [
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
         "blockHash": "0xe93bde10f5ba5549aa36eb7f7b36c0c2c937ec47acde6fa80cf1a8c3498d8c70",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": true
       },
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
         "blockHash": "0x7d6336f3a6ba827117d9a63a9a7488f70bc302b549fa795e642d2aed58f50c41",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_uninstallFilter","params":["0x1"]}
<< {"jsonrpc":"2.0","id":8,"result":true}
>> {"jsonrpc":"2.0","id":9,"method":"eth_getFilterChanges","params":["0x1"]}
<< {"jsonrpc":"2.0","id":9,"error":{"code":-32000,"message":"filter not found: 0x1"}}
