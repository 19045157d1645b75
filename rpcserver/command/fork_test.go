package command_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/command"
)

// forkOf returns a network on the head of another's chain, and the way there.
func forkOf(t *testing.T, under *servertest.Network) (*servertest.Network, *httptest.Server) {
	t.Helper()
	below := httptest.NewServer(under.Server)
	t.Cleanup(below.Close)
	return under.Fork(below.URL, rpcserver.Config{}), below
}

// Ensure a fork tells of the chain that it goes on from, wherever a node tells of itself, and takes another node of it.
func TestWhatAForkTells(t *testing.T) {
	t.Parallel()
	under := servertest.Plain(t)
	hash := under.Seal(3)[2]
	n, below := forkOf(t, under)
	n.Seal(1)
	info := servertest.Fetch[struct {
		Fork struct {
			URL             string
			ChainID, Number uint64
			Hash            common.Hash
			Requests        int
		}
	}](n, "fakenode_info").Fork
	require.Positive(t, info.Requests)
	require.Equal(t, []any{below.URL, uint64(servertest.ChainID), uint64(3), hash}, []any{info.URL, info.ChainID, info.Number, info.Hash})
	source := servertest.Fetch[struct{ ForkConfig map[string]any }](n, "anvil_nodeInfo").ForkConfig
	require.Equal(t, map[string]any{"forkUrl": below.URL, "forkBlockNumber": 3.0, "forkRetryBackoff": 100.0}, source)
	meta := servertest.Fetch[struct {
		ForkedNetwork struct {
			ChainID, ForkBlockNumber uint64
			ForkBlockHash            common.Hash
		}
	}](n, "hardhat_metadata")
	require.Equal(t, []any{uint64(servertest.ChainID), uint64(3), hash},
		[]any{meta.ForkedNetwork.ChainID, meta.ForkedNetwork.ForkBlockNumber, meta.ForkedNetwork.ForkBlockHash})
	require.EqualValues(t, servertest.Start+6, servertest.Fetch[uint64](n, "anvil_getGenesisTime"), "of the fork block")
	require.Equal(t, []string{}, servertest.Fetch[[]string](n, "fakenode_forkMisses"))

	n.Do("anvil_setRpcUrl", under.Server.URL())
	require.Equal(t, under.Server.URL(), servertest.Fetch[struct{ Fork struct{ URL string } }](n, "fakenode_info").Fork.URL)
	n.Refuses(api.CodeInvalidParams, []string{"anvil_setRpcUrl: ", "https://host/path"}, "anvil_setRpcUrl", "ftp://host")
	under.Refuses(api.CodeInvalidParams, []string{"this network is not a fork: anvil_reset makes one"}, "anvil_setRpcUrl", below.URL)
	plain := servertest.Fetch[struct{ ForkConfig map[string]any }](under, "anvil_nodeInfo").ForkConfig
	require.Equal(t, map[string]any{"forkUrl": nil, "forkBlockNumber": nil, "forkRetryBackoff": nil}, plain)
}

// Ensure the dump of a fork has what changed since the fork block alone, is loaded into another fork with what was
// there and what is gone, and is no genesis.
func TestDumpOfAFork(t *testing.T) {
	t.Parallel()
	under := servertest.Plain(t)
	rich, whole := common.Address{19: 0x77}, common.Address{19: 0x78}
	slot := func(last byte) string { return common.Hash{31: last}.Hex() }
	under.Do("anvil_setStorageAt", servertest.Counter, "0x1", slot(1))
	under.Do("anvil_setStorageAt", servertest.Counter, "0x2", slot(2))
	under.Do("anvil_setBalance", rich, 7)
	under.Seal(1)
	n, _ := forkOf(t, under)
	n.Do("anvil_setStorageAt", servertest.Counter, "0x2", slot(9))
	n.Do("anvil_setBalance", whole, 8)
	require.NoError(t, n.Timeline.EditState(func(s *evmstate.State) *evmstate.State { return s.WithoutAccount(rich) }))
	var text bytes.Buffer
	require.NoError(t, command.WriteDump(&text, n.Timeline.Moment()))
	var dump struct {
		Accounts map[common.Address]json.RawMessage
		Fork     struct {
			ChainID, Number uint64
			Gone, Partial   []common.Address
		}
	}
	require.NoError(t, json.Unmarshal(text.Bytes(), &dump))
	require.Len(t, dump.Accounts, 2)
	require.Contains(t, dump.Accounts, servertest.Counter)
	require.Equal(t, []uint64{servertest.ChainID, 1}, []uint64{dump.Fork.ChainID, dump.Fork.Number})
	require.Equal(t, []common.Address{rich}, dump.Fork.Gone)
	require.Equal(t, []common.Address{servertest.Counter}, dump.Fork.Partial)
	_, failure := command.ReadDump(bytes.NewReader(text.Bytes()))
	require.EqualError(t, failure, "it is the dump of a fork of chain 31337: it holds only what changed since block 1")

	other, below := forkOf(t, under)
	require.True(t, servertest.Fetch[bool](other, "anvil_loadState", hexutil.Bytes(text.Bytes())))
	for at, want := range map[string]string{"0x1": slot(1), "0x2": slot(9), "0x3": slot(0)} {
		require.Equal(t, want, servertest.Fetch[string](other, "eth_getStorageAt", servertest.Counter, at), at)
	}
	require.Equal(t, "0x0", servertest.Fetch[string](other, "eth_getBalance", rich))
	require.Equal(t, "0x8", servertest.Fetch[string](other, "eth_getBalance", whole))

	// What needs the other chain's data fails where its node is gone, and changes nothing.
	other.Seal(1)
	below.Close()
	bob := servertest.Bob.Address
	root := other.Timeline.Moment().Latest().Header().Root
	for method, params := range map[string][]any{
		"anvil_setBalance": {bob, 1}, "anvil_addBalance": {bob, 1}, "anvil_setCode": {bob, "0x00"}, "anvil_setNonce": {bob, 1},
		"hardhat_setNonce": {bob, 1}, "anvil_setStorageAt": {bob, "0x1", slot(1)}, "fakenode_delegate": {bob, servertest.Counter},
		"anvil_dealERC20": {bob, servertest.Token, 5}, "fakenode_transaction": {common.Hash{7}}, "fakenode_console": {common.Hash{7}},
		"anvil_loadState":    {hexutil.Bytes(bytes.ReplaceAll(text.Bytes(), []byte("0000000077"), []byte("0000000079")))},
		"evm_setAccountCode": {bob, "0x00"}, "fakenode_mintToken": {bob, "0x1"}, "anvil_setERC20Allowance": {bob, bob, servertest.Token, 1},
		"anvil_reorg": {1, []any{[]any{map[string]any{"from": servertest.Alice.Address, "to": bob, "gas": "0x5208"}, 0}}},
	} {
		result, failure := other.Try(method, params...)
		if method == "fakenode_transaction" { // it has the reason in place of an error
			require.Contains(t, string(result), `{"where":"unknown","reason":"fork: `)
			continue
		}
		require.NotNil(t, failure, method)
		require.Contains(t, failure.Message, "cannot be reached", method)
	}
	require.Equal(t, root, other.Timeline.Moment().Latest().Header().Root)
}

// Ensure a network begins anew at the block that is asked for, in each form that other nodes take it, and at its start
// without one.
func TestResetToAFork(t *testing.T) {
	t.Parallel()
	var asked []string
	refork := func(_ *preconf.Timeline, url, block string) error {
		asked = append(asked, url+" "+block)
		if url == "http://gone" {
			return fmt.Errorf("the node is gone")
		}
		return nil
	}
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Refork: refork}})
	for _, tc := range []struct {
		options map[string]any
		want    string
	}{
		{map[string]any{"forking": map[string]any{"jsonRpcUrl": "http://a", "blockNumber": 16}}, "http://a 0x10"},
		{map[string]any{"forking": map[string]any{"jsonRpcUrl": "http://a"}}, "http://a "},
		{map[string]any{"forking": map[string]any{"blockNumber": "0x11"}}, " 0x11"},
		{map[string]any{"jsonRpcUrl": "http://b", "blockNumber": "latest"}, "http://b latest"},
		{map[string]any{"jsonRpcUrl": "http://b", "blockNumber": 0}, "http://b 0x0"},
		{map[string]any{"jsonRpcUrl": "http://b", "blockNumber": 1, "forking": map[string]any{"jsonRpcUrl": "http://a", "blockNumber": 2}}, "http://a 0x2"},
	} {
		asked = nil
		require.Nil(t, servertest.Fetch[any](n, "anvil_reset", tc.options))
		require.Equal(t, []string{tc.want}, asked)
	}
	asked = nil
	n.Refuses(api.CodeServer, []string{"the node is gone"}, "anvil_reset", map[string]any{"jsonRpcUrl": "http://gone"})
	n.Refuses(api.CodeInvalidParams, []string{"invalid forking.blockNumber: have -1, want a block number"}, "anvil_reset", map[string]any{"blockNumber": -1})
	require.Len(t, asked, 1)
	n.Seal(3)
	n.Do("hardhat_reset", map[string]any{})
	number, _ := head(n)
	require.Zero(t, number)
	require.Len(t, asked, 1)
}
