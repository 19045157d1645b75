package integration_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the assets are those of x402's own package, in its order.
func TestX402AssetsAreThePackages(t *testing.T) {
	laboratory.Needs(t, laboratory.NPM, "node", "npm")
	t.Parallel()
	modules, err := packagesOf("npm")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(modules, "@x402", "evm", "dist", "cjs", "index.js"))
	require.NoError(t, err)
	chains := regexp.MustCompile(`(?s)"eip155:(\d+)": \[(.*?)\n  \]`).FindAllStringSubmatch(string(text), -1)
	entry := regexp.MustCompile(`asset: "(0x[0-9a-fA-F]{40})",\s+name: "(.*?)",\s+version: "(.*?)",\s+decimals: (\d+),\s+symbol: "(.*?)"`)
	require.Len(t, chains, 26)
	for _, found := range chains {
		id, err := strconv.ParseUint(found[1], 10, 64)
		require.NoError(t, err)
		var theirs []paytoken.Asset
		for _, e := range entry.FindAllStringSubmatch(found[2], -1) {
			name, err := strconv.Unquote(`"` + e[2] + `"`)
			require.NoError(t, err)
			decimals, err := strconv.ParseUint(e[4], 10, 8)
			require.NoError(t, err)
			theirs = append(theirs, paytoken.Asset{Address: common.HexToAddress(e[1]), Name: name, Version: e[3], Symbol: e[5], Decimals: uint8(decimals)})
		}
		ours := paytoken.X402Assets(id)
		require.NotEmpty(t, theirs, id)
		require.Equal(t, theirs, ours[:len(theirs)], "chain %d", id)
		require.True(t, len(ours) == len(theirs) || id == 84532, "chain %d", id)
	}
}
