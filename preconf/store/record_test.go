package store

import (
	"bytes"
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

// Ensure a value with its checksum is not taken for another's, nor one that is changed in any byte.
func TestChecksumsOfValues(t *testing.T) {
	t.Parallel()
	name, value := []byte("key"), []byte{1, 2, 3}
	data := sealed(name, value)
	is, err := unsealed(name, data)
	require.NoError(t, err)
	require.Equal(t, value, is)
	_, err = unsealed([]byte("kez"), data)
	require.ErrorIs(t, err, errChecksum)
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		_, err := unsealed(name, changed)
		require.ErrorIs(t, err, errChecksum)
	}
	_, err = unsealed(name, data[:4])
	require.EqualError(t, err, "it has 4 bytes")
	_, err = unsealed(name, data[:5])
	require.ErrorIs(t, err, errChecksum)
}
