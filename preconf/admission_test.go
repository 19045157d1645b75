package preconf_test

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

func TestSendRefuses(t *testing.T) {
	t.Parallel()
	from := accounts[0]
	foreign := types.LatestSignerForChainID(big.NewInt(1))
	pay := types.DynamicFeeTx{To: &sink, Gas: 21_000}
	with := func(change func(*types.DynamicFeeTx)) *types.Transaction {
		tx := pay
		change(&tx)
		return from.sign(tx)
	}
	known, announced := from.pay(3, sink, 1), from.pay(1, sink, 1)
	for _, test := range []struct {
		name string
		tx   *types.Transaction
		want error
	}{
		{"known", known, txpool.ErrAlreadyKnown},
		{"pre-confirmed", announced, txpool.ErrAlreadyKnown},
		{"nonce used", from.pay(0, sink, 9), core.ErrNonceTooLow},
		{"nonce pre-confirmed", from.pay(1, sink, 9), core.ErrNonceTooLow},
		{"nonce of 2^64-1", with(func(tx *types.DynamicFeeTx) { tx.Nonce = 1<<64 - 1 }), core.ErrNonceMax},
		{"value above balance", with(func(tx *types.DynamicFeeTx) { tx.Nonce = 4; tx.Value = new(big.Int).Mul(ether, ether) }), core.ErrInsufficientFunds},
		{"all in the pool above balance", with(func(tx *types.DynamicFeeTx) { tx.Nonce = 5; tx.Value = new(big.Int).Mul(big.NewInt(600), ether) }), core.ErrInsufficientFunds},
		{"intrinsic gas", with(func(tx *types.DynamicFeeTx) { tx.Nonce = 4; tx.Gas = 20_999 }), core.ErrIntrinsicGas},
		{"block gas", with(func(tx *types.DynamicFeeTx) { tx.Nonce = 4; tx.Gas = 9_000_000 }), txpool.ErrGasLimit},
		{"other chain", types.MustSignNewTx(from.key, foreign, &types.DynamicFeeTx{ChainID: big.NewInt(1), To: &sink, Gas: 21_000}), txpool.ErrInvalidSender},
		{"replacement without a bump", from.pay(3, sink, 2), txpool.ErrReplaceUnderpriced},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			timeline := newTimeline(t, preconf.Config{})
			require.NoError(t, timeline.Set(preconf.GasLimit(8_000_000)))
			send(t, timeline, from.pay(0, sink, 1))
			seal(t, timeline, 1)
			send(t, timeline, announced)
			preconfirm(t, timeline)
			send(t, timeline, known, with(func(tx *types.DynamicFeeTx) { tx.Nonce = 6; tx.Value = new(big.Int).Mul(big.NewInt(600), ether) }))
			before := timeline.Moment()
			err := timeline.Send(test.tx)
			require.ErrorIs(t, err, test.want)
			require.Same(t, before, timeline.Moment())
		})
	}
}

func TestImpersonation(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	contract, other := emitter, common.HexToAddress("0xaa00000000000000000000000000000000000000")
	tx := types.NewTx(&types.DynamicFeeTx{ChainID: signer.ChainID(), To: &sink, Value: big.NewInt(3), Gas: 21_000, GasFeeCap: big.NewInt(2e9), GasTipCap: big.NewInt(1)})
	require.NoError(t, timeline.Set(preconf.Impersonate(other, true)))
	require.True(t, timeline.Moment().Impersonated(other))
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithBalance(other, uint256.MustFromBig(ether)).WithBalance(contract, uint256.MustFromBig(ether))
	}))
	unsigned := func(from common.Address) (common.Hash, error) {
		sent, err := timeline.SendAs(from, nil, func(uint64) (*types.Transaction, error) { return tx, nil })
		if err != nil {
			return common.Hash{}, err
		}
		return sent.Hash(), nil
	}
	one, err := unsigned(other)
	require.NoError(t, err)
	require.EqualValues(t, 3, func() int64 { preconfirm(t, timeline); return balance(t, timeline.Moment().Pending(), sink) }())
	found := find(t, timeline.Moment(), one)
	require.True(t, found.Executed())
	require.Equal(t, other, found.Sender)

	timeline.Set(preconf.Impersonate(other, false))
	require.False(t, timeline.Moment().Impersonated(other))
	timeline.Set(preconf.ImpersonateAll(true))
	third := common.HexToAddress("0xbb00000000000000000000000000000000000000")
	require.True(t, timeline.Moment().Impersonated(third))

	timeline.Set(preconf.ImpersonateAll(false))
	require.False(t, timeline.Moment().Impersonated(third))
	_, err = unsigned(third)
	require.ErrorIs(t, err, core.ErrInsufficientFunds, "impersonated or not")
	again, err := unsigned(contract)
	require.NoError(t, err)
	require.NotEqual(t, one, again)
	preconfirm(t, timeline)
	found = find(t, timeline.Moment(), again)
	require.True(t, found.Executed())
	require.Equal(t, contract, found.Sender)

	// A sealed one goes through a reorg: nothing but the block knows its sender.
	seal(t, timeline, 1)
	reorg(t, timeline, control.ReorgOptions{Depth: 1})
	found = find(t, timeline.Moment(), one)
	require.True(t, found.Executed())
	require.Equal(t, other, found.Sender)
}

// Blobs are checked, kept in the pool and left out of the block.
func TestBlobs(t *testing.T) {
	laboratory.Needs(t, laboratory.Long) // setting up KZG takes 5 s
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	blob := kzg4844.Blob{1: 7}
	commitment, err := kzg4844.BlobToCommitment(&blob)
	require.NoError(t, err)
	proof, err := kzg4844.ComputeBlobProof(&blob, commitment)
	require.NoError(t, err)
	inner := &types.BlobTx{
		ChainID: uint256.NewInt(31337), To: sink, Gas: 21_000, GasFeeCap: uint256.NewInt(1e11), GasTipCap: uint256.NewInt(1),
		BlobFeeCap: uint256.NewInt(1e9), BlobHashes: []common.Hash{kzg4844.CalcBlobHashV1(sha256.New(), &commitment)},
		Sidecar: types.NewBlobTxSidecar(types.BlobSidecarVersion0, []kzg4844.Blob{blob}, []kzg4844.Commitment{commitment}, []kzg4844.Proof{proof}),
	}
	good := types.MustSignNewTx(accounts[0].key, signer, inner)

	inner.Sidecar = types.NewBlobTxSidecar(types.BlobSidecarVersion0, []kzg4844.Blob{{1: 8}}, []kzg4844.Commitment{commitment}, []kzg4844.Proof{proof})
	require.ErrorIs(t, timeline.Send(types.MustSignNewTx(accounts[0].key, signer, inner)), txpool.ErrKZGVerificationError)
	for _, short := range []*types.BlobTxSidecar{
		types.NewBlobTxSidecar(types.BlobSidecarVersion0, []kzg4844.Blob{blob}, nil, nil),
		types.NewBlobTxSidecar(types.BlobSidecarVersion0, []kzg4844.Blob{blob}, []kzg4844.Commitment{commitment}, nil),
		types.NewBlobTxSidecar(types.BlobSidecarVersion0, []kzg4844.Blob{blob}, nil, []kzg4844.Proof{proof}),
	} {
		inner.Sidecar = short
		require.ErrorContains(t, timeline.Send(types.MustSignNewTx(accounts[0].key, signer, inner)),
			fmt.Sprintf("1 blobs, %d commitments, %d proofs", len(short.Commitments), len(short.Proofs)))
	}

	send(t, timeline, good)
	pooled := find(t, timeline.Moment(), good.Hash())
	require.True(t, pooled.Present())
	require.NotNil(t, evmstate.Signed(pooled.Transaction).BlobTxSidecar())
	preconfirm(t, timeline)
	_, err = timeline.FlashblockFault(control.FlashblockFault{Kind: control.DropFlashblocks})
	require.NoError(t, err)
	pooled = find(t, timeline.Moment(), good.Hash())
	require.NotNil(t, evmstate.Signed(pooled.Transaction).BlobTxSidecar(), "back in the pool with its blobs")
	seal(t, timeline, 1)
	sealed := find(t, timeline.Moment(), good.Hash())
	require.True(t, sealed.Executed())
	require.Nil(t, evmstate.Signed(sealed.Transaction).BlobTxSidecar())
	require.NotZero(t, sealed.Receipt.BlobGasUsed)
}

// Ensure a transaction gets the next nonce even where another one takes that while it is made, and that one with a
// nonce of its own is sent as it is.
func TestSendAs(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Mode: control.Instant})
	from := accounts[0]
	for _, signed := range []bool{true, false} {
		var nonces []uint64
		fill := func(nonce uint64) (*types.Transaction, error) {
			nonces = append(nonces, nonce)
			if len(nonces) <= 2 {
				send(t, timeline, from.pay(nonce, sink, 1))
			}
			tx := from.pay(nonce, sink, 2)
			if !signed {
				tx = types.NewTx(&types.LegacyTx{Nonce: nonce, To: &sink, Gas: 21_000, GasPrice: big.NewInt(2e9)})
			}
			return tx, nil
		}
		first := timeline.Moment().PoolNonce(from.address)
		sent, err := timeline.SendAs(from.address, nil, fill)
		require.NoError(t, err)
		require.Equal(t, []uint64{first, first + 1, first + 2}, nonces)
		found := find(t, timeline.Moment(), sent.Hash())
		require.True(t, found.Executed())
		require.Equal(t, from.address, found.Sender)

		_, err = timeline.SendAs(from.address, new(first), fill)
		require.ErrorIs(t, err, core.ErrNonceTooLow)
		sent, err = timeline.SendAs(from.address, new(first+5), fill)
		require.NoError(t, err)
		require.Equal(t, preconf.Pooled, timeline.Moment().Place(sent.Hash()).Where)
		timeline.ClearPool()
	}
}
