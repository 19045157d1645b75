package trace

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a program that imports no tracers says which import is missing.
func TestNoTracers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"prestateTracer", "{step: function() {}}"} {
		_, err := noTracers{}.New(name, nil, nil, nil)
		require.ErrorIs(t, err, ErrNoTracers)
		require.ErrorContains(t, err, `tracer `+name+`: this program has only the struct logger: import _ "github.com/fakenode/fakenode/tracers"`)
	}
	require.False(t, noTracers{}.IsScript("{}"), "it runs nothing")
}
