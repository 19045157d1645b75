package rpcserver_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

type object = map[string]any

// many returns a list of so many items.
func many[T any](count int, item func(i int) T) []T {
	list := make([]T, count)
	for i := range list {
		list[i] = item(i)
	}
	return list
}

func word(i int) string { return fmt.Sprintf("0x%064x", i+1) }

// nestedTypes returns typed data whose struct types and values are within one another.
func nestedTypes(levels int) object {
	types, message := object{"EIP712Domain": []any{}}, any(1)
	for i := range levels {
		types[fmt.Sprint("T", i)] = []any{object{"name": "x", "type": fmt.Sprint("T", i+1)}}
		message = object{"x": message}
	}
	types[fmt.Sprint("T", levels)] = []any{object{"name": "x", "type": "uint256"}}
	return object{"types": types, "primaryType": "T0", "domain": object{}, "message": object{"x": message}}
}

// nestedRLP returns lists of RLP within one another.
func nestedRLP(levels int) hexutil.Bytes {
	list := []byte{0xc0}
	for range levels {
		header := []byte{0xc0 + byte(len(list))}
		if len(list) > 55 {
			header = []byte{0xfa, byte(len(list) >> 16), byte(len(list) >> 8), byte(len(list))}
		}
		list = append(header, list...)
	}
	return list
}

// packed returns a dump that unpacks to so many bytes.
func packed(t *testing.T, size int) hexutil.Bytes {
	var text bytes.Buffer
	into := gzip.NewWriter(&text)
	_, err := into.Write(bytes.Repeat([]byte{'['}, size))
	require.NoError(t, err)
	require.NoError(t, into.Close())
	return text.Bytes()
}

// scripted returns the options of a trace by a tracer in JavaScript that does this at its end.
func scripted(does string) object {
	return object{"timeout": "200ms", "tracer": "{fault: function() {}, result: function() {" + does + "}}"}
}

// running overrides the code of an account.
func running(code string) object { return object{servertest.Counter.Hex(): object{"code": code}} }

// repeated is code that calls a precompile with so many bytes of memory again and again.
func repeated(precompile, size int) string {
	return fmt.Sprintf("0x5b5f5f63%08x5f61%04x5afa505f56", size, precompile)
}

// Ensure no request of any row of docs/maintainers/bounds.md can be made to run for ever or to need much memory,
// whatever is handed to a library: each ends, by itself or a little after its client left, and cheap requests are
// answered all the while. The test counts all memory that is allocated, so it does not run in parallel with others.
func TestHostileRequests(t *testing.T) {
	laboratory.OneGoroutine(t)
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{
		Settings: api.Settings{Behaviour: persona.Geth.Wire}, Limits: api.Limits{CallTimeout: 300 * time.Millisecond},
	})
	account := fixtures.Dev(0).Address
	call := object{"from": account, "to": servertest.Counter, "gas": hexutil.Uint64(50_000_000)}
	long := strings.Repeat("9", 1<<20)
	blob := hexutil.Bytes(make([]byte, 131_072))
	rows := map[string][][]any{
		"A look-up": {
			{"web3_sha3", hexutil.Bytes(make([]byte, 4<<20))}, {"eth_getBalance", account, object{"blockHash": "0x" + long}},
			{"personal_ecRecover", hexutil.Bytes(make([]byte, 1<<20)), hexutil.Bytes(make([]byte, 65))},
			{"eth_signTransaction", object{"from": account, "gas": "0x5208", "blobs": many(120, func(int) hexutil.Bytes { return blob })}},
		},
		"Typed data": {
			{"eth_signTypedData_v4", account, nestedTypes(60)}, {"eth_signTypedData_v4", account, nestedTypes(2000)},
			{"eth_signTypedData_v4", account, object{"types": object{"EIP712Domain": []any{}, "T": []any{object{"name": "x", "type": "uint256" + strings.Repeat("[1]", 50_000)}}}, "primaryType": "T", "domain": object{}, "message": object{"x": []any{}}}},
			{"eth_signTypedData_v4", account, object{"types": object{"EIP712Domain": []any{}, "T": []any{object{"name": "x", "type": "uint256"}}}, "primaryType": "T", "domain": object{}, "message": object{"x": long[:900_000]}}},
		},
		"A block, the pool, or a list": {{"txpool_contentFrom", "0x" + long}, {"debug_getRawBlock", "0x" + long}},
		"Several look-ups": {
			{"eth_getProof", account, many(200_000, word), "latest"}, {"eth_feeHistory", 1024, "latest", many(500_000, func(i int) int { return i })},
			{"base_transactionStatus", "0x" + long},
		},
		"A search for logs": {{"eth_getLogs", object{"fromBlock": "0x0", "topics": []any{many(100_000, word), many(100_000, word)}}}},
		"A call or simulation": {
			{"eth_call", call, "latest", running("0x5b5f56")},
			{"eth_call", call, "latest", running(repeated(5, 8000))}, {"eth_call", call, "latest", running(repeated(8, 192*3000))},
			{"eth_call", call, "latest", running(repeated(10, 192))}, {"eth_call", call, "latest", running(repeated(12, 160*5000))},
			{"eth_call", call, "latest", running(repeated(15, 384*2000))}, {"eth_call", call, "latest", running(repeated(0x100, 160))},
			{"eth_call", call, "latest", running("0x63ffffffff60e01b5f525f5f60d55f5f60095af100")}, {"eth_call", call, "latest", running("0x6302a0000060e01b5f525f5f60d55f5f60095af100")}, // blake2f of 2^32 - 1 rounds, which cannot be ended
			{"eth_call", call, "latest", many(1, func(int) object {
				overrides := object{}
				for i := range 50_000 {
					overrides[fmt.Sprintf("0x%040x", i+1)] = object{"balance": "0x1"}
				}
				return overrides
			})[0]},
			{"eth_estimateGas", object{"to": servertest.Spinner}},
			{"eth_simulateV1", object{"blockStateCalls": []any{object{"calls": many(200_000, func(int) object { return object{} })}}}},
			{"eth_createAccessList", object{"from": account, "to": servertest.Spinner, "authorizationList": many(20_000, func(int) object {
				return object{"chainId": "0x1", "address": account, "nonce": "0x0", "yParity": "0x0", "r": "0x1", "s": "0x1"}
			})}},
		},
		"A trace, search or comparison": {
			{"debug_traceCall", call, "latest", scripted("while (true);")},
			{"debug_traceCall", call, "latest", scripted("var b = bigInt(2); while (true) b = b.multiply(b)")},
			{"debug_traceCall", call, "latest", scripted("return /^(a|a)*$/.test(new Array(40).join('a') + 'b')")},
			{"debug_traceCall", call, "latest", scripted("var a = [1, 2, 3]; a.sort(function() { while (true); })")},
			{"debug_traceCall", call, "latest", object{"tracer": "erc7562Tracer", "timeout": "500ms", "stateOverrides": running("0x5b5f5f5f5f5f305af1505f56")}},
			{"debug_traceCall", call, "latest", object{"tracer": "muxTracer", "tracerConfig": json.RawMessage(`{` + strings.Join(many(50_000, func(i int) string { return fmt.Sprintf(`"t%d":{}`, i) }), ",") + `}`)}},
			{"debug_traceBlock", nestedRLP(20_000)}, {"trace_rawTransaction", nestedRLP(20_000), []string{"trace"}},
			{"trace_filter", object{"fromAddress": many(100_000, func(i int) string { return fmt.Sprintf("0x%040x", i) })}},
		},
		"Making blocks":                     {{"evm_mine", object{"blocks": 1 << 40}}, {"fakenode_advance", 1 << 60}, {"anvil_reorg", 1 << 40}},
		"Sending a transaction, or several": {{"eth_sendRawTransaction", nestedRLP(20_000)}, {"eth_sendRawTransaction", hexutil.Bytes("\x03\xfb\xff\xff\xff\xff")}, {"eth_sendTransaction", object{"from": account, "to": servertest.Spinner, "data": hexutil.Bytes(make([]byte, 1<<20))}}},
		"Waiting for a receipt or a call":   {{"fakenode_calls", object{"method": "eth_call", "count": 5, "waitMs": 1 << 40}}, {"eth_sendRawTransactionSync", nestedRLP(20_000), 1 << 40}},
		"The whole state as a dump":         {{"anvil_dumpState"}},
		"Reading a dump, or another chain":  {{"anvil_loadState", packed(t, 257<<20)}, {"anvil_loadState", packed(t, 1<<20)}, {"anvil_setRpcUrl", "http://" + long}},
		"A setting or an edit of the state": {{"hardhat_setBalance", account, long}, {"hardhat_setBalance", account, "0x" + long}, {"hardhat_setCode", account, hexutil.Bytes(make([]byte, 8<<20))}},
		"Something that is kept":            {{"eth_newFilter", object{"topics": []any{many(100_000, word)}}}, {"fakenode_setFault", object{"method": long, "latencyMs": 1}}, {"fakenode_bundlerFault", object{"kind": long}}},
		"A world":                           {{"fakenode_newWorld", object{"name": long}}},
		"A scenario":                        {{"fakenode_scenario", "LateBlock", object{"times": 1 << 40}}},
	}
	text, err := os.ReadFile("../docs/maintainers/bounds.md")
	require.NoError(t, err)
	for _, row := range regexp.MustCompile("(?m)^\\| ([A-Z][^|]*?) \\|.*`[a-z0-9]+_[A-Za-z]").FindAllStringSubmatch(string(text), -1) {
		found := false
		for name := range rows {
			found = found || strings.HasPrefix(row[1], name)
		}
		require.True(t, found, "no hostile request of the row %q", row[1])
	}
	for row, requests := range rows {
		for _, request := range requests {
			name, _ := request[0].(string)
			body := asJSON(t, object{"jsonrpc": "2.0", "id": 1, "method": name, "params": request[1:]})
			client, leave := context.WithTimeout(t.Context(), 3*time.Second)
			before, began := allocated(), time.Now()
			answered := make(chan []byte, 1)
			go func() { answered <- n.Server.Call(client, world.Main, []byte(body)) }()
			n.Do("eth_chainId")
			select {
			case answer := <-answered:
				cost := allocated() - before
				t.Logf("%-34s %-28s %9d bytes in %6s: %.120s", row, name, cost, time.Since(began).Round(time.Millisecond), answer)
				require.Less(t, cost, uint64(2*maxCost), "%s: %.200s", row, body) // twice, as dumps unpack to 256 MiB
			case <-time.After(30 * time.Second): // a busy machine stretches what takes a second
				require.Fail(t, "it goes on although its client has left", "%s: %.200s", row, body)
			}
			leave()
		}
	}
}
