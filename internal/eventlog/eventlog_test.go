package eventlog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/eventlog"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// speaker is a contract that reverts with its call data.
var speaker = common.HexToAddress("0xe000000000000000000000000000000000000001")

var signer = types.LatestSignerForChainID(big.NewInt(31337))

// logged is a timeline whose log is read at its end.
type logged struct {
	*testing.T
	*preconf.Timeline
	nonce  uint64
	buffer bytes.Buffer
	end    func() // of the log
}

// start starts a timeline on a manual clock that is logged from a level on.
func start(t *testing.T, level slog.Level) *logged {
	t.Helper()
	config, err := chain.ForkConfig("osaka", 31337)
	require.NoError(t, err)
	alloc := chain.SystemContracts(config)
	alloc[fixtures.Dev(0).Address] = types.Account{Balance: big.NewInt(1e18)}
	alloc[speaker] = types.Account{Code: common.FromHex("365f5f37365ffd"), Balance: new(big.Int)}
	begin := time.Unix(1_800_000_000, 0)
	c, err := chain.New(&chain.Genesis{
		Config: config, Alloc: alloc, GasLimit: 30_000_000, BaseFee: big.NewInt(1e9), Timestamp: uint64(begin.Unix()), Difficulty: new(big.Int),
	}, chain.Options{})
	require.NoError(t, err)
	l := &logged{T: t}
	l.Timeline, err = preconf.New(preconf.Config{Chain: c, Start: begin})
	require.NoError(t, err)
	l.end = follow(l.Timeline, slog.NewJSONHandler(&l.buffer, &slog.HandlerOptions{Level: level}))
	t.Cleanup(l.end)
	return l
}

// follow logs a timeline until end.
func follow(timeline *preconf.Timeline, to slog.Handler) (end func()) {
	return eventlog.NewLog(slog.New(to), nil, nil, nil).Begin(timeline, "main", "", "")
}

// transact sends a transaction of the funded account; a nil to creates a contract.
func (l *logged) transact(to *common.Address, data []byte) common.Hash {
	l.Helper()
	tx := types.MustSignNewTx(fixtures.Dev(0).Key, signer, &types.LegacyTx{Nonce: l.nonce, GasPrice: big.NewInt(2e9), Gas: 1_000_000, To: to, Data: data})
	l.nonce++
	require.NoError(l, l.Timeline.Send(tx))
	return tx.Hash()
}

// entry is a line of the log.
type entry map[string]any

// lines ends the log and returns its lines, oldest first.
func (l *logged) lines() []entry {
	l.Helper()
	l.end()
	var all []entry
	for line := range strings.Lines(l.buffer.String()) {
		var e entry
		require.NoError(l, json.Unmarshal([]byte(line), &e))
		delete(e, "time")
		delete(e, "network")
		all = append(all, e)
	}
	return all
}

// messages returns the messages of the lines.
func messages(lines []entry) (found []string) {
	for _, line := range lines {
		found = append(found, line["msg"].(string))
	}
	return found
}

// Ensure info has one line for each transaction, flashblock with transactions, block and reorg, in the order in which
// they happened, and that a transaction is logged once though it is pre-confirmed and then sealed.
func TestInfo(t *testing.T) {
	t.Parallel()
	l := start(t, slog.LevelInfo)
	receiver := fixtures.Dev(1).Address
	paid := l.transact(&receiver, nil)
	_, err := l.Preconfirm()
	require.NoError(t, err)
	_, err = l.Preconfirm() // empty: for debug
	require.NoError(t, err)
	created := l.transact(nil, common.FromHex("5f5ff3")) // executed when the block is sealed
	hashes, err := l.Seal(1)
	require.NoError(t, err)
	_, err = l.Reorg(control.ReorgOptions{Depth: 1})
	require.NoError(t, err)

	lines := l.lines()
	require.Equal(t, []string{"transaction", "flashblock"}, messages(lines[:2]))
	require.Equal(t, entry{"level": "INFO", "msg": "flashblock", "block": 1.0, "index": 0.0, "transactions": 1.0}, lines[1])
	first := slices.IndexFunc(lines, func(e entry) bool { return e["msg"] == "block" })
	require.Equal(t, entry{"level": "INFO", "msg": "block", "number": 1.0, "hash": hashes[0].Hex(), "transactions": 2.0, "gasUsed": lines[first]["gasUsed"]}, lines[first])
	reorged := slices.IndexFunc(lines, func(e entry) bool { return e["msg"] == "reorg" })
	require.Greater(t, reorged, first)
	require.Equal(t, 1.0, lines[reorged]["from"])
	require.Equal(t, hashes[0].Hex(), lines[reorged]["fromHash"])
	next := slices.IndexFunc(lines[reorged:], func(e entry) bool { return e["msg"] == "block" })
	require.Equal(t, lines[reorged+next]["hash"], lines[reorged]["toHash"])

	count := func(part []entry, hash common.Hash) (found []entry) {
		for _, e := range part {
			if e["msg"] == "transaction" && e["hash"] == hash.Hex() {
				found = append(found, e)
			}
		}
		return found
	}
	for _, part := range [][]entry{lines[:reorged], lines[reorged:]} { // once on each branch
		require.Len(t, count(part, paid), 1)
		require.Len(t, count(part, created), 1)
	}
	pay := count(lines, paid)[0]
	require.Equal(t, strings.ToLower(receiver.Hex()), strings.ToLower(pay["to"].(string)))
	require.Equal(t, 21_000.0, pay["gasUsed"])
	require.Equal(t, 0.0, pay["flashblock"])
	require.NotContains(t, pay, "err")
	require.Contains(t, count(lines, created)[0], "creates")
}

// Ensure a failed transaction is logged with why it failed, decoded, and cut where a contract says too much.
func TestReasons(t *testing.T) {
	t.Parallel()
	text := func(s string) []byte {
		kind, err := abi.NewType("string", "", nil)
		require.NoError(t, err)
		packed, err := abi.Arguments{{Type: kind}}.Pack(s)
		require.NoError(t, err)
		return append(common.FromHex("08c379a0"), packed...)
	}
	panicked := append(common.FromHex("4e487b71"), common.LeftPadBytes([]byte{0x11}, 32)...)
	l := start(t, slog.LevelInfo)
	l.transact(&speaker, text("authorization is expired"))
	l.transact(&speaker, panicked)
	l.transact(&speaker, nil)
	l.transact(&speaker, text(strings.Repeat("long ", 1000)))
	l.transact(nil, []byte{0xfe}) // an invalid instruction
	_, err := l.Seal(1)
	require.NoError(t, err)
	var reasons []string
	for _, e := range l.lines() {
		if e["msg"] == "transaction" {
			reasons = append(reasons, e["err"].(string))
		}
	}
	require.Len(t, reasons, 5)
	require.Equal(t, "execution reverted: authorization is expired", reasons[0])
	require.Contains(t, reasons[1], "arithmetic underflow or overflow")
	require.Equal(t, "execution reverted", reasons[2])
	require.Less(t, len(reasons[3]), 600)
	require.Contains(t, reasons[3], "… (50")
	require.Contains(t, strings.ToLower(reasons[4]), "instruction")
}

// Ensure debug also has the transactions that enter the pool and the empty flashblocks.
func TestDebug(t *testing.T) {
	t.Parallel()
	l := start(t, slog.LevelDebug)
	receiver := fixtures.Dev(1).Address
	hash := l.transact(&receiver, nil)
	_, err := l.Preconfirm()
	require.NoError(t, err)
	_, err = l.Preconfirm()
	require.NoError(t, err)
	lines := l.lines()
	require.Equal(t, []string{"pooled", "transaction", "flashblock", "flashblock"}, messages(lines))
	require.Equal(t, hash.Hex(), lines[0]["transaction"])
	require.Equal(t, "DEBUG", lines[3]["level"])
}

// Ensure pre-confirmed logs that are taken back are in the log.
func TestRetraction(t *testing.T) {
	t.Parallel()
	l := start(t, slog.LevelInfo)
	l.transact(nil, common.FromHex("5f5fa05f5fa0")) // two logs
	_, err := l.Preconfirm()
	require.NoError(t, err)
	_, err = l.FlashblockFault(control.FlashblockFault{Kind: control.DropFlashblocks, Count: 1, Retract: true})
	require.NoError(t, err)
	lines := l.lines()
	require.Equal(t, []string{"transaction", "flashblock", "pre-confirmed logs retracted", "flashblock fault"}, messages(lines))
	require.Equal(t, 2.0, lines[2]["logs"])
}

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

// WithAttrs leaves out the network.
func (h *held) WithAttrs([]slog.Attr) slog.Handler { return h }

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
	end := follow(l.Timeline, slow)
	first, err := l.Seal(1)
	require.NoError(t, err)
	<-slow.begun
	_, err = l.Preconfirm()
	require.NoError(t, err)
	for range 7 { // more than a reader's buffer holds
		_, err = l.FlashblockFault(control.FlashblockFault{Kind: control.DuplicateFlashblock, Count: 10_000})
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
	end()
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
