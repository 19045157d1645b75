package flashblocks

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a flashblock that cannot be encoded equals no other: a reader is not left without the one in its place.
func TestFrameThatCannotBeEncodedEqualsNone(t *testing.T) {
	t.Parallel()
	of := func(text string, err error) *frame {
		return &frame{plain: func() ([]byte, error) { return []byte(text), err }}
	}
	broken := of("", errors.New("the state is gone"))
	require.True(t, of("a", nil).equals(of("a", nil)))
	require.False(t, of("a", nil).equals(of("b", nil)))
	require.False(t, broken.equals(of("", nil)))
	require.False(t, of("", nil).equals(broken))
}
