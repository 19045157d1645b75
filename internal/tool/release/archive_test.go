package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

var sample = fstest.MapFS{
	"fakenode": {Mode: 0o755, Data: []byte("binary"), ModTime: epoch}, "LICENSE": {Mode: 0o644, Data: []byte("licence"), ModTime: epoch},
}

// requireSample requires the file of an archive to be that of the sample.
func requireSample(t *testing.T, is fs.FileInfo, content []byte) {
	t.Helper()
	want := sample[is.Name()]
	require.NotNil(t, want, is.Name())
	require.Equal(t, *want, fstest.MapFile{Mode: is.Mode(), Data: content, ModTime: is.ModTime().UTC()})
}

// Ensure packed files can be unpacked again, the binary as an executable, and that packing again gives the same bytes.
func TestTar(t *testing.T) {
	t.Parallel()
	var packed, again bytes.Buffer
	require.NoError(t, writeTar(&packed, sample))
	require.NoError(t, writeTar(&again, sample))
	require.Equal(t, packed.Bytes(), again.Bytes())
	plain, err := gzip.NewReader(&packed)
	require.NoError(t, err)
	files := tar.NewReader(plain)
	for range sample {
		header, err := files.Next()
		require.NoError(t, err)
		content, err := io.ReadAll(files)
		require.NoError(t, err)
		requireSample(t, header.FileInfo(), content)
	}
	_, err = files.Next()
	require.ErrorIs(t, err, io.EOF)
}

// Ensure the same of zip archives.
func TestZip(t *testing.T) {
	t.Parallel()
	var packed, again bytes.Buffer
	require.NoError(t, writeZip(&packed, sample))
	require.NoError(t, writeZip(&again, sample))
	require.Equal(t, packed.Bytes(), again.Bytes())
	files, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	require.NoError(t, err)
	require.Len(t, files.File, len(sample))
	for _, packed := range files.File {
		file, err := packed.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(file)
		require.NoError(t, err)
		requireSample(t, packed.FileInfo(), content)
	}
}

// Ensure the checksums are in the form that sha256sum reads.
func TestChecksums(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	archive := filepath.Join(directory, "fakenode.tar.gz")
	require.NoError(t, os.WriteFile(archive, []byte("packed"), 0o600))
	require.NoError(t, writeChecksums(filepath.Join(directory, "SHA256SUMS"), []string{archive}))
	text, err := os.ReadFile(filepath.Join(directory, "SHA256SUMS"))
	require.NoError(t, err)
	require.Equal(t, "88cb8a087b6e8cebfc9ae5602f5a2159a6bcf923e7f2c56809bcda6cad1727a7  fakenode.tar.gz\n", string(text))
}

// Ensure a version that npm or Go would not take is rejected before anything is built.
func TestVersionForm(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"", "1.2.3", "v1.2", "v1.2.3 -X main.x=y"} {
		require.ErrorContains(t, run([]string{"-version", version}, io.Discard), "want one such as v1.2.3")
	}
}
