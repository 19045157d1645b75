package evmstate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// Ensure code that no deployment creates may have the size of the limit and no byte more, and from Amsterdam on that of
// the later one.
func TestCodeBySize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit     evmstate.CodeLimit
		amsterdam bool
		most      int
		eip       string
	}{
		{0, false, 24_576, "EIP-170"}, {100, false, 100, "EIP-170"}, {0, true, 65_536, "EIP-7954"}, {100, true, 65_536, "EIP-7954"},
	} {
		require.NoError(t, c.limit.CheckCode(c.amsterdam, c.most))
		require.NoError(t, c.limit.CheckCode(c.amsterdam, 0))
		require.ErrorContains(t, c.limit.CheckCode(c.amsterdam, c.most+1), c.eip)
	}
	require.EqualError(t, evmstate.CodeLimit(0).CheckCode(false, 24_577), "code of 24577 bytes is over the limit of 24576 (EIP-170)")
}
