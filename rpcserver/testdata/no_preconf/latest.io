// Without pre-confirmation pending is latest, and eth_simulateV1 is not there (contract D-noPreconf, 1-simulate).
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_getLogs","params":[{"fromBlock":"pending"}]}
<< {"jsonrpc":"2.0","id":2,"result":[]}
>> {"jsonrpc":"2.0","id":3,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"pending"]}
<< {"jsonrpc":"2.0","id":3,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","pending"]}
<< {"jsonrpc":"2.0","id":4,"result":"0x1"}
!! seal
>> {"jsonrpc":"2.0","id":5,"method":"eth_getLogs","params":[{"fromBlock":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
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
       }
     ]
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"latest"}]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
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
       }
     ]
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"pending"}]}
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
       }
     ]
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"pending"]}
<< {"jsonrpc":"2.0","id":8,"result":"0x0000000000000000000000000000000000000000000000000000000000000002"}
>> {"jsonrpc":"2.0","id":9,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000003"},"pending"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "result": "0x0000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000006553f10200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000c70fb0f16c483de0d1599ac927b4a2b1ff973de5b454e358754ed8563ae3337400000000000000000000000000000000000000000000000000000000039387000000000000000000000000000000000000000000000000000000000000007a6983533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2"
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_getBlockByNumber","params":["pending",false]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "result": {
       "baseFeePerGas": "0x342770c0",
       "blobGasUsed": "0x0",
       "difficulty": "0x0",
       "excessBlobGas": "0x0",
       "extraData": "0x",
       "gasLimit": "0x3938700",
       "gasUsed": "0xaaf3",
       "hash": "0xcbd04bc7e40e362b93b07bce46a7c3a6298c89ac0940942cf7437cf3b0946b67",
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000010000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000",
       "miner": "0x0000000000000000000000000000000000000000",
       "mixHash": "0xc70fb0f16c483de0d1599ac927b4a2b1ff973de5b454e358754ed8563ae33374",
       "nonce": "0x0000000000000000",
       "number": "0x1",
       "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
       "receiptsRoot": "0x43697fbe7a377ab68774fbb0db23c968db99f5805861ec781a1f2b1eed1bee6c",
       "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
       "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
       "stateRoot": "0x533eca1b834e5f7d485db6add0bab1c0fc81f13d7485ecb2deca30a7da28d1fd",
       "timestamp": "0x6553f102",
       "transactionsRoot": "0xbf4561cb57bcaf68878c79b5dc2973ce538bfa0ea14631acc4164c826bdf032b",
       "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "size": "0x2dc",
       "transactions": ["0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"],
       "uncles": [],
       "withdrawals": []
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {"code":-32601,"message":"the method eth_simulateV1 does not exist/is not available"}
   }
>> {"jsonrpc":"2.0","id":12,"method":"base_transactionStatus","params":["0x1212121212121212121212121212121212121212121212121212121212121212"]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {"code":-32601,"message":"the method base_transactionStatus does not exist/is not available"}
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_getCode","params":["0x1000000000000000000000000000000000000004","pending"]}
<< {"jsonrpc":"2.0","id":13,"result":"0x5f54600101805f555f5260205fa060206000f3"}
