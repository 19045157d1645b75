// a late block under a stall: what was sealed is pending, with all that asks for it
!! pay
!! preconfirm
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_flashblockFault","params":[{"kind":"stall","count":3}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {
       "transactions": ["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"],
       "flashblocks": 1,
       "armed": true
     }
   }
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_flashblockFault","params":[{"kind":"lateBlock"}]}
<< {"jsonrpc":"2.0","id":2,"result":{"transactions":[],"flashblocks":0,"armed":true}}
!! seal
>> {"jsonrpc":"2.0","id":3,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":3,"result":"0x0"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_getBlockByNumber","params":["pending",false]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "result": {
       "baseFeePerGas": "0x342770c0",
       "blobGasUsed": "0x0",
       "difficulty": "0x0",
       "excessBlobGas": "0x0",
       "extraData": "0x",
       "gasLimit": "0x3938700",
       "gasUsed": "0x5208",
       "hash": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
       "miner": "0x0000000000000000000000000000000000000000",
       "mixHash": "0xc70fb0f16c483de0d1599ac927b4a2b1ff973de5b454e358754ed8563ae33374",
       "nonce": "0x0000000000000000",
       "number": "0x1",
       "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
       "receiptsRoot": "0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa",
       "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
       "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
       "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "timestamp": "0x6553f102",
       "transactionsRoot": "0x61806685b8418853bf917ecec1352f4edc07eeb3c5fd09b078c7e4e382754d77",
       "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "transactions": ["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"],
       "uncles": [],
       "withdrawals": []
     }
   }
>> {"jsonrpc":"2.0","id":5,"method":"eth_getTransactionCount","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","pending"]}
<< {"jsonrpc":"2.0","id":5,"result":"0x1"}
>> {"jsonrpc":"2.0","id":6,"method":"base_transactionStatus","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {"jsonrpc":"2.0","id":6,"result":{"status":"Known"}}
>> {"jsonrpc":"2.0","id":7,"method":"eth_getTransactionReceipt","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": {
       "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "blockNumber": "0x1",
       "blockTimestamp": "0x6553f102",
       "contractAddress": null,
       "cumulativeGasUsed": "0x5208",
       "effectiveGasPrice": "0x6fc23ac0",
       "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "gasUsed": "0x5208",
       "logs": [],
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
       "status": "0x1",
       "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
       "transactionHash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
       "transactionIndex": "0x0",
       "type": "0x2"
     }
   }
!! seal
>> {"jsonrpc":"2.0","id":8,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":8,"result":"0x2"}
// what a fault does not heed is refused
>> {"jsonrpc":"2.0","id":9,"method":"fakenode_flashblockFault","params":[{"kind":"alterLogs","retract":true}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": -32602,
       "message": "fakenode_flashblockFault: a fault \"alterLogs\" retracts nothing: retract is for drop, omit and stall"
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"fakenode_flashblockFault","params":[{"kind":"omit","hashes":[]}]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32602,
       "message": "fakenode_flashblockFault: hashes of a fault \"omit\" are empty: leave them out to go by count"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"fakenode_flashblockFault","params":[{"kind":"drop","hashes":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32602,
       "message": "fakenode_flashblockFault: a fault \"drop\" has no hashes: they are for omit and alterLogs"
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"fakenode_flashblockFault","params":[{"kind":"omit","hashes":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {
       "code": -32602,
       "message": "fakenode_flashblockFault: transaction 0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3 is sealed already, in block 1"
     }
   }
>> {"jsonrpc":"2.0","id":13,"method":"fakenode_reorg","params":[{"depth":1,"drop":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "error": {
       "code": -32602,
       "message": "fakenode_reorg: cannot drop transaction 0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3: no removed block holds it"
     }
   }
