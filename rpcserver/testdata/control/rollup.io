// what only a chain with an L1, or a fork, has
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_deposit","params":[{"to":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"fakenode_deposit: from is missing"}}
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_setL1","params":[{"baseFee":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 2,
     "error": {"code":-32000,"message":"fakenode_setL1: the chain does not follow the rules of optimism (--rules op)"}
   }
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_bridge","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "error": {"code":-32601,"message":"fakenode_bridge: there is no L1 beside this chain: start the node with --l1"}
   }
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_propose","params":[{}]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {"code":-32601,"message":"fakenode_propose: there is no L1 beside this chain: start the node with --l1"}
   }
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_resolveGame","params":[{"index":0}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -32601,
       "message": "fakenode_resolveGame: there is no L1 beside this chain: start the node with --l1"
     }
   }
>> {"jsonrpc":"2.0","id":6,"method":"fakenode_blacklistGame","params":[0]}
<< {
     "jsonrpc": "2.0",
     "id": 6,
     "error": {
       "code": -32601,
       "message": "fakenode_blacklistGame: there is no L1 beside this chain: start the node with --l1"
     }
   }
>> {"jsonrpc":"2.0","id":7,"method":"fakenode_pausePortal","params":[true]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {
       "code": -32601,
       "message": "fakenode_pausePortal: there is no L1 beside this chain: start the node with --l1"
     }
   }
>> {"jsonrpc":"2.0","id":8,"method":"optimism_outputAtBlock","params":["0x0"]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "error": {
       "code": -32601,
       "message": "optimism_outputAtBlock: there is no L1 beside this chain: start the node with --l1"
     }
   }
>> {"jsonrpc":"2.0","id":9,"method":"optimism_syncStatus","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 9,
     "error": {
       "code": -32601,
       "message": "optimism_syncStatus: there is no L1 beside this chain: start the node with --l1"
     }
   }
>> {"jsonrpc":"2.0","id":10,"method":"optimism_rollupConfig","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32601,
       "message": "optimism_rollupConfig: there is no L1 beside this chain: start the node with --l1"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"optimism_version","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "error": {"code":-32601,"message":"optimism_version: there is no L1 beside this chain: start the node with --l1"}
   }
>> {"jsonrpc":"2.0","id":18,"method":"superroot_atTimestamp","params":["0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 18,
     "error": {
       "code": -32601,
       "message": "superroot_atTimestamp: there is no L1 beside this chain: start the node with --l1"
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"fakenode_forkMisses","params":[]}
<< {"jsonrpc":"2.0","id":12,"error":{"code":-32000,"message":"fakenode_forkMisses: this network is not a fork"}}
>> {"jsonrpc":"2.0","id":13,"method":"anvil_setRpcUrl","params":["http://127.0.0.1:1"]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "error": {"code":-32602,"message":"anvil_setRpcUrl: this network is not a fork: anvil_reset makes one"}
   }
>> {"jsonrpc":"2.0","id":14,"method":"anvil_reset","params":[]}
<< {"jsonrpc":"2.0","id":14,"result":null}
>> {"jsonrpc":"2.0","id":15,"method":"hardhat_reset","params":[]}
<< {"jsonrpc":"2.0","id":15,"result":null}
