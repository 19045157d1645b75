package bundler_test

import (
	"maps"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
)

// sponsorship is the answer of pm_getPaymasterData.
type sponsorship struct {
	Paymaster     common.Address
	PaymasterData hexutil.Bytes
}

// sponsored asks the paymaster service to sign for an operation of a sender.
func sponsored(node *fakenode.Node, sender common.Address) (s sponsorship, err error) {
	op := map[string]any{
		"sender": sender, "nonce": "0x0", "callData": "0x", "callGasLimit": "0x1", "verificationGasLimit": "0x1", "preVerificationGas": "0x1",
		"maxFeePerGas": "0x10", "maxPriorityFeePerGas": "0x1",
	}
	err = node.Client().Client().Call(&s, "pm_getPaymasterData", op, entrypoint.V07Address, hexutil.Uint64(31337), nil)
	return s, err
}

// paymasterState is the answer of fakenode_paymaster.
type paymasterState struct {
	Address, Signer common.Address
	Deny            []common.Address
	MaxCost, Budget *hexutil.Big
	ValidFor        uint64
	Signature       string
	ExchangeRate    hexutil.Big
	Deposits        []struct {
		EntryPoint common.Address
		Deposit    hexutil.Big
	}
}

func paymasterOf(t *testing.T, node *fakenode.Node, params ...any) (state paymasterState) {
	t.Helper()
	require.NoError(t, node.Client().Client().Call(&state, "fakenode_paymaster", params...))
	return state
}

// Ensure the policy of the paymaster service is in snapshots, worlds and files, and stays after a reorg.
func TestPaymasterIsKept(t *testing.T) {
	t.Parallel()
	config := fakenode.Config{State: filepath.Join(t.TempDir(), "state.db"), StartTime: time.Unix(1_700_000_000, 0)}
	node := fakenode.RunConfigT(t, config)
	poor, other := common.Address{1}, common.Address{2}
	before := node.Snapshot()
	asked := paymasterOf(t, node, map[string]any{"maxCost": "0x5", "budget": 6, "validFor": 7})
	require.Equal(t, []any{int64(5), int64(6), uint64(7)}, []any{asked.MaxCost.ToInt().Int64(), asked.Budget.ToInt().Int64(), asked.ValidFor})
	require.NoError(t, node.SetPaymaster(fakenode.Paymaster{
		ExchangeRate: uint256.NewInt(9), Deny: []common.Address{poor}, MaxCost: uint256.NewInt(1e18), Budget: uint256.NewInt(2e18), ValidFor: 30 * time.Second,
	}))
	require.NoError(t, node.SetPaymasterDeposit(uint256.NewInt(7)))
	world, err := node.NewWorld(fakenode.WorldOptions{})
	require.NoError(t, err)
	node.Seal()
	_, err = node.Reorg(fakenode.ReorgOptions{Depth: 1})
	require.NoError(t, err)
	check := func(node *fakenode.Node) {
		t.Helper()
		state := paymasterOf(t, node)
		require.Equal(t, []common.Address{poor}, state.Deny)
		require.EqualValues(t, 1e18, state.MaxCost.ToInt().Int64())
		require.EqualValues(t, 2e18, state.Budget.ToInt().Int64())
		require.EqualValues(t, 30, state.ValidFor)
		require.Equal(t, "valid", state.Signature)
		require.EqualValues(t, 9, state.ExchangeRate.ToInt().Int64())
		require.Len(t, state.Deposits, 4)
		for _, d := range state.Deposits {
			require.EqualValues(t, 7, d.Deposit.ToInt().Int64(), d.EntryPoint)
		}
		_, err := sponsored(node, poor)
		require.EqualError(t, err, "the paymaster does not sponsor the operation: sender "+poor.Hex()+" is denied (fakenode_paymaster)")
		require.Equal(t, -32501, err.(rpc.Error).ErrorCode())
		good, err := sponsored(node, other)
		require.NoError(t, err)
		require.Equal(t, entrypoint.PaymasterAddress, good.Paymaster)
		until := time.Unix(new(uint256.Int).SetBytes(good.PaymasterData[:32]).ToBig().Int64(), 0)
		require.Equal(t, node.Now().Add(30*time.Second).Unix(), until.Unix())
	}
	check(node)
	check(world)
	require.NoError(t, node.Close())
	node = fakenode.RunConfigT(t, config)
	check(node)
	require.Error(t, node.Revert(before), "a file has no snapshots")
	again := node.Snapshot()
	require.Equal(t, "valid", paymasterOf(t, node, map[string]any{}).Signature)
	require.Empty(t, paymasterOf(t, node).Deny)
	_, err = sponsored(node, poor)
	require.NoError(t, err)
	require.NoError(t, node.Revert(again))
	check(node)
}

// Ensure a bad policy is rejected with an error that names it, and changes nothing.
func TestPaymasterRefusals(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	before := paymasterOf(t, node)
	require.Equal(t, entrypoint.PaymasterAddress, before.Address)
	require.Equal(t, entrypoint.PaymasterSigner, before.Signer)
	require.EqualValues(t, 3_000_000_000, before.ExchangeRate.ToInt().Int64())
	for message, policy := range map[string]map[string]any{
		`fakenode_paymaster: signature "forged" is unknown: want one of [valid wrong expired early]`:               {"signature": "forged"},
		`fakenode_paymaster: valid for 30s and signature "expired" do not go together`:                             {"signature": "expired", "validFor": 30},
		`fakenode_paymaster: valid for 1388888h53m20s is not between 0 and 876600h0m0s`:                            {"validFor": 5_000_000_000},
		`fakenode_paymaster: exchange rate 340282366920938463463374607431768211456 is over the limit of 2^128 - 1`: {"exchangeRate": "0x100000000000000000000000000000000"},
		`fakenode_paymaster: a deposit of 5192296858534827628530496329220096 wei is over the limit of 2^112 - 1`:   {"deny": []common.Address{{1}}, "deposit": "5192296858534827628530496329220096"},
	} {
		err := node.Client().Client().Call(nil, "fakenode_paymaster", policy)
		require.EqualError(t, err, message)
		require.Equal(t, -32602, err.(rpc.Error).ErrorCode())
	}
	require.Equal(t, before, paymasterOf(t, node))

	bare := fakenode.RunConfigT(t, fakenode.Config{Contracts: fakenode.StandardContracts})
	require.ErrorContains(t, bare.SetPaymasterDeposit(uint256.NewInt(1)), "the chain has no paymaster of the node at "+entrypoint.PaymasterAddress.Hex())
}

// Ensure faults of the bundler are listed, kept in worlds and ended by clearing, and that a bad one is rejected.
func TestBundlerFaultsAreArmed(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	armed := func(node *fakenode.Node) (kinds []string) {
		var faults struct{ Operations []struct{ Kind string } }
		require.NoError(t, node.Client().Client().Call(&faults, "fakenode_faults"))
		for _, f := range faults.Operations {
			kinds = append(kinds, f.Kind)
		}
		return kinds
	}
	require.NoError(t, node.BundlerFault(fakenode.BundlerFault{Kind: fakenode.Forget, Sender: &common.Address{1}}))
	require.NoError(t, node.Client().Client().Call(nil, "fakenode_bundlerFault", map[string]any{"kind": "late", "milliseconds": 400, "count": "0x2"}))
	world, err := node.NewWorld(fakenode.WorldOptions{})
	require.NoError(t, err)
	require.NoError(t, node.Client().Client().Call(nil, "fakenode_clearFaults"))
	require.Empty(t, armed(node))
	require.Equal(t, []string{"forget", "late"}, armed(world))
	world.ClearBundlerFaults()
	require.Empty(t, armed(world))

	err = node.Client().Client().Call(nil, "fakenode_bundlerFault", map[string]any{"kind": "late", "milliseconds": 1, "blocks": 1})
	require.EqualError(t, err, "fakenode_bundlerFault: late by 1ms and by 1 blocks: want one of them")
	require.Equal(t, -32602, err.(rpc.Error).ErrorCode())
}

// Ensure the receipt of an operation that the service pays for names the paymaster; the data and the stub have one
// length, the stub says who sponsors, and an operation without a limit is not paid for.
func TestReceiptOfSponsoredOperation(t *testing.T) {
	t.Parallel()
	for _, entryPoint := range []common.Address{entrypoint.V06Address, entrypoint.V07Address, entrypoint.V08Address, entrypoint.V09Address} {
		node := fakenode.RunT(t)
		client, sender := node.Client().Client(), common.Address{0xa1}
		node.SetCode(sender, common.FromHex("0x60205ff3")) // answers with a word of zeros: it accepts everything
		op := map[string]any{
			"sender": sender, "nonce": "0x0", "callData": "0x", "signature": "0x", "callGasLimit": "0x10000", "verificationGasLimit": "0x80000",
			"preVerificationGas": "0x10000", "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1",
		}
		var stub, data map[string]any
		require.NoError(t, client.Call(&stub, "pm_getPaymasterStubData", op, entryPoint, "0x7a69", nil))
		require.Equal(t, map[string]any{"name": "fakenode"}, stub["sponsor"])
		delete(stub, "sponsor")
		maps.Copy(op, stub)
		require.NoError(t, client.Call(&data, "pm_getPaymasterData", op, entryPoint, "0x7a69", nil))
		require.NotContains(t, data, "sponsor")
		for name, value := range data {
			require.Len(t, value, len(stub[name].(string)), name)
		}
		without := maps.Clone(op)
		delete(without, "callGasLimit")
		require.ErrorContains(t, client.Call(nil, "pm_getPaymasterData", without, entryPoint, "0x7a69", nil), "callGasLimit is missing")
		require.ErrorContains(t, client.Call(nil, "eth_sendUserOperation", op, entryPoint), "AA34", "the stub is no signature")
		maps.Copy(op, data)
		var hash common.Hash
		require.NoError(t, client.Call(&hash, "eth_sendUserOperation", op, entryPoint))
		node.Seal()
		var receipt struct {
			Paymaster common.Address
			Success   bool
		}
		require.NoError(t, client.Call(&receipt, "eth_getUserOperationReceipt", hash))
		require.True(t, receipt.Success)
		require.Equal(t, entrypoint.PaymasterAddress, receipt.Paymaster)
	}
}
