package store

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

// Ensure a record is read as it was written, down to the least, and one with bytes missing says how many it has.
func TestRecordsReadBack(t *testing.T) {
	t.Parallel()
	whole := record{
		kind: kindBlock, parent: 1 << 40,
		state: stateRecord{of: 2, base: 3, whole: true, root: common.Hash{4}, changes: []byte{5, 6}}, block: []byte{7, 8, 9},
	}
	pruned := record{kind: kindState, state: stateRecord{of: 1, missing: true, changes: []byte{}}, block: []byte{}}
	for _, r := range []record{whole, pruned, {kind: kindForget, state: stateRecord{of: 1, changes: []byte{}}, block: []byte{}}} {
		is, err := decodeRecord(r.encode())
		require.NoError(t, err)
		require.Equal(t, r, is)
	}
	data := whole.encode()
	require.Len(t, data, 62+2+3)
	for size, text := range map[int]string{0: "it has 0 bytes", 61: "it has 61 bytes", 62: "it has 62 bytes and 2 of changes", 63: "it has 63 bytes and 2 of changes"} {
		_, err := decodeRecord(data[:size])
		require.EqualError(t, err, text)
	}
	is, err := decodeRecord(data[:64])
	require.NoError(t, err)
	require.Empty(t, is.block)
}
