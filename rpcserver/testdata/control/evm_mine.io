// blocks at times of one's own choice
>> {"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":2,"method":"evm_mine","params":[1700000100]}
<< {"jsonrpc":"2.0","id":2,"result":"0x0"}
>> {"jsonrpc":"2.0","id":3,"method":"evm_mine","params":[{"blocks":3}]}
<< {"jsonrpc":"2.0","id":3,"result":"0x0"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":4,"result":"0x5"}
>> {"jsonrpc":"2.0","id":5,"method":"anvil_mine","params":["0x2","0x3c"]}
<< {"jsonrpc":"2.0","id":5,"result":null}
>> {"jsonrpc":"2.0","id":6,"method":"fakenode_info","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
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
       "clock": {"timestamp":1700000168,"timestampMs":1700000168000,"real":false},
       "head": {
         "number": 7,
         "hash": "0x4af9dab6d791b68dfe8b0b4d885cfe668dd0fc2957ae916d8965faf7b0d6388d",
         "timestamp": 1700000168
       },
       "safe": 0,
       "finalized": 0,
       "pending": {"number":8,"timestamp":1700000170,"flashblockIndex":null,"transactions":0},
       "pool": {"pending":0,"queued":0}
     }
   }
// not backwards
>> {"jsonrpc":"2.0","id":7,"method":"evm_mine","params":[1700000000]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {"code":-32602,"message":"evm_mine: time 1700000000 is before 1700000169, the earliest allowed"}
   }
