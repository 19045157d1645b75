// Subscriptions have short, predictable ids; notifications come after the answer.
>>ws {"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[2]}
<<ws {"jsonrpc":"2.0","id":1,"result":"0x1"}
<<ws {"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":0}}
<<ws {"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":1}}
>>ws {"jsonrpc":"2.0","id":2,"method":"eth_unsubscribe","params":["0x1"]}
<<ws {"jsonrpc":"2.0","id":2,"result":true}
>>ws {"jsonrpc":"2.0","id":3,"method":"eth_unsubscribe","params":["0x1"]}
<<ws {"jsonrpc":"2.0","id":3,"result":false}

// Not over HTTP.
>> {"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[2]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32601,"message":"notifications not supported: subscriptions need a WebSocket connection"}
   }
