package escrow_test

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/escrow"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	payer, operator, receiver, feeReceiver, stranger = fixtures.Dev(0), fixtures.Dev(1), fixtures.Dev(2), fixtures.Dev(3), fixtures.Dev(4)

	binding = escrow.NewAuthCaptureEscrow()
	token   = tokencontract.NewToken()
	hundred = fixtures.USD("100")
	all     = new(uint256.Int).SetAllOne().ToBig()
)

// bench is a chain with the escrow, and one payment.
type bench struct {
	*contracttest.Chain
	t       *testing.T
	payment escrow.Payment
	d       escrow.Deployment
}

func newBench(t *testing.T) *bench {
	t.Helper()
	alloc := types.GenesisAlloc{permit2.Address: {Code: permit2.RuntimeCode(), Nonce: 1}}
	maps.Copy(alloc, contracts.Predeploys())
	maps.Copy(alloc, escrow.Predeploys())
	maps.Copy(alloc, smartwallet.Predeploys())
	b := &bench{Chain: contracttest.New(t, alloc), t: t, d: escrow.V1_1}
	b.payment = escrow.Payment{
		Operator: operator.Address, Payer: payer.Address, Receiver: receiver.Address, Token: contracttest.TokenAddress, MaxAmount: hundred,
		PreApprovalExpiry: b.Now() + 60, AuthorizationExpiry: b.Now() + 600, RefundExpiry: b.Now() + 6000, MaxFeeBps: 500,
	}
	return b
}

// signature is the payer's, for the ERC-3009 collector.
func (b *bench) signature() []byte {
	authorization := b.payment.Authorization(contracttest.ChainID, b.d)
	return payer.Sign(contracttest.Domain(), authorization.ReceiveMessage()).Bytes()
}

func (b *bench) authorize(amount *uint256.Int) []byte {
	return b.payment.PackAuthorize(amount, b.d.ERC3009Collector, b.signature())
}

func (b *bench) reverts(from fixtures.Account, data []byte, name string, arguments ...any) {
	b.t.Helper()
	b.Reverts(from, b.d.Escrow, data, contracttest.Error(b.t, binding.GetABI(), name, arguments...))
}

func (b *bench) events(outcome contracttest.Outcome, names ...string) {
	b.t.Helper()
	require.Equal(b.t, names, contracttest.Events(b.t, b.d.Escrow, binding.GetABI(), outcome.Logs))
}

func (b *bench) id() common.Hash { return b.payment.Hash(contracttest.ChainID, b.d.Escrow) }

// stateIs checks the amounts that the escrow reports as reserved and refundable, and that the store holds exactly the
// reserved amount.
func (b *bench) stateIs(capturable, refundable string) {
	b.t.Helper()
	state, err := binding.UnpackPaymentState(b.Read(b.d.Escrow, binding.PackPaymentState(b.id())))
	require.NoError(b.t, err)
	require.Equal(b.t, fixtures.USD(capturable).Dec(), state.CapturableAmount.String())
	require.Equal(b.t, fixtures.USD(refundable).Dec(), state.RefundableAmount.String())
	store := common.BytesToAddress(b.Read(b.d.Escrow, binding.PackGetTokenStore(operator.Address)))
	require.Equal(b.t, fixtures.USD(capturable).Dec(), b.Tokens(store).Dec())
	require.True(b.t, b.Tokens(b.d.ERC3009Collector).IsZero(), "a collector keeps nothing")
}

// has checks the difference between an account's tokens and its initial ones.
func (b *bench) has(account fixtures.Account, sign int, dollars string) {
	b.t.Helper()
	want := contracttest.StartBalance.ToBig()
	delta := fixtures.USD(dollars).ToBig()
	want.Add(want, delta.Mul(delta, big.NewInt(int64(sign))))
	require.Equal(b.t, want.String(), b.Tokens(account.Address).Dec())
}

// Ensure a payment is reserved, captured in parts with a fee, refunded in part, and voided for the rest.
func TestLife(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.events(b.Must(operator, b.d.Escrow, b.authorize(fixtures.USD("80"))), "PaymentAuthorized")
	b.has(payer, -1, "80") // signed for 100: the surplus came back
	b.stateIs("80", "0")
	b.reverts(operator, b.authorize(fixtures.USD("80")), "PaymentAlreadyCollected", b.id())

	outcome := b.Must(operator, b.d.Escrow, b.payment.PackCapture(fixtures.USD("30"), fixtures.USD("1.50"), feeReceiver.Address))
	b.events(outcome, "PaymentCaptured", "TokenStoreCreated")
	b.has(receiver, 1, "28.50")
	b.has(feeReceiver, 1, "1.50")
	b.events(b.Must(operator, b.d.Escrow, b.payment.PackCapture(fixtures.USD("20"), nil, common.Address{})), "PaymentCaptured")
	b.stateIs("30", "50")

	b.Must(operator, contracttest.TokenAddress, token.PackApprove(b.d.RefundCollector, all))
	refund := func(amount string) []byte {
		return b.payment.PackRefund(fixtures.USD(amount), b.d.RefundCollector, nil)
	}
	b.events(b.Must(operator, b.d.Escrow, refund("45")), "PaymentRefunded")
	b.has(operator, -1, "45")
	b.reverts(operator, refund("5.01"), "RefundExceedsCapture", big.NewInt(5_010_000), big.NewInt(5_000_000))
	b.events(b.Must(operator, b.d.Escrow, b.payment.PackVoid()), "PaymentVoided")
	b.stateIs("0", "5")
	b.has(payer, -1, "5")
	b.reverts(operator, b.payment.PackVoid(), "ZeroAuthorization", b.id())
}

// Ensure the payer takes everything reserved back once the authorization expired, and not a second before; and that a
// capture is possible until that second.
func TestReclaimMeetsCapture(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Must(operator, b.d.Escrow, b.authorize(hundred))
	expiry := b.payment.AuthorizationExpiry
	word := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

	b.SetTime(expiry - 1)
	b.reverts(payer, b.payment.PackReclaim(), "BeforeAuthorizationExpiry", word(expiry-1), word(expiry))
	b.Must(operator, b.d.Escrow, b.payment.PackCapture(fixtures.USD("10"), nil, common.Address{}))
	b.SetTime(expiry)
	b.reverts(operator, b.payment.PackCapture(fixtures.USD("10"), nil, common.Address{}), "AfterAuthorizationExpiry", word(expiry), word(expiry))
	b.reverts(stranger, b.payment.PackReclaim(), "InvalidSender", stranger.Address, payer.Address)
	b.events(b.Must(payer, b.d.Escrow, b.payment.PackReclaim()), "PaymentReclaimed")
	b.has(payer, -1, "10")
	b.reverts(payer, b.payment.PackReclaim(), "ZeroAuthorization", b.id())
	b.stateIs("0", "10")
}

// Ensure authorize checks in the published order.
func TestAuthorizeOrderOfChecks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	word := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
	good := b.payment
	b.payment = escrow.Payment{Operator: operator.Address, Payer: payer.Address, Receiver: receiver.Address, Token: contracttest.TokenAddress, MaxAmount: hundred,
		PreApprovalExpiry: b.Now(), AuthorizationExpiry: b.Now() - 1, RefundExpiry: b.Now() - 2, MinFeeBps: 10_002, MaxFeeBps: 10_001}
	huge := new(uint256.Int).Lsh(uint256.NewInt(1), 120)
	limit := new(big.Int).Sub(huge.ToBig(), big.NewInt(1))
	authorize := func(amount *uint256.Int) []byte {
		return b.payment.PackAuthorize(amount, b.d.RefundCollector, nil)
	}
	b.reverts(stranger, authorize(new(uint256.Int)), "InvalidSender", stranger.Address, operator.Address)
	b.reverts(operator, authorize(new(uint256.Int)), "ZeroAmount")
	b.reverts(operator, authorize(huge), "AmountOverflow", huge.ToBig(), limit)
	b.reverts(operator, authorize(fixtures.USD("100.01")), "ExceedsMaxAmount", big.NewInt(100_010_000), hundred.ToBig())
	b.reverts(operator, authorize(hundred), "AfterPreApprovalExpiry", word(b.Now()), word(b.Now()))
	b.payment.PreApprovalExpiry++
	b.reverts(operator, authorize(hundred), "InvalidExpiries", word(b.Now()+1), word(b.Now()-1), word(b.Now()-2))
	b.payment.AuthorizationExpiry = b.Now() + 1
	b.reverts(operator, authorize(hundred), "InvalidExpiries", word(b.Now()+1), word(b.Now()+1), word(b.Now()-2))
	b.payment.RefundExpiry = b.Now() + 1
	b.reverts(operator, authorize(hundred), "FeeBpsOverflow", uint16(10_001))
	b.payment.MaxFeeBps = 10_000
	b.reverts(operator, authorize(hundred), "InvalidFeeBpsRange", uint16(10_002), uint16(10_000))
	b.payment = good
	b.reverts(operator, authorize(hundred), "InvalidCollectorForOperation")
	b.Reverts(operator, b.d.Escrow, b.payment.PackAuthorize(hundred, b.d.ERC3009Collector, make([]byte, 65)), contracttest.Reason("ECRecover: invalid signature 'v' value"))
	b.stateIs("0", "0")
	b.Must(operator, b.d.Escrow, b.authorize(hundred))
}

// Ensure capture and refund check in the published order.
func TestCaptureOrderOfChecks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.payment.MinFeeBps, b.payment.FeeReceiver = 100, feeReceiver.Address
	b.Must(operator, b.d.Escrow, b.authorize(hundred))
	word := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
	fee, amounts := fixtures.USD("1"), []any{fixtures.USD("1").ToBig(), fixtures.USD("5").ToBig()}
	b.reverts(stranger, b.payment.PackCapture(new(uint256.Int), nil, common.Address{}), "InvalidSender", stranger.Address, operator.Address)
	b.reverts(operator, b.payment.PackCapture(new(uint256.Int), nil, common.Address{}), "ZeroAmount")
	b.reverts(operator, b.payment.PackCapture(hundred, nil, common.Address{}), "FeeAmountOutOfRange", append([]any{new(big.Int)}, amounts...)...)
	b.reverts(operator, b.payment.PackCapture(hundred, fixtures.USD("5.01"), common.Address{}), "FeeAmountOutOfRange", append([]any{big.NewInt(5_010_000)}, amounts...)...)
	b.reverts(operator, b.payment.PackCapture(hundred, fee, common.Address{}), "ZeroFeeReceiver")
	b.reverts(operator, b.payment.PackCapture(hundred, fee, stranger.Address), "InvalidFeeReceiver", stranger.Address, feeReceiver.Address)
	b.reverts(operator, b.payment.PackCapture(fixtures.USD("101"), fixtures.USD("1.01"), feeReceiver.Address), "InsufficientAuthorization", b.id(), hundred.ToBig(), fixtures.USD("101").ToBig())

	refund := b.payment.PackRefund(fixtures.USD("1"), b.d.ERC3009Collector, nil)
	b.reverts(operator, refund, "RefundExceedsCapture", fixtures.USD("1").ToBig(), new(big.Int))
	b.Must(operator, b.d.Escrow, b.payment.PackCapture(hundred, fee, feeReceiver.Address))
	b.reverts(stranger, refund, "InvalidSender", stranger.Address, operator.Address)
	b.reverts(operator, refund, "InvalidCollectorForOperation")
	b.SetTime(b.payment.RefundExpiry)
	b.reverts(operator, refund, "AfterRefundExpiry", word(b.Now()), word(b.Now()))
}

// Ensure every collector brings the money, from accounts and wallets, and serves nobody but its escrow.
func TestCollectors(t *testing.T) {
	t.Parallel()
	onlyEscrow := func(b *bench, collector common.Address) {
		b.t.Helper()
		c := escrow.NewERC3009PaymentCollector()
		data := c.PackCollectTokens(escrow.PaymentInfo{
			MaxAmount: new(big.Int), PreApprovalExpiry: new(big.Int), AuthorizationExpiry: new(big.Int), RefundExpiry: new(big.Int), Salt: new(big.Int),
		}, stranger.Address, new(big.Int), nil)
		b.Reverts(operator, collector, data, contracttest.Error(b.t, c.GetABI(), "OnlyAuthCaptureEscrow"))
	}
	t.Run("ERC-3009, of a wallet", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.payment.Payer = b.Wallet(payer)
		b.Must(operator, b.d.Escrow, b.authorize(hundred))
		b.stateIs("100", "0")
		onlyEscrow(b, b.d.ERC3009Collector)
	})
	t.Run("Permit2", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.Must(payer, contracttest.TokenAddress, token.PackApprove(permit2.Address, all))
		signature := payer.SignDigest(contracts.Digest(b.payment.Permit(contracttest.ChainID, b.d).TypedData(contracttest.ChainID))).Bytes()
		b.Must(operator, b.d.Escrow, b.payment.PackAuthorize(fixtures.USD("70"), b.d.Permit2Collector, signature))
		b.has(payer, -1, "70")
		b.stateIs("70", "0")
		onlyEscrow(b, b.d.Permit2Collector)
	})
	t.Run("pre-approval", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.d = escrow.V1_0
		c := escrow.NewPreApprovalPaymentCollector()
		fails := func(from fixtures.Account, to common.Address, data []byte, name string, arguments ...any) {
			t.Helper()
			b.Reverts(from, to, data, contracttest.Error(t, c.GetABI(), name, arguments...))
		}
		b.Must(payer, contracttest.TokenAddress, token.PackApprove(b.d.PreApprovalCollector, all))
		authorize := b.payment.PackAuthorize(hundred, b.d.PreApprovalCollector, nil)
		fails(operator, b.d.Escrow, authorize, "PaymentNotPreApproved", b.id())
		approve := b.payment.PackPreApprove()
		fails(operator, b.d.PreApprovalCollector, approve, "InvalidSender", operator.Address, payer.Address)
		outcome := b.Must(payer, b.d.PreApprovalCollector, approve)
		require.Equal(t, []string{"PaymentPreApproved"}, contracttest.Events(t, b.d.PreApprovalCollector, c.GetABI(), outcome.Logs))
		fails(payer, b.d.PreApprovalCollector, approve, "PaymentAlreadyPreApproved", b.id())
		b.Must(operator, b.d.Escrow, authorize)
		b.stateIs("100", "0")
		fails(payer, b.d.PreApprovalCollector, approve, "PaymentAlreadyCollected", b.id())
		onlyEscrow(b, b.d.PreApprovalCollector)
	})
	t.Run("refund", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		onlyEscrow(b, b.d.RefundCollector)
	})
}

// Ensure version 1.0 takes fees in basis points, and payments of the two versions do not mix.
func TestVersion1_0(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	signature := b.signature() // for version 1.1
	b.d = escrow.V1_0
	b.Reverts(operator, b.d.Escrow, b.payment.PackAuthorize(hundred, b.d.ERC3009Collector, signature), contracttest.Reason("FiatTokenV2: invalid signature"))
	b.Must(operator, b.d.Escrow, b.authorize(hundred))
	b.Must(operator, b.d.Escrow, b.payment.PackCaptureV1_0(fixtures.USD("40"), 250, feeReceiver.Address))
	b.has(receiver, 1, "39")
	b.has(feeReceiver, 1, "1")
	b.stateIs("60", "40")
}

// Ensure random steps of one payment succeed exactly when a model in Go predicts it, and leave each party the balance
// it predicts.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		b := newBench(t)
		b.Must(operator, contracttest.TokenAddress, token.PackApprove(b.d.RefundCollector, all))
		random := rand.New(rand.NewPCG(seed, 5))
		p := &b.payment
		p.MaxAmount = uint256.NewInt(1000)
		p.PreApprovalExpiry, p.AuthorizationExpiry, p.RefundExpiry = b.Now()+40, b.Now()+80, b.Now()+120
		var collected bool
		var capturable, refundable, captured, fees, refunded uint64
		for range 120 {
			b.SetTime(b.Now() + random.Uint64N(3))
			now, amount := b.Now(), random.Uint64N(400)
			units := uint256.NewInt(amount)
			var from fixtures.Account
			var data []byte
			var want bool
			var then func()
			switch random.IntN(6) {
			case 0, 1:
				fee := random.Uint64N(amount/10 + 1)
				from, data = operator, p.PackCapture(units, uint256.NewInt(fee), feeReceiver.Address)
				want = amount > 0 && fee <= amount*500/10_000 && now < p.AuthorizationExpiry && amount <= capturable
				then = func() {
					capturable, refundable, captured, fees = capturable-amount, refundable+amount, captured+amount-fee, fees+fee
				}
			case 2:
				amount *= 3
				from, data = operator, b.authorize(uint256.NewInt(amount))
				want = amount > 0 && amount <= 1000 && now < p.PreApprovalExpiry && !collected
				then = func() { collected, capturable = true, amount }
			case 3:
				from, data = operator, p.PackRefund(units, b.d.RefundCollector, nil)
				want = amount > 0 && now < p.RefundExpiry && amount <= refundable
				then = func() { refundable, refunded = refundable-amount, refunded+amount }
			case 4:
				from, data = payer, p.PackReclaim()
				want = now >= p.AuthorizationExpiry && capturable > 0
				then = func() { capturable = 0 }
			case 5:
				if random.IntN(10) > 0 {
					continue // else most payments end at once
				}
				from, data = operator, p.PackVoid()
				want = capturable > 0
				then = func() { capturable = 0 }
			}
			require.Equal(t, want, b.Send(from, b.d.Escrow, data).Succeeded)
			if want {
				then()
			}
		}
		state, err := binding.UnpackPaymentState(b.Read(b.d.Escrow, binding.PackPaymentState(b.id())))
		require.NoError(t, err)
		require.Equal(t, []uint64{capturable, refundable}, []uint64{state.CapturableAmount.Uint64(), state.RefundableAmount.Uint64()})
		delta := func(account common.Address) int64 {
			return int64(b.Tokens(account).Uint64()) - int64(contracttest.StartBalance.Uint64())
		}
		require.Equal(t, int64(captured), delta(receiver.Address))
		require.Equal(t, int64(fees), delta(feeReceiver.Address))
		require.Equal(t, -int64(refunded), delta(operator.Address))
		require.Equal(t, int64(refunded)-int64(captured+fees+capturable), delta(payer.Address), "supply is conserved")
	}
}

// undeployed makes a smart account of the payer's, which is funded and not deployed, the one that pays.
func (b *bench) undeployed() smartwallet.Account {
	account := smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(payer.Address))
	b.payment.Payer = account.Address()
	b.Must(contracttest.Owner, contracttest.TokenAddress, tokencontract.PackMint(account.Address(), hundred))
	return account
}

// signFor signs a digest as the account's owner, with the call that deploys it (ERC-6492).
func signFor(account smartwallet.Account, digest common.Hash) []byte {
	return account.WrapUndeployed(smartwallet.WrapSignature(0, payer.SignDigest(account.Digest(contracttest.ChainID, digest)).Bytes()))
}

// Ensure the ERC-3009 collector deploys the account that signed (ERC-6492), and takes the same signature of one that is
// deployed.
func TestUndeployedPayer(t *testing.T) {
	t.Parallel()
	for name, deployedBefore := range map[string]bool{"not deployed": false, "deployed meanwhile": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			account := b.undeployed()
			authorization := b.payment.Authorization(contracttest.ChainID, b.d)
			signature := signFor(account, authorization.ReceiveMessage().Digest(contracttest.Domain()))
			if deployedBefore {
				b.Must(stranger, account.Factory, account.PackCreate())
			}
			b.Must(operator, b.d.Escrow, b.payment.PackAuthorize(fixtures.USD("60"), b.d.ERC3009Collector, signature))
			require.NotEmpty(t, b.Code(account.Address()))
			b.stateIs("60", "0")
			require.Equal(t, fixtures.USD("40"), b.Tokens(account.Address()), "the surplus came back")

			b.Must(operator, b.d.Escrow, b.payment.PackVoid())
			require.Equal(t, hundred, b.Tokens(account.Address()))
		})
	}
}

// Ensure charge checks in the order of authorize and then the fee, and reserves and pays out at once.
func TestChargeOrderOfChecks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.payment.MinFeeBps, b.payment.FeeReceiver = 100, feeReceiver.Address
	charge := func(amount, fee string, to common.Address) []byte {
		return b.payment.PackCharge(fixtures.USD(amount), b.d.ERC3009Collector, b.signature(), fixtures.USD(fee), to)
	}
	least, most := fixtures.USD("1").ToBig(), fixtures.USD("5").ToBig()
	b.reverts(stranger, charge("0", "0", common.Address{}), "InvalidSender", stranger.Address, operator.Address)
	b.reverts(operator, charge("0", "0", common.Address{}), "ZeroAmount")
	b.reverts(operator, charge("101", "0", common.Address{}), "ExceedsMaxAmount", fixtures.USD("101").ToBig(), hundred.ToBig())
	b.reverts(operator, charge("100", "0.99", common.Address{}), "FeeAmountOutOfRange", big.NewInt(990_000), least, most)
	b.reverts(operator, charge("100", "5.01", common.Address{}), "FeeAmountOutOfRange", big.NewInt(5_010_000), least, most)
	b.reverts(operator, charge("100", "1", common.Address{}), "ZeroFeeReceiver")
	b.reverts(operator, charge("100", "1", stranger.Address), "InvalidFeeReceiver", stranger.Address, feeReceiver.Address)
	b.events(b.Must(operator, b.d.Escrow, charge("100", "1", feeReceiver.Address)), "PaymentCharged", "TokenStoreCreated")
	b.reverts(operator, b.authorize(hundred), "PaymentAlreadyCollected", b.id())
	b.has(payer, -1, "100")
	b.has(receiver, 1, "99")
	b.has(feeReceiver, 1, "1")
	b.stateIs("0", "100")
}

// Ensure a collector cannot use the escrow while that waits for it, by any of its functions.
func TestReentrancy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	reentrant := contracttest.Error(t, binding.GetABI(), "Reentrancy")
	for name, call := range map[string][]byte{
		"authorize": b.authorize(hundred),
		"charge":    b.payment.PackCharge(hundred, b.d.ERC3009Collector, b.signature(), nil, common.Address{}),
		"capture":   b.payment.PackCapture(hundred, nil, common.Address{}),
		"void":      b.payment.PackVoid(),
		"reclaim":   b.payment.PackReclaim(),
		"refund":    b.payment.PackRefund(hundred, b.d.RefundCollector, nil),
	} {
		evil := b.Deploy(program.New().ReturnViaCodeCopy(reentrantCollector(b.d.Escrow, call)).Bytes())
		outcome := b.Send(operator, b.d.Escrow, b.payment.PackAuthorize(hundred, evil, nil))
		require.Equal(t, contracttest.Describe(reentrant), contracttest.Describe(outcome.Output), name)
	}
	b.stateIs("0", "0")
}

// reentrantCollector is the code of a collector for payments that, asked for tokens, calls the escrow and reverts with
// its answer.
func reentrantCollector(escrow common.Address, call []byte) []byte {
	kind := program.New().Return(0, 32) // the answer of collectorType: zero, a payment's
	p := program.New().Push(4).Op(vm.CALLDATASIZE, vm.GT)
	const jump = 3 // bytes: PUSH1, its argument, JUMPI
	p.Push(p.Size() + jump + kind.Size()).Op(vm.JUMPI).Append(kind.Bytes())
	p.Op(vm.JUMPDEST).Mstore(call, 0).Call(nil, escrow, 0, 0, len(call), 0, 0).Op(vm.POP)
	return p.Op(vm.RETURNDATASIZE).Push(0).Push(0).Op(vm.RETURNDATACOPY, vm.RETURNDATASIZE).Push(0).Op(vm.REVERT).Bytes()
}
