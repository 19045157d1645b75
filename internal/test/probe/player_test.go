package probe_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// player asks a node over one WebSocket connection. It writes down the questions, the answers, and the notifications
// that come before an answer.
type player struct {
	t    *testing.T
	node *fakenode.Node
	ws   *websocket.Conn
	out  io.Writer
	last int // id of the last question
}

// newPlayer returns a player with a node of the config, or nil where there is none; then it writes down why.
func newPlayer(t *testing.T, out io.Writer, title string, c fakenode.Config) *player {
	fmt.Fprintf(out, "\n== %s\n", title)
	if c.Fork == nil {
		c.StartTime = start
	}
	c.Artifacts, c.Logger = []string{artifact(t)}, slog.New(slog.DiscardHandler)
	node, err := fakenode.New(c)
	if err != nil {
		fmt.Fprintf(out, "none: %v\n", err)
		return nil
	}
	t.Cleanup(func() { _ = node.Close() })
	p := &player{t: t, node: node, out: out}
	p.ws = p.dial("")
	return p
}

func (p *player) dial(path string) *websocket.Conn {
	ws, _, err := websocket.DefaultDialer.Dial(p.node.WebSocketURL()+path, nil)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { _ = ws.Close() })
	return ws
}

// section writes a line that says what the next questions are about.
func (p *player) section(title string) { fmt.Fprintf(p.out, "\n-- %s\n", title) }

// ask asks a question, and returns the result, null for an error.
func (p *player) ask(method string, params ...any) json.RawMessage {
	p.last++
	body := p.request(method, params)
	require.NoError(p.t, p.ws.WriteMessage(websocket.TextMessage, body))
	fmt.Fprintf(p.out, ">> %s %s\n", method, p.shown(member(body, "params")))
	for {
		_, message, err := p.ws.ReadMessage()
		require.NoError(p.t, err)
		if id := member(message, "id"); string(id) != fmt.Sprint(p.last) {
			fmt.Fprintf(p.out, "   %s\n", p.shown(member(message, "params")))
			continue
		}
		result := member(message, "result")
		if failure := member(message, "error"); failure != nil {
			fmt.Fprintf(p.out, "!! %s\n", p.shown(failure))
		} else {
			fmt.Fprintf(p.out, "<< %s\n", p.shown(result))
		}
		return result
	}
}

// askAt asks a question over HTTP at a path of the node.
func (p *player) askAt(path, method string, params ...any) {
	p.post(path, method, p.request(method, params))
}

// post sends a body to a path of the node, and writes down the status and the answer.
func (p *player) post(path, title string, body []byte) {
	answer, err := http.Post(p.node.URL()+path, "application/json", bytes.NewReader(body))
	require.NoError(p.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(p.t, err)
	fmt.Fprintf(p.out, ">> POST %s %s\n<< %d %s\n", path, title, answer.StatusCode, p.shown(bytes.TrimSpace(text)))
}

func (p *player) request(method string, params []any) []byte {
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.last, "method": method, "params": params})
	require.NoError(p.t, err)
	return body
}

// member returns a member of an object, nil if it has none.
func member(object []byte, name string) json.RawMessage {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(object, &members)
	return members[name]
}

var (
	longHex  = regexp.MustCompile(`0x[0-9a-f]{64,}`)
	instance = regexp.MustCompile(`"instanceId":"0x[0-9a-f]*"`)
	ownName  = regexp.MustCompile(`fakenode/[^"]*`)
)

// shown returns an answer with the parts shortened that are long, and without those that depend on the machine.
func (p *player) shown(answer []byte) string {
	text := ownName.ReplaceAllString(string(answer), "fakenode/…")
	text = instance.ReplaceAllString(text, `"instanceId":"…"`)
	text = longHex.ReplaceAllStringFunc(text, func(hex string) string {
		if len(hex) == 66 {
			return hex[:8] + "…" + hex[60:]
		}
		return fmt.Sprintf("%s…%x", hex[:10], sha256.Sum256([]byte(hex)))[:21]
	})
	return strings.ReplaceAll(text, p.node.URL(), "URL")
}

// signed returns the encoding of a transaction of a development account.
func (p *player) signed(account int, data types.TxData) hexutil.Bytes {
	signer := types.LatestSignerForChainID(new(big.Int).SetUint64(p.node.ChainID()))
	tx, err := types.SignNewTx(p.node.Account(account).Key, signer, data)
	require.NoError(p.t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(p.t, err)
	return raw
}

// send sends a transaction, and asks what it changed.
func (p *player) send(account int, data types.TxData) (hash json.RawMessage) {
	return p.ask("eth_sendRawTransaction", p.signed(account, data))
}

// paying returns a transfer of 7 wei. Where the base fee is above the limit of most, the limit is so much higher.
func (p *player) paying(nonce uint64, tip, limit int64) *types.DynamicFeeTx {
	if least := p.node.Moment().NextHeader().BaseFee.Int64(); limit >= 1e9 && least > 5e9 {
		limit += least
	}
	return &types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(p.node.ChainID()), Nonce: nonce, Gas: 30_000, To: &common.Address{0x77}, Value: big.NewInt(7),
		GasTipCap: big.NewInt(tip), GasFeeCap: big.NewInt(limit),
	}
}

// calling returns a call of a contract.
func (p *player) calling(nonce uint64, to common.Address, input string) *types.DynamicFeeTx {
	tx := p.paying(nonce, 1e9, 5e9)
	tx.Gas, tx.To, tx.Value, tx.Data = 100_000, &to, nil, common.FromHex(input)
	return tx
}
