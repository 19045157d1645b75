// At pending a contract is there before its block is sealed (contract 4-rule4).
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","data":"0x6160015f526002601ef3"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xb358394105c83667c4d48f53cc8652eab775915f7f347a074b29e6e2ca084a4c"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_getCode","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","pending"]}
<< {"jsonrpc":"2.0","id":2,"result":"0x"}
!! preconfirm
>> {"jsonrpc":"2.0","id":3,"method":"eth_getCode","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","pending"]}
<< {"jsonrpc":"2.0","id":3,"result":"0x6001"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_getCode","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","latest"]}
<< {"jsonrpc":"2.0","id":4,"result":"0x"}
!! seal
>> {"jsonrpc":"2.0","id":5,"method":"eth_getCode","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","latest"]}
<< {"jsonrpc":"2.0","id":5,"result":"0x6001"}
>> {"jsonrpc":"2.0","id":6,"method":"eth_getCode","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","pending"]}
<< {"jsonrpc":"2.0","id":6,"result":"0x6001"}
>> {"jsonrpc":"2.0","id":7,"method":"eth_getCode","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x0"]}
<< {"jsonrpc":"2.0","id":7,"result":"0x"}
