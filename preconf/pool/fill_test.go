package pool_test

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf/pool"
)

// newChain returns a chain on which the senders have an ether each. Its genesis block has a base fee of 1 gwei unless
// edit says otherwise.
func newChain(t *testing.T, edit func(*chain.Genesis)) *chain.Chain {
	t.Helper()
	config, err := chain.ForkConfig("osaka", chainID)
	require.NoError(t, err)
	g := &chain.Genesis{
		Config: config, Alloc: chain.SystemContracts(config), GasLimit: 30_000_000, BaseFee: big.NewInt(1e9),
		Timestamp: 1_700_000_000, Difficulty: new(big.Int),
	}
	for _, from := range []common.Address{one, two, three} {
		g.Alloc[from] = types.Account{Balance: big.NewInt(1e18)}
	}
	if edit != nil {
		edit(g)
	}
	c, err := chain.New(g, chain.Options{})
	require.NoError(t, err)
	return c
}

// newDraft returns the next block of a chain, with a base fee of 1 gwei where it has one.
func newDraft(t *testing.T, on *chain.Chain) *chain.Draft {
	t.Helper()
	env := chain.Env{Time: on.Head().Time() + 2}
	if on.Head().Header().BaseFee != nil {
		env.BaseFee = big.NewInt(1e9)
	}
	draft, err := on.NewDraft(env)
	require.NoError(t, err)
	return draft
}

// Ensure a block is filled in the order that is asked for, and each sender's transactions by nonce.
func TestFillInOrder(t *testing.T) {
	t.Parallel()
	tip := func(gwei int64) func(*types.DynamicFeeTx) {
		return func(tx *types.DynamicFeeTx) { tx.GasTipCap = big.NewInt(gwei * 1e9) }
	}
	capped := func(tx *types.DynamicFeeTx) { tx.GasTipCap, tx.GasFeeCap = big.NewInt(3e9), big.NewInt(3e9) } // pays 2
	second, cheap, first, dear, next := entry(two, 1, 0, tip(9)), entry(three, 0, 1, capped), entry(two, 0, 2, tip(1)),
		entry(one, 0, 3, tip(3)), entry(one, 1, 4, tip(2))
	for order, want := range map[pool.Order][]*pool.Entry{
		pool.FIFO:     {cheap, first, second, dear, next},
		pool.Fees:     {dear, cheap, next, first, second},
		pool.FeeCap:   {first, second, dear, next, cheap},
		pool.BySender: {dear, next, first, second, cheap},
	} {
		f := pooled(second, cheap, first, dear, next).Fill(newDraft(t, newChain(t, nil)), order, 0, pool.Any)
		require.Equal(t, want, f.Entries, order)
		require.Zero(t, f.Left.Len())
		require.Empty(t, f.Dropped)
		require.Len(t, f.Receipts, 5)
		for i, e := range want {
			require.Equal(t, e.Tx.Hash(), f.Transactions[i].Hash())
			require.Equal(t, e.Tx.Hash(), f.Receipts[i].TxHash)
			require.Equal(t, e.From, f.Draft.Sender(i))
		}
	}
	alone := entry(one, 0, 0, tip(1))
	f := pooled(alone).Fill(newDraft(t, newChain(t, nil)), 0, 1, pool.Any)
	require.Equal(t, []*pool.Entry{alone}, f.Entries)
	require.Zero(t, f.Left.Len())
	f = pooled(cheap, first, dear).Fill(newDraft(t, newChain(t, nil)), 0, 0, pool.Any)
	require.Equal(t, []*pool.Entry{cheap, first, dear}, f.Entries, "the zero order is that of arrival")
	require.Equal(t, "fifo fees fees sender", fmt.Sprint(pool.FIFO, pool.Fees, pool.FeeCap, pool.BySender))
}

// Ensure fees are gas prices on a chain without a base fee.
func TestFillBeforeLondon(t *testing.T) {
	t.Parallel()
	on := newChain(t, func(g *chain.Genesis) {
		config, err := chain.ForkConfig("istanbul", chainID)
		require.NoError(t, err)
		g.Config, g.BaseFee, g.Difficulty = config, nil, big.NewInt(1)
	})
	var entries []*pool.Entry
	for i, price := range []int64{1e9, 3e9, 2e9} {
		from := []common.Address{one, two, three}[i]
		entries = append(entries, &pool.Entry{From: from, Arrival: int64(i), Tx: types.NewTx(&types.LegacyTx{To: &none, Gas: 21_000, GasPrice: big.NewInt(price)})})
	}
	f := pooled(entries...).Fill(newDraft(t, on), pool.Fees, 0, pool.Any)
	require.Equal(t, []*pool.Entry{entries[1], entries[2], entries[0]}, f.Entries)
}

// Ensure a block takes what may go into it, that the rest stays in the pool, and that what never can is dropped.
func TestFill(t *testing.T) {
	t.Parallel()
	gas := func(gas uint64) func(*types.DynamicFeeTx) { return func(tx *types.DynamicFeeTx) { tx.Gas = gas } }
	low := func(tx *types.DynamicFeeTx) { tx.GasTipCap, tx.GasFeeCap = new(big.Int), big.NewInt(1e9-1) }
	rich := func(tx *types.DynamicFeeTx) { tx.Value = big.NewInt(2e18) }
	a0, a1, b0, c0 := entry(one, 0, 0, nil), entry(one, 1, 1, nil), entry(two, 0, 2, nil), entry(three, 0, 3, nil)
	large, poor, cheap, gap := entry(one, 0, 0, gas(90_000)), entry(one, 0, 0, rich), entry(one, 0, 0, low), entry(two, 1, 2, nil)
	for _, test := range []struct {
		name     string
		pool     []*pool.Entry
		limit    int
		may      func(*pool.Entry) bool
		nonces   map[common.Address]uint64
		want     []*pool.Entry
		left     []*pool.Entry
		rejected map[*pool.Entry]error
	}{
		{name: "nothing"},
		{name: "all", pool: []*pool.Entry{a0, a1, b0, c0}, want: []*pool.Entry{a0, a1, b0, c0}},
		{name: "at most two", pool: []*pool.Entry{a0, a1, b0, c0}, limit: 2, want: []*pool.Entry{a0, a1}, left: []*pool.Entry{b0, c0}},
		{name: "one may not, nor what follows on it", pool: []*pool.Entry{a0, a1, b0}, may: func(e *pool.Entry) bool { return e != a0 },
			want: []*pool.Entry{b0}, left: []*pool.Entry{a0, a1}},
		{name: "one does not fit", pool: []*pool.Entry{large, a1, b0, c0}, want: []*pool.Entry{b0, c0}, left: []*pool.Entry{large, a1}},
		{name: "one pays less than the base fee", pool: []*pool.Entry{cheap, a1, b0}, want: []*pool.Entry{b0}, left: []*pool.Entry{cheap, a1}},
		{name: "one before is missing", pool: []*pool.Entry{a1, gap, c0}, want: []*pool.Entry{c0}, left: []*pool.Entry{a1, gap}},
		{name: "a nonce is used", pool: []*pool.Entry{a0, a1, b0}, nonces: map[common.Address]uint64{one: 1},
			want: []*pool.Entry{a1, b0}, rejected: map[*pool.Entry]error{a0: core.ErrNonceTooLow}},
		{name: "one cannot pay", pool: []*pool.Entry{poor, a1, b0}, want: []*pool.Entry{b0}, left: []*pool.Entry{a1},
			rejected: map[*pool.Entry]error{poor: core.ErrInsufficientFunds}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			on := newChain(t, func(g *chain.Genesis) {
				g.GasLimit = 89_000
				for from, nonce := range test.nonces {
					g.Alloc[from] = types.Account{Balance: g.Alloc[from].Balance, Nonce: nonce}
				}
			})
			may := test.may
			if may == nil {
				may = pool.Any
			}
			p := pooled(test.pool...)
			f := p.Fill(newDraft(t, on), pool.FIFO, test.limit, may)
			require.Equal(t, test.want, f.Entries)
			require.ElementsMatch(t, test.left, f.Left.Sorted())
			require.Len(t, f.Dropped, len(test.rejected))
			for e, reason := range test.rejected {
				require.Equal(t, e.Tx.Hash(), f.Dropped[0].Hash)
				require.ErrorIs(t, f.Dropped[0].Reason, reason)
			}
			require.Equal(t, len(test.want), f.Draft.Count())
			require.Empty(t, f.Lacking)
			require.NoError(t, f.Why)
			require.Equal(t, len(test.pool), p.Len(), "a Pool is immutable")
		})
	}
}

// Ensure a batch has what was executed, and one that fails leaves it as it was.
func TestBatch(t *testing.T) {
	t.Parallel()
	e := entry(one, 0, 0, nil)
	b := pool.Batch{Draft: newDraft(t, newChain(t, nil))}
	require.NoError(t, b.Add(e))
	require.ErrorIs(t, b.Add(e), core.ErrNonceTooLow)
	require.Equal(t, []*pool.Entry{e}, b.Entries)
	require.Equal(t, 1, b.Draft.Count())
}

// Ensure transactions wait for a later block after errors that it may not have.
func TestWaits(t *testing.T) {
	t.Parallel()
	missing := fmt.Errorf("transaction: %w", &remote.Error{Item: "account", Err: errors.New("no answer")})
	for _, err := range []error{
		missing, core.ErrGasLimitReached, chain.ErrBlobGasLimitReached, core.ErrFeeCapTooLow, fmt.Errorf("of a: %w", core.ErrNonceTooHigh),
		core.ErrBlockOversized, core.ErrBlobFeeCapTooLow,
	} {
		require.True(t, pool.Waits(err), err)
	}
	for _, err := range []error{core.ErrNonceTooLow, core.ErrInsufficientFunds, core.ErrSenderNoEOA, errors.New("another")} {
		require.False(t, pool.Waits(err), err)
		require.False(t, pool.Unavailable(err), err)
	}
	require.True(t, pool.Unavailable(missing))
	require.False(t, pool.Unavailable(core.ErrGasLimitReached))
}

// Ensure transactions stay in the pool where the remote chain of a fork does not answer, and the first error is told.
func TestFillWithoutTheRemoteChain(t *testing.T) {
	t.Parallel()
	under := fakenode.RunT(t)
	f := servertest.OpenFork(t, under.URL(), "")
	rules, err := chain.ForkConfig("osaka", f.ChainID())
	require.NoError(t, err)
	state := evmstate.StateFromSource(f.At(f.Number()))
	for _, from := range []common.Address{one, two} {
		state = state.WithBalance(from, uint256.NewInt(1e18))
	}
	c, err := chain.NewFork(f, rules, state, chain.Options{})
	require.NoError(t, err)
	draft := newDraft(t, c)
	require.NoError(t, under.Close())
	a, b := entry(one, 0, 0, nil), entry(two, 0, 1, func(tx *types.DynamicFeeTx) { tx.To = &three })
	filled := pooled(a, b).Fill(draft, pool.FIFO, 0, pool.Any)
	require.Empty(t, filled.Entries)
	require.Empty(t, filled.Dropped)
	require.Equal(t, []*pool.Entry{a, b}, filled.Lacking)
	require.Equal(t, 2, filled.Left.Len())
	require.True(t, pool.Unavailable(filled.Why))
	require.ErrorContains(t, filled.Why, "account "+none.Hex(), "the first of them")
}
