package userop_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/userop"
)

// Ensure an operation is found however many blocks ago it was included, with what its event tells of it, and that a
// fork does not know it.
func TestOperationIsFoundLater(t *testing.T) {
	t.Parallel()
	l := newLab(t, first)
	hash := l.send(first, object{"nonce": "0x10000000000000000"})
	l.Seal()
	at := l.BlockNumber()
	for range 210 {
		in, err := userop.LookUp(l.Moment(), hash)
		require.NoError(t, err)
		require.NotNil(t, in, "at block %d", l.BlockNumber())
		require.Equal(t, at, in.Event.BlockNumber)
		l.Seal()
	}
	in, err := userop.LookUp(l.Moment(), hash)
	require.NoError(t, err)
	require.Equal(t, first, in.Sender())
	require.Equal(t, new(big.Int).Lsh(common.Big1, 64), in.Nonce())
	require.True(t, in.Succeeded())
	require.Zero(t, in.Cost().Sign())
	require.Positive(t, in.Gas().Sign())
	require.Equal(t, common.Address{}, in.Paymaster())
	require.Equal(t, in.Nonce(), in.Operation.Nonce.ToInt())
	require.Empty(t, in.Logs())
	require.Empty(t, in.Reason(nil))
	none, err := userop.LookUp(l.Moment(), common.Hash{1})
	require.NoError(t, err)
	require.Nil(t, none)

	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: l.URL()}})
	for range 70 {
		in, err := userop.LookUp(fork.Moment(), hash)
		require.NoError(t, err)
		require.Nil(t, in)
		fork.Seal()
	}
	require.Equal(t, userop.Place{Where: preconf.Unknown}, userop.PlaceOf(fork.Moment(), hash))
}

// Ensure the bundler remembers the last thousand operations that faults struck, and the latest fault of one that two
// struck.
func TestBundlerRemembersAThousand(t *testing.T) {
	t.Parallel()
	type struck struct {
		Hash common.Hash
		Kind userop.FaultKind
	}
	for count, forgotten := range map[int]int{999: 0, 1003: 4} {
		l := newLab(t, first)
		var book struct {
			Armed  []userop.Fault
			Struck []struck
		}
		for i := range count {
			book.Struck = append(book.Struck, struck{common.BigToHash(big.NewInt(int64(i + 1))), userop.Lie})
		}
		book.Struck[count-1] = struck{book.Struck[count-2].Hash, userop.Forget}
		note, err := json.Marshal(book)
		require.NoError(t, err)
		require.NoError(t, l.Timeline().SetNote("bundler", note))
		require.Equal(t, userop.Forget, l.Operation(book.Struck[count-1].Hash).Fault, "the later one")
		require.NoError(t, l.BundlerFault(fakenode.BundlerFault{Kind: fakenode.Forget}))
		hash := l.send(first, nil)
		require.Equal(t, fakenode.Dropped, l.Operation(hash).Where)
		for i := range count - 2 {
			want := fakenode.Dropped
			if i < forgotten {
				want = fakenode.Unknown
			}
			require.Equal(t, want, l.Operation(book.Struck[i].Hash).Where, "%d of %d", i, count)
			if i > forgotten+2 {
				break
			}
		}
	}
}
