package eventlog_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/eventlog"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
)

// held is a handler whose first line waits until it may be written.
type held struct {
	slog.Handler
	once   sync.Once
	begun  chan struct{}
	goOn   chan struct{}
	blocks atomic.Int32 // lines of blocks so far
}

func holding(out *bytes.Buffer) *held {
	return &held{Handler: withoutTime(out, slog.LevelInfo), begun: make(chan struct{}), goOn: make(chan struct{})}
}

func (h *held) Handle(ctx context.Context, record slog.Record) error {
	h.once.Do(func() {
		close(h.begun)
		<-h.goOn
	})
	err := h.Handler.Handle(ctx, record)
	if record.Message == "block" {
		h.blocks.Add(1)
	}
	return err
}

// Ensure a log that cannot follow says that events are missing and goes on with what comes, without a reorg or
// transactions of before.
func TestGap(t *testing.T) {
	t.Parallel()
	l := start(t, slog.LevelError)
	var out bytes.Buffer
	slow := holding(&out)
	writer := eventlog.Start(l.Timeline, slog.New(slow), nil)
	first, err := l.Seal(1)
	require.NoError(t, err)
	<-slow.begun
	for range 67_000 {
		_, err = l.Preconfirm()
		require.NoError(t, err)
	}
	receiver := fixtures.Dev(1).Address
	pending := l.transact(&receiver, nil)
	_, err = l.Preconfirm()
	require.NoError(t, err)
	before := l.Moment().Latest().Number()
	close(slow.goOn)
	for slow.blocks.Load() < 1_026 { // a block that comes before the log reads on is missing, too
		_, err = l.Seal(1)
		require.NoError(t, err)
	}
	writer.Close()
	require.Contains(t, out.String(), "hash="+first[0].Hex())
	const gap = "level=WARN msg=\"events are missing in the log\" err=\"reader is too slow: its buffer of events is full\"\n"
	require.Equal(t, 1, strings.Count(out.String(), gap))
	_, after, _ := strings.Cut(out.String(), gap)
	require.NotContains(t, after, "reorg")
	require.NotContains(t, after, pending.Hex())
	var number uint64
	_, err = fmt.Sscanf(after, "level=INFO msg=block number=%d ", &number)
	require.NoError(t, err, after)
	require.Greater(t, number, before)
}

// Ensure a warning says why the outcome of a capture depends on the variant of the token, whether it settled or not.
func TestTokenNote(t *testing.T) {
	t.Parallel()
	for variant, want := range map[tokencontract.Variant]string{
		tokencontract.Strict: " refused this capture, ", tokencontract.DocumentedFlow: " settled this capture ",
	} {
		node := fakenode.RunConfigT(t, fakenode.Config{Token: variant})
		var out bytes.Buffer
		writer := eventlog.Start(node.Timeline(), slog.New(withoutTime(&out, slog.LevelWarn)), nil)
		payee, token := node.Account(1), node.Token().Address()
		terms := fixtures.Authorization(node.Account(0), payee, fixtures.USD("25"), node.Now())
		signed := node.Account(0).Sign(node.Token().Domain(), terms.TransferMessage())
		hash, err := node.Transact(payee, fakenode.Tx{To: &token, Data: terms.PackReceive(signed), Gas: 500_000})
		require.NoError(t, err)
		node.Seal()
		writer.Close()
		require.Contains(t, out.String(), `level=WARN msg="token `+token.Hex()+want)
		require.True(t, strings.HasSuffix(out.String(), " transaction="+hash.Hex()+"\n"), out.String())
		require.Equal(t, 1, strings.Count(out.String(), "\n"))
	}
}

// Ensure a transaction that was pre-confirmed is logged again where a reorg brings it into another block.
func TestPendingOfAReorg(t *testing.T) {
	t.Parallel()
	l := start(t, slog.LevelInfo)
	_, err := l.Seal(1)
	require.NoError(t, err)
	receiver := fixtures.Dev(1).Address
	hash := l.transact(&receiver, nil)
	_, err = l.Preconfirm()
	require.NoError(t, err)
	into := [][]*types.Transaction{{l.Moment().Pending().Transaction(0).(*types.Transaction)}}
	_, err = l.Reorg(preconf.ReorgOptions{Depth: 1, Blocks: into})
	require.NoError(t, err)
	_, err = l.Seal(1)
	require.NoError(t, err)
	var seen []string
	for _, line := range l.lines() {
		if line["msg"] == "reorg" || line["hash"] == hash.Hex() {
			seen = append(seen, line["msg"].(string))
		}
	}
	require.Equal(t, []string{"transaction", "reorg", "transaction"}, seen)
}
