// two blocks are replaced by three; the transaction is mined again
!! pay
!! seal
!! seal
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_reorg","params":[{"depth":2}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {
       "removed": [
         "0x373a71691596579b8745916897e089f214bb8620bc3bf3b042a08afb47696618",
         "0xf4831409063ca099d20b1b002ddfda26443a48fa6c5bba42598d4b2da8154def"
       ],
       "added": [
         "0xbde77ae8836833642d716c12433f0596ba191a6f1370c182639452c312ba6d6a",
         "0x67ebd41ae593eb264dea8eebac479d55021895098399e5e329bd491a7e91e19b",
         "0xb572d44afce0abf1c3cb761f8d39c9f9bdd6fd77573acdf1a7fe53f08fd7d8b4"
       ],
       "requeued": []
     }
   }
>> {"jsonrpc":"2.0","id":2,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":2,"result":"0x3"}
// fewer blocks than before, and what was in them is lost
>> {"jsonrpc":"2.0","id":3,"method":"fakenode_reorg","params":[{"depth":3,"length":1,"transactions":"drop"}]}
<< {
     "jsonrpc": "2.0",
     "id": 3,
     "result": {
       "removed": [
         "0xbde77ae8836833642d716c12433f0596ba191a6f1370c182639452c312ba6d6a",
         "0x67ebd41ae593eb264dea8eebac479d55021895098399e5e329bd491a7e91e19b",
         "0xb572d44afce0abf1c3cb761f8d39c9f9bdd6fd77573acdf1a7fe53f08fd7d8b4"
       ],
       "added": ["0x46f7cbe21746353d192d809706e7a94afda7c862e11d89ac180fb6a1da49d68d"],
       "requeued": []
     }
   }
>> {"jsonrpc":"2.0","id":4,"method":"eth_getTransactionCount","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","latest"]}
<< {"jsonrpc":"2.0","id":4,"result":"0x0"}
// deeper than the chain
>> {"jsonrpc":"2.0","id":5,"method":"fakenode_reorg","params":[{"depth":2}]}
<< {
     "jsonrpc": "2.0",
     "id": 5,
     "error": {"code":-32602,"message":"fakenode_reorg: reorg of depth 2 is deeper than the chain: at most 1"}
   }
