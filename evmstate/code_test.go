package evmstate

import (
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"
)

// Ensure genesis accounts with equal code share one Code, however many others there are, and that the State has its own
// copy: later changes to the caller's bytes do not show.
func TestGenesisCode(t *testing.T) {
	t.Parallel()
	require.Nil(t, genesisCode(nil))
	given := []byte("code of TestGenesisCode")
	first := genesisCode(given)
	require.Equal(t, crypto.Keccak256Hash(given), first.Hash)
	require.Same(t, first, genesisCode([]byte("code of TestGenesisCode")))
	given[0]++
	require.Equal(t, "code of TestGenesisCode", string(first.Bytes))
	require.NotEqual(t, first.Hash, genesisCode(given).Hash)
	for i := range 2 * maxGenesisCodes {
		code := []byte{1, byte(i), byte(i >> 8)}
		require.Equal(t, crypto.Keccak256Hash(code), genesisCode(code).Hash)
	}
	require.NotEqual(t, types.EmptyCodeHash, genesisCode([]byte{0}).Hash)
}

func TestCodeIsShared(t *testing.T) {
	t.Parallel()
	b := []byte("a code that no other test has")
	first := newCode(b)
	require.Same(t, first, newCode([]byte("a code that no other test has")))
	b[0] = 'A'
	require.Equal(t, byte('a'), first.Bytes[0])
	require.NotSame(t, first, newCode(b))
	require.Nil(t, newCode(nil))
}
