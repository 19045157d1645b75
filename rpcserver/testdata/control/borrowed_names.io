// the names that helpers of other nodes call: each does what its twin does
>> {"jsonrpc":"2.0","id":1,"method":"evm_mine_detailed","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": [
       {
         "baseFeePerGas": "0x342770c0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x0",
         "hash": "0x0a66225f03b3672b79717946fe0dc402386b0a6a1c055ef6bc931dbad383a179",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0xc70fb0f16c483de0d1599ac927b4a2b1ff973de5b454e358754ed8563ae33374",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x217efe1d04b49cba126362b0e9f33ea6492156fab997e92abc02a6dcbb12c958",
         "timestamp": "0x6553f102",
         "transactionsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x268",
         "transactions": [],
         "uncles": [],
         "withdrawals": []
       }
     ]
   }
>> {"jsonrpc":"2.0","id":2,"method":"anvil_mine_detailed","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": [
       {
         "baseFeePerGas": "0x2da282a8",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x0",
         "hash": "0x431d82667088badcf36040899d794435a063b4946543c5f892e850375f398af7",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0xac446c4a043c81805da3de7df617b9ef58f300c563195bb05cef5ac07896b822",
         "nonce": "0x0000000000000000",
         "number": "0x2",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x0a66225f03b3672b79717946fe0dc402386b0a6a1c055ef6bc931dbad383a179",
         "receiptsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x3e2f2263c38142a3a1531e63bedc09ac1f971530dc05e2b1508e211ea4dc997c",
         "timestamp": "0x6553f104",
         "transactionsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x268",
         "transactions": [],
         "uncles": [],
         "withdrawals": []
       }
     ]
   }
>> {"jsonrpc":"2.0","id":3,"method":"hardhat_mine","params":["0x2","0x1"]}
<< {"jsonrpc":"2.0","id":3,"result":null}
>> {"jsonrpc":"2.0","id":4,"method":"anvil_setAutomine","params":[false]}
<< {"jsonrpc":"2.0","id":4,"result":null}
>> {"jsonrpc":"2.0","id":5,"method":"hardhat_getAutomine","params":[]}
<< {"jsonrpc":"2.0","id":5,"result":false}
>> {"jsonrpc":"2.0","id":6,"method":"anvil_setIntervalMining","params":[0]}
<< {"jsonrpc":"2.0","id":6,"result":null}
>> {"jsonrpc":"2.0","id":7,"method":"hardhat_setCoinbase","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]}
<< {"jsonrpc":"2.0","id":7,"result":null}
>> {"jsonrpc":"2.0","id":8,"method":"anvil_setBlockGasLimit","params":["0x1c9c380"]}
<< {"jsonrpc":"2.0","id":8,"result":true}
>> {"jsonrpc":"2.0","id":9,"method":"anvil_setMinGasPrice","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {"code":-32602,"message":"anvil_setMinGasPrice is not supported when EIP-1559 is active"}
   }
>> {"jsonrpc":"2.0","id":10,"method":"hardhat_setMinGasPrice","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {"code":-32602,"message":"hardhat_setMinGasPrice is not supported when EIP-1559 is active"}
   }
>> {"jsonrpc":"2.0","id":11,"method":"anvil_setNextBlockPrevRandao","params":["0x0000000000000000000000000000000000000000000000000000000000000001"]}
<< {"jsonrpc":"2.0","id":11,"result":null}
>> {"jsonrpc":"2.0","id":12,"method":"hardhat_setPrevRandao","params":["0x0000000000000000000000000000000000000000000000000000000000000002"]}
<< {"jsonrpc":"2.0","id":12,"result":null}
>> {"jsonrpc":"2.0","id":13,"method":"hardhat_setNextBlockBaseFeePerGas","params":["0x3b9aca00"]}
<< {"jsonrpc":"2.0","id":13,"result":null}
>> {"jsonrpc":"2.0","id":14,"method":"anvil_increaseTime","params":[10]}
<< {"jsonrpc":"2.0","id":14,"result":10}
>> {"jsonrpc":"2.0","id":15,"method":"anvil_setTime","params":[1800000000]}
<< {"jsonrpc":"2.0","id":15,"result":99999983}
>> {"jsonrpc":"2.0","id":16,"method":"anvil_setNextBlockTimestamp","params":[1800000100]}
<< {"jsonrpc":"2.0","id":16,"result":null}
>> {"jsonrpc":"2.0","id":17,"method":"evm_mine","params":[]}
<< {"jsonrpc":"2.0","id":17,"result":"0x0"}
>> {"jsonrpc":"2.0","id":18,"method":"hardhat_setBalance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x1"]}
<< {"jsonrpc":"2.0","id":18,"result":null}
>> {"jsonrpc":"2.0","id":19,"method":"evm_setAccountBalance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x2"]}
<< {"jsonrpc":"2.0","id":19,"result":null}
>> {"jsonrpc":"2.0","id":20,"method":"eth_getBalance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}
<< {"jsonrpc":"2.0","id":20,"result":"0x2"}
>> {"jsonrpc":"2.0","id":21,"method":"anvil_setCode","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x00"]}
<< {"jsonrpc":"2.0","id":21,"result":null}
>> {"jsonrpc":"2.0","id":22,"method":"hardhat_setCode","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x01"]}
<< {"jsonrpc":"2.0","id":22,"result":null}
>> {"jsonrpc":"2.0","id":23,"method":"eth_getCode","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}
<< {"jsonrpc":"2.0","id":23,"result":"0x01"}
>> {"jsonrpc":"2.0","id":24,"method":"anvil_setNonce","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x5"]}
<< {"jsonrpc":"2.0","id":24,"result":null}
>> {"jsonrpc":"2.0","id":25,"method":"evm_setAccountNonce","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x6"]}
<< {"jsonrpc":"2.0","id":25,"result":null}
>> {"jsonrpc":"2.0","id":26,"method":"eth_getTransactionCount","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}
<< {"jsonrpc":"2.0","id":26,"result":"0x6"}
>> {"jsonrpc":"2.0","id":27,"method":"anvil_setStorageAt","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x0","0x0000000000000000000000000000000000000000000000000000000000000001"]}
<< {"jsonrpc":"2.0","id":27,"result":true}
>> {"jsonrpc":"2.0","id":28,"method":"evm_setAccountStorageAt","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x0","0x0000000000000000000000000000000000000000000000000000000000000002"]}
<< {"jsonrpc":"2.0","id":28,"result":true}
>> {"jsonrpc":"2.0","id":29,"method":"eth_getStorageAt","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x0","latest"]}
<< {"jsonrpc":"2.0","id":29,"result":"0x0000000000000000000000000000000000000000000000000000000000000002"}
>> {"jsonrpc":"2.0","id":30,"method":"anvil_setERC20Balance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913","0x7"]}
<< {"jsonrpc":"2.0","id":30,"result":null}
>> {"jsonrpc":"2.0","id":31,"method":"hardhat_impersonateAccount","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]}
<< {"jsonrpc":"2.0","id":31,"result":null}
>> {"jsonrpc":"2.0","id":32,"method":"hardhat_stopImpersonatingAccount","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]}
<< {"jsonrpc":"2.0","id":32,"result":null}
>> {"jsonrpc":"2.0","id":33,"method":"anvil_snapshot","params":[]}
<< {"jsonrpc":"2.0","id":33,"result":"0x1"}
>> {"jsonrpc":"2.0","id":34,"method":"anvil_revert","params":["0x1"]}
<< {"jsonrpc":"2.0","id":34,"result":true}
!! pay
>> {"jsonrpc":"2.0","id":35,"method":"anvil_dropTransaction","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {"jsonrpc":"2.0","id":35,"result":"0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"}
>> {"jsonrpc":"2.0","id":36,"method":"hardhat_dropTransaction","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {"jsonrpc":"2.0","id":36,"result":false}
>> {"jsonrpc":"2.0","id":37,"method":"hardhat_dropAllTransactions","params":[]}
<< {"jsonrpc":"2.0","id":37,"result":null}
>> {"jsonrpc":"2.0","id":38,"method":"anvil_removePoolTransactions","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]}
<< {"jsonrpc":"2.0","id":38,"result":null}
>> {"jsonrpc":"2.0","id":39,"method":"anvil_metadata","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 39,
     "result": {
       "clientVersion": "fakenode/test",
       "chainId": 31337,
       "instanceId": "of the run",
       "latestBlockNumber": 5,
       "latestBlockHash": "0x65efb5117b22f29bfe51e61a1ee1e4a89c8740d44f25953b1df08545774a8063"
     }
   }
>> {"jsonrpc":"2.0","id":40,"method":"hardhat_setLoggingEnabled","params":[true]}
<< {"jsonrpc":"2.0","id":40,"result":null}
// a dump of the state is for the same node again; what is none is refused
>> {"jsonrpc":"2.0","id":41,"method":"anvil_dumpState","params":["surplus"]}
<< {
     "jsonrpc": "2.0",
     "id": 41,
     "error": {
       "code": -32602,
       "message": "too many arguments of anvil_dumpState: have 1, want at most 0; argument 0 is \"surplus\""
     }
   }
>> {"jsonrpc":"2.0","id":42,"method":"hardhat_dumpState","params":["surplus"]}
<< {
     "jsonrpc": "2.0",
     "id": 42,
     "error": {
       "code": -32602,
       "message": "too many arguments of hardhat_dumpState: have 1, want at most 0; argument 0 is \"surplus\""
     }
   }
>> {"jsonrpc":"2.0","id":43,"method":"anvil_loadState","params":["0x00"]}
<< {
     "jsonrpc": "2.0",
     "id": 43,
     "error": {
       "code": -32602,
       "message": "anvil_loadState: not a dump of anvil_dumpState: it is not the JSON of accounts by address"
     }
   }
>> {"jsonrpc":"2.0","id":44,"method":"hardhat_loadState","params":["0x00"]}
<< {
     "jsonrpc": "2.0",
     "id": 44,
     "error": {
       "code": -32602,
       "message": "hardhat_loadState: not a dump of anvil_dumpState: it is not the JSON of accounts by address"
     }
   }
// a mistyped method
>> {"jsonrpc":"2.0","id":900,"method":"eth_getlog","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 900,
     "error": {
       "code": -32601,
       "message": "the method eth_getlog does not exist/is not available; did you mean eth_getLogs?"
     }
   }
>> {"jsonrpc":"2.0","id":902,"method":"starknet_chainId","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 902,
     "error": {"code":-32601,"message":"the method starknet_chainId does not exist/is not available"}
   }
