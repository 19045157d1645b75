// worlds by name: answers name the port, so only what has none is here
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_worlds","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_newWorld","params":[{"name":"no/name"}]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "error": {
       "code": -32602,
       "message": "fakenode_newWorld: \"no/name\" is no name of a world: want 1 to 64 of A-Z, a-z, 0-9, _ and -"
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_closeWorld","params":["unknown"]}
<< {"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"there is no world unknown"}}
