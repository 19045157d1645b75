package main

import (
	"bufio"
	"encoding/hex"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"
)

// anvilInstance holds the facts that alloy's binding reads from the output of a program.
type anvilInstance struct {
	address   string
	keys      []string
	addresses []common.Address
	chainID   uint64
}

// startAnvil starts the program under the name anvil and reads its output by the rules of alloy-node-bindings: up to
// the line that begins with Listening on, keys in lines that begin with ( after Private Keys, and a chain id behind
// Chain ID:.
func startAnvil(t *testing.T, args ...string) (instance anvilInstance, stderr *strings.Builder) {
	t.Helper()
	out, in := io.Pipe()
	stderr = new(strings.Builder)
	done := make(chan int, 1)
	go func() {
		done <- run(t.Context(), named("/opt/bin/anvil", append(args, "--port", "0")), nil, in, stderr)
		in.Close()
	}()
	t.Cleanup(func() { out.Close(); require.Equal(t, exitOK, <-done) })
	private := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if address, ok := strings.CutPrefix(line, "Listening on"); ok {
			go io.Copy(io.Discard, out)
			instance.address = strings.TrimSpace(address)
			return instance, stderr
		}
		private = private || strings.HasPrefix(line, "Private Keys")
		if private && strings.HasPrefix(line, "(") {
			raw, err := hex.DecodeString(line[strings.LastIndex(line, "0x")+2:])
			require.NoError(t, err, line)
			key, err := crypto.ToECDSA(raw)
			require.NoError(t, err, line)
			instance.keys, instance.addresses = append(instance.keys, line), append(instance.addresses, crypto.PubkeyToAddress(key.PublicKey))
		}
		if _, rest, ok := strings.Cut(line, "Chain ID:"); ok {
			instance.chainID, _ = strconv.ParseUint(strings.TrimSpace(rest), 10, 64)
		}
	}
	require.FailNow(t, "no line with the address", stderr.String())
	return instance, stderr
}

// Ensure a program named anvil is anvil: alloy's binding finds its keys, the flags of harnesses are taken, what is left
// out is a warning, and there are ten accounts.
func TestProgramNamedAnvil(t *testing.T) {
	t.Parallel()
	instance, stderr := startAnvil(t, "--derivation-path", "m/44'/60'/0'/0", "--gas-price", "0", "--number", "123", "--mnemonic-seed-unsafe", "1",
		"--disable-block-gas-limit", "--threads", "2", "--hardfork", "pectra")
	require.Len(t, instance.keys, 10)
	require.Equal(t, common.HexToAddress("0x95132632579b073D12a6673e18Ab05777a6B86f8"), instance.addresses[0]) // anvil's own draw
	client, err := rpc.Dial("http://" + instance.address)
	require.NoError(t, err)
	defer client.Close()
	var accounts []common.Address
	require.NoError(t, client.Call(&accounts, "eth_accounts"))
	require.Equal(t, instance.addresses, accounts)
	var version, number string
	require.NoError(t, client.Call(&version, "web3_clientVersion"))
	require.True(t, strings.HasPrefix(version, "anvil/"), version)
	require.NoError(t, client.Call(&number, "eth_blockNumber"))
	require.Equal(t, "0x7b", number)
	var first struct{ Number, ParentHash string }
	require.NoError(t, client.Call(&first, "eth_getBlockByNumber", "earliest", false))
	require.Equal(t, "0x7b", first.Number)
	require.NoError(t, client.Call(nil, "eth_sendTransaction", map[string]any{"from": accounts[0], "to": accounts[1], "value": "0x1"}))
	require.NoError(t, client.Call(&number, "eth_blockNumber"))
	require.Equal(t, "0x7c", number)
	var below any
	require.NoError(t, client.Call(&below, "eth_getBlockByNumber", "0x7a", false))
	require.Nil(t, below)
	require.Equal(t, "Warning: --threads: the variable GOMAXPROCS bounds the processors in use\n", stderr.String())

	var stdout strings.Builder
	require.Equal(t, exitOK, run(t.Context(), named("anvil.exe", []string{"--version"}), nil, &stdout, stderr))
	require.Regexp(t, `^anvil Version: \d+\.\d+\.\d+\nfakenode/`, stdout.String())
	require.Equal(t, []string{"health", "http://host"}, named("anvil", []string{"health", "http://host"}))
	require.Empty(t, named("/bin/fakenode", nil))
}

// Ensure the draw of a seed is anvil's for seeds of each size.
func TestSeededMnemonic(t *testing.T) {
	t.Parallel()
	for seed, want := range map[string]string{
		"0":                    "leisure need topic clown code attend earn lounge baby omit vault crunch",
		"18446744073709551615": "reunion eager public radio victory silver palm elite make sing accuse moon",
		"1":                    "gesture car maximum regret pudding merry fatal electric sea grab crack social",
	} {
		flags, err := seededMnemonic(seed)
		require.NoError(t, err)
		require.Equal(t, []string{"--mnemonic=" + want}, flags)
	}
	_, err := seededMnemonic("x")
	require.Error(t, err)
}
