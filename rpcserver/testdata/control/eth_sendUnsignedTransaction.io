// a transaction of any sender, without its key and without impersonation
>> {"jsonrpc":"2.0","id":1,"method":"anvil_setBalance","params":["0x9999999999999999999999999999999999999999","0xde0b6b3a7640000"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":2,"method":"eth_sendUnsignedTransaction","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x01050d85d5ae99b0e764ceeccd5a4491b086264b7d8fffbd66c68b6666a1c13f"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_sendUnsignedTransaction","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","value":"0x2"}]}
<< {"jsonrpc":"2.0","id":3,"result":"0x5259e25ac8dfa0b7c04d8003807ea5f37338cc14481cd9a632286757a88faa04"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_sendUnsignedTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x9999999999999999999999999999999999999999","value":"0x3"}]}
<< {"jsonrpc":"2.0","id":4,"result":"0xbe15b78106cb28e3f4341ef56100ccfd5468f6dabd9ed713136cd342846a4f13"}
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_seal","params":[]}
<< {"jsonrpc":"2.0","id":5,"result":["0x218959b963ccee1c5c4a188c13ec9f90d6d97085b1bf8f9aefa36e295bd3241f"]}
>> {"jsonrpc":"2.0","id":6,"method":"eth_getBlockByNumber","params":["latest",true]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": {
       "baseFeePerGas": "0x342770c0",
       "blobGasUsed": "0x0",
       "difficulty": "0x0",
       "excessBlobGas": "0x0",
       "extraData": "0x",
       "gasLimit": "0x3938700",
       "gasUsed": "0xf618",
       "hash": "0x218959b963ccee1c5c4a188c13ec9f90d6d97085b1bf8f9aefa36e295bd3241f",
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
       "miner": "0x0000000000000000000000000000000000000000",
       "mixHash": "0xc70fb0f16c483de0d1599ac927b4a2b1ff973de5b454e358754ed8563ae33374",
       "nonce": "0x0000000000000000",
       "number": "0x1",
       "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "parentHash": "0x83533bcc93f328eee4986dcc61ff9a4c5d6261b078dfdf55f3383296ead6ebd2",
       "receiptsRoot": "0x25e6b7af647c519a27cc13276a1e6abc46154b51414d174b072698df1f6c19df",
       "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
       "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
       "stateRoot": "0x1ed9711852239ca8dcdf27046aaa288a65c44605ede1298350ed99ecc44cd59c",
       "timestamp": "0x6553f102",
       "transactionsRoot": "0xd641b7d216356db2df133d42f89e411e886aeab360095bd50432baa153379ec3",
       "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "size": "0x33a",
       "transactions": [
         {
           "blockHash": "0x218959b963ccee1c5c4a188c13ec9f90d6d97085b1bf8f9aefa36e295bd3241f",
           "blockNumber": "0x1",
           "blockTimestamp": "0x6553f102",
           "transactionIndex": "0x0",
           "from": "0x9999999999999999999999999999999999999999",
           "gas": "0x5208",
           "gasPrice": "0x6fc23ac0",
           "maxFeePerGas": "0xa3e9ab80",
           "maxPriorityFeePerGas": "0x3b9aca00",
           "hash": "0x01050d85d5ae99b0e764ceeccd5a4491b086264b7d8fffbd66c68b6666a1c13f",
           "input": "0x",
           "nonce": "0x0",
           "to": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "value": "0x1",
           "type": "0x2",
           "accessList": [],
           "chainId": "0x7a69",
           "v": "0x0",
           "r": "0x9999999999999999999999999999999999999999",
           "s": "0x1",
           "yParity": "0x0"
         },
         {
           "blockHash": "0x218959b963ccee1c5c4a188c13ec9f90d6d97085b1bf8f9aefa36e295bd3241f",
           "blockNumber": "0x1",
           "blockTimestamp": "0x6553f102",
           "transactionIndex": "0x1",
           "from": "0x9999999999999999999999999999999999999999",
           "gas": "0x5208",
           "gasPrice": "0x6fc23ac0",
           "maxFeePerGas": "0xa3e9ab80",
           "maxPriorityFeePerGas": "0x3b9aca00",
           "hash": "0x5259e25ac8dfa0b7c04d8003807ea5f37338cc14481cd9a632286757a88faa04",
           "input": "0x",
           "nonce": "0x1",
           "to": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "value": "0x2",
           "type": "0x2",
           "accessList": [],
           "chainId": "0x7a69",
           "v": "0x0",
           "r": "0x9999999999999999999999999999999999999999",
           "s": "0x1",
           "yParity": "0x0"
         },
         {
           "blockHash": "0x218959b963ccee1c5c4a188c13ec9f90d6d97085b1bf8f9aefa36e295bd3241f",
           "blockNumber": "0x1",
           "blockTimestamp": "0x6553f102",
           "transactionIndex": "0x2",
           "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "gas": "0x5208",
           "gasPrice": "0x6fc23ac0",
           "maxFeePerGas": "0xa3e9ab80",
           "maxPriorityFeePerGas": "0x3b9aca00",
           "hash": "0xbe15b78106cb28e3f4341ef56100ccfd5468f6dabd9ed713136cd342846a4f13",
           "input": "0x",
           "nonce": "0x0",
           "to": "0x9999999999999999999999999999999999999999",
           "value": "0x3",
           "type": "0x2",
           "accessList": [],
           "chainId": "0x7a69",
           "v": "0x0",
           "r": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
           "s": "0x1",
           "yParity": "0x0"
         }
       ],
       "uncles": [],
       "withdrawals": []
     }
   }
// without money, with a used nonce
>> {"jsonrpc":"2.0","id":7,"method":"eth_sendUnsignedTransaction","params":[{"from":"0x8888888888888888888888888888888888888888","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","value":"0x1","gas":"0x5208"}]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {
       "code": -32000,
       "message": "insufficient funds for gas * price + value: balance 0, tx cost 53165896896001, overshot 53165896896001"
     }
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_sendUnsignedTransaction","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","nonce":"0x0"}]}
<< {"jsonrpc":"2.0","id":8,"error":{"code":-32000,"message":"nonce too low: next nonce 2, tx nonce 0"}}
// which impersonates nobody
>> {"jsonrpc":"2.0","id":9,"method":"eth_sendTransaction","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","value":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": -32000,
       "message": "unknown account 0x9999999999999999999999999999999999999999: the node has no key for it; anvil_impersonateAccount lets you send from it"
     }
   }
