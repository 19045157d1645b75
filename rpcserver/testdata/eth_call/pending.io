// At pending a call sees the pre-confirmed state (contract 4-rule2).
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0xde9b678d54ffa81b49fba88dc2d07744f8720619766c3cbbfa2e867b92ecb75a"}
// The pool is not pre-confirmed.
>> {"jsonrpc":"2.0","id":3,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"pending"]}
<< {"jsonrpc":"2.0","id":3,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
!! preconfirm
>> {"jsonrpc":"2.0","id":4,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"pending"]}
<< {"jsonrpc":"2.0","id":4,"result":"0x0000000000000000000000000000000000000000000000000000000000000002"}
>> {"jsonrpc":"2.0","id":5,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest"]}
<< {"jsonrpc":"2.0","id":5,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":6,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"}]}
<< {"jsonrpc":"2.0","id":6,"result":"0x5223fd3528bbd958a835632238c178e1ceefecf44e50eba18dd7d92b55dee550"}
!! preconfirm
>> {"jsonrpc":"2.0","id":7,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"pending"]}
<< {"jsonrpc":"2.0","id":7,"result":"0x0000000000000000000000000000000000000000000000000000000000000003"}
!! seal
>> {"jsonrpc":"2.0","id":8,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest"]}
<< {"jsonrpc":"2.0","id":8,"result":"0x0000000000000000000000000000000000000000000000000000000000000003"}
>> {"jsonrpc":"2.0","id":9,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"pending"]}
<< {"jsonrpc":"2.0","id":9,"result":"0x0000000000000000000000000000000000000000000000000000000000000003"}
>> {"jsonrpc":"2.0","id":10,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"0x0"]}
<< {"jsonrpc":"2.0","id":10,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
// A call changes nothing.
>> {"jsonrpc":"2.0","id":11,"method":"eth_call","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest"]}
<< {"jsonrpc":"2.0","id":11,"result":"0x0000000000000000000000000000000000000000000000000000000000000003"}
