package command_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

func TestOpenSubscriptions(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	first := n.Client()
	var id string
	require.NoError(t, first.Call(&id, "eth_subscribe", "newHeads"))
	watcher, err := rpc.Dial(n.Server.WebSocketURL() + "/?observer")
	require.NoError(t, err)
	t.Cleanup(watcher.Close)
	require.NoError(t, watcher.Call(&id, "eth_subscribe", "logs", map[string]any{}))
	type entry struct {
		Connection uint64
		ID, Kind   string
		Option     json.RawMessage
		Observer   bool
	}
	require.Equal(t, []entry{{Connection: 1, ID: "0x1", Kind: "newHeads"}, {2, "0x2", "logs", json.RawMessage("{}"), true}},
		servertest.Fetch[[]entry](n, "fakenode_subscriptions"))
}

// Ensure who observes neither shows in the journal nor suffers what is meant for others.
func TestObserver(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	watcher, err := rpc.Dial(n.Server.URL() + "/?observer")
	require.NoError(t, err)
	t.Cleanup(watcher.Close)
	n.Do("fakenode_setFault", map[string]any{"method": "*", "error": map[string]any{"code": -5, "message": "no"}})
	var number string
	require.NoError(t, watcher.Call(&number, "eth_blockNumber"))
	require.Empty(t, n.Server.Calls(world.Main, ""))
	n.Fails(-5, "eth_blockNumber")
	require.Len(t, n.Server.Calls(world.Main, ""), 1)
}

// Ensure what contracts wrote to the console in a transaction is told line by line.
func TestConsole(t *testing.T) {
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
}

// Ensure the journal has the calls since one, of a method if that is asked for.
func TestCalls(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	type call struct {
		Number uint64
		Method string
	}
	for _, method := range []string{"eth_chainId", "eth_blockNumber", "eth_chainId", "eth_chainId"} {
		n.Do(method)
	}
	all := servertest.Fetch[[]call](n, "fakenode_calls")
	require.Equal(t, []call{{1, "eth_chainId"}, {2, "eth_blockNumber"}, {3, "eth_chainId"}, {4, "eth_chainId"}}, all)
	require.Equal(t, all[2:], servertest.Fetch[[]call](n, "fakenode_calls", map[string]any{"since": 2})[:2])
	require.Equal(t, all[2:], servertest.Fetch[[]call](n, "fakenode_calls", map[string]any{"since": 2, "method": "eth_chainId"}))
}
