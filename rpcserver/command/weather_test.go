package command_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure courses of prices are taken and listed with all their members, and end by calm.
func TestWeatherIsListed(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
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
		{"of": "mood", "shape": "ramp"}, {"of": "baseFee", "shape": "storm"}, {"of": "baseFee", "shape": "ramp", "from": 1, "to": 2},
		{"of": "baseFee", "shape": "ramp", "from": 1, "to": 2, "blocks": uint64(math.MaxUint64)},
	} {
		n.Refuses(api.CodeInvalidParams, []string{"fakenode_weather: "}, "fakenode_weather", bad)
	}
	n.Refuses(api.CodeInvalidParams, []string{"wether", "{of, shape, from?, to, blocks, times?}"}, "fakenode_weather", map[string]any{"wether": 1})
	for _, times := range []any{0, -2, int64(math.MaxInt32) + 1, "soon"} {
		n.Refuses(api.CodeInvalidParams, []string{"not -1 or from 1 to 2^31-1"}, "fakenode_weather",
			map[string]any{"of": "baseFee", "shape": "list", "values": []any{1}, "times": times})
	}
	twice := weather(map[string]any{"of": "baseFee", "shape": "list", "values": []any{7}, "times": 2})
	require.JSONEq(t, `[{"of":"baseFee","shape":"list","values":["0x7"],"blocks":1,"firstBlock":7,"lastBlock":8}]`, twice)
}

// Ensure a replica is set as asked, answers what it sees, and is refused where there is none.
func TestReplicaIsSet(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Replicas: control.Replicas{Each: make([]control.Replica, 2)}}, rpcserver.Config{})
	hashes := n.Seal(5)
	n.Preconfirm()
	replica := func(params ...any) string {
		return string(servertest.Fetch[json.RawMessage](n, "fakenode_replica", params...))
	}
	seen := func(number int, lag string, block int, index string) string {
		return fmt.Sprintf(`{"replica":%d,%s,"blockNumber":%d,"blockHash":"%s","flashblockIndex":%s}`, number, lag, block, hashes[block-1].Hex(), index)
	}
	none := `"behind":0,"behindMs":0,"jitter":0,"jitterMs":0,"stuck":0,"orphaned":0,"seed":0`
	require.JSONEq(t, seen(1, none, 5, "0"), replica(1))
	lagging := `"behind":2,"behindMs":0,"jitter":0,"jitterMs":0,"stuck":0,"orphaned":0,"seed":9`
	require.JSONEq(t, seen(2, lagging, 3, "null"), replica(2, map[string]any{"behind": 2, "seed": 9}))
	require.JSONEq(t, seen(2, lagging, 3, "null"), replica(2))
	require.JSONEq(t, seen(1, none, 5, "0"), replica(1), "the other one is as it was")
	for _, each := range []string{"jitter", "jitterMs", "stuck", "orphaned", "behindMs"} {
		set := servertest.Fetch[map[string]any](n, "fakenode_replica", 1, map[string]any{each: 3})
		for _, member := range []string{"behind", "behindMs", "jitter", "jitterMs", "stuck", "orphaned", "seed"} {
			want := 0.0
			if member == each {
				want = 3
			}
			require.Equal(t, want, set[member], "%s, when %s is set", member, each)
		}
	}
	for _, number := range []int{0, 3} {
		words := []string{fmt.Sprintf("there is no replica %d: the node has 2", number)}
		n.Refuses(api.CodeInvalidParams, words, "fakenode_replica", number)
		n.Refuses(api.CodeInvalidParams, words, "fakenode_replica", number, map[string]any{"behind": 1})
	}
	n.Refuses(api.CodeInvalidParams, []string{"behnd", "{behind?, behindMs?, jitter?, jitterMs?, stuck?, orphaned?, seed?}"},
		"fakenode_replica", 1, map[string]any{"behnd": 1})
	n.Refuses(api.CodeInvalidParams, []string{"want 0 to the 64 that the node remembers"}, "fakenode_replica", 1, map[string]any{"behind": uint64(math.MaxUint64)})
}

// Ensure worlds are made, listed and closed by their names, with the URLs that the client reaches them by.
func TestWorldsByCommand(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	snapshot := servertest.Fetch[string](n, "fakenode_snapshot")
	n.Seal(3)
	require.Equal(t, "[]", string(servertest.Fetch[json.RawMessage](n, "fakenode_worlds")))
	type made struct{ Name, URL, WebSocketURL, TestnetURL, L1URL string }
	shop := servertest.Fetch[made](n, "fakenode_newWorld", map[string]any{"name": "shop"})
	http := n.Server.URL()
	require.Equal(t, made{"shop", http + "/w/shop", strings.Replace(http, "http", "ws", 1) + "/w/shop", "", ""}, shop)
	other := servertest.Fetch[made](n, "fakenode_newWorld", map[string]any{"snapshot": snapshot})
	require.NotEmpty(t, other.Name)
	type world struct {
		Name        string
		BlockNumber uint64
		Clients     int
	}
	require.Equal(t, []world{{"shop", 3, 0}, {other.Name, 0, 0}}, servertest.Fetch[[]world](n, "fakenode_worlds"))
	require.Positive(t, servertest.Fetch[[]struct{ CreatedMs int64 }](n, "fakenode_worlds")[0].CreatedMs)
	_, body := servertest.Post(t, shop.URL, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`)
	require.Contains(t, body, `"result":"0x3"`)
	n.Refuses(api.CodeInvalidParams, []string{"fakenode_newWorld: ", "a b"}, "fakenode_newWorld", map[string]any{"name": "a b"})
	n.Refuses(api.CodeServer, []string{"shop"}, "fakenode_newWorld", map[string]any{"name": "shop"})
	n.Refuses(api.CodeServer, []string{"unknown snapshot 0x63"}, "fakenode_newWorld", map[string]any{"snapshot": 99})
	n.Refuses(api.CodeInvalidParams, []string{"nam", "{name?, snapshot?}"}, "fakenode_newWorld", map[string]any{"nam": "x"})
	n.Do("fakenode_closeWorld", "shop")
	n.Refuses(api.CodeServer, []string{"shop"}, "fakenode_closeWorld", "shop")
	require.Len(t, servertest.Fetch[[]world](n, "fakenode_worlds"), 1)
	require.NotEmpty(t, servertest.Fetch[made](n, "fakenode_newWorld").Name, "neither name nor snapshot is needed")
}

// Ensure the pool is emptied by hash, by sender and whole, and that holds end by command with the number they held.
func TestPoolByCommand(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	one, two := n.Pay(0, 1, 1).Hash(), n.Pay(1, 0, 1).Hash()
	status := func() poolCount { return servertest.Fetch[poolCount](n, "txpool_status") }
	require.Equal(t, one.Hex(), servertest.Fetch[string](n, "anvil_dropTransaction", one))
	require.Nil(t, servertest.Fetch[any](n, "anvil_dropTransaction", one))
	require.True(t, servertest.Fetch[bool](n, "hardhat_dropTransaction", two))
	require.False(t, servertest.Fetch[bool](n, "hardhat_dropTransaction", two))
	n.Pay(2, 1, 1)
	n.Pay(2, 1, 1)
	n.Pay(3, 1, 1)
	n.Do("anvil_removePoolTransactions", fixtures.Dev(2).Address)
	require.Equal(t, poolCount{"0x1", "0x0"}, status())
	n.Do("anvil_dropAllTransactions")
	require.Equal(t, poolCount{"0x0", "0x0"}, status())

	held := n.Pay(4, 1, 1).Hash()
	n.Pay(5, 1, 1)
	n.Pay(6, 1, 1)
	n.Do("fakenode_hold", map[string]any{"hashes": []common.Hash{held}, "blocks": 3})
	n.Do("fakenode_hold", map[string]any{"senders": []common.Address{fixtures.Dev(5).Address}})
	holds := servertest.Fetch[struct{ Holds json.RawMessage }](n, "fakenode_faults").Holds
	require.JSONEq(t, `[{"hashes":["`+held.Hex()+`"],"senders":[],"blocks":3},{"hashes":[],"senders":["`+
		strings.ToLower(fixtures.Dev(5).Address.Hex())+`"]}]`, string(holds))
	n.Seal(1)
	require.Equal(t, poolCount{"0x2", "0x0"}, status())
	require.Equal(t, 2, servertest.Fetch[int](n, "fakenode_release"))
	require.Zero(t, servertest.Fetch[int](n, "fakenode_release"))
	n.Seal(1)
	require.Equal(t, poolCount{"0x0", "0x0"}, status())
	const most = math.MaxInt64 / 1_000_000
	n.Refuses(api.CodeInvalidParams, []string{fmt.Sprintf("fakenode_hold: %d ms are too long", most+1)}, "fakenode_hold", map[string]any{"milliseconds": uint64(most + 1)})
	n.Refuses(api.CodeInvalidParams, []string{"fakenode_hold: "}, "fakenode_hold", map[string]any{"milliseconds": 1, "blocks": 1})
	n.Refuses(api.CodeInvalidParams, []string{"{hashes?, senders?, milliseconds? or blocks?}"}, "fakenode_hold", map[string]any{"hash": held})
	n.Do("fakenode_hold")
	require.Len(t, servertest.Fetch[struct{ Holds []any }](n, "fakenode_faults").Holds, 1)
}
