package command_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/beacon/engine"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Ensure numbers of control methods are taken up to their limits and refused beyond, each by its name.
func TestLimitsOfCommands(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Seal(2)
	const most = math.MaxInt32
	fault := func(members ...any) []any {
		object := map[string]any{"method": "eth_call"}
		for i := 0; i < len(members); i += 2 {
			object[members[i].(string)] = members[i+1]
		}
		return []any{object}
	}
	for _, c := range []struct {
		method string
		params []any
		words  string // empty: it is taken
	}{
		{"fakenode_setFault", fault("latencyMs", most), ""},
		{"fakenode_setFault", fault("latencyMs", most+1), "fault: a number is above 2147483647"},
		{"fakenode_setFault", fault("latencyMs", 1, "latencySpreadMs", most+1), "fault: a number is above 2147483647"},
		{"fakenode_setFault", fault("httpStatus", most+1), "fault: a number is above 2147483647"},
		{"fakenode_setFault", fault("truncate", most+1), "fault: a number is above 2147483647"},
		{"fakenode_setFault", fault("behind", most+1), "fault: a number is above 2147483647"},
		{"fakenode_setFault", fault("behindMs", most+1), "fault: a number is above 2147483647"},
		{"fakenode_setFault", fault("latencyMs", 1, "nth", most+1), "fault: a number is above 2147483647"},
		{"fakenode_setFault", fault("latencyMs", 1, "nth", 0), "fault: nth is 0, want 1 or more"},
		{"fakenode_setFault", fault("latencyMs", 1, "times", 0), "not -1 or from 1 to 2^31-1"},
		{"fakenode_setFault", fault("latencyMs", 1, "times", most), ""},
		{"fakenode_setFault", fault("latencyMs", 1, "times", most+1), "not -1 or from 1 to 2^31-1"},
		{"fakenode_setFault", fault("branch", "other"), `fault: branch is "other", want "orphaned", or leave it out`},
		{"fakenode_setFault", fault("branch", "orphaned"), ""},
		{"fakenode_setFault", fault("method", "", "latencyMs", 1), `fault: method is missing; "*" is every method`},
		{"fakenode_setFault", fault("ltency", 1), "{method, nth?, times?, latencyMs?"},
		{"fakenode_feedFault", []any{map[string]any{"kind": "gap", "nth": 0}}, "fakenode_feedFault: nth is 0, want 1 or more"},
		{"fakenode_feedFault", []any{map[string]any{"kind": "gap", "count": 0}}, "fakenode_feedFault: count is 0, want 1 or more"},
		{"fakenode_feedFault", []any{map[string]any{"kind": "truncate", "bytes": 0}}, "fakenode_feedFault: bytes is 0, want 1 or more"},
		{"fakenode_feedFault", []any{map[string]any{"kind": "disconnect", "code": 0}}, "fakenode_feedFault: code is 0, want 1 or more"},
		{"fakenode_feedFault", []any{map[string]any{"kind": "gap", "nth": uint64(math.MaxUint64)}}, "nth is 2147483647"},
		{"fakenode_feedFault", []any{map[string]any{"knd": "gap"}}, "{kind, nth?, count?, bytes?, code?}"},
		{"fakenode_bundlerFault", []any{map[string]any{"kind": "late", "milliseconds": uint64(math.MaxInt64/1_000_000 + 1)}}, "9223372036855 ms are too long"},
		{"fakenode_bundlerFault", []any{map[string]any{"knd": "late"}}, "{kind, sender?, count?}, with {blocks? or milliseconds?} if late"},
		{"fakenode_disconnect", []any{map[string]any{"kind": "none"}}, "fakenode_disconnect: "},
		{"fakenode_disconnect", []any{map[string]any{"knd": "none"}}, "{code?, kind?}"},
		{"fakenode_flashblockFault", []any{map[string]any{"knd": "stall"}}, "{kind, count?, transactions?, hashes?, retract?}"},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "stall", "transactions": "requeue"}}, ""},
		{"fakenode_advance", []any{uint64(3_155_760_000_001)}, "cannot advance by 3155760000001 ms at once: the limit is 3155760000000 (100 years)"},
		{"fakenode_jump", []any{uint64(3_155_760_000_001)}, "cannot jump by 3155760000001 ms at once: the limit is 3155760000000 (100 years)"},
		{"fakenode_reorg", []any{map[string]any{"depth": 1, "length": 10_001}}, "length of the reorg: have 10001, the limit is 10000"},
		{"fakenode_reorg", []any{map[string]any{"dpth": 1}}, "{depth, length?, transactions?, drop?, blocks?, removedOrder?, force?, l2Transactions?}"},
		{"anvil_reorg", []any{1, []any{[]any{"0x12"}}}, "not a pair of a transaction and a block offset"},
		{"anvil_reorg", []any{1, []any{[]any{7, 0}}}, "argument 1"},
		{"debug_setHead", []any{3}, "invalid argument 0 (number) of debug_setHead: block 3 is above the head, 2"},
		{"evm_increaseTime", []any{3_155_760_000.5}, "not between 0 and 3,155,760,000 (100 years)"},
		{"evm_increaseTime", []any{"soon"}, "not a whole number"},
		{"evm_increaseTime", []any{true}, "not a number"},
		{"fakenode_scenario", []any{"DeepReorg", map[string]any{"dpth": 1}}, "dpth"},
		{"fakenode_scenarioStart", []any{"Doom"}, "Doom"},
		{"fakenode_scenarioStart", []any{"DeepReorg", 5}, "fakenode_scenarioStart"},
		{"fakenode_scenarioNext", []any{3}, "no scenario with the id 3 is told: the last that began has 0"},
		{"fakenode_mintToken", []any{common.Address{1}, "0x1" + servertest.Padded("0")}, "not between 0 and 2^256-1"},
	} {
		if c.words == "" {
			n.Do(c.method, c.params...)
			continue
		}
		n.Refuses(api.CodeInvalidParams, []string{c.words}, c.method, c.params...)
	}
	for _, method := range []string{"fakenode_deposit", "fakenode_setL1"} {
		params := map[string]any{}
		if method == "fakenode_deposit" {
			params["from"] = common.Address{1}
		}
		n.Refuses(api.CodeServer, []string{method + ": "}, method, params)
	}
	n.Refuses(api.CodeInvalidParams, []string{"fakenode_deposit: from is missing"}, "fakenode_deposit", map[string]any{})
	faults := servertest.Fetch[struct{ Calls []map[string]any }](n, "fakenode_faults").Calls
	require.Len(t, faults, 3)
	require.Equal(t, map[string]any{"method": "eth_call", "nth": 1.0, "times": 1.0, "branch": "orphaned"}, faults[2])
}

// Ensure depths and lengths of reorgs are taken at their limits.
func TestReorgAtItsEdges(t *testing.T) {
	t.Parallel()
	remembering, err := chain.New(servertest.Genesis(), chain.Options{History: 30_000})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: remembering}, rpcserver.Config{})
	n.Seal(3)
	type changes struct{ Removed, Added, Requeued []common.Hash }
	is := servertest.Fetch[changes](n, "fakenode_reorg", map[string]any{"depth": 1, "length": 10_000})
	require.Len(t, is.Removed, 1)
	require.Len(t, is.Added, 10_000)
	require.Equal(t, []common.Hash{}, is.Requeued)
	is = servertest.Fetch[changes](n, "fakenode_reorg", map[string]any{"depth": 10_001, "length": 10_002, "force": true})
	require.Len(t, is.Added, 10_002)
	n.Refuses(api.CodeInvalidParams, []string{"have 10004, the limit is 10003"}, "fakenode_reorg", map[string]any{"depth": 10_002, "length": 10_004, "force": true})
	number := func() (n1 uint64) { n1, _ = head(n); return n1 }
	require.EqualValues(t, 10_003, number())
	n.Do("debug_setHead", 10_003)
	require.EqualValues(t, 10_003, number())
	n.Do("debug_setHead", "0x5")
	require.EqualValues(t, 5, number())
	n.Do("anvil_rollback")
	require.EqualValues(t, 4, number())
	n.Do("anvil_rollback", 0)
	require.EqualValues(t, 4, number())
	n.Do("anvil_rollback", 2)
	require.EqualValues(t, 2, number())
	n.Do("anvil_reorg", 0)
	require.EqualValues(t, 2, number())
	orphans := servertest.Fetch[[]struct{ Number uint64 }](n, "fakenode_orphans")
	require.Len(t, orphans, 1000)
	require.EqualValues(t, 10_003, orphans[0].Number)
	require.GreaterOrEqual(t, orphans[998].Number, orphans[999].Number)

	// A reorg of given transactions fills in nonces one after another, also behind one that is given signed.
	alice := servertest.Alice.Address
	object := map[string]any{"from": alice, "to": servertest.Bob.Address, "gas": "0x5208"}
	n.Do("anvil_reorg", 2, []any{[]any{object, 0}, []any{object, 0}, []any{object, "0x1"}})
	require.Equal(t, "0x3", servertest.Fetch[string](n, "eth_getTransactionCount", alice))
	require.Equal(t, "0x2", servertest.Fetch[string](n, "eth_getBlockTransactionCountByNumber", "0x1"))
	require.Equal(t, "0x1", servertest.Fetch[string](n, "eth_getBlockTransactionCountByNumber", "0x2"))
	signed := hexutil.Encode(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 0)))
	n.Do("anvil_reorg", 1, []any{})
	require.Equal(t, "0x2", servertest.Fetch[string](n, "eth_getTransactionCount", alice))
	n.Do("anvil_reorg", 2, []any{[]any{signed, 1}})
	require.Equal(t, "0x1", servertest.Fetch[string](n, "eth_getTransactionCount", alice))
	n.Refuses(api.CodeInvalidParams, []string{"anvil_reorg: transaction 1: the node has no key for 0x0900000000000000000000000000000000000000: want"},
		"anvil_reorg", 1, []any{[]any{object, 0}, []any{map[string]any{"from": common.Address{9}, "to": alice}, 0}})
	n.Refuses(api.CodeInvalidParams, []string{"block offset 2 of transaction 0 is not below the depth, 2"}, "anvil_reorg", 2, []any{[]any{object, 2}})
	n.Refuses(api.CodeInvalidParams, []string{"depth 3 is more than the 2 blocks there are above block 0"}, "anvil_reorg", 3)
}

// Ensure a block that cannot be built is refused with the reason, and that its limits are those asked for.
func TestBuiltBlocks(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Seal(1)
	latest := n.Timeline.Moment().Latest()
	attributes := func(members map[string]any) map[string]any {
		all := map[string]any{"timestamp": hexutil.Uint64(latest.Time() + 1), "prevRandao": common.Hash{7}, "suggestedFeeRecipient": common.Address{0xfe},
			"withdrawals": []any{}, "parentBeaconBlockRoot": common.Hash{8}}
		for name, value := range members {
			all[name] = value
		}
		return all
	}
	n.Pay(1, 2, 1)
	stranger, err := types.SignNewTx(servertest.Alice.Key, types.LatestSignerForChainID(big.NewInt(5)), &types.DynamicFeeTx{ChainID: big.NewInt(5), Gas: 21_000})
	require.NoError(t, err)
	for _, c := range []struct {
		parent     common.Hash
		attributes map[string]any
		raw        any
		words      string
	}{
		{common.Hash{1}, attributes(nil), nil, "parent hash " + common.Hash{1}.Hex() + " is not that of the head, " + latest.Hash().Hex()},
		{latest.Hash(), attributes(map[string]any{"timestamp": hexutil.Uint64(latest.Time())}), nil,
			fmt.Sprintf("timestamp %d is not after %d, that of the parent", latest.Time(), latest.Time())},
		{latest.Hash(), attributes(nil), []string{"0x01"}, "transaction 0: "},
		{latest.Hash(), attributes(nil), []string{hexutil.Encode(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 0))), hexutil.Encode(servertest.Raw(t, stranger))},
			"transaction 1: invalid chain id"},
		{latest.Hash(), attributes(nil), []string{hexutil.Encode(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 3)))}, "transaction 0: nonce too high"},
	} {
		n.Refuses(api.CodeServer, []string{c.words}, "testing_buildBlockV1", c.parent, c.attributes, c.raw, nil)
	}
	raw := []string{hexutil.Encode(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 0)))}
	for target, want := range map[any]uint64{nil: 60_000_000, hexutil.Uint64(30_000_000): 60_000_000 - 60_000_000/1024 + 1, hexutil.Uint64(90_000_000): 60_000_000 + 60_000_000/1024 - 1} {
		members := map[string]any{}
		if target != nil {
			members["targetGasLimit"] = target
		}
		built := servertest.Fetch[engine.ExecutionPayloadEnvelope](n, "testing_buildBlockV1", latest.Hash(), attributes(members), raw, "0xab")
		payload := built.ExecutionPayload
		require.Equal(t, want, payload.GasLimit, target)
		require.Equal(t, latest.Number()+1, payload.Number)
		require.Equal(t, latest.Time()+1, payload.Timestamp)
		require.Equal(t, []byte{0xab}, payload.ExtraData)
		require.Equal(t, common.Address{0xfe}, payload.FeeRecipient)
		require.Equal(t, common.Hash{7}, payload.Random)
		require.Len(t, payload.Transactions, 1)
		require.Equal(t, big.NewInt(21_000*1_000_000_000), built.BlockValue, "the tips")
	}
	require.NoError(t, n.Timeline.Send(servertest.Signed(t, fixtures.Dev(3), 5)), "it waits for earlier ones")
	n.Pay(2, 1, 1)
	waiting := servertest.Fetch[engine.ExecutionPayloadEnvelope](n, "testing_buildBlockV1", latest.Hash(), attributes(nil), nil, nil)
	require.Len(t, waiting.ExecutionPayload.Transactions, 2)
	require.Empty(t, waiting.ExecutionPayload.ExtraData)
	require.EqualValues(t, 1, n.Timeline.Moment().Latest().Number(), "the chain does not change")

	amsterdam := servertest.NewAmsterdam(t, rpcserver.Config{})
	amsterdam.Seal(2)
	latest = amsterdam.Timeline.Moment().Latest()
	amsterdam.Refuses(api.CodeServer, []string{"the attributes have no slotNumber, which blocks have from amsterdam on"},
		"testing_buildBlockV1", latest.Hash(), attributes(nil), nil, nil)
	amsterdam.Do("testing_buildBlockV1", latest.Hash(), attributes(map[string]any{"slotNumber": "0x7"}), nil, nil)
}

// Ensure what contracts wrote to the console in a transaction is told line by line, and what calls were made since one.
func TestConsoleAndCallsOfANode(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	logger := common.Address{0x7}
	call := func(data []byte) []byte {
		return program.New().Mstore(data, 0).Call(nil, uint256.MustFromBig(chain.ConsoleAddress.Big()), 0, 0, len(data), 0, 0).Op(vm.POP).Bytes()
	}
	one := append(common.FromHex("f82c50f1"), common.BigToHash(big.NewInt(7)).Bytes()...) // log(uint256)
	n.Do("anvil_setCode", logger, hexutil.Bytes(append(append(call(one), call([]byte{1, 2})...), byte(vm.STOP))))
	tx := n.Transact(0, &logger, new(big.Int), []byte{1}).Hash()
	n.Refuses(api.CodeServer, []string{"transaction not found: " + tx.Hex() + " is in no sealed or pre-confirmed block"}, "fakenode_console", tx)
	n.Preconfirm()
	require.Equal(t, []string{"7", "0x0102"}, servertest.Fetch[[]string](n, "fakenode_console", tx))
	n.Seal(1)
	require.Equal(t, []string{"7", "0x0102"}, servertest.Fetch[[]string](n, "fakenode_console", tx))
	silent := n.Pay(1, 2, 1).Hash()
	n.Seal(1)
	require.Equal(t, []string{}, servertest.Fetch[[]string](n, "fakenode_console", silent))

	type made struct {
		Number uint64
		Method string
	}
	for _, method := range []string{"eth_chainId", "eth_blockNumber", "eth_chainId", "eth_chainId"} {
		n.Do(method)
	}
	methods := func(calls []made) (names []string) {
		for _, one := range calls {
			names = append(names, one.Method)
		}
		return names
	}
	all := servertest.Fetch[[]made](n, "fakenode_calls")
	all = all[len(all)-4:]
	require.Equal(t, []string{"eth_chainId", "eth_blockNumber", "eth_chainId", "eth_chainId"}, methods(all))
	since := servertest.Fetch[[]made](n, "fakenode_calls", map[string]any{"since": all[1].Number})
	require.Subset(t, all[1:], since)
	since = servertest.Fetch[[]made](n, "fakenode_calls", map[string]any{"since": all[1].Number, "method": "eth_chainId"})
	require.Equal(t, all[2:], since)
	n.Refuses(api.CodeInvalidParams, []string{"{method?, since?}"}, "fakenode_calls", map[string]any{"sinse": 1})
}

// Ensure a scenario that a client begins is told move by move up to its end, one at a time.
func TestScenarioMoveByMove(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	require.EqualValues(t, 1, servertest.Fetch[int](n, "fakenode_scenarioStart", "DeepReorg", map[string]any{"depth": 2}))
	require.EqualValues(t, 2, servertest.Fetch[int](n, "fakenode_scenarioStart", "DeepReorg"))
	n.Refuses(api.CodeInvalidParams, []string{"no scenario with the id 1 is told: the last that began has 2"}, "fakenode_scenarioNext", 1)
	require.NotEmpty(t, servertest.Fetch[json.RawMessage](n, "fakenode_scenarioNext", 2))
	played := servertest.Fetch[json.RawMessage](n, "fakenode_scenario", "DeepReorg")
	require.NotEmpty(t, played)
}

// Ensure state is dumped and tokens are dealt for those alone who wait for it.
func TestLongCommandsOfThoseWhoLeft(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	left, leave := context.WithCancel(t.Context())
	leave()
	for method, params := range map[string]string{
		"anvil_dumpState": "", "anvil_dealERC20": fmt.Sprintf(`"%s","%s",5`, fixtures.Dev(0).Address, servertest.Token),
	} {
		answer := string(n.Server.Call(left, world.Main, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":%q,"params":[%s]}`, method, params)))
		require.Contains(t, answer, "cancel", method)
	}
	n.Do("anvil_setERC20Allowance", fixtures.Dev(0).Address, fixtures.Dev(1).Address, servertest.Token, 77)
	allowance := servertest.CallData("allowance(address,address)", fixtures.Dev(0).Address, fixtures.Dev(1).Address)
	require.Equal(t, common.BigToHash(big.NewInt(77)).Hex(), servertest.Fetch[string](n, "eth_call", map[string]any{"to": servertest.Token, "data": hexutil.Bytes(allowance)}))
	n.Refuses(api.CodeInvalidParams, []string{"anvil_setERC20Allowance: there is no contract at "}, "anvil_setERC20Allowance", servertest.Alice.Address, servertest.Alice.Address, common.Address{9}, 1)
	// A token whose answer is a flag where its slot is full: the whole slot is the balance.
	odd := common.Address{0x77}
	n.Do("anvil_setCode", odd, "0x5f548019600f5760ff5f5260205ffd5b5f5260205ff3")
	n.Do("anvil_setStorageAt", odd, "0x0", common.Hash{30: 1, 31: 0xff}.Hex())
	n.Do("anvil_dealERC20", fixtures.Dev(0).Address, odd, 1)
	require.Equal(t, common.Hash{31: 1}.Hex(), servertest.Fetch[string](n, "eth_getStorageAt", odd, "0x0"))
	before := servertest.Fetch[hexutil.Big](n, "fakenode_mintToken", fixtures.Dev(5).Address, 0)
	after := servertest.Fetch[hexutil.Big](n, "fakenode_mintToken", fixtures.Dev(5).Address, 9)
	require.Equal(t, big.NewInt(9), new(big.Int).Sub(after.ToInt(), before.ToInt()))
}
