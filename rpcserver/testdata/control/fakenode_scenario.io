// what a correct client must conclude; numbers are plain or in hex
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_scenario","params":["Echo",{"payer":7,"depth":"0x2"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"payer":7,"merchant":0,"amount":"","depth":2,"times":0}}
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_scenario","params":["Echo"]}
<< {"jsonrpc":"2.0","id":2,"result":{"payer":0,"merchant":0,"amount":"","depth":0,"times":0}}
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_scenario","params":["Fails"]}
<< {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"fakenode_scenario: the world has no block 1"}}
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_scenario","params":["Doom"]}
<< {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"fakenode_scenario: unknown scenario \"Doom\""}}
// a misspelt member is refused
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_scenario","params":["Echo",{"deep":3}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (params) of fakenode_scenario: have {\"deep\":3} (json: unknown field \"deep\"), want {payer?, merchant?, amount?, depth?, times?}"
     }
   }
