// Balance, nonce, storage and proof see what is pre-confirmed under pending; the nonce the pool, too.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x21e19e0c9bab2400000"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":3,"result":"0x395a8bef77eabb5292b48974c373ba8f3467a456c742fb3dbcdfe71d6f149ca1"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","pending"]}
<< {"jsonrpc":"2.0","id":4,"result":"0x2"}
>> {"jsonrpc":"2.0","id":5,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","latest"]}
<< {"jsonrpc":"2.0","id":5,"result":"0x0"}
>> {"jsonrpc":"2.0","id":6,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {"jsonrpc":"2.0","id":6,"result":"0x0"}
>> {"jsonrpc":"2.0","id":7,"method":"eth_getStorageAt","params":["0x1000000000000000000000000000000000000004","0x0","pending"]}
<< {"jsonrpc":"2.0","id":7,"result":"0x0000000000000000000000000000000000000000000000000000000000000000"}
!! preconfirm
>> {"jsonrpc":"2.0","id":8,"method":"eth_getBalance","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8","pending"]}
<< {"jsonrpc":"2.0","id":8,"result":"0x21e19e0c9bab2400001"}
>> {"jsonrpc":"2.0","id":9,"method":"eth_getBalance","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8","latest"]}
<< {"jsonrpc":"2.0","id":9,"result":"0x21e19e0c9bab2400000"}
>> {"jsonrpc":"2.0","id":10,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","pending"]}
<< {"jsonrpc":"2.0","id":10,"result":"0x2"}
>> {"jsonrpc":"2.0","id":11,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","latest"]}
<< {"jsonrpc":"2.0","id":11,"result":"0x0"}
>> {"jsonrpc":"2.0","id":12,"method":"eth_getStorageAt","params":["0x1000000000000000000000000000000000000004","0x0","pending"]}
<< {"jsonrpc":"2.0","id":12,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":13,"method":"eth_getStorageAt","params":["0x1000000000000000000000000000000000000004","0x0","latest"]}
<< {"jsonrpc":"2.0","id":13,"result":"0x0000000000000000000000000000000000000000000000000000000000000000"}
>> {"jsonrpc":"2.0","id":14,"method":"eth_getStorageValues","params":[{"0x1000000000000000000000000000000000000004":["0x0000000000000000000000000000000000000000000000000000000000000000","0x0000000000000000000000000000000000000000000000000000000000000001"]},"pending"]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "result": {
       "0x1000000000000000000000000000000000000004": [
         "0x0000000000000000000000000000000000000000000000000000000000000001",
         "0x0000000000000000000000000000000000000000000000000000000000000000"
       ]
     }
   }
>> {"jsonrpc":"2.0","id":15,"method":"eth_getProof","params":["0x1000000000000000000000000000000000000004",["0x0","0x0000000000000000000000000000000000000000000000000000000000000000"],"pending"]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "result": {
       "address": "0x1000000000000000000000000000000000000004",
       "accountProof": [
         "0xf901f1a092529d7c101b58117bc83e87a163560bff1071afb9d8773f403c3d0355fe6e47a0cdbb4a75ccfaf7e7f514d4ebbdff13b0038aadce04bc838fc48f371031f4926f80a046c8fe772320b8993d7dab4f8e5040649f5c7877426b12a124e9a744fdd56cb7a0aa67a1dbdbf9f311649479ca0871cd274a36fe84de872b4fe94b979a614eefdca06743018d1568eac9c749a26b54b8987779621b6615ab1a63768d542e24dd427ca0bce9d4b42975b07e06ffaaaf5d8633e3d6b93298a34a2993258e7f68f751117aa08a9d13055947aadb6a3141c0d0815d8c99873e16518ca9b68dee7ab880c4fdb9a04b29efa44ecf50c19b34950cf1d0f05e00568bcc873120fbea9a4e8439de0962a0c2a811211e478a8d499c1d17562e4416476f63e4731d3f656be7354245e17d11a08155fd29347bab3e0be137390e2644bb484ddbe2506ec22d0ef522fccf06cf2ca0b3482bffbb53c9c6ffc639b49797eef9e05d128d3989f6f79a411e944a573c9da06eaef7a7fa56cb18e02e83ea901184a0ac99e3579dfb1f07ad12d4a48bd31c80a0447822e7eb08f664799f6fb1e2bac01471e023f41fa0ffd7afa3c026aef2c6c9a07b842af985376c0306e94dddd612b14c8ff0d09a0f9e804cc108cfa6ed7e2b98a0e5c557a0ce3894afeb44c37f3d24247f67dc76a174d8cacc360c1210eef60a7680",
         "0xf87180a0de5d0f8d14997487a666b6a3c137e46422e0c327d2bf20c87467ad7c5f5ea025a0320e3b9538d0759b80b6d40ddcb31f169ce62ac8d0f3de7fb2d3257dfd11c54b808080808080808080808080a06d58b7340206ff51eb8b51da940d8c4e789e883268d54ccebb555b91bbd21b1080",
         "0xf869a02000d9d800cf801a00233db291d27053a52309a5a02c38cbe0b2ba1a17855812b846f8440180a0821e2556a290c86405f8160a2d662042a431ba456b9db265c79bb837c04be5f0a03415be02927ad810ffd17e26dbb7df60166e0c5481b4fc9cce2ca525127aa152"
       ],
       "balance": "0x0",
       "codeHash": "0x3415be02927ad810ffd17e26dbb7df60166e0c5481b4fc9cce2ca525127aa152",
       "nonce": "0x1",
       "storageHash": "0x821e2556a290c86405f8160a2d662042a431ba456b9db265c79bb837c04be5f0",
       "storageProof": [
         {
           "key": "0x0",
           "value": "0x1",
           "proof": ["0xe3a120290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e56301"]
         },
         {
           "key": "0x0000000000000000000000000000000000000000000000000000000000000000",
           "value": "0x1",
           "proof": ["0xe3a120290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e56301"]
         }
       ]
     }
   }
!! seal
>> {"jsonrpc":"2.0","id":16,"method":"eth_getBalance","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8"]}
<< {"jsonrpc":"2.0","id":16,"result":"0x21e19e0c9bab2400001"}
>> {"jsonrpc":"2.0","id":17,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x0"]}
<< {"jsonrpc":"2.0","id":17,"result":"0x0"}
>> {"jsonrpc":"2.0","id":18,"method":"eth_getStorageAt","params":["0x1000000000000000000000000000000000000004","0"]}
<< {"jsonrpc":"2.0","id":18,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":19,"method":"eth_getStorageAt","params":["0x1000000000000000000000000000000000000004","0x0000000000000000000000000000000000000000000000000000000000000000","latest"]}
<< {"jsonrpc":"2.0","id":19,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":20,"method":"eth_getStorageValues","params":[{"0x1000000000000000000000000000000000000004":["0x0000000000000000000000000000000000000000000000000000000000000000"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 20,
     "result": {
       "0x1000000000000000000000000000000000000004": [
         "0x0000000000000000000000000000000000000000000000000000000000000001"
       ]
     }
   }
>> {"jsonrpc":"2.0","id":21,"method":"eth_getProof","params":["0x1000000000000000000000000000000000000004",["0x0","0x0000000000000000000000000000000000000000000000000000000000000000","0x0000000000000000000000000000000000000000000000000000000000000001"],"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 21,
     "result": {
       "address": "0x1000000000000000000000000000000000000004",
       "accountProof": [
         "0xf901f1a092529d7c101b58117bc83e87a163560bff1071afb9d8773f403c3d0355fe6e47a0cdbb4a75ccfaf7e7f514d4ebbdff13b0038aadce04bc838fc48f371031f4926f80a046c8fe772320b8993d7dab4f8e5040649f5c7877426b12a124e9a744fdd56cb7a0aa67a1dbdbf9f311649479ca0871cd274a36fe84de872b4fe94b979a614eefdca06743018d1568eac9c749a26b54b8987779621b6615ab1a63768d542e24dd427ca0bce9d4b42975b07e06ffaaaf5d8633e3d6b93298a34a2993258e7f68f751117aa08a9d13055947aadb6a3141c0d0815d8c99873e16518ca9b68dee7ab880c4fdb9a04b29efa44ecf50c19b34950cf1d0f05e00568bcc873120fbea9a4e8439de0962a0c2a811211e478a8d499c1d17562e4416476f63e4731d3f656be7354245e17d11a08155fd29347bab3e0be137390e2644bb484ddbe2506ec22d0ef522fccf06cf2ca0b3482bffbb53c9c6ffc639b49797eef9e05d128d3989f6f79a411e944a573c9da06eaef7a7fa56cb18e02e83ea901184a0ac99e3579dfb1f07ad12d4a48bd31c80a0447822e7eb08f664799f6fb1e2bac01471e023f41fa0ffd7afa3c026aef2c6c9a07b842af985376c0306e94dddd612b14c8ff0d09a0f9e804cc108cfa6ed7e2b98a0e5c557a0ce3894afeb44c37f3d24247f67dc76a174d8cacc360c1210eef60a7680",
         "0xf87180a0de5d0f8d14997487a666b6a3c137e46422e0c327d2bf20c87467ad7c5f5ea025a0320e3b9538d0759b80b6d40ddcb31f169ce62ac8d0f3de7fb2d3257dfd11c54b808080808080808080808080a06d58b7340206ff51eb8b51da940d8c4e789e883268d54ccebb555b91bbd21b1080",
         "0xf869a02000d9d800cf801a00233db291d27053a52309a5a02c38cbe0b2ba1a17855812b846f8440180a0821e2556a290c86405f8160a2d662042a431ba456b9db265c79bb837c04be5f0a03415be02927ad810ffd17e26dbb7df60166e0c5481b4fc9cce2ca525127aa152"
       ],
       "balance": "0x0",
       "codeHash": "0x3415be02927ad810ffd17e26dbb7df60166e0c5481b4fc9cce2ca525127aa152",
       "nonce": "0x1",
       "storageHash": "0x821e2556a290c86405f8160a2d662042a431ba456b9db265c79bb837c04be5f0",
       "storageProof": [
         {
           "key": "0x0",
           "value": "0x1",
           "proof": ["0xe3a120290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e56301"]
         },
         {
           "key": "0x0000000000000000000000000000000000000000000000000000000000000000",
           "value": "0x1",
           "proof": ["0xe3a120290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e56301"]
         },
         {
           "key": "0x0000000000000000000000000000000000000000000000000000000000000001",
           "value": "0x0",
           "proof": ["0xe3a120290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e56301"]
         }
       ]
     }
   }
>> {"jsonrpc":"2.0","id":22,"method":"eth_getProof","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",[],"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 22,
     "result": {
       "address": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
       "accountProof": [
         "0xf901f1a092529d7c101b58117bc83e87a163560bff1071afb9d8773f403c3d0355fe6e47a0cdbb4a75ccfaf7e7f514d4ebbdff13b0038aadce04bc838fc48f371031f4926f80a046c8fe772320b8993d7dab4f8e5040649f5c7877426b12a124e9a744fdd56cb7a0aa67a1dbdbf9f311649479ca0871cd274a36fe84de872b4fe94b979a614eefdca06743018d1568eac9c749a26b54b8987779621b6615ab1a63768d542e24dd427ca0bce9d4b42975b07e06ffaaaf5d8633e3d6b93298a34a2993258e7f68f751117aa08a9d13055947aadb6a3141c0d0815d8c99873e16518ca9b68dee7ab880c4fdb9a04b29efa44ecf50c19b34950cf1d0f05e00568bcc873120fbea9a4e8439de0962a0c2a811211e478a8d499c1d17562e4416476f63e4731d3f656be7354245e17d11a08155fd29347bab3e0be137390e2644bb484ddbe2506ec22d0ef522fccf06cf2ca0b3482bffbb53c9c6ffc639b49797eef9e05d128d3989f6f79a411e944a573c9da06eaef7a7fa56cb18e02e83ea901184a0ac99e3579dfb1f07ad12d4a48bd31c80a0447822e7eb08f664799f6fb1e2bac01471e023f41fa0ffd7afa3c026aef2c6c9a07b842af985376c0306e94dddd612b14c8ff0d09a0f9e804cc108cfa6ed7e2b98a0e5c557a0ce3894afeb44c37f3d24247f67dc76a174d8cacc360c1210eef60a7680",
         "0xf8518080808080a0f7150a0c0523b28f9e57a0492097fdd44680be1d167f4baca7b4e1d536d86ed4808080a094675cf4e9fb08564a3aaceb706b734124a532901b1c8ac38c7825bb8220c7dd80808080808080",
         "0xf873a020707d0e6171f728f7473c24cc0432a9b07eaaf1efed6a137a4a8c12c79552d9b850f84e028a021e19e05b49ecfb65bfa056e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421a0c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
       ],
       "balance": "0x21e19e05b49ecfb65bf",
       "codeHash": "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
       "nonce": "0x2",
       "storageHash": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "storageProof": []
     }
   }
>> {"jsonrpc":"2.0","id":23,"method":"eth_getProof","params":["0x9999999999999999999999999999999999999999",["0x0"],"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 23,
     "result": {
       "address": "0x9999999999999999999999999999999999999999",
       "accountProof": [
         "0xf901f1a092529d7c101b58117bc83e87a163560bff1071afb9d8773f403c3d0355fe6e47a0cdbb4a75ccfaf7e7f514d4ebbdff13b0038aadce04bc838fc48f371031f4926f80a046c8fe772320b8993d7dab4f8e5040649f5c7877426b12a124e9a744fdd56cb7a0aa67a1dbdbf9f311649479ca0871cd274a36fe84de872b4fe94b979a614eefdca06743018d1568eac9c749a26b54b8987779621b6615ab1a63768d542e24dd427ca0bce9d4b42975b07e06ffaaaf5d8633e3d6b93298a34a2993258e7f68f751117aa08a9d13055947aadb6a3141c0d0815d8c99873e16518ca9b68dee7ab880c4fdb9a04b29efa44ecf50c19b34950cf1d0f05e00568bcc873120fbea9a4e8439de0962a0c2a811211e478a8d499c1d17562e4416476f63e4731d3f656be7354245e17d11a08155fd29347bab3e0be137390e2644bb484ddbe2506ec22d0ef522fccf06cf2ca0b3482bffbb53c9c6ffc639b49797eef9e05d128d3989f6f79a411e944a573c9da06eaef7a7fa56cb18e02e83ea901184a0ac99e3579dfb1f07ad12d4a48bd31c80a0447822e7eb08f664799f6fb1e2bac01471e023f41fa0ffd7afa3c026aef2c6c9a07b842af985376c0306e94dddd612b14c8ff0d09a0f9e804cc108cfa6ed7e2b98a0e5c557a0ce3894afeb44c37f3d24247f67dc76a174d8cacc360c1210eef60a7680"
       ],
       "balance": "0x0",
       "codeHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "nonce": "0x0",
       "storageHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "storageProof": [{"key":"0x0","value":"0x0","proof":[]}]
     }
   }
// Refused.
>> {"jsonrpc":"2.0","id":24,"method":"eth_getStorageAt","params":["0x1000000000000000000000000000000000000004","0x000000000000000000000000000000000000000000000000000000000000000000","latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 24,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (storage key) of eth_getStorageAt: have \"0x000000000000000000000000000000000000000000000000000000000000000000\" (storage key of 33 bytes is longer than 32), want a storage key (at most 32 bytes in hex)"
     }
   }
>> {"jsonrpc":"2.0","id":25,"method":"eth_getStorageAt","params":["0x1000000000000000000000000000000000000004","0xzz","latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 25,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (storage key) of eth_getStorageAt: have \"0xzz\" (invalid byte: U+007A 'z'), want a storage key (at most 32 bytes in hex)"
     }
   }
>> {"jsonrpc":"2.0","id":26,"method":"eth_getStorageValues","params":[{},"latest"]}
<< {"jsonrpc":"2.0","id":26,"error":{"code":-32602,"message":"empty request: no storage slots given"}}
>> {"jsonrpc":"2.0","id":27,"method":"eth_getStorageValues","params":[{"0x1000000000000000000000000000000000000004":[]},"latest"]}
<< {"jsonrpc":"2.0","id":27,"error":{"code":-32602,"message":"empty request: no storage slots given"}}
>> {"jsonrpc":"2.0","id":28,"method":"eth_getBalance","params":["0x1","latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 28,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (address) of eth_getBalance: have \"0x1\" (hex string of odd length), want an address (20 bytes in hex)"
     }
   }
>> {"jsonrpc":"2.0","id":29,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x9"]}
<< {"jsonrpc":"2.0","id":29,"error":{"code":-32001,"message":"block not found: 0x9 is above head 0x1"}}
>> {"jsonrpc":"2.0","id":30,"method":"eth_getProof","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x0","latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 30,
     "error": {
       "code": -32602,
       "message": "invalid argument 1 (storage keys) of eth_getProof: have \"0x0\" (string), want an array"
     }
   }
// A whole account at once; one that does not exist is empty.
>> {"jsonrpc":"2.0","id":31,"method":"eth_getAccount","params":["0x1000000000000000000000000000000000000004","latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 31,
     "result": {
       "balance": "0x0",
       "codeHash": "0x3415be02927ad810ffd17e26dbb7df60166e0c5481b4fc9cce2ca525127aa152",
       "nonce": "0x1",
       "storageRoot": "0x821e2556a290c86405f8160a2d662042a431ba456b9db265c79bb837c04be5f0"
     }
   }
>> {"jsonrpc":"2.0","id":32,"method":"eth_getAccount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {
     "jsonrpc": "2.0",
     "id": 32,
     "result": {
       "balance": "0x21e19e05b49ecfb65bf",
       "codeHash": "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
       "nonce": "0x2",
       "storageRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"
     }
   }
>> {"jsonrpc":"2.0","id":33,"method":"eth_getAccount","params":["0x9999999999999999999999999999999999999999","pending"]}
<< {
     "jsonrpc": "2.0",
     "id": 33,
     "result": {
       "balance": "0x0",
       "codeHash": "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
       "nonce": "0x0",
       "storageRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"
     }
   }
>> {"jsonrpc":"2.0","id":34,"method":"eth_getAccountInfo","params":["0x1000000000000000000000000000000000000004","latest"]}
<< {"jsonrpc":"2.0","id":34,"result":{"balance":"0x0","code":"0x5f54600101805f555f5260205fa060206000f3","nonce":"0x1"}}
>> {"jsonrpc":"2.0","id":35,"method":"eth_getAccountInfo","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x0"]}
<< {"jsonrpc":"2.0","id":35,"result":{"balance":"0x21e19e0c9bab2400000","code":"0x","nonce":"0x0"}}
>> {"jsonrpc":"2.0","id":36,"method":"eth_getAccountInfo","params":["0x9999999999999999999999999999999999999999"]}
<< {"jsonrpc":"2.0","id":36,"result":{"balance":"0x0","code":"0x","nonce":"0x0"}}
>> {"jsonrpc":"2.0","id":37,"method":"eth_getAccount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x9"]}
<< {"jsonrpc":"2.0","id":37,"error":{"code":-32001,"message":"block not found: 0x9 is above head 0x1"}}
