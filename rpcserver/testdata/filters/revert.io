// evm_revert leaves a filter that was made after the snapshot, and its id
>> {"jsonrpc":"2.0","id":1,"method":"evm_snapshot","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_newBlockFilter","params":[]}
<< {"jsonrpc":"2.0","id":2,"result":"0x1"}
>> {"jsonrpc":"2.0","id":3,"method":"evm_revert","params":["0x1"]}
<< {"jsonrpc":"2.0","id":3,"result":true}
>> {"jsonrpc":"2.0","id":4,"method":"eth_getFilterChanges","params":["0x1"]}
<< {"jsonrpc":"2.0","id":4,"result":[]}
>> {"jsonrpc":"2.0","id":5,"method":"eth_newBlockFilter","params":[]}
<< {"jsonrpc":"2.0","id":5,"result":"0x2"}
!! seal
>> {"jsonrpc":"2.0","id":6,"method":"eth_getFilterChanges","params":["0x1"]}
<< {"jsonrpc":"2.0","id":6,"result":["0x0a66225f03b3672b79717946fe0dc402386b0a6a1c055ef6bc931dbad383a179"]}
// so does anvil_reset
>> {"jsonrpc":"2.0","id":7,"method":"anvil_reset","params":[]}
<< {"jsonrpc":"2.0","id":7,"result":null}
>> {"jsonrpc":"2.0","id":8,"method":"eth_getFilterChanges","params":["0x1"]}
<< {"jsonrpc":"2.0","id":8,"result":[]}
// fakenode_revert restores the filters of the snapshot
>> {"jsonrpc":"2.0","id":9,"method":"fakenode_snapshot","params":[]}
<< {"jsonrpc":"2.0","id":9,"result":"0x1"}
>> {"jsonrpc":"2.0","id":10,"method":"eth_newBlockFilter","params":[]}
<< {"jsonrpc":"2.0","id":10,"result":"0x3"}
>> {"jsonrpc":"2.0","id":11,"method":"fakenode_revert","params":["0x1"]}
<< {"jsonrpc":"2.0","id":11,"result":true}
>> {"jsonrpc":"2.0","id":12,"method":"eth_getFilterChanges","params":["0x3"]}
<< {"jsonrpc":"2.0","id":12,"error":{"code":-32000,"message":"filter not found: 0x3"}}
// a range that ends before it begins
!! seal
>> {"jsonrpc":"2.0","id":13,"method":"eth_newFilter","params":[{"fromBlock":"latest","toBlock":"earliest"}]}
<< {"jsonrpc":"2.0","id":13,"error":{"code":-32602,"message":"invalid block range params: from 0x1 is above to 0x0"}}
