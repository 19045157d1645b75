package flashblocks_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// payload is a frame as a client of Base's feed decodes it: all members are known, and no others are accepted.
type payload struct {
	PayloadID hexutil.Bytes `json:"payload_id"`
	Index     int           `json:"index"`
	Base      *struct {
		ParentBeaconBlockRoot common.Hash    `json:"parent_beacon_block_root"`
		ParentHash            common.Hash    `json:"parent_hash"`
		FeeRecipient          common.Address `json:"fee_recipient"`
		PrevRandao            common.Hash    `json:"prev_randao"`
		BlockNumber           hexutil.Uint64 `json:"block_number"`
		GasLimit              hexutil.Uint64 `json:"gas_limit"`
		Timestamp             hexutil.Uint64 `json:"timestamp"`
		ExtraData             hexutil.Bytes  `json:"extra_data"`
		BaseFeePerGas         *hexutil.Big   `json:"base_fee_per_gas"`
	} `json:"base"`
	Diff struct {
		StateRoot       common.Hash       `json:"state_root"`
		ReceiptsRoot    common.Hash       `json:"receipts_root"`
		LogsBloom       types.Bloom       `json:"logs_bloom"`
		GasUsed         hexutil.Uint64    `json:"gas_used"`
		BlockHash       common.Hash       `json:"block_hash"`
		Transactions    []hexutil.Bytes   `json:"transactions"`
		Withdrawals     []json.RawMessage `json:"withdrawals"`
		WithdrawalsRoot common.Hash       `json:"withdrawals_root"`
		BlobGasUsed     *hexutil.Uint64   `json:"blob_gas_used"`
	} `json:"diff"`
	Metadata struct {
		BlockNumber      uint64                          `json:"block_number"`
		PrevFlashblockID string                          `json:"prev_flashblock_id"`
		Receipts         map[common.Hash]receipt         `json:"receipts"`
		Balances         map[common.Address]*hexutil.Big `json:"new_account_balances"`
	} `json:"metadata"`
}

type receipt struct {
	Type              hexutil.Uint64 `json:"type"`
	Status            hexutil.Uint64 `json:"status"`
	CumulativeGasUsed hexutil.Uint64 `json:"cumulativeGasUsed"`
	Logs              []struct {
		Address common.Address `json:"address"`
		Topics  []common.Hash  `json:"topics"`
		Data    hexutil.Bytes  `json:"data"`
	} `json:"logs"`
}

// message is one thing that a reader received: a frame, the answer to a ping, or the end of the connection.
type message struct {
	kind int // websocket.TextMessage or BinaryMessage; PongMessage
	data []byte
	err  error
}

// reader is a client of the feed.
type reader struct {
	t        testing.TB
	ws       *websocket.Conn
	messages chan message
}

// listen opens the feed of a network; path is appended to its WebSocket URL.
func listen(t testing.TB, network *fakenode.Network, path string) *reader {
	t.Helper()
	ws, response, err := websocket.DefaultDialer.Dial(network.WebSocketURL()+path, nil)
	if err != nil && response != nil {
		body, _ := io.ReadAll(response.Body)
		require.NoError(t, err, "%s", body)
	}
	require.NoError(t, err)
	t.Cleanup(func() { _ = ws.Close() })
	r := &reader{t: t, ws: ws, messages: make(chan message, 1<<16)}
	ws.SetPongHandler(func(string) error {
		r.messages <- message{kind: websocket.PongMessage}
		return nil
	})
	go func() {
		defer close(r.messages)
		for {
			kind, data, err := ws.ReadMessage()
			r.messages <- message{kind, data, err}
			if err != nil {
				return
			}
		}
	}()
	return r
}

// raw returns the frames of all that has happened so far, as they came.
func (r *reader) raw() []message {
	r.t.Helper()
	require.NoError(r.t, r.ws.WriteMessage(websocket.PingMessage, nil))
	var frames []message
	for m := range r.messages {
		require.NoError(r.t, m.err)
		if m.kind == websocket.PongMessage {
			return frames
		}
		frames = append(frames, m)
	}
	require.FailNow(r.t, "the feed has ended")
	return nil
}

// unchecked is raw, and reports whether the connection is still open.
func (r *reader) unchecked() (frames []message, open bool) {
	r.t.Helper()
	if r.ws.WriteMessage(websocket.PingMessage, nil) != nil {
		frames, _ = r.ended()
		return frames, false
	}
	for m := range r.messages {
		switch {
		case m.err != nil:
			return frames, false
		case m.kind == websocket.PongMessage:
			return frames, true
		}
		frames = append(frames, m)
	}
	return frames, false
}

// frames returns the frames of all that has happened so far.
func (r *reader) frames() []payload {
	r.t.Helper()
	var frames []payload
	for _, m := range r.raw() {
		frames = append(frames, decode(r.t, m))
	}
	return frames
}

// ended returns how the connection ended, after the frames that came before.
func (r *reader) ended() (frames []message, err error) {
	r.t.Helper()
	for m := range r.messages {
		if m.err != nil {
			return frames, m.err
		}
		frames = append(frames, m)
	}
	require.FailNow(r.t, "the feed has ended before")
	return nil, nil
}

// plain returns the JSON of a frame.
func plain(t testing.TB, m message) []byte {
	t.Helper()
	if m.kind == websocket.TextMessage {
		return m.data
	}
	unpacked, err := io.ReadAll(brotli.NewReader(bytes.NewReader(m.data)))
	require.NoError(t, err)
	return unpacked
}

func decode(t testing.TB, m message) payload {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(plain(t, m)))
	decoder.DisallowUnknownFields()
	var p payload
	require.NoError(t, decoder.Decode(&p), "%s", m.data)
	return p
}

// ids returns "block-index" of each frame, and behind it the flashblock that it names as the one before.
func ids(frames []payload) []string {
	var list []string
	for _, f := range frames {
		list = append(list, id(f)+" after "+f.Metadata.PrevFlashblockID)
	}
	return list
}

// get opens the feed's URL without a WebSocket, or with one if upgrade is set, and returns the answer.
func get(t *testing.T, url string, header http.Header) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	for name, values := range header {
		req.Header[name] = values
	}
	if host := header.Get("Host"); host != "" {
		req.Host = host
	}
	response, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}
