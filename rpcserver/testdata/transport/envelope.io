// An id is echoed byte for byte.
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":-1.50e3,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":-1.50e3,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":"a\u0041\"","method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":"a\u0041\"","result":"0x7a69"}
>> {"jsonrpc":"2.0","id":"","method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":"","result":"0x7a69"}
>> {"jsonrpc":"2.0","id":9007199254740993,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":9007199254740993,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":null,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":null,"result":"0x7a69"}

// Any order, spacing, escapes and further members.
>> { "params" : [ ] , "method":"eth_ch\u0061inId", "extra":{"jsonrpc":"1.0","a":["]}\""]}, "\u0069d":7,"jsonrpc":"2.0" }
<< {"jsonrpc":"2.0","id":7,"result":"0x7a69"}

// No params, an empty array and null are the same.
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":null}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}

// Without an id it is a notification: no answer, whatever becomes of it.
>> {"jsonrpc":"2.0","method":"eth_chainId"}
>> {"jsonrpc":"2.0","method":"test_fails"}
>> {"jsonrpc":"2.0","method":"test_unknown"}

// The test network is another chain.
>>/testnet {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a6a"}
>>/testnet {"jsonrpc":"2.0","id":1,"method":"net_version"}
<< {"jsonrpc":"2.0","id":1,"result":"31338"}
