// The second and third call fail, the others do not.
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","nth":2,"times":2,"error":{"code":-32005,"message":"limit exceeded","data":{"retryAfter":1}}}]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":2,"method":"net_version"}
<< {"jsonrpc":"2.0","id":2,"result":"31337"}
>> {"jsonrpc":"2.0","id":3,"method":"net_version"}
<< {"jsonrpc":"2.0","id":3,"error":{"code":-32005,"message":"limit exceeded","data":{"retryAfter":1}}}
>> {"jsonrpc":"2.0","id":4,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":4,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":5,"method":"net_version"}
<< {"jsonrpc":"2.0","id":5,"error":{"code":-32005,"message":"limit exceeded","data":{"retryAfter":1}}}
>> {"jsonrpc":"2.0","id":6,"method":"net_version"}
<< {"jsonrpc":"2.0","id":6,"result":"31337"}

// On every method until cleared, but not on the test network and not on the control methods.
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"*","times":-1,"error":{"code":-32603,"message":"down"}}]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> [{"jsonrpc":"2.0","id":1,"method":"net_version"},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]
<< [
     {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"down"}},
     {"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"down"}}
   ]
>>/testnet {"jsonrpc":"2.0","id":1,"method":"net_version"}
<< {"jsonrpc":"2.0","id":1,"result":"31338"}
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_clearFaults"}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"net_version"}
<< {"jsonrpc":"2.0","id":1,"result":"31337"}

// How often, in hex.
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","times":"0x2","error":{"code":7,"message":"down"}}]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> [{"jsonrpc":"2.0","id":1,"method":"net_version"},{"jsonrpc":"2.0","id":2,"method":"net_version"},{"jsonrpc":"2.0","id":3,"method":"net_version"}]
<< [
     {"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"down"}},
     {"jsonrpc":"2.0","id":2,"error":{"code":7,"message":"down"}},
     {"jsonrpc":"2.0","id":3,"result":"31337"}
   ]

// Half an answer.
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","truncate":"0xa"}]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"net_version"}
<< {"jsonrpc"

// What is refused.
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version"}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "fault: no effect set: want latency, error, HTTP status, lost answer, dropped connection, truncation, silence or an answer from behind"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"error":{"code":1,"message":""}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"fault: method is missing; \"*\" is every method"}}
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"eth_chainID","dropConnection":true}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {"code":-32602,"message":"fault: unknown method eth_chainID; did you mean eth_chainId?"}
   }
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"fakenode_calls","dropConnection":true}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"fault: method fakenode_calls cannot be made to fail"}}
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","nth":0,"dropConnection":true}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"fault: nth is 0, want 1 or more"}}
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","times":0,"dropConnection":true}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (fault) of fakenode_setFault: have {\"method\":\"net_version\",\"times\":0,\"dropConnection\":true} (times is not -1 or from 1 to 2^31-1), want {method, nth?, times?, latencyMs?, latencySpreadMs?, seed?, error?: {code, message, data?}, httpStatus?, loseAnswer?, dropConnection?, truncate?, silent?, behind?, behindMs?, branch?: \"orphaned\", share?}, or {method: \"eth_subscription\", kind?, nth?, times?, share?, seed?, and one of drop, latencyMs, duplicate, reorder}"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","times":-2,"dropConnection":true}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (fault) of fakenode_setFault: have {\"method\":\"net_version\",\"times\":-2,\"dropConnection\":true} (times is not -1 or from 1 to 2^31-1), want {method, nth?, times?, latencyMs?, latencySpreadMs?, seed?, error?: {code, message, data?}, httpStatus?, loseAnswer?, dropConnection?, truncate?, silent?, behind?, behindMs?, branch?: \"orphaned\", share?}, or {method: \"eth_subscription\", kind?, nth?, times?, share?, seed?, and one of drop, latencyMs, duplicate, reorder}"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","httpStatus":200}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"fault: HTTP status is 200, want 400 to 599"}}
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","latencyMs":-1}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (fault) of fakenode_setFault: have {\"method\":\"net_version\",\"latencyMs\":-1} (latencyMs is not a whole number from 0 to 2^64-1), want {method, nth?, times?, latencyMs?, latencySpreadMs?, seed?, error?: {code, message, data?}, httpStatus?, loseAnswer?, dropConnection?, truncate?, silent?, behind?, behindMs?, branch?: \"orphaned\", share?}, or {method: \"eth_subscription\", kind?, nth?, times?, share?, seed?, and one of drop, latencyMs, duplicate, reorder}"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","latencyMs":18446744073709551615}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"fault: a number is above 2147483647"}}
>> {"jsonrpc":"2.0","id":1,"method":"net_version"}
<< {"jsonrpc":"2.0","id":1,"result":"31337"}
