package rpcserver_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// newCaller starts a network whose internal errors fail the test.
func newCaller(t testing.TB, profile api.Behaviour, noPreconf bool, source rand.Source) *caller {
	t.Helper()
	n := servertest.New(t, preconf.Config{NoPreconf: noPreconf}, rpcserver.Config{
		Settings: api.Settings{Behaviour: profile}, Limits: api.Limits{JournalSize: 10},
		Log: errorsFail(t),
	})
	return &caller{Network: n, Rand: rand.New(source), handmade: make(map[common.Hash]bool)}
}

// step makes one call and returns it, with its answer.
func (c *caller) step(method string) (request, answer []byte) {
	params := make([]any, 0, 4)
	kinds, known := paramKinds[method]
	if !known {
		kinds = []string{anything, anything, anything}
	}
	for _, kind := range kinds {
		if bounded[method] || c.IntN(12) > 0 || len(params) == 0 {
			params = append(params, c.value(kind))
		}
	}
	spoilt := c.IntN(5) == 0 && !bounded[method]
	if spoilt {
		params = c.spoil(params).([]any)
	}
	body := must(json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
	if spoilt && c.IntN(8) == 0 { // broken anywhere
		if at := c.IntN(len(body)); body[at] > ' ' && bytes.Index(body, []byte(`"id"`))+4 < at {
			body[at] = byte(c.IntN(256))
		}
	}
	answer = c.Server.Call(c.Context(), world.Main, body)
	return body, answer
}

// bounded methods get no extreme values: they may take as long as their parameters ask.
var bounded = map[string]bool{"fakenode_seal": true, "anvil_mine": true, "hardhat_mine": true, "evm_mine": true, "evm_mine_detailed": true, "anvil_mine_detailed": true,
	"fakenode_reorg": true, "fakenode_flashblockFault": true, "fakenode_advance": true, "eth_sendRawTransactionSync": true, "eth_sendTransactionSync": true, "fakenode_setFault": true}

// checkAnswer reports an answer that is not valid by itself.
func checkAnswer(answer []byte) error {
	var wire struct {
		Version string           `json:"jsonrpc"`
		ID      json.RawMessage  `json:"id"`
		Result  *json.RawMessage `json:"result"`
		Error   *jsonrpc.Error   `json:"error"`
	}
	decoder := json.NewDecoder(bytes.NewReader(answer))
	decoder.DisallowUnknownFields()
	switch err := decoder.Decode(&wire); {
	case err != nil:
		return fmt.Errorf("no valid answer: %w", err)
	case wire.Version != "2.0" || wire.ID == nil:
		return fmt.Errorf("no version or id")
	case wire.Error != nil && wire.Result != nil:
		return fmt.Errorf("result and error")
	case wire.Error != nil && (wire.Error.Code == 0 || wire.Error.Message == "" || wire.Error.Message == "internal error"):
		return fmt.Errorf("error %d %q", wire.Error.Code, wire.Error.Message)
	}
	return nil
}

// play makes calls, checks every answer, and the whole node now and then. It returns requests and answers.
func (c *caller) play(steps int) (transcript []string) {
	names := sortedKeys(rpcserver.Methods)
	control := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !strings.HasPrefix(name, "fakenode_") })
	sending := []string{"eth_sendRawTransaction", "eth_sendTransaction"}
	for i := range steps {
		from := pick(c, names, names, names, control, sending)
		method := pick(c, from...)
		if strings.HasSuffix(method, "_reset") && c.IntN(8) > 0 {
			continue
		}
		request, answer := c.step(method)
		require.NoError(c, checkAnswer(answer), "step %d: %s\nanswer: %.500s", i, request, answer)
		var result struct{ Result json.RawMessage }
		require.NoError(c, json.Unmarshal(answer, &result))
		c.edited(method, answer)
		if method != "fakenode_calls" && !strings.HasSuffix(method, "_metadata") { // whose answers are of the run
			c.remember(method, result.Result)
			transcript = append(transcript, string(request), string(answer))
		}
		if c.Failed() {
			c.Fatalf("step %d: %.2000s", i, request)
		}
		if i%20 == 0 || i == steps-1 {
			require.NoError(c, c.checkNode(), "step %d: %.2000s", i, request)
		}
	}
	return transcript
}

// After a few thousand calls of any method a node still answers and is consistent, and the same calls get the same
// answers. In the quick set there are fewer.
func TestRandomCalls(t *testing.T) {
	t.Parallel()
	steps, seeds := laboratory.Budget(t, 100, 500), laboratory.Budget[uint64](t, 1, 2)
	for _, profile := range []api.Behaviour{{}, persona.Geth.Wire} {
		for _, noPreconf := range []bool{false, true} {
			for seed := range seeds {
				t.Run(fmt.Sprintf("profile %s, no preconf %t, seed %d", profile.ProfileName(), noPreconf, seed), func(t *testing.T) {
					t.Parallel()
					first := newCaller(t, profile, noPreconf, rand.NewPCG(seed, 1)).play(steps)
					again := newCaller(t, profile, noPreconf, rand.NewPCG(seed, 1)).play(steps)
					for i := range first {
						require.Equal(t, first[i], again[i], "step %d", i)
					}
				})
			}
		}
	}
}

// choices is a source of randomness that a fuzzer writes, and that goes on at random after its end.
type choices struct {
	written []byte
	rest    rand.Source
}

func (c *choices) Uint64() uint64 {
	if len(c.written) == 0 {
		return c.rest.Uint64()
	}
	first := c.written[0]
	c.written = c.written[1:]
	return uint64(first)<<56 | uint64(first)<<24 // callers use the high bits of 64 or of 32
}

// FuzzRPC lets the fuzzer choose the calls.
func FuzzRPC(f *testing.F) {
	f.Add([]byte{}, byte(0))
	f.Add([]byte("sealing and reorganizing"), byte(1))
	f.Fuzz(func(t *testing.T, written []byte, config byte) {
		source := &choices{written[:min(len(written), 2000)], rand.NewPCG(uint64(len(written)), 2)}
		newCaller(t, []api.Behaviour{{}, persona.Geth.Wire}[config&1], config&2 != 0, source).play(60)
	})
}

// edited notes that the state of the head no longer fits its header.
func (c *caller) edited(method string, answer []byte) {
	if strings.Contains(string(answer), `"error"`) {
		return
	}
	for _, word := range []string{"setBalance", "addBalance", "setCode", "setNonce", "setStorage", "setAccount", "deal", "setERC20", "loadState", "delegate"} {
		if strings.Contains(method, word) {
			c.handmade[c.Timeline.Moment().Latest().Hash()] = true
			c.rewound = c.rewound || strings.Contains(method, "Nonce") || strings.Contains(method, "loadState")
		}
	}
}

// checkNode reports inconsistencies of a node.
func (c *caller) checkNode() error {
	m := c.Timeline.Moment()
	if err := c.checkChain(m); err != nil {
		return err
	}
	if err := c.checkLogs(m); err != nil {
		return err
	}
	return c.checkPool(m)
}

func (c *caller) checkChain(m *preconf.Moment) error {
	parent := m.Chain().BlockByNumber(0)
	for n := uint64(1); n <= m.Latest().Number(); n++ {
		b := m.Chain().BlockByNumber(n)
		h := b.Header()
		body := b.Body()
		switch {
		case b.Hash() != types.CopyHeader(h).Hash() || body.Hash() != b.Hash():
			return fmt.Errorf("block %d: hash is not that of the header", n)
		case h.ParentHash != parent.Hash() || h.Number.Uint64() != n:
			return fmt.Errorf("block %d: not the child of the block before", n)
		case h.Time < parent.Time():
			return fmt.Errorf("block %d: time %d after %d", n, h.Time, parent.Time())
		case types.DeriveSha(b.Transactions(), trie.NewStackTrie(nil)) != h.TxHash:
			return fmt.Errorf("block %d: transactions are not those of the header", n)
		case types.DeriveSha(evmstate.Receipts{Transactions: b.Transactions(), List: b.Receipts()}, trie.NewStackTrie(nil)) != h.ReceiptHash:
			return fmt.Errorf("block %d: receipts are not those of the header", n)
		}
		if at, canonical := m.Chain().BlockByHash(b.Hash()); at != b || !canonical {
			return fmt.Errorf("block %d is not found by its hash", n)
		}
		for i, tx := range b.Transactions() {
			if found, err := m.Find(tx.Hash()); err != nil || !found.Executed() || found.View.Number() != n || found.Index != i {
				if c.rewound {
					continue
				}
				return fmt.Errorf("transaction %d of block %d is not found", i, n)
			}
		}
		state, err := m.Chain().StateAt(b)
		var pruned *chain.PrunedError
		switch {
		case errors.As(err, &pruned):
			parent = b
			continue
		case err != nil:
			return err
		}
		if !c.handmade[b.Hash()] && state.Root() != h.Root {
			return fmt.Errorf("block %d: state root %s, header %s", n, state.Root(), h.Root)
		}
		parent = b
	}
	if m.Now().Unix() < int64(parent.Time()) && m.Mode() != control.Instant {
		return fmt.Errorf("clock %d is before the head's time %d", m.Now().Unix(), parent.Time())
	}
	for _, v := range []*preconf.View{m.Latest(), m.Pending()} {
		state, err := v.State()
		if err != nil {
			return err
		}
		if anew := evmstate.StateFromAlloc(state.Alloc()); anew.Root() != state.Root() {
			return fmt.Errorf("state root of block %d is %s, made anew %s", v.Number(), state.Root(), anew.Root())
		}
	}
	return nil
}

// checkLogs compares eth_getLogs with all receipts.
func (c *caller) checkLogs(m *preconf.Moment) error {
	var want []string
	note := func(receipts types.Receipts, number uint64) {
		index := 0
		for _, r := range receipts {
			for _, l := range r.Logs {
				want = append(want, fmt.Sprintf("%#x %s %#x %#x", number, l.TxHash, index, l.BlockTimestamp))
				index++
			}
		}
	}
	for n := uint64(0); n <= m.Latest().Number(); n++ {
		note(m.Chain().BlockByNumber(n).Receipts(), n)
	}
	for _, v := range m.PendingBlocks() {
		note(v.Receipts(), v.Number())
	}
	raw, failure := c.Try("eth_getLogs", map[string]any{"fromBlock": "0x0", "toBlock": "pending"})
	if failure != nil {
		return failure
	}
	var logs []struct{ BlockNumber, TransactionHash, LogIndex, BlockTimestamp string }
	if err := json.Unmarshal(raw, &logs); err != nil {
		return err
	}
	if len(logs) != len(want) {
		return fmt.Errorf("%d logs, the receipts have %d", len(logs), len(want))
	}
	for i, l := range logs {
		if have := strings.Join([]string{l.BlockNumber, l.TransactionHash, l.LogIndex, l.BlockTimestamp}, " "); have != want[i] {
			return fmt.Errorf("log %d is %s, the receipt has %s", i, have, want[i])
		}
	}
	return nil
}

// checkPool: each transaction is in one place, and none is behind its sender's nonce.
func (c *caller) checkPool(m *preconf.Moment) error {
	state, err := m.Pending().State()
	if err != nil {
		return err
	}
	for _, pooled := range m.Pool() {
		tx := pooled.Tx
		if tx.Nonce() < state.Nonce(pooled.From) {
			return fmt.Errorf("transaction %s with nonce %d waits, %s is at %d", tx.Hash(), tx.Nonce(), pooled.From, state.Nonce(pooled.From))
		}
		if found, err := m.Find(tx.Hash()); err != nil || !found.Present() || found.View != nil && !c.rewound {
			return fmt.Errorf("transaction %s is in the pool and not found there", tx.Hash())
		}
	}
	return nil
}

// failingWriter fails the test with each text written to it.
type failingWriter struct{ testing.TB }

func (w failingWriter) Write(p []byte) (int, error) {
	w.Errorf("logged: %s", p)
	return len(p), nil
}

// errorsFail returns a log whose errors fail the test: internal ones are all there is.
func errorsFail(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(failingWriter{t}, &slog.HandlerOptions{Level: slog.LevelError}))
}
