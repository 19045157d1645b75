// What is no filter: -32602, and the node goes on.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"missing argument 0 (filter) of eth_getLogs: want a filter object"}
   }
>> {"jsonrpc":"2.0","id":2,"method":"eth_getLogs","params":[null]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "error": {"code":-32602,"message":"missing argument 0 (filter) of eth_getLogs: want a filter object"}
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_getLogs","params":["latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have \"latest\" (string), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":4,"method":"eth_getLogs","params":[[]]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have [] (array), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":5,"method":"eth_getLogs","params":[{},{}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {"code":-32602,"message":"too many arguments of eth_getLogs: have 2, want at most 1; argument 1 is {}"}
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_getLogs","params":[{"fromBlock":"soon"}]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"fromBlock\":\"soon\"} (hex string without 0x prefix), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_getLogs","params":[{"fromBlock":1}]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"fromBlock\":1} (not a string), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_getLogs","params":[{"fromBlock":"0x01"}]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"fromBlock\":\"0x01\"} (hex number with leading zero digits), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":9,"method":"eth_getLogs","params":[{"fromBlock":"0x"}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"fromBlock\":\"0x\"} (hex string \"0x\"), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_getLogs","params":[{"toBlock":"0xffffffffffffffffff"}]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"toBlock\":\"0xffffffffffffffffff\"} (hex number \u003e 64 bits), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_getLogs","params":[{"fromBlock":"0x1212121212121212121212121212121212121212121212121212121212121212"}]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"fromBlock\":\"0x1212121212121212121212121212121212121212121212121212121212121212… (82 bytes) (a block hash is not accepted here), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"eth_getLogs","params":[{"address":"0x12"}]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"address\":\"0x12\"} (hex string has length 2, want 40), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_getLogs","params":[{"address":["0x1000000000000000000000000000000000000001",null]}]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"address\":[\"0x1000000000000000000000000000000000000001\",null]} (address is non-string, want an address (20 bytes in hex)), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":14,"method":"eth_getLogs","params":[{"address":7}]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"address\":7} (address is non-string, want an address (20 bytes in hex)), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":15,"method":"eth_getLogs","params":[{"topics":"0x0000000000000000000000000000000000000000000000000000000000000001"}]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"topics\":\"0x0000000000000000000000000000000000000000000000000000000000000001\"} (topics is string, want an array), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":16,"method":"eth_getLogs","params":[{"topics":["0x01"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 16,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"topics\":[\"0x01\"]} (hex string has length 2, want 64), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":17,"method":"eth_getLogs","params":[{"topics":[[["0x01"]]]}]}
<< {
     "jsonrpc": "2.0",
     "id": 17,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"topics\":[[[\"0x01\"]]]} (topics is non-string, want a hash (32 bytes in hex)), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":18,"method":"eth_getLogs","params":[{"topics":[null,null,null,null,null]}]}
<< {"jsonrpc":"2.0","id":18,"error":{"code":-32602,"message":"filter has 5 topics, a log has at most 4"}}
>> {"jsonrpc":"2.0","id":19,"method":"eth_getLogs","params":[{"blockHash":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 19,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogs: have {\"blockHash\":\"0x1\"} (blockHash is hex string of odd length, want a hash (32 bytes in hex)), want a filter object"
     }
   }
// Members it does not know are ignored.
>> {"jsonrpc":"2.0","id":20,"method":"eth_getLogs","params":[{"limit":5}]}
<< {"jsonrpc":"2.0","id":20,"result":[]}
