// What is no call: -32602.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"missing argument 0 (call) of eth_call: want a transaction call object"}
   }
>> {"jsonrpc":"2.0","id":2,"method":"eth_call","params":[null,"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "error": {"code":-32602,"message":"missing argument 0 (call) of eth_call: want a transaction call object"}
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_call","params":["0x","latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (call) of eth_call: have \"0x\" (string), want a transaction call object"
     }
   }
>> {"jsonrpc":"2.0","id":4,"method":"eth_call","params":[{"to":"0x12"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (call) of eth_call: have {\"to\":\"0x12\"} (hex string has length 2, want 40), want a transaction call object"
     }
   }
>> {"jsonrpc":"2.0","id":5,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004","data":"0x1"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (call) of eth_call: have {\"to\":\"0x1000000000000000000000000000000000000004\",\"data\":\"0x1\"} (data is hex string of odd length, want bytes in hex), want a transaction call object"
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004","data":"abcd"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (call) of eth_call: have {\"to\":\"0x1000000000000000000000000000000000000004\",\"data\":\"abcd\"} (data is hex string without 0x prefix, want bytes in hex), want a transaction call object"
     }
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004","value":"0x01"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (call) of eth_call: have {\"to\":\"0x1000000000000000000000000000000000000004\",\"value\":\"0x01\"} (value is hex number with leading zero digits, want a hex quantity without leading zeros), want a transaction call object"
     }
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004","value":1},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (call) of eth_call: have {\"to\":\"0x1000000000000000000000000000000000000004\",\"value\":1} (value is non-string, want a hex quantity without leading zeros), want a transaction call object"
     }
   }
>> {"jsonrpc":"2.0","id":9,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004","gas":"-0x1"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (call) of eth_call: have {\"to\":\"0x1000000000000000000000000000000000000004\",\"gas\":\"-0x1\"} (gas is hex string without 0x prefix, want a hex quantity without leading zeros), want a transaction call object"
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004","value":"0x10000000000000000000000000000000000000000000000000000000000000000"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (call) of eth_call: have {\"to\":\"0x1000000000000000000000000000000000000004\",\"value\":\"0x100000000000000000… (129 bytes) (value is hex number \u003e 256 bits, want a hex quantity without leading zeros), want a transaction call object"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"newest"]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (block) of eth_call: have \"newest\" (hex string without 0x prefix), want a block number in hex, \"latest\", \"pending\", \"safe\", \"finalized\", \"earliest\" or a block hash"
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},{}]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (block) of eth_call: have {} (neither blockNumber nor blockHash given), want a block number in hex, \"latest\", \"pending\", \"safe\", \"finalized\", \"earliest\" or a block hash"
     }
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",[]]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "error": {
       "code": -32602,
       "message": "invalid argument 2 (state overrides) of eth_call: have [] (array), want an object of account overrides by address: balance, nonce, code, state, stateDiff or storage, movePrecompileToAddress"
     }
   }
>> {"jsonrpc":"2.0","id":14,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{},{},{}]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "error": {"code":-32602,"message":"too many arguments of eth_call: have 5, want at most 4; argument 4 is {}"}
   }
