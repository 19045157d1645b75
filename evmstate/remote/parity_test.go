package remote_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure a fork of each node does everything, asks for each thing once, and does it again to the byte from its cache
// file when the node is gone; and that two runs without a file write equal files.
func TestFork(t *testing.T) {
	t.Parallel()
	for name := range upstreams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := startUpstream(t, name)
			g := newGateway(t, u.url)
			directory := t.TempDir()
			files := []string{filepath.Join(directory, "first.jsonl"), filepath.Join(directory, "second.jsonl")}
			var written [][]byte
			var answers [][]string
			var head uint64 // geth may make empty blocks, too, also between the runs
			block := "latest"
			for _, file := range files {
				s := runFork(t, fakenode.Fork{URL: g.URL + "/v1/secret-key", CacheFile: file, Block: block})
				s.play(u)
				head = s.node.Fork().Number()
				block = fmt.Sprint(head)
				require.NoError(t, s.node.Close())
				content, err := os.ReadFile(file)
				require.NoError(t, err)
				written, answers = append(written, content), append(answers, s.answers)
			}
			require.Equal(t, answers[0], answers[1])
			require.Equal(t, string(written[0]), string(written[1]))
			require.NotContains(t, string(written[0]), "secret-key")
			for call, times := range g.askedOnce(head) {
				require.LessOrEqual(t, times, 2, "each run asks once: %s", call)
			}

			u.stop()
			g.Close()
			for _, fork := range []fakenode.Fork{
				{CacheFile: files[0]},
				{CacheFile: files[0], Offline: true, URL: u.url},
			} {
				s := runFork(t, fork)
				s.play(u)
				require.Equal(t, answers[0], s.answers)
				require.Empty(t, s.node.Fork().Misses())
				require.Zero(t, s.node.Fork().Requests())
				require.NoError(t, s.node.Close())
			}
			content, err := os.ReadFile(files[0])
			require.NoError(t, err)
			require.Equal(t, written[0], content, "offline leaves the file as it was")
		})
	}
}

// Ensure 64 clients that meet a cold cache at once make each request once.
func TestForkSharesRequests(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	g := newGateway(t, u.url)
	s := runFork(t, fakenode.Fork{URL: g.URL})
	start := make(chan struct{})
	var clients sync.WaitGroup
	errs := make(chan error, 64)
	for range 64 {
		clients.Go(func() {
			<-start
			for _, holder := range []common.Address{u.holder, {0xaa}, {0xbb}} {
				err := s.client.Call(nil, "eth_call", map[string]any{"to": u.token, "data": pack(t, "balanceOf", holder)}, "latest")
				if err == nil {
					err = s.client.Call(nil, "eth_getBlockByNumber", "0x2", true)
				}
				if err != nil {
					errs <- err
				}
			}
		})
	}
	close(start)
	clients.Wait()
	require.Empty(t, errs)
	for call, times := range g.askedOnce(s.node.Fork().Number()) {
		require.Equal(t, 1, times, call)
	}
}

// Ensure a fork gets its answers from a node that fails every third request or limits the rate.
func TestForkOfFlakyNode(t *testing.T) {
	t.Parallel()
	spoils := map[string]func(n int, w http.ResponseWriter, r *http.Request) bool{
		"fails every third": func(n int, w http.ResponseWriter, _ *http.Request) bool {
			if n%3 == 0 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return n%3 == 0
		},
		"limits the rate": func(n int, w http.ResponseWriter, _ *http.Request) bool {
			switch {
			case n%4 == 1:
				w.WriteHeader(http.StatusTooManyRequests)
			case n%4 == 2:
				fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"daily request count exceeded, request rate limited"}}`)
			default:
				return false
			}
			return true
		},
	}
	for name, spoil := range spoils {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := startUpstream(t, "fakenode")
			g := newGateway(t, u.url)
			g.spoiled(spoil)
			s := runFork(t, fakenode.Fork{URL: g.URL})
			s.readState(u)
			s.pay(u, true)
		})
	}
}

// Ensure a node that is gone is an error of the calls that need it and of no other: nothing is sealed on a guess, and
// what is known goes on. When the node is back, so are the answers.
func TestForkOfNodeThatGoes(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	g := newGateway(t, u.url)
	var log bytes.Buffer
	fork := fakenode.Fork{
		URL: g.URL + "/v1/secret-key", Headers: []string{"Authorization: Bearer secret-token"}, Retries: -1,
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}
	s := runFork(t, fork)
	g.spoiled(func(_ int, w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, r.URL.Path, r.Header.Get("Authorization"))
		return true
	})
	needs := func(method string, params ...any) {
		t.Helper()
		err := s.client.Call(nil, method, params...)
		require.Error(t, err, method)
		require.Contains(t, err.Error(), "fork: ")
		require.Contains(t, err.Error(), "answered HTTP 500")
		require.NotContains(t, err.Error(), "secret")
	}
	transfer := map[string]any{"from": s.node.Account(0).Address, "to": u.token, "data": pack(t, "transfer", common.Address{5}, fixtures.USD("1").ToBig())}
	needs("eth_getBalance", u.token, "latest")
	needs("eth_call", map[string]any{"to": u.token, "data": pack(t, "balanceOf", u.holder)}, "latest")
	needs("eth_sendTransaction", transfer)
	needs("eth_getBlockByNumber", "0x1", false)
	needs("eth_getBlockByNumber", "latest", true) // the fork block's transactions
	needs("eth_getLogs", map[string]any{"fromBlock": "0x1"})
	needs("eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{transfer}}}}, "latest")
	needs("eth_estimateGas", transfer)
	needs("anvil_setBalance", u.token, "0x1")

	s.ask(nil, "eth_sendTransaction", map[string]any{"from": s.node.Account(0).Address, "to": s.node.Account(1).Address, "value": "0x1"})
	s.ask(nil, "fakenode_seal", 3)
	require.Equal(t, s.node.Fork().Number()+3, s.node.BlockNumber())
	require.Len(t, s.node.Moment().Chain().BlockByNumber(s.node.Fork().Number()+1).Transactions(), 1)

	g.spoiled(nil)
	s.ask(nil, "eth_sendTransaction", transfer)
	s.ask(nil, "fakenode_seal")
	require.Len(t, s.node.Moment().Latest().Transactions(), 1)
	require.NotContains(t, log.String(), "secret")
}

// Ensure a node that takes its time to answer holds up the transaction that needs it, and nobody else, however the
// transaction is sent.
func TestForkOfSlowNode(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	data := pack(t, "transfer", common.Address{5}, fixtures.USD("1").ToBig())
	object := func(s *session, more map[string]any) map[string]any {
		o := map[string]any{"from": s.node.Account(0).Address, "to": u.token, "data": hexutil.Bytes(data)}
		maps.Copy(o, more)
		return o
	}
	gas := map[string]any{"gas": "0x186a0"}
	next := func(s *session) uint64 { return s.node.Moment().PoolNonce(s.node.Account(0).Address) }
	for name, send := range map[string]func(*session) error{
		"eth_sendRawTransaction": func(s *session) error {
			raw, err := types.MustSignNewTx(s.node.Account(0).Key, s.node.Moment().Signer(), &types.LegacyTx{
				Nonce: next(s), To: &u.token, Gas: 100_000, GasPrice: big.NewInt(1e11), Data: data,
			}).MarshalBinary()
			require.NoError(t, err)
			return s.client.Call(nil, "eth_sendRawTransaction", hexutil.Bytes(raw))
		},
		"eth_sendTransaction": func(s *session) error { return s.client.Call(nil, "eth_sendTransaction", object(s, gas)) },
		"eth_sendTransaction, nonce": func(s *session) error {
			return s.client.Call(nil, "eth_sendTransaction", object(s, map[string]any{"gas": "0x186a0", "nonce": hexutil.Uint64(next(s))}))
		},
		"eth_sendTransaction, estimated": func(s *session) error { return s.client.Call(nil, "eth_sendTransaction", object(s, nil)) },
		"eth_sendTransaction, deploy": func(s *session) error { // its code reads the balance of an account
			return s.client.Call(nil, "eth_sendTransaction", map[string]any{"from": s.node.Account(0).Address, "gas": "0x186a0", "data": "0x734200000000000000000000000000000000000abc3100"})
		},
		"eth_sendTransactionSync":     func(s *session) error { return s.client.Call(nil, "eth_sendTransactionSync", object(s, gas)) },
		"eth_sendUnsignedTransaction": func(s *session) error { return s.client.Call(nil, "eth_sendUnsignedTransaction", object(s, gas)) },
		"Transact": func(s *session) error {
			_, err := s.node.Transact(s.node.Account(0), fakenode.Tx{To: &u.token, Data: data})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGateway(t, u.url)
			node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant, Fork: &fakenode.Fork{URL: g.URL, Timeout: time.Hour}})
			s := &session{t: t, node: node, client: dial(t, node)}
			s.ask(nil, "eth_sendTransaction", map[string]any{"from": node.Account(0).Address, "to": node.Account(1).Address})
			before := node.BlockNumber()

			asked, answer := make(chan struct{}, 100), make(chan struct{})
			g.spoiled(func(int, http.ResponseWriter, *http.Request) bool {
				asked <- struct{}{}
				<-answer
				return false
			})
			sent := make(chan error, 1)
			go func() { sent <- send(s) }()
			select {
			case <-asked:
			case err := <-sent:
				require.Fail(t, "the transaction needs nothing of the slow node", err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			err := s.client.CallContext(ctx, nil, "fakenode_seal")
			close(answer)
			require.NoError(t, err)
			require.NoError(t, <-sent)
			require.Equal(t, before+2, node.BlockNumber())
		})
	}
}

// Ensure an offline fork names what its file lacks, in the answer and in fakenode_forkMisses.
func TestForkMisses(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	file := filepath.Join(t.TempDir(), "fork.jsonl")
	s := runFork(t, fakenode.Fork{URL: u.url, CacheFile: file})
	s.ask(nil, "eth_getCode", u.token, "latest")
	base := s.node.Fork().Number()
	require.NoError(t, s.node.Close())

	s = runFork(t, fakenode.Fork{CacheFile: file, Offline: true})
	slot := tokencontract.MappingSlot(tokencontract.SlotBalances, u.holder)
	missing := fmt.Sprintf("storage %s of %s at block %d", slot, hexutil.Encode(u.token[:]), base)
	err := s.client.Call(nil, "eth_getStorageAt", u.token, slot, "latest")
	require.EqualError(t, err, "not in the fork cache: "+missing)
	require.Equal(t, -32000, err.(rpc.Error).ErrorCode())
	var misses []string
	s.ask(&misses, "fakenode_forkMisses")
	require.Equal(t, []string{missing}, misses)
}

// Ensure what cannot be forked is one clear line, without the key.
func TestForkRefused(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	other := startUpstream(t, "fakenode")
	otherFile := filepath.Join(t.TempDir(), "other.jsonl")
	s := runFork(t, fakenode.Fork{URL: other.url, CacheFile: otherFile, Block: "2"})
	require.NoError(t, s.node.Close())
	nonsense := newGateway(t, u.url)
	nonsense.spoiled(func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		fmt.Fprint(w, "<html>secret-key</html>")
		return true
	})
	broken := filepath.Join(t.TempDir(), "broken.jsonl")
	require.NoError(t, os.WriteFile(broken, []byte("{\"chainId\":\"0x1\",\"fork\":{\"hash\":\"0x"+strings.Repeat("11", 32)+"\",\"number\":\"0x1\"}}\nnot json\n"), 0o600))
	for name, c := range map[string]struct {
		fork  fakenode.Fork
		wants string
	}{
		"gone":           {fakenode.Fork{URL: "http://127.0.0.1:1/secret-key", Retries: -1}, "cannot be reached"},
		"nonsense":       {fakenode.Fork{URL: nonsense.URL + "/secret-key"}, "no JSON-RPC"},
		"unknown number": {fakenode.Fork{URL: u.url, Block: "0xffffff"}, "has no block 0xffffff"},
		"unknown hash":   {fakenode.Fork{URL: u.url, Block: common.Hash{1}.Hex()}, "has no block 0x01"},
		"no block":       {fakenode.Fork{URL: u.url, Block: "newest"}, `"newest" is not a number`},
		"other block":    {fakenode.Fork{URL: other.url, Block: "3", CacheFile: otherFile}, "cache " + otherFile + " is of block 2"},
		"broken file":    {fakenode.Fork{URL: u.url, CacheFile: broken}, "cache " + broken + ", line 2"},
		"other chain":    {fakenode.Fork{URL: other.url + "/testnet", CacheFile: otherFile}, "cache " + otherFile + " is of chain id 31337"},
		"no file":        {fakenode.Fork{URL: u.url, Offline: true, CacheFile: filepath.Join(t.TempDir(), "none")}, "does not exist"},
		"no URL":         {fakenode.Fork{URL: "localhost/secret-key"}, "the URL is not one"},
		"header":         {fakenode.Fork{URL: u.url, Headers: []string{"secret-key"}}, "header 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := fakenode.New(fakenode.Config{Fork: &c.fork})
			require.ErrorContains(t, err, c.wants)
			require.NotContains(t, err.Error(), "secret")
			require.NotContains(t, err.Error(), "\n")
		})
	}
}
