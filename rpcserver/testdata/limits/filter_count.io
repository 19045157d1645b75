// One filter more than the limit is refused until another is uninstalled.
>> {"jsonrpc":"2.0","id":1,"method":"eth_newBlockFilter","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_newFilter","params":[{}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x2"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_newBlockFilter","params":[]}
<< {"jsonrpc":"2.0","id":3,"result":"0x3"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_newPendingTransactionFilter","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -32000,
       "message": "cannot install another filter: the limit is 3 filters, uninstall those that are not needed"
     }
   }
>> {"jsonrpc":"2.0","id":5,"method":"eth_uninstallFilter","params":["0x1"]}
<< {"jsonrpc":"2.0","id":5,"result":true}
>> {"jsonrpc":"2.0","id":6,"method":"eth_newPendingTransactionFilter","params":[]}
<< {"jsonrpc":"2.0","id":6,"result":"0x4"}
