package eth

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Ensure each dialect waits as long as docs/preconfirmations.md says, at both sides of its longest timeout, and refuses
// by name what it does not take.
func TestTimeoutsOfDialects(t *testing.T) {
	t.Parallel()
	const (
		ms     = time.Millisecond
		s      = time.Second
		badHex = "invalid argument 1 (timeout) of eth_x: have %s (not a string in hex), want a whole number, plain or in hex"
		bad    = "invalid argument 1 (timeout) of eth_x: have %s (not a whole number), want a whole number, plain or in hex"
	)
	type want struct {
		none, zero, one      time.Duration
		longest, atMost      time.Duration // with a timeout of the longest, and of a millisecond more
		beyond               string        // the error of that millisecond; empty: none
		decimal, noNumber    string        // the errors of a decimal timeout and of one that is no number
		decimalIs, nonsensIs time.Duration // where those are none
	}
	for dialect, want := range map[api.SendSync]want{
		api.SyncSpec:      {6 * s, 0, ms, 6 * s, 0, "timeout of 6001 ms is too long, the limit is 6000 ms", "", bad, 7 * ms, 0},
		api.SyncGeth:      {6 * s, 6 * s, ms, 6 * s, 6 * s, "", "", bad, 7 * ms, 0},
		api.SyncEIP:       {2 * s, 2 * s, ms, 6 * s, 2 * s, "", "", "", 7 * ms, 2 * s},
		api.SyncArbitrum:  {20 * s, 20 * s, ms, 60 * s, 60 * s, "", badHex, bad, 0, 0},
		api.SyncAnnounced: {20 * s, 20 * s, ms, 60 * s, 60 * s, "", badHex, bad, 0, 0},
		api.SyncPolygon:   {6 * s, 6 * s, ms, 6 * s, 6 * s, "", badHex, bad, 0, 0},
		api.SyncMegaETH:   {10 * s, 0, ms, 10 * s, 10 * s, "", "", bad, 7 * ms, 0},
	} {
		rules := syncDialects[dialect]
		longest := map[time.Duration][2]string{
			6 * s: {`"0x1770"`, `"0x1771"`}, 10 * s: {`"0x2710"`, `"0x2711"`}, 60 * s: {`"0xea60"`, `"0xea61"`},
		}[want.longest]
		for raw, outcome := range map[string]struct {
			wait    time.Duration
			refusal string
		}{
			"":         {want.none, ""},
			`"0x0"`:    {want.zero, ""},
			`"0x1"`:    {want.one, ""},
			longest[0]: {want.longest, ""},
			longest[1]: {want.atMost, want.beyond},
			`7`:        {want.decimalIs, want.decimal},
			`"soon"`:   {want.nonsensIs, want.noNumber},
		} {
			var timeout *Milliseconds
			if raw != "" {
				timeout = new(Milliseconds)
				require.NoError(t, json.Unmarshal([]byte(raw), timeout))
			}
			wait, err := rules.wait(&api.Request{Method: "eth_x"}, timeout)
			if outcome.refusal == "" {
				require.NoError(t, err, "%s %s", dialect, raw)
				require.Equal(t, outcome.wait, wait, "%s %s", dialect, raw)
				continue
			}
			var failure *jsonrpc.Error
			require.ErrorAs(t, err, &failure, "%s %s", dialect, raw)
			require.Equal(t, api.CodeInvalidParams, failure.Code)
			require.Equal(t, strings.Replace(outcome.refusal, "%s", raw, 1), failure.Message, "%s %s", dialect, raw)
		}
	}
}
