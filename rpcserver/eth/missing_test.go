package eth_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// stateMethods are the methods that read the state after a block, without the block, which is their last parameter.
func stateMethods(account common.Address) map[string][]any {
	call := map[string]any{"to": account}
	return map[string][]any{
		"eth_getBalance": {account}, "eth_getCode": {account}, "eth_getTransactionCount": {account}, "eth_getStorageAt": {account, "0x0"},
		"eth_getProof": {account, []string{"0x0"}}, "eth_getAccount": {account}, "eth_getAccountInfo": {account},
		"eth_call": {call}, "eth_estimateGas": {call}, "eth_createAccessList": {call},
		"eth_simulateV1": {map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{call}}}}},
	}
}

// Ensure every method that reads a state says that there is no such block, or that its state is no longer kept.
func TestStatesThatAreNotThere(t *testing.T) {
	t.Parallel()
	pruning, err := chain.New(servertest.Genesis(), chain.Options{History: 4})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: pruning}, rpcserver.Config{})
	n.Seal(10)
	for method, params := range stateMethods(servertest.Counter) {
		n.Refuses(api.CodeNotFound, []string{"block not found: 0xb"}, method, append(params, "0xb")...)
		n.Refuses(api.CodeServer, []string{"pruned"}, method, append(params, "0x1")...)
		for _, tag := range []string{"latest", "pending", "0x9"} {
			n.Do(method, append(params, tag)...)
		}
	}
}

// Ensure parts of parameters that cannot be are refused by their name.
func TestPartsOfParameters(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Filters: filter.Limits{Count: 2}}, rpcserver.Config{})
	both := map[string]any{servertest.Counter.Hex(): map[string]any{"state": map[string]any{}, "stateDiff": map[string]any{}}}
	call := map[string]any{"to": servertest.Counter}
	n.Refuses(api.CodeServer, []string{"stateDiff"}, "eth_call", call, "latest", both)
	n.Refuses(api.CodeInvalidParams, []string{"stateDiff"}, "eth_simulateV1",
		map[string]any{"blockStateCalls": []any{map[string]any{"stateOverrides": both}}}, "latest")
	for _, topics := range []any{[]any{"0x12"}, []any{[]any{"0x12"}}, []any{7}, "0x12"} {
		n.Refuses(api.CodeInvalidParams, []string{"filter"}, "eth_getLogs", map[string]any{"topics": topics})
	}
	first := servertest.Fetch[hexutil.Uint64](n, "eth_newBlockFilter")
	n.Do("eth_newPendingTransactionFilter")
	for _, method := range []string{"eth_newBlockFilter", "eth_newPendingTransactionFilter"} {
		n.Refuses(api.CodeServer, []string{"2"}, method)
	}
	n.Refuses(api.CodeServer, []string{"2"}, "eth_newFilter", map[string]any{})
	require.True(t, servertest.Fetch[bool](n, "eth_uninstallFilter", first))
	require.False(t, servertest.Fetch[bool](n, "eth_uninstallFilter", first))
	n.Refuses(api.CodeServer, []string{"filter not found: " + first.String()}, "eth_getFilterChanges", first)
	n.Refuses(api.CodeServer, []string{"0x2"}, "eth_getFilterLogs", "0x2") // a filter of transactions has none
	n.Do("eth_newFilter", map[string]any{})
}

// Ensure realtime_sendRawTransaction answers with the receipt of a transaction that is pre-confirmed already, and with
// an error where it cannot be sent.
func TestRealtimeSending(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{Preconf: api.PreconfMegaETH}}})
	raw := hexutil.Bytes(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 0)))
	receipt := servertest.Fetch[struct{ TransactionHash common.Hash }](n, "realtime_sendRawTransaction", raw, 1000)
	require.Equal(t, servertest.Signed(t, servertest.Alice, 0).Hash(), receipt.TransactionHash)
	n.Refuses(api.CodeServer, []string{"nonce too low"}, "realtime_sendRawTransaction", raw)
	require.EqualValues(t, 1, n.Timeline.Moment().Latest().Number())
}
