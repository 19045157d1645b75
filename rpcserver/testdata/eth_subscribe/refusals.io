// what there is
>>ws {"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newPendingBlock"]}
<<ws {
       "jsonrpc": "2.0",
       "id": 1,
       "error": {
         "code": -32602,
         "message": "unknown subscription \"newPendingBlock\": want one of logs, newFlashblockTransactions, newFlashblocks, newHeads, newPendingTransactions, pendingLogs, syncing, transactionReceipts"
       }
     }
>>ws {"jsonrpc":"2.0","id":2,"method":"eth_subscribe","params":["logs",true]}
<<ws {
       "jsonrpc": "2.0",
       "id": 2,
       "error": {
         "code": -32602,
         "message": "invalid argument 1 (filter) of eth_subscribe: have true (bool), want a filter object"
       }
     }
>>ws {"jsonrpc":"2.0","id":3,"method":"eth_subscribe","params":["pendingLogs",true]}
<<ws {"jsonrpc":"2.0","id":3,"result":"0x1"}
>>ws {"jsonrpc":"2.0","id":4,"method":"eth_unsubscribe","params":["0x1"]}
<<ws {"jsonrpc":"2.0","id":4,"result":true}
>>ws {"jsonrpc":"2.0","id":5,"method":"eth_unsubscribe","params":["0x1"]}
<<ws {"jsonrpc":"2.0","id":5,"result":false}
// over HTTP there are no notifications
>> {"jsonrpc":"2.0","id":6,"method":"eth_subscribe","params":["newHeads"]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "error": {"code":-32601,"message":"notifications not supported: subscriptions need a WebSocket connection"}
   }
