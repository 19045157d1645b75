package fakenode_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

var updatePreconfirmations = flag.Bool("update-preconfirmations", false, "write the table of docs/preconfirmations.md anew")

// Ensure docs/preconfirmations.md says of each preset what its clients see of a payment at each step. Update it with:
// go test . -run TestPreconfirmations -update-preconfirmations.
func TestPreconfirmations(t *testing.T) {
	t.Parallel()
	const file, begin, end = "docs/preconfirmations.md", "<!-- made by TestPreconfirmations -->\n", "<!-- end -->"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found)
	want := before + begin + paymentTable(t) + end + after
	if *updatePreconfirmations {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		text = []byte(want)
	}
	require.Equal(t, want, string(text), "run: go test . -run TestPreconfirmations -update-preconfirmations")
}

// paymentTable returns a table of what the clients of each preset see of one payment of tokens.
func paymentTable(t *testing.T) string {
	presets := []fakenode.Preset{
		fakenode.Dev, fakenode.Unichain, fakenode.Optimism, fakenode.MegaETH, fakenode.Rise, fakenode.Base, fakenode.Monad,
	}
	steps := []string{"sent", "announced", "sealed"}
	seen := make(map[fakenode.Preset][]sight)
	for _, preset := range presets {
		seen[preset] = payment(t, preset, len(steps))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| | |%s\n|---|---|%s\n", strings.Repeat(" `%s` |", len(presets)), strings.Repeat("---|", len(presets)))
	table := fmt.Sprintf(b.String(), anys(presets)...)
	for i, step := range steps[1:] { // nobody sees what is only sent
		for _, what := range sightNames {
			table += fmt.Sprintf("| %s | %s |", step, what)
			for _, preset := range presets {
				table += " " + seen[preset][i+1][what] + " |"
			}
			table += "\n"
		}
	}
	return table
}

func anys[T any](list []T) (all []any) {
	for _, one := range list {
		all = append(all, one)
	}
	return all
}

// sight holds the answers to a client at one step, by its questions.
type sight map[string]string

const (
	atLatest  = "balance at `latest`"
	atPending = "balance at `pending`"
	byReceipt = "receipt's `blockHash`"
	byHead    = "`newHeads`"
	byLogs    = "`logs`"
	byOwn     = "the chain's own subscription"
)

var sightNames = []string{atLatest, atPending, byReceipt, byHead, byLogs, byOwn}

// ownStreams are the subscriptions by which clients of a preset learn of what is in no block.
var ownStreams = map[fakenode.Preset]string{
	fakenode.Dev: "newFlashblocks", fakenode.Unichain: "newFlashblocks", fakenode.MegaETH: "miniBlocks", fakenode.Rise: "shreds", fakenode.Monad: "monadLogs",
}

// payment plays a payment on a node with that preset, and returns the sight after each step.
func payment(t *testing.T, preset fakenode.Preset, steps int) []sight {
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset})
	ws, _, err := websocket.DefaultDialer.Dial(node.WebSocketURL(), nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, ws.Close()) }()
	require.NoError(t, ws.SetReadDeadline(time.Now().Add(time.Minute)))
	c := &observer{T: t, ws: ws, names: map[string]string{}, told: map[string]int{}}
	own := ownStreams[preset]
	for _, kind := range []string{"newHeads", "logs", own} {
		if kind != "" {
			var id string
			require.NoError(t, json.Unmarshal(c.ask("eth_subscribe", kind), &id))
			c.names[id] = kind
		}
	}
	to := common.Address{0xaa}
	call := func(function string, words ...[]byte) hexutil.Bytes {
		data := crypto.Keccak256([]byte(function))[:4]
		for _, word := range words {
			data = append(data, common.LeftPadBytes(word, 32)...)
		}
		return data
	}
	require.NoError(t, json.Unmarshal(c.ask("eth_sendTransaction", map[string]any{
		"from": node.Account(0).Address, "to": node.Token().Address(), "data": call("transfer(address,uint256)", to[:], []byte{5}),
	}), &c.hash))
	balance := map[string]any{"to": node.Token().Address(), "data": call("balanceOf(address)", to[:])}
	var all []sight
	for i := range steps {
		c.told = map[string]int{}
		switch i {
		case 1:
			c.ask("fakenode_advance", node.Moment().BlockTime().Milliseconds()/2)
		case 2:
			c.ask("fakenode_advance", node.Moment().BlockTime().Milliseconds())
		}
		all = append(all, c.sees(balance, own))
	}
	return all
}

// observer is a client over WebSocket that counts the notifications that tell of the payment.
type observer struct {
	*testing.T
	ws    *websocket.Conn
	names map[string]string // of subscriptions by their ids
	hash  common.Hash
	told  map[string]int
}

// ask returns the result of a call.
func (o *observer) ask(method string, params ...any) json.RawMessage {
	require.NoError(o, o.ws.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
	for {
		var m struct {
			ID     int
			Result json.RawMessage
			Error  any
			Params struct {
				Subscription string
				Result       json.RawMessage
			}
		}
		require.NoError(o, o.ws.ReadJSON(&m))
		if m.ID != 0 {
			require.Nil(o, m.Error, method)
			return m.Result
		}
		name := o.names[m.Params.Subscription]
		if name == "newHeads" || strings.Contains(string(m.Params.Result), o.hash.Hex()) {
			o.told[name]++
		}
	}
}

// sees returns the sight of the payment now, with the notifications since the last step.
func (o *observer) sees(balance map[string]any, own string) sight {
	number := func(tag string) string {
		var word hexutil.Bytes
		require.NoError(o, json.Unmarshal(o.ask("eth_call", balance, tag), &word))
		return new(big.Int).SetBytes(word).String()
	}
	var receipt *struct{ BlockHash *common.Hash }
	require.NoError(o, json.Unmarshal(o.ask("eth_getTransactionReceipt", o.hash), &receipt))
	s := sight{atLatest: number("latest"), atPending: number("pending"), byReceipt: "no receipt"}
	switch {
	case receipt == nil:
	case receipt.BlockHash == nil:
		s[byReceipt] = "null"
	case *receipt.BlockHash == common.Hash{}:
		s[byReceipt] = "`0x00…`"
	default:
		s[byReceipt] = "a hash"
	}
	for what, name := range map[string]string{byHead: "newHeads", byLogs: "logs", byOwn: own} {
		s[what] = "–"
		if o.told[name] > 0 {
			s[what] = "told"
			if what == byOwn {
				s[what] = "`" + name + "`"
			}
		}
	}
	return s
}
