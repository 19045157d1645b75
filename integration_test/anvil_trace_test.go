package integration_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// tracedCase is a transaction that is made on both nodes.
type tracedCase struct {
	name  string
	to    *common.Address // nil: data is the code that a creation runs
	value int64
	data  []byte
}

// tracedCases are transactions of one sender, in the order of its nonces. Those that call go to what those before them
// have created.
func tracedCases(sender common.Address) []tracedCase {
	other := fixtures.Dev(5).Address
	created := func(nonce uint64) *common.Address {
		return new(crypto.CreateAddress(sender, nonce))
	}
	deploy := func(code []byte) []byte { return program.New().ReturnViaCodeCopy(code).Bytes() }
	sends := program.New().Call(nil, other, 5, 0, 0, 0, 0).Bytes()
	hashes := program.New().Call(nil, common.BytesToAddress([]byte{2}), 0, 0, 0, 0, 32).Bytes()
	reverts := program.New().Push(0).Push(0).Op(vm.REVERT).Bytes()
	creates := program.New().Push(0).Push(0).Push(0).Op(vm.CREATE).Bytes()
	dies := program.New().Push(other).Op(vm.SELFDESTRUCT).Bytes()
	writes := program.New().Sstore(1, 1).Bytes()
	return []tracedCase{
		{"deploy sends", nil, 100, deploy(sends)},                                                         // nonce 0
		{"deploy hashes", nil, 0, deploy(hashes)},                                                         // 1
		{"deploy reverts", nil, 0, deploy(reverts)},                                                       // 2
		{"deploy creates", nil, 0, deploy(creates)},                                                       // 3
		{"deploy dies", nil, 7, deploy(dies)},                                                             // 4
		{"deploy invalid", nil, 0, deploy([]byte{byte(vm.INVALID)})},                                      // 5
		{"deploy writes", nil, 0, deploy(writes)},                                                         // 6
		{"deploy static", nil, 0, deploy(program.New().StaticCall(nil, *created(6), 0, 0, 0, 0).Bytes())}, // 7
		{"deploy underflow", nil, 0, deploy([]byte{byte(vm.POP)})},                                        // 8
		{"transfer", &other, 9, nil},
		{"call that sends ether on", created(0), 0, []byte{1, 2, 3}},
		{"call of a precompile", created(1), 0, nil},
		{"revert", created(2), 0, nil},
		{"creation by a contract", created(3), 0, nil},
		{"self-destruction", created(4), 0, nil},
		{"invalid instruction", created(5), 0, nil},
		{"static call that writes", created(7), 0, nil},
		{"stack underflow", created(8), 0, nil},
		{"creation that fails", nil, 0, reverts},
	}
}

// sendTraced sends the cases to a node, each in a block of its own, which is mined on command or comes with the send.
// It returns their hashes.
func sendTraced(t *testing.T, client *rpc.Client, cases []tracedCase, mine bool) []common.Hash {
	t.Helper()
	var hashes []common.Hash
	for i, c := range cases {
		tx, err := types.SignNewTx(fixtures.Dev(3).Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
			Nonce: uint64(i), GasPrice: big.NewInt(20e9), Gas: 200_000, To: c.to, Value: big.NewInt(c.value), Data: c.data,
		})
		require.NoError(t, err)
		raw, err := tx.MarshalBinary()
		require.NoError(t, err)
		require.NoError(t, client.CallContext(t.Context(), nil, "eth_sendRawTransaction", hexutil.Encode(raw)), c.name)
		if mine {
			require.NoError(t, client.CallContext(t.Context(), nil, "evm_mine"))
		}
		hashes = append(hashes, tx.Hash())
	}
	return hashes
}

// answerOf returns the answer of a node, without members that depend on time.
func answerOf(t *testing.T, client *rpc.Client, method string, params ...any) any {
	t.Helper()
	var answer any
	if err := client.CallContext(t.Context(), &answer, method, params...); err != nil {
		var failure rpc.Error
		require.ErrorAs(t, err, &failure)
		return fmt.Sprint("error ", failure.ErrorCode())
	}
	return timeless(answer)
}

// timeless removes what depends on time: hashes of blocks and their timestamps.
func timeless(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			if slices.Contains([]string{"blockHash", "timestamp"}, name) {
				delete(v, name)
				continue
			}
			v[name] = timeless(member)
		}
	case []any:
		for i, member := range v {
			v[i] = timeless(member)
		}
	}
	return value
}

// Ensure trace_* and ots_* answer as anvil does on the same chain, but for the differences that docs/compatibility.md
// lists with their reasons.
func TestTracesBesideAnvil(t *testing.T) {
	t.Parallel()
	address, stop := startAnvil(t, "--no-mining")
	defer stop()
	theirs, err := rpc.DialContext(t.Context(), address)
	require.NoError(t, err)
	defer theirs.Close()
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant, Compat: fakenode.Geth})
	ours, err := rpc.DialContext(t.Context(), node.URL())
	require.NoError(t, err)
	defer ours.Close()

	sender := fixtures.Dev(3).Address
	cases := tracedCases(sender)
	hashes := sendTraced(t, ours, cases, false)
	require.Equal(t, hashes, sendTraced(t, theirs, cases, true))

	var differences []string
	compare := func(name, method string, params ...any) {
		have, want := answerOf(t, ours, method, params...), answerOf(t, theirs, method, params...)
		if !reflect.DeepEqual(have, want) {
			differences = append(differences, method+": "+name)
			a, _ := json.Marshal(have)
			b, _ := json.Marshal(want)
			t.Logf("%s: %s\n  fakenode %s\n  anvil    %s", method, name, a, b)
		}
	}
	for i, c := range cases {
		number := hexutil.Uint64(i + 1)
		compare(c.name, "trace_transaction", hashes[i])
		compare(c.name, "trace_block", number)
		compare(c.name, "trace_replayBlockTransactions", number, []string{"trace"})
		compare(c.name, "ots_traceTransaction", hashes[i])
		compare(c.name, "ots_getInternalOperations", hashes[i])
		compare(c.name, "ots_getTransactionError", hashes[i])
		compare(c.name, "ots_getTransactionBySenderAndNonce", sender, i)
		if c.to != nil {
			compare(c.name, "ots_hasCode", *c.to, "latest")
			compare(c.name, "ots_getContractCreator", *c.to)
		}
	}
	compare("all", "trace_filter", map[string]any{"fromBlock": "0x1", "toBlock": "0xa"})
	compare("by sender", "trace_filter", map[string]any{"fromBlock": "0x1", "toBlock": "0xa", "fromAddress": []any{sender}})
	compare("unknown", "trace_transaction", common.Hash{1})
	compare("unknown", "trace_block", "0x999")
	for _, method := range []string{"trace_get", "trace_call", "trace_callMany", "trace_rawTransaction", "trace_replayTransaction"} {
		compare("unknown to anvil", method, common.Hash{1}, []string{})
	}
	require.ElementsMatch(t, knownTraceDifferences(cases), differences)
}

// knownTraceDifferences returns the answers that differ from anvil's by docs/compatibility.md.
func knownTraceDifferences(cases []tracedCase) []string {
	known := []string{
		"ots_getInternalOperations: transfer",
		"trace_transaction: unknown", "trace_block: unknown",
		"trace_get: unknown to anvil", "trace_call: unknown to anvil", "trace_callMany: unknown to anvil",
		"trace_rawTransaction: unknown to anvil", "trace_replayTransaction: unknown to anvil",
	}
	for _, c := range cases {
		if c.to == nil {
			known = append(known, "ots_traceTransaction: "+c.name, "ots_getInternalOperations: "+c.name)
		}
	}
	for name, methods := range map[string][]string{
		"call of a precompile":    {"trace_transaction", "trace_block", "ots_traceTransaction"},
		"creation by a contract":  {"ots_traceTransaction"},
		"self-destruction":        {"ots_traceTransaction"},
		"static call that writes": {"trace_transaction", "trace_block", "trace_replayBlockTransactions", "ots_traceTransaction"},
		"stack underflow":         {"trace_transaction", "trace_block", "trace_replayBlockTransactions"},
		"creation that fails":     {"trace_transaction", "trace_block", "trace_replayBlockTransactions"},
	} {
		for _, method := range methods {
			known = append(known, method+": "+name)
		}
	}
	return known
}
