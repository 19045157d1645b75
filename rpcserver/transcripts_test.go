package rpcserver_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

var update = flag.Bool("update", false, "write the answers received into the transcripts under testdata")

// Ensure the methods answer as recorded, under the contract's profile and geth's, with limits, and on a
// node without pre-confirmation.
func TestMethodTranscripts(t *testing.T) {
	t.Parallel()
	plain := func() (preconf.Config, rpcserver.Config) { return preconf.Config{}, rpcserver.Config{} }
	for dir, config := range map[string]func() (preconf.Config, rpcserver.Config){
		"eth_getLogs":    plain,
		"eth_call":       plain,
		"eth_getCode":    plain,
		"eth_simulateV1": plain,
		"eth":            plain,
		"eth_subscribe":  plain,
		"filters":        plain,
		"txpool":         plain,
		"control":        plain,
		"profile_geth": func() (preconf.Config, rpcserver.Config) {
			return preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.Geth.Wire}}
		},
		"limits": func() (preconf.Config, rpcserver.Config) {
			return preconf.Config{Filters: filter.Limits{Count: 3}}, rpcserver.Config{Limits: api.Limits{LogsMaxRange: 4, LogsMaxResults: 2}}
		},
		"no_preconf": func() (preconf.Config, rpcserver.Config) {
			return preconf.Config{NoPreconf: true}, rpcserver.Config{Disabled: rpcserver.Preconfirmation}
		},
		"realtime": func() (preconf.Config, rpcserver.Config) {
			return preconf.Config{Behaviour: preconf.Behaviour{PendingHash: preconf.NoHash}}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{Preconf: api.PreconfMegaETH}}}
		},
		"pending_lag": func() (preconf.Config, rpcserver.Config) {
			return preconf.Config{Behaviour: preconf.Behaviour{Lags: preconf.Lags{PendingLag: 3}}}, rpcserver.Config{}
		},
	} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			replayTranscripts(t, "testdata/"+dir, *update, func(t *testing.T) scriptedNode {
				timeline, server := config()
				n := servertest.New(t, timeline, server)
				return scriptedNode{URL: n.Server.URL(), Step: func(s string) error { return step(n, s) }}
			})
		})
	}
}

// step takes a step of a transcript.
func step(n *servertest.Network, step string) error {
	verb, argument, _ := strings.Cut(step, " ")
	var err error
	switch verb {
	case "preconfirm":
		_, err = n.Timeline.Preconfirm()
	case "seal":
		blocks := 1
		if argument != "" {
			if blocks, err = strconv.Atoi(argument); err != nil {
				return err
			}
		}
		_, err = n.Timeline.Seal(blocks)
	case "reorg":
		var depth int
		if depth, err = strconv.Atoi(argument); err == nil {
			_, err = n.Timeline.Reorg(control.ReorgOptions{Depth: depth})
		}
	case "advance":
		var d time.Duration
		if d, err = time.ParseDuration(argument); err == nil {
			_, err = n.Timeline.Advance(d)
		}
	case "impersonate":
		err = n.Timeline.Set(preconf.Impersonate(common.HexToAddress(argument), true))
	case "pay":
		n.Pay(0, 1, 1000)
	case "log":
		n.Logs(0, argument, "0x1", 1)
	default:
		err = fmt.Errorf("unknown step %q", step)
	}
	return err
}

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
		message := []byte(servertest.Receive(s.t, s.ws))
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
		data := servertest.LoggerCall("0xa1", fmt.Sprintf("%#x", s.rand.IntN(3)), int64(1+s.rand.IntN(2)))
		s.send("eth_sendTransaction", fmt.Sprintf(`{"from":"%s","to":"%s","data":"%#x","gas":"0x30d40"}`, dev(), servertest.Logger, data))
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

// playScripts runs the script on a node of its own.
func playScripts(t testing.TB) []byte {
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := &script{t: t, ws: servertest.Dial(t, n.Server), rand: rand.New(rand.NewPCG(1, 2))}
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

// longHex matches a hash, an address or data, of which the last eight digits are enough to tell it from others.
var longHex = regexp.MustCompile(`0x[0-9a-fA-F]{12,}([0-9a-fA-F]{8})`)

// shown returns a line of the conversation as the file has it: the hash of the whole message, and enough of it to read.
func shown(line string) string {
	mark, message, _ := strings.Cut(line, " ")
	short := longHex.ReplaceAllString(strings.Replace(message, `"jsonrpc":"2.0",`, "", 1), "…$1")
	if runes := []rune(short); len(runes) > 340 { // a log is whole
		short = fmt.Sprintf("%s… %d bytes", string(runes[:340]), len(message))
	}
	sum := sha256.Sum256([]byte(message))
	return fmt.Sprintf("%s %x %s", mark, sum[:8], short)
}

// The same script gives the same bytes on every run and every machine: hashes, ids, messages, their order.
func TestGoldenTranscript(t *testing.T) {
	t.Parallel()
	const file = "testdata/golden/conversation.txt"
	played := strings.Split(strings.TrimSuffix(string(playScripts(t)), "\n"), "\n")
	have := make([]string, len(played))
	for i, line := range played {
		have[i] = shown(line)
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(have, "\n")+"\n"), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	recorded := strings.Split(strings.TrimSuffix(string(want), "\n"), "\n")
	require.Greater(t, len(recorded), 1000, "messages")
	for i := range min(len(have), len(recorded)) {
		require.Equal(t, recorded[i], have[i], "%s:%d\n%s", file, i+1, played[i])
	}
	require.Len(t, have, len(recorded), "messages")
}
