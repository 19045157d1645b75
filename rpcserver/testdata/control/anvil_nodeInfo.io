// what the node is
>> {"jsonrpc":"2.0","id":1,"method":"anvil_nodeInfo","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {
       "currentBlockNumber": "0x0",
       "currentBlockTimestamp": 1700000000,
       "currentBlockHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
       "hardFork": "osaka",
       "transactionOrder": "fifo",
       "environment": {"baseFee":"0x342770c0","chainId":31337,"gasLimit":"0x3938700","gasPrice":"0x6fc23ac0"},
       "forkConfig": {"forkUrl":null,"forkBlockNumber":null,"forkRetryBackoff":null}
     }
   }
>> {"jsonrpc":"2.0","id":2,"method":"hardhat_metadata","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": {
       "clientVersion": "fakenode/test",
       "chainId": 31337,
       "instanceId": "of the run",
       "latestBlockNumber": 0,
       "latestBlockHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2"
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"anvil_setLoggingEnabled","params":[true]}
<< {"jsonrpc":"2.0","id":3,"result":null}
>> {"jsonrpc":"2.0","id":4,"method":"anvil_reset","params":[]}
<< {"jsonrpc":"2.0","id":4,"result":null}
>> {"jsonrpc":"2.0","id":5,"method":"anvil_reset","params":[{"forking":{"jsonRpcUrl":"http://127.0.0.1:1"}}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {"code":-32602,"message":"anvil_reset: forking a remote chain is not possible on this network"}
   }
