package command

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a dump may have as many bytes as the limit, packed or not, and not one more.
func TestReadUnpackedAtItsLimit(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("{}"), 500)
	var packed bytes.Buffer
	archive := gzip.NewWriter(&packed)
	_, err := archive.Write(text)
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	for _, file := range [][]byte{text, packed.Bytes()} {
		got, err := readUnpacked(bytes.NewReader(file), len(text))
		require.NoError(t, err)
		require.Equal(t, text, got)
		_, err = readUnpacked(bytes.NewReader(file), len(text)-1)
		require.EqualError(t, err, "it unpacks to more than 999 bytes")
	}
}
