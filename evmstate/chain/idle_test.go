package chain_test

import (
	"bytes"
	"math/big"
	"strconv"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// rush seals n blocks by Idles of so many blocks, a second apart; the last one may end early.
func rush(t *testing.T, c *chain.Chain, n, each int) *chain.Chain {
	t.Helper()
	for n > 0 {
		times := make([]uint64, each)
		for i := range times {
			times[i] = c.Head().Time() + uint64(i) + 1
		}
		idle := c.Idle(times)
		require.NotNil(t, idle)
		for range min(n, each) {
			next, b, err := idle.Seal(chain.Env{})
			require.NoError(t, err)
			require.Same(t, b, next.Head())
			state, err := next.StateAt(b)
			require.NoError(t, err)
			require.Equal(t, b.Header().Root, state.Root())
		}
		c, n = idle.End(), n-each
	}
	return c
}

// Ensure blocks that are sealed as idle are those that Drafts seal, with their States: before and after the ring
// buffers are full, on a branch that was cut, and where an Idle ended early.
func TestIdleBlocks(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	start := grow(t, newChain(t, "osaka"), 2)
	drafted, idle := grow(t, start, 200), rush(t, start, 200, 64)
	requireGethAccepts(t, idle)
	check := func(c *chain.Chain, from uint64) {
		for n := from; n <= drafted.Head().Number(); n++ {
			b := drafted.BlockByNumber(n)
			want, err := drafted.StateAt(b)
			require.NoError(t, err)
			have, _ := c.BlockByHash(b.Hash())
			require.NotNil(t, have, n)
			require.Equal(t, b.Header(), have.Header())
			require.Equal(t, b.Body().Transactions(), have.Body().Transactions())
			state, err := c.StateAt(have)
			require.NoError(t, err, n)
			require.Equal(t, b.Header().Root, state.Root())
			for _, ring := range []common.Address{params.BeaconRootsAddress, params.HistoryStorageAddress} {
				require.Equal(t, want.StorageRoot(ring), state.StorageRoot(ring))
				require.Equal(t, want.Alloc()[ring], state.Alloc()[ring])
			}
		}
	}
	check(idle, 0)
	cut := idle.Truncate(101)
	require.Equal(t, drafted.BlockByNumber(101).Hash(), cut.Head().Hash())
	check(cut, 0)
	other, _ := seal(t, draft(t, cut, chain.Env{Time: cut.Head().Time() + 7}))
	check(other, 0)
	check(rush(t, other, 100, 50), 0)
}

// Ensure an Idle is refused where blocks may do more, and refuses blocks that it was not made for.
func TestIdleIsRefused(t *testing.T) {
	t.Parallel()
	c := grow(t, newChain(t, "osaka"), 2)
	next := []uint64{c.Head().Time() + 1}
	require.Nil(t, newChain(t, "cancun").Idle(next))
	require.Nil(t, newChain(t, "osaka").Idle(next), "no block has shown that the queues are calm")
	tracked, err := chain.New(c.Genesis(), chain.Options{Track: true})
	require.NoError(t, err)
	require.Nil(t, grow(t, tracked, 2).Idle(next))
	rollup := grow(t, newChainOf(t, newGenesis(t, "osaka"), chain.Options{Optimism: optimism.Karst.DefaultRules()}), 3)
	require.Nil(t, rollup.Idle([]uint64{rollup.Head().Time() + 12}), "nobody knows what deposits change without L1Block")
	root := common.Hash{1}
	rooted, _ := seal(t, draft(t, c, chain.Env{BeaconRoot: &root}))
	require.NotNil(t, rooted.Idle([]uint64{rooted.Head().Time() + 1}))
	require.Nil(t, rooted.Idle([]uint64{rooted.Head().Time() + 8191}), "the root is to be cleared")
	for _, env := range []chain.Env{{Time: next[0] + 1}, {BeaconRoot: &root}, {Withdrawals: types.Withdrawals{{Amount: 1}}}} {
		idle := c.Idle(next)
		got, _, err := idle.Seal(env)
		require.NoError(t, err)
		require.Nil(t, got)
		require.Equal(t, c.Head(), idle.End().Head())
	}
}

// Ensure the headers of blocks without transactions are complete though little of them is kept: they hash to the
// blocks' hashes, also while several chains grow on the same head and its header is read.
func TestHeadersOfEmptyBlocks(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	base := grow(t, newChain(t, "osaka"), 50)
	check := func(t *testing.T, c *chain.Chain) {
		for n := range c.Head().Number() + 1 {
			b := c.BlockByNumber(n)
			h := b.Header()
			require.Equal(t, b.Hash(), h.Hash(), n)
			require.Equal(t, n, h.Number.Uint64())
			require.Equal(t, b.Time(), h.Time)
		}
	}
	chains := make([]*chain.Chain, 4)
	t.Run("growing", func(t *testing.T) {
		for i := range chains {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				check(t, base)
				chains[i] = grow(t, base, 10)
			})
		}
	})
	for _, c := range chains {
		check(t, c)
		require.Equal(t, chains[0].Head().Hash(), c.Head().Hash())
	}
	requireGethAccepts(t, chains[0])
}

// Ensure the system calls of empty blocks do what they do in the EVM: beside go-ethereum, after requests that wait in a
// queue, after a queue was edited, and with other code at the addresses.
func TestSystemCallsOfEmptyBlocks(t *testing.T) {
	t.Parallel()
	c := grow(t, newChain(t, "osaka"), 5)
	key := bytes.Repeat([]byte{0xab}, 48)
	d := draft(t, c, chain.Env{})
	for nonce := range uint64(5) { // more than one block takes without an excess
		d = add(t, d, 0, sign(t, 0, &types.LegacyTx{
			Nonce: nonce, To: &params.WithdrawalQueueAddress, Gas: 200_000, GasPrice: big.NewInt(100 * gwei), Value: big.NewInt(9),
			Data: append(bytes.Clone(key), 0, 0, 0, 0, 0, 0, 0x03, byte(nonce)),
		}))
	}
	c, _ = seal(t, d)
	c = grow(t, c, 8)
	requireGethAccepts(t, c)

	edited := func(change func(*evmstate.State) *evmstate.State) *evmstate.State {
		state, err := c.StateAt(c.Head())
		require.NoError(t, err)
		next := grow(t, c.WithState(change(state).Commit()), 2)
		state, err = next.StateAt(next.Head())
		require.NoError(t, err)
		return state
	}
	state := edited(func(s *evmstate.State) *evmstate.State {
		return s.WithStorage(params.WithdrawalQueueAddress, word(0), word(7)) // the excess: each block takes 2 off
	})
	require.Equal(t, word(3), state.Storage(params.WithdrawalQueueAddress, word(0)))
	for _, contract := range []common.Address{
		params.BeaconRootsAddress, params.HistoryStorageAddress, params.WithdrawalQueueAddress, params.ConsolidationQueueAddress,
	} {
		state = edited(func(s *evmstate.State) *evmstate.State {
			return s.WithCode(contract, common.FromHex("0x6001435500")) // stores 1 at the number of the block
		})
		for n := c.Head().Number() + 1; n <= c.Head().Number()+2; n++ {
			require.Equal(t, word(1), state.Storage(contract, word(n)), contract)
		}
	}
}
