// State overrides: balance, nonce, code, storage as a whole or by slot.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{"0x1000000000000000000000000000000000000004":{"code":"0x60005460005260206000f3","state":{"0x0000000000000000000000000000000000000000000000000000000000000000":"0x0000000000000000000000000000000000000000000000000000000000000007"}}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000007"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{"0x1000000000000000000000000000000000000004":{"stateDiff":{"0x0000000000000000000000000000000000000000000000000000000000000000":"0x0000000000000000000000000000000000000000000000000000000000000009"}}}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x000000000000000000000000000000000000000000000000000000000000000a"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_call","params":[{"to":"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},"latest",{"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":{"code":"0x4760005260206000f3","balance":"0x2a"}}]}
<< {"jsonrpc":"2.0","id":3,"result":"0x000000000000000000000000000000000000000000000000000000000000002a"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_call","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"},"latest",{"0x9999999999999999999999999999999999999999":{"balance":"0x1","nonce":"0x5"}}]}
<< {"jsonrpc":"2.0","id":4,"result":"0x"}
// On top of pre-confirmed state.
>> {"jsonrpc":"2.0","id":5,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":5,"result":"0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"}
!! preconfirm
>> {"jsonrpc":"2.0","id":6,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"pending",{"0x1000000000000000000000000000000000000004":{"balance":"0x1"}}]}
<< {"jsonrpc":"2.0","id":6,"result":"0x0000000000000000000000000000000000000000000000000000000000000002"}
>> {"jsonrpc":"2.0","id":7,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"pending",{"0x1000000000000000000000000000000000000004":{"state":{}}}]}
<< {"jsonrpc":"2.0","id":7,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
// A moved precompile.
>> {"jsonrpc":"2.0","id":8,"method":"eth_call","params":[{"to":"0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","data":"0x1234"},"latest",{"0x0000000000000000000000000000000000000004":{"movePrecompileToAddress":"0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}}]}
<< {"jsonrpc":"2.0","id":8,"result":"0x1234"}
// Block overrides, under both names.
>> {"jsonrpc":"2.0","id":9,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000003"},"latest",{},{"number":"0x64","time":"0x65","gasLimit":"0x66","feeRecipient":"0x6767676767676767676767676767676767676767","prevRandao":"0x0000000000000000000000000000000000000000000000000000000000000068","baseFeePerGas":"0x69"}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "result": "0x0000000000000000000000000000000000000000000000000000000000000064000000000000000000000000000000000000000000000000000000000000006500000000000000000000000000000000000000000000000000000000000000000000000000000000000000006767676767676767676767676767676767676767000000000000000000000000000000000000000000000000000000000000006800000000000000000000000000000000000000000000000000000000000000660000000000000000000000000000000000000000000000000000000000007a690000000000000000000000000000000000000000000000000000000000000000"
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000003"},"latest",null,{"blockNumber":"0x64","timestamp":"0x65","coinbase":"0x6767676767676767676767676767676767676767","random":"0x0000000000000000000000000000000000000000000000000000000000000068","baseFee":"0x69","blockHash":{"0x63":"0x0000000000000000000000000000000000000000000000000000000000000063"}}]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "result": "0x0000000000000000000000000000000000000000000000000000000000000064000000000000000000000000000000000000000000000000000000000000006500000000000000000000000000000000000000000000000000000000000000000000000000000000000000006767676767676767676767676767676767676767000000000000000000000000000000000000000000000000000000000000006800000000000000000000000000000000000000000000000000000000039387000000000000000000000000000000000000000000000000000000000000007a690000000000000000000000000000000000000000000000000000000000000063"
   }
// Refused: both kinds of storage, what is no precompile, a member that does not exist.
>> {"jsonrpc":"2.0","id":11,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{"0x1000000000000000000000000000000000000004":{"state":{},"stateDiff":{}}}]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32000,
       "message": "account 0x1000000000000000000000000000000000000004 has both 'state' and 'stateDiff'"
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{"0x1000000000000000000000000000000000000004":{"movePrecompileToAddress":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"}}]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {"code":-32000,"message":"account 0x1000000000000000000000000000000000000004 is not a precompile"}
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{"0x1000000000000000000000000000000000000004":{"stateDif":{}}}]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "error": {
       "code": -32602,
       "message": "invalid argument 2 (state overrides) of eth_call: have {\"0x1000000000000000000000000000000000000004\":{\"stateDif\":{}}} (0x1000000000000000000000000000000000000004: member \"stateDif\" is unknown, want nonce, code, balance, state, stateDiff, storage, movePrecompileToAddress), want an object of account overrides by address: balance, nonce, code, state, stateDiff or storage, movePrecompileToAddress"
     }
   }
>> {"jsonrpc":"2.0","id":14,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{"0x1000000000000000000000000000000000000004":{"state":{"0x0":"0x1"}}}]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "error": {
       "code": -32602,
       "message": "invalid argument 2 (state overrides) of eth_call: have {\"0x1000000000000000000000000000000000000004\":{\"state\":{\"0x0\":\"0x1\"}}} (state is hex string of odd length, want a hash (32 bytes in hex)), want an object of account overrides by address: balance, nonce, code, state, stateDiff or storage, movePrecompileToAddress"
     }
   }
>> {"jsonrpc":"2.0","id":15,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{},{"withdrawals":[]}]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "error": {"code":-32000,"message":"withdrawals: block override is not supported for this method"}
   }
// Nor does a block have unknown ones; a tracer's configuration may, but not the overrides in it.
>> {"jsonrpc":"2.0","id":16,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{},{"timestmap":"0x5"}]}
<< {
     "jsonrpc": "2.0",
     "id": 16,
     "error": {
       "code": -32602,
       "message": "invalid argument 3 (block overrides) of eth_call: have {\"timestmap\":\"0x5\"} (member \"timestmap\" is unknown, want number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, difficulty, beaconRoot, withdrawals, blockNumber, timestamp, coinbase, random, baseFee, blockHash), want an object of block overrides: number, timestamp or time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, difficulty, beaconRoot, withdrawals, blockHash"
     }
   }
>> {"jsonrpc":"2.0","id":17,"method":"eth_estimateGas","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{},{"timestmap":"0x5"}]}
<< {
     "jsonrpc": "2.0",
     "id": 17,
     "error": {
       "code": -32602,
       "message": "invalid argument 3 (block overrides) of eth_estimateGas: have {\"timestmap\":\"0x5\"} (member \"timestmap\" is unknown, want number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, difficulty, beaconRoot, withdrawals, blockNumber, timestamp, coinbase, random, baseFee, blockHash), want an object of block overrides: number, timestamp or time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, difficulty, beaconRoot, withdrawals, blockHash"
     }
   }
>> {"jsonrpc":"2.0","id":18,"method":"eth_createAccessList","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{},{"timestmap":"0x5"}]}
<< {
     "jsonrpc": "2.0",
     "id": 18,
     "error": {
       "code": -32602,
       "message": "invalid argument 3 (block overrides) of eth_createAccessList: have {\"timestmap\":\"0x5\"} (member \"timestmap\" is unknown, want number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, difficulty, beaconRoot, withdrawals, blockNumber, timestamp, coinbase, random, baseFee, blockHash), want an object of block overrides: number, timestamp or time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, difficulty, beaconRoot, withdrawals, blockHash"
     }
   }
>> {"jsonrpc":"2.0","id":19,"method":"debug_traceCall","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{"blockOverrides":{"timestmap":"0x5"}}]}
<< {
     "jsonrpc": "2.0",
     "id": 19,
     "error": {
       "code": -32602,
       "message": "invalid blockOverrides: have {\"timestmap\":\"0x5\"} (member \"timestmap\" is unknown, want number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, difficulty, beaconRoot, withdrawals, blockNumber, timestamp, coinbase, random, baseFee, blockHash), want an object of block overrides: number, timestamp or time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, difficulty, beaconRoot, withdrawals, blockHash"
     }
   }
>> {"jsonrpc":"2.0","id":20,"method":"debug_traceCall","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{"stateOverrides":{"0x1000000000000000000000000000000000000004":{"stateDif":{}}}}]}
<< {
     "jsonrpc": "2.0",
     "id": 20,
     "error": {
       "code": -32602,
       "message": "invalid stateOverrides: have {\"0x1000000000000000000000000000000000000004\":{\"stateDif\":{}}} (0x1000000000000000000000000000000000000004: member \"stateDif\" is unknown, want nonce, code, balance, state, stateDiff, storage, movePrecompileToAddress), want an object of account overrides by address: balance, nonce, code, state, stateDiff or storage, movePrecompileToAddress"
     }
   }
>> {"jsonrpc":"2.0","id":21,"method":"debug_traceCall","params":[{"to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"},"latest",{"tracer":"callTracer","reexec":128,"blockOverrides":null}]}
<< {
     "jsonrpc": "2.0",
     "id": 21,
     "result": {
       "from": "0x0000000000000000000000000000000000000000",
       "gas": "0x2faf080",
       "gasUsed": "0x5208",
       "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
       "input": "0x",
       "value": "0x0",
       "type": "CALL"
     }
   }
