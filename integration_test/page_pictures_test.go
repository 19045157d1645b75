package integration_test

import (
	"cmp"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure the pictures of docs/page.md can be taken. FAKENODE_PICTURES names the directory that they are written to.
func TestPagePictures(t *testing.T) {
	t.Parallel()
	written := os.Getenv("FAKENODE_PICTURES")
	if written == "" {
		t.Skip("make page takes the pictures")
	}
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)})
	taken := t.TempDir()
	require.Empty(t, runScript[[]string](t, node, "page_pictures.mjs", browser(t), taken))
	for _, name := range []string{"page-1400.png", "page-390.png"} {
		packPicture(t, filepath.Join(taken, name), filepath.Join(written, name))
	}
}

// packPicture copies a PNG file with a palette of its 256 most frequent colors; others become the nearest of them.
func packPicture(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	require.NoError(t, err)
	defer in.Close()
	picture, err := png.Decode(in)
	require.NoError(t, err)
	bounds := picture.Bounds()
	frequency := make(map[color.RGBA]int)
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA) }
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			frequency[at(x, y)]++
		}
	}
	colors := slices.SortedFunc(maps.Keys(frequency), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(frequency[b], frequency[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range colors[:min(len(colors), 256)] {
		palette = append(palette, c)
	}
	nearest := make(map[color.RGBA]uint8)
	for _, c := range colors {
		nearest[c] = uint8(palette.Index(c))
	}
	packed := image.NewPaletted(bounds, palette)
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			packed.SetColorIndex(x, y, nearest[at(x, y)])
		}
	}
	out, err := os.Create(to)
	require.NoError(t, err)
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(out, packed))
	require.NoError(t, out.Close())
}
