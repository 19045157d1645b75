// blocks on command; each closes its slot of 2 s early
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_seal","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":["0x0a66225f03b3672b79717946fe0dc402386b0a6a1c055ef6bc931dbad383a179"]}
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_seal","params":[3]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": [
       "0x431d82667088badcf36040899d794435a063b4946543c5f892e850375f398af7",
       "0xbb34b9b8db835dc6ccb55e831389f1ab9f391f4c607f40b9be9b4435a0bd004a",
       "0x41a5779025d021944509e0ad2306d541efef458f7a899723a81a2f47191acc23"
     ]
   }
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_seal","params":["0x0"]}
<< {"jsonrpc":"2.0","id":3,"result":[]}
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
       "clock": {"timestamp":1700000008,"timestampMs":1700000008000,"real":false},
       "head": {
         "number": 4,
         "hash": "0x41a5779025d021944509e0ad2306d541efef458f7a899723a81a2f47191acc23",
         "timestamp": 1700000008
       },
       "safe": 0,
       "finalized": 0,
       "pending": {"number":5,"timestamp":1700000010,"flashblockIndex":null,"transactions":0},
       "pool": {"pending":0,"queued":0}
     }
   }
