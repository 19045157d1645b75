package eth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Ensure an access list names what a call reads, with the gas that it then uses, also where the call fails, whose
// reason is a member then.
func TestAccessListOfCall(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	counter := map[string]any{"from": servertest.Alice.Address, "to": servertest.Counter}
	answer := servertest.Fetch[json.RawMessage](n, "eth_createAccessList", counter)
	var is struct {
		AccessList types.AccessList
		GasUsed    hexutil.Uint64
		Error      *string
	}
	require.NoError(t, json.Unmarshal(answer, &is))
	require.Equal(t, types.AccessList{{Address: servertest.Counter, StorageKeys: []common.Hash{{}}}}, is.AccessList)
	require.Nil(t, is.Error)
	counter["accessList"], counter["gas"] = is.AccessList, is.GasUsed
	n.Do("eth_call", counter, "latest")
	counter["gas"] = is.GasUsed - 1
	n.Fails(api.CodeServer, "eth_call", counter, "latest")

	failed := servertest.Fetch[json.RawMessage](n, "eth_createAccessList", map[string]any{"to": servertest.Reverter, "data": "0x01"})
	require.NoError(t, json.Unmarshal(failed, &is))
	require.Equal(t, "execution reverted", *is.Error)
	require.Empty(t, is.AccessList)
	require.Greater(t, uint64(is.GasUsed), uint64(21_000))
}

// Ensure nothing is run for a client that has left.
func TestCallsOfThoseWhoLeft(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	left, leave := context.WithCancel(t.Context())
	leave()
	call := `{"to":"` + servertest.Counter.Hex() + `"}`
	for method, params := range map[string]string{
		"eth_call": call, "eth_estimateGas": call, "eth_createAccessList": call, "eth_simulateV1": `{"blockStateCalls":[]},"latest"`,
	} {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":[%s]}`, method, params)
		answer := string(n.Server.Call(left, world.Main, []byte(body)))
		require.Contains(t, answer, `"error"`, method)
		require.Contains(t, answer, "cancel", method)
	}
}

// Ensure eth_callAfter answers at once where the nonce is there already, and that its longest timeout is taken.
func TestCallAfterAtItsEdges(t *testing.T) {
	t.Parallel()
	n := realtimeNetwork(t, api.PreconfMegaETH, api.Limits{})
	n.Pay(0, 1, 1)
	n.Preconfirm()
	call := map[string]any{"to": servertest.Counter}
	after := func(nonce, timeout any) map[string]any {
		condition := map[string]any{"account": servertest.Alice.Address, "nonce": nonce}
		if timeout != nil {
			condition["timeout"] = timeout
		}
		return condition
	}
	for _, condition := range []map[string]any{after(0, nil), after(1, nil), after(1, 60_000), after("0x1", "0xea60")} {
		require.Equal(t, common.BigToHash(common.Big1).Hex(), servertest.Fetch[string](n, "eth_callAfter", call, condition))
	}
	failure := n.Fails(api.CodeInvalidParams, "eth_callAfter", call, after(1, 60_001))
	require.Equal(t, "timeout of 60001 ms is too long, the limit is 60000 ms", failure.Message)
	for _, half := range []map[string]any{{"account": servertest.Alice.Address}, {"nonce": 1}} {
		failure = n.Fails(api.CodeInvalidParams, "eth_callAfter", call, half)
		require.Equal(t, "invalid argument 1 (condition) of eth_callAfter: account or nonce is missing, want {account, nonce, timeout?}", failure.Message)
	}
	n.Fails(api.CodeInvalidParams, "eth_callAfter", call, after(1, -1))
	n.Fails(api.CodeInvalidParams, "eth_callAfter", call, map[string]any{"account": servertest.Alice.Address, "nonces": 1})
	require.Equal(t, "Timeout: timeout waiting for nonce condition", n.Fails(api.CodeServer, "eth_callAfter", call, after(2, 1)).Message)
	n.Fails(-32019, "eth_getBalance", servertest.Alice.Address, "0x7")
	overridden := map[common.Address]any{servertest.Counter: map[string]any{"code": "0x60076000526001601ff3"}}
	require.Equal(t, "0x07", servertest.Fetch[string](n, "eth_callAfter", call, after(1, nil), overridden))
}

// Ensure each way to send or to sign refuses an account that the node has no key of, and an object without one.
func TestSendersWithoutKey(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	stranger := common.Address{9}
	for _, method := range []string{"eth_sendTransaction", "eth_signTransaction", "eth_sendTransactionSync"} {
		n.Refuses(api.CodeServer, []string{"unknown account"}, method, map[string]any{"from": stranger, "to": stranger})
		failure := n.Fails(api.CodeInvalidParams, method, map[string]any{"to": stranger})
		require.Equal(t, "invalid argument 0 (transaction) of "+method+": from is missing", failure.Message)
	}
	n.Refuses(api.CodeServer, []string{"unknown account"}, "eth_sign", stranger, "0x01")
	n.Refuses(api.CodeServer, []string{"unknown account"}, "personal_sign", "0x01", stranger)
	failure := n.Fails(api.CodeInvalidParams, "eth_sendRawTransaction", "0x0102")
	require.Contains(t, failure.Message, "invalid argument 0 (transaction) of eth_sendRawTransaction: have 0x0102, want a signed transaction: ")
	geth := inProfile(t, persona.Geth.Wire, preconf.Config{})
	raw := servertest.Fetch[struct{ Tx *types.Transaction }](geth, "eth_signTransaction", map[string]any{"to": stranger}).Tx
	from, err := types.Sender(types.LatestSignerForChainID(raw.ChainId()), raw)
	require.NoError(t, err)
	require.Equal(t, servertest.Alice.Address, from)
	hash := servertest.Fetch[common.Hash](geth, "eth_sendTransaction", map[string]any{"to": stranger})
	require.Equal(t, servertest.Alice.Address, servertest.Fetch[struct{ From common.Address }](geth, "eth_getTransactionByHash", hash).From)
	n.Do("anvil_setBalance", stranger, "0xde0b6b3a7640000")
	n.Do("eth_sendUnsignedTransaction", map[string]any{"from": stranger, "to": stranger})
}
