// Not JSON.
>> {
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON: unexpected end of JSON input"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON: unexpected end of JSON input"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"} x
<< {
     "jsonrpc": "2.0",
     "id": null,
     "error": {"code":-32700,"message":"invalid JSON: invalid character 'x' after top-level value"}
   }
>> nonsense
<< {
     "jsonrpc": "2.0",
     "id": null,
     "error": {"code":-32700,"message":"invalid JSON: invalid character 'o' in literal null (expecting 'u')"}
   }
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON: unexpected end of JSON input"}}

// JSON, but no request.
>> 1
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: want an object, have 1"}}
>> null
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: want an object, have null"}}
>> "eth_chainId"
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: want an object, have \"eth_chainId\""}}
>> {}
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: jsonrpc must be \"2.0\""}}
>> {"id":1}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: jsonrpc must be \"2.0\""}}
>> {"jsonrpc":"2.0","id":1}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: method must be a string"}}
>> {"jsonrpc":"2.0","id":1,"result":"0x1"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: method must be a string"}}
>> {"jsonrpc":"2.0","id":1,"method":""}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: method must be a string"}}
>> {"jsonrpc":"2.0","id":1,"method":5}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: method must be a string"}}
>> {"id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: jsonrpc must be \"2.0\""}}
>> {"jsonrpc":"1.0","id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: jsonrpc must be \"2.0\""}}
>> {"jsonrpc":2.0,"id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: jsonrpc must be \"2.0\""}}
>> {"jsonrpc":"2.0","id":[],"method":"eth_chainId"}
<< {
     "jsonrpc": "2.0",
     "id": null,
     "error": {"code":-32600,"message":"invalid request: id must be a string, a number or null"}
   }
>> {"jsonrpc":"2.0","id":{},"method":"eth_chainId"}
<< {
     "jsonrpc": "2.0",
     "id": null,
     "error": {"code":-32600,"message":"invalid request: id must be a string, a number or null"}
   }
>> {"jsonrpc":"2.0","id":true,"method":"eth_chainId"}
<< {
     "jsonrpc": "2.0",
     "id": null,
     "error": {"code":-32600,"message":"invalid request: id must be a string, a number or null"}
   }

// A member in another case, or given twice. Without a usable id the answer's is null.
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","Params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32600,"message":"invalid request: member \"Params\" is unknown, want \"params\""}
   }
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","method":"eth_blockNumber"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: member \"method\" is given twice"}}
>> {"jsonrpc":"2.0","ID":1,"method":"eth_chainId"}
<< {
     "jsonrpc": "2.0",
     "id": null,
     "error": {"code":-32600,"message":"invalid request: member \"ID\" is unknown, want \"id\""}
   }

// No such method.
>> {"jsonrpc":"2.0","id":1,"method":"eth_doesNotExist","params":[1]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32601,"message":"the method eth_doesNotExist does not exist/is not available"}
   }
>> {"jsonrpc":"2.0","id":1,"method":"ETH_CHAINID"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method ETH_CHAINID does not exist/is not available"}}

// The server goes on.
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}
