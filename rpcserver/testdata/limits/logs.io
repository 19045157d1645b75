// Four blocks and two logs at most; the error says the limit and a range that would do.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"}
!! seal
>> {"jsonrpc":"2.0","id":2,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x3ffe0874ca60303924bfafab96b266f459775cbfcb86036c25e0b921436b484d"}
!! seal
>> {"jsonrpc":"2.0","id":3,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":3,"result":"0xb3e89ecf25d715625d9c835dc6aafadad0d3b6be168320316a64231ef5394cc9"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":4,"result":"0x20b62a7069c74ce856f8c8dd3bfa76d8ff0eaa27636348d5cfcb8ffab4088a0d"}
>> {"jsonrpc":"2.0","id":5,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":5,"result":"0x6cd8f063abc44c4edbdfceabd62f07028cea3cc72e623c55048a4483a68a298d"}
!! seal
>> {"jsonrpc":"2.0","id":6,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":6,"result":"0xab08f7de7b75e94d6515765d845989d9ede2b3e28ab7f2cce036da8691ad38d5"}
!! seal
>> {"jsonrpc":"2.0","id":7,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":7,"result":"0xc496de11af17cbc00f5a63f85b818561905fb4360c0751a75c13e41317bfc6c3"}
!! seal
>> {"jsonrpc":"2.0","id":8,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x5"}]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "error": {
       "code": -32602,
       "message": "query exceeds max block range 4, retry with the range 1-4",
       "data": {"from":"0x1","to":"0x4"}
     }
   }
>> {"jsonrpc":"2.0","id":9,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"latest"}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": -32602,
       "message": "query exceeds max block range 4, retry with the range 0-3",
       "data": {"from":"0x0","to":"0x3"}
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32602,
       "message": "query exceeds max block range 4, retry with the range 0-3",
       "data": {"from":"0x0","to":"0x3"}
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x4"}]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32602,
       "message": "query exceeds max results 2, retry with the range 1-2",
       "data": {"from":"0x1","to":"0x2"}
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x2"}]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
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
// A single block is never cut short.
>> {"jsonrpc":"2.0","id":13,"method":"eth_getLogs","params":[{"fromBlock":"0x3","toBlock":"0x3"}]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000003",
         "blockNumber": "0x3",
         "transactionHash": "0xb3e89ecf25d715625d9c835dc6aafadad0d3b6be168320316a64231ef5394cc9",
         "transactionIndex": "0x0",
         "blockHash": "0xdddc1875488dd528083eb93295af235519527f23a2286751810a6e8212e76a6e",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000004",
         "blockNumber": "0x3",
         "transactionHash": "0x20b62a7069c74ce856f8c8dd3bfa76d8ff0eaa27636348d5cfcb8ffab4088a0d",
         "transactionIndex": "0x1",
         "blockHash": "0xdddc1875488dd528083eb93295af235519527f23a2286751810a6e8212e76a6e",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000005",
         "blockNumber": "0x3",
         "transactionHash": "0x6cd8f063abc44c4edbdfceabd62f07028cea3cc72e623c55048a4483a68a298d",
         "transactionIndex": "0x2",
         "blockHash": "0xdddc1875488dd528083eb93295af235519527f23a2286751810a6e8212e76a6e",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x2",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":14,"method":"eth_getLogs","params":[{"blockHash":"0xdddc1875488dd528083eb93295af235519527f23a2286751810a6e8212e76a6e"}]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000003",
         "blockNumber": "0x3",
         "transactionHash": "0xb3e89ecf25d715625d9c835dc6aafadad0d3b6be168320316a64231ef5394cc9",
         "transactionIndex": "0x0",
         "blockHash": "0xdddc1875488dd528083eb93295af235519527f23a2286751810a6e8212e76a6e",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000004",
         "blockNumber": "0x3",
         "transactionHash": "0x20b62a7069c74ce856f8c8dd3bfa76d8ff0eaa27636348d5cfcb8ffab4088a0d",
         "transactionIndex": "0x1",
         "blockHash": "0xdddc1875488dd528083eb93295af235519527f23a2286751810a6e8212e76a6e",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000005",
         "blockNumber": "0x3",
         "transactionHash": "0x6cd8f063abc44c4edbdfceabd62f07028cea3cc72e623c55048a4483a68a298d",
         "transactionIndex": "0x2",
         "blockHash": "0xdddc1875488dd528083eb93295af235519527f23a2286751810a6e8212e76a6e",
         "blockTimestamp": "0x6553f106",
         "logIndex": "0x2",
         "removed": false
       }
     ]
   }
// Pre-confirmed logs do not count.
>> {"jsonrpc":"2.0","id":15,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":15,"result":"0x4de7e96704d88abbe93420496a158cc413d7701a692d79a8a1006a2c1a2ff6cc"}
>> {"jsonrpc":"2.0","id":16,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":16,"result":"0x376c2ea7ac07979ba13fa777331e299b0d5effe7c631a960a974b3acf681c478"}
>> {"jsonrpc":"2.0","id":17,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":17,"result":"0x238ad8d9004ed3d83ea750390a256adf8046d4a66316df73b3c5900226ef1003"}
!! preconfirm
>> {"jsonrpc":"2.0","id":18,"method":"eth_getLogs","params":[{"fromBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 18,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000008",
         "blockNumber": "0x6",
         "transactionHash": "0x4de7e96704d88abbe93420496a158cc413d7701a692d79a8a1006a2c1a2ff6cc",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f10c",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000009",
         "blockNumber": "0x6",
         "transactionHash": "0x376c2ea7ac07979ba13fa777331e299b0d5effe7c631a960a974b3acf681c478",
         "transactionIndex": "0x1",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f10c",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x000000000000000000000000000000000000000000000000000000000000000a",
         "blockNumber": "0x6",
         "transactionHash": "0x238ad8d9004ed3d83ea750390a256adf8046d4a66316df73b3c5900226ef1003",
         "transactionIndex": "0x2",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f10c",
         "logIndex": "0x2",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":19,"method":"eth_getLogs","params":[{"fromBlock":"0x5","toBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 19,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000007",
         "blockNumber": "0x5",
         "transactionHash": "0xc496de11af17cbc00f5a63f85b818561905fb4360c0751a75c13e41317bfc6c3",
         "transactionIndex": "0x0",
         "blockHash": "0xd99bab1660eeffb4df9362b7b36165f4b2187025d72ab90bbecca06b6d1aeecd",
         "blockTimestamp": "0x6553f10a",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000008",
         "blockNumber": "0x6",
         "transactionHash": "0x4de7e96704d88abbe93420496a158cc413d7701a692d79a8a1006a2c1a2ff6cc",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f10c",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000009",
         "blockNumber": "0x6",
         "transactionHash": "0x376c2ea7ac07979ba13fa777331e299b0d5effe7c631a960a974b3acf681c478",
         "transactionIndex": "0x1",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f10c",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x000000000000000000000000000000000000000000000000000000000000000a",
         "blockNumber": "0x6",
         "transactionHash": "0x238ad8d9004ed3d83ea750390a256adf8046d4a66316df73b3c5900226ef1003",
         "transactionIndex": "0x2",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f10c",
         "logIndex": "0x2",
         "removed": false
       }
     ]
   }
