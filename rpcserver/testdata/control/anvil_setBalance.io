// accounts by hand, under each of the names in use
>> {"jsonrpc":"2.0","id":1,"method":"anvil_setBalance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x10"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":2,"method":"anvil_addBalance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8",1]}
<< {"jsonrpc":"2.0","id":2,"result":null}
>> {"jsonrpc":"2.0","id":3,"method":"eth_getBalance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","pending"]}
<< {"jsonrpc":"2.0","id":3,"result":"0x11"}
>> {"jsonrpc":"2.0","id":4,"method":"hardhat_setNonce","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x5"]}
<< {"jsonrpc":"2.0","id":4,"result":null}
>> {"jsonrpc":"2.0","id":5,"method":"evm_setAccountCode","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x6000"]}
<< {"jsonrpc":"2.0","id":5,"result":null}
>> {"jsonrpc":"2.0","id":6,"method":"hardhat_setStorageAt","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x1","0x0000000000000000000000000000000000000000000000000000000000000009"]}
<< {"jsonrpc":"2.0","id":6,"result":true}
>> {"jsonrpc":"2.0","id":7,"method":"eth_getStorageAt","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x1","latest"]}
<< {"jsonrpc":"2.0","id":7,"result":"0x0000000000000000000000000000000000000000000000000000000000000009"}
>> {"jsonrpc":"2.0","id":8,"method":"eth_getCode","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}
<< {"jsonrpc":"2.0","id":8,"result":"0x6000"}
>> {"jsonrpc":"2.0","id":9,"method":"eth_getTransactionCount","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}
<< {"jsonrpc":"2.0","id":9,"result":"0x5"}
>> {"jsonrpc":"2.0","id":10,"method":"anvil_setBalance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","lots"]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (wei) of anvil_setBalance: have \"lots\" (not a whole number), want a whole number, plain or in hex"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"hardhat_addBalance","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8","0x1"]}
<< {"jsonrpc":"2.0","id":11,"result":null}
>> {"jsonrpc":"2.0","id":12,"method":"eth_getBalance","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8","latest"]}
<< {"jsonrpc":"2.0","id":12,"result":"0x12"}
