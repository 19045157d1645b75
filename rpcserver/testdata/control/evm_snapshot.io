// a snapshot is used up by going back to it, later ones with it
>> {"jsonrpc":"2.0","id":1,"method":"evm_snapshot","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
>> {"jsonrpc":"2.0","id":2,"method":"evm_snapshot","params":[]}
<< {"jsonrpc":"2.0","id":2,"result":"0x2"}
>> {"jsonrpc":"2.0","id":3,"method":"evm_revert","params":["0x1"]}
<< {"jsonrpc":"2.0","id":3,"result":true}
>> {"jsonrpc":"2.0","id":4,"method":"evm_revert","params":["0x2"]}
<< {"jsonrpc":"2.0","id":4,"result":false}
>> {"jsonrpc":"2.0","id":5,"method":"evm_revert","params":["0x1"]}
<< {"jsonrpc":"2.0","id":5,"result":false}
