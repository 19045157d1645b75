package chain_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// talker calls the console as often as the first word of its input says, each time with as many bytes as the second
// word says, of which the first four count down.
var talker = common.HexToAddress("0xd1")

func talkerCode() []byte {
	p, loop := program.New().Push0().Op(vm.CALLDATALOAD).Jumpdest()
	p.Op(vm.DUP1).Push(0xe0).Op(vm.SHL).Push0().Op(vm.MSTORE)
	p.Push0().Push0().Push(32).Op(vm.CALLDATALOAD).Push0().Push(chain.ConsoleAddress).Op(vm.GAS, vm.STATICCALL, vm.POP)
	return p.Push(1).Op(vm.SWAP1, vm.SUB, vm.DUP1).Push(loop).Op(vm.JUMPI, vm.STOP).Bytes()
}

// Ensure a block has the calls of the console that each transaction made, in order, up to 1,000 of them and 256 KiB.
func TestConsole(t *testing.T) {
	t.Parallel()
	g := newGenesis(t, "osaka")
	g.Alloc[talker] = types.Account{Balance: common.Big0, Code: talkerCode(), Nonce: 1}
	c := newChainOf(t, g, chain.Options{})
	d := draft(t, c, chain.Env{GasLimit: 200_000_000})
	for i, test := range []struct {
		calls, size uint64
		want        int
	}{
		{3, 100, 3}, {0, 0, -1}, {1000, 4, 1000}, {1001, 4, 1000}, {4, 64 << 10, 4}, {5, 64 << 10, 4}, {2, 256<<10 + 1, 0}, {1, 256 << 10, 1},
	} {
		to, data := talker, words(test.calls, test.size)
		if test.want < 0 {
			to = storer
		}
		d = add(t, d, 0, call(t, 0, nonce(d, 0), to, 16_000_000, data))
		console := d.Console(i)
		require.Len(t, console, max(test.want, 0), i)
		if test.want < 0 {
			require.Nil(t, console)
		}
		for at, data := range console {
			require.Len(t, data, int(test.size))
			require.EqualValues(t, test.calls-uint64(at), binary.BigEndian.Uint32(data), "transaction %d", i)
		}
	}
	require.Nil(t, d.Console(8))
	_, block := seal(t, d)
	for i := range d.Count() {
		require.Equal(t, d.Console(i), block.Console(i))
	}
	var file bytes.Buffer
	sealed, _, err := d.Seal()
	require.NoError(t, err)
	require.NoError(t, sealed.Export(&file))
	again, err := newChainOf(t, g, chain.Options{Lenient: true}).Import(&file)
	require.NoError(t, err)
	require.NotEmpty(t, again.Head().Console(0), "what is executed shows again")
	record, err := block.Record()
	require.NoError(t, err)
	kept, err := chain.BlockFromRecord(record)
	require.NoError(t, err)
	require.Nil(t, kept.Console(0))

	rollup := newChainOf(t, g, chain.Options{Optimism: optimism.Azul.DefaultRules()})
	of := add(t, draft(t, rollup, chain.Env{}), 0, call(t, 0, 0, talker, 1_000_000, words(2, 8)))
	require.Nil(t, of.Console(0), "of a deposit")
	require.Len(t, of.Console(1), 2)
}
