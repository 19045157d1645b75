// Gas and fees.
>> {"jsonrpc":"2.0","id":1,"method":"eth_gasPrice","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x6fc23ac0"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_maxPriorityFeePerGas","params":[]}
<< {"jsonrpc":"2.0","id":2,"result":"0x3b9aca00"}
>> {"jsonrpc":"2.0","id":3,"method":"eth_baseFee","params":[]}
<< {"jsonrpc":"2.0","id":3,"result":"0x342770c0"}
>> {"jsonrpc":"2.0","id":4,"method":"eth_blobBaseFee","params":[]}
<< {"jsonrpc":"2.0","id":4,"result":"0x1"}
>> {"jsonrpc":"2.0","id":5,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":5,"result":"0x5208"}
>> {"jsonrpc":"2.0","id":6,"method":"eth_estimateGas","params":[{"to":"0x1000000000000000000000000000000000000004"},"pending"]}
<< {"jsonrpc":"2.0","id":6,"result":"0xaaf3"}
>> {"jsonrpc":"2.0","id":7,"method":"eth_estimateGas","params":[{"to":"0x1000000000000000000000000000000000000004"},"latest",{"0x1000000000000000000000000000000000000004":{"state":{"0x0000000000000000000000000000000000000000000000000000000000000000":"0x0000000000000000000000000000000000000000000000000000000000000001"}}}]}
<< {"jsonrpc":"2.0","id":7,"result":"0x6827"}
>> {"jsonrpc":"2.0","id":8,"method":"eth_estimateGas","params":[{"data":"0x6160015f526002601ef3"}]}
<< {"jsonrpc":"2.0","id":8,"result":"0xd14b"}
>> {"jsonrpc":"2.0","id":9,"method":"eth_estimateGas","params":[{"to":"0x1000000000000000000000000000000000000005"}]}
<< {"jsonrpc":"2.0","id":9,"error":{"code":-32000,"message":"gas required exceeds allowance (16777216)"}}
>> {"jsonrpc":"2.0","id":10,"method":"eth_estimateGas","params":[{"from":"0x9999999999999999999999999999999999999999","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}
<< {
     "jsonrpc": "2.0",
     "id": 10,
     "error": {
       "code": -32000,
       "message": "failed with 21000 gas: insufficient funds for gas * price + value: address 0x9999999999999999999999999999999999999999 have 0 want 1"
     }
   }
>> {"jsonrpc":"2.0","id":11,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004"},"latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "result": {
       "accessList": [
         {
           "address": "0x1000000000000000000000000000000000000004",
           "storageKeys": ["0x0000000000000000000000000000000000000000000000000000000000000000"]
         }
       ],
       "gasUsed": "0xb3ef"
     }
   }
>> {"jsonrpc":"2.0","id":50,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x1000000000000000000000000000000000000004"},{"to":"0x1000000000000000000000000000000000000004"}]},{"transactions":[{"to":"0x1000000000000000000000000000000000000002","data":"0x01"}],"blockOverride":{"number":"0x64"}}],{"blockNumber":"pending"}]}
<< {
     "jsonrpc": "2.0",
     "id": 50,
     "result": [
       [
         {"value":"0x0000000000000000000000000000000000000000000000000000000000000001"},
         {"value":"0x0000000000000000000000000000000000000000000000000000000000000002"}
       ],
       [{"error":"execution reverted"}]
     ]
   }
>> {"jsonrpc":"2.0","id":12,"method":"eth_createAccessList","params":[{"to":"0x1000000000000000000000000000000000000002","data":"0x01"},"latest"]}
<< {"jsonrpc":"2.0","id":12,"result":{"accessList":[],"error":"execution reverted","gasUsed":"0x5230"}}
>> {"jsonrpc":"2.0","id":13,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004","maxPriorityFeePerGas":"0x1"}]}
<< {"jsonrpc":"2.0","id":13,"result":"0x6ca6be0346297b665636d21d752f1af28fff8a967cf34d5c1591b6c92609a6ae"}
>> {"jsonrpc":"2.0","id":14,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x1000000000000000000000000000000000000004","maxPriorityFeePerGas":"0x5"}]}
<< {"jsonrpc":"2.0","id":14,"result":"0x4d4065d888c786f25df616fc75c1fccf6b933e9fe5f4aa30c044a64916865065"}
!! preconfirm
>> {"jsonrpc":"2.0","id":15,"method":"eth_feeHistory","params":["0x1","pending",[0,50,100]]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "result": {
       "oldestBlock": "0x1",
       "reward": [["0x1","0x1","0x5"]],
       "baseFeePerGas": ["0x342770c0","0x2da66da2"],
       "gasUsedRatio": [0.0011737666666666667],
       "baseFeePerBlobGas": ["0x1","0x1"],
       "blobGasUsedRatio": [0]
     }
   }
!! seal 2
>> {"jsonrpc":"2.0","id":16,"method":"eth_feeHistory","params":["0x3","latest",[0,50,100]]}
<< {
     "jsonrpc": "2.0",
     "id": 16,
     "result": {
       "oldestBlock": "0x0",
       "reward": [["0x0","0x0","0x0"],["0x1","0x1","0x5"],["0x0","0x0","0x0"]],
       "baseFeePerGas": ["0x3b9aca00","0x342770c0","0x2da66da2","0x27f19fee"],
       "gasUsedRatio": [0,0.0011737666666666667,0],
       "baseFeePerBlobGas": ["0x1","0x1","0x1","0x1"],
       "blobGasUsedRatio": [0,0,0]
     }
   }
>> {"jsonrpc":"2.0","id":17,"method":"eth_feeHistory","params":[2,"0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 17,
     "result": {
       "oldestBlock": "0x0",
       "baseFeePerGas": ["0x3b9aca00","0x342770c0","0x2da66da2"],
       "gasUsedRatio": [0,0.0011737666666666667],
       "baseFeePerBlobGas": ["0x1","0x1","0x1"],
       "blobGasUsedRatio": [0,0]
     }
   }
>> {"jsonrpc":"2.0","id":18,"method":"eth_feeHistory","params":["0x10","latest",[]]}
<< {
     "jsonrpc": "2.0",
     "id": 18,
     "result": {
       "oldestBlock": "0x0",
       "baseFeePerGas": ["0x3b9aca00","0x342770c0","0x2da66da2","0x27f19fee"],
       "gasUsedRatio": [0,0.0011737666666666667,0],
       "baseFeePerBlobGas": ["0x1","0x1","0x1","0x1"],
       "blobGasUsedRatio": [0,0,0]
     }
   }
>> {"jsonrpc":"2.0","id":19,"method":"eth_feeHistory","params":["0x0","latest",[]]}
<< {"jsonrpc":"2.0","id":19,"result":{"oldestBlock":"0x0","gasUsedRatio":[]}}
>> {"jsonrpc":"2.0","id":20,"method":"eth_feeHistory","params":["0x1","0x9",[]]}
<< {"jsonrpc":"2.0","id":20,"error":{"code":-32001,"message":"block not found: 0x9 is above head 0x2"}}
>> {"jsonrpc":"2.0","id":21,"method":"eth_feeHistory","params":["0x1","latest",[50,20]]}
<< {
     "jsonrpc": "2.0",
     "id": 21,
     "error": {"code":-32602,"message":"invalid reward percentile 20 after 50: want ascending ones"}
   }
>> {"jsonrpc":"2.0","id":22,"method":"eth_feeHistory","params":["0x1","latest",[101]]}
<< {"jsonrpc":"2.0","id":22,"error":{"code":-32602,"message":"invalid reward percentile 101: want 0 to 100"}}
>> {"jsonrpc":"2.0","id":23,"method":"eth_baseFee","params":[]}
<< {"jsonrpc":"2.0","id":23,"result":"0x27f19fee"}
// Counts of blocks as geth reads them.
>> {"jsonrpc":"2.0","id":24,"method":"eth_feeHistory","params":["2","0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 24,
     "result": {
       "oldestBlock": "0x0",
       "baseFeePerGas": ["0x3b9aca00","0x342770c0","0x2da66da2"],
       "gasUsedRatio": [0,0.0011737666666666667],
       "baseFeePerBlobGas": ["0x1","0x1","0x1"],
       "blobGasUsedRatio": [0,0]
     }
   }
>> {"jsonrpc":"2.0","id":25,"method":"eth_feeHistory","params":["0x02","0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 25,
     "result": {
       "oldestBlock": "0x0",
       "baseFeePerGas": ["0x3b9aca00","0x342770c0","0x2da66da2"],
       "gasUsedRatio": [0,0.0011737666666666667],
       "baseFeePerBlobGas": ["0x1","0x1","0x1"],
       "blobGasUsedRatio": [0,0]
     }
   }
>> {"jsonrpc":"2.0","id":26,"method":"eth_feeHistory","params":["0x2","0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 26,
     "result": {
       "oldestBlock": "0x0",
       "baseFeePerGas": ["0x3b9aca00","0x342770c0","0x2da66da2"],
       "gasUsedRatio": [0,0.0011737666666666667],
       "baseFeePerBlobGas": ["0x1","0x1","0x1"],
       "blobGasUsedRatio": [0,0]
     }
   }
>> {"jsonrpc":"2.0","id":27,"method":"eth_feeHistory","params":[2,"0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 27,
     "result": {
       "oldestBlock": "0x0",
       "baseFeePerGas": ["0x3b9aca00","0x342770c0","0x2da66da2"],
       "gasUsedRatio": [0,0.0011737666666666667],
       "baseFeePerBlobGas": ["0x1","0x1","0x1"],
       "blobGasUsedRatio": [0,0]
     }
   }
>> {"jsonrpc":"2.0","id":28,"method":"eth_feeHistory","params":["two","0x1"]}
<< {
     "jsonrpc": "2.0",
     "id": 28,
     "error": {
       "code": -32602,
       "message": "invalid argument 0 (block count) of eth_feeHistory: have \"two\" (not a whole number), want a whole number, plain or in hex"
     }
   }
// An access list is for a transaction: its blob fee cannot be zero.
>> {"jsonrpc":"2.0","id":29,"method":"eth_createAccessList","params":[{"to":"0x1000000000000000000000000000000000000004","maxFeePerBlobGas":"0x0"},"latest"]}
<< {"jsonrpc":"2.0","id":29,"error":{"code":-32000,"message":"maxFeePerBlobGas, if specified, must be non-zero"}}
