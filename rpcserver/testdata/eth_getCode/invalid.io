>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"missing argument 0 (address) of eth_getCode: want an address (20 bytes in hex)"}
   }
>> {"jsonrpc":"2.0","id":2,"method":"eth_getCode","params":["0x12","latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (address) of eth_getCode: have \"0x12\" (hex string has length 2, want 40), want an address (20 bytes in hex)"
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_getCode","params":["0xzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz","latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (address) of eth_getCode: have \"0xzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\" (invalid hex string), want an address (20 bytes in hex)"
     }
   }
>> {"jsonrpc":"2.0","id":4,"method":"eth_getCode","params":["1000000000000000000000000000000000000004","latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (address) of eth_getCode: have \"1000000000000000000000000000000000000004\" (hex string without 0x prefix), want an address (20 bytes in hex)"
     }
   }
>> {"jsonrpc":"2.0","id":5,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","tomorrow"]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (block) of eth_getCode: have \"tomorrow\" (hex string without 0x prefix), want a block number in hex, \"latest\", \"pending\", \"safe\", \"finalized\", \"earliest\" or a block hash"
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004",5]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (block) of eth_getCode: have 5 (not a string or an object), want a block number in hex, \"latest\", \"pending\", \"safe\", \"finalized\", \"earliest\" or a block hash"
     }
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","latest","latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {
       "code": -32602,
       "message": "too many arguments of eth_getCode: have 3, want at most 2; argument 2 is \"latest\""
     }
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_getCode","params":[["0x1000000000000000000000000000000000000004"],"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (address) of eth_getCode: have [\"0x1000000000000000000000000000000000000004\"] (non-string), want an address (20 bytes in hex)"
     }
   }
