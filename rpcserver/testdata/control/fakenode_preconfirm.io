// one flashblock after another, indexes restart with each block
!! pay
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_preconfirm","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {
       "blockNumber": 1,
       "index": 0,
       "transactions": ["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]
     }
   }
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_preconfirm","params":[]}
<< {"jsonrpc":"2.0","id":2,"result":{"blockNumber":1,"index":1,"transactions":[]}}
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_seal","params":[]}
<< {"jsonrpc":"2.0","id":3,"result":["0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618"]}
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_preconfirm","params":[]}
<< {"jsonrpc":"2.0","id":4,"result":{"blockNumber":2,"index":0,"transactions":[]}}
