// Accounts of the node, and what they sign.
>> {"jsonrpc":"2.0","id":1,"method":"eth_accounts","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": [
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
>> {"jsonrpc":"2.0","id":2,"method":"eth_requestAccounts","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "result": [
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
>> {"jsonrpc":"2.0","id":3,"method":"eth_sign","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x68656c6c6f"]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": "0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c"
   }
>> {"jsonrpc":"2.0","id":4,"method":"personal_sign","params":["0x68656c6c6f","0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "result": "0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c"
   }
>> {"jsonrpc":"2.0","id":5,"method":"personal_sign","params":["0x68656c6c6f","0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",""]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": "0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c"
   }
// Typed data, as an object and as a string.
>> {"jsonrpc":"2.0","id":6,"method":"eth_signTypedData_v4","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}],"Person":[{"name":"name","type":"string"},{"name":"wallet","type":"address"}],"Mail":[{"name":"from","type":"Person"},{"name":"to","type":"Person"},{"name":"contents","type":"string"}]},"primaryType":"Mail","domain":{"name":"Ether Mail","version":"1","chainId":31337,"verifyingContract":"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},"message":{"from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},"to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},"contents":"Hello, Bob!"}}]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": "0x24ae9e0b806e0bc1d541919b88159410c20a8e4dda57c15f53df6e190ca0f7f90d7cfe1fcc138c38b9e5d20020659dc73e713449aa617e139389b463fab629a61c"
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_signTypedData_v4","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","{\"types\": {\"EIP712Domain\": [{\"name\": \"name\", \"type\": \"string\"}, {\"name\": \"version\", \"type\": \"string\"}, {\"name\": \"chainId\", \"type\": \"uint256\"}, {\"name\": \"verifyingContract\", \"type\": \"address\"}], \"Person\": [{\"name\": \"name\", \"type\": \"string\"}, {\"name\": \"wallet\", \"type\": \"address\"}], \"Mail\": [{\"name\": \"from\", \"type\": \"Person\"}, {\"name\": \"to\", \"type\": \"Person\"}, {\"name\": \"contents\", \"type\": \"string\"}]}, \"primaryType\": \"Mail\", \"domain\": {\"name\": \"Ether Mail\", \"version\": \"1\", \"chainId\": 31337, \"verifyingContract\": \"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC\"}, \"message\": {\"from\": {\"name\": \"Cow\", \"wallet\": \"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826\"}, \"to\": {\"name\": \"Bob\", \"wallet\": \"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB\"}, \"contents\": \"Hello, Bob!\"}}"]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": "0x24ae9e0b806e0bc1d541919b88159410c20a8e4dda57c15f53df6e190ca0f7f90d7cfe1fcc138c38b9e5d20020659dc73e713449aa617e139389b463fab629a61c"
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_signTypedData","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}],"Person":[{"name":"name","type":"string"},{"name":"wallet","type":"address"}],"Mail":[{"name":"from","type":"Person"},{"name":"to","type":"Person"},{"name":"contents","type":"string"}]},"primaryType":"Mail","domain":{"name":"Ether Mail","version":"1","chainId":31337,"verifyingContract":"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},"message":{"from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},"to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},"contents":"Hello, Bob!"}}]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "result": "0x24ae9e0b806e0bc1d541919b88159410c20a8e4dda57c15f53df6e190ca0f7f90d7cfe1fcc138c38b9e5d20020659dc73e713449aa617e139389b463fab629a61c"
   }
>> {"jsonrpc":"2.0","id":9,"method":"eth_signTypedData_v4","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {"code":-32602,"message":"invalid argument 1 (typed data) of eth_signTypedData_v4: type  is not declared"}
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_signTypedData_v4","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","no json"]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (typed data) of eth_signTypedData_v4: have \"no json\" (the string is not JSON), want EIP-712 typed data: an object, or a string of one"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_signTypedData_v4","params":["0x9999999999999999999999999999999999999999",{"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}],"Person":[{"name":"name","type":"string"},{"name":"wallet","type":"address"}],"Mail":[{"name":"from","type":"Person"},{"name":"to","type":"Person"},{"name":"contents","type":"string"}]},"primaryType":"Mail","domain":{"name":"Ether Mail","version":"1","chainId":31337,"verifyingContract":"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},"message":{"from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},"to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},"contents":"Hello, Bob!"}}]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {
       "code": -32000,
       "message": "unknown account 0x9999999999999999999999999999999999999999: the node has no key for it; anvil_impersonateAccount lets you send from it"
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"eth_sign","params":["0x9999999999999999999999999999999999999999","0x00"]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "error": {
       "code": -32000,
       "message": "unknown account 0x9999999999999999999999999999999999999999: the node has no key for it; anvil_impersonateAccount lets you send from it"
     }
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_signTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1","nonce":"0x0","gas":"0x5208","maxFeePerGas":"0x77359400","maxPriorityFeePerGas":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "result": {
       "raw": "0x02f868827a69800184773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0a47eb869be1e4a07b681e7063df0270355cb7c5a899b179a80cb601de381a8f3a044967264754ab0d27600532eb0049fc2d29d8b11f8ec1ce53d2d30b481e53d69",
       "tx": {
         "type": "0x2",
         "chainId": "0x7a69",
         "nonce": "0x0",
         "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "gas": "0x5208",
         "gasPrice": null,
         "maxPriorityFeePerGas": "0x1",
         "maxFeePerGas": "0x77359400",
         "value": "0x1",
         "input": "0x",
         "accessList": [],
         "v": "0x1",
         "r": "0xa47eb869be1e4a07b681e7063df0270355cb7c5a899b179a80cb601de381a8f3",
         "s": "0x44967264754ab0d27600532eb0049fc2d29d8b11f8ec1ce53d2d30b481e53d69",
         "yParity": "0x1",
         "hash": "0xda4c91867292b5c899a46e64b839f9ded8f61b045aac4bd73bae641842fbf94b"
       }
     }
   }
>> {"jsonrpc":"2.0","id":14,"method":"eth_signTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gasPrice":"0x77359400"}]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "result": {
       "raw": "0xf8658084773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c8808082f4f5a08177f3733e6cc4c0d4bb9d9e2f23aff76a067d6dec6eb22c7bd41eb4abbdfd67a0682144fe578647dce7c0448749fa378226b2b11d281192b00a725cbe4da23712",
       "tx": {
         "type": "0x0",
         "chainId": "0x7a69",
         "nonce": "0x0",
         "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "gas": "0x5208",
         "gasPrice": "0x77359400",
         "maxPriorityFeePerGas": null,
         "maxFeePerGas": null,
         "value": "0x0",
         "input": "0x",
         "v": "0xf4f5",
         "r": "0x8177f3733e6cc4c0d4bb9d9e2f23aff76a067d6dec6eb22c7bd41eb4abbdfd67",
         "s": "0x682144fe578647dce7c0448749fa378226b2b11d281192b00a725cbe4da23712",
         "hash": "0xc6cb5e85815830a099a34bcc5dc4cf3f2c3e2fcb4a4dbdf9276fbd2b9491893b"
       }
     }
   }
>> {"jsonrpc":"2.0","id":15,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "result": {
       "raw": "0x02ec827a6980843b9aca0084a3e9ab808252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c0808080",
       "tx": {
         "type": "0x2",
         "chainId": "0x7a69",
         "nonce": "0x0",
         "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "gas": "0x5208",
         "gasPrice": null,
         "maxPriorityFeePerGas": "0x3b9aca00",
         "maxFeePerGas": "0xa3e9ab80",
         "value": "0x1",
         "input": "0x",
         "accessList": [],
         "v": "0x0",
         "r": "0x0",
         "s": "0x0",
         "yParity": "0x0",
         "hash": "0x98850904fc191a67c910aab32bea4430d7bdbf33fd219921ce2c540051e69e0d"
       }
     }
   }
>> {"jsonrpc":"2.0","id":16,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","type":"0x0"}]}
<< {
     "jsonrpc": "2.0",
     "id": 16,
     "result": {
       "raw": "0xe380846fc23ac08252089470997970c51812dc3a010c7d01b50e0d17dc79c88080808080",
       "tx": {
         "type": "0x0",
         "nonce": "0x0",
         "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "gas": "0x5208",
         "gasPrice": "0x6fc23ac0",
         "maxPriorityFeePerGas": null,
         "maxFeePerGas": null,
         "value": "0x0",
         "input": "0x",
         "v": "0x0",
         "r": "0x0",
         "s": "0x0",
         "hash": "0x468550e991669c7145858d822ae4a5129a4c404dfd15a3ac403951ea40af5b05"
       }
     }
   }
>> {"jsonrpc":"2.0","id":17,"method":"eth_signTransaction","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"}]}
<< {
     "jsonrpc": "2.0",
     "id": 17,
     "error": {
       "code": -32000,
       "message": "unknown account 0x9999999999999999999999999999999999999999: the node has no key for it; anvil_impersonateAccount lets you send from it"
     }
   }
>> {"jsonrpc":"2.0","id":18,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}]}
<< {
     "jsonrpc": "2.0",
     "id": 18,
     "error": {"code":-32000,"message":"neither \"to\" nor \"data\": a contract creation needs data"}
   }
>> {"jsonrpc":"2.0","id":19,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","data":"0x01","input":"0x02"}]}
<< {"jsonrpc":"2.0","id":19,"error":{"code":-32000,"message":"both \"data\" and \"input\" are set and not equal"}}
>> {"jsonrpc":"2.0","id":20,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","chainId":"0x1"}]}
<< {"jsonrpc":"2.0","id":20,"error":{"code":-32000,"message":"chainId 1 does not match the node's 31337"}}
>> {"jsonrpc":"2.0","id":21,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gasPrice":"0x1","maxFeePerGas":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 21,
     "error": {"code":-32000,"message":"both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified"}
   }
// The domain of another chain.
>> {"jsonrpc":"2.0","id":60,"method":"eth_signTypedData_v4","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}],"Person":[{"name":"name","type":"string"},{"name":"wallet","type":"address"}],"Mail":[{"name":"from","type":"Person"},{"name":"to","type":"Person"},{"name":"contents","type":"string"}]},"primaryType":"Mail","domain":{"name":"Ether Mail","version":"1","chainId":1,"verifyingContract":"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},"message":{"from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},"to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},"contents":"Hello, Bob!"}}]}
<< {
     "jsonrpc": "2.0",
     "id": 60,
     "error": {"code":-32603,"message":"Provided chainId \"1\" must match the active chainId \"31337\""}
   }
// Nothing that the pool refuses is filled.
>> {"jsonrpc":"2.0","id":22,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x5208","maxFeePerGas":"0x1","maxPriorityFeePerGas":"0x2"}]}
<< {"jsonrpc":"2.0","id":22,"error":{"code":-32000,"message":"maxFeePerGas (1) < maxPriorityFeePerGas (2)"}}
>> {"jsonrpc":"2.0","id":23,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x5208","maxFeePerBlobGas":"0x0"}]}
<< {"jsonrpc":"2.0","id":23,"error":{"code":-32000,"message":"maxFeePerBlobGas, if specified, must be non-zero"}}
>> {"jsonrpc":"2.0","id":24,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x5208","blobVersionedHashes":[]}]}
<< {"jsonrpc":"2.0","id":24,"error":{"code":-32000,"message":"need at least 1 blob for a blob transaction"}}
>> {"jsonrpc":"2.0","id":25,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x5208","blobs":[]}]}
<< {"jsonrpc":"2.0","id":25,"error":{"code":-32000,"message":"need at least 1 blob for a blob transaction"}}
>> {"jsonrpc":"2.0","id":26,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x5208","blobVersionedHashes":["0x0100000000000000000000000000000000000000000000000000000000000000","0x0100000000000000000000000000000000000000000000000000000000000000","0x0100000000000000000000000000000000000000000000000000000000000000","0x0100000000000000000000000000000000000000000000000000000000000000","0x0100000000000000000000000000000000000000000000000000000000000000","0x0100000000000000000000000000000000000000000000000000000000000000","0x0100000000000000000000000000000000000000000000000000000000000000"]}]}
<< {"jsonrpc":"2.0","id":26,"error":{"code":-32000,"message":"too many blobs in transaction (have=7, max=6)"}}
>> {"jsonrpc":"2.0","id":27,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x5208","blobVersionedHashes":["0x0100000000000000000000000000000000000000000000000000000000000000"],"gasPrice":"0x77359400"}]}
<< {
     "jsonrpc": "2.0",
     "id": 27,
     "error": {"code":-32000,"message":"gasPrice specified for a transaction type that has maxFeePerGas"}
   }
// The type is what the fields ask for.
>> {"jsonrpc":"2.0","id":28,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","gas":"0x5208","gasPrice":"0x77359400","accessList":[]}]}
<< {
     "jsonrpc": "2.0",
     "id": 28,
     "result": {
       "raw": "0x01e7827a698084773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c88080c0808080",
       "tx": {
         "type": "0x1",
         "chainId": "0x7a69",
         "nonce": "0x0",
         "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
         "gas": "0x5208",
         "gasPrice": "0x77359400",
         "maxPriorityFeePerGas": null,
         "maxFeePerGas": null,
         "value": "0x0",
         "input": "0x",
         "accessList": [],
         "v": "0x0",
         "r": "0x0",
         "s": "0x0",
         "yParity": "0x0",
         "hash": "0x7982227a8525ebc63b33103fc53592f960ae73c1da7963e45c589c36fb71f7cf"
       }
     }
   }
