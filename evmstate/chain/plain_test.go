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
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

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
