// Who is there.
>> {"jsonrpc":"2.0","id":1,"method":"web3_clientVersion"}
<< {"jsonrpc":"2.0","id":1,"result":"fakenode/test"}
>> {"jsonrpc":"2.0","id":1,"method":"net_version"}
<< {"jsonrpc":"2.0","id":1,"result":"31337"}
>> {"jsonrpc":"2.0","id":1,"method":"net_listening"}
<< {"jsonrpc":"2.0","id":1,"result":true}

// Keccak-256.
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x68656c6c6f20776f726c64"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad"}
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x"]}
<< {"jsonrpc":"2.0","id":1,"result":"0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"}
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["hello"]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (data) of web3_sha3: have \"hello\" (hex string without 0x prefix), want bytes in hex"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x123"]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (data) of web3_sha3: have \"0x123\" (hex string of odd length), want bytes in hex"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"missing argument 0 (data) of web3_sha3: want bytes in hex"}
   }

// Errors carry code and data.
>> {"jsonrpc":"2.0","id":1,"method":"test_reverts"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"execution reverted","data":"0x08c379a0"}}
