// A contract, an account without code, an address that nobody has used; no block means latest.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x5f54600101805f555f5260205fa060206000f3"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004"]}
<< {"jsonrpc":"2.0","id":2,"result":"0x5f54600101805f555f5260205fa060206000f3"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004",null]}
<< {"jsonrpc":"2.0","id":3,"result":"0x5f54600101805f555f5260205fa060206000f3"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_getCode","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","latest"]}
<< {"jsonrpc":"2.0","id":4,"result":"0x"}
>> {"jsonrpc":"2.0","id":5,"method":"eth_getCode","params":["0x9999999999999999999999999999999999999999","latest"]}
<< {"jsonrpc":"2.0","id":5,"result":"0x"}
// Every tag.
>> {"jsonrpc":"2.0","id":6,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","pending"]}
<< {"jsonrpc":"2.0","id":6,"result":"0x5f54600101805f555f5260205fa060206000f3"}
>> {"jsonrpc":"2.0","id":7,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","safe"]}
<< {"jsonrpc":"2.0","id":7,"result":"0x5f54600101805f555f5260205fa060206000f3"}
>> {"jsonrpc":"2.0","id":8,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","finalized"]}
<< {"jsonrpc":"2.0","id":8,"result":"0x5f54600101805f555f5260205fa060206000f3"}
>> {"jsonrpc":"2.0","id":9,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","earliest"]}
<< {"jsonrpc":"2.0","id":9,"result":"0x5f54600101805f555f5260205fa060206000f3"}
>> {"jsonrpc":"2.0","id":10,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","0x0"]}
<< {"jsonrpc":"2.0","id":10,"result":"0x5f54600101805f555f5260205fa060206000f3"}
>> {"jsonrpc":"2.0","id":11,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004",{"blockNumber":"0x0"}]}
<< {"jsonrpc":"2.0","id":11,"result":"0x5f54600101805f555f5260205fa060206000f3"}
// Letters in any case: nobody checks the checksum of EIP-55.
>> {"jsonrpc":"2.0","id":14,"method":"eth_getCode","params":["0xF39fD6E51aAD88F6F4cE6aB8827279CFfFb92266","latest"]}
<< {"jsonrpc":"2.0","id":14,"result":"0x"}
// Unknown blocks.
>> {"jsonrpc":"2.0","id":12,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","0x1"]}
<< {"jsonrpc":"2.0","id":12,"error":{"code":-32001,"message":"block not found: 0x1 is above head 0x0"}}
>> {"jsonrpc":"2.0","id":13,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","0x1212121212121212121212121212121212121212121212121212121212121212"]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "error": {
       "code": -32001,
       "message": "block not found: hash 0x1212121212121212121212121212121212121212121212121212121212121212"
     }
   }
