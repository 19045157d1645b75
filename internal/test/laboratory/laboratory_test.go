package laboratory

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a closed part's tests are left out and counted, that an open part's run with all else that they need, and that
// a budget is small unless the part Long is open.
func TestParts(t *testing.T) {
	defer func(before []string) { opened = before }(opened)
	opened = []string{NPM, Python}
	t.Run("closed", func(t *testing.T) {
		defer func() { require.True(t, t.Skipped()) }()
		Needs(t, Browser)
	})
	t.Run("open", func(t *testing.T) {
		Needs(t, NPM)
		Needs(t, Browser)
		t.Run("below", func(t *testing.T) { Needs(t, Shell) })
	})
	t.Run("missing", func(t *testing.T) {
		defer func() { require.True(t, t.Skipped()) }()
		Needs(t, Python, "no-such-program")
	})
	require.Equal(t, 3, Budget(t, 3, 1000))
	var said strings.Builder
	Report(&said)
	require.Equal(t, "left to the laboratory: 1 tests: FAKENODE_LAB=browser runs them, make everything runs all\n", said.String())

	opened = []string{"all"}
	require.Equal(t, 1000, Budget(t, 3, 1000))
	said.Reset()
	Report(&said)
	require.Empty(t, said.String())
}
