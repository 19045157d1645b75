package chain_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/tests"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// object is JSON under construction.
type object map[string]any

// with returns a copy with some members changed; nil removes one.
func (o object) with(changes object) object {
	next := object{}
	maps.Copy(next, o)
	for key, value := range changes {
		next[key] = value
		if value == nil {
			delete(next, key)
		}
	}
	return next
}

// toJSON returns the JSON text.
func toJSON(t *testing.T, value any) []byte {
	t.Helper()
	raw, err := json.Marshal(value)
	require.NoError(t, err)
	return raw
}

// stateShape is a state test of a contract that stores difficulty (or random number), gas price and SELFBALANCE.
type stateShape struct {
	fork             string
	env, tx, outcome object
}

// encode returns the test with the expected root.
func (s stateShape) encode(t *testing.T, root any) []byte {
	t.Helper()
	env := object{
		"currentCoinbase": "0x00000000000000000000000000000000000000cb", "currentGasLimit": "0x1000000", "currentNumber": "1",
		"currentTimestamp": "1000", "currentRandom": "0x07", "currentDifficulty": "0x20000", "currentBaseFee": "0x0a",
	}
	tx := object{
		"secretKey": "0x45a915e4d060149eb4365960e6a7a45f334393093061116b197e3240065ff2d8", "nonce": "0x00", "gasPrice": "0x64",
		"to": "0x00000000000000000000000000000000000000c0", "data": []string{"0x", "0x01"}, "gasLimit": []string{"0x30000"}, "value": []string{"0x00", "0x05"},
	}
	post := object{
		"hash": root, "logs": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
		"indexes": object{"data": 0, "gas": 0, "value": 1},
	}
	return toJSON(t, object{
		"env": env.with(s.env), "transaction": tx.with(s.tx), "post": object{s.fork: []object{post.with(s.outcome)}},
		"pre": object{
			"0x00000000000000000000000000000000000000c0": object{"balance": "0x01", "nonce": "0x01", "code": "0x446000553a60015547600255", "storage": object{}},
			"0xa94f5374fce5edbc8e2a8697c15331677e6ebf0b": object{"balance": "0x3b9aca00", "nonce": "0x00", "code": "0x", "storage": object{}},
		},
	})
}

// stateShapes holds forms of a state test that go-ethereum's runner accepts.
var stateShapes = map[string]stateShape{
	"plain":                 {fork: "Cancun"},
	"blob schedule forks":   {fork: "BPO2"},
	"transition":            {fork: "ShanghaiToCancunAtTime15k"},
	"more EIPs":             {fork: "Byzantium+1884", env: object{"currentBaseFee": nil}},
	"proof of work":         {fork: "London", env: object{"currentRandom": nil}},
	"no random":             {fork: "Cancun", env: object{"currentRandom": nil}, tx: object{"to": ""}},
	"difficulty 0":          {fork: "London", env: object{"currentRandom": nil, "currentDifficulty": "0x00"}},
	"coinbase without 0x":   {fork: "Cancun", env: object{"currentCoinbase": "00000000000000000000000000000000000000cb"}},
	"default base fee":      {fork: "Cancun", env: object{"currentBaseFee": nil}},
	"excess blob gas":       {fork: "Cancun", env: object{"currentExcessBlobGas": "0x0e0000", "parentBlobGasUsed": "0x20000"}},
	"no nonce":              {fork: "Cancun", tx: object{"nonce": nil}},
	"fee cap without tip":   {fork: "Cancun", tx: object{"gasPrice": nil, "maxFeePerGas": "0x64"}},
	"fee cap and tip":       {fork: "Cancun", tx: object{"gasPrice": nil, "maxFeePerGas": "0x64", "maxPriorityFeePerGas": "0x02"}},
	"sender":                {fork: "Cancun", tx: object{"secretKey": nil, "sender": "0xa94f5374fce5edbc8e2a8697c15331677e6ebf0b"}},
	"value 0x":              {fork: "Cancun", tx: object{"value": []string{"", "0x"}}},
	"access list":           {fork: "Cancun", tx: object{"accessLists": []any{[]object{{"address": common.Address{9}, "storageKeys": []common.Hash{{1}}}}, nil}}},
	"authorization":         {fork: "Prague", tx: object{"authorizationList": []object{{"chainId": "0x1", "address": common.Address{9}, "nonce": "0x0", "v": "0x0", "r": "0x1", "s": "0x1", "yParity": "0x0"}}}},
	"no exception in words": {fork: "Cancun", outcome: object{"expectException": ""}},
	"refused: no fee":       {fork: "Cancun", tx: object{"gasPrice": nil}, outcome: object{"expectException": "A|B"}},
	"refused: fee before london": {fork: "Berlin", env: object{"currentBaseFee": nil}, tx: object{"gasPrice": nil, "maxFeePerGas": "0x64", "maxPriorityFeePerGas": "0x02"},
		outcome: object{"expectException": "A"}},
	"refused: nonce":       {fork: "Cancun", tx: object{"nonce": "0x10000000000000000"}, outcome: object{"expectException": "A"}},
	"refused: value":       {fork: "Cancun", tx: object{"value": []string{"", "0x:bigint 0x1" + fmt.Sprintf("%064d", 0)}}, outcome: object{"expectException": "A"}},
	"refused: recipient":   {fork: "Cancun", tx: object{"to": "0x01"}, outcome: object{"expectException": "A"}},
	"refused: data":        {fork: "Cancun", tx: object{"data": []string{"0x0"}}, outcome: object{"expectException": "A"}},
	"refused: no delegate": {fork: "Prague", tx: object{"authorizationList": []object{}}, outcome: object{"expectException": "A"}},
	"refused: no blobs":    {fork: "Cancun", tx: object{"blobVersionedHashes": []common.Hash{}}, outcome: object{"expectException": "A"}},
	"refused: encoding":    {fork: "Cancun", outcome: object{"txbytes": "0x03", "expectException": "A"}},
}

// Ensure the runner agrees with go-ethereum's on every shape that one takes, with the right root and with a wrong one.
func TestStateTestShapes(t *testing.T) {
	t.Parallel()
	ours := func(raw []byte) error {
		test := new(stateTest)
		require.NoError(t, json.Unmarshal(raw, test))
		return test.runClaimed(new(tally))
	}
	for name, shape := range stateShapes {
		var geth tests.StateTest
		require.NoError(t, json.Unmarshal(shape.encode(t, common.Hash{}), &geth), name)
		state, root, _, refusal := geth.RunNoVerify(tests.StateSubtest{Fork: shape.fork}, vm.Config{}, false, rawdb.HashScheme)
		require.Equal(t, strings.HasPrefix(name, "refused"), refusal != nil, name)
		if refusal != nil {
			root = state.StateDB.IntermediateRoot(params.Rules{})
		}
		state.Close()
		require.NoError(t, ours(shape.encode(t, root)), name)
		require.NoError(t, ours(shape.encode(t, root.Hex()[2:])), name)
		require.ErrorContains(t, ours(shape.encode(t, common.Hash{1})), "state root", name)
	}
	// Numbers that go-ethereum's runner does not read, exceptions by fork, and indexes that are wrong.
	for name, shape := range map[string]stateShape{
		"gas limit": {fork: "Cancun", tx: object{"gasLimit": []string{"0x:bigint 0x10000000000000000"}}},
		"fee":       {fork: "Cancun", tx: object{"gasPrice": "0x:bigint 0x1" + fmt.Sprintf("%064d", 0)}},
		"index":     {fork: "Cancun", outcome: object{"indexes": object{"data": 2, "gas": 0, "value": 0}}},
	} {
		require.Error(t, ours(shape.encode(t, common.Hash{})), name)
		shape.outcome = shape.outcome.with(object{"expectException": object{">=Cancun": "A"}})
		require.NoError(t, ours(shape.encode(t, common.Hash{})), name)
	}
}

// headerShape is a header as the block tests write it.
func headerShape(b *chain.Block) object {
	h := b.Header()
	return object{
		"hash": b.Hash(), "parentHash": h.ParentHash, "uncleHash": h.UncleHash, "coinbase": h.Coinbase, "stateRoot": h.Root,
		"transactionsTrie": h.TxHash, "receiptTrie": h.ReceiptHash, "bloom": h.Bloom, "difficulty": (*hexutil.Big)(h.Difficulty),
		"number": (*hexutil.Big)(h.Number), "gasLimit": hexutil.Uint64(h.GasLimit), "gasUsed": hexutil.Uint64(h.GasUsed),
		"timestamp": hexutil.Uint64(h.Time), "extraData": hexutil.Bytes(h.Extra), "mixHash": h.MixDigest, "nonce": h.Nonce,
		"baseFeePerGas": (*hexutil.Big)(h.BaseFee), "withdrawalsRoot": h.WithdrawalsHash, "blobGasUsed": (*hexutil.Uint64)(h.BlobGasUsed),
		"excessBlobGas": (*hexutil.Uint64)(h.ExcessBlobGas), "parentBeaconBlockRoot": h.ParentBeaconRoot,
	}
}

// blockShape returns a block test: a genesis, a block with a transaction on it, and blocks that are rejected.
func blockShape(t *testing.T) object {
	t.Helper()
	c := newChain(t, "cancun")
	c, b := seal(t, add(t, draft(t, c, chain.Env{}), 0, call(t, 0, 0, storer, 100_000, words(1, 2))))
	raw, err := rlp.EncodeToBytes(b.Body())
	require.NoError(t, err)
	valid := object{"rlp": hexutil.Encode(raw), "blockHeader": headerShape(b), "blocknumber": "1"}
	return object{
		"network": "Cancun", "sealEngine": "NoProof", "config": object{"network": "Cancun", "chainid": "0x01"},
		"genesisBlockHeader": headerShape(c.BlockByNumber(0)), "pre": c.Genesis().Alloc, "lastblockhash": b.Hash(),
		"blocks": []object{
			{"rlp": "0x", "expectException": "A"}, {"rlp": "", "expectException": "A"}, {"rlp": "0xc0", "expectException": "A"},
			{"rlp": hexutil.Encode(raw[:100]), "expectException": "A"}, {"rlp": hexutil.Encode(append(raw, raw...)), "expectException": "A"},
			valid,
		},
		"postState": object{storer.Hex(): object{
			"balance": "0x00", "nonce": "0x01", "code": "0x" + contracts[storer], "storage": object{"0x02": "0x01", "0x03": "0x00"},
		}},
	}
}

// Ensure the runner accepts the same tests as go-ethereum's, and nothing that is wrong.
func TestBlockTestShapes(t *testing.T) {
	t.Parallel()
	ours := func(shape object) error {
		test := new(blockTest)
		require.NoError(t, json.Unmarshal(toJSON(t, shape), test))
		return test.runClaimed(new(tally))
	}
	shape := blockShape(t)
	blocks := shape["blocks"].([]object)
	valid := blocks[len(blocks)-1]
	head, genesis := shape["lastblockhash"].(common.Hash), shape["genesisBlockHeader"].(object)["hash"].(common.Hash)
	for name, changes := range map[string]object{
		"plain":               {},
		"head without 0x":     {"lastblockhash": head.Hex()[2:]},
		"post state is null":  {"postState": json.RawMessage("null")},
		"no post state":       {"postState": nil},
		"post state is empty": {"postState": object{}},
		"block twice":         {"blocks": []object{valid, valid}},
		"no blocks":           {"blocks": []object{}, "lastblockhash": genesis, "postState": nil},
	} {
		var geth tests.BlockTest
		require.NoError(t, json.Unmarshal(toJSON(t, shape.with(changes)), &geth), name)
		require.NoError(t, geth.Run(false, rawdb.HashScheme, false, nil, nil), name)
		require.NoError(t, ours(shape.with(changes)), name)
	}
	for want, changes := range map[string]object{
		"genesis hash":          {"genesisBlockHeader": shape["genesisBlockHeader"].(object).with(object{"timestamp": "0x1"})},
		"head: got":             {"lastblockhash": genesis},
		"valid is false":        {"blocks": []object{valid.with(object{"blockHeader": nil})}},
		"valid is true":         {"blocks": []object{valid.with(object{"rlp": "0x"})}},
		"is not in the chain":   {"blocks": []object{valid.with(object{"blockHeader": object{"hash": common.Hash{1}}})}},
		"state root: got":       {"postStateHash": common.Hash{1}},
		"slot 0x00000000000000": {"postState": object{storer.Hex(): object{"balance": "0x0", "nonce": "0x1", "code": "0x" + contracts[storer], "storage": object{"0x03": "0x01"}}}},
		"got nonce 0":           {"postState": object{common.Address{8}.Hex(): object{"balance": "0x1"}}},
	} {
		require.ErrorContains(t, ours(shape.with(changes)), want)
	}
}

// Ensure the runner finds the tests of a directory, skips other files, and counts the skipped ones by name.
func TestConformanceDirectory(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	require.ErrorContains(t, checkConformance(base), "holds none of state-tests, block-tests, execution-apis")
	require.Error(t, checkConformance(filepath.Join(base, "missing")))

	dir := filepath.Join(base, "block-tests")
	write := func(name string, content any) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, toJSON(t, content), 0o600))
	}
	write("bcExample/one.json", object{"a": blockShape(t), "b": blockShape(t).with(object{"network": "Verkle"})})
	write("two.json", object{"c": blockShape(t), "d": blockShape(t).with(object{"network": "Tomorrow"})})
	write(".meta/index.json", object{"root_hash": "0x1", "test_cases": []object{}})
	require.NoError(t, checkConformance(base))
	ran := runTests(t, dir, (*blockTest).runClaimed)
	require.Equal(t, 2, ran.ran)
	require.Equal(t, map[string]int{"Verkle": 1, "Tomorrow": 1}, ran.skipped)
}

// Ensure every network of go-ethereum's runner up to Amsterdam is claimed, and a chain starts under it.
func TestConformanceNetworks(t *testing.T) {
	t.Parallel()
	left := []string{"Binary", "Verkle"}
	for _, network := range append(tests.AvailableForks(), "Petersburg", "Byzantium+1884", "Byzantium+1", "Tomorrow", "") {
		config, _, claimed := networkConfig(network)
		if !claimed {
			require.Contains(t, append(left, "Byzantium+1", "Tomorrow", ""), network)
			continue
		}
		require.NotContains(t, left, network)
		c := newChainOf(t, &chain.Genesis{Config: config, GasLimit: 30_000_000, Alloc: chain.SystemContracts(config)}, chain.Options{})
		grow(t, c, 6)
	}
}
