package integration_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/integration_test/parity"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// gethVersion is the version of go-ethereum that we are built of, whose answers the profile geth gives.
const gethVersion = "v1.17.10"

// gethProgram returns the path of geth, which is built where dist has none. The test is skipped where it cannot be had.
var gethProgram = sync.OnceValues(func() (string, error) {
	dist, err := filepath.Abs("../dist")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dist, "geth")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	build := exec.Command("go", "install", "-pgo=off", "github.com/ethereum/go-ethereum/cmd/geth@"+gethVersion)
	build.Env = append(os.Environ(), "GOBIN="+dist, "GOFLAGS=-buildvcs=false", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// Ensure the profile geth answers as geth but for the rows of docs/maintainers/parity.md, and that geth still differs
// in each of them.
func TestParityGeth(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Geth)
	program, err := gethProgram()
	if err != nil {
		t.Skipf("geth %s cannot be had: %v", gethVersion, err)
	}
	// The genesis block is a minute old, so that each block can have a time after its parent's.
	genesis := fakenode.NewGenesis(parity.GethAccounts())
	genesis.Timestamp = uint64(time.Now().Add(-time.Minute).Unix())
	requireParity(t, parity.Geth(func(ctx context.Context) (ours, theirs string, stop func(), err error) {
		node, err := fakenode.New(fakenode.Config{
			Compat: fakenode.Geth, Genesis: genesis, RealClock: true, Mode: fakenode.Manual, FlashblockTime: fakenode.NoFlashblocks, Order: fakenode.Fees,
			BlockTime: time.Second, Logger: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			return "", "", nil, err
		}
		var genesis bytes.Buffer
		require.NoError(t, node.Timeline().Moment().Chain().ExportGenesis(&genesis))
		ours, stopOurs := run(ctx, node)
		node.Seal() // geth answers much of its transactions once it has a block
		url, stopTheirs := startGeth(t, program, genesis.Bytes())
		front := &gethFront{url: url, ours: ours}
		require.NoError(t, front.mine(t.Context()))
		awaitIndex(t, url)
		proxy := httptest.NewServer(front)
		return ours, proxy.URL, func() { proxy.Close(); stopTheirs(); stopOurs() }, nil
	}))
}

// startGeth starts geth on a free port and returns its URL, and a function that ends it and waits.
func startGeth(t *testing.T, program string, genesis []byte) (url string, stop func()) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "geth")
	require.NoError(t, err)
	file := filepath.Join(dir, "genesis.json")
	require.NoError(t, os.WriteFile(file, genesis, 0o600))
	out, err := exec.CommandContext(t.Context(), program, "init", "--datadir", dir, file).CombinedOutput()
	require.NoError(t, err, string(out))
	command := exec.CommandContext(t.Context(), program, "--datadir", dir, "--datadir.minfreedisk", "0", "--networkid", "31337", "--nodiscover", "--maxpeers", "0", "--port", "0",
		"--ipcdisable", "--authrpc.port", "0", "--http", "--http.port", "0", "--http.api", "eth,net,web3,txpool,debug,admin,testing", "--syncmode", "full",
		"--gcmode", "archive", "--cache", "64", "--txpool.nolocals", "--nat", "none", "--miner.pending.feeRecipient", fakenode.FeeRecipient.Hex(),
		"--miner.gasprice", "1")
	log, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	stop = func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		_ = os.RemoveAll(dir)
	}
	var said strings.Builder
	endpoint, engine := regexp.MustCompile(`HTTP server started\s+endpoint=(\S+)\s+auth=(\w+)`), ""
	for lines := bufio.NewScanner(log); lines.Scan() && (url == "" || engine == ""); {
		said.WriteString(lines.Text() + "\n")
		switch found := endpoint.FindStringSubmatch(lines.Text()); {
		case found != nil && found[2] == "true":
			engine = "http://" + found[1]
		case found != nil:
			url = "http://" + found[1]
		}
	}
	if url == "" || engine == "" {
		stop()
		require.Fail(t, "geth does not say where it listens", said.String())
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	chooseGenesis(t, url, engine, filepath.Join(dir, "geth", "jwtsecret"))
	return url, stop
}

// chooseGenesis tells geth that its genesis block is the head, safe and final.
func chooseGenesis(t *testing.T, url, engine, secretFile string) {
	t.Helper()
	text, err := os.ReadFile(secretFile)
	require.NoError(t, err)
	encode := base64.RawURLEncoding.EncodeToString
	token := encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode(fmt.Appendf(nil, `{"iat":%d}`, time.Now().Unix()))
	signature := hmac.New(sha256.New, common.FromHex(string(text)))
	signature.Write([]byte(token))
	consensus, err := rpc.DialOptions(t.Context(), engine, rpc.WithHeader("Authorization", "Bearer "+token+"."+encode(signature.Sum(nil))))
	require.NoError(t, err)
	defer consensus.Close()
	client, err := ethclient.Dial(url)
	require.NoError(t, err)
	defer client.Close()
	genesis, err := client.HeaderByNumber(t.Context(), new(big.Int))
	require.NoError(t, err)
	hash := genesis.Hash()
	var answer any
	require.NoError(t, consensus.Call(&answer, "engine_forkchoiceUpdatedV3", map[string]any{"headBlockHash": hash, "safeBlockHash": hash, "finalizedBlockHash": hash}, nil))
}

// awaitIndex waits until geth has indexed its first block.
func awaitIndex(t *testing.T, url string) {
	t.Helper()
	client, err := ethclient.Dial(url)
	require.NoError(t, err)
	defer client.Close()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		_, err := client.TransactionReceipt(t.Context(), common.Hash{1}) // an error while it indexes
		if errors.Is(err, ethereum.NotFound) {
			return
		}
		require.True(t, time.Now().Before(deadline), "%v", err)
	}
}

// gethFront stands in front of geth. It makes the blocks that our node has made when it is asked for evm_mine, and
// waits for what geth does later: its pool moves transactions after it answers, and its pending block may be up to two
// seconds old.
type gethFront struct {
	url, ours string
	stale     time.Time // until when geth's pending block may lack a transaction
}

func (f *gethFront) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request struct{ Method string }
	if err != nil || json.Unmarshal(body, &request) != nil {
		http.Error(w, "not JSON", http.StatusBadRequest)
		return
	}
	if request.Method == "evm_mine" {
		if err := f.mine(r.Context()); err != nil {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32099,"message":%q}}`, err.Error())
			return
		}
		f.stale = time.Time{}
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":"0x0"}`)
		return
	}
	if bytes.Contains(body, []byte(`"pending"`)) && request.Method != "eth_getTransactionCount" || request.Method == "eth_fillTransaction" {
		time.Sleep(time.Until(f.stale))
	}
	response, err := http.Post(f.url, "application/json", bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	if strings.HasPrefix(request.Method, "eth_sendRaw") && !bytes.Contains(answer, []byte(`"error"`)) {
		f.awaitPromotion(r.Context(), answer)
		f.stale = time.Now().Add(2*time.Second + 5*time.Millisecond)
	}
	_, _ = w.Write(answer)
}

// awaitPromotion waits until geth's pool has a transaction that it has taken among those that it can execute, or has
// had the time for it.
func (f *gethFront) awaitPromotion(ctx context.Context, sent []byte) {
	var hash struct{ Result string }
	client, err := rpc.DialContext(ctx, f.url)
	if err != nil || json.Unmarshal(sent, &hash) != nil {
		return
	}
	defer client.Close()
	for deadline := time.Now().Add(100 * time.Millisecond); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		var content struct{ Queued json.RawMessage }
		if client.CallContext(ctx, &content, "txpool_content") != nil || !bytes.Contains(content.Queued, []byte(hash.Result)) {
			return
		}
	}
}

// mine makes the blocks of our node that geth does not have yet, each of geth's pool.
func (f *gethFront) mine(ctx context.Context) error {
	ours, err := ethclient.DialContext(ctx, f.ours)
	if err != nil {
		return err
	}
	defer ours.Close()
	theirs, err := ethclient.DialContext(ctx, f.url)
	if err != nil {
		return err
	}
	defer theirs.Close()
	head, err := ours.BlockNumber(ctx)
	if err != nil {
		return err
	}
	for {
		number, err := theirs.BlockNumber(ctx)
		if err != nil || number >= head {
			return err
		}
		block, err := ours.HeaderByNumber(ctx, new(big.Int).SetUint64(number+1))
		if err != nil {
			return err
		}
		var hash common.Hash
		if err := theirs.Client().CallContext(ctx, &hash, "testing_commitBlockV1", map[string]any{
			"timestamp": hexutil.Uint64(block.Time), "prevRandao": block.MixDigest, "suggestedFeeRecipient": block.Coinbase,
			"withdrawals": types.Withdrawals{}, "parentBeaconBlockRoot": block.ParentBeaconRoot,
		}, nil, hexutil.Bytes(block.Extra)); err != nil {
			return err
		}
		if err := awaitPool(ctx, theirs.Client(), hash); err != nil {
			return err
		}
	}
}

// awaitPool waits until geth's pool is without the transactions of a block.
func awaitPool(ctx context.Context, client *rpc.Client, hash common.Hash) error {
	var block struct{ Transactions []string }
	if err := client.CallContext(ctx, &block, "eth_getBlockByHash", hash, false); err != nil {
		return err
	}
	for {
		var content json.RawMessage
		if err := client.CallContext(ctx, &content, "txpool_content"); err != nil {
			return err
		}
		if !slices.ContainsFunc(block.Transactions, func(tx string) bool { return bytes.Contains(content, []byte(tx)) }) {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
}
