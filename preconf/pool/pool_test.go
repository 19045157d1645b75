package pool_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

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
		p, _ = p.With(e)
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
	p.Arrivals = pool.Arrivals{Arrived: 9, Front: -1}
	require.Zero(t, p.Cleared().Len())
	require.Nil(t, p.Cleared().First(two))
	require.Equal(t, p.Arrivals, p.Cleared().Arrivals, "later ones come behind")
	require.Equal(t, 4, p.Len())
	require.Zero(t, pool.Empty.Len())
}

// Ensure an entry takes the place of the one with its sender and nonce, and of no other.
func TestPoolReplaces(t *testing.T) {
	t.Parallel()
	old, same, next := entry(one, 0, 0, nil), entry(two, 0, 1, nil), entry(one, 1, 2, nil)
	dear := entry(one, 0, 3, func(tx *types.DynamicFeeTx) { tx.GasTipCap = big.NewInt(2e9) })
	p, replaced := pooled(old, same, next).With(dear)
	require.Same(t, old, replaced)
	require.Nil(t, p.Get(old.Tx.Hash()))
	require.Equal(t, []*pool.Entry{same, next, dear}, p.Sorted())
	_, replaced = p.With(entry(one, 2, 4, nil))
	require.Nil(t, replaced)
}

// Ensure the cost of a sender is the most that its entries can spend: gas, value and what they pay beside them.
func TestPoolCost(t *testing.T) {
	t.Parallel()
	plain, levied := entry(two, 0, 0, nil), entry(two, 1, 1, nil)
	levied.Levy = big.NewInt(5)
	const each = 21_000*10e9 + 2
	p := pooled(plain, levied)
	require.Equal(t, big.NewInt(2*each+5), p.Cost(two))
	require.Equal(t, big.NewInt(each), p.Without(levied).Cost(two))
	p, _ = p.With(entry(two, 1, 2, nil))
	require.Equal(t, big.NewInt(2*each), p.Cost(two), "of a replacement")
	require.Zero(t, p.Cost(one).Sign())
	p.Cost(two).SetInt64(0)
	require.Equal(t, big.NewInt(2*each), p.Cost(two), "is a copy")
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
			p, _ = p.With(entry(one, nonce, 1, nil))
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

// Ensure entries are picked by hash, and the list that they are picked from stays.
func TestEntriesByHash(t *testing.T) {
	t.Parallel()
	all := []*pool.Entry{entry(one, 0, 0, nil), entry(two, 0, 1, nil), entry(one, 1, 2, nil)}
	hashes := pool.Hashes(all)
	require.Len(t, hashes, 3)
	some := map[common.Hash]bool{hashes[0]: true, hashes[2]: true, {}: true}
	require.Equal(t, []*pool.Entry{all[0], all[2]}, pool.Only(all, some))
	require.Equal(t, all[1:2], pool.Without(all, some))
	require.Equal(t, hashes, pool.Hashes(all))
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
