// a snapshot can be gone back to again and again
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_snapshot","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_seal","params":[2]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": [
       "0x0a66225f03b3672b79717946fe0dc402386b0a6a1c055ef6bc931dbad383a179",
       "0x431d82667088badcf36040899d794435a063b4946543c5f892e850375f398af7"
     ]
   }
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_revert","params":["0x1"]}
<< {"jsonrpc":"2.0","id":3,"result":true}
>> {"jsonrpc":"2.0","id":4,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":4,"result":"0x0"}
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_seal","params":[]}
<< {"jsonrpc":"2.0","id":5,"result":["0x0a66225f03b3672b79717946fe0dc402386b0a6a1c055ef6bc931dbad383a179"]}
>> {"jsonrpc":"2.0","id":6,"method":"fakenode_revert","params":[1]}
<< {"jsonrpc":"2.0","id":6,"result":true}
>> {"jsonrpc":"2.0","id":7,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":7,"result":"0x0"}
>> {"jsonrpc":"2.0","id":8,"method":"fakenode_revert","params":[7]}
<< {"jsonrpc":"2.0","id":8,"error":{"code":-32000,"message":"unknown snapshot 0x7"}}
