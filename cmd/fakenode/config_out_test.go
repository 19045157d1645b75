package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// configOut is the file of --config-out with --preset base, --accounts 2 and --l1.
const configOut = `{
	"main": {
		"chainId": 8453, "url": "http://HOST", "webSocketUrl": "ws://HOST", "token": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
	},
	"testnet": {
		"chainId": 84532, "url": "http://HOST/testnet", "webSocketUrl": "ws://HOST/testnet",
		"token": "0x036CbD53842c5426634e7929541eC2318f3dCF7e"
	},
	"l1": {
		"chainId": 1, "url": "http://HOST/l1", "webSocketUrl": "ws://HOST/l1", "token": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
	},
	"accounts": [
		{
			"address": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
			"privateKey": "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
		},
		{
			"address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
			"privateKey": "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
		}
	],
	"tokenOwner": {
		"address": "0xf642c131595E714CCf50CF5F2FDb86355C04a82D",
		"privateKey": "0x19d27848dba63053dcdf7914f8fb1fbaf69df90fc463b0b62fa5607e73453319"
	}
}`

// Ensure --config-out writes what a script needs, for its owner alone, before the node says that it serves: without an
// L1 where there is none, and with null where a network has no token.
func TestConfigOut(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "node.json")
	p := start(t, "--accounts", "2", "--config-out", file, "--seal", "manual", "--preset", "base", "--l1")
	text, err := os.ReadFile(file)
	require.NoError(t, err, "it is there once the node serves")
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "it holds keys")
	p.end(t)
	require.JSONEq(t, strings.ReplaceAll(configOut, "HOST", strings.TrimPrefix(p.url, "http://")), string(text))

	genesis := filepath.Join(t.TempDir(), "genesis.json")
	require.NoError(t, os.WriteFile(genesis, []byte(`{"config": {"chainId": 7}, "gasLimit": "0x1c9c380", "difficulty": "0x0", "alloc": {}}`), 0o600))
	p = start(t, "--accounts", "0", "--config-out", file, "--seal", "manual", "--genesis", genesis)
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	p.end(t)
	require.Contains(t, string(text), `"token": null`)
	require.Contains(t, string(text), `"accounts": []`)
	require.NotContains(t, string(text), `"l1"`)
}
