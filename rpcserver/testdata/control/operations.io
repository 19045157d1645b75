// user operations: what the bundler serves, and errors
>> {"jsonrpc":"2.0","id":1,"method":"eth_supportedEntryPoints","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
>> {"jsonrpc":"2.0","id":2,"method":"eth_getUserOperationByHash","params":["0x0000000000000000000000000000000000000000000000000000000000000000"]}
<< {"jsonrpc":"2.0","id":2,"result":null}
>> {"jsonrpc":"2.0","id":3,"method":"eth_getUserOperationReceipt","params":["0x0000000000000000000000000000000000000000000000000000000000000000"]}
<< {"jsonrpc":"2.0","id":3,"result":null}
>> {"jsonrpc":"2.0","id":21,"method":"pimlico_getUserOperationStatus","params":["0x0000000000000000000000000000000000000000000000000000000000000000"]}
<< {"jsonrpc":"2.0","id":21,"result":{"status":"not_found","transactionHash":null}}
>> {"jsonrpc":"2.0","id":22,"method":"pimlico_getUserOperationGasPrice","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 22,
     "result": {
       "fast": {"maxFeePerGas":"0xa3e9ab80","maxPriorityFeePerGas":"0x3b9aca00"},
       "slow": {"maxFeePerGas":"0xa3e9ab80","maxPriorityFeePerGas":"0x3b9aca00"},
       "standard": {"maxFeePerGas":"0xa3e9ab80","maxPriorityFeePerGas":"0x3b9aca00"}
     }
   }
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_operation","params":["0x0000000000000000000000000000000000000000000000000000000000000000"]}
<< {"jsonrpc":"2.0","id":4,"result":{"where":"unknown"}}
>> {"jsonrpc":"2.0","id":5,"method":"eth_sendUserOperation","params":[{},"0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108"]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -32602,
       "message": "EntryPoint 0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108 is not supported, want one of []"
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_estimateUserOperationGas","params":[{},"0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108"]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "error": {
       "code": -32602,
       "message": "EntryPoint 0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108 is not supported, want one of []"
     }
   }
>> {"jsonrpc":"2.0","id":7,"method":"pm_getPaymasterStubData","params":[{},"0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108","0x7a69",{}]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {
       "code": -32602,
       "message": "EntryPoint 0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108 is not supported, want one of []"
     }
   }
>> {"jsonrpc":"2.0","id":8,"method":"pm_getPaymasterData","params":[{},"0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108","0x7a69",{}]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "error": {
       "code": -32602,
       "message": "EntryPoint 0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108 is not supported, want one of []"
     }
   }
>> {"jsonrpc":"2.0","id":9,"method":"debug_bundler_dumpMempool","params":["0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108"]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": -32602,
       "message": "EntryPoint 0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108 is not supported, want one of []"
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"debug_bundler_clearState","params":[]}
<< {"jsonrpc":"2.0","id":10,"result":"ok"}
>> {"jsonrpc":"2.0","id":11,"method":"fakenode_bundlerFault","params":[{"kind":"delay"}]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32602,
       "message": "fakenode_bundlerFault: kind \"delay\" is unknown: want one of [never late revert replace twice forget lie underestimate]"
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"fakenode_paymaster","params":[{}]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {
       "code": -32602,
       "message": "fakenode_paymaster: the chain has no paymaster of the node at 0x137fcF8f1791c45324cb6eb6085Ab25092f940d1, as a genesis with the payment contracts has it"
     }
   }
>> {"jsonrpc":"2.0","id":13,"method":"wallet_getPermissions","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "result": [
       {
         "parentCapability": "eth_accounts",
         "caveats": [
           {
             "type": "restrictReturnedAccounts",
             "value": [
               "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
               "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
               "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
               "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
               "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
               "0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc",
               "0x976ea74026e726554db657fa54763abd0c3a0aa9",
               "0x14dc79964da2c08b23698b3d3cc7ca32193d9955",
               "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
               "0xa0ee7a142d267c1f36714e4a8f75612f20a79720",
               "0xbcd4042de499d14e55001ccbb24a551f3b954096",
               "0x71be63f3384f5fb98995898a86b02fb2426c5788",
               "0xfabb0ac9d68b0b445fb7357272ff202c5651694a",
               "0x1cbd3b2770909d4e10f157cabc84c7264073c9ec",
               "0xdf3e18d64bc6a983f673ab319ccae4f1a57c7097",
               "0xcd3b766ccdd6ae721141f452c550ca635964ce71",
               "0x2546bcd3c84621e976d8185a91a922ae77ecec30",
               "0xbda5747bfd65f08deb54cb465eb87d40e51b197e",
               "0xdd2fd4581271e230360230f9337d5c0430bf44c0",
               "0x8626f6940e2eb28930efb4cef49b2d1f2c9c1199"
             ]
           }
         ]
       }
     ]
   }
