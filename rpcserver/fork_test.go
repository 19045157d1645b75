package rpcserver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/rpcserver"
)

// otherwise lists the answers of a fork that differ from the chain's under it, by chain and method, with the reason.
var otherwise = map[string]string{
	"osaka eth_capabilities":              "a fork does not know how far back the other node's states reach",
	"op eth_capabilities":                 "a fork does not know how far back the other node's states reach",
	"pow eth_capabilities":                "a fork does not know how far back the other node's states reach",
	"op eth_baseFee":                      "the next block is one of the fork, by Ethereum's rules",
	"op eth_gasPrice":                     "the next block is one of the fork, by Ethereum's rules",
	"op eth_feeHistory":                   "it ends with the next block, which is one of the fork, by Ethereum's rules",
	"op eth_config":                       "the next block is one of the fork, by Ethereum's rules",
	"op eth_maxPriorityFeePerGas":         "it is for the next block, which is one of the fork, by Ethereum's rules",
	"op eth_coinbase":                     "the next block is one of the fork, by Ethereum's rules",
	"op pimlico_getUserOperationGasPrice": "the next block is one of the fork, by Ethereum's rules",
}

// ownKeys gives a fork other development accounts than the chain under it, because a fork gives its accounts money.
const ownKeys = "legal winner thank year wave sausage worth useful legal winner thank yellow"

// Ensure a fork answers every question about blocks at and below the fork block as the chain under it does. A new
// method must be listed in questions or notAsked.
func TestForkAnswersAsTheChainUnderIt(t *testing.T) {
	t.Parallel()
	every := laboratory.Budget(t, 10, 1) // of the calls of a method, one of so many
	for name, start := range chainsToFork {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			under := start(t)
			fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: under.URL()}, Mnemonic: ownKeys})
			asked := subjectOf(t, under)
			for _, method := range rpcserver.ReadMethods() {
				ask, listed := questions[method]
				if _, excused := notAsked[method]; excused || !listed {
					require.True(t, excused, "%s: list its questions", method)
					continue
				}
				calls, differences := ask(asked), 0
				require.NotEmpty(t, calls, method)
				for i, parameters := range calls {
					if i%every != 0 && i != len(calls)-1 {
						continue
					}
					want, got := answerOf(under, method, parameters), answerOf(fork, method, parameters)
					if want == got {
						continue
					}
					if differences++; otherwise[name+" "+method] == "" {
						require.Equal(t, want, got, "%s %v", method, parameters)
					}
				}
				if every == 1 {
					require.Equal(t, otherwise[name+" "+method] != "", differences > 0, "%s: %d answers differ", method, differences)
				}
			}
		})
	}
}

// Ensure a filter over the fork block finds the logs on both sides of it.
func TestForkFilterLogs(t *testing.T) {
	t.Parallel()
	under := osakaChain(t)
	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: under.URL()}, Mnemonic: ownKeys})
	filter := map[string]any{"fromBlock": "earliest", "address": under.Token().Address()}
	logs := func(node *fakenode.Node) (found []types.Log) {
		var id hexutil.Uint64
		require.NoError(t, node.Client().Client().Call(&id, "eth_newFilter", filter))
		require.NoError(t, node.Client().Client().Call(&found, "eth_getFilterLogs", id))
		return found
	}
	below := logs(under)
	require.NotEmpty(t, below)
	require.Equal(t, below, logs(fork))
	fork.Token().Mint(common.Address{0xaa}, fixtures.USD("1"))
	fork.Token().Approve(fork.Account(0), common.Address{0xaa}, fixtures.USD("1"))
	both := logs(fork)
	require.Equal(t, below, both[:len(below)])
	require.Greater(t, len(both), len(below))
}

// subjectOf returns the values for parameters of questions about a node's chain.
func subjectOf(t *testing.T, node *fakenode.Node) *subject {
	t.Helper()
	c := node.Moment().Chain()
	s := &subject{
		blocks: []any{"earliest", "latest"}, hashes: []any{common.Hash{1}}, transactions: []any{common.Hash{1}},
		accounts: []any{node.Token().Address(), common.Address{0xaa}, common.Address{0xee}, fixtures.Dev(2).Address},
	}
	for n := range c.Head().Number() + 1 {
		b := c.BlockByNumber(n)
		s.blocks, s.hashes = append(s.blocks, hexutil.Uint64(n)), append(s.hashes, b.Hash())
		raw, err := rlp.EncodeToBytes(b)
		require.NoError(t, err)
		s.raw = append(s.raw, hexutil.Bytes(raw))
		for i, tx := range b.Transactions() {
			s.transactions = append(s.transactions, tx.Hash())
			if tx.To() == nil {
				s.created = append(s.created, b.Receipts()[i].ContractAddress)
			}
		}
	}
	from := fixtures.Dev(2)
	raw, err := types.MustSignNewTx(from.Key, node.Moment().Signer(), &types.LegacyTx{To: &common.Address{0xaa}, Gas: 50_000}).MarshalBinary()
	require.NoError(t, err)
	s.signed = raw
	return s
}

// answerOf returns the answer to a call, or the error, as canonical text.
func answerOf(node *fakenode.Node, method string, parameters []any) string {
	var answer any
	err := node.Client().Client().Call(&answer, method, parameters...)
	var failure rpc.Error
	if errors.As(err, &failure) {
		return fmt.Sprintf("error %d: %s", failure.ErrorCode(), failure)
	}
	if err != nil {
		return err.Error()
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// upTo is a server that answers as a node until it was asked a number of times, then with 403.
type upTo struct {
	*httptest.Server
	left atomic.Int64 // negative: it was asked more often
}

func newUpTo(t *testing.T, under *fakenode.Node) *upTo {
	t.Helper()
	node, err := url.Parse(under.URL())
	require.NoError(t, err)
	u, relay := new(upTo), httputil.NewSingleHostReverseProxy(node)
	u.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u.left.Add(-1) < 0 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		relay.ServeHTTP(w, r)
	}))
	t.Cleanup(u.Close)
	return u
}

// Ensure a fork whose other chain answers no more in the middle of a call says so, at whichever request that happens:
// no answer is made of what was read until then.
func TestForkStopsHalfway(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	chains, all := laboratory.Budget(t, 1, 2), laboratory.Open(laboratory.Long)
	for _, name := range []string{"osaka", "op"}[:chains] {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			under := chainsToFork[name](t)
			halfway := newUpTo(t, under)
			config := startedFork(t, under)
			answers, err := os.ReadFile(config.Fork.CacheFile)
			require.NoError(t, err)
			config.Fork.URL = halfway.URL
			// after returns the answer of a new fork whose chain answers so many times, and how often that was asked.
			after := func(most int64, method string, parameters []any) (got string, asked int64) {
				require.NoError(t, os.WriteFile(config.Fork.CacheFile, answers, 0o600))
				halfway.left.Store(1_000) // the fork compares the chains' ids
				fork, err := fakenode.New(config)
				require.NoError(t, err)
				halfway.left.Store(most)
				got = answerOf(fork, method, parameters)
				asked = most - halfway.left.Load()
				require.NoError(t, fork.Close())
				return got, asked
			}

			subject, kinds := subjectOf(t, under), make(map[int64]bool)
			for _, method := range rpcserver.ReadMethods() {
				if questions[method] == nil || otherwise[name+" "+method] != "" {
					continue
				}
				calls := questions[method](subject)
				parameters := calls[len(calls)-1]
				got, needed := after(1_000, method, parameters)
				require.Equal(t, answerOf(under, method, parameters), got, "%s %v", method, parameters)
				tried := map[int64]bool{needed / 2: true}
				if all {
					tried = map[int64]bool{0: true, 1: true, 2: true, needed / 2: true, needed - 1: true}
				}
				for _, most := range slices.Sorted(maps.Keys(tried)) {
					if most < 0 || most >= needed {
						continue
					}
					got, asked := after(most, method, parameters)
					require.Contains(t, got, "answered HTTP 403", "%s %v, answered %d times", method, parameters, most)
					require.Greater(t, asked, most)
				}
				kinds[needed] = true
			}
			require.Greater(t, len(kinds), 5, "calls that ask the chain more or less often")
		})
	}
}

// startedFork returns the settings of a fork of a node whose file holds only the answers needed to start it.
func startedFork(t *testing.T, under *fakenode.Node) fakenode.Config {
	t.Helper()
	config := fakenode.Config{Mnemonic: ownKeys, Fork: &fakenode.Fork{
		URL: under.URL(), CacheFile: filepath.Join(t.TempDir(), "fork.jsonl"), Logger: slog.New(slog.DiscardHandler),
	}}
	online, err := fakenode.New(config)
	require.NoError(t, err)
	require.NoError(t, online.Close())
	return config
}
