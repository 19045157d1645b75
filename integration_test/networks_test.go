package integration_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// Ensure a node without the pre-confirmation layer answers pending as latest in every method, and does not have the
// methods and subscriptions of that layer (contract 1-pending).
func TestNoPreconfirmation(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{NoPreconf: true})
	node.Seal()
	node.send(0, nil, labcode.Deployment(labcode.Counter()))
	node.send(0, &counter, nil)
	same := func() {
		t.Helper()
		for name, read := range stateReads(node) {
			if name != "nonce" { // counts the pool
				require.JSONEq(t, node.put(read("latest")), node.put(read("pending")), name)
			}
		}
		for _, method := range []string{
			"eth_getBlockByNumber", "eth_getHeaderByNumber", "eth_getBlockTransactionCountByNumber", "eth_getBlockReceipts",
			"eth_getUncleCountByBlockNumber",
		} {
			arguments := func(tag string) []any {
				if method == "eth_getBlockByNumber" {
					return []any{tag, true}
				}
				return []any{tag}
			}
			require.JSONEq(t, node.ask(method, arguments("latest")...), node.ask(method, arguments("pending")...), method)
		}
		require.JSONEq(t, node.ask("eth_getLogs", object{}), node.ask("eth_getLogs", object{"fromBlock": "pending", "toBlock": "pending"}))
		require.JSONEq(t, node.ask("eth_getLogs", object{"fromBlock": "0x0"}), node.ask("eth_getLogs", object{"fromBlock": "0x0", "toBlock": "pending"}))
	}
	same()
	require.EqualValues(t, 2, node.nonce(0, "pending"))
	require.Equal(t, "[]", node.ask("eth_getLogs", object{}))
	node.Seal()
	same()
	require.NotEqual(t, "[]", node.ask("eth_getLogs", object{}))

	for _, tag := range []string{"pending", "latest", "0x0"} {
		node.fails(-32601, "eth_simulateV1", payload(object{}), tag)
	}
	socket, err := rpc.Dial(node.WebSocketURL())
	require.NoError(t, err)
	t.Cleanup(socket.Close)
	for _, kind := range []string{"pendingLogs", "newFlashblocks", "newFlashblockTransactions"} {
		_, err := socket.EthSubscribe(t.Context(), make(chan json.RawMessage), kind)
		var failure rpc.Error
		require.ErrorAs(t, err, &failure, kind)
		require.Equal(t, -32601, failure.ErrorCode(), kind)
	}
	_, err = socket.EthSubscribe(t.Context(), make(chan json.RawMessage), "logs", object{})
	require.NoError(t, err)
}

// Ensure the test network is a chain of its own at /testnet: id, blocks, state, pre-confirmation and clock.
func TestTestnet(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	main := visit(t, node)
	client, err := rpc.Dial(node.TestnetURL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	testnet := &lab{node, t, client, nil}
	require.Equal(t, node.URL()+"/testnet", node.TestnetURL())
	require.Equal(t, `"0x7a69"`, main.ask("eth_chainId"))
	require.Equal(t, `"0x7a6a"`, testnet.ask("eth_chainId"))

	contract := created(node.Account(0).Address, 0)
	code := func(l *lab, tag string) string { return l.ask("eth_getCode", contract, tag) }
	testnet.send(0, nil, labcode.Deployment([]byte{0xfe}))
	node.Preconfirm()
	require.Equal(t, `"0x"`, code(testnet, "pending"), "only its own flashblocks count")
	node.Testnet().Preconfirm()
	require.Equal(t, `"0xfe"`, code(testnet, "pending"))
	require.Equal(t, `"0x"`, code(testnet, "latest"))
	require.Equal(t, `"0x"`, code(main, "pending"))
	node.Testnet().Seal()
	require.Equal(t, `"0xfe"`, code(testnet, "latest"))
	require.Equal(t, `"0x"`, code(main, "latest"))
	require.Equal(t, `"0x1"`, testnet.ask("eth_blockNumber"))
	require.Equal(t, `"0x0"`, main.ask("eth_blockNumber"))
	require.EqualValues(t, 2, testnet.simulate(payload(object{}), "pending")[0].Number)
	require.EqualValues(t, 1, main.simulate(payload(object{}), "pending")[0].Number)
}
