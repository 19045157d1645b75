package door_test

import (
	"log/slog"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/permit2"
	"github.com/fakenode/fakenode/fixtures/contracts/simple7702"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure every contract that a node of any kind begins with has a name, but the deployers that are no compiler's.
func TestOwnContractsHaveNames(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base, L1: true})
	nameless := []common.Address{fixtures.Create2DeployerAddress, predeploys.SingletonFactoryAddress}
	names := map[string]bool{}
	check := func(n *fakenode.Network, addresses ...common.Address) {
		for _, address := range addresses {
			p, err := n.ProfileCall(node.Account(0).Address, fakenode.Tx{To: &address})
			require.NoError(t, err)
			require.Equal(t, slices.Contains(nameless, address), p.Calls.Contract == "", address)
			names[p.Calls.Contract] = true
		}
	}
	check(node.Network, slices.Collect(maps.Keys(fixtures.PaymentContracts()))...)
	check(node.Network, slices.Collect(maps.Keys(fixtures.Predeploys()))...)
	check(node.Network, predeploys.WETH9Address, predeploys.MessengerAddress, predeploys.StandardBridgeAddress,
		predeploys.CreateXAddress, predeploys.SingletonFactoryAddress, node.Token().Address())
	check(node.L1(), l1.Base.Portal, l1.Base.Factory, l1.Base.Registry, l1.Base.SystemConfig, l1.Base.Messenger, l1.Base.StandardBridge)
	require.Subset(t, slices.Collect(maps.Keys(names)), []string{
		"Token", "Multicall3", "Permit2", "AuthCaptureEscrow", "x402BatchSettlement", "SmartWalletFactory", "EntryPointV06", "EntryPointV09",
		"Paymaster", "Simple7702Account", "L2StandardBridge", "OptimismPortal2", "SystemConfig",
	})
}

// Ensure a payment reads as one without any artifact given: in traces, profiles, the log and Go's errors. Clients that
// dial get the contract's words.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	var log lines
	var traces strings.Builder
	node := fakenode.RunConfigT(t, fakenode.Config{
		Logger: slog.New(slog.NewJSONHandler(&log, nil)), Traces: func(text string) { traces.WriteString(text) }, Compat: fakenode.Geth,
	})
	payer, merchant, token := node.Account(0), node.Account(1), node.Token().Address()
	transfer, err := tokencontract.ABI().Pack("transfer", merchant.Address, big.NewInt(5))
	require.NoError(t, err)
	paid, err := node.Transact(payer, fakenode.Tx{To: &token, Data: transfer})
	require.NoError(t, err)
	used := permit2.NewPermit2().PackInvalidateNonces(token, merchant.Address, new(big.Int))
	_, err = node.Transact(payer, fakenode.Tx{To: &permit2.Address, Data: used})
	require.ErrorContains(t, err, "execution reverted: InvalidNonce()")
	failed, err := node.Transact(payer, fakenode.Tx{To: &permit2.Address, Data: used, Gas: 100_000})
	require.NoError(t, err)
	node.Seal()

	p, err := node.Profile(paid)
	require.NoError(t, err)
	require.Equal(t, "transfer(address,uint256)", p.Functions[0].Function)
	require.Contains(t, p.String(), "5 of Token  ")
	reason, err := node.RevertReason(failed)
	require.NoError(t, err)
	require.Equal(t, "InvalidNonce()", reason)
	var served struct{ Error string }
	client := node.Client().Client()
	require.NoError(t, client.Call(&served, "fakenode_profile", failed))
	require.Equal(t, "execution reverted: InvalidNonce()", served.Error)
	require.EqualError(t, client.Call(nil, "eth_call", map[string]any{"from": payer.Address, "to": permit2.Address, "data": hexutil.Bytes(used)}), "execution reverted")

	require.NoError(t, node.Close())
	for _, want := range []string{
		"] Token.transfer(to: " + merchant.Address.Hex() + ", value: 5)\n", "├─ emit Token.Transfer(from: " + payer.Address.Hex(),
		"] Permit2.invalidateNonces(token: ", "└─ ← execution reverted: InvalidNonce()\n",
	} {
		require.Contains(t, traces.String(), want)
	}
	lines := log.about(t, "transaction")
	require.Equal(t, "Token", lines[0]["contract"])
	require.Contains(t, lines[0]["call"], "transfer(to: ")
	require.Len(t, lines[0]["events"], 1)
	require.Equal(t, "execution reverted: InvalidNonce()", lines[1]["err"])
}

// Ensure an account that delegates is shown with its address and the contract behind it, known or not, in profiles and
// the log; the transaction that makes it delegate, too.
func TestDelegationsAreShown(t *testing.T) {
	t.Parallel()
	var log lines
	node := fakenode.RunConfigT(t, fakenode.Config{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	account, unknown := node.Account(1).Address, common.HexToAddress("0x7702")
	node.SetCode(unknown, common.FromHex("00"))
	execute := simple7702.NewSimple7702Account().PackExecute(node.Account(2).Address, new(big.Int), nil)
	for delegate, name := range map[common.Address]string{simple7702.V09Address: "Simple7702Account", unknown: unknown.Hex()} {
		node.Delegate(account, delegate)
		hash, err := node.Transact(node.Account(0), fakenode.Tx{To: &account, Data: execute, Gas: 100_000})
		require.NoError(t, err)
		node.Seal()
		p, err := node.Profile(hash)
		require.NoError(t, err)
		require.Equal(t, delegate, *p.Calls.Delegate)
		require.Contains(t, p.Trace(), account.Hex()+" as "+name+".execute(target: ")
		require.Contains(t, p.String(), account.Hex()+" as "+name+".execute(address,uint256,bytes)\n")
	}
	payer := node.Account(3)
	authorization, err := types.SignSetCode(payer.Key, types.SetCodeAuthorization{ChainID: *uint256.NewInt(31337), Address: simple7702.V09Address, Nonce: 1})
	require.NoError(t, err)
	signed := types.MustSignNewTx(payer.Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.SetCodeTx{
		ChainID: uint256.NewInt(31337), GasFeeCap: uint256.NewInt(1e10), Gas: 100_000, To: account, AuthList: []types.SetCodeAuthorization{authorization},
	})
	require.NoError(t, node.Send(signed))
	node.Seal()
	p, err := node.Profile(signed.Hash())
	require.NoError(t, err)
	require.Contains(t, p.String(), "  "+payer.Address.Hex()+" as "+simple7702.V09Address.Hex()+"\n")
	require.NoError(t, node.Close())
	require.Len(t, log.about(t, "transaction"), 3)
	for _, line := range log.about(t, "transaction") {
		require.Contains(t, line, "delegate")
	}
}

// Ensure fakenode_transaction names a transaction's call and, once it is executed, its events, and nothing of unknown
// contracts.
func TestTransactionByName(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	type named struct {
		Contract, Call string
		Events         []struct {
			LogIndex       int
			Contract, Text string
		}
	}
	at := func(hash common.Hash) (n named) {
		require.NoError(t, node.Client().Client().Call(&n, "fakenode_transaction", hash))
		return n
	}
	payer, merchant, token := node.Account(0), node.Account(1), node.Token().Address()
	transfer, err := tokencontract.ABI().Pack("transfer", merchant.Address, big.NewInt(5))
	require.NoError(t, err)
	hash, err := node.Transact(payer, fakenode.Tx{To: &token, Data: transfer})
	require.NoError(t, err)
	call := "transfer(to: " + merchant.Address.Hex() + ", value: 5)"
	require.Equal(t, named{Contract: "DocumentedFlowToken", Call: call}, at(hash))

	node.Preconfirm()
	for range 2 { // pre-confirmed, then sealed
		paid := at(hash)
		require.Equal(t, "DocumentedFlowToken", paid.Contract)
		require.Equal(t, call, paid.Call)
		require.Len(t, paid.Events, 1)
		require.Equal(t, "DocumentedFlowToken", paid.Events[0].Contract)
		require.Equal(t, "Transfer(from: "+payer.Address.Hex()+", to: "+merchant.Address.Hex()+", value: 5)", paid.Events[0].Text)
		node.Seal()
	}

	unknown, err := node.Transact(payer, fakenode.Tx{To: &merchant.Address, Data: []byte{1, 2, 3, 4}})
	require.NoError(t, err)
	node.Seal()
	require.Equal(t, named{}, at(unknown))
}
