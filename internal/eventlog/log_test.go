package eventlog_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/eventlog"
)

// relay is the code of a contract that calls the console with its call data, and reverts if it was sent value.
var relay = common.FromHex("365f5f375f5f365f73000000000000000000636F6E736F6C652e6c6f675afa5034602857005b5f5ffd")

// said returns the call of console.log with a text.
func said(text string) []byte {
	data := append(crypto.Keccak256([]byte("log(string)"))[:4], common.LeftPadBytes([]byte{32}, 32)...)
	data = append(data, common.BigToHash(big.NewInt(int64(len(text)))).Bytes()...)
	return append(data, common.RightPadBytes([]byte(text), (len(text)+31)/32*32)...)
}

// named returns the artifacts of a contract of that code, whose ABI is given without the brackets.
func named(t *testing.T, name string, code []byte, abi string) *artifacts.Set {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".json")
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `{"abi":[%s],"bytecode":"0x","deployedBytecode":"%#x"}`, abi, code), 0o600))
	set, err := artifacts.Load([]string{path})
	require.NoError(t, err)
	return set
}

// withoutTime returns a handler that writes lines of text without their time.
func withoutTime(out *bytes.Buffer, level slog.Level) slog.Handler {
	return slog.NewTextHandler(out, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
}

// Ensure a network's log, console lines and traces have each transaction once, as a whole, with the names that its
// contract has, and not those of before they began.
func TestLog(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_800_000_000, 0)})
	payer, nobody := node.Account(0), common.HexToAddress("0x5712a9e5")
	teller := common.HexToAddress("0xc0ffee")
	node.SetCode(teller, relay)
	delegate := node.Account(1).Address
	node.Delegate(delegate, teller)
	send := func(to common.Address, data []byte) common.Hash {
		hash, err := node.Transact(payer, fakenode.Tx{To: &to, Data: data, Gas: 100_000})
		require.NoError(t, err)
		return hash
	}
	early := send(teller, said("before"))
	node.Preconfirm()

	var out bytes.Buffer
	var lines, traces []string
	log := eventlog.NewLog(slog.New(withoutTime(&out, slog.LevelInfo)), func(line string) { lines = append(lines, line) }, func(text string) { traces = append(traces, text) },
		named(t, "Teller", relay, `{"type":"function","name":"log","inputs":[{"name":"text","type":"string"}],"outputs":[]}`))
	require.True(t, log.Wanted())
	end := log.Begin(node.Timeline(), "main", "shop", "/w/shop")
	direct := send(teller, said("hello"))
	node.Preconfirm()
	delegated := send(delegate, said("by another"))
	stranger := send(nobody, said("to nobody"))
	node.Seal()
	end()
	log.Console()(said("of a call"))
	log.Traces()("trace of a call\n")
	log.Close()

	require.NotContains(t, out.String(), early.Hex())
	const level, network = "level=INFO msg=", " network=main world=shop"
	view := node.Moment().Latest()
	prints := func(text string, by common.Hash) string {
		return level + "console.log" + network + " line=" + text + " transaction=" + by.Hex() + "\n"
	}
	executes := func(hash common.Hash, to common.Address, rest string) string {
		receipt, err := node.Receipt(t.Context(), hash)
		require.NoError(t, err)
		return level + "transaction" + network + " hash=" + hash.Hex() + " from=" + payer.Address.Hex() + " to=" + to.Hex() + rest + fmt.Sprintf(" block=1 gasUsed=%d", receipt.GasUsed)
	}
	require.Equal(t, prints("hello", direct)+
		executes(direct, teller, ` contract=Teller call="log(text: \"hello\")"`)+" flashblock=1\n"+
		level+"flashblock"+network+" block=1 index=1 transactions=1\n"+
		prints(`"by another"`, delegated)+
		executes(delegated, delegate, ` delegate=`+teller.Hex()+` contract=Teller call="log(text: \"by another\")"`)+" flashblock=2\n"+
		executes(stranger, nobody, "")+" flashblock=2\n"+
		level+"flashblock"+network+" block=1 index=2 transactions=2\n"+
		level+"block"+network+fmt.Sprintf(" number=1 hash=%s transactions=4 gasUsed=%d\n", view.Hash(), view.GasUsed())+
		level+"console.log line=\"of a call\" call=eth_call\n", out.String())
	require.ElementsMatch(t, []string{"hello", "by another", "of a call"}, lines)
	require.Len(t, traces, 4)
	var titles []string
	for _, text := range traces {
		title, _, _ := strings.Cut(text, "\n")
		titles = append(titles, title)
	}
	require.ElementsMatch(t, []string{
		"transaction " + direct.Hex() + " in block 1 of /w/shop", "transaction " + delegated.Hex() + " in block 1 of /w/shop",
		"transaction " + stranger.Hex() + " in block 1 of /w/shop", "trace of a call",
	}, titles)
	require.Contains(t, strings.Join(traces, ""), `Teller.log(text: "hello")`)
}

// Ensure calls, events and console lines of more than 500 bytes are cut, and that a transaction shows its first 100
// events.
func TestLongLines(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]string{500: "() block=1 ", 501: "(… (501 bytes)\" block=1 "} {
		name := strings.Repeat("s", size-len("()"))
		code := program.New().Push0().Push0().Op(0xf3).Bytes()
		node := fakenode.RunT(t)
		target := common.HexToAddress("0xc0ffee")
		node.SetCode(target, code)
		var out bytes.Buffer
		log := eventlog.NewLog(slog.New(withoutTime(&out, slog.LevelInfo)), nil, nil, named(t, "A", code, `{"type":"function","name":"`+name+`","inputs":[],"outputs":[]}`))
		end := log.Begin(node.Timeline(), "main", "", "")
		_, err := node.Transact(node.Account(0), fakenode.Tx{To: &target, Data: crypto.Keccak256([]byte(name + "()"))[:4], Gas: 100_000})
		require.NoError(t, err)
		node.Seal()
		end()
		require.Contains(t, out.String(), name+want)
		require.NotContains(t, out.String(), "world=")
	}

	for events, want := range map[uint64]int{1: 1, 100: 100, 101: 100} {
		code := program.New()
		topic := crypto.Keccak256Hash([]byte("Ticked()"))
		for range events {
			code.Push(topic).Push0().Push0().Op(0xa1)
		}
		node := fakenode.RunT(t)
		clock := common.HexToAddress("0xc10c")
		node.SetCode(clock, code.Bytes())
		var out bytes.Buffer
		log := eventlog.NewLog(slog.New(withoutTime(&out, slog.LevelInfo)), nil, nil, named(t, "Clock", code.Bytes(), `{"type":"event","name":"Ticked","inputs":[]}`))
		end := log.Begin(node.Timeline(), "main", "", "")
		_, err := node.Transact(node.Account(0), fakenode.Tx{To: &clock, Gas: 1_000_000})
		require.NoError(t, err)
		node.Seal()
		end()
		require.Equal(t, want, strings.Count(out.String(), "Ticked()"))
	}
}

// Ensure a reader of what calls write holds no call up, gets 1,000 texts more after the one that it reads, in order,
// and loses those behind them.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	reading, goOn := make(chan struct{}), make(chan struct{})
	var texts []string
	log := eventlog.NewLog(nil, nil, func(text string) {
		if len(texts) == 0 {
			close(reading)
			<-goOn
		}
		texts = append(texts, text)
	}, nil)
	add := log.Traces()
	add("first")
	<-reading
	want := []string{"first"}
	for i := range 1_001 {
		add(fmt.Sprint(i))
		if i < 1_000 {
			want = append(want, fmt.Sprint(i))
		}
	}
	close(goOn)
	log.Close()
	require.Equal(t, want, texts)
	add("later")
	log.Close()
	require.Equal(t, append(want, "later"), texts)
}

// Ensure deposits of the OP stack are shown as such: those that each block begins with, of the L1's values and of the
// time, for debug.
func TestDeposits(t *testing.T) {
	t.Parallel()
	for level, want := range map[slog.Level]int{slog.LevelInfo: 1, slog.LevelDebug: 3} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base})
		var out bytes.Buffer
		log := eventlog.NewLog(slog.New(withoutTime(&out, level)), nil, nil, nil)
		end := log.Begin(node.Timeline(), "main", "", "")
		_, err := node.Timeline().Deposit(optimism.Deposit{From: node.Account(0).Address, To: &common.Address{1}, Value: new(big.Int), Gas: 50_000})
		require.NoError(t, err)
		node.Seal()
		end()
		require.Equal(t, want, strings.Count(out.String(), " msg=deposit "), out.String())
		require.Equal(t, 1, strings.Count(out.String(), "level=INFO msg=deposit network=main hash="), out.String())
	}
}
