// A log is pre-confirmed, then sealed: same place in its block, zero block hash first (contract 2.3-blockHash, 3.3-pending and 4-rule1).
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000002aabb"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x65a8a79c921bc51e5a730a4e4ccf708d25f7fde8775abcd0e66dbf663be619eb"}
// In the pool it is nowhere to be seen.
>> {"jsonrpc":"2.0","id":2,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"pending"}]}
<< {"jsonrpc":"2.0","id":2,"result":[]}
!! preconfirm
>> {"jsonrpc":"2.0","id":3,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xaabb",
         "blockNumber": "0x1",
         "transactionHash": "0x65a8a79c921bc51e5a730a4e4ccf708d25f7fde8775abcd0e66dbf663be619eb",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
// latest has not seen it.
>> {"jsonrpc":"2.0","id":4,"method":"eth_getLogs","params":[{"fromBlock":"latest","toBlock":"latest"}]}
<< {"jsonrpc":"2.0","id":4,"result":[]}
>> {"jsonrpc":"2.0","id":5,"method":"eth_getLogs","params":[{}]}
<< {"jsonrpc":"2.0","id":5,"result":[]}
// The next flashblock goes on counting.
>> {"jsonrpc":"2.0","id":6,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000030000000000000000000000000000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":6,"result":"0x1d9e544be8035227c77fbfbf8d8c17b74c93965c010040ea5b78afb1a08740f2"}
!! advance 200ms
>> {"jsonrpc":"2.0","id":7,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xaabb",
         "blockNumber": "0x1",
         "transactionHash": "0x65a8a79c921bc51e5a730a4e4ccf708d25f7fde8775abcd0e66dbf663be619eb",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x1d9e544be8035227c77fbfbf8d8c17b74c93965c010040ea5b78afb1a08740f2",
         "transactionIndex": "0x1",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       }
     ]
   }
!! seal
// Sealed: the pending block is empty again.
>> {"jsonrpc":"2.0","id":8,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"pending"}]}
<< {"jsonrpc":"2.0","id":8,"result":[]}
>> {"jsonrpc":"2.0","id":9,"method":"eth_getLogs","params":[{"fromBlock":"latest","toBlock":"latest"}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xaabb",
         "blockNumber": "0x1",
         "transactionHash": "0x65a8a79c921bc51e5a730a4e4ccf708d25f7fde8775abcd0e66dbf663be619eb",
         "transactionIndex": "0x0",
         "blockHash": "0x48f3ccec50b88f2a2be57974704637611afcc3a571566d6bac66a31b3da43a0f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x1d9e544be8035227c77fbfbf8d8c17b74c93965c010040ea5b78afb1a08740f2",
         "transactionIndex": "0x1",
         "blockHash": "0x48f3ccec50b88f2a2be57974704637611afcc3a571566d6bac66a31b3da43a0f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       }
     ]
   }
