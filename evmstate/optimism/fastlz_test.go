package optimism_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Ensure the size equals another implementation's: the numbers come from Solady's FastLZ in JavaScript.
func TestCompressedSize(t *testing.T) {
	t.Parallel()
	require.Zero(t, optimism.CompressedSize(nil))
	require.EqualValues(t, 21, optimism.CompressedSize(make([]byte, 1000)))
	require.EqualValues(t, 21, optimism.CompressedSize(bytes.Repeat([]byte{1}, 1000)))

	state := uint64(1)
	for _, c := range []struct {
		length, alphabet int
		size             uint64
	}{
		{12, 256, 13}, {13, 256, 14}, {14, 2, 15}, {100, 4, 87}, {300, 256, 310}, {1000, 3, 596}, {5000, 16, 4491},
		{20000, 5, 12330}, {20000, 256, 20622},
	} {
		data := make([]byte, c.length)
		for i := range data {
			state = state*6364136223846793005 + 1442695040888963407
			data[i] = byte(int(state>>33) % c.alphabet)
		}
		require.Equal(t, c.size, optimism.CompressedSize(data), "%d bytes of %d values", c.length, c.alphabet)
	}
}

// Ensure no input makes the compressor read beyond its end.
func FuzzCompressedSize(f *testing.F) {
	f.Add([]byte("abcabcabcabcabcabcabc"))
	f.Add(make([]byte, 300))
	f.Fuzz(func(t *testing.T, data []byte) {
		size, length := optimism.CompressedSize(data), uint64(len(data))
		require.LessOrEqual(t, size, length+(length+31)/32)
	})
}
