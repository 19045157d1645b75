// time passes: a flashblock every 200 ms, a block every 2 s
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_advance","params":[200]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {"timestamp":1700000000,"timestampMs":1700000000200,"blockNumber":0,"flashblockIndex":0}
   }
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_advance","params":["0x708"]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": {"timestamp":1700000002,"timestampMs":1700000002000,"blockNumber":1,"flashblockIndex":0}
   }
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_advance","params":[0]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": {"timestamp":1700000002,"timestampMs":1700000002000,"blockNumber":1,"flashblockIndex":0}
   }
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_info","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "result": {
       "version": "fakenode/test",
       "chainId": 31337,
       "config": {
         "seal": "manual",
         "order": "fifo",
         "compat": "spec",
         "blockTimeMs": 2000,
         "flashblockTimeMs": 200,
         "preconf": true,
         "token": "strict"
       },
       "clock": {"timestamp":1700000002,"timestampMs":1700000002000,"real":false},
       "head": {
         "number": 1,
         "hash": "0x0a66225f03b3672b79717946fe0dc402386b0a6a1c055ef6bc931dbad383a179",
         "timestamp": 1700000002
       },
       "safe": 0,
       "finalized": 0,
       "pending": {"number":2,"timestamp":1700000004,"flashblockIndex":0,"transactions":0},
       "pool": {"pending":0,"queued":0}
     }
   }
// the clock only moves forward
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_advance","params":[-1]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (milliseconds) of fakenode_advance: have -1 (not a whole number from 0 to 2^64-1), want a whole number, plain or in hex"
     }
   }
// a jump seals one block, with nothing made on the way
>> {"jsonrpc":"2.0","id":6,"method":"fakenode_jump","params":[2592000000]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": {"timestamp":1702592002,"timestampMs":1702592002000,"blockNumber":2,"flashblockIndex":null}
   }
