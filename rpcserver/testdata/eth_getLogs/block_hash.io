// By block hash: the bounds are ignored (contract 2.2-blockHash; geth rejects them).
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000001"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xabd485145e1e30a0a5368177022e14697ecdb5ea1eb956a013fbe9fffb1cfca2"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x35d1e47c74be0bf9ccbb98b9a8e1cafc56c20e4ea3209fa62c05eadc701adb8d"}
!! seal
>> {"jsonrpc":"2.0","id":3,"method":"eth_getLogs","params":[{"blockHash":"0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708"}]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000001"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0xabd485145e1e30a0a5368177022e14697ecdb5ea1eb956a013fbe9fffb1cfca2",
         "transactionIndex": "0x0",
         "blockHash": "0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0x35d1e47c74be0bf9ccbb98b9a8e1cafc56c20e4ea3209fa62c05eadc701adb8d",
         "transactionIndex": "0x1",
         "blockHash": "0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":4,"method":"eth_getLogs","params":[{"blockHash":"0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708","fromBlock":"0x5","toBlock":"0x3"}]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000001"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0xabd485145e1e30a0a5368177022e14697ecdb5ea1eb956a013fbe9fffb1cfca2",
         "transactionIndex": "0x0",
         "blockHash": "0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0x35d1e47c74be0bf9ccbb98b9a8e1cafc56c20e4ea3209fa62c05eadc701adb8d",
         "transactionIndex": "0x1",
         "blockHash": "0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":5,"method":"eth_getLogs","params":[{"blockHash":"0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708","address":"0x1000000000000000000000000000000000000004"}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0x35d1e47c74be0bf9ccbb98b9a8e1cafc56c20e4ea3209fa62c05eadc701adb8d",
         "transactionIndex": "0x1",
         "blockHash": "0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_getLogs","params":[{"blockHash":"0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708","topics":["0x0000000000000000000000000000000000000000000000000000000000000001"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000001"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0xabd485145e1e30a0a5368177022e14697ecdb5ea1eb956a013fbe9fffb1cfca2",
         "transactionIndex": "0x0",
         "blockHash": "0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
// An orphan keeps its logs, marked removed.
!! reorg 1
>> {"jsonrpc":"2.0","id":7,"method":"eth_getLogs","params":[{"blockHash":"0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708"}]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000001"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0xabd485145e1e30a0a5368177022e14697ecdb5ea1eb956a013fbe9fffb1cfca2",
         "transactionIndex": "0x0",
         "blockHash": "0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": true
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0x35d1e47c74be0bf9ccbb98b9a8e1cafc56c20e4ea3209fa62c05eadc701adb8d",
         "transactionIndex": "0x1",
         "blockHash": "0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": true
       }
     ]
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_getLogs","params":[{"blockHash":"0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708","topics":["0x0000000000000000000000000000000000000000000000000000000000000001"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000001"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0xabd485145e1e30a0a5368177022e14697ecdb5ea1eb956a013fbe9fffb1cfca2",
         "transactionIndex": "0x0",
         "blockHash": "0x8be36bda7aa865fc589482a1b6a9deba2ebd35dcdd0b69e4c6cf334c77345708",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": true
       }
     ]
   }
>> {"jsonrpc":"2.0","id":9,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"latest"}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000001"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0xabd485145e1e30a0a5368177022e14697ecdb5ea1eb956a013fbe9fffb1cfca2",
         "transactionIndex": "0x0",
         "blockHash": "0xad678c32168900368c89d62037e671164e991653b0b013d90157512b4603b105",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0x35d1e47c74be0bf9ccbb98b9a8e1cafc56c20e4ea3209fa62c05eadc701adb8d",
         "transactionIndex": "0x1",
         "blockHash": "0xad678c32168900368c89d62037e671164e991653b0b013d90157512b4603b105",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       }
     ]
   }
// Unknown blocks. No block has the zero hash, not even the pending one.
>> {"jsonrpc":"2.0","id":10,"method":"eth_getLogs","params":[{"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000000"}]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32001,
       "message": "block not found: hash 0x0000000000000000000000000000000000000000000000000000000000000000"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_getLogs","params":[{"blockHash":"0x1212121212121212121212121212121212121212121212121212121212121212"}]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32001,
       "message": "block not found: hash 0x1212121212121212121212121212121212121212121212121212121212121212"
     }
   }
