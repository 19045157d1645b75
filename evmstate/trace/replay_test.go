package trace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/trace"
)

func TestTransactionSeesThoseBefore(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter, &failing, &counter, &caller)
	for index, want := range map[int]string{0: "0x01", 2: "0x02", 3: "0x03"} {
		raw, err := trace.Transaction(t.Context(), c, c.Head(), index, trace.Config{})
		require.NoError(t, err)
		result := fields(t, raw)
		require.Equal(t, false, result["failed"])
		require.Equal(t, common.HexToHash(want).Hex(), result["returnValue"])
		require.Equal(t, float64(c.Head().Receipts()[index].GasUsed), result["gas"])
	}
	raw, err := trace.Transaction(t.Context(), c, c.Head(), 1, trace.Config{})
	require.NoError(t, err)
	require.Equal(t, true, fields(t, raw)["failed"])
}

func TestTransactionSeesSystemCalls(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &beacon)
	raw, err := trace.Transaction(t.Context(), c, c.Head(), 0, trace.Config{})
	require.NoError(t, err)
	require.Equal(t, common.Hash{7}.Hex(), fields(t, raw)["returnValue"])
}

// unsealed is a draft as a block with the zero hash.
type unsealed struct{ *chain.Draft }

func (unsealed) Hash() common.Hash { return common.Hash{} }
func (unsealed) Load() error       { return nil }

// Ensure a block traces the same before it is sealed.
func TestUnsealedBlock(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter)
	draft := newDraft(t, c, &beacon, &counter, &logging, &failing, &logging)
	sealed, block, err := draft.Seal()
	require.NoError(t, err)
	config := trace.Config{Tracer: "callTracer", TracerConfig: json.RawMessage(`{"withLog":true}`)}
	want, err := trace.Block(t.Context(), sealed, block, config)
	require.NoError(t, err)
	have, err := trace.Block(t.Context(), c, unsealed{draft}, config)
	require.NoError(t, err)
	require.Equal(t, want, have)
	for i := range want {
		alone, err := trace.Transaction(t.Context(), c, unsealed{draft}, i, config)
		require.NoError(t, err)
		require.JSONEq(t, string(want[i].Result), string(alone))
	}
	_, err = trace.Transaction(t.Context(), c, unsealed{draft}, 5, config)
	require.EqualError(t, err, "transaction index 5 out of range: the block has 5 transactions")
}

// Ensure the logs of a trace are numbered as in the block.
func TestLogIndexRunsOverTheBlock(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &logging, &failing, &logging)
	config := trace.Config{Tracer: "callTracer", TracerConfig: json.RawMessage(`{"withLog":true}`)}
	indices := func(raw json.RawMessage) []string {
		var result struct {
			Logs []struct{ Index string }
		}
		require.NoError(t, json.Unmarshal(raw, &result))
		require.Len(t, result.Logs, 2)
		return []string{result.Logs[0].Index, result.Logs[1].Index}
	}
	alone, err := trace.Transaction(t.Context(), c, c.Head(), 2, config)
	require.NoError(t, err)
	require.Equal(t, []string{"0x2", "0x3"}, indices(alone))
	block, err := trace.Block(t.Context(), c, c.Head(), config)
	require.NoError(t, err)
	require.Equal(t, []string{"0x0", "0x1"}, indices(block[0].Result))
	require.Equal(t, []string{"0x2", "0x3"}, indices(block[2].Result))
}

func TestBlock(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter, &failing, &caller)
	for _, name := range []string{"", "callTracer", "prestateTracer", jsOps} {
		cfg := trace.Config{Tracer: name}
		results, err := trace.Block(t.Context(), c, c.Head(), cfg)
		require.NoError(t, err)
		require.Len(t, results, 3)
		for i, r := range results {
			require.Equal(t, c.Head().Transactions()[i].Hash(), r.TxHash)
			require.Empty(t, r.Error)
			alone, err := trace.Transaction(t.Context(), c, c.Head(), i, cfg)
			require.NoError(t, err)
			require.JSONEq(t, string(alone), string(r.Result))
		}
	}
}

func TestBlockGoesOnAfterAFailedTrace(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter, &failing, &counter)
	results, err := trace.Block(t.Context(), c, c.Head(), trace.Config{Tracer: `{
		fault: function() {}, step: function() {},
		result: function(ctx) { if (ctx.error) { throw "no trace" }; return ctx.gasUsed },
	}`})
	require.NoError(t, err)
	gas := func(i int) string { return fmt.Sprint(c.Head().Receipts()[i].GasUsed) }
	require.JSONEq(t, gas(0), string(results[0].Result))
	require.Contains(t, results[1].Error, "no trace")
	require.Nil(t, results[1].Result)
	require.JSONEq(t, gas(2), string(results[2].Result))
	require.NotEqual(t, gas(0), gas(2), "the slot is no longer zero")
}

func TestOrphansAreTraced(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter)
	orphan := extend(t, c, &counter)
	reorged := extend(t, orphan.Truncate(1), &failing, &counter)
	for _, b := range []*chain.Block{orphan.Head(), reorged.Head()} {
		old, _ := reorged.BlockByHash(b.Hash())
		raw, err := trace.Transaction(t.Context(), reorged, old, len(old.Transactions())-1, trace.Config{})
		require.NoError(t, err)
		require.Equal(t, common.HexToHash("0x2").Hex(), fields(t, raw)["returnValue"])
	}
}

func TestUntraceable(t *testing.T) {
	t.Parallel()
	c := extend(t, extend(t, newChain(t, chain.Options{History: 2}, &counter)))
	_, err := trace.Block(t.Context(), c, c.BlockByNumber(0), trace.Config{})
	require.ErrorIs(t, err, trace.ErrGenesis)

	var pruned *chain.PrunedError
	_, err = trace.Transaction(t.Context(), c, c.BlockByNumber(1), 0, trace.Config{})
	require.ErrorAs(t, err, &pruned)
	require.Equal(t, uint64(0), pruned.Number)

	_, err = trace.Transaction(t.Context(), c, c.BlockByNumber(1), 1, trace.Config{})
	require.EqualError(t, err, "transaction index 1 out of range: the block has 1 transactions")
	_, err = trace.Transaction(t.Context(), c, c.BlockByNumber(1), -1, trace.Config{})
	require.EqualError(t, err, "transaction index -1 out of range: the block has 1 transactions")

	for name, cfg := range map[string]trace.Config{
		"unknown name":  {Tracer: "noSuchTracer"},
		"syntax error":  {Tracer: "{"},
		"wrong config":  {Tracer: "callTracer", TracerConfig: json.RawMessage(`{"onlyTopCall": 5}`)},
		"not a tracer":  {Tracer: "{}"},
		"mux of nobody": {Tracer: "muxTracer", TracerConfig: json.RawMessage(`{"nobody": {}}`)},
	} {
		c := newChain(t, chain.Options{}, &counter)
		_, err := trace.Transaction(t.Context(), c, c.Head(), 0, cfg)
		require.Error(t, err, name)
		_, err = trace.Block(t.Context(), c, c.Head(), cfg)
		require.Error(t, err, name)
	}
}

func TestTracingEnds(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter)
	forever := trace.Config{Timeout: 50 * time.Millisecond, Tracer: `{
		fault: function() {}, step: function() { while (true) {} }, result: function() { return null },
	}`}
	_, err := trace.Transaction(t.Context(), c, c.Head(), 0, forever)
	require.Equal(t, trace.ErrTimeout, err)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = trace.Transaction(ctx, c, c.Head(), 0, trace.Config{})
	require.Equal(t, context.Canceled, err)
	_, err = trace.Block(ctx, c, c.Head(), trace.Config{})
	require.Equal(t, context.Canceled, err)
}
