// the newest flashblock's logs, one a message; not told again at sealing
>>ws {"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["pendingLogs",{"address":"0x000000000000000000000000000000000000010c","topics":["0x00000000000000000000000000000000000000000000000000000000000000a1"]}]}
<<ws {"jsonrpc":"2.0","id":1,"result":"0x1"}
!! log 0xa1
!! log 0xa2
>>ws {"jsonrpc":"2.0","id":2,"method":"fakenode_preconfirm","params":[]}
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
           "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
           "blockTimestamp": "0x6553f102",
           "logIndex": "0x0",
           "removed": false
         }
       }
     }
<<ws {
       "jsonrpc": "2.0",
       "id": 2,
       "result": {
         "blockNumber": 1,
         "index": 0,
         "transactions": [
           "0xce73d63af6e3770cfc3afe473fd7fb0538814d403516f43e912cdc2fede7e926",
           "0xe8d5cfcb73b01696f9e5f58278fa82ce293e35f4dba02a702e2fce3002e00aed"
         ]
       }
     }
>>ws {"jsonrpc":"2.0","id":3,"method":"fakenode_seal","params":[]}
<<ws {"jsonrpc":"2.0","id":3,"result":["0x5a758ff17c2552abdd605deb4aa2dba45c214ba05140ce0a201b9524ab753547"]}
