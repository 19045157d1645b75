// What differs between the profiles for one and the same request.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000001"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xabd485145e1e30a0a5368177022e14697ecdb5ea1eb956a013fbe9fffb1cfca2"}
!! seal
// Revert: code 3.
>> {"jsonrpc":"2.0","id":2,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000002","data":"0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036261640000000000000000000000000000000000000000000000000000000000"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "error": {
       "code": 3,
       "message": "execution reverted: bad",
       "data": "0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036261640000000000000000000000000000000000000000000000000000000000"
     }
   }
>> {"jsonrpc":"2.0","id":3,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000002"},"latest"]}
<< {"jsonrpc":"2.0","id":3,"error":{"code":3,"message":"execution reverted","data":"0x"}}
>> {"jsonrpc":"2.0","id":4,"method":"eth_estimateGas","params":[{"to":"0x1000000000000000000000000000000000000002","data":"0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036261640000000000000000000000000000000000000000000000000000000000"}]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": 3,
       "message": "execution reverted: bad",
       "data": "0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036261640000000000000000000000000000000000000000000000000000000000"
     }
   }
// Failed simulated call: an object. State root: computed.
>> {"jsonrpc":"2.0","id":5,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"to":"0x1000000000000000000000000000000000000002","data":"0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036261640000000000000000000000000000000000000000000000000000000000"},{"to":"0x1000000000000000000000000000000000000005","gas":"0x186a0"}]}]},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": [
       {
         "baseFeePerGas": "0x0",
         "blobGasUsed": "0x0",
         "difficulty": "0x0",
         "excessBlobGas": "0x0",
         "extraData": "0x",
         "gasLimit": "0x3938700",
         "gasUsed": "0x1dd9e",
         "hash": "0x1ec7faf565952cda20fc90d8c9e6aa4f8f196d6ccf186dbb35f95fc89b6f791c",
         "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "miner": "0x0000000000000000000000000000000000000000",
         "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "nonce": "0x0000000000000000",
         "number": "0x2",
         "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "parentHash": "0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f",
         "receiptsRoot": "0xe2df87cd6f101e68ca0dc6f42dda4132d7f8b4363a71bc01d27c6351af8e0a8e",
         "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
         "stateRoot": "0x64ca1ca47a2de9b871e7093f4ec83d21b9d8ff96f36e0e2353dd3d1881a3208a",
         "timestamp": "0x6553f10e",
         "transactionsRoot": "0xcf82874f0a420b115da1416093dd0f69c6b64d3db79534f6984ab9390d026c38",
         "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
         "size": "0x320",
         "transactions": [
           "0x7f5066c16b516d8aa82af1e174f9ce4f6f2f3328e8a0eb7a7b258227a9c7b8a2",
           "0x518204308724ec76ee80ee16d1009b6ab5a0ac63e05c6add6d7410996b2f5f13"
         ],
         "uncles": [],
         "withdrawals": [],
         "calls": [
           {
             "returnData": "0x",
             "logs": [],
             "gasUsed": "0x56fe",
             "maxUsedGas": "0x56fe",
             "status": "0x0",
             "error": {
               "message": "execution reverted: bad",
               "code": 3,
               "data": "0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036261640000000000000000000000000000000000000000000000000000000000"
             }
           },
           {
             "returnData": "0x",
             "logs": [],
             "gasUsed": "0x186a0",
             "maxUsedGas": "0x186a0",
             "status": "0x0",
             "error": {"message":"out of gas","code":-32015}
           }
         ]
       }
     ]
   }
// Block hash and range together.
>> {"jsonrpc":"2.0","id":6,"method":"eth_getLogs","params":[{"blockHash":"0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f"}]}
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
       }
     ]
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_getLogs","params":[{"blockHash":"0xeea19ebacc3a07caa1f788088fce47dea514e2affa925e7b1890af745513cc9f","fromBlock":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {"code":-32602,"message":"cannot specify both blockHash and fromBlock/toBlock, choose one or the other"}
   }
// Unknown blocks.
>> {"jsonrpc":"2.0","id":8,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x9"]}
<< {"jsonrpc":"2.0","id":8,"error":{"code":-32000,"message":"header not found"}}
>> {"jsonrpc":"2.0","id":9,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000003"},"0x1212121212121212121212121212121212121212121212121212121212121212"]}
<< {"jsonrpc":"2.0","id":9,"error":{"code":-32000,"message":"header for hash not found"}}
>> {"jsonrpc":"2.0","id":10,"method":"eth_getLogs","params":[{"blockHash":"0x1212121212121212121212121212121212121212121212121212121212121212"}]}
<< {"jsonrpc":"2.0","id":10,"error":{"code":-32000,"message":"header for hash not found"}}
>> {"jsonrpc":"2.0","id":11,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}]},"0x9"]}
<< {"jsonrpc":"2.0","id":11,"error":{"code":-32000,"message":"header not found"}}
// From above the head.
>> {"jsonrpc":"2.0","id":12,"method":"eth_getLogs","params":[{"fromBlock":"0x2"}]}
<< {"jsonrpc":"2.0","id":12,"error":{"code":-32602,"message":"invalid block range params: from 0x2 is above to 0x1"}}
