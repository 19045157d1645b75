// what a correct client must conclude
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_scenario","params":["Echo",{"value":7}]}
<< {"jsonrpc":"2.0","id":1,"result":{"value":7}}
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_scenario","params":["Echo"]}
<< {"jsonrpc":"2.0","id":2,"result":null}
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_scenario","params":["Fails"]}
<< {"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"the world has no block 1"}}
// an error with a code of its own keeps it
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_scenario","params":["Doom"]}
<< {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"unknown scenario \"Doom\""}}
