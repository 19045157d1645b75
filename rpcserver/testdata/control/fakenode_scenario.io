// what a correct client must conclude; the parameters are passed on as given
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_scenario","params":["Echo",{"payer":7,"depth":"0x2"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"payer":7,"depth":"0x2"}}
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_scenario","params":["Echo"]}
<< {"jsonrpc":"2.0","id":2,"result":null}
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_scenario","params":["Fails"]}
<< {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"fakenode_scenario: the world has no block 1"}}
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_scenario","params":["Doom"]}
<< {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"fakenode_scenario: unknown scenario \"Doom\""}}
