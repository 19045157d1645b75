package trace_test

import (
	"bytes"
	"context"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/trace"
)

// under returns the chain under two hard forks.
func under(t *testing.T, c *chain.Chain, first, second string) (both [2]*chain.Chain) {
	t.Helper()
	for i, fork := range []string{first, second} {
		var err error
		both[i], err = c.Under(fork, 0)
		require.NoError(t, err)
	}
	return both
}

// withOne returns the chain with a block of one transaction.
func withOne(t *testing.T, c *chain.Chain, to common.Address, gas uint64, data []byte) *chain.Chain {
	t.Helper()
	d := newDraft(t, c)
	d, _, err := d.Add(types.NewTx(&types.LegacyTx{To: &to, Gas: gas, GasPrice: big.NewInt(1), Data: data}), sender)
	require.NoError(t, err)
	next, _, err := d.Seal()
	require.NoError(t, err)
	return next
}

// Ensure transactions of a block are compared on the state they had in it, all or the one asked for.
func TestCompare(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter, &logging, &failing, &counter)
	b := c.Head()
	all, err := trace.Compare(t.Context(), c, b, -1, under(t, c, "osaka", "amsterdam"))
	require.NoError(t, err)
	require.Len(t, all, 4)
	for i, compared := range all {
		osaka, amsterdam := compared.Outcomes[0], compared.Outcomes[1]
		require.Equal(t, i, compared.Index)
		require.Nil(t, compared.Adapted)
		require.Equal(t, b.Receipts()[i].GasUsed, osaka.GasUsed)
		require.Nil(t, osaka.Gas)
		require.NotNil(t, amsterdam.Gas)
		require.NotZero(t, amsterdam.Gas.Execution)
		require.Equal(t, *b.Transaction(i).To(), osaka.Root.To)
		require.Equal(t, *b.Transaction(i).To(), amsterdam.Root.To)
		for _, o := range compared.Outcomes {
			require.NoError(t, o.Rejected)
			require.Zero(t, o.Needed)
			require.Len(t, o.Logs, len(b.Receipts()[i].Logs))
			if i == 2 {
				require.ErrorIs(t, o.Failed, vm.ErrExecutionReverted)
				continue
			}
			require.NoError(t, o.Failed)
		}
		if i == 0 {
			require.NotZero(t, amsterdam.Gas.State, "a new slot")
		}
	}
	require.Equal(t, common.Hash{31: 2}.Bytes(), all[3].Outcomes[1].Root.Output, "the first one's slot is there")
	for i := range all {
		one, err := trace.Compare(t.Context(), c, b, i, under(t, c, "osaka", "amsterdam"))
		require.NoError(t, err)
		require.Equal(t, all[i:i+1], one)
	}
	_, err = trace.Compare(t.Context(), c, b, 4, under(t, c, "osaka", "osaka"))
	require.EqualError(t, err, "transaction index 4 out of range: the block has 4 transactions")
	empty := extend(t, c)
	none, err := trace.Compare(t.Context(), empty, empty.Head(), -1, under(t, c, "osaka", "osaka"))
	require.NoError(t, err)
	require.Empty(t, none)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = trace.Compare(ended, c, b, -1, under(t, c, "osaka", "amsterdam"))
	require.ErrorIs(t, err, context.Canceled)
}

// Ensure a gas limit that is too low under one of the forks comes with the one that suffices; and, where it is what a
// client estimates under the first, usual margins and inaccuracy included, with the outcome of estimating again.
func TestCompareGasLimits(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{})
	used := withOne(t, c, counter, 100_000, nil).Head().Receipts()[0].GasUsed
	needed := func(limit uint64) trace.Comparison {
		t.Helper()
		block := withOne(t, c, counter, limit, nil)
		all, err := trace.Compare(t.Context(), block, block.Head(), 0, under(t, block, "osaka", "amsterdam"))
		require.NoError(t, err)
		require.Len(t, all, 1)
		return all[0]
	}
	suffices := needed(used).Outcomes[1].Needed
	require.Greater(t, suffices, 2*used)
	for limit, adapts := range map[uint64]bool{
		used: true, used + used*15/1000: true, used + used*15/1000 + 1: false,
		used + used/10 - 1: false, used + used/10: true, used * 11 / 10 * 1015 / 1000: true,
		used + used/5: true, used + used/4: true, used + used*3/10: true, used + used/2: true, 2 * used: true,
		2*used - 1: false, 2*used + 2*used*15/1000 + 1: false,
	} {
		compared := needed(limit)
		require.NoError(t, compared.Outcomes[0].Failed)
		require.Zero(t, compared.Outcomes[0].Needed)
		require.ErrorIs(t, compared.Outcomes[1].Failed, vm.ErrOutOfGas, limit)
		require.Equal(t, suffices, compared.Outcomes[1].Needed, limit)
		if !adapts {
			require.Nil(t, compared.Adapted, limit)
			continue
		}
		require.NotNil(t, compared.Adapted, limit)
		require.NoError(t, compared.Adapted.Rejected)
		require.NoError(t, compared.Adapted.Failed)
		require.LessOrEqual(t, compared.Adapted.GasUsed, suffices)
	}
	enough := needed(suffices)
	require.NoError(t, enough.Outcomes[1].Failed)
	require.Zero(t, enough.Outcomes[1].Needed)
	require.Nil(t, enough.Adapted)
}

// Ensure a transaction that a fork takes into no block is rejected there with the reason and without an outcome, and
// has the limit that suffices if there is one.
func TestCompareRejected(t *testing.T) {
	t.Parallel()
	data := bytes.Repeat([]byte{1}, 1_000)
	c := withOne(t, newChainUnder(t, "prague", chain.Options{}), common.Address{0xee}, 1<<24+1, data)
	all, err := trace.Compare(t.Context(), c, c.Head(), 0, under(t, c, "prague", "osaka"))
	require.NoError(t, err)
	require.NoError(t, all[0].Outcomes[0].Rejected)
	require.EqualValues(t, 61_000, all[0].Outcomes[0].GasUsed, "EIP-7623: 40 for each byte")
	require.Equal(t, trace.Outcome{Rejected: all[0].Outcomes[1].Rejected}, all[0].Outcomes[1])
	require.ErrorIs(t, all[0].Outcomes[1].Rejected, core.ErrGasLimitTooHigh)
	require.EqualError(t, all[0].Outcomes[1].Rejected, core.ErrGasLimitTooHigh.Error()+" (cap: 16777216, tx: 16777217)")
	c = withOne(t, newChainUnder(t, "prague", chain.Options{}), common.Address{0xee}, 1<<24, data)
	all, err = trace.Compare(t.Context(), c, c.Head(), 0, under(t, c, "prague", "osaka"))
	require.NoError(t, err)
	require.NoError(t, all[0].Outcomes[1].Rejected)

	c = withOne(t, newChain(t, chain.Options{}), common.Address{0xee}, 61_000, data)
	all, err = trace.Compare(t.Context(), c, c.Head(), 0, under(t, c, "osaka", "amsterdam"))
	require.NoError(t, err)
	rejected := all[0].Outcomes[1]
	require.ErrorIs(t, rejected.Rejected, core.ErrFloorDataGas)
	require.Nil(t, rejected.Root)
	require.Zero(t, rejected.GasUsed)
	require.Greater(t, rejected.Needed, uint64(61_000))
	require.NotNil(t, all[0].Adapted)
	require.NoError(t, all[0].Adapted.Rejected)
	require.Equal(t, rejected.Needed, all[0].Adapted.GasUsed)

	c = withOne(t, newChainUnder(t, "cancun", chain.Options{}), common.Address{0xee}, 37_000, data)
	all, err = trace.Compare(t.Context(), c, c.Head(), 0, under(t, c, "cancun", "prague"))
	require.NoError(t, err)
	require.ErrorIs(t, all[0].Outcomes[1].Rejected, core.ErrFloorDataGas)
	require.EqualValues(t, 61_000, all[0].Outcomes[1].Needed, "16 for each byte until then")
}
