// Logs of calls, with and without traced transfers (contract 2.5-traceTransfers), full transactions.
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000002ff"},{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0xa9ce",
         "hash": "0x361fc0ca25a5314c99cc56b6b1ef9649fcf48405690da16e250dd54f10fc6e68",
         "logsBloom": "0x04000000000000000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000200000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000008000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0x1b858be05464b448197c6134899f64fdabf12e74cc412ed4676e386cf4ca56c7",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0x276baa7d8872ca70925bc8630a540ec349cca41d7900d1e03a90f425539fe9e5",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x2fd",
         "transactions": [
           "0x5e541299322a26ab12c3b602a95679379eaa30cd9ca8488d93b9dc181a3e26e3",
           "0xff02c56e77942add0fee46c11d032fe0dc1913446533dcd9523f2b8753a06e0c"
         ],
         "uncles": [],
         "withdrawals": [],
         "calls": [
           {
             "returnData": "0x",
             "logs": [
               {
                 "address": "0x1000000000000000000000000000000000000001",
                 "topics": [
                   "0x0000000000000000000000000000000000000000000000000000000000000001",
                   "0x0000000000000000000000000000000000000000000000000000000000000002"
                 ],
                 "data": "0xff",
                 "blockNumber": "0x1",
                 "transactionHash": "0x5e541299322a26ab12c3b602a95679379eaa30cd9ca8488d93b9dc181a3e26e3",
                 "transactionIndex": "0x0",
                 "blockHash": "0x361fc0ca25a5314c99cc56b6b1ef9649fcf48405690da16e250dd54f10fc6e68",
                 "blockTimestamp": "0x6553f10c",
                 "logIndex": "0x0",
                 "removed": false
               }
             ],
             "gasUsed": "0x57c6",
             "maxUsedGas": "0x57c6",
             "status": "0x1"
           },
           {"returnData":"0x","logs":[],"gasUsed":"0x5208","maxUsedGas":"0x5208","status":"0x1"}
         ]
       }
     ]
   }
>> {"jsonrpc":"2.0","id":2,"method":"eth_simulateV1","params":[{"traceTransfers":true,"blockStateCalls":[{"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000002ff","value":"0x5"},{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0xa9ce",
         "hash": "0x5d97d9366af447b96d5db1a684bd6d214b2a490ed840002c9c51250d20a49887",
         "logsBloom": "0x04000000000000000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000200000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000008000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0x1b858be05464b448197c6134899f64fdabf12e74cc412ed4676e386cf4ca56c7",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0xc65cdec5257f1698183c3d226b23a864f899fad9921cd71f2997fae85f46ae50",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x2fd",
         "transactions": [
           "0xf5fad63295872768b79d3e67b49f505e589a94492ffa672f4736346fbda3ff32",
           "0xff02c56e77942add0fee46c11d032fe0dc1913446533dcd9523f2b8753a06e0c"
         ],
         "uncles": [],
         "withdrawals": [],
         "calls": [
           {
             "returnData": "0x",
             "logs": [
               {
                 "address": "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
                 "topics": [
                   "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
                   "0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                   "0x0000000000000000000000001000000000000000000000000000000000000001"
                 ],
                 "data": "0x0000000000000000000000000000000000000000000000000000000000000005",
                 "blockNumber": "0x1",
                 "transactionHash": "0xf5fad63295872768b79d3e67b49f505e589a94492ffa672f4736346fbda3ff32",
                 "transactionIndex": "0x0",
                 "blockHash": "0x5d97d9366af447b96d5db1a684bd6d214b2a490ed840002c9c51250d20a49887",
                 "blockTimestamp": "0x6553f10c",
                 "logIndex": "0x0",
                 "removed": false
               },
               {
                 "address": "0x1000000000000000000000000000000000000001",
                 "topics": [
                   "0x0000000000000000000000000000000000000000000000000000000000000001",
                   "0x0000000000000000000000000000000000000000000000000000000000000002"
                 ],
                 "data": "0xff",
                 "blockNumber": "0x1",
                 "transactionHash": "0xf5fad63295872768b79d3e67b49f505e589a94492ffa672f4736346fbda3ff32",
                 "transactionIndex": "0x0",
                 "blockHash": "0x5d97d9366af447b96d5db1a684bd6d214b2a490ed840002c9c51250d20a49887",
                 "blockTimestamp": "0x6553f10c",
                 "logIndex": "0x1",
                 "removed": false
               }
             ],
             "gasUsed": "0x57c6",
             "maxUsedGas": "0x57c6",
             "status": "0x1"
           },
           {
             "returnData": "0x",
             "logs": [
               {
                 "address": "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
                 "topics": [
                   "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
                   "0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                   "0x00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8"
                 ],
                 "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
                 "blockNumber": "0x1",
                 "transactionHash": "0xff02c56e77942add0fee46c11d032fe0dc1913446533dcd9523f2b8753a06e0c",
                 "transactionIndex": "0x1",
                 "blockHash": "0x5d97d9366af447b96d5db1a684bd6d214b2a490ed840002c9c51250d20a49887",
                 "blockTimestamp": "0x6553f10c",
                 "logIndex": "0x2",
                 "removed": false
               }
             ],
             "gasUsed": "0x5208",
             "maxUsedGas": "0x5208",
             "status": "0x1"
           }
         ]
       }
     ]
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_simulateV1","params":[{"returnFullTransactions":true,"blockStateCalls":[{"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"},{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gasPrice":"0x0"},{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","maxFeePerGas":"0x1","accessList":[{"address":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000001"]}]}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x106e4",
         "hash": "0x2e4815786886a152858cce399d7db2cb6e83530e93dfbd1988655fa6258f02ad",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x1",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
         "receiptsRoot": "0xedba48e44e3120e3b432e18ea0f6f99c31350134e4713875b5433d3edbe5a2e7",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "timestamp": "0x6553f10c",
         "transactionsRoot": "0xe02030a0176f43f69a037048decfabe77400230cda8812b967a823419dc52e83",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x317",
         "transactions": [
           {
             "blockHash": "0x2e4815786886a152858cce399d7db2cb6e83530e93dfbd1988655fa6258f02ad",
             "blockNumber": "0x1",
             "blockTimestamp": "0x6553f10c",
             "transactionIndex": "0x0",
             "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
             "gas": "0x2faf080",
             "gasPrice": "0x0",
             "maxFeePerGas": "0x0",
             "maxPriorityFeePerGas": "0x0",
             "hash": "0x0b5fb488d2f6f03e9e94b39eabe7d9528341eb5f6d63a6fdd94cdf55949d3293",
             "input": "0x",
             "nonce": "0x0",
             "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
             "value": "0x1",
             "type": "0x2",
             "accessList": [],
             "chainId": "0x7a69",
             "v": "0x0",
             "r": "0x0",
             "s": "0x0",
             "yParity": "0x0"
           },
           {
             "blockHash": "0x2e4815786886a152858cce399d7db2cb6e83530e93dfbd1988655fa6258f02ad",
             "blockNumber": "0x1",
             "blockTimestamp": "0x6553f10c",
             "transactionIndex": "0x1",
             "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
             "gas": "0x2fa9e78",
             "gasPrice": "0x0",
             "hash": "0x4cfea5e9f34a3f51e749e8e86f63c8a02b4d8bfa4b3b2432b2a98cf334796efa",
             "input": "0x",
             "nonce": "0x1",
             "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
             "value": "0x0",
             "type": "0x0",
             "chainId": "0x7fffffffffffffee",
             "v": "0x0",
             "r": "0x0",
             "s": "0x0"
           },
           {
             "blockHash": "0x2e4815786886a152858cce399d7db2cb6e83530e93dfbd1988655fa6258f02ad",
             "blockNumber": "0x1",
             "blockTimestamp": "0x6553f10c",
             "transactionIndex": "0x2",
             "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
             "gas": "0x2fa4c70",
             "gasPrice": "0x0",
             "maxFeePerGas": "0x1",
             "maxPriorityFeePerGas": "0x0",
             "hash": "0xac1ac5b7f4a40de8845c9063ac6fb74ab19cdce9f0f9f41d546245b2e24b9376",
             "input": "0x",
             "nonce": "0x2",
             "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
             "value": "0x0",
             "type": "0x2",
             "accessList": [
               {
                 "address": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
                 "storageKeys": ["0x0000000000000000000000000000000000000000000000000000000000000001"]
               }
             ],
             "chainId": "0x7a69",
             "v": "0x0",
             "r": "0x0",
             "s": "0x0",
             "yParity": "0x0"
           }
         ],
         "uncles": [],
         "withdrawals": [],
         "calls": [
           {"returnData":"0x","logs":[],"gasUsed":"0x5208","maxUsedGas":"0x5208","status":"0x1"},
           {"returnData":"0x","logs":[],"gasUsed":"0x5208","maxUsedGas":"0x5208","status":"0x1"},
           {"returnData":"0x","logs":[],"gasUsed":"0x62d4","maxUsedGas":"0x62d4","status":"0x1"}
         ]
       }
     ]
   }
