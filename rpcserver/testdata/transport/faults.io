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

// Null for one hash, in any case of letters.
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"eth_getBlockByNumber","where":"0X0","null":true,"times":-1}]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x0",false]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "result": {
       "baseFeePerGas": "0x3b9aca00",
       "blobGasUsed": "0x0",
       "difficulty": "0x0",
       "excessBlobGas": "0x0",
       "extraData": "0x",
       "gasLimit": "0x3938700",
       "gasUsed": "0x0",
       "hash": "0xe03430b151efeaba36e3c73c4b277bffd34f712948f687960b2fc465d1d73392",
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
       "miner": "0x0000000000000000000000000000000000000000",
       "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "nonce": "0x0000000000000000",
       "number": "0x0",
       "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "parentHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "receiptsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
       "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
       "stateRoot": "0xe07c04f591bdb3face4ec069f86b5b33bb04d6d45bceb730c66ae1b1c10e0469",
       "timestamp": "0x6553f100",
       "transactionsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "size": "0x268",
       "transactions": [],
       "uncles": [],
       "withdrawals": []
     }
   }

// What is refused.
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version"}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "fault: no effect set: want one or more of latencyMs, latencySpreadMs, error, null, httpStatus, loseAnswer, dropConnection, truncate, silent, behind, behindMs and branch"
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
       "message": "invalid argument 0 (fault) of fakenode_setFault: have {\"method\":\"net_version\",\"times\":0,\"dropConnection\":true} (times is not -1 or from 1 to 2^31-1), want {method, where?, nth?, times?, latencyMs?, latencySpreadMs?, seed?, error?: {code, message, data?}, null?, httpStatus?, loseAnswer?, dropConnection?, truncate?, silent?, behind?, behindMs?, branch?: \"orphaned\", share?}, or {method: \"eth_subscription\", kind?, nth?, times?, share?, seed?, and one of drop, latencyMs, latencySpreadMs, duplicate, stray, reorder, truncate, silent}"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","times":-2,"dropConnection":true}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (fault) of fakenode_setFault: have {\"method\":\"net_version\",\"times\":-2,\"dropConnection\":true} (times is not -1 or from 1 to 2^31-1), want {method, where?, nth?, times?, latencyMs?, latencySpreadMs?, seed?, error?: {code, message, data?}, null?, httpStatus?, loseAnswer?, dropConnection?, truncate?, silent?, behind?, behindMs?, branch?: \"orphaned\", share?}, or {method: \"eth_subscription\", kind?, nth?, times?, share?, seed?, and one of drop, latencyMs, latencySpreadMs, duplicate, stray, reorder, truncate, silent}"
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
       "message": "invalid argument 0 (fault) of fakenode_setFault: have {\"method\":\"net_version\",\"latencyMs\":-1} (latencyMs is not a whole number from 0 to 2^31-1), want {method, where?, nth?, times?, latencyMs?, latencySpreadMs?, seed?, error?: {code, message, data?}, null?, httpStatus?, loseAnswer?, dropConnection?, truncate?, silent?, behind?, behindMs?, branch?: \"orphaned\", share?}, or {method: \"eth_subscription\", kind?, nth?, times?, share?, seed?, and one of drop, latencyMs, latencySpreadMs, duplicate, stray, reorder, truncate, silent}"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"net_version","latencyMs":18446744073709551615}]}
<< {
     "jsonrpc": "2.0",
     "id": 1,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (fault) of fakenode_setFault: have {\"method\":\"net_version\",\"latencyMs\":18446744073709551615} (latencyMs is not a whole number from 0 to 2^31-1), want {method, where?, nth?, times?, latencyMs?, latencySpreadMs?, seed?, error?: {code, message, data?}, null?, httpStatus?, loseAnswer?, dropConnection?, truncate?, silent?, behind?, behindMs?, branch?: \"orphaned\", share?}, or {method: \"eth_subscription\", kind?, nth?, times?, share?, seed?, and one of drop, latencyMs, latencySpreadMs, duplicate, stray, reorder, truncate, silent}"
     }
   }
>> {"jsonrpc":"2.0","id":1,"method":"net_version"}
<< {"jsonrpc":"2.0","id":1,"result":"31337"}
