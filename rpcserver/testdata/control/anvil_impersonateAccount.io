// transactions of an account without its key
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0x000000000000000000000000000000000000010c","to":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32000,
       "message": "unknown account 0x000000000000000000000000000000000000010c: the node has no key for it; anvil_impersonateAccount lets you send from it"
     }
   }
>> {"jsonrpc":"2.0","id":2,"method":"anvil_impersonateAccount","params":["0x000000000000000000000000000000000000010c"]}
<< {"jsonrpc":"2.0","id":2,"result":null}
>> {"jsonrpc":"2.0","id":3,"method":"anvil_setBalance","params":["0x000000000000000000000000000000000000010c","0xde0b6b3a7640000"]}
<< {"jsonrpc":"2.0","id":3,"result":null}
>> {"jsonrpc":"2.0","id":4,"method":"eth_sendTransaction","params":[{"from":"0x000000000000000000000000000000000000010c","to":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":4,"result":"0x02a3e02c35ca44fe828bf0153b2b4a5f925ae67ea9b061d092c8d7949a1b69b0"}
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_preconfirm","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": {
       "blockNumber": 1,
       "index": 0,
       "transactions": ["0x02a3e02c35ca44fe828bf0153b2b4a5f925ae67ea9b061d092c8d7949a1b69b0"]
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"anvil_stopImpersonatingAccount","params":["0x000000000000000000000000000000000000010c"]}
<< {"jsonrpc":"2.0","id":6,"result":null}
>> {"jsonrpc":"2.0","id":7,"method":"anvil_autoImpersonateAccount","params":[false]}
<< {"jsonrpc":"2.0","id":7,"result":null}
>> {"jsonrpc":"2.0","id":8,"method":"hardhat_autoImpersonateAccount","params":[true]}
<< {"jsonrpc":"2.0","id":8,"result":null}
>> {"jsonrpc":"2.0","id":9,"method":"eth_sendTransaction","params":[{"from":"0x1000000000000000000000000000000000000004","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","gasPrice":"0x0"}]}
<< {"jsonrpc":"2.0","id":9,"result":"0x4647c794db16e45441943906e5448df99b127f808d21a0dc5ca5baac14e5ba9a"}
>> {"jsonrpc":"2.0","id":10,"method":"hardhat_autoImpersonateAccount","params":[false]}
<< {"jsonrpc":"2.0","id":10,"result":null}
