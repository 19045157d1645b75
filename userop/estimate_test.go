package userop_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/userop"
)

// limits is the answer of eth_estimateUserOperationGas.
type limits struct {
	PreVerificationGas, VerificationGasLimit, CallGasLimit hexutil.Uint64
	PaymasterVerificationGasLimit, PaymasterPostOpGasLimit *hexutil.Uint64
}

// estimate estimates an operation without fees and limits.
func (l *lab) estimate(entryPoint common.Address, op object, state ...any) (e limits, err error) {
	l.t.Helper()
	for _, name := range []string{"callGasLimit", "verificationGasLimit", "preVerificationGas"} {
		delete(op, name)
	}
	err = l.client.Call(&e, "eth_estimateUserOperationGas", append([]any{op, entryPoint}, state...)...)
	return e, err
}

// spending returns the code of a contract that uses more gas the longer it loops, and returns words of 0
// after the first.
func spending(loops, word, size int) []byte {
	p := program.New().Push(loops)
	p, at := p.Jumpdest()
	p.Push(1).Op(vm.SWAP1, vm.SUB, vm.DUP1).Push(at).Op(vm.JUMPI)
	return p.Push(word).Push(0).Op(vm.MSTORE).Return(0, size).Bytes()
}

// Ensure an operation with the estimated limits is in a block and succeeds, and that a limit grows with the work of the
// step that it is for and not with that of another one, for every EntryPoint.
func TestEstimatesSuffice(t *testing.T) {
	t.Parallel()
	account, paymaster := common.Address{0xa1}, common.Address{0xa2}
	l := newLab(t)
	near := func(want, is hexutil.Uint64) {
		t.Helper()
		require.InDelta(t, uint64(want), uint64(is), 200) // for the bytes of hashes that differ
	}
	for _, entryPoint := range []common.Address{entrypoint.V06Address, entrypoint.V07Address, entrypoint.V08Address, entrypoint.V09Address} {
		legacy := entryPoint == entrypoint.V06Address
		nonce := 0
		run := func(accountLoops, paymasterLoops int, data string, paid bool) limits {
			t.Helper()
			l.SetCode(account, spending(accountLoops, 0, 0x20))
			l.SetCode(paymaster, spending(paymasterLoops, 0x40, 0x60))
			change := object{"nonce": hexutil.Uint64(nonce), "callData": data}
			nonce++
			switch {
			case paid && legacy:
				change["paymasterAndData"] = paymaster
			case paid:
				change["paymaster"] = paymaster
			}
			e, err := l.estimate(entryPoint, operation(account, change))
			require.NoError(t, err)
			require.Equal(t, paid && !legacy, e.PaymasterVerificationGasLimit != nil)
			change["preVerificationGas"], change["verificationGasLimit"], change["callGasLimit"] = e.PreVerificationGas, e.VerificationGasLimit, e.CallGasLimit
			if e.PaymasterVerificationGasLimit != nil {
				require.EqualValues(t, 60_000, *e.PaymasterPostOpGasLimit)
				change["paymasterVerificationGasLimit"], change["paymasterPostOpGasLimit"] = *e.PaymasterVerificationGasLimit, *e.PaymasterPostOpGasLimit
			}
			var hash common.Hash
			l.do(&hash, "eth_sendUserOperation", operation(account, change), entryPoint)
			l.Seal()
			require.Equal(t, fakenode.Sealed, l.Operation(hash).Where)
			var receipt struct{ Success bool }
			l.do(&receipt, "eth_getUserOperationReceipt", hash)
			require.True(t, receipt.Success)
			return e
		}
		plain := run(1_001, 1_001, "0x", false)
		require.EqualValues(t, 15_000, plain.CallGasLimit, "there is no call")
		called := run(1_001, 1_001, "0x01", false)
		require.Greater(t, called.CallGasLimit, plain.CallGasLimit)
		longer := run(3_000, 1_001, "0x01", false)
		const work = 1_999 * 26 * 9 / 8 // of the loops, with an eighth more; that of the first is over the floor for call data
		near(called.CallGasLimit+work, longer.CallGasLimit)
		near(called.VerificationGasLimit+work, longer.VerificationGasLimit)
		near(called.PreVerificationGas, longer.PreVerificationGas)

		paid, dear := run(1_001, 1_001, "0x01", true), run(1_001, 3_000, "0x01", true)
		require.Equal(t, paid.CallGasLimit, dear.CallGasLimit)
		require.Greater(t, paid.PreVerificationGas, called.PreVerificationGas)
		if legacy {
			near(paid.VerificationGasLimit+work, dear.VerificationGasLimit)
			continue
		}
		near(paid.VerificationGasLimit, dear.VerificationGasLimit)
		near(*paid.PaymasterVerificationGasLimit+work, *dear.PaymasterVerificationGasLimit)
	}
}

// Ensure estimates of operations that create or delegate their sender, or of one that waits, are of what will be, and
// those that cannot succeed name the step that fails.
func TestEstimatesOfSteps(t *testing.T) {
	t.Parallel()
	account, factory := common.Address{0xa1}, common.Address{0xfa}
	l := newLab(t, account)
	l.SetCode(factory, common.FromHex(willing))
	sender := l.Account(3)
	authorization := authorize(t, sender, types.SetCodeAuthorization{ChainID: *uint256.NewInt(31337), Address: account}, nil)
	refused := func(text string, op object, state ...any) {
		t.Helper()
		_, err := l.estimate(entrypoint.V08Address, op, state...)
		require.ErrorContains(t, err, text)
		require.Negative(t, err.(rpc.Error).ErrorCode())
	}
	refused("AA20 account not deployed", operation(sender.Address, nil))
	refused("AA10 sender already constructed", operation(account, object{"factory": factory, "factoryData": "0x"}))
	l.SetCode(common.Address{0xff}, common.FromHex(reverting))
	refused("AA13 initCode failed or OOG", operation(common.Address{1}, object{"factory": common.Address{0xff}, "factoryData": "0x"}))
	refused("AA23 reverted (look at validateUserOp", operation(account, nil), object{account.Hex(): object{"code": "0x60006000fd"}})
	refused("AA20 account not deployed", operation(sender.Address, object{"factory": "0x7702"}))

	plain, err := l.estimate(entrypoint.V08Address, operation(sender.Address, object{"eip7702Auth": authorization}))
	require.NoError(t, err)
	delegated, err := l.estimate(entrypoint.V08Address, operation(sender.Address, nil), object{sender.Address.Hex(): object{"code": hexutil.Bytes(types.AddressToDelegation(account))}})
	require.NoError(t, err)
	require.EqualValues(t, 25_000, plain.PreVerificationGas-delegated.PreVerificationGas)
	first, err := l.estimate(entrypoint.V08Address, operation(sender.Address, object{"eip7702Auth": authorization, "factory": "0x7702", "factoryData": "0x01"}))
	require.NoError(t, err)
	require.Greater(t, first.VerificationGasLimit, plain.VerificationGasLimit, "the sender is called with the data of the factory")
	created, err := l.estimate(entrypoint.V09Address, operation(account, object{"factory": factory, "factoryData": hexutil.Bytes(bytes.Repeat([]byte{1}, 100))}))
	require.NoError(t, err, "0.9 leaves the factory of a sender that exists out")
	require.Greater(t, created.PreVerificationGas, plain.PreVerificationGas-25_000)
}

// Ensure an estimate names the step that fails, also where it leaves no gas for those after it.
func TestEstimateNamesFirstFailure(t *testing.T) {
	t.Parallel()
	r := newRuled(t, "0.7", fakenode.Config{})
	sender := r.fresh()
	r.SetCode(sender, []byte{byte(vm.INVALID)})
	op := parts{sender: sender}.fields("0.7")
	op["callData"] = "0x01"
	err := r.client.CallContext(t.Context(), nil, "eth_estimateUserOperationGas", op, r.entryPoint)
	require.ErrorContains(t, err, "AA23 reverted: invalid opcode")

	r.SetCode(sender, common.FromHex("6020361060"+"0b57"+"60205ff3"+"5b5f5ffd")) // accepts what it validates, and reverts for less than a word
	err = r.client.CallContext(t.Context(), nil, "eth_estimateUserOperationGas", op, r.entryPoint)
	require.ErrorContains(t, err, "execution reverted")
	require.Equal(t, -32521, err.(rpc.Error).ErrorCode())
}

// Ensure the error of the run that looks for the step which used all gas, such as one about its time, is the
// estimate's.
func TestEstimateNamesErrorOfSecondRun(t *testing.T) {
	t.Parallel()
	l := newLab(t, first)
	v, err := userop.EntryPointAt(l.Moment(), entrypoint.V07Address)
	require.NoError(t, err)
	o := priced(t, "")
	o.CallData = &hexutil.Bytes{1}
	late := &simulate.TimeoutError{After: time.Second}
	bundler := userop.Bundler{Timeline: l.Timeline(), Run: func(_ simulate.StateOverrides, calls ...simulate.Call) ([]simulate.CallResult, error) {
		if len(calls) == 2 { // the validation and the call: the one left no gas for the other
			return nil, new(simulate.InvalidCallError)
		}
		return nil, late
	}}
	_, err = bundler.Estimate(o, v, nil)
	require.Equal(t, late, err)
}
