package pool_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf/pool"
)

const chainID = 31337

// one, two and three are senders, and none receives ether.
var one, two, three, none = common.Address{1}, common.Address{2}, common.Address{3}, common.Address{9}

// entry returns an entry that pays 1 gwei a gas unless edit says otherwise.
func entry(from common.Address, nonce uint64, arrival int64, edit func(*types.DynamicFeeTx)) *pool.Entry {
	tx := &types.DynamicFeeTx{
		ChainID: big.NewInt(chainID), Nonce: nonce, GasTipCap: big.NewInt(1e9), GasFeeCap: big.NewInt(10e9), Gas: 21_000,
		To: &none, Value: new(big.Int).SetBytes(from[:1]), // makes hashes differ
	}
	if edit != nil {
		edit(tx)
	}
	return &pool.Entry{Tx: types.NewTx(tx), From: from, Arrival: arrival}
}

// pooled returns a pool of the entries.
func pooled(entries ...*pool.Entry) pool.Pool {
	p := pool.Empty
	for _, e := range entries {
		p = p.With(e)
	}
	return p
}

// Ensure a pool finds its entries by hash, by sender and nonce, and in the order of arrival, and never changes.
func TestPool(t *testing.T) {
	t.Parallel()
	late, early, gap, other := entry(two, 1, 7, nil), entry(two, 0, 9, nil), entry(two, 4, 2, nil), entry(one, 0, -1, nil)
	p := pooled(late, early, gap, other)
	require.Equal(t, 4, p.Len())
	require.Same(t, gap, p.Get(gap.Tx.Hash()))
	require.Nil(t, p.Get(common.Hash{}))
	require.Same(t, late, p.At(two, 1))
	require.Nil(t, p.At(two, 2))
	require.Nil(t, p.At(three, 0))
	require.Same(t, early, p.First(two))
	require.Nil(t, p.First(three))
	require.Equal(t, []*pool.Entry{early, late, gap}, slices.Collect(p.Of(two)), "by nonce")
	require.Empty(t, slices.Collect(p.Of(three)))
	require.Equal(t, []common.Address{one, two}, slices.Collect(p.Senders), "by address")
	require.Equal(t, []*pool.Entry{other, gap, late, early}, p.Sorted(), "by arrival")

	less := p.Without(early).Without(other)
	require.Equal(t, []*pool.Entry{gap, late}, less.Sorted())
	require.Equal(t, []common.Address{two}, slices.Collect(less.Senders))
	require.Same(t, late, less.First(two))
	require.Equal(t, 4, p.Len())
	require.Zero(t, pool.Empty.Len())
}

// Ensure the next nonce of a sender follows the unbroken run of its entries, from the nonce of its account on.
func TestPoolNonceAfter(t *testing.T) {
	t.Parallel()
	state := newDraft(t, newChain(t, nil)).State()
	for _, test := range []struct {
		account uint64
		pooled  []uint64
		want    uint64
	}{
		{0, nil, 0}, {3, nil, 3}, {0, []uint64{0, 1}, 2}, {0, []uint64{1, 2}, 0}, {0, []uint64{0, 1, 3}, 2}, {2, []uint64{0, 2, 3}, 4},
	} {
		p := pooled(entry(two, 0, 0, nil))
		for _, nonce := range test.pooled {
			p = p.With(entry(one, nonce, 1, nil))
		}
		require.Equal(t, test.want, p.NonceAfter(state.WithNonce(one, test.account), one), "%+v", test)
	}
}

// Ensure an entry takes the nonces of its sender's own authorizations that follow on it (EIP-7702).
func TestEntryNonceAfter(t *testing.T) {
	t.Parallel()
	mine, err := crypto.GenerateKey()
	require.NoError(t, err)
	others, err := crypto.GenerateKey()
	require.NoError(t, err)
	of := func(chain, nonce uint64) types.SetCodeAuthorization {
		signed, err := types.SignSetCode(mine, types.SetCodeAuthorization{ChainID: *uint256.NewInt(chain), Nonce: nonce})
		require.NoError(t, err)
		return signed
	}
	foreign, err := types.SignSetCode(others, types.SetCodeAuthorization{Nonce: 8})
	require.NoError(t, err)
	for name, test := range map[string]struct {
		list []types.SetCodeAuthorization
		want uint64
	}{
		"none":                {nil, 8},
		"one":                 {[]types.SetCodeAuthorization{of(chainID, 8)}, 9},
		"for any chain":       {[]types.SetCodeAuthorization{of(0, 8)}, 9},
		"for another chain":   {[]types.SetCodeAuthorization{of(1, 8)}, 8},
		"of a used nonce":     {[]types.SetCodeAuthorization{of(chainID, 7)}, 8},
		"of a later nonce":    {[]types.SetCodeAuthorization{of(chainID, 9), of(chainID, 8)}, 9},
		"two":                 {[]types.SetCodeAuthorization{of(chainID, 8), foreign, of(chainID, 9)}, 10},
		"of another account":  {[]types.SetCodeAuthorization{foreign}, 8},
		"without a signature": {[]types.SetCodeAuthorization{{Nonce: 8}}, 8},
	} {
		e := pool.Entry{From: crypto.PubkeyToAddress(mine.PublicKey), Tx: types.NewTx(&types.SetCodeTx{
			ChainID: uint256.NewInt(chainID), Nonce: 7, AuthList: test.list,
		})}
		require.Equal(t, test.want, e.NonceAfter(), name)
	}
}

// Ensure an entry that was written and read is the same, with its blobs.
func TestEntryIsKept(t *testing.T) {
	t.Parallel()
	blobs := types.NewBlobTxSidecar(types.BlobSidecarVersion0, []kzg4844.Blob{{5: 7}}, []kzg4844.Commitment{{1}}, []kzg4844.Proof{{2}})
	blob := types.NewTx(&types.BlobTx{ChainID: uint256.NewInt(chainID), BlobHashes: []common.Hash{{3}}, Sidecar: blobs})
	for _, e := range []*pool.Entry{entry(one, 3, -4, nil), {Tx: blob, From: two, Arrival: 5, Levy: big.NewInt(6)}} {
		text, err := json.Marshal(e)
		require.NoError(t, err)
		var again pool.Entry
		require.NoError(t, json.Unmarshal(text, &again))
		require.Equal(t, e.Tx.Hash(), again.Tx.Hash())
		require.Equal(t, e.Tx.BlobTxSidecar(), again.Tx.BlobTxSidecar())
		require.Equal(t, []any{e.From, e.Arrival, e.Levy}, []any{again.From, again.Arrival, again.Levy})
	}
	for _, text := range []string{`7`, `{"Raw":"AA=="}`} {
		require.Error(t, json.Unmarshal([]byte(text), new(pool.Entry)), text)
	}
}

// Ensure a transaction replaces one of the same nonce only if it pays a tenth more of each fee, or where any bump will
// do, a higher fee cap.
func TestOutbids(t *testing.T) {
	t.Parallel()
	fees := func(tip, fee int64) *types.Transaction {
		return types.NewTx(&types.DynamicFeeTx{GasTipCap: big.NewInt(tip), GasFeeCap: big.NewInt(fee)})
	}
	blob := func(tip, fee, blobFee uint64) *types.Transaction {
		return types.NewTx(&types.BlobTx{GasTipCap: uint256.NewInt(tip), GasFeeCap: uint256.NewInt(fee), BlobFeeCap: uint256.NewInt(blobFee)})
	}
	legacy := types.NewTx(&types.LegacyTx{GasPrice: big.NewInt(110)})
	for name, test := range map[string]struct {
		tx, old      *types.Transaction
		want, anyWay bool
	}{
		"the same":               {fees(10, 100), fees(10, 100), false, false},
		"a tenth more":           {fees(11, 110), fees(10, 100), true, true},
		"less than a tenth":      {fees(11, 109), fees(10, 100), false, true},
		"the tip alone":          {fees(20, 100), fees(10, 100), false, false},
		"the fee cap alone":      {fees(10, 200), fees(10, 100), false, true},
		"of few wei":             {fees(2, 3), fees(1, 2), true, true},
		"of a tip of zero":       {fees(0, 200), fees(0, 100), false, true},
		"legacy":                 {legacy, fees(100, 100), true, true},
		"blob":                   {blob(11, 110, 11), blob(10, 100, 10), true, true},
		"blob without blob fee":  {blob(11, 110, 10), blob(10, 100, 10), false, true},
		"a blob by one of none":  {fees(99, 999), blob(10, 100, 10), false, true},
		"one of none by a blob":  {blob(11, 110, 1), fees(10, 100), true, true},
		"a legacy one by little": {fees(109, 109), types.NewTx(&types.LegacyTx{GasPrice: big.NewInt(100)}), false, true},
	} {
		require.Equal(t, test.want, pool.Outbids(test.tx, test.old, false), name)
		require.Equal(t, test.anyWay, pool.Outbids(test.tx, test.old, true), "%s, any bump", name)
	}
}

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
		require.Zero(t, f.Left.Drops)
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
			want: []*pool.Entry{a1, b0}, left: []*pool.Entry{a0}},
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
			for _, e := range test.pool {
				require.ErrorIs(t, f.Left.Drops.Reason(e.Tx.Hash()), test.rejected[e])
			}
			require.Equal(t, len(test.want), f.Draft.Count())
			require.Empty(t, f.Lacking)
			require.NoError(t, f.Why)
			require.Equal(t, len(test.pool), p.Len(), "a Pool is immutable")
		})
	}
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
	require.Zero(t, filled.Left.Drops)
	require.Equal(t, []*pool.Entry{a, b}, filled.Lacking)
	require.Equal(t, 2, filled.Left.Len())
	require.True(t, pool.Unavailable(filled.Why))
	require.ErrorContains(t, filled.Why, "account "+none.Hex(), "the first of them")
}
