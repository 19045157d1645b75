// a scenario that is told move by move
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_scenarioStart","params":["LostPreconfirmation"]}
<< {"jsonrpc":"2.0","id":1,"result":1}
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_scenarioNext","params":[1]}
<< {"jsonrpc":"2.0","id":2,"result":{"step":1,"did":"It was sent: the payment waits in the pool.","done":false}}
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_scenarioNext","params":[1]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": {"step":2,"did":"Flashblock 0 of block 1 came: the payment is pre-confirmed.","done":false}
   }
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_scenarioNext","params":[7]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -32602,
       "message": "fakenode_scenarioNext: no scenario with the id 7 is told: the last that began has 1"
     }
   }
