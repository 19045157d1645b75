package chain_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Ensure that a block's size is the length of its RLP, whenever asked.
func TestBlockSize(t *testing.T) {
	t.Parallel()
	d := add(t, draft(t, newChain(t, "osaka"), chain.Env{}), 0, call(t, 0, 0, common.Address{1}, 100_000, make([]byte, 300)))
	_, block := seal(t, d)
	encoded, err := rlp.EncodeToBytes(block.Body())
	require.NoError(t, err)
	require.EqualValues(t, len(encoded), block.Size())
	require.EqualValues(t, len(encoded), block.Size())
}

// Ensure that blocks whose headers share values do not see another's parent beacon root.
func TestHeadersDoNotMix(t *testing.T) {
	t.Parallel()
	root := common.Hash{7}
	c := newChain(t, "osaka")
	withRoot, block := seal(t, draft(t, c, chain.Env{BeaconRoot: &root}))
	require.Equal(t, root, *block.Header().ParentBeaconRoot)
	root = common.Hash{8} // the caller's again
	require.Equal(t, common.Hash{7}, *block.Header().ParentBeaconRoot)
	_, next := seal(t, draft(t, withRoot, chain.Env{}))
	require.Zero(t, *next.Header().ParentBeaconRoot)
}
