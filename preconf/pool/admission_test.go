package pool_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf/pool"
)

// rulesAt returns a chain with the rules of a hard fork, options, and a gas limit that bounds no transaction.
func rulesAt(t *testing.T, fork string, options chain.Options) *chain.Chain {
	t.Helper()
	config, err := chain.ForkConfig(fork, chainID)
	require.NoError(t, err)
	c, err := chain.New(&chain.Genesis{
		Config: config, Alloc: chain.SystemContracts(config), GasLimit: 1 << 40, BaseFee: big.NewInt(1e9), Timestamp: 1_700_000_000,
		Difficulty: new(big.Int),
	}, options)
	require.NoError(t, err)
	return c
}

// check is Check of a transaction that account one sends without a signature, in the next block of a chain.
func check(t *testing.T, on *chain.Chain, data types.TxData) (*pool.Entry, error) {
	t.Helper()
	tx, signer, err := pool.Impersonate(types.NewTx(data), types.NewPragueSigner(big.NewInt(chainID)), one)
	require.NoError(t, err)
	header := *on.Head().Header()
	return pool.Check(tx, signer, on, &header, pool.Behaviour{})
}

// sized returns a transaction of so many bytes, its signature included.
func sized(t *testing.T, size int) *types.DynamicFeeTx {
	t.Helper()
	tx := &types.DynamicFeeTx{ChainID: big.NewInt(chainID), Gas: 16_000_000, GasFeeCap: big.NewInt(1), To: &none}
	tx.Data = make([]byte, size-200)
	tx.Data = make([]byte, len(tx.Data)-excess(t, tx, size))
	return tx
}

// Ensure a transaction may have 128 KiB as in geth's pool, but for init code, which has a limit of its own.
func TestCheckSize(t *testing.T) {
	t.Parallel()
	osaka := rulesAt(t, "osaka", chain.Options{})
	e, err := check(t, osaka, sized(t, 131_072))
	require.NoError(t, err)
	require.EqualValues(t, 131_072, e.Tx.Size())
	require.Equal(t, one, e.From)
	_, err = check(t, osaka, sized(t, 131_073))
	require.EqualError(t, err, "oversized data: transaction size 131073, limit 131072")

	creation := func(bytes int) *types.LegacyTx {
		return &types.LegacyTx{Gas: 16_000_000, GasPrice: big.NewInt(1), Data: make([]byte, bytes)}
	}
	_, err = check(t, osaka, creation(49_152))
	require.NoError(t, err)
	_, err = check(t, osaka, creation(49_153))
	require.ErrorIs(t, err, vm.ErrMaxInitCodeSizeExceeded)
	large := rulesAt(t, "osaka", chain.Options{CodeLimit: 100_000})
	_, err = check(t, large, creation(200_000))
	require.NoError(t, err)
	_, err = check(t, large, creation(200_001))
	require.EqualError(t, err, "max initcode size exceeded: code size 200001 limit 200000")
	list := &types.AccessListTx{ChainID: big.NewInt(chainID), Gas: 16_000_000, GasPrice: big.NewInt(1), Data: make([]byte, 49_152)}
	list.AccessList = types.AccessList{{StorageKeys: make([]common.Hash, 2_700)}}
	_, err = check(t, large, list)
	require.ErrorIs(t, err, txpool.ErrOversizedData, "of which the init code is not the reason")
}

// Ensure a transaction may ask for as much gas as the rules or the chain's own limit allow, and before these for what a
// node runs in a few seconds.
func TestCheckGasLimit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fork    string
		options chain.Options
		most    uint64
		want    string
	}{
		{"prague", chain.Options{}, 1 << 30, "transaction gas limit too high (cap: 1073741824, tx: 1073741825)"},
		{"prague", chain.Options{TxGasLimit: 20_000_000}, 1 << 30, "transaction gas limit too high (cap: 1073741824, tx: 1073741825)"},
		{"osaka", chain.Options{}, 16_777_216, "transaction gas limit too high (cap: 16777216, tx: 16777217)"},
		{"osaka", chain.Options{TxGasLimit: 20_000_000}, 20_000_000, "transaction gas limit too high (cap: 20000000, tx: 20000001)"},
		{"osaka", chain.Options{TxGasLimit: chain.NoTxGasLimit}, 1 << 30, "transaction gas limit too high (cap: 1073741824, tx: 1073741825)"},
	} {
		on := rulesAt(t, test.fork, test.options)
		_, err := check(t, on, &types.LegacyTx{Gas: test.most, GasPrice: big.NewInt(1), To: &none})
		require.NoError(t, err)
		_, err = check(t, on, &types.LegacyTx{Gas: test.most + 1, GasPrice: big.NewInt(1), To: &none})
		require.EqualError(t, err, test.want)
		require.ErrorIs(t, err, core.ErrGasLimitTooHigh)
		require.NotNil(t, on.Config().LondonBlock, "the rules stay")
		require.Equal(t, test.fork == "osaka", on.Config().OsakaTime != nil)
	}
	require.NoError(t, pool.CheckGas(types.NewTx(&types.LegacyTx{Gas: 1 << 30})))
	require.EqualError(t, pool.CheckGas(types.NewTx(&types.LegacyTx{Gas: 1<<30 + 1})), "transaction gas limit too high (cap: 1073741824, tx: 1073741825)")
}

// withBlobs returns a transaction with so many empty blobs, and a sidecar of a version. Commitments and proofs of an
// empty blob are the point at infinity.
func withBlobs(version byte, count int) *types.BlobTx {
	blobs, commitments, proofs := make([]kzg4844.Blob, count), make([]kzg4844.Commitment, count), make([]kzg4844.Proof, count)
	if version == types.BlobSidecarVersion1 {
		proofs = make([]kzg4844.Proof, count*kzg4844.CellProofsPerBlob)
	}
	for i := range commitments {
		commitments[i][0] = 0xc0
	}
	for i := range proofs {
		proofs[i][0] = 0xc0
	}
	sidecar := types.NewBlobTxSidecar(version, blobs, commitments, proofs)
	return &types.BlobTx{
		ChainID: uint256.NewInt(chainID), Gas: 12_000_000, GasFeeCap: uint256.NewInt(1), BlobFeeCap: uint256.NewInt(1), To: none,
		BlobHashes: sidecar.BlobHashes(), Sidecar: sidecar,
	}
}

// Ensure a blob transaction without blobs, with too many, or whose parts are not of one number is rejected.
func TestCheckNumberOfBlobs(t *testing.T) {
	t.Parallel()
	osaka := rulesAt(t, "osaka", chain.Options{})
	_, err := check(t, osaka, withBlobs(types.BlobSidecarVersion1, 0))
	require.ErrorIs(t, err, pool.ErrNoBlobs)
	_, err = check(t, osaka, withBlobs(types.BlobSidecarVersion1, 7))
	require.ErrorIs(t, err, txpool.ErrTxBlobLimitExceeded)
	config := *osaka.Config()
	one := &params.BlobConfig{Target: 1, Max: 1, UpdateFraction: 3338477}
	config.BlobScheduleConfig = &params.BlobScheduleConfig{Cancun: one, Prague: one}
	small := *osaka.Genesis()
	small.Config = &config
	c, err := chain.New(&small, chain.Options{})
	require.NoError(t, err)
	_, err = check(t, c, withBlobs(types.BlobSidecarVersion1, 2))
	require.ErrorIs(t, err, txpool.ErrTxBlobLimitExceeded, "which no block of this chain may hold")
	for want, edit := range map[string]func(*types.BlobTxSidecar){
		"Wrong sidecar format: 1 blobs, 0 commitments, 1 proofs": func(s *types.BlobTxSidecar) { s.Commitments = nil },
		"Wrong sidecar format: 1 blobs, 1 commitments, 0 proofs": func(s *types.BlobTxSidecar) { s.Proofs = nil },
	} {
		wrong := withBlobs(types.BlobSidecarVersion0, 1)
		edit(wrong.Sidecar)
		_, err = check(t, osaka, wrong)
		require.EqualError(t, err, want)
		require.ErrorIs(t, err, txpool.ErrSidecarFormatError)
	}
}

// excess returns by how many bytes a transaction with its signature is over a size.
func excess(t *testing.T, data types.TxData, size int) int {
	t.Helper()
	signed, _, err := pool.Impersonate(types.NewTx(data), types.NewPragueSigner(big.NewInt(chainID)), one)
	require.NoError(t, err)
	return int(signed.Size()) - size
}

// Ensure every type of transaction is taken, but those with blobs on an OP-stack chain.
func TestCheckTypes(t *testing.T) {
	t.Parallel()
	rollup := rulesAt(t, "osaka", chain.Options{Optimism: optimism.Azul.DefaultRules()})
	authorized := []types.SetCodeAuthorization{{Address: two}}
	for _, on := range []*chain.Chain{rulesAt(t, "osaka", chain.Options{}), rollup} {
		for _, data := range []types.TxData{
			&types.LegacyTx{Gas: 21_000, GasPrice: big.NewInt(1), To: &none},
			&types.AccessListTx{ChainID: big.NewInt(chainID), Gas: 21_000, GasPrice: big.NewInt(1), To: &none},
			&types.DynamicFeeTx{ChainID: big.NewInt(chainID), Gas: 21_000, GasFeeCap: big.NewInt(1), To: &none},
			&types.SetCodeTx{ChainID: uint256.NewInt(chainID), Gas: 90_000, GasFeeCap: uint256.NewInt(1), To: none, AuthList: authorized},
		} {
			e, err := check(t, on, data)
			require.NoError(t, err)
			require.True(t, pool.IsSigned(e.Tx))
		}
	}
	_, err := check(t, rollup, withBlobs(types.BlobSidecarVersion1, 1))
	require.EqualError(t, err, "transaction type not supported: tx type 3 not supported by this pool")
	signer := types.NewPragueSigner(big.NewInt(chainID))
	unsigned := types.NewTx(&types.LegacyTx{Gas: 21_000, GasPrice: big.NewInt(1), To: &none})
	require.False(t, pool.IsSigned(unsigned))
	_, err = pool.Check(unsigned, signer, rollup, rollup.Head().Header(), pool.Behaviour{})
	require.ErrorIs(t, err, txpool.ErrInvalidSender)
}

// Ensure an impersonated transaction is its sender's for the signer that comes with it, equal ones of two senders have
// two hashes, and one of a type that the signer does not know is refused.
func TestImpersonate(t *testing.T) {
	t.Parallel()
	signer := types.NewPragueSigner(big.NewInt(chainID))
	tx := entry(one, 0, 0, nil).Tx
	ofOne, signerOne, err := pool.Impersonate(tx, signer, one)
	require.NoError(t, err)
	ofTwo, signerTwo, err := pool.Impersonate(tx, signer, two)
	require.NoError(t, err)
	require.NotEqual(t, ofOne.Hash(), ofTwo.Hash())
	_, r, s := ofTwo.RawSignatureValues()
	require.Equal(t, two.Big(), r)
	require.EqualValues(t, 1, s.Int64())
	for range 2 {
		for _, as := range []struct {
			types.Signer
			from common.Address
		}{{signerOne, one}, {signerTwo, two}} {
			from, err := types.Sender(as.Signer, ofOne)
			require.NoError(t, err)
			require.Equal(t, as.from, from, "whoever was asked before")
		}
	}
	require.True(t, signerOne.Equal(signerOne))
	require.False(t, signerOne.Equal(signerTwo))
	require.False(t, signerOne.Equal(signer))
	_, _, err = pool.Impersonate(tx, types.HomesteadSigner{}, one)
	require.ErrorIs(t, err, types.ErrTxTypeNotSupported)
}

// Ensure the state and the pool reject what cannot be paid, is old, known or pays too little, with the figures, and at
// the limit take it.
func TestAdmits(t *testing.T) {
	t.Parallel()
	state := newDraft(t, newChain(t, nil)).State().WithNonce(one, 3)
	const each = 21_000*10e9 + 1 // the gas and the value of an entry of one
	with := func(wei int64) func(*pool.Entry, *big.Int, bool, ...*pool.Entry) error {
		rich := state.WithBalance(one, uint256.NewInt(uint64(wei)))
		return func(e *pool.Entry, least *big.Int, anyBump bool, before ...*pool.Entry) error {
			return pooled(before...).Admits(e, rich, least, pool.Behaviour{RejectBelowBaseFee: true, FeeCapBumpOnly: anyBump})
		}
	}
	dear := func(times int64) func(*types.DynamicFeeTx) {
		return func(tx *types.DynamicFeeTx) {
			tx.GasTipCap, tx.GasFeeCap = big.NewInt(1e9*times/10), big.NewInt(1e9*times)
		}
	}
	third, fourth := entry(one, 3, 0, nil), entry(one, 4, 1, nil)
	levied := entry(one, 3, 2, nil)
	levied.Levy = big.NewInt(5)
	require.NoError(t, with(each)(third, nil, false))
	require.EqualError(t, with(each-1)(third, nil, false),
		"insufficient funds for gas * price + value: balance 210000000000000, tx cost 210000000000001, overshot 1")
	require.NoError(t, with(each+5)(levied, nil, false))
	require.ErrorIs(t, with(each+4)(levied, nil, false), core.ErrInsufficientFunds)
	require.NoError(t, with(2*each)(fourth, nil, false, third))
	require.EqualError(t, with(2*each-2)(fourth, nil, false, third), "insufficient funds for gas * price + value: "+
		"balance 420000000000000, queued cost 210000000000001, tx cost 210000000000001, overshot 2")
	require.ErrorIs(t, with(each)(third, nil, false, third), txpool.ErrAlreadyKnown)
	require.EqualError(t, with(each)(entry(one, 2, 0, nil), nil, false), "nonce too low: next nonce 3, tx nonce 2")
	require.NoError(t, with(each)(third, big.NewInt(10e9), false))
	require.EqualError(t, with(each)(third, big.NewInt(10e9+1), false),
		"max fee per gas less than block base fee: fee cap 10000000000, base fee 10000000001")
	require.NoError(t, with(21_000*11e9+1)(entry(one, 3, 9, dear(11)), nil, false, third), "what it replaces costs nothing")
	require.NoError(t, with(21_000*11e9+1+each)(entry(one, 3, 9, dear(11)), nil, false, third, fourth))
	require.ErrorIs(t, with(21_000*11e9+each)(entry(one, 3, 9, dear(11)), nil, false, third, fourth), core.ErrInsufficientFunds)
	little := entry(one, 3, 9, func(tx *types.DynamicFeeTx) { tx.GasFeeCap = big.NewInt(10e9 + 1) })
	require.ErrorIs(t, with(1e18)(little, nil, false, third), txpool.ErrReplaceUnderpriced)
	require.NoError(t, with(1e18)(little, nil, true, third))
}

// Ensure what keeps a transaction out of a block says by how much.
func TestFits(t *testing.T) {
	t.Parallel()
	tx := entry(one, 0, 0, nil).Tx
	at := func(wei int64) *types.Header { return &types.Header{BaseFee: big.NewInt(wei)} }
	require.NoError(t, pool.Fits(tx, at(10e9), 21_000))
	require.NoError(t, pool.Fits(tx, &types.Header{}, 21_000))
	require.EqualError(t, pool.Fits(tx, at(10e9+1), 21_000), "its fee cap of 10000000000 wei is below the base fee of 10000000001 wei")
	require.EqualError(t, pool.Fits(tx, at(1), 20_999), "its gas limit is 21000, and the block has 20999 left")
	header := at(11e9)
	var low *pool.FeeCapError
	require.ErrorAs(t, pool.Fits(tx, header, 0), &low)
	header.BaseFee.SetInt64(0)
	require.Equal(t, big.NewInt(11e9), low.BaseFee, "is a copy")
}

// Ensure a pool lists its entries by arrival, those behind a missing nonce as queued, and stops when told.
func TestList(t *testing.T) {
	t.Parallel()
	state := newDraft(t, newChain(t, nil)).State().WithNonce(two, 2)
	gap, first, second, used, next := entry(one, 3, 0, nil), entry(one, 1, 4, nil), entry(one, 0, 2, nil), entry(two, 1, 3, nil), entry(two, 2, 1, nil)
	p := pooled(gap, first, second, used, next)
	require.Equal(t, []pool.Listed{{gap, true}, {next, false}, {second, false}, {used, false}, {first, false}}, p.List(state))
	for range p.Senders {
		break
	}
	for e := range p.Of(one) {
		require.Same(t, second, e)
		break
	}
	require.Empty(t, pool.Empty.List(state))
	require.Equal(t, []common.Hash{gap.Tx.Hash()}, pool.Hashes(slices.Collect(pooled(gap).Of(one))))
}
