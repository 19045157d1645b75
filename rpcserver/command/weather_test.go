package command_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure courses of prices are taken and listed with all their members, and end by calm.
func TestWeatherIsListed(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	weather := func(params ...any) string {
		return string(servertest.Fetch[json.RawMessage](n, "fakenode_weather", params...))
	}
	require.Equal(t, "[]", weather())
	n.Seal(2)
	ramp := `{"of":"baseFee","shape":"ramp","from":"0x3b9aca00","to":"0x77359400","blocks":4,"firstBlock":3,"lastBlock":6}`
	require.JSONEq(t, "["+ramp+"]", weather(map[string]any{"of": "baseFee", "shape": "ramp", "from": 1_000_000_000, "to": "2000000000", "blocks": 4}))
	list := `{"of":"gasLimit","shape":"list","values":["0x1c9c380","0x2625a00"],"blocks":2,"firstBlock":3,"lastBlock":null}`
	both := weather(map[string]any{"of": "gasLimit", "shape": "list", "values": []any{30_000_000, "0x2625a00"}, "times": -1})
	require.JSONEq(t, "["+ramp+","+list+"]", both)
	require.JSONEq(t, both, weather(nil))
	var fees []string
	for range 4 {
		n.Seal(1)
		fees = append(fees, servertest.Fetch[struct{ BaseFeePerGas string }](n, "eth_getBlockByNumber", "latest", false).BaseFeePerGas)
	}
	require.Equal(t, "0x3b9aca00", fees[0])
	require.Equal(t, "0x77359400", fees[3])
	require.JSONEq(t, "["+list+"]", weather(), "the ramp is over")
	require.Equal(t, "[]", weather(map[string]any{"of": "gasLimit", "shape": "calm"}))
	for _, bad := range []map[string]any{
		{"of": "mood", "shape": "ramp"}, {"of": "baseFee", "shape": "ramp", "from": 1, "to": 2, "blocks": uint64(math.MaxUint64)},
	} {
		n.Refuses(api.CodeInvalidParams, []string{"fakenode_weather: "}, "fakenode_weather", bad)
	}
	for _, times := range []any{0, -2, int64(math.MaxInt32) + 1, "soon"} {
		n.Refuses(api.CodeInvalidParams, []string{"not -1 or from 1 to 2^31-1"}, "fakenode_weather",
			map[string]any{"of": "baseFee", "shape": "list", "values": []any{1}, "times": times})
	}
	twice := weather(map[string]any{"of": "baseFee", "shape": "list", "values": []any{7}, "times": 2})
	require.JSONEq(t, `[{"of":"baseFee","shape":"list","values":["0x7"],"blocks":1,"firstBlock":7,"lastBlock":8}]`, twice)
}
