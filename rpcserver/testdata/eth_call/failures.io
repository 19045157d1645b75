// A call that fails other than by revert: -32000, what went wrong, no data.
// invalid opcode, stack underflow, jump to nowhere, return data out of bounds, gas used up
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x9999999999999999999999999999999999999999"},"latest",{"0x9999999999999999999999999999999999999999":{"code":"0xfe"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid opcode: INVALID"}}
>> {"jsonrpc":"2.0","id":2,"method":"eth_call","params":[{"to":"0x9999999999999999999999999999999999999999"},"latest",{"0x9999999999999999999999999999999999999999":{"code":"0x0c"}}]}
<< {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"invalid opcode: opcode 0xc not defined"}}
>> {"jsonrpc":"2.0","id":3,"method":"eth_call","params":[{"to":"0x9999999999999999999999999999999999999999"},"latest",{"0x9999999999999999999999999999999999999999":{"code":"0x01"}}]}
<< {"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"stack underflow (0 <=> 2)"}}
>> {"jsonrpc":"2.0","id":4,"method":"eth_call","params":[{"to":"0x9999999999999999999999999999999999999999"},"latest",{"0x9999999999999999999999999999999999999999":{"code":"0x5f56"}}]}
<< {"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":"invalid jump destination"}}
>> {"jsonrpc":"2.0","id":5,"method":"eth_call","params":[{"to":"0x9999999999999999999999999999999999999999"},"latest",{"0x9999999999999999999999999999999999999999":{"code":"0x60015f5f3e"}}]}
<< {"jsonrpc":"2.0","id":5,"error":{"code":-32000,"message":"return data out of bounds"}}
>> {"jsonrpc":"2.0","id":6,"method":"eth_call","params":[{"to":"0x9999999999999999999999999999999999999999","gas":"0x7530"},"latest",{"0x9999999999999999999999999999999999999999":{"code":"0x5b5f56"}}]}
<< {"jsonrpc":"2.0","id":6,"error":{"code":-32000,"message":"out of gas"}}
// under the intrinsic gas
>> {"jsonrpc":"2.0","id":7,"method":"eth_call","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x1"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {"code":-32000,"message":"err: intrinsic gas too low: have 1, want 21000 (supplied gas 1)"}
   }
// value and gas that the sender cannot pay
>> {"jsonrpc":"2.0","id":8,"method":"eth_call","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "error": {
       "code": -32000,
       "message": "err: insufficient funds for gas * price + value: address 0x9999999999999999999999999999999999999999 have 0 want 1 (supplied gas 50000000)"
     }
   }
>> {"jsonrpc":"2.0","id":9,"method":"eth_call","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gasPrice":"0x77359400","gas":"0x5208"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": -32000,
       "message": "err: insufficient funds for gas * price + value: address 0x9999999999999999999999999999999999999999 have 0 want 42000000000000 (supplied gas 21000)"
     }
   }
// fees: under the base fee, tip above the cap
>> {"jsonrpc":"2.0","id":10,"method":"eth_call","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gasPrice":"0x1"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32000,
       "message": "err: max fee per gas less than block base fee: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, maxFeePerGas: 1, baseFee: 1000000000 (supplied gas 50000000)"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_call","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","maxFeePerGas":"0x77359400","maxPriorityFeePerGas":"0x77359401"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32000,
       "message": "err: max priority fee per gas higher than max fee per gas: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, maxPriorityFeePerGas: 2000000001, maxFeePerGas: 2000000000 (supplied gas 50000000)"
     }
   }
// a contract that cannot be created: code begins with 0xef
>> {"jsonrpc":"2.0","id":12,"method":"eth_call","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","data":"0x60ef5f5360015ff3"},"latest"]}
<< {"jsonrpc":"2.0","id":12,"error":{"code":-32000,"message":"invalid code: must not begin with 0xef"}}
// the same words where gas is estimated
>> {"jsonrpc":"2.0","id":13,"method":"eth_estimateGas","params":[{"to":"0x9999999999999999999999999999999999999999"},"latest",{"0x9999999999999999999999999999999999999999":{"code":"0xfe"}}]}
<< {"jsonrpc":"2.0","id":13,"error":{"code":-32000,"message":"invalid opcode: INVALID"}}
>> {"jsonrpc":"2.0","id":14,"method":"eth_estimateGas","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "error": {
       "code": -32000,
       "message": "failed with 21000 gas: insufficient funds for gas * price + value: address 0x9999999999999999999999999999999999999999 have 0 want 1"
     }
   }
