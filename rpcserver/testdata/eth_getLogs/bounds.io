// Every bound against every other: block 1 and 2 have a log each, the pending block (3) one more.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000001"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xabd485145e1e30a0a5368177022e14697ecdb5ea1eb956a013fbe9fffb1cfca2"}
!! seal
>> {"jsonrpc":"2.0","id":2,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000002"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93"}
!! seal
>> {"jsonrpc":"2.0","id":3,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000003"}]}
<< {"jsonrpc":"2.0","id":3,"result":"0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08"}
!! preconfirm
// Both omitted: latest.
>> {"jsonrpc":"2.0","id":4,"method":"eth_getLogs","params":[{}]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
// One omitted: the other is latest, but pending alone means pending to pending.
>> {"jsonrpc":"2.0","id":5,"method":"eth_getLogs","params":[{"fromBlock":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_getLogs","params":[{"fromBlock":"earliest"}]}
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_getLogs","params":[{"fromBlock":"latest"}]}
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
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_getLogs","params":[{"fromBlock":"safe"}]}
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":9,"method":"eth_getLogs","params":[{"fromBlock":"finalized"}]}
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_getLogs","params":[{"fromBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_getLogs","params":[{"toBlock":"0x2"}]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":12,"method":"eth_getLogs","params":[{"toBlock":"latest"}]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_getLogs","params":[{"toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
// Numbers.
>> {"jsonrpc":"2.0","id":14,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x2"}]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":15,"method":"eth_getLogs","params":[{"fromBlock":"0x2","toBlock":"0x2"}]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":16,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"0x0"}]}
<< {"jsonrpc":"2.0","id":16,"result":[]}
// Tags: safe and finalized are still genesis.
>> {"jsonrpc":"2.0","id":17,"method":"eth_getLogs","params":[{"fromBlock":"earliest","toBlock":"latest"}]}
<< {
     "jsonrpc": "2.0",
     "id": 17,
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":18,"method":"eth_getLogs","params":[{"fromBlock":"earliest","toBlock":"safe"}]}
<< {"jsonrpc":"2.0","id":18,"result":[]}
>> {"jsonrpc":"2.0","id":19,"method":"eth_getLogs","params":[{"fromBlock":"earliest","toBlock":"finalized"}]}
<< {"jsonrpc":"2.0","id":19,"result":[]}
>> {"jsonrpc":"2.0","id":20,"method":"eth_getLogs","params":[{"fromBlock":"safe","toBlock":"latest"}]}
<< {
     "jsonrpc": "2.0",
     "id": 20,
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":21,"method":"eth_getLogs","params":[{"fromBlock":"finalized","toBlock":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 21,
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":22,"method":"eth_getLogs","params":[{"fromBlock":"earliest","toBlock":"earliest"}]}
<< {"jsonrpc":"2.0","id":22,"result":[]}
// Up to pending: sealed ones first, each once.
>> {"jsonrpc":"2.0","id":23,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 23,
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":24,"method":"eth_getLogs","params":[{"fromBlock":"0x2","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 24,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":25,"method":"eth_getLogs","params":[{"fromBlock":"earliest","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 25,
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":26,"method":"eth_getLogs","params":[{"fromBlock":"latest","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 26,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":27,"method":"eth_getLogs","params":[{"fromBlock":"safe","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 27,
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":28,"method":"eth_getLogs","params":[{"fromBlock":"finalized","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 28,
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
         "blockHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x763900653bffff1da1efe6ba6ca87141f1bbdcf8e805c3d9518682a48ff27a93",
         "transactionIndex": "0x0",
         "blockHash": "0x062677445f29ad63c2bc5520a14afc11b0f1b2a70ff29cf8e073834680330cf5",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":29,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 29,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
// From pending down to a sealed block: the sealed part is empty.
>> {"jsonrpc":"2.0","id":30,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"latest"}]}
<< {
     "jsonrpc": "2.0",
     "id": 30,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":31,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 31,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":32,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"safe"}]}
<< {
     "jsonrpc": "2.0",
     "id": 32,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":33,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"earliest"}]}
<< {
     "jsonrpc": "2.0",
     "id": 33,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
// From the pending block by its number, and beyond it.
>> {"jsonrpc":"2.0","id":34,"method":"eth_getLogs","params":[{"fromBlock":"0x3","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 34,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":35,"method":"eth_getLogs","params":[{"fromBlock":"0x4","toBlock":"pending"}]}
<< {"jsonrpc":"2.0","id":35,"result":[]}
// To a number above the head, from pending: nothing is refused where a bound is pending.
>> {"jsonrpc":"2.0","id":36,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"0x9"}]}
<< {
     "jsonrpc": "2.0",
     "id": 36,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000003"
         ],
         "data": "0x",
         "blockNumber": "0x3",
         "transactionHash": "0x215f2268ceb8e989692fc99822d0ca23a33b8ef9a03b7515a55990a7552acb08",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
// From above the head up to a tag there is nothing yet, but a number above the head as the end is refused.
>> {"jsonrpc":"2.0","id":37,"method":"eth_getLogs","params":[{"fromBlock":"0x3"}]}
<< {"jsonrpc":"2.0","id":37,"result":[]}
>> {"jsonrpc":"2.0","id":38,"method":"eth_getLogs","params":[{"fromBlock":"0x3","toBlock":"latest"}]}
<< {"jsonrpc":"2.0","id":38,"result":[]}
>> {"jsonrpc":"2.0","id":39,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x3"}]}
<< {
     "jsonrpc": "2.0",
     "id": 39,
     "error": {"code":-32602,"message":"block range extends beyond current head block: to 0x3, head 0x2"}
   }
>> {"jsonrpc":"2.0","id":40,"method":"eth_getLogs","params":[{"fromBlock":"0x3","toBlock":"0x3"}]}
<< {
     "jsonrpc": "2.0",
     "id": 40,
     "error": {"code":-32602,"message":"block range extends beyond current head block: to 0x3, head 0x2"}
   }
>> {"jsonrpc":"2.0","id":41,"method":"eth_getLogs","params":[{"fromBlock":"0x3","toBlock":"safe"}]}
<< {"jsonrpc":"2.0","id":41,"result":[]}
>> {"jsonrpc":"2.0","id":42,"method":"eth_getLogs","params":[{"toBlock":"0x3"}]}
<< {
     "jsonrpc": "2.0",
     "id": 42,
     "error": {"code":-32602,"message":"block range extends beyond current head block: to 0x3, head 0x2"}
   }
// Backwards.
>> {"jsonrpc":"2.0","id":43,"method":"eth_getLogs","params":[{"fromBlock":"0x2","toBlock":"0x1"}]}
<< {"jsonrpc":"2.0","id":43,"error":{"code":-32602,"message":"invalid block range params: from 0x2 is above to 0x1"}}
>> {"jsonrpc":"2.0","id":44,"method":"eth_getLogs","params":[{"fromBlock":"latest","toBlock":"0x1"}]}
<< {"jsonrpc":"2.0","id":44,"error":{"code":-32602,"message":"invalid block range params: from 0x2 is above to 0x1"}}
>> {"jsonrpc":"2.0","id":45,"method":"eth_getLogs","params":[{"fromBlock":"latest","toBlock":"earliest"}]}
<< {"jsonrpc":"2.0","id":45,"error":{"code":-32602,"message":"invalid block range params: from 0x2 is above to 0x0"}}
>> {"jsonrpc":"2.0","id":46,"method":"eth_getLogs","params":[{"fromBlock":"0x9","toBlock":"0x1"}]}
<< {"jsonrpc":"2.0","id":46,"error":{"code":-32602,"message":"invalid block range params: from 0x9 is above to 0x1"}}
>> {"jsonrpc":"2.0","id":47,"method":"eth_getLogs","params":[{"fromBlock":"0x2","toBlock":"safe"}]}
<< {"jsonrpc":"2.0","id":47,"error":{"code":-32602,"message":"invalid block range params: from 0x2 is above to 0x0"}}
