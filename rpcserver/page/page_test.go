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

// Ensure each selector and topic that the page decodes matches its signature.
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

// Ensure the selectors and topics by which the page reads channels and user operations match their signatures.
func TestReadSelectors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ file, name, signature string }{
		{"channels.js", "channelCreated", "ChannelCreated(bytes32,(address,address,address,address,address,uint40,bytes32))"},
		{"channels.js", "channelsSelector", "channels(bytes32)"},
		{"channels.js", "pendingWithdrawalsSelector", "pendingWithdrawals(bytes32)"},
		{"operations.js", "userOperationEvent", "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"},
	} {
		script, err := os.ReadFile("assets/" + test.file)
		require.NoError(t, err)
		match := regexp.MustCompile(`const ` + test.name + ` = '(0x[0-9a-f]+)';`).FindStringSubmatch(string(script))
		require.NotNil(t, match, test.name)
		require.Equal(t, hexutil.Encode(crypto.Keccak256([]byte(test.signature)))[:len(match[1])], match[1], test.name)
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
