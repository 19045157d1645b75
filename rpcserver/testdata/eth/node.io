>> {"jsonrpc":"2.0","id":1,"method":"eth_syncing","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":false}
>> {"jsonrpc":"2.0","id":2,"method":"eth_coinbase","params":[]}
<< {"jsonrpc":"2.0","id":2,"result":"0x0000000000000000000000000000000000000000"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_protocolVersion","params":[]}
<< {"jsonrpc":"2.0","id":3,"result":"0x44"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_config","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "result": {
       "current": {
         "activationTime": 0,
         "blobSchedule": {"target":6,"max":9,"baseFeeUpdateFraction":5007716},
         "chainId": "0x7a69",
         "forkId": "0x7935a593",
         "precompiles": {
           "BLAKE2F": "0x0000000000000000000000000000000000000009",
           "BLS12_G1ADD": "0x000000000000000000000000000000000000000b",
           "BLS12_G1MSM": "0x000000000000000000000000000000000000000c",
           "BLS12_G2ADD": "0x000000000000000000000000000000000000000d",
           "BLS12_G2MSM": "0x000000000000000000000000000000000000000e",
           "BLS12_MAP_FP2_TO_G2": "0x0000000000000000000000000000000000000011",
           "BLS12_MAP_FP_TO_G1": "0x0000000000000000000000000000000000000010",
           "BLS12_PAIRING_CHECK": "0x000000000000000000000000000000000000000f",
           "BN254_ADD": "0x0000000000000000000000000000000000000006",
           "BN254_MUL": "0x0000000000000000000000000000000000000007",
           "BN254_PAIRING": "0x0000000000000000000000000000000000000008",
           "ECREC": "0x0000000000000000000000000000000000000001",
           "ID": "0x0000000000000000000000000000000000000004",
           "KZG_POINT_EVALUATION": "0x000000000000000000000000000000000000000a",
           "MODEXP": "0x0000000000000000000000000000000000000005",
           "P256VERIFY": "0x0000000000000000000000000000000000000100",
           "RIPEMD160": "0x0000000000000000000000000000000000000003",
           "SHA256": "0x0000000000000000000000000000000000000002"
         },
         "systemContracts": {
           "BEACON_ROOTS_ADDRESS": "0x000f3df6d732807ef1319fb7b8bb8522d0beac02",
           "CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS": "0x0000bbddc7ce488642fb579f8b00f3a590007251",
           "DEPOSIT_CONTRACT_ADDRESS": "0x00000000219ab540356cbb839cbe05303d7705fa",
           "HISTORY_STORAGE_ADDRESS": "0x0000f90827f1c53a10cb7a02335b175320002935",
           "WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS": "0x00000961ef480eb55e80d19ad83579a64c007002"
         }
       },
       "next": null,
       "last": null
     }
   }
>> {"jsonrpc":"2.0","id":5,"method":"eth_capabilities","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": {
       "head": {"number":"0x0","hash":"0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2"},
       "state": {"disabled":false,"oldestBlock":"0x0"},
       "tx": {"disabled":false,"oldestBlock":"0x0"},
       "logs": {
         "disabled": false,
         "oldestBlock": "0x0",
         "deleteStrategy": {"type":"window","retentionBlocks":"0x7fffffffffffffff"}
       },
       "receipts": {"disabled":false,"oldestBlock":"0x0"},
       "blocks": {"disabled":false,"oldestBlock":"0x0"},
       "stateproofs": {"disabled":false,"oldestBlock":"0x0"}
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_chainId","params":[]}
<< {"jsonrpc":"2.0","id":6,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":7,"method":"net_version","params":[]}
<< {"jsonrpc":"2.0","id":7,"result":"31337"}
>> {"jsonrpc":"2.0","id":8,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":8,"result":"0x0"}
>> {"jsonrpc":"2.0","id":9,"method":"testing_buildBlockV1","params":["0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",{"timestamp":"0x6553f110","prevRandao":"0x0000000000000000000000000000000000000000000000000000000000000000","suggestedFeeRecipient":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","withdrawals":[],"parentBeaconBlockRoot":"0x0000000000000000000000000000000000000000000000000000000000000001"},[],"0xff"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "result": {
       "executionPayload": {
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "feeRecipient": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "stateRoot": "0xfa450af86aa675e4e4114a3e052f9cbc7c2295f79ea6704162f701ad79fa3ecb",
         "receiptsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "prevRandao": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockNumber": "0x1",
         "gasLimit": "0x3938700",
         "gasUsed": "0x0",
         "timestamp": "0x6553f110",
         "extraData": "0xff",
         "baseFeePerGas": "0x342770c0",
         "blockHash": "0x5de9dda2df6b2d83d206928312c060ec517eb311245c31c2cdb868c2467eed34",
         "transactions": [],
         "withdrawals": [],
         "blobGasUsed": "0x0",
         "excessBlobGas": "0x0"
       },
       "blockValue": "0x0",
       "blobsBundle": {"commitments":[],"proofs":[],"blobs":[]},
       "executionRequests": [],
       "shouldOverrideBuilder": false
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":10,"result":"0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"}
>> {"jsonrpc":"2.0","id":11,"method":"testing_buildBlockV1","params":["0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",{"timestamp":"0x6553f110","prevRandao":"0x0000000000000000000000000000000000000000000000000000000000000000","suggestedFeeRecipient":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","withdrawals":[],"parentBeaconBlockRoot":"0x0000000000000000000000000000000000000000000000000000000000000001"},null]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "result": {
       "executionPayload": {
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "feeRecipient": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "stateRoot": "0x9ffeb7ac9fa0df14b712d0465e706d9cb283997ff0824b27159ae16d9c214d23",
         "receiptsRoot": "0x43697fbe7a377ab68774fbb0db23c968db99f5805861ec781a1f2b1eed1bee6c",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000010000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000",
         "prevRandao": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockNumber": "0x1",
         "gasLimit": "0x3938700",
         "gasUsed": "0xaaf3",
         "timestamp": "0x6553f110",
         "extraData": "0x",
         "baseFeePerGas": "0x342770c0",
         "blockHash": "0x32918e0cd20e06be03a98464cd48bf5b4d75ef2478080598d56269f174b5f86c",
         "transactions": [
           "0x02f86c827a6980843b9aca0084a3e9ab8082aaf39410000000000000000000000000000000000000048080c001a06a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4a06a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660"
         ],
         "withdrawals": [],
         "blobGasUsed": "0x0",
         "excessBlobGas": "0x0"
       },
       "blockValue": "0x27cd5e11be00",
       "blobsBundle": {"commitments":[],"proofs":[],"blobs":[]},
       "executionRequests": [],
       "shouldOverrideBuilder": false
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"testing_buildBlockV1","params":["0x0000000000000000000000000000000000000000000000000000000000000009",{"timestamp":"0x6553f110","prevRandao":"0x0000000000000000000000000000000000000000000000000000000000000000","suggestedFeeRecipient":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","withdrawals":[],"parentBeaconBlockRoot":"0x0000000000000000000000000000000000000000000000000000000000000001"},[]]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {
       "code": -32000,
       "message": "parent hash 0x0000000000000000000000000000000000000000000000000000000000000009 is not that of the head, 0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2"
     }
   }
>> {"jsonrpc":"2.0","id":112,"method":"testing_buildBlockV1","params":["0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",{"timestamp":"0x6553f100","prevRandao":"0x0000000000000000000000000000000000000000000000000000000000000000","suggestedFeeRecipient":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","withdrawals":[],"parentBeaconBlockRoot":"0x0000000000000000000000000000000000000000000000000000000000000001"},[]]}
<< {
     "jsonrpc": "2.0",
     "id": 112,
     "error": {"code":-32000,"message":"timestamp 1700000000 is not after 1700000000, that of the parent"}
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":13,"result":"0x0"}
// Requests to the consensus layer: a withdrawal (EIP-7002).
>> {"jsonrpc":"2.0","id":14,"method":"eth_sendTransaction","params":[{"from":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","to":"0x00000961ef480eb55e80d19ad83579a64c007002","value":"0x1","data":"0xabababababababababababababababababababababababababababababababababababababababababababababababab00000000000003e8"}]}
<< {"jsonrpc":"2.0","id":14,"result":"0x33a863940c3086db06a91678df085585a031707cee83c006dfc1c51bb783b78d"}
>> {"jsonrpc":"2.0","id":15,"method":"testing_buildBlockV1","params":["0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",{"timestamp":"0x6553f110","prevRandao":"0x0000000000000000000000000000000000000000000000000000000000000000","suggestedFeeRecipient":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","withdrawals":[],"parentBeaconBlockRoot":"0x0000000000000000000000000000000000000000000000000000000000000001"},null]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "result": {
       "executionPayload": {
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "feeRecipient": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "stateRoot": "0xb409ef994054922dbe761dd08379a395f22145ef9be6cb15b97ecdce215b8152",
         "receiptsRoot": "0xb94ecebd51afab1f71bd228a3e205a88b98b114e007c1d5bc6eafb2b01a0ce0d",
         "logsBloom": "0x00000000008000000000000000000040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000010000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000",
         "prevRandao": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockNumber": "0x1",
         "gasLimit": "0x3938700",
         "gasUsed": "0x2bd4c",
         "timestamp": "0x6553f110",
         "extraData": "0x",
         "baseFeePerGas": "0x342770c0",
         "blockHash": "0x8fc8e7ddab95471bd724c8788dec46ffe1258a1b09970362356bee8777112655",
         "transactions": [
           "0x02f86c827a6980843b9aca0084a3e9ab8082aaf39410000000000000000000000000000000000000048080c001a06a96b6ef5104742b1af93deaf36dfbd5815a81bb3d7b8ecb48478db87f4d90a4a06a914fe4c1f924511af466af655e9942e800306d17eb6552080815f69a028660",
           "0x02f8a5827a6980843b9aca0084a3e9ab80830212599400000961ef480eb55e80d19ad83579a64c00700201b838abababababababababababababababababababababababababababababababababababababababababababababababab00000000000003e8c080a09122160080feddf4e320e8e03c82898713da3eb097f334796597b82d5e3dc2189fbf663bc7589e6c6d0a3b474d6aa1279d53a6930041653ad1c2f9df1682e432"
         ],
         "withdrawals": [],
         "blobGasUsed": "0x0",
         "excessBlobGas": "0x0"
       },
       "blockValue": "0xa3488d15f800",
       "blobsBundle": {"commitments":[],"proofs":[],"blobs":[]},
       "executionRequests": [
         "0x0170997970c51812dc3a010c7d01b50e0d17dc79c8ababababababababababababababababababababababababababababababababababababababababababababababababe803000000000000"
       ],
       "shouldOverrideBuilder": false
     }
   }
// For clients that ask: other names, and what nobody does here.
>> {"jsonrpc":"2.0","id":16,"method":"eth_networkId","params":[]}
<< {"jsonrpc":"2.0","id":16,"result":"31337"}
>> {"jsonrpc":"2.0","id":17,"method":"eth_hashrate","params":[]}
<< {"jsonrpc":"2.0","id":17,"result":"0x0"}
>> {"jsonrpc":"2.0","id":18,"method":"eth_mining","params":[]}
<< {"jsonrpc":"2.0","id":18,"result":false}
