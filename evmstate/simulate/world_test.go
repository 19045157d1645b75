package simulate_test

import (
	"maps"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

const chainID = 31337

var (
	rich    = common.HexToAddress("0xa100000000000000000000000000000000000000") // 1,000 ether
	poor    = common.HexToAddress("0xa200000000000000000000000000000000000000") // nothing
	nobody  = common.HexToAddress("0xa300000000000000000000000000000000000000") // nothing, receives
	target  = common.HexToAddress("0xc100000000000000000000000000000000000000")
	another = common.HexToAddress("0xc200000000000000000000000000000000000000")
	ether   = uint256.NewInt(params.Ether)
)

// newView returns the genesis block of a chain with rich and the given code.
func newView(t testing.TB, fork string, code map[common.Address][]byte) chain.View {
	t.Helper()
	config, err := chain.ForkConfig(fork, chainID)
	require.NoError(t, err)
	alloc := types.GenesisAlloc{rich: {Balance: new(uint256.Int).Mul(uint256.NewInt(1000), ether).ToBig()}}
	if config.PragueTime != nil {
		maps.Copy(alloc, chain.SystemContracts(config))
	}
	for address, code := range code {
		account := alloc[address]
		account.Code = code
		alloc[address] = account
	}
	g := &chain.Genesis{Config: config, GasLimit: 30_000_000, Timestamp: 1_700_000_000, Difficulty: big.NewInt(131_072), Alloc: alloc}
	if config.IsPostMerge(0, g.Timestamp) {
		g.Difficulty = new(big.Int)
	}
	if config.LondonBlock != nil {
		g.BaseFee = big.NewInt(params.GWei)
	}
	c, err := chain.New(g, chain.Options{})
	require.NoError(t, err)
	return headView(t, c)
}

func headView(t testing.TB, c *chain.Chain) chain.View {
	t.Helper()
	state, err := c.StateAt(c.Head())
	require.NoError(t, err)
	return chain.View{Chain: c, Header: c.Head().Header(), State: state}
}

// callTo is a call by rich.
func callTo(to common.Address, data ...byte) simulate.Call {
	return simulate.Call{From: &rich, To: &to, Data: data}
}

// transfer is a call by rich that moves wei.
func transfer(to common.Address, wei uint64) simulate.Call {
	c := callTo(to)
	c.Value = uint256.NewInt(wei)
	return c
}

func ptr[T any](v T) *T { return &v }

// returning is code that returns the words that the opcodes push.
func returning(ops ...vm.OpCode) []byte {
	p := program.New()
	for i, op := range ops {
		p.Op(op).Push(i * 32).Op(vm.MSTORE)
	}
	return p.Return(0, len(ops)*32).Bytes()
}

// blockHash is code that returns BLOCKHASH of the number in the call data.
func blockHash() []byte {
	return program.New().Push0().Op(vm.CALLDATALOAD, vm.BLOCKHASH).Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
}

// counter is code that adds one to slot 0, logs the new value and returns it.
func counter() []byte {
	return program.New().Push(0).Op(vm.SLOAD).Push(1).Op(vm.ADD, vm.DUP1).Push(0).Op(vm.SSTORE).
		Push(0).Op(vm.MSTORE).Push(32).Push(0).Op(vm.LOG0).Return(0, 32).Bytes()
}

// storage is code that returns the slot in the call data.
func storage() []byte {
	return program.New().Push0().Op(vm.CALLDATALOAD, vm.SLOAD).Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
}

// reverting is code that reverts with data.
func reverting(data []byte) []byte {
	return program.New().Mstore(data, 0).Push(len(data)).Push0().Op(vm.REVERT).Bytes()
}

// reason is the data of a revert with Error(string).
func reason(t testing.TB, text string) []byte {
	t.Helper()
	kind, err := abi.NewType("string", "", nil)
	require.NoError(t, err)
	data, err := abi.Arguments{{Type: kind}}.Pack(text)
	require.NoError(t, err)
	return append([]byte{0x08, 0xc3, 0x79, 0xa0}, data...)
}

// word is a 32-byte number.
func word(n uint64) common.Hash { return common.BigToHash(new(big.Int).SetUint64(n)) }

// words splits return data.
func words(data []byte) []common.Hash {
	var list []common.Hash
	for ; len(data) >= 32; data = data[32:] {
		list = append(list, common.Hash(data[:32]))
	}
	return list
}

// checkedCall is code that calls an account with all it may pass on, and fails if that fails.
func checkedCall(to common.Address) []byte {
	p := program.New().Call(nil, to, 0, 0, 0, 0, 0)
	return p.Push(p.Size()+4).Op(vm.JUMPI, vm.INVALID, vm.JUMPDEST, vm.STOP).Bytes()
}

// succeeds reports whether a call succeeds with a gas limit.
func succeeds(t testing.TB, v chain.View, c simulate.Call, gas uint64) bool {
	t.Helper()
	c.Gas = &gas
	r, err := simulate.RunCall(t.Context(), v, c, nil, nil, simulate.Limits{})
	return err == nil && r.Err == nil
}
