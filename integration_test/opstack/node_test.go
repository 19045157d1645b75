package opstack

import (
	"context"
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum-optimism/optimism/op-node/rollup"
	"github.com/ethereum-optimism/optimism/op-service/client"
	"github.com/ethereum-optimism/optimism/op-service/sources"
	"github.com/ethereum/go-ethereum/accounts/abi/bind"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/log"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"
)

// program is the node under test. It is a process: its go-ethereum is not that of the OP stack.
var program = flag.String("node", "../../dist/fakenode", "the fakenode to test")

// startLimit is how long the node may take to serve.
const startLimit = 30 * time.Second

// pair is a running node with an L1, whose blocks come on command, and the OP stack's clients of both chains.
type pair struct {
	*testing.T
	ctx    context.Context
	l1, l2 *rpc.Client
	config *rollup.Config
	origin *sources.L1Client
	chain  *sources.L2Client
	node   *sources.RollupClient
	// onL1 and onL2 are what one account pays its transactions by.
	onL1, onL2 *bind.TransactOpts
}

// start runs a node with flags beside those of a pair.
func start(t *testing.T, flags ...string) *pair {
	t.Helper()
	out := filepath.Join(t.TempDir(), "config.json")
	process := exec.Command(*program, append([]string{"--port", "0", "--quiet", "--l1", "--seal", "manual", "--config-out", out}, flags...)...)
	process.Stderr = os.Stderr
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		_ = process.Process.Signal(syscall.SIGTERM)
		_ = process.Wait()
	})
	var config struct {
		Main, L1 struct{ URL string }
		Accounts []struct{ PrivateKey hexutil.Bytes }
	}
	for began := time.Now(); config.L1.URL == ""; time.Sleep(time.Millisecond) {
		require.Less(t, time.Since(began), startLimit)
		if text, err := os.ReadFile(out); err == nil {
			_ = json.Unmarshal(text, &config) // half a file is read again
		}
	}
	p := &pair{T: t, ctx: t.Context()}
	quiet := log.NewLogger(slog.DiscardHandler)
	dial := func(url string) *rpc.Client {
		c, err := rpc.DialContext(p.ctx, url)
		require.NoError(t, err)
		t.Cleanup(c.Close)
		return c
	}
	p.l1, p.l2 = dial(config.L1.URL), dial(config.Main.URL)
	p.node = sources.NewRollupClient(client.NewBaseRPCClient(p.l2))
	var err error
	p.config, err = p.node.RollupConfig(p.ctx)
	require.NoError(t, err)
	p.origin, err = sources.NewL1Client(client.NewBaseRPCClient(p.l1), quiet, nil, sources.L1ClientDefaultConfig(p.config, false, sources.RPCKindStandard))
	require.NoError(t, err)
	p.chain, err = sources.NewL2Client(client.NewBaseRPCClient(p.l2), quiet, nil, sources.L2ClientDefaultConfig(p.config, false))
	require.NoError(t, err)
	key, err := crypto.ToECDSA(config.Accounts[0].PrivateKey)
	require.NoError(t, err)
	p.onL1, err = bind.NewKeyedTransactorWithChainID(key, p.config.L1ChainID)
	require.NoError(t, err)
	p.onL2, err = bind.NewKeyedTransactorWithChainID(key, p.config.L2ChainID)
	require.NoError(t, err)
	return p
}

// call makes a call that answers with nothing that matters.
func (p *pair) call(c *rpc.Client, method string, params ...any) {
	p.Helper()
	require.NoError(p, c.CallContext(p.ctx, nil, method, params...), method)
}

// seal makes a block of the L1, with the blocks of the L2 that come before the one after it.
func (p *pair) seal() { p.call(p.l1, "fakenode_seal") }

// mined returns the receipt of a transaction that is in a block.
func (p *pair) mined(c *rpc.Client, tx *types.Transaction) *types.Receipt {
	p.Helper()
	receipt, err := ethclient.NewClient(c).TransactionReceipt(p.ctx, tx.Hash())
	require.NoError(p, err)
	return receipt
}
