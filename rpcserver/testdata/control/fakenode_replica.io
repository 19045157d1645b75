// the node of these transcripts has no replicas
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_replica","params":[1]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"fakenode_replica: there is no replica 1: the node has 0 (--replicas)"}
   }
