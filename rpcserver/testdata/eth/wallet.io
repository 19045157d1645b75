// A batch of calls (EIP-5792) that need not be atomic: in the pool, pre-confirmed, sealed, lost by a reorg.
>> {"jsonrpc":"2.0","id":1,"method":"wallet_getCapabilities","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",["0x7a69","0x1"]]}
<< {"jsonrpc":"2.0","id":1,"result":{"0x7a69":{"atomic":{"status":"unsupported"}}}}
>> {"jsonrpc":"2.0","id":2,"method":"wallet_sendCalls","params":[{"version":"2.0.0","id":"order-1","chainId":"0x7a69","atomicRequired":false,"calls":[{"to":"0x000000000000000000000000000000000000feed","value":"0x1"}]}]}
<< {"jsonrpc":"2.0","id":2,"result":{"id":"order-1"}}
>> {"jsonrpc":"2.0","id":3,"method":"wallet_getCallsStatus","params":["order-1"]}
<< {"jsonrpc":"2.0","id":3,"result":{"version":"2.0.0","id":"order-1","chainId":"0x7a69","status":100,"atomic":false}}
!! preconfirm
>> {"jsonrpc":"2.0","id":4,"method":"wallet_getCallsStatus","params":["order-1"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "result": {
       "version": "2.0.0",
       "id": "order-1",
       "chainId": "0x7a69",
       "status": 100,
       "atomic": false,
       "receipts": [
         {
           "logs": [],
           "status": "0x1",
           "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
           "blockNumber": "0x1",
           "gasUsed": "0x5208",
           "transactionHash": "0xc6a85e70d636365c9bf30f58bf5b0139c4a0696252cc84a4121bd49cd30ccd82"
         }
       ]
     }
   }
!! seal
>> {"jsonrpc":"2.0","id":5,"method":"wallet_getCallsStatus","params":["order-1"]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": {
       "version": "2.0.0",
       "id": "order-1",
       "chainId": "0x7a69",
       "status": 200,
       "atomic": false,
       "receipts": [
         {
           "logs": [],
           "status": "0x1",
           "blockHash": "0x2bebaf5f465566a2816d75cbba4a2df36ee8a9e1a87749c2d38fde04d12a277d",
           "blockNumber": "0x1",
           "gasUsed": "0x5208",
           "transactionHash": "0xc6a85e70d636365c9bf30f58bf5b0139c4a0696252cc84a4121bd49cd30ccd82"
         }
       ]
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"wallet_showCallsStatus","params":["order-1"]}
<< {"jsonrpc":"2.0","id":6,"result":null}
>> {"jsonrpc":"2.0","id":7,"method":"wallet_sendCalls","params":[{"version":"2.0.0","id":"order-1","chainId":"0x7a69","atomicRequired":false,"calls":[{"to":"0x000000000000000000000000000000000000feed","value":"0x1"}]}]}
<< {"jsonrpc":"2.0","id":7,"error":{"code":5720,"message":"there is a batch with the id order-1"}}
>> {"jsonrpc":"2.0","id":8,"method":"fakenode_reorg","params":[{"depth":1,"transactions":"drop"}]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "result": {
       "removed": ["0x2bebaf5f465566a2816d75cbba4a2df36ee8a9e1a87749c2d38fde04d12a277d"],
       "added": [
         "0x3cf970045e7c56201f8b0ba47b3c147226c0093d63012825ab906e87a1663278",
         "0x40ba3122473b85f92eaec28a2124bba9974aa6e6cf3abef9105ba522aa23aa50"
       ],
       "requeued": []
     }
   }
>> {"jsonrpc":"2.0","id":9,"method":"wallet_getCallsStatus","params":["order-1"]}
<< {"jsonrpc":"2.0","id":9,"result":{"version":"2.0.0","id":"order-1","chainId":"0x7a69","status":400,"atomic":false}}
>> {"jsonrpc":"2.0","id":10,"method":"wallet_getCallsStatus","params":["order-2"]}
<< {"jsonrpc":"2.0","id":10,"error":{"code":5730,"message":"there is no batch with the id order-2"}}
// Chains, permissions, tokens.
>> {"jsonrpc":"2.0","id":11,"method":"wallet_switchEthereumChain","params":[{"chainId":"0x7a69"}]}
<< {"jsonrpc":"2.0","id":11,"result":null}
>> {"jsonrpc":"2.0","id":12,"method":"wallet_switchEthereumChain","params":[{"chainId":"0x1"}]}
<< {"jsonrpc":"2.0","id":12,"error":{"code":4902,"message":"chain 0x1 is not here: this one is 0x7a69"}}
>> {"jsonrpc":"2.0","id":13,"method":"wallet_addEthereumChain","params":[{"chainId":"0x1","chainName":"Ethereum","rpcUrls":["https://chain.example"]}]}
<< {"jsonrpc":"2.0","id":13,"error":{"code":4902,"message":"chain 0x1 is not here: this one is 0x7a69"}}
>> {"jsonrpc":"2.0","id":14,"method":"wallet_requestPermissions","params":[{"eth_accounts":{}}]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
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
>> {"jsonrpc":"2.0","id":15,"method":"wallet_requestPermissions","params":[{"snaps":{}}]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (permissions) of wallet_requestPermissions: permission snaps is not supported, the wallet has eth_accounts alone"
     }
   }
>> {"jsonrpc":"2.0","id":16,"method":"wallet_revokePermissions","params":[{"eth_accounts":{}}]}
<< {"jsonrpc":"2.0","id":16,"result":null}
>> {"jsonrpc":"2.0","id":17,"method":"wallet_watchAsset","params":{"type":"ERC20","options":{"address":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","symbol":"USDC","decimals":6}}}
<< {"jsonrpc":"2.0","id":17,"result":true}
>> {"jsonrpc":"2.0","id":18,"method":"personal_ecRecover","params":["0x68656c6c6f","0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c"]}
<< {"jsonrpc":"2.0","id":18,"result":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}
