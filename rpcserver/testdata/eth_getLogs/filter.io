// Addresses and topics. A log without topics, two with two, one with four.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000002ff"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000030000000000000000000000000000000000000000000000000000000000000002"}]}
<< {"jsonrpc":"2.0","id":3,"result":"0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000006"}]}
<< {"jsonrpc":"2.0","id":4,"result":"0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c"}
!! seal
// One address, a list, an empty list, null.
>> {"jsonrpc":"2.0","id":5,"method":"eth_getLogs","params":[{"address":"0x1000000000000000000000000000000000000001"}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":6,"method":"eth_getLogs","params":[{"address":["0x1000000000000000000000000000000000000001"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":7,"method":"eth_getLogs","params":[{"address":["0x1000000000000000000000000000000000000004","0x1000000000000000000000000000000000000006"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
         "transactionIndex": "0x0",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":8,"method":"eth_getLogs","params":[{"address":[]}]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
         "transactionIndex": "0x0",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":9,"method":"eth_getLogs","params":[{"address":null}]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
         "transactionIndex": "0x0",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":10,"method":"eth_getLogs","params":[{"address":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}]}
<< {"jsonrpc":"2.0","id":10,"result":[]}
// Position 0.
>> {"jsonrpc":"2.0","id":11,"method":"eth_getLogs","params":[{"topics":["0x0000000000000000000000000000000000000000000000000000000000000001"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":12,"method":"eth_getLogs","params":[{"topics":[["0x0000000000000000000000000000000000000000000000000000000000000001"]]}]}
<< {
     "jsonrpc": "2.0",
     "id": 12,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":13,"method":"eth_getLogs","params":[{"topics":[["0x0000000000000000000000000000000000000000000000000000000000000001","0x0000000000000000000000000000000000000000000000000000000000000003"]]}]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
// null and [] are anything, but the log must have that position.
>> {"jsonrpc":"2.0","id":14,"method":"eth_getLogs","params":[{"topics":[]}]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
         "transactionIndex": "0x0",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":15,"method":"eth_getLogs","params":[{"topics":null}]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000004",
         "topics": [],
         "data": "0x0000000000000000000000000000000000000000000000000000000000000001",
         "blockNumber": "0x1",
         "transactionHash": "0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a",
         "transactionIndex": "0x0",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x0",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":16,"method":"eth_getLogs","params":[{"topics":[null]}]}
<< {
     "jsonrpc": "2.0",
     "id": 16,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":17,"method":"eth_getLogs","params":[{"topics":[[]]}]}
<< {
     "jsonrpc": "2.0",
     "id": 17,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":18,"method":"eth_getLogs","params":[{"topics":[null,"0x0000000000000000000000000000000000000000000000000000000000000002"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 18,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":19,"method":"eth_getLogs","params":[{"topics":[[],["0x0000000000000000000000000000000000000000000000000000000000000002"]]}]}
<< {
     "jsonrpc": "2.0",
     "id": 19,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":20,"method":"eth_getLogs","params":[{"topics":["0x0000000000000000000000000000000000000000000000000000000000000001",null]}]}
<< {
     "jsonrpc": "2.0",
     "id": 20,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
// null in a list makes it anything.
>> {"jsonrpc":"2.0","id":21,"method":"eth_getLogs","params":[{"topics":[["0x0000000000000000000000000000000000000000000000000000000000000003",null],"0x0000000000000000000000000000000000000000000000000000000000000002"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 21,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x75fcec36c2ad9391310dfc3a583d90ad2c7190bd2e2dd9c9ffbe4ac8c7388444",
         "transactionIndex": "0x2",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x2",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
// All four positions.
>> {"jsonrpc":"2.0","id":22,"method":"eth_getLogs","params":[{"topics":["0x0000000000000000000000000000000000000000000000000000000000000001","0x0000000000000000000000000000000000000000000000000000000000000002","0x0000000000000000000000000000000000000000000000000000000000000003","0x0000000000000000000000000000000000000000000000000000000000000004"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 22,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":23,"method":"eth_getLogs","params":[{"topics":[null,null,null,"0x0000000000000000000000000000000000000000000000000000000000000004"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 23,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":24,"method":"eth_getLogs","params":[{"topics":["0x0000000000000000000000000000000000000000000000000000000000000004"]}]}
<< {"jsonrpc":"2.0","id":24,"result":[]}
// Both.
>> {"jsonrpc":"2.0","id":25,"method":"eth_getLogs","params":[{"address":"0x1000000000000000000000000000000000000006","topics":["0x0000000000000000000000000000000000000000000000000000000000000001"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 25,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":26,"method":"eth_getLogs","params":[{"address":"0x1000000000000000000000000000000000000004","topics":["0x0000000000000000000000000000000000000000000000000000000000000001"]}]}
<< {"jsonrpc":"2.0","id":26,"result":[]}
// Pre-confirmed logs are filtered alike.
>> {"jsonrpc":"2.0","id":27,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000009"}]}
<< {"jsonrpc":"2.0","id":27,"result":"0x40f21536b03d83430b32f61f8ee59afb4c9ff2c3de0e016aaa3482866c812121"}
>> {"jsonrpc":"2.0","id":28,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000001","data":"0x00000000000000000000000000000000000000000000000000000000000000050000000000000000000000000000000000000000000000000000000000000009"}]}
<< {"jsonrpc":"2.0","id":28,"result":"0x460c7a151826edb7048d71403ed8c0dc3a58f84ab53e82f1deb0931d59ace5d3"}
!! preconfirm
>> {"jsonrpc":"2.0","id":29,"method":"eth_getLogs","params":[{"fromBlock":"pending","address":"0x1000000000000000000000000000000000000001","topics":["0x0000000000000000000000000000000000000000000000000000000000000005"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 29,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000005",
           "0x0000000000000000000000000000000000000000000000000000000000000009"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x460c7a151826edb7048d71403ed8c0dc3a58f84ab53e82f1deb0931d59ace5d3",
         "transactionIndex": "0x1",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x1",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":30,"method":"eth_getLogs","params":[{"fromBlock":"latest","toBlock":"pending","topics":["0x0000000000000000000000000000000000000000000000000000000000000001"]}]}
<< {
     "jsonrpc": "2.0",
     "id": 30,
     "result": [
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002"
         ],
         "data": "0xff",
         "blockNumber": "0x1",
         "transactionHash": "0x1f284237b6058b0aae5fe6208cdd51292d96c7eb204385cdc762fb2f2a58bd6d",
         "transactionIndex": "0x1",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x1",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000006",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000002",
           "0x0000000000000000000000000000000000000000000000000000000000000003",
           "0x0000000000000000000000000000000000000000000000000000000000000004"
         ],
         "data": "0x",
         "blockNumber": "0x1",
         "transactionHash": "0x01f5de9ae2e139a332aedb9614d9270c91882002e7b3e4f62818abc4b672530c",
         "transactionIndex": "0x3",
         "blockHash": "0xef3602ab26b2a55d2d2755df2be516f1b92f6aa8ef32ff40f349bbe3d14e45ad",
         "blockTimestamp": "0x6553f102",
         "logIndex": "0x3",
         "removed": false
       },
       {
         "address": "0x1000000000000000000000000000000000000001",
         "topics": [
           "0x0000000000000000000000000000000000000000000000000000000000000001",
           "0x0000000000000000000000000000000000000000000000000000000000000009"
         ],
         "data": "0x",
         "blockNumber": "0x2",
         "transactionHash": "0x40f21536b03d83430b32f61f8ee59afb4c9ff2c3de0e016aaa3482866c812121",
         "transactionIndex": "0x0",
         "blockHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
         "blockTimestamp": "0x6553f104",
         "logIndex": "0x0",
         "removed": false
       }
     ]
   }
>> {"jsonrpc":"2.0","id":31,"method":"eth_getLogs","params":[{"fromBlock":"pending","address":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":31,"result":[]}
