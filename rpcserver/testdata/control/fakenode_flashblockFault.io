// the newest flashblock is taken back, its transaction waits in the pool
!! pay
!! preconfirm
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_flashblockFault","params":[{"kind":"drop"}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {
       "transactions": ["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"],
       "flashblocks": 1,
       "armed": false
     }
   }
>> {"jsonrpc":"2.0","id":2,"method":"txpool_status","params":[]}
<< {"jsonrpc":"2.0","id":2,"result":{"pending":"0x1","queued":"0x0"}}
// the next flashblock is swallowed
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_flashblockFault","params":[{"kind":"stall","count":"0x1"}]}
<< {"jsonrpc":"2.0","id":3,"result":{"transactions":[],"flashblocks":0,"armed":true}}
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_preconfirm","params":[]}
<< {"jsonrpc":"2.0","id":4,"result":{"blockNumber":null,"index":null,"transactions":[]}}
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_preconfirm","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": {
       "blockNumber": 1,
       "index": 0,
       "transactions": ["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]
     }
   }
// a transaction that was pre-confirmed is left out of its block
>> {"jsonrpc":"2.0","id":6,"method":"fakenode_flashblockFault","params":[{"kind":"omit","transactions":"gone"}]}
<< {"jsonrpc":"2.0","id":6,"result":{"transactions":[],"flashblocks":0,"armed":true}}
>> {"jsonrpc":"2.0","id":7,"method":"fakenode_seal","params":[]}
<< {"jsonrpc":"2.0","id":7,"result":["0x0a66225f03b3672b79717946fe0dc402386b0a6a1c055ef6bc931dbad383a179"]}
>> {"jsonrpc":"2.0","id":8,"method":"eth_getTransactionCount","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","latest"]}
<< {"jsonrpc":"2.0","id":8,"result":"0x0"}
// not there to be dropped
>> {"jsonrpc":"2.0","id":9,"method":"fakenode_flashblockFault","params":[{"kind":"drop"}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": -32000,
       "message": "cannot drop 1: not that many flashblocks in the pending block: fakenode_preconfirm makes the next"
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"fakenode_flashblockFault","params":[{"kind":"vanish"}]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32602,
       "message": "fakenode_flashblockFault: unknown fault kind \"vanish\": want one of [alterLogs drop duplicate lag lateBlock omit stall]"
     }
   }
