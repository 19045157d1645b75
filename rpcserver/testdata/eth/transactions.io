// A transaction on its way: pool, pre-confirmed, sealed, removed by a reorg and mined again.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_getTransactionByHash","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": {
       "blockHash": null,
       "blockNumber": null,
       "blockTimestamp": null,
       "transactionIndex": null,
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gas": "0xaaf3",
       "gasPrice": "0xa3e9ab80",
       "maxFeePerGas": "0xa3e9ab80",
       "maxPriorityFeePerGas": "0x3b9aca00",
       "hash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "input": "0x",
       "nonce": "0x0",
       "to": "0x1000000000000000000000000000000000000004",
       "value": "0x0",
       "type": "0x2",
       "accessList": [],
       "chainId": "0x7a69",
       "v": "0x1",
       "r": "0x6a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4",
       "s": "0x6a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660",
       "yParity": "0x1"
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_getTransactionReceipt","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {"jsonrpc":"2.0","id":3,"result":null}
>> {"jsonrpc":"2.0","id":4,"method":"base_transactionStatus","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {"jsonrpc":"2.0","id":4,"result":{"status":"Known"}}
!! preconfirm
>> {"jsonrpc":"2.0","id":5,"method":"eth_getTransactionByHash","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": {
       "blockHash": null,
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "transactionIndex": "0x0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gas": "0xaaf3",
       "gasPrice": "0x6fc23ac0",
       "maxFeePerGas": "0xa3e9ab80",
       "maxPriorityFeePerGas": "0x3b9aca00",
       "hash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "input": "0x",
       "nonce": "0x0",
       "to": "0x1000000000000000000000000000000000000004",
       "value": "0x0",
       "type": "0x2",
       "accessList": [],
       "chainId": "0x7a69",
       "v": "0x1",
       "r": "0x6a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4",
       "s": "0x6a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660",
       "yParity": "0x1"
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_getTransactionReceipt","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": {
       "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "contractAddress": null,
       "cumulativeGasUsed": "0xaaf3",
       "effectiveGasPrice": "0x6fc23ac0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gasUsed": "0xaaf3",
       "logs": [
         {
           "address": "0x1000000000000000000000000000000000000004",
           "topics": [],
           "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
           "blockNumber": "0x1",
           "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
           "transactionIndex": "0x0",
           "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
           "blockTimestamp": "0x6553f102",
           "logIndex": "0x0",
           "removed": false
         }
       ],
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000010000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000",
       "status": "0x1",
       "to": "0x1000000000000000000000000000000000000004",
       "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "transactionIndex": "0x0",
       "type": "0x2"
     }
   }
>> {"jsonrpc":"2.0","id":7,"method":"base_transactionStatus","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {"jsonrpc":"2.0","id":7,"result":{"status":"Known"}}
>> {"jsonrpc":"2.0","id":8,"method":"eth_getTransactionByBlockNumberAndIndex","params":["pending","0x0"]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "result": {
       "blockHash": null,
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "transactionIndex": "0x0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gas": "0xaaf3",
       "gasPrice": "0x6fc23ac0",
       "maxFeePerGas": "0xa3e9ab80",
       "maxPriorityFeePerGas": "0x3b9aca00",
       "hash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "input": "0x",
       "nonce": "0x0",
       "to": "0x1000000000000000000000000000000000000004",
       "value": "0x0",
       "type": "0x2",
       "accessList": [],
       "chainId": "0x7a69",
       "v": "0x1",
       "r": "0x6a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4",
       "s": "0x6a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660",
       "yParity": "0x1"
     }
   }
!! seal
>> {"jsonrpc":"2.0","id":9,"method":"eth_getTransactionByHash","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "result": {
       "blockHash": "0xcbd04bc7e40e362b93b07bce46a7c3a6298c89ac0940942cf7437cf3b0946b67",
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "transactionIndex": "0x0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gas": "0xaaf3",
       "gasPrice": "0x6fc23ac0",
       "maxFeePerGas": "0xa3e9ab80",
       "maxPriorityFeePerGas": "0x3b9aca00",
       "hash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "input": "0x",
       "nonce": "0x0",
       "to": "0x1000000000000000000000000000000000000004",
       "value": "0x0",
       "type": "0x2",
       "accessList": [],
       "chainId": "0x7a69",
       "v": "0x1",
       "r": "0x6a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4",
       "s": "0x6a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660",
       "yParity": "0x1"
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_getTransactionReceipt","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "result": {
       "blockHash": "0xcbd04bc7e40e362b93b07bce46a7c3a6298c89ac0940942cf7437cf3b0946b67",
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "contractAddress": null,
       "cumulativeGasUsed": "0xaaf3",
       "effectiveGasPrice": "0x6fc23ac0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gasUsed": "0xaaf3",
       "logs": [
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
         }
       ],
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000010000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000",
       "status": "0x1",
       "to": "0x1000000000000000000000000000000000000004",
       "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "transactionIndex": "0x0",
       "type": "0x2"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"base_transactionStatus","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {"jsonrpc":"2.0","id":11,"result":{"status":"Unknown"}}
>> {"jsonrpc":"2.0","id":12,"method":"eth_getRawTransactionByHash","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "result": "0x02f86c827a6980843b9aca0084a3e9ab8082aaf39410000000000000000000000000000000000000048080c001a06a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4a06a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660"
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_getTransactionByBlockNumberAndIndex","params":["0x1","0x0"]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "result": {
       "blockHash": "0xcbd04bc7e40e362b93b07bce46a7c3a6298c89ac0940942cf7437cf3b0946b67",
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "transactionIndex": "0x0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gas": "0xaaf3",
       "gasPrice": "0x6fc23ac0",
       "maxFeePerGas": "0xa3e9ab80",
       "maxPriorityFeePerGas": "0x3b9aca00",
       "hash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "input": "0x",
       "nonce": "0x0",
       "to": "0x1000000000000000000000000000000000000004",
       "value": "0x0",
       "type": "0x2",
       "accessList": [],
       "chainId": "0x7a69",
       "v": "0x1",
       "r": "0x6a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4",
       "s": "0x6a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660",
       "yParity": "0x1"
     }
   }
>> {"jsonrpc":"2.0","id":14,"method":"eth_getTransactionByBlockHashAndIndex","params":["0xcbd04bc7e40e362b93b07bce46a7c3a6298c89ac0940942cf7437cf3b0946b67","0x0"]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "result": {
       "blockHash": "0xcbd04bc7e40e362b93b07bce46a7c3a6298c89ac0940942cf7437cf3b0946b67",
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "transactionIndex": "0x0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gas": "0xaaf3",
       "gasPrice": "0x6fc23ac0",
       "maxFeePerGas": "0xa3e9ab80",
       "maxPriorityFeePerGas": "0x3b9aca00",
       "hash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "input": "0x",
       "nonce": "0x0",
       "to": "0x1000000000000000000000000000000000000004",
       "value": "0x0",
       "type": "0x2",
       "accessList": [],
       "chainId": "0x7a69",
       "v": "0x1",
       "r": "0x6a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4",
       "s": "0x6a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660",
       "yParity": "0x1"
     }
   }
>> {"jsonrpc":"2.0","id":15,"method":"eth_getRawTransactionByBlockNumberAndIndex","params":["0x1","0x0"]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "result": "0x02f86c827a6980843b9aca0084a3e9ab8082aaf39410000000000000000000000000000000000000048080c001a06a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4a06a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660"
   }
>> {"jsonrpc":"2.0","id":16,"method":"eth_getRawTransactionByBlockHashAndIndex","params":["0xcbd04bc7e40e362b93b07bce46a7c3a6298c89ac0940942cf7437cf3b0946b67","0x0"]}
<< {
     "jsonrpc": "2.0",
     "id": 16,
     "result": "0x02f86c827a6980843b9aca0084a3e9ab8082aaf39410000000000000000000000000000000000000048080c001a06a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4a06a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660"
   }
// A reorg puts it back into the pool, and the new branch mines it again.
!! reorg 1
>> {"jsonrpc":"2.0","id":2,"method":"eth_getTransactionByHash","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": {
       "blockHash": "0x865a765a1e12cc0e50519fe842da97cf5b51e68f6e4f3ff9b0fb000d1eda770f",
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "transactionIndex": "0x0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gas": "0xaaf3",
       "gasPrice": "0x6fc23ac0",
       "maxFeePerGas": "0xa3e9ab80",
       "maxPriorityFeePerGas": "0x3b9aca00",
       "hash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "input": "0x",
       "nonce": "0x0",
       "to": "0x1000000000000000000000000000000000000004",
       "value": "0x0",
       "type": "0x2",
       "accessList": [],
       "chainId": "0x7a69",
       "v": "0x1",
       "r": "0x6a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4",
       "s": "0x6a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660",
       "yParity": "0x1"
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_getTransactionReceipt","params":["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": {
       "blockHash": "0x865a765a1e12cc0e50519fe842da97cf5b51e68f6e4f3ff9b0fb000d1eda770f",
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "contractAddress": null,
       "cumulativeGasUsed": "0xaaf3",
       "effectiveGasPrice": "0x6fc23ac0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gasUsed": "0xaaf3",
       "logs": [
         {
           "address": "0x1000000000000000000000000000000000000004",
           "topics": [],
           "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
           "blockNumber": "0x1",
           "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
           "transactionIndex": "0x0",
           "blockHash": "0x865a765a1e12cc0e50519fe842da97cf5b51e68f6e4f3ff9b0fb000d1eda770f",
           "blockTimestamp": "0x6553f102",
           "logIndex": "0x0",
           "removed": false
         }
       ],
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000010000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000",
       "status": "0x1",
       "to": "0x1000000000000000000000000000000000000004",
       "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "transactionIndex": "0x0",
       "type": "0x2"
     }
   }
// A deployment.
>> {"jsonrpc":"2.0","id":17,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","data":"0x6160015f526002601ef3"}]}
<< {"jsonrpc":"2.0","id":17,"result":"0xd2e0ed1816b1c82fc6d3486591df5c1e0ec4393b9a36369733f5b3f9b44d0c65"}
!! preconfirm
>> {"jsonrpc":"2.0","id":18,"method":"eth_getBlockReceipts","params":["pending"]}
<< {
     "jsonrpc": "2.0",
     "id": 18,
     "result": [
       {
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockNumber": "0x3",
         "blockTimestamp": "0x6553f106",
         "contractAddress": "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512",
         "cumulativeGasUsed": "0xd14b",
         "effectiveGasPrice": "0x638b1dac",
         "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
         "gasUsed": "0xd14b",
         "logs": [],
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "status": "0x1",
         "to": null,
         "transactionHash": "0xd2e0ed1816b1c82fc6d3486591df5c1e0ec4393b9a36369733f5b3f9b44d0c65",
         "transactionIndex": "0x0",
         "type": "0x2"
       }
     ]
   }
// A failure.
>> {"jsonrpc":"2.0","id":19,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000002","data":"0x01","gas":"0x186a0"}]}
<< {"jsonrpc":"2.0","id":19,"result":"0x58443b92d85c66e85178e009ce801b484fbf1bf52ff041c1e841620e7ef6aa9d"}
!! preconfirm
>> {"jsonrpc":"2.0","id":20,"method":"eth_getTransactionReceipt","params":["0x58443b92d85c66e85178e009ce801b484fbf1bf52ff041c1e841620e7ef6aa9d"]}
<< {
     "jsonrpc": "2.0",
     "id": 20,
     "result": {
       "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "blockNumber": "0x3",
       "blockTimestamp": "0x6553f106",
       "contractAddress": null,
       "cumulativeGasUsed": "0x1237b",
       "effectiveGasPrice": "0x638b1dac",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gasUsed": "0x5230",
       "logs": [],
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
       "status": "0x0",
       "to": "0x1000000000000000000000000000000000000002",
       "transactionHash": "0x58443b92d85c66e85178e009ce801b484fbf1bf52ff041c1e841620e7ef6aa9d",
       "transactionIndex": "0x1",
       "type": "0x2"
     }
   }
// Unknown: null.
>> {"jsonrpc":"2.0","id":21,"method":"eth_getTransactionByHash","params":["0x1212121212121212121212121212121212121212121212121212121212121212"]}
<< {"jsonrpc":"2.0","id":21,"result":null}
>> {"jsonrpc":"2.0","id":22,"method":"eth_getTransactionReceipt","params":["0x1212121212121212121212121212121212121212121212121212121212121212"]}
<< {"jsonrpc":"2.0","id":22,"result":null}
>> {"jsonrpc":"2.0","id":23,"method":"eth_getRawTransactionByHash","params":["0x1212121212121212121212121212121212121212121212121212121212121212"]}
<< {"jsonrpc":"2.0","id":23,"result":null}
>> {"jsonrpc":"2.0","id":24,"method":"base_transactionStatus","params":["0x1212121212121212121212121212121212121212121212121212121212121212"]}
<< {"jsonrpc":"2.0","id":24,"result":{"status":"Unknown"}}
>> {"jsonrpc":"2.0","id":25,"method":"eth_getTransactionByBlockNumberAndIndex","params":["0x1","0x1"]}
<< {"jsonrpc":"2.0","id":25,"result":null}
>> {"jsonrpc":"2.0","id":26,"method":"eth_getTransactionByBlockNumberAndIndex","params":["0x9","0x0"]}
<< {"jsonrpc":"2.0","id":26,"result":null}
>> {"jsonrpc":"2.0","id":27,"method":"eth_getTransactionByBlockHashAndIndex","params":["0x1212121212121212121212121212121212121212121212121212121212121212","0x0"]}
<< {"jsonrpc":"2.0","id":27,"result":null}
>> {"jsonrpc":"2.0","id":28,"method":"eth_getRawTransactionByBlockNumberAndIndex","params":["0x1","0x1"]}
<< {"jsonrpc":"2.0","id":28,"result":null}
// By sender and nonce, wherever it is: sealed, pre-confirmed, in the pool; null where there is none.
>> {"jsonrpc":"2.0","id":29,"method":"eth_getTransactionBySenderAndNonce","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x0"]}
<< {
     "jsonrpc": "2.0",
     "id": 29,
     "result": {
       "blockHash": "0x865a765a1e12cc0e50519fe842da97cf5b51e68f6e4f3ff9b0fb000d1eda770f",
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "transactionIndex": "0x0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gas": "0xaaf3",
       "gasPrice": "0x6fc23ac0",
       "maxFeePerGas": "0xa3e9ab80",
       "maxPriorityFeePerGas": "0x3b9aca00",
       "hash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
       "input": "0x",
       "nonce": "0x0",
       "to": "0x1000000000000000000000000000000000000004",
       "value": "0x0",
       "type": "0x2",
       "accessList": [],
       "chainId": "0x7a69",
       "v": "0x1",
       "r": "0x6a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4",
       "s": "0x6a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660",
       "yParity": "0x1"
     }
   }
>> {"jsonrpc":"2.0","id":30,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","pending"]}
<< {"jsonrpc":"2.0","id":30,"result":"0x3"}
>> {"jsonrpc":"2.0","id":31,"method":"eth_sendTransaction","params":[{"from":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":31,"result":"0xc81200e89c2658c967abcfe457e221f603bdcad2a245ac0a0f36c147b58d59b5"}
>> {"jsonrpc":"2.0","id":32,"method":"eth_getTransactionBySenderAndNonce","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8","0x0"]}
<< {
     "jsonrpc": "2.0",
     "id": 32,
     "result": {
       "blockHash": null,
       "blockNumber": null,
       "blockTimestamp": null,
       "transactionIndex": null,
       "from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
       "gas": "0x5208",
       "gasPrice": "0x8b7b7158",
       "maxFeePerGas": "0x8b7b7158",
       "maxPriorityFeePerGas": "0x3b9aca00",
       "hash": "0xc81200e89c2658c967abcfe457e221f603bdcad2a245ac0a0f36c147b58d59b5",
       "input": "0x",
       "nonce": "0x0",
       "to": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "value": "0x1",
       "type": "0x2",
       "accessList": [],
       "chainId": "0x7a69",
       "v": "0x0",
       "r": "0xc52175f2b0d0ddc0cc4ee58e408f86cba45437cedba693f1f8167c9efa2f0416",
       "s": "0x4950cbf09b75845c6b60ba60b9ec5bb3af46014face3f61c0952977a349a42c7",
       "yParity": "0x0"
     }
   }
!! preconfirm
>> {"jsonrpc":"2.0","id":33,"method":"eth_getTransactionBySenderAndNonce","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8","0x0"]}
<< {
     "jsonrpc": "2.0",
     "id": 33,
     "result": {
       "blockHash": null,
       "blockNumber": "0x3",
       "blockTimestamp": "0x6553f106",
       "transactionIndex": "0x2",
       "from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
       "gas": "0x5208",
       "gasPrice": "0x638b1dac",
       "maxFeePerGas": "0x8b7b7158",
       "maxPriorityFeePerGas": "0x3b9aca00",
       "hash": "0xc81200e89c2658c967abcfe457e221f603bdcad2a245ac0a0f36c147b58d59b5",
       "input": "0x",
       "nonce": "0x0",
       "to": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "value": "0x1",
       "type": "0x2",
       "accessList": [],
       "chainId": "0x7a69",
       "v": "0x0",
       "r": "0xc52175f2b0d0ddc0cc4ee58e408f86cba45437cedba693f1f8167c9efa2f0416",
       "s": "0x4950cbf09b75845c6b60ba60b9ec5bb3af46014face3f61c0952977a349a42c7",
       "yParity": "0x0"
     }
   }
>> {"jsonrpc":"2.0","id":34,"method":"eth_getTransactionBySenderAndNonce","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8","0x1"]}
<< {"jsonrpc":"2.0","id":34,"result":null}
>> {"jsonrpc":"2.0","id":35,"method":"eth_getTransactionBySenderAndNonce","params":["0x9999999999999999999999999999999999999999","0x0"]}
<< {"jsonrpc":"2.0","id":35,"result":null}
>> {"jsonrpc":"2.0","id":900,"method":"anvil_getBlobByHash","params":["0x0100000000000000000000000000000000000000000000000000000000000000"]}
<< {"jsonrpc":"2.0","id":900,"result":null}
>> {"jsonrpc":"2.0","id":901,"method":"anvil_getBlobsByTransactionHash","params":["0x0100000000000000000000000000000000000000000000000000000000000000"]}
<< {"jsonrpc":"2.0","id":901,"result":null}
