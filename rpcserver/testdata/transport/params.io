// Present, absent and null.
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x","0x3"]}
<< {"jsonrpc":"2.0","id":1,"result":{"number":"0x3","object":null,"text":"x"}}
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x","0x3",null]}
<< {"jsonrpc":"2.0","id":1,"result":{"number":"0x3","object":null,"text":"x"}}
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x","0x3",{"address":"0x00000000000000000000000000000000000000aa"}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {"number":"0x3","object":{"address":["0x00000000000000000000000000000000000000aa"]},"text":"x"}
   }
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x","0x3",{"address":["0x00000000000000000000000000000000000000aa","0x00000000000000000000000000000000000000bb"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {
       "number": "0x3",
       "object": {"address":["0x00000000000000000000000000000000000000aa","0x00000000000000000000000000000000000000bb"]},
       "text": "x"
     }
   }

// Missing.
>> {"jsonrpc":"2.0","id":1,"method":"test_echo"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing argument 0 (text) of test_echo: want a string"}}
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x"]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "missing argument 1 (number) of test_echo: want a hex quantity without leading zeros"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":[null,"0x3"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing argument 0 (text) of test_echo: want a string"}}

// Surplus.
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x","0x3",null,null]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"too many arguments of test_echo: have 4, want at most 3; argument 3 is null"}
   }
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":["x"]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"too many arguments of eth_chainId: have 1, want at most 0; argument 0 is \"x\""}
   }

// Malformed.
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":[1,"0x3"]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"invalid argument 0 (text) of test_echo: have 1 (number), want a string"}
   }
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x","0x03"]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (number) of test_echo: have \"0x03\" (hex number with leading zero digits), want a hex quantity without leading zeros"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x","3"]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (number) of test_echo: have \"3\" (hex string without 0x prefix), want a hex quantity without leading zeros"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x",3]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (number) of test_echo: have 3 (non-string), want a hex quantity without leading zeros"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x","0x3",{"address":"0xaa"}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 2 (object) of test_echo: have {\"address\":\"0xaa\"} (hex string has length 2, want 40), want an object"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x","0x3",[]]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"invalid argument 2 (object) of test_echo: have [] (array), want an object"}
   }

// Named.
>> {"jsonrpc":"2.0","id":1,"method":"test_echo","params":{"text":"x","number":"0x3"}}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"params must be an array, by position; have {\"text\":\"x\",\"number\":\"0x3\"}"}
   }
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params must be an array, by position; have {}"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":"x"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params must be an array, by position; have \"x\""}}
