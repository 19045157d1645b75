package eth_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// pendingTag is the block tag as ethclient spells it.
var pendingTag = big.NewInt(int64(rpc.PendingBlockNumber))

// count calls the counter at a block, nil for latest, and returns its new value.
func count(n *servertest.Network, block *big.Int) int64 {
	n.Helper()
	answer, err := n.Eth.CallContract(n.Context(), ethereum.CallMsg{To: &servertest.Counter}, block)
	require.NoError(n, err)
	return new(big.Int).SetBytes(answer).Int64()
}

// Ensure a call sees the pre-confirmed state at pending, and only there (contract 4-rule2).
func TestCallSeesPreconfirmed(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Send(servertest.Alice, &servertest.Counter, nil)
	require.EqualValues(t, 1, count(n, pendingTag), "still in the pool")
	n.Preconfirm()
	require.EqualValues(t, 2, count(n, pendingTag))
	require.EqualValues(t, 1, count(n, nil))
	n.Seal(1)
	require.EqualValues(t, 2, count(n, nil))
	require.EqualValues(t, 1, count(n, common.Big0))
}

// Ensure a revert is -32000 with the returned bytes (contract 7-revert), and under geth's profile 3 with the reason,
// which ethclient then decodes.
func TestCallRevert(t *testing.T) {
	t.Parallel()
	reason := hexutil.MustDecode("0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036261640000000000000000000000000000000000000000000000000000000000")
	message := map[string]any{"to": servertest.Reverter, "data": hexutil.Bytes(reason)}

	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	nothing := map[string]any{"data": "0x60006000fd"} // clients take an error without data for another kind
	require.Equal(t, "0x", n.Fails(-32000, "eth_call", nothing).Data)
	failure := n.Fails(-32000, "eth_call", message, "latest")
	require.Equal(t, "execution reverted", failure.Message)
	require.Equal(t, hexutil.Encode(reason), failure.Data)

	n = servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.Geth.Wire}})
	require.Equal(t, "0x", n.Fails(3, "eth_call", nothing).Data)
	failure = n.Fails(3, "eth_call", message, "latest")
	require.Equal(t, "execution reverted: bad", failure.Message)
	_, err := n.Eth.CallContract(t.Context(), ethereum.CallMsg{To: &servertest.Reverter, Data: reason}, nil)
	data, ok := ethclient.RevertErrorData(err)
	require.True(t, ok)
	require.Equal(t, reason, data)
}

// Ensure estimates, and the gas of a transaction that is sent without, have the margin that was asked for, up to the
// gas that there may be.
func TestEstimateMargin(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{Limits: api.Limits{EstimateMargin: 25}})
	call := map[string]any{"from": servertest.Alice.Address, "to": servertest.Bob.Address}
	require.Equal(t, "0x668a", servertest.Fetch[string](n, "eth_estimateGas", call)) // 26,250
	hash := servertest.Fetch[string](n, "eth_sendTransaction", call)
	require.Equal(t, "0x668a", servertest.Fetch[map[string]any](n, "eth_getTransactionByHash", hash)["gas"])
	call["gas"] = "0x5dc0"
	require.Equal(t, "0x5dc0", servertest.Fetch[string](n, "eth_estimateGas", call))
	require.EqualError(t, api.Limits{EstimateMargin: 1001}.Validate(), "margin of gas estimates is 1001 %, the limit is 1000")
}
