package entrypoint_test

import (
	"maps"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	binding     = entrypoint.NewEntryPointV06()
	wallet      = smartwallet.NewSmartWallet()
	beneficiary = common.Address{0xbe}
	dollar      = fixtures.USD("1")
)

// world is a chain with the EntryPoint's code given, and a smart account that is funded and not deployed.
type world struct {
	t                    require.TestingT
	chain                *contracttest.Chain
	account              smartwallet.Account
	owner, bundler, shop fixtures.Account
	nonce, verification  uint64
	initCode             []byte
}

func newCase(name string, run func(w *world)) tableCase {
	return tableCase{name, func(t require.TestingT, code []byte) {
		alloc := types.GenesisAlloc{}
		maps.Copy(alloc, entrypoint.Predeploys())
		maps.Copy(alloc, smartwallet.Predeploys())
		alloc[entrypoint.V06Address] = types.Account{Code: code, Nonce: 2}
		w := &world{
			t: t, chain: contracttest.New(t, alloc), owner: fixtures.Dev(0), bundler: fixtures.Dev(1), shop: fixtures.Dev(2), verification: 900_000,
		}
		w.account = smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(w.owner.Address))
		w.chain.GiveEther(w.account.Address(), fixtures.Ether("1"))
		w.chain.Must(contracttest.Owner, contracttest.TokenAddress, tokencontract.PackMint(w.account.Address(), fixtures.USD("100")))
		w.initCode = append(w.account.Factory.Bytes(), w.account.PackCreate()...)
		run(w)
	}}
}

// pay is the account's call that pays the shop.
func pay(to common.Address, amount *uint256.Int) []byte {
	return wallet.PackExecute(contracttest.TokenAddress, new(big.Int), tokencontract.PackTransfer(to, amount))
}

// operation is the next operation of the account, not signed.
func (w *world) operation(callData []byte) entrypoint.UserOperation {
	op := entrypoint.UserOperation{
		Sender: w.account.Address(), Nonce: new(big.Int).SetUint64(w.nonce), CallData: callData, CallGasLimit: big.NewInt(300_000),
		VerificationGasLimit: new(big.Int).SetUint64(w.verification), PreVerificationGas: big.NewInt(50_000),
		MaxFeePerGas: big.NewInt(1_000_000_000), MaxPriorityFeePerGas: big.NewInt(1_000_000_000),
	}
	if len(w.chain.Code(op.Sender)) == 0 {
		op.InitCode = w.initCode
	}
	return op
}

func (w *world) sign(op entrypoint.UserOperation, key fixtures.Account) entrypoint.UserOperation {
	op.Signature = smartwallet.WrapSignature(0, key.SignDigest(op.Hash(contracttest.ChainID)).Bytes())
	return op
}

func (w *world) handle(ops ...entrypoint.UserOperation) []byte {
	return entrypoint.PackHandleOps(beneficiary, ops...)
}

func (w *world) must(op entrypoint.UserOperation) contracttest.Outcome {
	w.nonce++
	return w.chain.Must(w.bundler, entrypoint.V06Address, w.handle(op))
}

func (w *world) fails(op entrypoint.UserOperation, reason string) {
	want := contracttest.Error(w.t, binding.GetABI(), "FailedOp", new(big.Int), reason)
	w.chain.Reverts(w.bundler, entrypoint.V06Address, w.handle(op), want)
}

func (w *world) events(outcome contracttest.Outcome, names ...string) {
	require.Equal(w.t, names, contracttest.Events(w.t, entrypoint.V06Address, binding.GetABI(), outcome.Logs))
}

func (w *world) shopHas(amount *uint256.Int) {
	require.Equal(w.t, amount.Dec(), new(uint256.Int).Sub(w.chain.Tokens(w.shop.Address), contracttest.StartBalance).Dec())
}

func (w *world) deposit(account common.Address) *uint256.Int {
	return new(uint256.Int).SetBytes(w.chain.Read(entrypoint.V06Address, binding.PackBalanceOf(account)))
}

// result returns the event of an operation, which is in the last log.
func (w *world) result(outcome contracttest.Outcome) *entrypoint.EntryPointV06UserOperationEvent {
	event, err := binding.UnpackUserOperationEventEvent(outcome.Logs[len(outcome.Logs)-1])
	require.NoError(w.t, err)
	return event
}

// v06Cases returns the table of EntryPoint v0.6.
func v06Cases() []tableCase {
	return []tableCase{
		newCase("creates the account, then pays", func(w *world) {
			op := w.sign(w.operation(pay(w.shop.Address, dollar)), w.owner)
			told := w.chain.Read(entrypoint.V06Address, binding.PackGetUserOpHash(op))
			require.Equal(w.t, op.Hash(contracttest.ChainID).Bytes(), told)
			outcome := w.must(op)
			w.events(outcome, "AccountDeployed", "Deposited", "BeforeExecution", "UserOperationEvent")
			w.shopHas(dollar)
			result := w.result(outcome)
			require.Equal(w.t, op.Hash(contracttest.ChainID), common.Hash(result.UserOpHash))
			require.Equal(w.t, op.Sender, result.Sender)
			require.True(w.t, result.Success)
			w.paid(fixtures.Ether("1"), result.ActualGasCost)
			require.Greater(w.t, result.ActualGasUsed.Uint64(), uint64(100_000))

			second := w.must(w.sign(w.operation(pay(w.shop.Address, dollar)), w.owner))
			w.shopHas(fixtures.USD("2"))
			require.True(w.t, w.result(second).Success)
			require.Equal(w.t, common.BigToHash(big.NewInt(2)).Bytes(), w.chain.Read(entrypoint.V06Address, binding.PackGetNonce(op.Sender, new(big.Int))))
		}),
		newCase("a failing call is paid for", func(w *world) {
			outcome := w.must(w.sign(w.operation(pay(w.shop.Address, fixtures.USD("101"))), w.owner))
			w.events(outcome, "AccountDeployed", "Deposited", "BeforeExecution", "UserOperationRevertReason", "UserOperationEvent")
			result := w.result(outcome)
			require.False(w.t, result.Success)
			require.Positive(w.t, result.ActualGasCost.Sign())
			w.paid(fixtures.Ether("1"), result.ActualGasCost)
			w.shopHas(new(uint256.Int))
			for _, log := range outcome.Logs {
				if reason, err := binding.UnpackUserOperationRevertReasonEvent(log); err == nil {
					require.Equal(w.t, contracttest.Describe(contracttest.Reason("ERC20: transfer amount exceeds balance")), contracttest.Describe(reason.RevertReason))
				}
			}
		}),
		newCase("a replayed operation", func(w *world) {
			op := w.sign(w.operation(pay(w.shop.Address, dollar)), w.owner)
			w.must(op)
			w.fails(op, "AA10 sender already constructed")
			op.InitCode = nil
			w.fails(w.sign(op, w.owner), "AA25 invalid account nonce")
			w.shopHas(dollar)
		}),
		newCase("deposits", func(w *world) {
			wei := uint256.NewInt(1000)
			outcome := w.chain.SendValue(w.shop, entrypoint.V06Address, binding.PackDepositTo(w.account.Address()), wei)
			require.True(w.t, outcome.Succeeded)
			w.events(outcome, "Deposited")
			outcome = w.chain.SendValue(w.shop, entrypoint.V06Address, nil, wei)
			require.True(w.t, outcome.Succeeded)
			require.Equal(w.t, wei, w.deposit(w.shop.Address))
			require.Equal(w.t, wei, w.deposit(w.account.Address()))
			w.chain.Reverts(w.shop, entrypoint.V06Address, binding.PackWithdrawTo(beneficiary, big.NewInt(1001)), contracttest.Reason("Withdraw amount too large"))
			w.events(w.chain.Must(w.shop, entrypoint.V06Address, binding.PackWithdrawTo(beneficiary, big.NewInt(400))), "Withdrawn")
			require.Equal(w.t, uint256.NewInt(600), w.deposit(w.shop.Address))
			require.Equal(w.t, uint256.NewInt(400), w.chain.Ether(beneficiary))
		}),
	}
}

// paid checks that the account paid just the cost, and the beneficiary got it.
func (w *world) paid(had *uint256.Int, cost *big.Int) {
	left := new(uint256.Int).Add(w.chain.Ether(w.account.Address()), w.deposit(w.account.Address()))
	require.Equal(w.t, cost.String(), new(uint256.Int).Sub(had, left).Dec())
	require.Equal(w.t, cost.String(), w.chain.Ether(beneficiary).Dec())
}
