package entrypointtest

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// V08Cases returns the table of the changes in EntryPoint v0.8 since v0.7.
func V08Cases() []Case {
	version := Versions()[2]
	return []Case{
		newActorsCase("hashes as Go does", version, (*actors).hash),
		newActorsCase("a delegated account that is called first", version, func(w *actors) { w.delegatedAccount() }),
		newActorsCase("gas left of a limit costs a tenth above 40,000", version, (*actors).penalty),
	}
}

// V09Cases returns the table of the changes in EntryPoint v0.9 since v0.7.
func V09Cases() []Case {
	version := Versions()[3]
	return []Case{
		newActorsCase("hashes as Go does", version, (*actors).hash),
		newActorsCase("a delegated account that is called first", version, func(w *actors) { w.delegatedAccount("EIP7702AccountInitialized") }),
		newActorsCase("gas left of a limit costs a tenth above 40,000", version, (*actors).penalty),
		newActorsCase("code to create an account that exists is passed over", version, func(w *actors) {
			op := w.operation()
			op.InitCode = append(factory.Bytes(), pack("make", uint8(0), [32]byte{})...)
			names, _ := w.events(w.handle(op))
			require.Equal(w.t, []string{"IgnoredInitCode", "BeforeExecution", "UserOperationEvent"}, names)
		}),
		newActorsCase("a paymaster's signature is not signed by the account", version, func(w *actors) {
			op := w.operation()
			op.PaymasterAndData = append(sponsored(), common.FromHex("00000022e325a297439656")...)
			hash := w.hashOf(op)
			op.PaymasterAndData = append(sponsored(), common.FromHex("000001000122e325a297439656")...)
			signed := w.hashOf(op)
			op.PaymasterAndData[len(sponsored())+2] = 9
			require.NotEqual(w.t, hash, signed)
			require.Equal(w.t, signed, w.hashOf(op))
		}),
	}
}

func (w *actors) hashOf(op entrypoint.PackedUserOperation) common.Hash {
	return common.BytesToHash(w.chain.Read(w.version.Address, v09.PackGetUserOpHash(op)))
}

func (w *actors) hash() {
	op := w.operation()
	op.InitCode, op.PaymasterAndData = factory.Bytes(), sponsored(1, 2, 3)
	require.Equal(w.t, op.TypedHash(contracttest.ChainID, w.version.Address, common.Address{}), w.hashOf(op))
	op.Sender = delegated.Address
	for _, code := range []string{"7702", "7702000000000000000000000000000000000000", "77020000000000000000000000000000000000001234"} {
		op.InitCode = common.FromHex(code)
		require.Equal(w.t, op.TypedHash(contracttest.ChainID, w.version.Address, plain), w.hashOf(op), code)
	}
}

func (w *actors) delegatedAccount(more ...string) {
	op := w.operation()
	op.Sender, op.InitCode = delegated.Address, common.FromHex("7702000000000000000000000000000000000000")
	names, _ := w.events(w.handle(op))
	require.Equal(w.t, []string{"Deposited", "BeforeExecution", "UserOperationEvent"}, names, "nothing is called")
	op.Nonce, op.InitCode = big.NewInt(1), append(op.InitCode, pack("execute", uint8(0), plain, pack("execute", uint8(0), common.Address{}, []byte(nil)))...)
	outcome := w.handle(op)
	names, _ = w.events(outcome)
	require.Equal(w.t, append(more, "Deposited", "BeforeExecution", "UserOperationEvent"), names)
	require.Equal(w.t, delegated.Address, outcome.Logs[0].Address, "the account was called")

	op.Nonce, op.InitCode = big.NewInt(2), append(op.InitCode[:20:20], pack("execute", uint8(10), common.Address{}, []byte(nil))...)
	failed := contracttest.Error(w.t, v07.GetABI(), "FailedOpWithRevert", new(big.Int), "AA13 EIP7702 sender init failed", contracttest.Reason("no"))
	w.chain.RevertsAs(w.handle(op), failed)
}

// penalty compares two operations whose call limits differ.
func (w *actors) penalty() {
	used := func(nonce int64, limit uint64) uint64 {
		op := w.operation()
		op.Nonce, op.CallData, op.AccountGasLimits = big.NewInt(nonce), nil, entrypoint.PackUint128s(700_000, limit)
		_, event := w.events(w.handle(op))
		return event.ActualGasUsed.Uint64()
	}
	used(0, 0) // from now on all touch the same storage
	none := used(1, 0)
	require.InDelta(w.t, none, used(2, 40_000), 500)
	require.InDelta(w.t, none+10_000, used(3, 100_000), 500)
}
