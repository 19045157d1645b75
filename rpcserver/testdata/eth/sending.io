// Raw transactions: taken once, in any order of nonces, from whom they are.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x02f86c827a6980843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0d88980f37a8935c23f1c351cc55f4ed8641bf9d83b653de340f6cd516725197ea02c92763070333bf460cf77eb3f613d5177b7a63b37d324c744a94a1946edc0db"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x825fff6864eea97503409cf8b78949f7d27f7d1658275b59983108948a9c7918"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_sendRawTransaction","params":["0x02f86c827a6980843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0d88980f37a8935c23f1c351cc55f4ed8641bf9d83b653de340f6cd516725197ea02c92763070333bf460cf77eb3f613d5177b7a63b37d324c744a94a1946edc0db"]}
<< {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"already known"}}
>> {"jsonrpc":"2.0","id":3,"method":"eth_sendRawTransaction","params":["0x02f86c827a6902843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c080a0e34dc0b1aa03c22126e077255cc2a0b29a1e34d1439cf42a8abcc451e6e3f602a03c4706a6ed8613acc1a043c2d27be9341ffdb63bcc0c66320050ef262fc4bcd3"]}
<< {"jsonrpc":"2.0","id":3,"result":"0x22bf766282c015ca3562f8c28d638175fda79068c06fc25d24e83b6ab1cfb625"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","pending"]}
<< {"jsonrpc":"2.0","id":4,"result":"0x1"}
>> {"jsonrpc":"2.0","id":5,"method":"eth_sendRawTransaction","params":["0x02f86c827a6901843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c080a02a11a9c1f854f2fe892e6065991af9d715888ca3c6e16bbe1df0fccccff78599a003d05333d297e2d803237bf7e0b884d8832c512baf1f55bdefdb02d737a51cbf"]}
<< {"jsonrpc":"2.0","id":5,"result":"0x9eae90262baecb1b08c70f507578aba3d8061eb59f7657f99a2a7aad1ecd0a41"}
>> {"jsonrpc":"2.0","id":6,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","pending"]}
<< {"jsonrpc":"2.0","id":6,"result":"0x3"}
!! seal
>> {"jsonrpc":"2.0","id":7,"method":"eth_sendRawTransaction","params":["0x02f86c827a6980843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0d88980f37a8935c23f1c351cc55f4ed8641bf9d83b653de340f6cd516725197ea02c92763070333bf460cf77eb3f613d5177b7a63b37d324c744a94a1946edc0db"]}
<< {"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"nonce too low: next nonce 3, tx nonce 0"}}
>> {"jsonrpc":"2.0","id":8,"method":"eth_getBlockTransactionCountByNumber","params":["latest"]}
<< {"jsonrpc":"2.0","id":8,"result":"0x3"}
// Waiting for the receipt: not at all, longer than allowed.
>> {"jsonrpc":"2.0","id":9,"method":"eth_sendRawTransactionSync","params":["0x02f86c827a6903843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0d52f1f0388c51b89a0de42d626837d828039d87d9e907d0029708edf82d22243a00e256c31e0f5684fcb8d7a77786b8d2a4ce186a555d3270b9dfae45d1a861976",0]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": 4,
       "message": "transaction 0xe237ba127a2f975a88b0d6542aa1ce9f2c1c722b3f1d5ee1cc808d2b6f2ec41f was added to the pool but was not confirmed within 0s",
       "data": "0xe237ba127a2f975a88b0d6542aa1ce9f2c1c722b3f1d5ee1cc808d2b6f2ec41f"
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_sendRawTransactionSync","params":["0x02f86c827a6903843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0d52f1f0388c51b89a0de42d626837d828039d87d9e907d0029708edf82d22243a00e256c31e0f5684fcb8d7a77786b8d2a4ce186a555d3270b9dfae45d1a861976",6001]}
<< {"jsonrpc":"2.0","id":10,"error":{"code":-32602,"message":"timeout of 6001 ms is too long, the limit is 6000 ms"}}
// Malformed.
>> {"jsonrpc":"2.0","id":11,"method":"eth_sendRawTransaction","params":["0x"]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (transaction) of eth_sendRawTransaction: have 0x, want a signed transaction: typed transaction too short"
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"eth_sendRawTransaction","params":["0x02c0"]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (transaction) of eth_sendRawTransaction: have 0x02c0, want a signed transaction: rlp: too few elements for types.DynamicFeeTx"
     }
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_sendRawTransaction","params":["hello"]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (transaction) of eth_sendRawTransaction: have \"hello\" (hex string without 0x prefix), want bytes in hex"
     }
   }
>> {"jsonrpc":"2.0","id":14,"method":"eth_sendRawTransaction","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "error": {"code":-32602,"message":"missing argument 0 (transaction) of eth_sendRawTransaction: want bytes in hex"}
   }
// From accounts of the node, from impersonated ones, from nobody.
>> {"jsonrpc":"2.0","id":15,"method":"eth_sendTransaction","params":[{"from":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":15,"result":"0x07dd00099ab886442330b0b94aa97cf3ce1f165d5866e4333ad0d3aa611fe5e8"}
!! impersonate 0x1000000000000000000000000000000000000004
>> {"jsonrpc":"2.0","id":16,"method":"eth_sendTransaction","params":[{"from":"0x1000000000000000000000000000000000000004","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x5208","gasPrice":"0x0"}]}
<< {"jsonrpc":"2.0","id":16,"result":"0x79e402109c377e697ce66f6667639a766a6604723780fb49241be1db028329ae"}
>> {"jsonrpc":"2.0","id":17,"method":"eth_sendTransaction","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"}]}
<< {
     "jsonrpc": "2.0",
     "id": 17,
     "error": {
       "code": -32000,
       "message": "unknown account 0x9999999999999999999999999999999999999999: the node has no key for it; anvil_impersonateAccount lets you send from it"
     }
   }
>> {"jsonrpc":"2.0","id":18,"method":"eth_sendTransaction","params":[{"to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"}]}
<< {
     "jsonrpc": "2.0",
     "id": 18,
     "error": {"code":-32602,"message":"invalid argument 0 (transaction) of eth_sendTransaction: from is missing"}
   }
>> {"jsonrpc":"2.0","id":19,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000002","data":"0x01"}]}
<< {"jsonrpc":"2.0","id":19,"error":{"code":-32000,"message":"execution reverted","data":"0x01"}}
>> {"jsonrpc":"2.0","id":20,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x21e19e0c9bab2400001"}]}
<< {
     "jsonrpc": "2.0",
     "id": 20,
     "error": {
       "code": -32000,
       "message": "insufficient funds for transfer: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 have 9999999881874999999997 want 10000000000000000000001 and gas"
     }
   }
>> {"jsonrpc":"2.0","id":21,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","nonce":"0x0"}]}
<< {"jsonrpc":"2.0","id":21,"error":{"code":-32000,"message":"nonce too low: next nonce 3, tx nonce 0"}}
// eth_sendTransaction that waits: not at all, longer than allowed, from nobody.
>> {"jsonrpc":"2.0","id":22,"method":"eth_sendTransactionSync","params":[{"from":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","value":"0x1"},0]}
<< {
     "jsonrpc": "2.0",
     "id": 22,
     "error": {
       "code": 4,
       "message": "transaction 0xedce97c0275517906da0e433f997c33ad3f128e9602555bdbee3054b841c3759 was added to the pool but was not confirmed within 0s",
       "data": "0xedce97c0275517906da0e433f997c33ad3f128e9602555bdbee3054b841c3759"
     }
   }
>> {"jsonrpc":"2.0","id":23,"method":"eth_sendTransactionSync","params":[{"from":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","value":"0x1"},6001]}
<< {"jsonrpc":"2.0","id":23,"error":{"code":-32602,"message":"timeout of 6001 ms is too long, the limit is 6000 ms"}}
>> {"jsonrpc":"2.0","id":24,"method":"eth_sendTransactionSync","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}]}
<< {
     "jsonrpc": "2.0",
     "id": 24,
     "error": {
       "code": -32000,
       "message": "unknown account 0x9999999999999999999999999999999999999999: the node has no key for it; anvil_impersonateAccount lets you send from it"
     }
   }
>> {"jsonrpc":"2.0","id":900,"method":"anvil_classifyTransaction","params":["0x02"]}
<< {
     "jsonrpc": "2.0",
     "id": 900,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (transaction) of anvil_classifyTransaction: have 0x02, want a signed transaction: typed transaction too short"
     }
   }
