// safe and finalized follow the head at a distance until they are set
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_seal","params":[3]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": [
       "0x0a66225f03b3672b79717946fe0dc402386b0a6a1c055ef6bc931dbad383a179",
       "0x431d82667088badcf36040899d794435a063b4946543c5f892e850375f398af7",
       "0xbb34b9b8db835dc6ccb55e831389f1ab9f391f4c607f40b9be9b4435a0bd004a"
     ]
   }
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_setSafe","params":[2]}
<< {"jsonrpc":"2.0","id":2,"result":null}
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_setFinalized","params":["0x1"]}
<< {"jsonrpc":"2.0","id":3,"result":null}
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
       "clock": {"timestamp":1700000006,"timestampMs":1700000006000,"real":false},
       "head": {
         "number": 3,
         "hash": "0xbb34b9b8db835dc6ccb55e831389f1ab9f391f4c607f40b9be9b4435a0bd004a",
         "timestamp": 1700000006
       },
       "safe": 2,
       "finalized": 1,
       "pending": {"number":4,"timestamp":1700000008,"flashblockIndex":null,"transactions":0},
       "pool": {"pending":0,"queued":0}
     }
   }
// finalized blocks are not removed by a reorg, unless forced
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_reorg","params":[{"depth":3}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -32602,
       "message": "fakenode_reorg: reorg of depth 3 would remove finalized blocks: at most 2 unless force is set"
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"fakenode_setSafe","params":[9]}
<< {"jsonrpc":"2.0","id":6,"error":{"code":-32001,"message":"fakenode_setSafe: block not found: 0x9 is above head 0x3"}}
