package eth_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure simulated blocks and call results have the fields of contract 2.6-fields, and the state root is
// always zero.
func TestSimulatedBlockFields(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	payload := map[string]any{"blockStateCalls": []any{
		map[string]any{"calls": []any{map[string]any{"to": servertest.Counter}, map[string]any{"to": servertest.Reverter, "data": "0xdeadbeef"}}},
		map[string]any{},
	}}
	for _, tag := range []string{"latest", "pending", "safe", "finalized", "earliest", "0x0"} {
		blocks := servertest.Fetch[[]map[string]any](n, "eth_simulateV1", payload, tag)
		require.Len(t, blocks, 2)
		for _, block := range blocks {
			require.Equal(t, strings.Fields(`baseFeePerGas blobGasUsed calls difficulty excessBlobGas extraData gasLimit
				gasUsed hash logsBloom miner mixHash nonce number parentBeaconBlockRoot parentHash receiptsRoot requestsHash
				sha3Uncles size stateRoot timestamp transactions transactionsRoot uncles withdrawals withdrawalsRoot`),
				slices.Sorted(maps.Keys(block)))
			require.Equal(t, common.Hash{}.Hex(), block["stateRoot"])
		}
		require.Equal(t, blocks[0]["hash"], blocks[1]["parentHash"])
		calls := blocks[0]["calls"].([]any)
		worked, failed := calls[0].(map[string]any), calls[1].(map[string]any)
		require.Equal(t, []string{"gasUsed", "logs", "maxUsedGas", "returnData", "status"}, slices.Sorted(maps.Keys(worked)))
		require.Equal(t, "0x1", worked["status"])
		require.Equal(t, "0x0", failed["status"])
		require.Equal(t, "execution reverted", failed["error"])
		require.Equal(t, "0xdeadbeef", failed["returnData"])
		require.Empty(t, failed["logs"])
	}
}

// Ensure the hash of a simulated block is its header's, in both profiles, so that its own BLOCKHASH fits.
func TestSimulatedBlockHash(t *testing.T) {
	t.Parallel()
	for _, profile := range []api.Behaviour{{}, persona.Geth.Wire} {
		n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: profile}})
		payload := map[string]any{"blockStateCalls": []any{
			map[string]any{"calls": []any{map[string]any{"to": servertest.Counter}}},
			map[string]any{"calls": []any{map[string]any{"to": servertest.Observer}}},
		}}
		headers := servertest.Fetch[[]*types.Header](n, "eth_simulateV1", payload, "latest")
		blocks := servertest.Fetch[[]struct {
			Hash  common.Hash
			Calls []struct{ ReturnData hexutil.Bytes }
		}](n, "eth_simulateV1", payload, "latest")
		for i := range blocks {
			require.Equal(t, headers[i].Hash(), blocks[i].Hash)
		}
		require.Equal(t, profile == (api.Behaviour{}), headers[0].Root == common.Hash{})
		seen := blocks[1].Calls[0].ReturnData
		require.Equal(t, blocks[0].Hash, common.Hash(seen[len(seen)-32:]))
	}
}

// Ensure a simulation on pending continues the pending block: its transactions are there once, the head is the parent,
// and BLOCKHASH inside returns its hash.
func TestSimulateOnPending(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.Geth.Wire}})
	head := n.Seal(3)[2]
	n.Send(servertest.Alice, &servertest.Counter, nil)
	n.Preconfirm()
	call := ethereum.CallMsg{To: &servertest.Counter}
	blocks, err := n.Eth.SimulateV1(t.Context(), ethclient.SimulateOptions{BlockStateCalls: []ethclient.SimulateBlock{
		{Calls: []ethereum.CallMsg{call, {To: &servertest.Observer}}}, {Calls: []ethereum.CallMsg{call}},
	}}, new(blockRef("pending")))
	require.NoError(t, err)
	require.Len(t, blocks, 2)
	require.EqualValues(t, 4, blocks[0].Number.Int64())
	require.Equal(t, servertest.Topic(2).Bytes(), blocks[0].Calls[0].ReturnValue)
	require.Equal(t, servertest.Topic(3).Bytes(), blocks[1].Calls[0].ReturnValue)
	seen := blocks[0].Calls[1].ReturnValue
	require.Equal(t, head, common.Hash(seen[len(seen)-32:]))
}

// Ensure no simulation changes the node: not its state, pool, pending block, counters or clock.
func TestSimulationLeavesNoTrace(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Send(servertest.Alice, &servertest.Counter, nil)
	n.Seal(2)
	n.Send(servertest.Alice, &servertest.Counter, nil)
	n.Preconfirm()
	n.Do("eth_sendRawTransaction", hexutil.Bytes(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 7)))) // waits for a nonce
	before := picture(n)
	random := rand.New(rand.NewPCG(1, 2))
	targets := []common.Address{servertest.Emitter, servertest.Reverter, servertest.Observer, servertest.Counter, servertest.Fourfold, servertest.Bob.Address}
	for range laboratory.Budget(t, 40, 200) {
		var blocks []any
		for range 1 + random.IntN(4) {
			var calls []any
			for range random.IntN(5) {
				calls = append(calls, map[string]any{
					"from": servertest.Alice.Address, "to": targets[random.IntN(len(targets))],
					"value": hexutil.Uint64(random.IntN(2)), "gas": hexutil.Uint64(20_000 + random.IntN(50_000)),
				})
			}
			blocks = append(blocks, map[string]any{"calls": calls, "stateOverrides": map[common.Address]any{
				servertest.Counter:       map[string]any{"stateDiff": map[common.Hash]common.Hash{servertest.Topic(0): servertest.Topic(byte(random.IntN(9)))}},
				servertest.Alice.Address: map[string]any{"nonce": hexutil.Uint64(random.IntN(9)), "balance": hexutil.Uint64(random.Uint64() >> 1)},
			}})
		}
		var body any
		err := n.Eth.Client().CallContext(t.Context(), &body, "eth_simulateV1",
			map[string]any{"blockStateCalls": blocks, "validation": random.IntN(2) == 0, "traceTransfers": random.IntN(2) == 0},
			[]string{"latest", "pending", "earliest"}[random.IntN(3)])
		if err != nil {
			require.NotContains(t, err.Error(), "internal error")
		}
	}
	require.Equal(t, before, picture(n))
}

// picture is all that a client can see of the node.
func picture(n *servertest.Network) string {
	n.Helper()
	m := n.Timeline.Moment()
	var picture strings.Builder
	fmt.Fprintln(&picture, m.Now(), m.Latest().Block().Header().Root, m.PoolSize())
	for _, query := range []struct {
		method string
		params []any
	}{
		{"eth_getBlockByNumber", []any{"latest", true}}, {"eth_getBlockByNumber", []any{"pending", true}},
		{"eth_getProof", []any{servertest.Counter, []string{"0x0"}, "pending"}}, {"eth_getProof", []any{servertest.Alice.Address, []string{}, "pending"}},
		{"eth_getTransactionCount", []any{servertest.Alice.Address, "pending"}}, {"eth_getLogs", []any{map[string]any{"fromBlock": "0x0", "toBlock": "pending"}}},
	} {
		fmt.Fprintln(&picture, query.method, servertest.Fetch[any](n, query.method, query.params...))
	}
	return picture.String()
}

// Ensure both profiles agree except in the rows of docs/rpc.md on profiles: error form, state root and the values that
// depend on it.
func TestSimulateErrorForms(t *testing.T) {
	t.Parallel()
	payload := map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{
		map[string]any{"to": servertest.Reverter, "data": "0xdeadbeef"}, map[string]any{"to": servertest.Spinner, "gas": "0x186a0"},
	}}}}
	type simulated []struct{ Calls []struct{ Error any } }
	blocks := servertest.Fetch[simulated](servertest.New(t, preconf.Config{}, rpcserver.Config{}), "eth_simulateV1", payload, "latest")
	require.Equal(t, "execution reverted", blocks[0].Calls[0].Error)
	require.Equal(t, "out of gas", blocks[0].Calls[1].Error)

	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.Geth.Wire}})
	blocks = servertest.Fetch[simulated](n, "eth_simulateV1", payload, "latest")
	require.Equal(t, map[string]any{"code": 3.0, "message": "execution reverted", "data": "0xdeadbeef"}, blocks[0].Calls[0].Error)
	require.Equal(t, map[string]any{"code": -32015.0, "message": "out of gas"}, blocks[0].Calls[1].Error)
}

// Ensure the limits of one simulation are rejected by code: blocks, calls and gas.
func TestSimulationLimits(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{GasCap: 100_000}})
	blocks := make([]any, 257)
	for i := range blocks {
		blocks[i] = map[string]any{}
	}
	n.Fails(api.CodeClientLimit, "eth_simulateV1", map[string]any{"blockStateCalls": blocks}, "latest")
	calls := make([]any, 5001)
	for i := range calls {
		calls[i] = map[string]any{"to": servertest.Bob.Address}
	}
	n.Fails(api.CodeClientLimit, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{"calls": calls}}}, "latest")

	simulated := servertest.Fetch[[]struct {
		Calls []struct{ Status, Error string }
	}](n, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{map[string]any{"to": servertest.Spinner}}}}}, "latest")
	require.Equal(t, "0x0", simulated[0].Calls[0].Status)
	require.Contains(t, simulated[0].Calls[0].Error, "cap")
}

// Ensure a block override under two names is rejected where they differ; geth knows one of them.
func TestOverrideUnderTwoNames(t *testing.T) {
	t.Parallel()
	n, geth := servertest.New(t, preconf.Config{}, rpcserver.Config{}), inProfile(t, persona.Geth.Wire, preconf.Config{})
	call := map[string]any{"to": servertest.Counter}
	for _, both := range []map[string]any{
		{"time": "0x70000000", "timestamp": "0x70000001"}, {"number": "0x9", "blockNumber": "0x8"},
		{"feeRecipient": servertest.Alice.Address, "coinbase": servertest.Bob.Address}, {"prevRandao": servertest.Topic(1), "random": servertest.Topic(2)}, {"baseFeePerGas": "0x1", "baseFee": "0x2"},
	} {
		payload := map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{call}, "blockOverrides": both}}}
		n.Fails(api.CodeInvalidParams, "eth_simulateV1", payload, "latest")
		n.Fails(api.CodeInvalidParams, "eth_call", call, "latest", map[string]any{}, both)
		n.Fails(api.CodeInvalidParams, "eth_estimateGas", call, "latest", map[string]any{}, both)
		n.Fails(api.CodeInvalidParams, "debug_traceCall", call, "latest", map[string]any{"blockOverrides": both})
		geth.Do("eth_call", call, "latest", map[string]any{}, both)
	}
	n.Do("eth_call", call, "latest", map[string]any{}, map[string]any{"time": "0x70000000", "timestamp": "0x70000000", "number": "0x0", "blockNumber": "0x0"})
}

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
