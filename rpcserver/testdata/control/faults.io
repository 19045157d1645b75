// faults, holds and who is connected
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"eth_chainId","nth":2,"times":1,"error":{"code":-32000,"message":"busy"}}]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_hold","params":[{"senders":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]}]}
<< {"jsonrpc":"2.0","id":2,"result":null}
!! pay
!! preconfirm
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_faults","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": {
       "calls": [{"method":"eth_chainId","nth":2,"times":1,"error":{"code":-32000,"message":"busy"}}],
       "flashblocks": [],
       "feed": [],
       "holds": [{"hashes":[],"senders":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}],
       "operations": []
     }
   }
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_transaction","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {"jsonrpc":"2.0","id":4,"result":{"where":"pool","reason":"it is held on command, until released"}}
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_release","params":[]}
<< {"jsonrpc":"2.0","id":5,"result":1}
!! preconfirm
>> {"jsonrpc":"2.0","id":6,"method":"fakenode_transaction","params":["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]}
<< {"jsonrpc":"2.0","id":6,"result":{"where":"preconfirmed"}}
>> {"jsonrpc":"2.0","id":7,"method":"fakenode_feedFault","params":[{"kind":"gap"}]}
<< {"jsonrpc":"2.0","id":7,"result":null}
>> {"jsonrpc":"2.0","id":8,"method":"fakenode_feedFault","params":[{"kind":"lose"}]}
<< {
     "jsonrpc": "2.0",
     "id": 8,
     "error": {
       "code": -32602,
       "message": "fakenode_feedFault: unknown kind \"lose\": want one of disconnect, gap, reorder, truncate, wrongLink"
     }
   }
>> {"jsonrpc":"2.0","id":9,"method":"fakenode_clearFaults","params":[]}
<< {"jsonrpc":"2.0","id":9,"result":null}
>> {"jsonrpc":"2.0","id":10,"method":"fakenode_faults","params":[]}
<< {"jsonrpc":"2.0","id":10,"result":{"calls":[],"flashblocks":[],"feed":[],"holds":[],"operations":[]}}
>> {"jsonrpc":"2.0","id":11,"method":"fakenode_subscriptions","params":[]}
<< {"jsonrpc":"2.0","id":11,"result":[]}
>> {"jsonrpc":"2.0","id":12,"method":"fakenode_disconnect","params":[{}]}
<< {"jsonrpc":"2.0","id":12,"result":0}
// what is put on the next blocks
>> {"jsonrpc":"2.0","id":13,"method":"fakenode_weather","params":[{"of":"baseFee","shape":"ramp","to":"0x77359400","blocks":3}]}
<< {
     "jsonrpc": "2.0",
     "id": 13,
     "result": [
       {"of":"baseFee","shape":"ramp","from":"0x342770c0","to":"0x77359400","blocks":3,"firstBlock":2,"lastBlock":4}
     ]
   }
>> {"jsonrpc":"2.0","id":14,"method":"fakenode_weather","params":[{"of":"rain","shape":"ramp"}]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "error": {
       "code": -32602,
       "message": "fakenode_weather: weather of \"rain\": want one of [baseFee blobBaseFee gasLimit l1BaseFee l1BlobBaseFee tip]"
     }
   }
