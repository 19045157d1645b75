// the clock is set forward; nothing is sealed on the way
>> {"jsonrpc":"2.0","id":1,"method":"evm_increaseTime","params":[3600]}
<< {"jsonrpc":"2.0","id":1,"result":3600}
>> {"jsonrpc":"2.0","id":2,"method":"evm_setTime","params":[1700010000]}
<< {"jsonrpc":"2.0","id":2,"result":6400}
>> {"jsonrpc":"2.0","id":3,"method":"evm_setNextBlockTimestamp","params":["0x6553f3a0"]}
<< {"jsonrpc":"2.0","id":3,"result":null}
>> {"jsonrpc":"2.0","id":4,"method":"anvil_setBlockTimestampInterval","params":[10]}
<< {"jsonrpc":"2.0","id":4,"result":null}
>> {"jsonrpc":"2.0","id":5,"method":"anvil_removeBlockTimestampInterval","params":[]}
<< {"jsonrpc":"2.0","id":5,"result":true}
>> {"jsonrpc":"2.0","id":6,"method":"anvil_getGenesisTime","params":[]}
<< {"jsonrpc":"2.0","id":6,"result":1700000000}
>> {"jsonrpc":"2.0","id":7,"method":"evm_setTime","params":[1700000000]}
<< {
     "jsonrpc": "2.0",
     "id": 7,
     "error": {"code":-32602,"message":"evm_setTime: time 1700000000 is before 1700010000, the earliest allowed"}
   }
// by the names that viem's hardhat mode calls
>> {"jsonrpc":"2.0","id":8,"method":"hardhat_setBlockTimestampInterval","params":[10000]}
<< {"jsonrpc":"2.0","id":8,"result":null}
>> {"jsonrpc":"2.0","id":9,"method":"evm_mine","params":[]}
<< {"jsonrpc":"2.0","id":9,"result":"0x0"}
>> {"jsonrpc":"2.0","id":10,"method":"evm_mine","params":[]}
<< {"jsonrpc":"2.0","id":10,"result":"0x0"}
>> {"jsonrpc":"2.0","id":11,"method":"eth_getBlockByNumber","params":["latest",false]}
<< {
     "jsonrpc": "2.0",
     "id": 11,
     "result": {
       "baseFeePerGas": "0x2da282a8",
       "blobGasUsed": "0x0",
       "difficulty": "0x0",
       "excessBlobGas": "0x0",
       "extraData": "0x",
       "gasLimit": "0x3938700",
       "gasUsed": "0x0",
       "hash": "0xbaaf4d64303b385a5a64c053e2c8e259ae3beb793e778947ec6442f0adc3f46d",
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
       "miner": "0x0000000000000000000000000000000000000000",
       "mixHash": "0xac446c4a043c81805da3de7df617b9ef58f300c563195bb05cef5ac07896b822",
       "nonce": "0x0000000000000000",
       "number": "0x2",
       "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "parentHash": "0x09ce00270db29d90a3f4ea53fee72c37094a489276c731cbe5a8b5f92cab91d5",
       "receiptsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
       "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
       "stateRoot": "0x386dd753b3f48f50120fd5e988d0ab2c034664cc94c0ce2adf24bdbdacd2c485",
       "timestamp": "0x65541810",
       "transactionsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "size": "0x268",
       "transactions": [],
       "uncles": [],
       "withdrawals": []
     }
   }
>> {"jsonrpc":"2.0","id":12,"method":"hardhat_removeBlockTimestampInterval","params":[]}
<< {"jsonrpc":"2.0","id":12,"result":true}
>> {"jsonrpc":"2.0","id":13,"method":"evm_mine","params":[]}
<< {"jsonrpc":"2.0","id":13,"result":"0x0"}
>> {"jsonrpc":"2.0","id":14,"method":"eth_getHeaderByNumber","params":["latest"]}
<< {
     "jsonrpc": "2.0",
     "id": 14,
     "result": {
       "baseFeePerGas": "0x27ee3253",
       "blobGasUsed": "0x0",
       "difficulty": "0x0",
       "excessBlobGas": "0x0",
       "extraData": "0x",
       "gasLimit": "0x3938700",
       "gasUsed": "0x0",
       "hash": "0x69d0e1edd44ed855e38ddbe87fe82504dd69df2f0a075bf01ab8818fc7dd87f6",
       "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
       "miner": "0x0000000000000000000000000000000000000000",
       "mixHash": "0x26eb6e9831e7079f86cf87a8cf5fdae542061ff21fa3a7fe787b475fda2b9490",
       "nonce": "0x0000000000000000",
       "number": "0x3",
       "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
       "parentHash": "0xbaaf4d64303b385a5a64c053e2c8e259ae3beb793e778947ec6442f0adc3f46d",
       "receiptsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "requestsHash": "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
       "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
       "stateRoot": "0x033789f9b8f95710ef4c6f5742fc641236971e3186d092b7b63f5d79dad76b7f",
       "timestamp": "0x65541812",
       "transactionsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
       "withdrawalsRoot": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"
     }
   }
>> {"jsonrpc":"2.0","id":15,"method":"hardhat_setBlockTimestampInterval","params":[1500]}
<< {
     "jsonrpc": "2.0",
     "id": 15,
     "error": {
       "code": -32602,
       "message": "hardhat_setBlockTimestampInterval: an interval of 1500 ms is not a whole number of seconds"
     }
   }
