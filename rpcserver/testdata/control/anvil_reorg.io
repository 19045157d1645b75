// as many blocks as before, with the transactions given
!! pay
!! seal
!! seal
>> {"jsonrpc":"2.0","id":1,"method":"anvil_reorg","params":[2,[[{"from":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","to":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","value":"0x1"},1]]]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":2,"method":"eth_getBlockTransactionCountByNumber","params":["0x2"]}
<< {"jsonrpc":"2.0","id":2,"result":"0x1"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_getTransactionCount","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","latest"]}
<< {"jsonrpc":"2.0","id":3,"result":"0x0"}
>> {"jsonrpc":"2.0","id":4,"method":"anvil_rollback","params":[1]}
<< {"jsonrpc":"2.0","id":4,"result":null}
>> {"jsonrpc":"2.0","id":5,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":5,"result":"0x1"}
>> {"jsonrpc":"2.0","id":6,"method":"anvil_reorg","params":[9,[]]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "error": {"code":-32602,"message":"anvil_reorg: depth 9 is more than the 1 blocks there are above block 0"}
   }
