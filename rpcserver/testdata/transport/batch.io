// Answers come in order, notifications have none.
>> [{"jsonrpc":"2.0","id":2,"method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","id":1,"method":"net_version"}]
<< [{"jsonrpc":"2.0","id":2,"result":"0x7a69"},{"jsonrpc":"2.0","id":1,"result":"31337"}]

// Only notifications: no answer at all.
>> [{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","method":"test_fails"}]

// Junk among the calls is answered on its own.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},55,{"jsonrpc":"2.0","id":2,"method":"test_unknown"},{"foo":"bar"}]
<< [
     {"jsonrpc":"2.0","id":1,"result":"0x7a69"},
     {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: want an object, have 55"}},
     {
       "jsonrpc": "2.0",
       "id": 2,
       "error": {"code":-32601,"message":"the method test_unknown does not exist/is not available"}
     },
     {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: jsonrpc must be \"2.0\""}}
   ]
>> [1]
<< [{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: want an object, have 1"}}]
>> [[]]
<< [{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: want an object, have []"}}]
>> [{"jsonrpc":"2.0","id":1,"method":"test_panics"},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]
<< [
     {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}},
     {"jsonrpc":"2.0","id":2,"result":"0x7a69"}
   ]

// Empty, and more than the four calls allowed here.
>> []
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{},{},{}]
<< [
     {"jsonrpc":"2.0","id":1,"result":"0x7a69"},
     {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: jsonrpc must be \"2.0\""}},
     {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: jsonrpc must be \"2.0\""}},
     {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: jsonrpc must be \"2.0\""}}
   ]
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{},{},{},{}]
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large: 5 calls, the limit is 4"}}
