// The limits of eth_getLogs hold for a filter, too: those of the blocks there are when it is asked.
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"fromBlock":"0x1","toBlock":"latest"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_newFilter","params":[{"fromBlock":"0x1","toBlock":"0x4"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x2"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":3,"result":"0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"}
!! seal
>> {"jsonrpc":"2.0","id":4,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":4,"result":"0x3ffe0874ca60303924bfafab96b266f459775cbfcb86036c25e0b921436b484d"}
!! seal
>> {"jsonrpc":"2.0","id":5,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":5,"result":"0xb3e89ecf25d715625d9c835dc6aafadad0d3b6be168320316a64231ef5394cc9"}
!! seal
>> {"jsonrpc":"2.0","id":6,"method":"eth_getFilterLogs","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "error": {
       "code": -32602,
       "message": "query exceeds max results 2, retry with the range 1-2",
       "data": {"from":"0x1","to":"0x2"}
     }
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_getFilterChanges","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
         "transactionIndex": "0x0",
         "blockHash": "0xcbd04bc7e40e362b93b07bce46a7c3a6298c89ac0940942cf7437cf3b0946b67",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000002",
         "blockNumber": "0x2",
         "transactionHash": "0x3ffe0874ca60303924bfafab96b266f459775cbfcb86036c25e0b921436b484d",
         "transactionIndex": "0x0",
         "blockHash": "0x3943953020f7a78ea8f6e0da50cff423ddb8d930d7167a7423379c919d626df2",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000003",
         "blockNumber": "0x3",
         "transactionHash": "0xb3e89ecf25d715625d9c835dc6aafadad0d3b6be168320316a64231ef5394cc9",
         "transactionIndex": "0x0",
         "blockHash": "0x72ad8264cf99d123f5c3e534c5939ddc332d2613317f753b2e31b978431366f1",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
!! seal 2
>> {"jsonrpc":"2.0","id":8,"method":"eth_getFilterLogs","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "error": {
       "code": -32602,
       "message": "query exceeds max block range 4, retry with the range 1-4",
       "data": {"from":"0x1","to":"0x4"}
     }
   }
>> {"jsonrpc":"2.0","id":9,"method":"eth_getFilterLogs","params":["0x2"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": -32602,
       "message": "query exceeds max results 2, retry with the range 1-2",
       "data": {"from":"0x1","to":"0x2"}
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_newFilter","params":[{"fromBlock":"0x1","toBlock":"0x2"}]}
<< {"jsonrpc":"2.0","id":10,"result":"0x3"}
>> {"jsonrpc":"2.0","id":11,"method":"eth_getFilterLogs","params":["0x3"]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
         "transactionIndex": "0x0",
         "blockHash": "0xcbd04bc7e40e362b93b07bce46a7c3a6298c89ac0940942cf7437cf3b0946b67",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000002",
         "blockNumber": "0x2",
         "transactionHash": "0x3ffe0874ca60303924bfafab96b266f459775cbfcb86036c25e0b921436b484d",
         "transactionIndex": "0x0",
         "blockHash": "0x3943953020f7a78ea8f6e0da50cff423ddb8d930d7167a7423379c919d626df2",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
