package trace_test

import (
	"encoding/json"
	"maps"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

var (
	sender  = common.HexToAddress("0xa100000000000000000000000000000000000000")
	counter = common.HexToAddress("0xc100000000000000000000000000000000000000") // adds one to slot 0, returns it
	caller  = common.HexToAddress("0xc200000000000000000000000000000000000000") // calls counter
	failing = common.HexToAddress("0xc300000000000000000000000000000000000000") // reverts with "no"
	beacon  = common.HexToAddress("0xc400000000000000000000000000000000000000") // returns the beacon root of the block
	endless = common.HexToAddress("0xc500000000000000000000000000000000000000")
	logging = common.HexToAddress("0xc600000000000000000000000000000000000000") // emits two logs
)

// newChain returns a chain of one block on its genesis. The block's transactions go to the given accounts, or create a
// contract without one.
func newChain(t testing.TB, o chain.Options, to ...*common.Address) *chain.Chain {
	t.Helper()
	return newChainUnder(t, "", o, to...)
}

// newChainUnder is newChain under the rules of another hard fork than the newest.
func newChainUnder(t testing.TB, fork string, o chain.Options, to ...*common.Address) *chain.Chain {
	t.Helper()
	config, err := chain.ForkConfig(fork, 31337)
	require.NoError(t, err)
	alloc := types.GenesisAlloc{sender: {Balance: big.NewInt(params.Ether)}}
	maps.Copy(alloc, chain.SystemContracts(config))
	loop, start := program.New().Jumpdest()
	for address, code := range map[common.Address]*program.Program{
		counter: program.New().Push0().Op(vm.SLOAD).Push(1).Op(vm.ADD, vm.DUP1).Push0().Op(vm.SSTORE).Push0().Op(vm.MSTORE).Return(0, 32),
		caller:  program.New().Call(nil, counter, 0, 0, 4, 0, 32).Return(0, 32),
		failing: program.New().Mstore(errorString("no"), 0).Push(100).Push0().Op(vm.REVERT),
		beacon: program.New().Op(vm.TIMESTAMP).Push0().Op(vm.MSTORE).
			StaticCall(nil, params.BeaconRootsAddress, 0, 32, 0, 32).Return(0, 32),
		endless: loop.Jump(start),
		logging: program.New().Push0().Push0().Op(vm.LOG0).Push0().Push0().Op(vm.LOG0),
	} {
		alloc[address] = types.Account{Code: code.Bytes(), Balance: new(big.Int)}
	}
	c, err := chain.New(&chain.Genesis{
		Config: config, GasLimit: 30_000_000, Timestamp: 1_700_000_000, Difficulty: new(big.Int), BaseFee: big.NewInt(1), Alloc: alloc,
	}, o)
	require.NoError(t, err)
	return extend(t, c, to...)
}

// extend seals one more block.
func extend(t testing.TB, c *chain.Chain, to ...*common.Address) *chain.Chain {
	t.Helper()
	draft := newDraft(t, c, to...)
	next, _, err := draft.Seal()
	require.NoError(t, err)
	return next
}

func newDraft(t testing.TB, c *chain.Chain, to ...*common.Address) *chain.Draft {
	t.Helper()
	root := common.Hash{7}
	draft, err := c.NewDraft(chain.Env{Time: c.Head().Time() + 2, BeaconRoot: &root})
	require.NoError(t, err)
	for _, address := range to {
		tx := types.NewTx(&types.LegacyTx{
			Nonce: draft.State().Nonce(sender), To: address, Gas: 200_000, GasPrice: big.NewInt(1), Data: []byte{1, 2, 3, 4},
		})
		draft, _, err = draft.Add(tx, sender)
		require.NoError(t, err)
	}
	return draft
}

// errorString is the data of a revert with Error(string), 100 bytes.
func errorString(text string) []byte {
	data := append([]byte{0x08, 0xc3, 0x79, 0xa0}, common.BigToHash(big.NewInt(32)).Bytes()...)
	data = append(data, common.BigToHash(big.NewInt(int64(len(text)))).Bytes()...)
	return append(data, common.RightPadBytes([]byte(text), 32)...)
}

// fields decodes a JSON object.
func fields(t testing.TB, raw json.RawMessage) map[string]any {
	t.Helper()
	var m map[string]any
	require.NoError(t, json.Unmarshal(raw, &m), "%s", raw)
	return m
}

// key is an address as tracers write it.
func key(a common.Address) string {
	text, _ := a.MarshalText()
	return string(text)
}
