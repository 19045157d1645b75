// The echo answers what it is sent, over both transports.
>> {"jsonrpc":"2.0","id":1,"result":[1,2,3]}
<< {"jsonrpc":"2.0","id":1,"result":[1,2,3]}

!! advance 200ms
>> "steps"
<< {"steps":"advance 200ms","path":"/"}

>>ws {"id":2}
<<ws {"id":2}
