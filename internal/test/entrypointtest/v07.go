package entrypointtest

import (
	"maps"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures/contracts/smartwallet"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	v07           = entrypoint.NewEntryPointV07()
	simpleAccount = entrypoint.NewSimpleAccount()
)

// Limits of operation: gas in all, and wei for each.
const (
	packedGas = 300_000 + 200_000 + 50_000
	packedFee = 2_000_000_000
)

// packedWorld is a chain with EntryPoint v0.7, and an account for it that is deployed and funded.
type packedWorld struct {
	*contracttest.Chain
	t              require.TestingT
	owner, bundler fixtures.Account
	account        common.Address
}

func newPackedCase(name string, run func(w *packedWorld)) Case {
	return Case{name, func(t require.TestingT, code []byte) {
		alloc := types.GenesisAlloc{}
		maps.Copy(alloc, entrypoint.Predeploys())
		maps.Copy(alloc, smartwallet.Predeploys())
		alloc[entrypoint.V07Address] = types.Account{Code: code, Nonce: 2}
		w := &packedWorld{Chain: contracttest.New(t, alloc), t: t, owner: fixtures.Dev(0), bundler: fixtures.Dev(1)}
		w.account = w.Deploy(contracts.DeployCode(entrypoint.SimpleAccountMetaData.Bin, simpleAccount.PackConstructor(w.owner.Address)...))
		w.GiveEther(w.account, fixtures.Ether("1"))
		w.Must(contracttest.Owner, contracttest.TokenAddress, tokencontract.PackMint(w.account, fixtures.USD("100")))
		run(w)
	}}
}

func (w *packedWorld) operation(callData []byte) entrypoint.PackedUserOperation {
	return entrypoint.PackedUserOperation{
		Sender: w.account, Nonce: new(big.Int), CallData: callData, AccountGasLimits: entrypoint.PackUint128s(300_000, 200_000),
		PreVerificationGas: big.NewInt(50_000), GasFees: entrypoint.PackUint128s(1_000_000_000, packedFee),
	}
}

func (w *packedWorld) sign(op entrypoint.PackedUserOperation, key fixtures.Account) entrypoint.PackedUserOperation {
	op.Signature = key.SignDigest(common.Hash(accounts.TextHash(op.Hash(contracttest.ChainID).Bytes()))).Bytes()
	return op
}

func (w *packedWorld) handle(ops ...entrypoint.PackedUserOperation) contracttest.Outcome {
	return w.Must(w.bundler, entrypoint.V07Address, entrypoint.PackHandlePackedOps(beneficiary, ops...))
}

func (w *packedWorld) fails(op entrypoint.PackedUserOperation, name, reason string, more ...any) {
	want := contracttest.Error(w.t, v07.GetABI(), name, append([]any{new(big.Int), reason}, more...)...)
	w.Reverts(w.bundler, entrypoint.V07Address, entrypoint.PackHandlePackedOps(beneficiary, op), want)
}

// result returns the event of an operation, which is in the last log.
func (w *packedWorld) result(outcome contracttest.Outcome) *entrypoint.EntryPointV07UserOperationEvent {
	event, err := v07.UnpackUserOperationEventEvent(outcome.Logs[len(outcome.Logs)-1])
	require.NoError(w.t, err)
	return event
}

func (w *packedWorld) pay() []byte {
	return simpleAccount.PackExecute(contracttest.TokenAddress, new(big.Int), tokencontract.PackTransfer(w.bundler.Address, dollar))
}

// V07Cases returns the table of EntryPoint v0.7.
func V07Cases() []Case {
	return append(randomPackedCases(),
		newPackedCase("pays, and hashes as Go does", func(w *packedWorld) {
			op := w.sign(w.operation(w.pay()), w.owner)
			require.Equal(w.t, op.Hash(contracttest.ChainID).Bytes(), w.Read(entrypoint.V07Address, v07.PackGetUserOpHash(op)))
			outcome := w.handle(op)
			require.Equal(w.t, []string{"Deposited", "BeforeExecution", "UserOperationEvent"}, contracttest.Events(w.t, entrypoint.V07Address, v07.GetABI(), outcome.Logs))
			event := w.result(outcome)
			require.True(w.t, event.Success)
			require.Equal(w.t, event.ActualGasCost.String(), w.Ether(beneficiary).Dec())
			require.Equal(w.t, fixtures.USD("1001").Dec(), w.Tokens(w.bundler.Address).Dec())
		}),
		newPackedCase("charges a tenth of the call gas not used", func(w *packedWorld) {
			deposit := w.SendValue(w.bundler, entrypoint.V07Address, v07.PackDepositTo(w.account), fixtures.Ether("1"))
			require.True(w.t, deposit.Succeeded)
			w.handle(w.sign(w.operation(w.pay()), w.owner)) // from now on both touch the same storage
			wide, narrow := w.operation(w.pay()), w.operation(w.pay())
			wide.Nonce, wide.AccountGasLimits = big.NewInt(1), entrypoint.PackUint128s(300_000, 1_200_000)
			narrow.Nonce = big.NewInt(2)
			used := func(op entrypoint.PackedUserOperation) uint64 {
				return w.result(w.handle(w.sign(op, w.owner))).ActualGasUsed.Uint64()
			}
			require.InDelta(w.t, 100_000, used(wide)-used(narrow), 100)
		}),
		newPackedCase("hands the whole operation to an account that asks for it", func(w *packedWorld) {
			op := w.sign(w.operation(simpleAccount.GetABI().Methods["executeUserOp"].ID), w.owner)
			event, err := simpleAccount.UnpackExecutedEvent(w.handle(op).Logs[2])
			require.NoError(w.t, err)
			require.Equal(w.t, op.Hash(contracttest.ChainID), common.Hash(event.UserOpHash))
		}),
		newPackedCase("refusals", func(w *packedWorld) {
			w.fails(w.sign(w.operation(nil), w.bundler), "FailedOp", "AA24 signature error")
			op := w.operation(nil)
			op.Nonce = big.NewInt(1)
			w.fails(w.sign(op, w.owner), "FailedOp", "AA25 invalid account nonce")
			w.fails(w.operation(nil), "FailedOpWithRevert", "AA23 reverted", contracttest.Error(w.t, simpleAccount.GetABI(), "InvalidSignatureLength"))
			op = w.operation(nil)
			op.Sender = w.owner.Address
			w.Reverts(w.bundler, entrypoint.V07Address, entrypoint.PackHandlePackedOps(beneficiary, op), []byte{})
			op = w.operation(nil)
			op.GasFees = entrypoint.PackUint128s(1<<62, 1<<62)
			w.fails(w.sign(op, w.owner), "FailedOp", "AA21 didn't pay prefund")
			op = w.operation(nil)
			op.PreVerificationGas = new(big.Int).Lsh(common.Big1, 120)
			w.Reverts(w.bundler, entrypoint.V07Address, entrypoint.PackHandlePackedOps(beneficiary, op), contracttest.Reason("AA94 gas values overflow"))
		}),
		newPackedCase("refusals of accounts to be created", func(w *packedWorld) {
			op := w.operation(nil)
			account := smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(w.owner.Address))
			op.InitCode = append(account.Factory.Bytes(), account.PackCreate()...)
			w.fails(op, "FailedOp", "AA10 sender already constructed")
			op.Sender = w.owner.Address
			w.fails(op, "FailedOp", "AA14 initCode must return sender")
			op.InitCode = append(account.Factory.Bytes(), 1, 2, 3, 4)
			w.fails(op, "FailedOp", "AA13 initCode failed or OOG")
		}),
		newPackedCase("does not take operations while it runs some", func(w *packedWorld) {
			call := simpleAccount.PackExecute(entrypoint.V07Address, new(big.Int), entrypoint.PackHandlePackedOps(beneficiary))
			outcome := w.handle(w.sign(w.operation(call), w.owner))
			require.False(w.t, w.result(outcome).Success)
			reason, err := v07.UnpackUserOperationRevertReasonEvent(outcome.Logs[len(outcome.Logs)-2])
			require.NoError(w.t, err)
			require.Equal(w.t, contracttest.Error(w.t, v07.GetABI(), "ReentrancyGuardReentrantCall"), reason.RevertReason)
		}),
	)
}
