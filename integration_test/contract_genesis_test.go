package integration_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure the presets have their documented ids, that under "base-flashblocks" the token's signing domain is the one the
// real token has on Base and its test network, and that under neither a signature for one network is good on the other.
func TestContractPresets(t *testing.T) {
	t.Parallel()
	separator, err := tokencontract.ABI().Pack("DOMAIN_SEPARATOR")
	require.NoError(t, err)
	separators := map[fakenode.Preset][]string{}
	for preset, ids := range map[fakenode.Preset][]string{fakenode.Dev: {"0x7a69", "0x7a6a"}, fakenode.BaseFlashblocks: {"0x2105", "0x14a34"}} {
		node := visit(t, fakenode.RunConfigT(t, fakenode.Config{Preset: preset}))
		payer, merchant := node.Account(0), node.Account(1)
		for i, network := range []*fakenode.Network{node.Network, node.Testnet()} {
			l := onNetwork(t, node, network)
			require.Equal(t, `"`+ids[i]+`"`, l.ask("eth_chainId"))
			var answer common.Hash
			l.do(&answer, "eth_call", object{"to": network.Token().Address(), "data": hexutil.Bytes(separator)}, "latest")
			separators[preset] = append(separators[preset], answer.Hex())

			other := map[bool]*fakenode.Network{true: node.Testnet(), false: node.Network}[i == 0]
			auth := fixtures.Authorization(payer, merchant, usd("1.00"), network.Now())
			capture := fixtures.Sign(payer, other.Token().Domain(), auth).Capture()
			l.fails(-32000, "eth_call", object{"from": merchant.Address, "to": network.Token().Address(), "data": hexutil.Bytes(capture)}, "latest")
		}
	}
	require.Equal(t, []string{
		"0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f",
		"0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818",
	}, separators[fakenode.BaseFlashblocks])
	require.NotContains(t, separators[fakenode.BaseFlashblocks], separators[fakenode.Dev][0])
	require.NotContains(t, separators[fakenode.BaseFlashblocks], separators[fakenode.Dev][1])
}

// Ensure both networks begin with what clients rely on: funded accounts, Multicall3, the CREATE2 deployer and the
// system contracts, all at their usual addresses and working.
func TestContractGenesis(t *testing.T) {
	t.Parallel()
	node := visit(t, fakenode.RunT(t))
	for name, network := range map[string]*fakenode.Network{"main": node.Network, "testnet": node.Testnet()} {
		t.Run(name, func(t *testing.T) {
			l := onNetwork(t, node, network)
			var accounts []common.Address
			l.do(&accounts, "eth_accounts")
			require.Len(t, accounts, 20)
			require.Equal(t, common.HexToAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"), accounts[0])
			for _, account := range accounts {
				require.Equal(t, `"0x21e19e0c9bab2400000"`, l.ask("eth_getBalance", account, "earliest")) // 10,000 ether
				var tokens common.Hash
				l.do(&tokens, "eth_call", object{"to": network.Token().Address(), "data": hexutil.Bytes(tokencontract.PackBalanceOf(account))}, "earliest")
				require.Equal(t, usd("1000000").Bytes32(), [32]byte(tokens))
			}

			var balance common.Hash
			multicall := contracts.NewMulticall3()
			l.do(&balance, "eth_call", object{"to": fixtures.Multicall3Address, "data": hexutil.Bytes(multicall.PackGetEthBalance(accounts[0]))}, "latest")
			require.Equal(t, fixtures.Ether("10000").Bytes32(), [32]byte(balance))

			salt, creation := common.Hash{1}, contracts.DeployCode(contracts.CounterMetaData.Bin)
			l.send(0, new(fixtures.Create2DeployerAddress), append(salt[:], creation...))
			network.Preconfirm()
			deployed := crypto.CreateAddress2(fixtures.Create2DeployerAddress, salt, crypto.Keccak256(creation))
			require.NotEqual(t, `"0x"`, l.ask("eth_getCode", deployed, "pending"))

			for _, system := range []common.Address{params.BeaconRootsAddress, params.HistoryStorageAddress, params.WithdrawalQueueAddress, params.ConsolidationQueueAddress} {
				require.NotEqual(t, `"0x"`, l.ask("eth_getCode", system, "earliest"))
			}
		})
	}
}

// onNetwork looks at one network of a node through RPC.
func onNetwork(t *testing.T, node *lab, network *fakenode.Network) *lab {
	t.Helper()
	client, err := rpc.Dial(network.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return &lab{node.Node, t, client, ethclient.NewClient(client)}
}
