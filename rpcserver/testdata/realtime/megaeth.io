// MegaETH's methods.
!! log 0xa
!! seal
!! pay
>> {"jsonrpc":"2.0","id":1,"method":"realtime_sendRawTransaction","params":["0x01"]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (transaction) of realtime_sendRawTransaction: have 0x01, want a signed transaction: typed transaction too short"
     }
   }
>> {"jsonrpc":"2.0","id":2,"method":"realtime_sendRawTransaction","params":["0x01",true]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (timeout) of realtime_sendRawTransaction: have true (not a whole number), want a whole number, plain or in hex"
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_callAfter","params":[{"to":"0x1000000000000000000000000000000000000004"},{"account":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","nonce":"0x1"}]}
<< {"jsonrpc":"2.0","id":3,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_callAfter","params":[{"to":"0x1000000000000000000000000000000000000004"},{"account":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","nonce":99,"timeout":60001}]}
<< {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"timeout of 60001 ms is too long, the limit is 60000 ms"}}
>> {"jsonrpc":"2.0","id":5,"method":"eth_callAfter","params":[{"to":"0x1000000000000000000000000000000000000004"},{"account":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (condition) of eth_callAfter: account or nonce is missing, want {account, nonce, timeout?}"
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_getLogsWithCursor","params":[{"fromBlock":"0x0","toBlock":"latest"}]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": {
       "logs": [
         {
           "address": "0x000000000000000000000000000000000000010c",
           "topics": [
             "0x000000000000000000000000000000000000000000000000000000000000000a",
             "0x0000000000000000000000000000000000000000000000000000000000000001"
           ],
           "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
           "blockNumber": "0x1",
           "transactionHash": "0x9bd6df92457ecb6b45930fa36c557f7bb4e4f007e223c47c556808ebbd0fc41b",
           "transactionIndex": "0x0",
           "blockHash": "0xb26689677ced70adc95750e3b65923a4ba401e8f8e22936bc4b354644cc82c3c",
           "blockTimestamp": "0x6553f102",
           "logIndex": "0x0",
           "removed": false
         }
       ]
     }
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_getLogsWithCursor","params":[{"fromBlock":"0x0","cursor":"0x12"}]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (filter) of eth_getLogsWithCursor: have {\"fromBlock\":\"0x0\",\"cursor\":\"0x12\"} (cursor is not one of an earlier answer), want a filter object"
     }
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_subscribe","params":["shreds"]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "error": {"code":-32601,"message":"subscription shreds is not available: --preset rise, or --preconf rise, has it"}
   }
