package main

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/internal/readme"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the sessions of the README work as they stand, but for the ports.
func TestSessionOfREADME(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell, "bash", "curl", "jq")
	var session strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(readme.Read(t), -1) {
		session.WriteString(block[1])
	}
	m := startMerchant(t, fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant}))
	output := readme.Session(t, session.String(), "http://127.0.0.1:8080", m.url, "http://127.0.0.1:8545", m.node.URL())
	require.Regexp(t, `^"stored"\n\{\n  "stage": "captured",\n  "amount": "25.000000",\n  "settlement": \{\n    "outcome": "captured",`, output)
	require.Contains(t, output, `
"stored"
"12.500000"
{"path":"variable","stage":"captured","amount":"40.000000","received":"12.500000"}
"12.500000"
"7.250000"
{"path":"variable","stage":"captured","amount":"40.000000","received":"19.750000"}
null
"approve"
"capture"
{"path":"subscription","stage":"captured","amount":"9.990000","received":"9.990000"}
0.010000
0.020000
0.030000
"capture"
{"path":"requests","stage":"captured","amount":"1.000000","received":"0.030000"}
`)
	m.settled(dollars25+19_750_000+9_990_000+30_000, 7)
}

// Ensure the README names every file, and its commands are ones that the program takes.
func TestFilesAndCommandsOfREADME(t *testing.T) {
	t.Parallel()
	text := readme.Read(t)
	readme.NamesFiles(t, text, "*.go", "checkout/*")
	key := readme.Find(t, text, `export MERCHANT_KEY=(\S+)`)[0]
	config, listen, err := parse(strings.Fields(readme.Arguments(t, text, "merchant")), func(string) string { return key }, io.Discard)
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:8545", config.URL)
	require.Equal(t, "127.0.0.1:8080", listen)
	require.Equal(t, fixtures.Dev(1).Address, crypto.PubkeyToAddress(config.Key.PublicKey))
}
