// token balances and allowances, wherever the token stores them
>> {"jsonrpc":"2.0","id":1,"method":"anvil_dealERC20","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913","0x7"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":2,"method":"eth_call","params":[{"to":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913","data":"0x70a0823100000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8"},"latest"]}
<< {"jsonrpc":"2.0","id":2,"result":"0x0000000000000000000000000000000000000000000000000000000000000007"}
>> {"jsonrpc":"2.0","id":3,"method":"anvil_setERC20Allowance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",9]}
<< {"jsonrpc":"2.0","id":3,"result":null}
>> {"jsonrpc":"2.0","id":4,"method":"eth_call","params":[{"to":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913","data":"0xdd62ed3e00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266"},"latest"]}
<< {"jsonrpc":"2.0","id":4,"result":"0x0000000000000000000000000000000000000000000000000000000000000009"}
// no token there
>> {"jsonrpc":"2.0","id":5,"method":"anvil_dealERC20","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",1]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -32602,
       "message": "anvil_dealERC20: there is no contract at 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
     }
   }
