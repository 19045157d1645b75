package page_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"
)

// Ensure each selector and topic that the page decodes is that of its signature.
func TestSelectors(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("assets/abi.js")
	require.NoError(t, err)
	script := string(raw)
	shared := regexp.MustCompile(`const authorization = '(.*)';`).FindStringSubmatch(script)
	script = strings.ReplaceAll(script, "${authorization}", shared[1])
	found := regexp.MustCompile("'(0x[0-9a-f]{8,64})': ['`](\\w+)\\((.*)\\)['`]").FindAllStringSubmatch(script, -1)
	require.Greater(t, len(found), 20)
	for _, match := range found {
		var types []string
		for parameter := range strings.SplitSeq(match[3], ", ") {
			kind, _, _ := strings.Cut(parameter, " ")
			types = append(types, strings.TrimSuffix(kind, "*"))
		}
		hash := hexutil.Encode(crypto.Keccak256([]byte(match[2] + "(" + strings.Join(types, ",") + ")")))
		require.Equal(t, hash[:len(match[1])], match[1], match[2])
	}
}

// Ensure the selectors and the topic by which the page reads channels are those of their signatures.
func TestChannelSelectors(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("assets/channels.js")
	require.NoError(t, err)
	for name, signature := range map[string]string{
		"channelCreated":             "ChannelCreated(bytes32,(address,address,address,address,address,uint40,bytes32))",
		"channelsSelector":           "channels(bytes32)",
		"pendingWithdrawalsSelector": "pendingWithdrawals(bytes32)",
	} {
		match := regexp.MustCompile(`const ` + name + ` = '(0x[0-9a-f]+)';`).FindStringSubmatch(string(script))
		require.NotNil(t, match, name)
		require.Equal(t, hexutil.Encode(crypto.Keccak256([]byte(signature)))[:len(match[1])], match[1], name)
	}
}

// Ensure nothing on the page can turn text into markup, and nothing is loaded from elsewhere.
func TestNoMarkupFromText(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("assets/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, forbidden := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "https://", "//cdn", " style=", "onclick"} {
			require.NotContains(t, string(content), forbidden, file)
		}
		require.Less(t, len(content), 20_000, "%s is small enough to read", file)
	}
}
