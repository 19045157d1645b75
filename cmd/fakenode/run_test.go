package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// process is the program running inside the test.
type process struct {
	url    string
	before string // on stdout, the lines before the one with the address
	stdout *bufio.Reader
	stderr bytes.Buffer // to be read after end
	stop   context.CancelFunc
	exited chan int
}

// start runs the program until it serves.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	return startIn(t, nil, args...)
}

// startIn is start with variables.
func startIn(t *testing.T, environ []string, args ...string) *process {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	p := &process{stdout: bufio.NewReader(out), stop: stop, exited: make(chan int, 1)}
	go func() {
		code := run(ctx, append(slices.Clone(args), "--port", "0"), environ, in, &p.stderr)
		in.Close()
		p.exited <- code
	}()
	t.Cleanup(stop)
	var address string
	for found := false; !found; {
		line, err := p.stdout.ReadString('\n')
		require.NoError(t, err, "no line with the address: %s", &p.stderr)
		if address, found = strings.CutPrefix(strings.TrimSpace(line), "Listening on "); !found {
			p.before += line
		}
	}
	require.Regexp(t, `^127\.0\.0\.1:\d+$`, address)
	p.url = "http://" + address
	return p
}

// Ensure a node that other machines can reach prints once what they reach, and not on stderr, because tools take a line
// there as the end of the node. A node on loopback prints nothing.
func TestWideHostWarns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		want string
	}{
		{args: []string{"--host", "localhost"}},
		{args: []string{"--host", "127.0.0.1"}},
		{args: []string{"--host", "0.0.0.0"}, want: "the control methods"},
		{args: []string{"--host", "0.0.0.0", "--no-control"}, want: "accounts that sign for anybody"},
	} {
		p := start(t, test.args...)
		said := p.end(t)
		require.Empty(t, p.stderr.String())
		if test.want == "" {
			require.NotContains(t, said, "warning", test.args)
			continue
		}
		require.Equal(t, 1, strings.Count(said, "warning: on --host 0.0.0.0"), test.args)
		require.Contains(t, said, test.want)
	}
}

// dial connects to the main network.
func (p *process) dial(t *testing.T) *ethclient.Client {
	t.Helper()
	client, err := ethclient.Dial(p.url)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// end stops the program as a signal does, and returns the rest of its output.
func (p *process) end(t *testing.T) string {
	t.Helper()
	p.stop()
	rest, err := io.ReadAll(p.stdout)
	require.NoError(t, err)
	require.Equal(t, exitOK, <-p.exited)
	return p.before + string(rest)
}

func TestServesUntilSignal(t *testing.T) {
	t.Parallel()
	p := start(t, "--preset", "base-flashblocks")
	client := p.dial(t)
	id, err := client.ChainID(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(8453), id.Uint64())
	testnet, err := ethclient.Dial(p.url + "/testnet")
	require.NoError(t, err)
	defer testnet.Close()
	id, err = testnet.ChainID(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(84532), id.Uint64())

	banner := p.end(t)
	for _, line := range []string{
		"chain 8453", "chain 84532", "block 2s", "pending 200ms",
		"token 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
		"never use them elsewhere",
		"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266  0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
		"\n17 more: --print-keys\n",
	} {
		require.Contains(t, banner, line)
	}
	banner = start(t, "--print-keys").end(t)
	require.Contains(t, banner, "\naccount 19  0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199  0xdf57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e\n")
	require.NotContains(t, banner, "more:")
}

// Ensure a node that starts, answers, rejects and stops writes nothing to stderr, in every mode: runners of tests take
// any line there for a failure.
func TestNothingOnStderr(t *testing.T) {
	t.Parallel()
	for _, seal := range []string{"interval", "instant", "manual"} {
		p := start(t, "--seal", seal, "--block-time", "10ms", "--flashblock-time", "5ms", "--auto-impersonate")
		client := p.dial(t).Client()
		transaction := map[string]string{"from": "0x00000000000000000000000000000000000000aa", "to": "0x00000000000000000000000000000000000000bb"}
		require.NoError(t, client.Call(nil, "anvil_setBalance", transaction["from"], "0xde0b6b3a7640000"))
		require.NoError(t, client.Call(nil, "eth_sendTransaction", transaction), "--auto-impersonate")
		require.NoError(t, client.Call(nil, "fakenode_seal", 3))
		require.NoError(t, client.Call(nil, "fakenode_reorg", map[string]int{"depth": 1}))
		require.Error(t, client.Call(nil, "eth_getBalance", "nobody"))
		require.Error(t, client.Call(nil, "eth_unknown"))
		p.end(t)
		require.Empty(t, p.stderr.String(), seal)
	}
}

// Ensure --preset anvil behaves as users of anvil and hardhat expect, prints its flags, and yields to flags on the
// command line.
func TestPresetAnvil(t *testing.T) {
	t.Parallel()
	p := start(t, "--preset", "anvil")
	client := p.dial(t)
	id, err := client.ChainID(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(31337), id.Uint64())
	var version string
	require.NoError(t, client.Client().Call(&version, "web3_clientVersion"))
	require.Equal(t, "anvil/v1.7.1", version)
	// 3 ether of fee are above geth's cap; the block is there when the send returns.
	object := map[string]string{"to": "0x00000000000000000000000000000000000000bb", "gas": "0x5208", "gasPrice": "0x81f0a1c26a00"}
	object["from"] = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
	require.NoError(t, client.Client().Call(nil, "eth_sendTransaction", object))
	object["gas"], object["gasPrice"] = "0x1c9c380", "0x77359400" // 30,000,000, over the limit of EIP-7825
	require.NoError(t, client.Client().Call(nil, "eth_sendTransaction", object))
	number, err := client.BlockNumber(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(2), number)
	err = client.Client().Call(nil, "eth_call", map[string]string{"data": "0x60006000fd"}, "latest")
	require.Equal(t, 3, err.(rpc.Error).ErrorCode()) // as live clients have it
	require.Contains(t, p.end(t), "preset anvil: --compat geth --seal instant --console-log\n")

	o, err := serving().parse([]string{"--preset", "anvil", "--chain-id", "7", "--block-time", "1"}, []string{"FAKENODE_FEE_CAP=2"})
	require.NoError(t, err)
	require.Equal(t, fakenode.Interval, o.config.Mode)
	require.Equal(t, uint64(7), o.config.ChainID)
	require.Equal(t, fixtures.Ether("2"), o.config.Limits.FeeCap)
	_, err = serving().parse([]string{"--preset", "hardhat"}, []string{"FAKENODE_COMPAT=spec"})
	require.EqualError(t, err, "--compat spec does not go with --preset hardhat, which answers as live clients do")
}

// Ensure blocks come by the wall clock where a preset's users ask for that after --no-mining.
func TestPresetAnvilMinesAtIntervals(t *testing.T) {
	t.Parallel()
	p := start(t, "--preset", "anvil", "--no-mining", "--quiet")
	client := p.dial(t)
	heads := make(chan *types.Header)
	socket, err := ethclient.Dial("ws" + strings.TrimPrefix(p.url, "http"))
	require.NoError(t, err)
	defer socket.Close()
	subscription, err := socket.SubscribeNewHead(t.Context(), heads)
	require.NoError(t, err)
	defer subscription.Unsubscribe()
	require.NoError(t, client.Client().Call(nil, "evm_setIntervalMining", 1))
	select {
	case head := <-heads:
		require.Equal(t, uint64(1), head.Number.Uint64())
	case <-time.After(time.Minute):
		require.Fail(t, "no block came")
	}
	p.end(t)
	require.Empty(t, p.stderr.String())
}

func TestQuietPrintsOnlyTheAddress(t *testing.T) {
	t.Parallel()
	require.Empty(t, start(t, "--quiet").end(t))
}

// Ensure one node imports the export of another, to the same head.
func TestExportImport(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	p := start(t, "--seal", "manual", "--export", directory)
	client := p.dial(t)
	require.NoError(t, client.Client().Call(nil, "fakenode_seal", 5))
	head, err := client.HeaderByNumber(t.Context(), nil)
	require.NoError(t, err)
	p.end(t)

	again := start(t, "--seal", "manual", "--genesis", filepath.Join(directory, "genesis.json"), "--import", filepath.Join(directory, "chain.rlp"))
	second := again.dial(t)
	got, err := second.HeaderByNumber(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, head.Hash(), got.Hash())
	require.Equal(t, uint64(5), got.Number.Uint64())
}

// Ensure a node that makes blocks within a second imports them again, with --state and --import, and warns that others
// will not.
func TestBlocksOfEqualTime(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	state := filepath.Join(directory, "state.json")
	fast := []string{"--seal", "manual", "--block-time", "100ms"}
	p := start(t, append(fast, "--state", state, "--export", directory)...)
	client := p.dial(t)
	require.NoError(t, client.Client().Call(nil, "fakenode_seal", 5))
	head, err := client.HeaderByNumber(t.Context(), nil)
	require.NoError(t, err)
	p.end(t)
	require.Contains(t, p.stderr.String(), "other clients will not import "+directory+": block ")

	files := []string{"--genesis", filepath.Join(directory, "genesis.json"), "--import", filepath.Join(directory, "chain.rlp")}
	for _, args := range [][]string{{"--seal", "manual", "--state", state}, append(fast, files...)} {
		again := start(t, args...)
		second := again.dial(t)
		got, err := second.HeaderByNumber(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, head.Hash(), got.Hash())
		again.end(t)
		require.Empty(t, again.stderr.String())
	}
	var stderr bytes.Buffer
	require.Equal(t, exitUsage, run(t.Context(), files, nil, io.Discard, &stderr))
	require.Contains(t, stderr.String(), "timestamp")
}

// Ensure no files are touched except the named ones.
func TestNeighboursStay(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	file := filepath.Join(directory, "node.json")
	require.NoError(t, os.WriteFile(file+".new", []byte("precious"), 0o600))
	start(t, "--config-out", file, "--seal", "manual").end(t)
	text, err := os.ReadFile(file + ".new")
	require.NoError(t, err)
	require.Equal(t, "precious", string(text))
	entries, err := os.ReadDir(directory)
	require.NoError(t, err)
	require.Len(t, entries, 2)
}

// Ensure the other files are still written if one cannot be.
func TestExportWithoutState(t *testing.T) {
	t.Parallel()
	directory, gone := t.TempDir(), filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(gone, 0o700))
	p := start(t, "--state", filepath.Join(gone, "state.json"), "--export", directory)
	require.NoError(t, os.RemoveAll(gone))
	p.stop()
	_, err := io.Copy(io.Discard, p.stdout)
	require.NoError(t, err)
	require.Equal(t, exitError, <-p.exited)
	require.Contains(t, p.stderr.String(), "state.json")
	require.FileExists(t, filepath.Join(directory, "chain.rlp"))
}

// Ensure a fault on the command line yields one clear line, without words of Go's, and exit code 2: which flag, what
// was given, and what is wanted.
func TestUsageErrors(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "genesis.json")
	require.NoError(t, os.WriteFile(broken, []byte("{"), 0o600))
	blocked := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(blocked, "chain.rlp"), 0o700))
	wrong := filepath.Join(t.TempDir(), "wrong.json")
	require.NoError(t, os.WriteFile(wrong, []byte(`{"alloc":5}`), 0o600))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	_, taken, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	empty := filepath.Join(t.TempDir(), "empty.json")
	require.NoError(t, os.WriteFile(empty, []byte(`{"version":1}`), 0o600))
	for _, tc := range []struct {
		args    []string
		environ []string
		want    string
	}{
		{args: []string{"--nonsense"}, want: "nonsense"},
		{args: []string{"serve"}, want: `unexpected argument "serve"`},
		{args: []string{"exam", "shop:3000"}, want: "exam shop:3000: want a URL such as http://127.0.0.1:3000/exam"},
		{args: []string{"exam", "--quiet"}, want: "exam: want fakenode exam URL"},
		{args: []string{"exam", "--kinds", "an L1's bridge", "http://127.0.0.1:1"}, want: `no story of an exam is of "an L1's bridge": they are of pre-confirmations; `},
		{args: []string{"--port", "70000"}, want: "port 70000 is outside 0 to 65535"},
		{args: []string{"--port", "abc"}, want: `invalid value "abc" for flag --port: want a whole number`},
		{args: []string{"--chain-id", "0x7a69x"}, want: `invalid value "0x7a69x" for flag --chain-id: want a whole number below 2^64`},
		{args: []string{"--gas-limit", "99999999999999999999"}, want: `invalid value "99999999999999999999" for flag --gas-limit: want a whole number below 2^64`},
		{args: []string{"--quiet=maybe"}, want: `invalid boolean value "maybe" for --quiet: want true or false`},
		{args: []string{"--propose-every", "6"}, want: `invalid value "6" for flag --propose-every: want a time with its unit, such as 2s or 200ms`},
		{args: []string{"--game", "x"}, want: `invalid value "x" for flag --game: want a whole number`},
		{args: []string{"--state", ""}, want: "for flag --state: want a value that is not empty"},
		{args: []string{"--fork-url", ""}, want: "for flag --fork-url: want a URL"},
		{args: []string{"--replica-seed", "3"}, want: "--replica-lag and --replica-seed need --replicas"},
		{args: []string{"--game", "8"}, want: "--withdrawal-delay need --l1"},
		{args: []string{"--no-preconf", "--preconf", "rise"}, want: "do not go with --no-preconf"},
		{args: []string{"--no-send-sync", "--send-sync", "geth"}, want: "--send-sync does not go with --no-send-sync"},
		{args: []string{"--no-bundler", "--bundler-rules", "loose"}, want: "--bundler-rules does not go with --no-bundler"},
		{args: []string{"--no-control", "--auto-worlds"}, want: "do not go with --no-control or --worlds 0"},
		{args: []string{"--worlds", "0", "--world-ttl", "1h"}, want: "do not go with --no-control or --worlds 0"},
		{args: []string{"--no-preconf", "--flashblock-time", "1s"}, want: "do not go with --no-preconf"},
		{args: []string{"--no-preconf", "--pending-lag", "1"}, want: "do not go with --no-preconf"},
		{args: []string{"--contracts", "none", "--x402-assets", "--preset", "base"}, want: "--x402-assets does not go with --contracts none"},
		{args: []string{"--recover", empty}, want: "--recover needs --state: a new file"},
		{args: []string{"health", "127.0.0.1:8545"}, want: "health 127.0.0.1:8545: want a URL such as http://127.0.0.1:8545"},
		{args: []string{"--port", taken}, want: "--port: listen tcp 127.0.0.1:" + taken + ": bind: "},
		{args: []string{"--seal", "sometimes"}, want: "interval or instant or manual"},
		{args: []string{"--compat", "hardhat"}, want: "spec or geth"},
		{args: []string{"--hardfork", "tomorrow"}, want: `unknown hard fork "tomorrow"`},
		{args: []string{"--flashblock-time", "2"}, want: `invalid value "2" for flag --flashblock-time: want a time with its unit, such as 2s or 200ms`},
		{args: []string{"--block-time", "0"}, want: "want a time above 0, such as 2s or 200ms"},
		{args: []string{"completion", "tcsh"}, want: "completion: want bash or fish or zsh"},
		{args: []string{"replay"}, want: "replay: want fakenode replay FILE"},
		{args: []string{"health", "--port", "1"}, want: "unknown flag --port"},
		{args: []string{"replay", "x.rec", "--chain-id", "1"}, want: "unknown flag --chain-id"},
		{args: []string{"check", "x.rec", "--state", "x"}, want: "unknown flag --state"},
		{args: []string{"--replay", "x.rec"}, want: "unknown flag --replay: did you mean fakenode replay FILE?"},
		{args: []string{"--quiet", "check", "x.rec"}, want: `unexpected argument "check": a command comes first, as fakenode check`},
		{args: []string{"version", "1"}, want: `unexpected argument "1"`},
		{args: []string{"help", "me"}, want: `help: there is no command "me"`},
		{args: []string{"--ipc"}, want: "--ipc: HTTP and WebSocket share --port, there is no IPC endpoint"},
		{args: []string{"--network", "tempo"}, want: "--network: the rules are those of ethereum or optimism"},
		{args: []string{"--slots-in-an-epoch", "many"}, want: "--slots-in-an-epoch: want a whole number"},
		{args: []string{"--init"}, want: "flag needs an argument: --init"},
		{args: []string{"--block-time", "0s"}, want: "want a time above 0"},
		{args: []string{"--flashblock-time", "-1s"}, want: "want a time above 0"},
		{args: []string{"--base-fee", "0x"}, want: "want a whole number below 2^256"},
		{args: []string{"--max-batch", "-1"}, want: "limit of the batch is -1"},
		{args: []string{"--blok-time", "2s"}, want: "unknown flag --blok-time: did you mean --block-time?"},
		{args: []string{"--no-minning"}, want: "did you mean --no-mining?"},
		{args: []string{"--bundler=maybe"}, want: `--bundler: "maybe" is neither true nor false`},
		{args: []string{"--frobnicate=1"}, want: "unknown flag --frobnicate: --help lists them"},
		{args: []string{"--accounts"}, want: "flag needs an argument: --accounts"},
		{args: []string{"--log-level", "trace"}, want: "want debug, info, warn or error"},
		{args: []string{"--block-time", "1us"}, want: "block time 1µs is not between 1ms and"},
		{args: []string{"--mnemonic", "one two"}, want: "mnemonic"},
		{args: []string{"--balance", "lots"}, want: "balance"},
		{args: []string{"--start-time", "noon"}, want: "Unix seconds"},
		{args: []string{"--genesis", filepath.Join(t.TempDir(), "absent.json")}, want: "--genesis: open "},
		{args: []string{"--genesis", broken}, want: "--genesis: " + broken + ": it ends before its JSON does"},
		{args: []string{"--genesis", wrong}, want: "--genesis: " + wrong + ": alloc is of the wrong kind (number)"},
		{args: []string{"--predeploy", broken}, want: "--predeploy: " + broken + ": predeploys: it ends before its JSON does"},
		{args: []string{"--chain", broken}, want: "--chain: " + broken + ": chain: no JSON: unexpected EOF"},
		{args: []string{"--import", wrong}, want: "import: block 1: "},
		{args: []string{"--load-state", wrong}, want: "--load-state: " + wrong + ": dump: it has no accounts"},
		{args: []string{"explore", "http://127.0.0.1:1", "--replay", broken}, want: broken + ": no schedule: it ends before its JSON does"},
		{args: []string{"--state", filepath.Join(t.TempDir(), "absent", "state.json")}, want: "--state: open "},
		{args: []string{"--config-out", filepath.Join(t.TempDir(), "absent", "node.json")}, want: "--config-out: open "},
		{args: []string{"--config-out", t.TempDir()}, want: "is a directory"},
		{args: []string{"--export", broken}, want: "not a directory"},
		{args: []string{"--export", blocked}, want: "chain.rlp is a directory"},
		{args: []string{"--state", empty}, want: "empty.json is JSON, not a state file"},
		{environ: []string{"FAKENODE_PORT=x"}, want: "variable FAKENODE_PORT"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitUsage, run(t.Context(), tc.args, tc.environ, &stdout, &stderr), "%v", tc.args)
		require.Contains(t, stderr.String(), tc.want)
		require.NotRegexp(t, `parse error|strconv|[^.]json: |cannot unmarshal|invalid syntax|math/big|core\.`, stderr.String())
		require.Equal(t, 1, strings.Count(stderr.String(), "\n"), "%q", &stderr)
		require.Empty(t, stdout.String())
	}
}

// flagValues has a value other than the default for every flag.
var flagValues = map[string]string{
	"host": "localhost", "port": "1", "preset": "base-flashblocks", "chain": "../../internal/persona/testdata/ink.toml", "chain-out": "c", "chain-id": "7", "seal": "manual", "block-time": "3s", "equal-timestamps": "true", "flashblock-time": "1s",
	"genesis": "g", "import": "i", "export": "e", "compat": "geth", "hardfork": "prague", "accounts": "3", "mnemonic": "m", "balance": "5",
	"genesis-number": "4", "x402-assets": "true", "gas-limit": "6", "base-fee": "0x7", "fee-denominator": "50", "fee-elasticity": "3", "min-base-fee": "9",
	"order": "fees", "start-time": "2020-01-01T00:00:00Z", "history": "8", "safe-lag": "9",
	"finalized-lag": "10", "logs-max-range": "11", "logs-max-results": "12", "pending-lag": "13", "replicas": "2", "replica-lag": "1+jitter:300ms", "replica-seed": "7", "token": "documented", "contracts": "standard", "predeploy": "p", "load-state": "l", "dump-state": "d",
	"allow-host": "a, b", "artifacts": "a", "allow-origin": "*", "no-preconf": "true", "no-send-sync": "true", "allow-unprotected-txs": "true", "no-bundler": "true", "bundler-rules": "loose", "l1": "true", "l1-distance": "2", "l1-block-time": "6s", "propose-every": "1m", "game": "8", "withdrawal-delay": "1m", "no-control": "true", "state": "s", "config-out": "c",
	"logs-timeout": "1s", "gas-cap": "1", "call-timeout": "1s", "max-body": "1", "max-message": "1", "max-batch": "1",
	"max-filters": "1", "filter-timeout": "1s", "subscriber-buffer": "1", "subscribers-memory": "1", "max-answer": "1", "journal-size": "-1", "log-level": "debug", "estimate-margin": "20", "log-format": "json", "flashblocks-brotli": "true", "flashblocks-metadata": "full", "pprof": "true", "provider": "infura", "rules": "op", "preconf": "pending", "send-sync": "eip7966", "socket-idle": "40s", "quiet": "true", "version": "true", "exit-with-stdin": "true", "console-log": "true", "print-keys": "true", "print-traces": "true",
	"auto-impersonate": "true", "client-version": "v", "fee-cap": "2", "code-size-limit": "0x7000", "tx-gas-limit": "30000000", "reserve-balance": "10",
	"fork-url": "u", "fork-block": "1", "fork-cache": "c", "fork-offline": "true", "fork-header": "A: b", "fork-timeout": "1s",
	"fork-retries": "1", "fork-rps": "1", "prune-unused": "true", "worlds": "0", "world-ttl": "1h", "worlds-per-owner": "3", "auto-worlds": "true", "record": "r", "recover": "r",
}

// Ensure every flag has a variable that does the same, and that a flag wins over it.
func TestVariables(t *testing.T) {
	t.Parallel()
	none, err := serving().parse(nil, []string{"HOME=/"})
	require.NoError(t, err)
	require.Equal(t, fakenode.Config{
		Mode: fakenode.Interval, RealClock: true, Mnemonic: fixtures.DevMnemonic, Host: "127.0.0.1", Port: 8545,
		Fork: new(fakenode.Fork), L1: new(fakenode.L1Config),
	}, none.config)
	for name, value := range flagValues {
		byFlag, err := serving().parse([]string{"--" + name + "=" + value}, nil)
		require.NoError(t, err, name)
		require.NotEqual(t, none, byFlag, name)
		variable := "FAKENODE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "="
		byVariable, err := serving().parse(nil, []string{variable + value})
		require.NoError(t, err, name)
		require.Equal(t, byFlag, byVariable, name)
		both, err := serving().parse([]string{"--" + name + "=" + value}, []string{variable + "nonsense"})
		require.NoError(t, err, name)
		require.Equal(t, byFlag, both, name)
	}
	o, err := serving().parse([]string{"--allow-host", "a, b", "--allow-host", "c"}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c"}, o.config.Allow.Hosts)
}

// Ensure a variable that is no flag's is named, and not on stderr.
func TestMistypedVariable(t *testing.T) {
	t.Parallel()
	p := startIn(t, []string{"FAKENODE_BLOCK_TIEM=1s", "FAKENODE_BINARY=/fakenode", "FAKENODE_SEAL=manual", "HOME=/"}, "--quiet")
	require.Equal(t, "warning: the variable FAKENODE_BLOCK_TIEM is no flag's: did you mean FAKENODE_BLOCK_TIME?\n", p.end(t))
	require.Empty(t, p.stderr.String())
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), []string{"--help"}, nil, &stdout, &stderr))
	for _, shown := range regexp.MustCompile(`\n  --([a-z0-9-]+)`).FindAllStringSubmatch(stdout.String(), -1) {
		require.Contains(t, flagValues, shown[1], "flagValues of this file has no value for --%s", shown[1])
	}
	for name := range flagValues {
		require.Contains(t, stdout.String(), "\n  --"+name)
	}
	require.Contains(t, stdout.String(), "\n\nBlocks and time:\n  --block-time value\n")
	require.Contains(t, stdout.String(), "anvil and hardhat set --compat geth --seal instant")
	for _, name := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(preamble, -1) {
		require.Contains(t, flagValues, name[1])
	}
	require.NotContains(t, stdout.String(), ") (default") // none has two
	help := stdout.String()
	stdout.Reset()
	require.Equal(t, exitOK, run(t.Context(), []string{"help"}, nil, &stdout, &stderr))
	require.Equal(t, help, stdout.String())
	for _, c := range otherCommands() {
		require.Contains(t, help, "\n  fakenode "+c.name)
		for _, args := range [][]string{{"help", c.name}, {c.name, "--help"}} {
			stdout.Reset()
			require.Equal(t, exitOK, run(t.Context(), args, nil, &stdout, &stderr))
			require.Contains(t, stdout.String(), "Usage: fakenode "+c.name)
			require.Contains(t, stdout.String(), c.about)
		}
	}
	for _, argument := range []string{"--version", "version"} {
		stdout.Reset()
		require.Equal(t, exitOK, run(t.Context(), []string{argument}, nil, &stdout, &stderr))
		require.Contains(t, stdout.String(), "fakenode/")
	}
	require.Empty(t, stderr.String())
}
