// Package transcript replays recorded conversations with a node. It is for the tests of fakenode.
//
// A conversation is an .io file:
//
//	// what it shows
//	>> {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}
//	<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
//	!! seal
//	>>ws {"jsonrpc":"2.0","id":2,"method":"eth_subscribe","params":["newHeads"]}
//	<<ws {"jsonrpc":"2.0","id":2,"result":"0x1"}
//	>>/testnet {"jsonrpc":"2.0","id":3,"method":"eth_getBlockByNumber","params":["latest",false]}
//	<< {
//	     "jsonrpc": "2.0",
//	     "id": 3,
//	     "result": {
//	       "number": "0x0",
//	       "uncles": []
//	     }
//	   }
//
// Each entry begins with a mark. Indented lines continue the entry before them.
//
//   - "//" is a comment.
//   - ">>" posts a request over HTTP, to the path that may follow the mark without a space. "<<" is its answer. A
//     request without "<<" must get no answer, as notifications do.
//   - ">>ws" sends a message over the WebSocket connection of the file, which the first such entry opens. Each "<<ws"
//     is the next message that arrives on it.
//   - "!!" is a step that the caller of Run knows how to take, such as "advance 200ms".
//
// Answers are compared as JSON, so neither their layout nor the order of keys matters, and without the messages of
// errors.
//
// Run rewrites the answers in the files if the caller asks for it: an answer of up to 120 columns stays on its line, a
// longer one is laid out over lines, and so is each value in it. A file to be rewritten must hold its "<<ws" marks, if
// only bare, because they say how many messages to wait for; "<<" entries may be missing. Everything else is kept.
package transcript
