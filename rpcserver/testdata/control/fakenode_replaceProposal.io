// an empty block in the place of the newest, which nobody knows any more; its transaction waits
!! pay
!! seal
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_replaceProposal","params":[]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {
       "removed": ["0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618"],
       "added": ["0x3cf970045e7c56201f8b0ba47b3c147226c0093d63012825ab906e87a1663278"],
       "requeued": ["0x1ec6f24b4f1eda79cfe9f7f2716034e5d8208b90e4bb7620b622427c7978a2c3"]
     }
   }
>> {"jsonrpc":"2.0","id":2,"method":"fakenode_orphans","params":[]}
<< {"jsonrpc":"2.0","id":2,"result":[]}
// it is lost
!! seal
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_replaceProposal","params":["drop"]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": {
       "removed": ["0xe1632f21b49307ac32c3b253f9b71de820939cad5f7b1a357bee35b0a9dd0066"],
       "added": ["0x665f27f060595e0749267e8f938634e384e0a2c630f4d9bac9555391f09fa185"],
       "requeued": []
     }
   }
>> {"jsonrpc":"2.0","id":4,"method":"fakenode_replaceProposal","params":["keep"]}
<< {
     "jsonrpc": "2.0",
     "id": 4,
     "error": {
       "code": -32602,
       "message": "fakenode_replaceProposal: unknown fate \"keep\" of removed transactions: requeue, drop or reverse"
     }
   }
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_replaceProposal","params":[7]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (transactions) of fakenode_replaceProposal: have 7 (number), want a string"
     }
   }
