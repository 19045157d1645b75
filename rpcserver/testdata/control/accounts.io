// money and code of accounts
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_mintToken","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","1000000"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x3baa0c40"}
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_delegate","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"]}
<< {"jsonrpc":"2.0","id":2,"result":null}
>> {"jsonrpc":"2.0","id":3,"method":"eth_getCode","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}
<< {"jsonrpc":"2.0","id":3,"result":"0xef0100833589fcd6edb6e08f4c7c32d4f71b54bda02913"}
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_mintToken","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","-1"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (token units) of fakenode_mintToken: have \"-1\" (not between 0 and 2^256-1), want a whole number, plain or in hex"
     }
   }
!! pay
!! seal
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_console","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {"jsonrpc":"2.0","id":5,"result":[]}
>> {"jsonrpc":"2.0","id":6,"method":"fakenode_profile","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": {
       "transaction": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
       "error": "out of gas",
       "gasUsed": 21000,
       "intrinsicGas": 21000,
       "refundedGas": 0,
       "floorGas": 0,
       "functions": [
         {
           "address": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "delegate": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
           "function": "receive",
           "calls": 1,
           "gas": 0,
           "totalGas": 0
         }
       ],
       "movements": [],
       "accounts": [
         {"address":"0x0000000000000000000000000000000000000000","balance":{"from":"0x0","to":"0x1319718a5000"}},
         {
           "address": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "balance": {"from":"0x21e19e0c9bab2400000","to":"0x21e19e0a5eafd5caa00"},
           "nonce": {"from":"0x0","to":"0x1"}
         }
       ],
       "calls": {
         "op": "CALL",
         "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
         "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "delegate": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
         "text": "0x",
         "value": "0x3e8",
         "gas": 0,
         "error": "out of gas"
       }
     }
   }
>> {"jsonrpc":"2.0","id":7,"method":"fakenode_compareForks","params":[{"forks":["osaka","amsterdam"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": {
       "forks": ["osaka","amsterdam"],
       "compared": 1,
       "breaks": 0,
       "transactions": [
         {
           "hash": "0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3",
           "block": 1,
           "index": 0,
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
           "gasLimit": 21000,
           "differs": [],
           "outcomes": [
             {"status":"failed","reason":"out of gas","gasUsed":21000,"logs":[]},
             {"status":"failed","reason":"out of gas","gasUsed":21000,"executionGas":21000,"stateGas":0,"logs":[]}
           ],
           "findings": []
         }
       ]
     }
   }
>> {"jsonrpc":"2.0","id":8,"method":"fakenode_orphans","params":[]}
<< {"jsonrpc":"2.0","id":8,"result":[]}
>> {"jsonrpc":"2.0","id":900,"method":"anvil_impersonateSignature","params":["0x1111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111","0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]}
<< {"jsonrpc":"2.0","id":900,"result":null}
