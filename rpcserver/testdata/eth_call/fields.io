// Every member of the call object (contract 2.4-from to 2.4-data). A call without a sender is from the zero address.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_call","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0xde0b6b3a7640000","gas":"0x5208"},"latest"]}
<< {"jsonrpc":"2.0","id":2,"result":"0x"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_call","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004","gas":"0x186a0","gasPrice":"0x77359400"},"latest"]}
<< {"jsonrpc":"2.0","id":3,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_call","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004","gas":"0x186a0","maxFeePerGas":"0x77359400","maxPriorityFeePerGas":"0x1"},"latest"]}
<< {"jsonrpc":"2.0","id":4,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
// data, or input, which wins.
>> {"jsonrpc":"2.0","id":5,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000002","data":"0x01"},"latest"]}
<< {"jsonrpc":"2.0","id":5,"error":{"code":-32000,"message":"execution reverted","data":"0x01"}}
>> {"jsonrpc":"2.0","id":6,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000002","input":"0x02"},"latest"]}
<< {"jsonrpc":"2.0","id":6,"error":{"code":-32000,"message":"execution reverted","data":"0x02"}}
>> {"jsonrpc":"2.0","id":7,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000002","data":"0x01","input":"0x02"},"latest"]}
<< {"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"execution reverted","data":"0x02"}}
// Without to: init code runs, and its output comes back.
>> {"jsonrpc":"2.0","id":8,"method":"eth_call","params":[{"data":"0x602a60005260206000f3"},"latest"]}
<< {"jsonrpc":"2.0","id":8,"result":"0x000000000000000000000000000000000000000000000000000000000000002a"}
// Bad combinations and amounts.
>> {"jsonrpc":"2.0","id":9,"method":"eth_call","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004","gasPrice":"0x77359400","maxFeePerGas":"0x77359400"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {"code":-32000,"message":"both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified"}
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_call","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32000,
       "message": "err: insufficient funds for gas * price + value: address 0x9999999999999999999999999999999999999999 have 0 want 1 (supplied gas 50000000)"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_call","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x5208","gasPrice":"0x77359400"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32000,
       "message": "err: insufficient funds for gas * price + value: address 0x9999999999999999999999999999999999999999 have 0 want 42000000000000 (supplied gas 21000)"
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004","maxFeePerGas":"0x1","maxPriorityFeePerGas":"0x2"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {
       "code": -32000,
       "message": "err: max priority fee per gas higher than max fee per gas: address 0x0000000000000000000000000000000000000000, maxPriorityFeePerGas: 2, maxFeePerGas: 1 (supplied gas 50000000)"
     }
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004","gas":"0x1"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "error": {"code":-32000,"message":"err: intrinsic gas too low: have 1, want 21000 (supplied gas 1)"}
   }
>> {"jsonrpc":"2.0","id":14,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004","chainId":"0x1"},"latest"]}
<< {"jsonrpc":"2.0","id":14,"error":{"code":-32000,"message":"chainId does not match node's (have=1, want=31337)"}}
// Out of gas, and a bad instruction.
>> {"jsonrpc":"2.0","id":15,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000005","gas":"0x186a0"},"latest"]}
<< {"jsonrpc":"2.0","id":15,"error":{"code":-32000,"message":"out of gas"}}
>> {"jsonrpc":"2.0","id":16,"method":"eth_call","params":[{"data":"0xfe"},"latest"]}
<< {"jsonrpc":"2.0","id":16,"error":{"code":-32000,"message":"invalid opcode: INVALID"}}
