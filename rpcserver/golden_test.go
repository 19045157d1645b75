package rpcserver

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
)

// script plays a course of events over one WebSocket connection and returns every message on it, sent
// (">> ") and received ("<< "), byte for byte.
type script struct {
	t    testing.TB
	ws   *websocket.Conn
	rand *rand.Rand
	out  bytes.Buffer
	last int
}

// send sends a request and reads up to its answer.
func (s *script) send(method, params string) {
	s.t.Helper()
	s.last++
	request := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":[%s]}`, s.last, method, params)
	fmt.Fprintf(&s.out, ">> %s\n", request)
	require.NoError(s.t, s.ws.WriteMessage(websocket.TextMessage, []byte(request)))
	for answer := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,`, s.last); ; {
		message := []byte(receive(s.t, s.ws))
		fmt.Fprintf(&s.out, "<< %s\n", message)
		if bytes.HasPrefix(message, answer) {
			return
		}
	}
}

// step does one thing, chosen by the seed.
func (s *script) step() {
	dev := func() common.Address { return fixtures.Dev(s.rand.IntN(4)).Address }
	switch s.rand.IntN(16) {
	case 0, 1, 2:
		s.send("eth_sendTransaction", fmt.Sprintf(`{"from":"%s","to":"%s","value":"%#x"}`, dev(), dev(), s.rand.IntN(1000)))
	case 3, 4, 5:
		data := loggerCall("0xa1", fmt.Sprintf("%#x", s.rand.IntN(3)), int64(1+s.rand.IntN(2)))
		s.send("eth_sendTransaction", fmt.Sprintf(`{"from":"%s","to":"%s","data":"%#x","gas":"0x30d40"}`, dev(), loggerAddress, data))
	case 6, 7, 8:
		s.send("fakenode_preconfirm", "")
	case 9, 10:
		s.send("fakenode_advance", fmt.Sprint(200*s.rand.IntN(8)))
	case 11:
		s.send("fakenode_seal", "1")
	case 12:
		s.send("fakenode_reorg", fmt.Sprintf(`{"depth":%d}`, 1+s.rand.IntN(2)))
	case 13:
		kinds := []string{"drop", "duplicate", "stall", "omit", "alterLogs", "lateBlock", "lag"}
		kind := kinds[s.rand.IntN(len(kinds))]
		retract := s.rand.IntN(2) == 0 && slices.Contains([]string{"drop", "stall", "omit"}, kind)
		s.send("fakenode_flashblockFault", fmt.Sprintf(`{"kind":"%s","retract":%t}`, kind, retract))
	case 14:
		s.send("eth_getLogs", `{"fromBlock":"0x0","toBlock":"pending"}`)
	case 15:
		s.send("eth_getFilterChanges", `"0x1"`)
	}
}

// play runs the script on a node of its own.
func play(t testing.TB) []byte {
	n := newNetwork(t, preconf.Config{}, Config{})
	s := &script{t: t, ws: dial(t, n.server), rand: rand.New(rand.NewPCG(1, 2))}
	for _, kind := range []string{"pendingLogs", "newFlashblockTransactions", "logs", "newHeads", "newPendingTransactions"} {
		s.send("eth_subscribe", `"`+kind+`"`)
	}
	s.send("eth_newFilter", `{"toBlock":"pending"}`)
	s.send("fakenode_snapshot", "")
	for range 220 {
		s.step()
	}
	s.send("fakenode_info", "")
	s.send("fakenode_revert", `"0x1",true`)
	s.send("eth_subscribe", `"newFlashblocks"`)
	for range 12 {
		s.step()
	}
	return s.out.Bytes()
}

// The same script gives the same bytes on every run and every machine: hashes, ids, messages, their order.
func TestGoldenTranscript(t *testing.T) {
	t.Parallel()
	const file = "testdata/golden/conversation.txt"
	played := play(t)
	if *update {
		require.NoError(t, os.WriteFile(file, played, 0o644))
	}
	require.Greater(t, bytes.Count(played, []byte("\n<< ")), 500, "messages received")
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	have, recorded := bytes.Split(played, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(have), len(recorded)) {
		require.Equal(t, string(recorded[i]), string(have[i]), "%s:%d", file, i+1)
	}
	require.Equal(t, len(recorded), len(have), "lines")
}
