package eth_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure each member of a payload may be null, empty or absent (contract 2.5-blocks and those after it), and that what
// is wrong is named with its place and with what would be taken.
func TestSimulationMembers(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	geth := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.Geth.Wire}})
	const account = `0xabcdef0000000000000000000000000000000004`
	block := func(members string) string { return `{"blockStateCalls":[{` + members + `}]}` }
	override := func(members string) string { return block(`"stateOverrides":{"` + account + `":{` + members + `}}`) }
	for _, taken := range []string{
		block(``), block(`"calls":null,"stateOverrides":null,"blockOverrides":null`), block(`"calls":[],"stateOverrides":{},"blockOverrides":{}`),
		`{"blockStateCalls":[{},{}],"traceTransfers":null,"validation":null,"returnFullTransactions":null}`,
		block(`"calls":[{}]`), block(`"calls":[{"from":null,"value":null,"note":1}]`), override(``), override(`"storage":null,"stateDiff":null`),
		override(`"storage":{}`), block(`"blockOverrides":{"number":null}`),
	} {
		n.Do("eth_simulateV1", json.RawMessage(taken), "latest")
	}
	for _, refused := range []struct{ payload, want string }{
		{`{}`, "blockStateCalls has no entries"},
		{`{"blockStateCalls":null}`, "blockStateCalls has no entries"},
		{`{"blockStateCalls":[]}`, "blockStateCalls has no entries"},
		{`{"blockStateCalls":{}}`, "blockStateCalls is object, want an array"},
		{`{"blockStateCalls":[null]}`, "blockStateCalls[0]: null, want an object"},
		{`{"blockStateCalls":[{},7]}`, "blockStateCalls is number, want an object"},
		{`{"blockstatecalls":[{}]}`, `member "blockstatecalls" is unknown, want "blockStateCalls"`},
		{`{"blockStateCalls":[{}],"blockStateCalls":[{}]}`, `member "blockStateCalls" is given twice`},
		{`{"blockStateCalls":[{}],"validaton":true}`, `member "validaton" is unknown, want blockStateCalls, traceTransfers, validation`},
		{`{"blockStateCalls":[{}],"validation":"yes"}`, "validation is string, want true or false"},
		{block(`"calls":{}`), "calls is object, want an array"},
		{block(`"calls":[{},null]`), "blockStateCalls[0].calls[1]: null, want an object"},
		{block(`"calls":[{"From":"` + account + `"}]`), `blockStateCalls[0].calls[0]: member "From" is unknown, want "from"`},
		{block(`"calls":[{"from":"` + account + `","from":"` + account + `"}]`), `blockStateCalls[0].calls[0]: member "from" is given twice`},
		{block(`"calls":[{"value":1}]`), "value is non-string, want a hex quantity without leading zeros"},
		{block(`"calls":[{"to":"0x1"}]`), "to is hex string of odd length, want an address (20 bytes in hex)"},
		{block(`"calls":[],"Calls":[]`), `blockStateCalls[0]: member "Calls" is unknown, want "calls"`},
		{block(`"stateOverrides":{"` + account + `":null}`), `blockStateCalls[0].stateOverrides.` + account + `: null, want an object`},
		{block(`"stateOverrides":{"` + account + `":{},"` + "0x" + strings.ToUpper(account[2:]) + `":{}}`), `is given twice`},
		{override(`"storag":{}`), `member "storag" is unknown, want nonce, code, balance, state, stateDiff, storage, movePrecompileToAddress`},
		{override(`"Balance":"0x1"`), `member "Balance" is unknown, want "balance"`},
		{override(`"balance":"0x1","balance":"0x2"`), `member "balance" is given twice`},
		{override(`"balance":"0x1` + strings.Repeat("0", 64) + `"`), "balance is "},
		{override(`"storage":[]`), "storage is array, want an object"},
		{block(`"blockOverrides":{"timestmap":"0x5"}`), `blockStateCalls[0].blockOverrides: member "timestmap" is unknown, want number, time`},
		{block(`"blockOverrides":{"Number":"0x5"}`), `member "Number" is unknown, want "number"`},
	} {
		failure := n.Fails(api.CodeInvalidParams, "eth_simulateV1", json.RawMessage(refused.payload), "latest")
		require.Contains(t, failure.Message, refused.want, refused.payload)
	}
	for _, taken := range []string{ // as go-ethereum
		`{"blockstatecalls":[{}],"more":1}`, `{"blockStateCalls":[{}],"blockStateCalls":[{}]}`, block(`"calls":[{"From":"` + account + `"},null]`),
	} {
		geth.Do("eth_simulateV1", json.RawMessage(taken), "latest")
	}
}

// Ensure the geth profile takes the members of overrides that geth has, and no others, in simulations, and ignores
// others in calls.
func TestOverrideNamesOfGeth(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.Geth.Wire}})
	simulated := func(kind, members string) json.RawMessage {
		return json.RawMessage(`{"blockStateCalls":[{"` + kind + `":` + members + `}]}`)
	}
	const account = `{"0xabcdef0000000000000000000000000000000004":{`
	n.Do("eth_simulateV1", simulated("blockOverrides", `{"number":"0x5","time":"0x70000000","gasLimit":"0x10000","feeRecipient":null,
		"prevRandao":null,"baseFeePerGas":"0x1","blobBaseFee":"0x1","beaconRoot":null,"withdrawals":[]}`), "latest")
	n.Do("eth_simulateV1", simulated("stateOverrides", account+`"balance":"0x1","nonce":"0x1","code":"0x00","stateDiff":{}}}`), "latest")
	for _, members := range []string{
		`{"timestamp":"0x70000000"}`, `{"blockNumber":"0x5"}`, `{"coinbase":"0xabcdef0000000000000000000000000000000004"}`, `{"baseFee":"0x1"}`,
		`{"blockHash":{}}`, `{"tme":"0x1"}`,
	} {
		failure := n.Fails(api.CodeInvalidParams, "eth_simulateV1", simulated("blockOverrides", members), "latest")
		require.Contains(t, failure.Message, members[2:strings.Index(members, `":`)])
		n.Do("eth_call", map[string]any{"to": servertest.Counter}, "latest", nil, json.RawMessage(members))
	}
	failure := n.Fails(api.CodeInvalidParams, "eth_simulateV1", simulated("blockOverrides", `{"difficulty":"0x1"}`), "latest")
	require.Contains(t, failure.Message, "difficulty override is not allowed after the merge")
	for _, name := range []string{"storag", "storage"} {
		failure = n.Fails(api.CodeInvalidParams, "eth_simulateV1", simulated("stateOverrides", account+`"`+name+`":{}}}`), "latest")
		require.Contains(t, failure.Message, name)
	}
}

// Ensure storage in an override sets slots as stateDiff does.
func TestSimulationStorageOverride(t *testing.T) {
	t.Parallel()
	slot, six, seven := servertest.Topic(0), servertest.Topic(6), servertest.Topic(7)
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	counts := func(account map[string]any) hexutil.Bytes {
		blocks := servertest.Fetch[[]struct {
			Calls []struct{ ReturnData hexutil.Bytes }
		}](n, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{
			"stateOverrides": map[string]any{servertest.Counter.Hex(): account}, "calls": []any{map[string]any{"to": servertest.Counter}},
		}}}, "latest")
		return blocks[0].Calls[0].ReturnData
	}
	set := map[string]any{slot.Hex(): six}
	require.Equal(t, seven.Bytes(), []byte(counts(map[string]any{"storage": set})))
	require.Equal(t, seven.Bytes(), []byte(counts(map[string]any{"storage": set, "stateDiff": set})))
	refused := func(code int, account map[string]any) string {
		return n.Fails(code, "eth_call", map[string]any{"to": servertest.Counter}, "latest", map[string]any{servertest.Counter.Hex(): account}).Message
	}
	require.Contains(t, refused(api.CodeInvalidParams, map[string]any{"storage": set, "stateDiff": map[string]any{slot.Hex(): seven}}), "storage and stateDiff are one and the same, but not equal")
	require.Contains(t, refused(api.CodeServer, map[string]any{"storage": set, "state": set}), "has both 'state' and 'stateDiff'")
}

// Ensure a balance that receives more than it can hold stays at 2^256-1 wei.
func TestSimulatedBalancesDoNotWrap(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	full := "0x" + strings.Repeat("f", 64)
	n.Do("anvil_setBalance", servertest.Bob.Address, full)
	gift := map[string]any{"from": servertest.Alice.Address, "to": servertest.Bob.Address, "value": "0x2"}
	n.Do("eth_sendTransaction", gift)
	n.Seal(1)
	require.Equal(t, full, servertest.Fetch[string](n, "eth_getBalance", servertest.Bob.Address, "latest"))

	// The code returns its own balance.
	blocks := servertest.Fetch[[]struct {
		Calls []struct{ ReturnData hexutil.Bytes }
	}](n, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{
		"stateOverrides": map[string]any{servertest.Counter.Hex(): map[string]any{"balance": full, "code": "0x475f5260205ff3"}},
		"calls":          []any{map[string]any{"from": servertest.Alice.Address, "to": servertest.Counter, "value": "0x1"}},
	}}}, "latest")
	require.Equal(t, full, blocks[0].Calls[0].ReturnData.String())
}
