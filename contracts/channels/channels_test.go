package channels_test

import (
	"maps"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/fixtures"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	payer, shop, authorizer, stranger, session = fixtures.Dev(0), fixtures.Dev(1), fixtures.Dev(2), fixtures.Dev(3), fixtures.Dev(4)

	settlement = channels.NewX402BatchSettlement()
	token      = tokencontract.NewToken()
	all        = new(uint256.Int).SetAllOne()
)

func units(n uint64) *uint256.Int { return uint256.NewInt(n) }

// bench is a chain with the contracts and a channel of the payer's to the shop.
type bench struct {
	*contracttest.Chain
	t       *testing.T
	channel channels.Channel
	salt    uint64 // of the next deposit
}

func newBench(t *testing.T) *bench {
	t.Helper()
	alloc := types.GenesisAlloc{permit2.Address: {Code: permit2.RuntimeCode(), Nonce: 1}}
	maps.Copy(alloc, channels.Predeploys())
	maps.Copy(alloc, smartwallet.Predeploys())
	return &bench{Chain: contracttest.New(t, alloc), t: t, channel: channels.Channel{
		Payer: payer.Address, Receiver: shop.Address, ReceiverAuthorizer: authorizer.Address, Token: contracttest.TokenAddress,
		WithdrawDelay: channels.MinWithdrawDelay,
	}}
}

func (b *bench) id() common.Hash { return b.channel.ID(contracttest.ChainID) }

// depositData returns the call data of a deposit that the payer signs.
func (b *bench) depositData(amount uint64) []byte {
	salt := units(b.salt)
	b.salt++
	a := b.channel.Authorization(contracttest.ChainID, units(amount), 0, b.Now()+60, salt)
	signature := payer.Sign(contracttest.Domain(), a.ReceiveMessage()).Bytes()
	return b.channel.PackDeposit(units(amount), channels.ERC3009CollectorAddress, channels.AuthorizationData(a, salt, signature))
}

func (b *bench) deposit(amount uint64) contracttest.Outcome {
	return b.Must(stranger, channels.Address, b.depositData(amount))
}

// claim returns a claim of a total by a voucher for a ceiling that the signer signs.
func (b *bench) claim(signer fixtures.Account, ceiling, total uint64) channels.Claim {
	digest := contracts.Digest(channels.VoucherData(contracttest.ChainID, b.id(), units(ceiling)))
	return channels.Claim{Channel: b.channel, Ceiling: units(ceiling), Signature: signer.SignDigest(digest).Bytes(), Total: units(total)}
}

// signedClaims returns the call data of a batch that the signer signs.
func signedClaims(signer fixtures.Account, claims ...channels.Claim) []byte {
	digest := contracts.Digest(channels.ClaimBatchData(contracttest.ChainID, claims...))
	return channels.PackClaimWithSignature(signer.SignDigest(digest).Bytes(), claims...)
}

// signedRefund returns the call data of a refund that the signer signs.
func (b *bench) signedRefund(signer fixtures.Account, amount, nonce uint64) []byte {
	digest := contracts.Digest(channels.RefundData(contracttest.ChainID, b.id(), units(nonce), units(amount)))
	return b.channel.PackRefundWithSignature(units(amount), units(nonce), signer.SignDigest(digest).Bytes())
}

func (b *bench) reverts(from fixtures.Account, data []byte, name string, arguments ...any) {
	b.t.Helper()
	b.Reverts(from, channels.Address, data, contracttest.Error(b.t, settlement.GetABI(), name, arguments...))
}

func (b *bench) emits(from fixtures.Account, data []byte, names ...string) []*types.Log {
	b.t.Helper()
	outcome := b.Must(from, channels.Address, data)
	require.Equal(b.t, names, contracttest.Events(b.t, channels.Address, settlement.GetABI(), outcome.Logs))
	return outcome.Logs
}

func (b *bench) state() channels.State {
	b.t.Helper()
	var answers [3][]byte
	for i, call := range channels.PackState(b.id()) {
		answers[i] = b.Read(channels.Address, call)
	}
	state, err := channels.UnpackState(answers)
	require.NoError(b.t, err)
	return state
}

func (b *bench) stateIs(balance, claimed uint64) {
	b.t.Helper()
	state := b.state()
	require.Equal(b.t, []uint64{balance, claimed}, []uint64{state.Balance.Uint64(), state.TotalClaimed.Uint64()})
}

// gained returns an account's token units minus its initial ones.
func (b *bench) gained(account common.Address) int64 {
	return int64(b.Tokens(account).Uint64()) - int64(contracttest.StartBalance.Uint64())
}

// Ensure a channel is filled, spent by vouchers, claimed, settled and closed, with the published events.
func TestCourse(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.emits(stranger, b.depositData(1_000), "ChannelCreated", "Deposited")
	logs := b.emits(stranger, b.depositData(500), "Deposited")
	deposited, err := settlement.UnpackDepositedEvent(logs[len(logs)-1])
	require.NoError(t, err)
	require.Equal(t, [32]byte(b.id()), deposited.ChannelId)
	require.Equal(t, stranger.Address, deposited.Sender)
	require.Equal(t, []int64{500, 1_500}, []int64{deposited.Amount.Int64(), deposited.NewBalance.Int64()})
	b.stateIs(1_500, 0)

	b.emits(shop, channels.PackClaim(b.claim(payer, 300, 200)), "Claimed")
	b.emits(stranger, signedClaims(authorizer, b.claim(payer, 700, 700)), "Claimed")
	b.emits(shop, channels.PackClaim(b.claim(stranger, 700, 700))) // nothing new: skipped, whoever signed it
	b.stateIs(1_500, 700)
	require.Zero(t, b.gained(shop.Address))
	b.emits(stranger, channels.PackSettle(shop.Address, contracttest.TokenAddress), "Settled")
	require.EqualValues(t, 700, b.gained(shop.Address))
	b.emits(stranger, channels.PackSettle(shop.Address, contracttest.TokenAddress))
	claimed, settled, err := channels.UnpackReceiver(b.Read(channels.Address, channels.PackReceiver(shop.Address, contracttest.TokenAddress)))
	require.NoError(t, err)
	require.Equal(t, []*uint256.Int{units(700), units(700)}, []*uint256.Int{claimed, settled})

	b.emits(payer, b.channel.PackInitiateWithdraw(units(600)), "WithdrawInitiated")
	require.Equal(t, channels.Withdrawal{Amount: *units(600), InitiatedAt: b.Now()}, b.state().Withdrawal)
	b.emits(shop, b.channel.PackRefund(units(100)), "Refunded")
	require.Equal(t, *units(500), b.state().Withdrawal.Amount, "a refund lowers the withdrawal")
	b.SetTime(b.Now() + channels.MinWithdrawDelay)
	b.emits(payer, b.channel.PackFinalizeWithdraw(), "WithdrawFinalized")
	b.emits(stranger, b.signedRefund(authorizer, 1_000, 1), "Refunded") // capped to what is left
	b.stateIs(700, 700)
	b.emits(stranger, b.signedRefund(authorizer, 1, 2)) // nothing left, and the nonce counts
	require.Equal(t, units(3), b.state().RefundNonce)
	require.EqualValues(t, -700, b.gained(payer.Address))
	require.True(t, b.Tokens(channels.Address).IsZero())
}

// Ensure a channel that is emptied before anything was claimed is closed, by a refund and by a withdrawal, and can be
// opened again.
func TestClosed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deposit(10)
	b.emits(payer, b.channel.PackInitiateWithdraw(units(10)), "WithdrawInitiated")
	b.emits(authorizer, b.channel.PackRefund(units(10)), "Refunded", "ChannelClosed")
	require.Zero(t, b.state().Withdrawal, "a refund of everything ends the withdrawal")
	b.emits(stranger, b.depositData(10), "ChannelCreated", "Deposited")
	b.emits(payer, b.channel.PackInitiateWithdraw(units(10)), "WithdrawInitiated")
	b.SetTime(b.Now() + channels.MinWithdrawDelay)
	b.emits(payer, b.channel.PackFinalizeWithdraw(), "WithdrawFinalized", "ChannelClosed")
	require.Zero(t, b.gained(payer.Address))
}

// Ensure a deposit checks in the published order.
func TestDepositOrderOfChecks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	whole := b.channel
	b.channel = channels.Channel{WithdrawDelay: channels.MinWithdrawDelay - 1}
	refused := func(name string, amount *uint256.Int, collector common.Address) {
		t.Helper()
		b.reverts(stranger, b.channel.PackDeposit(amount, collector, nil), name)
	}
	for _, fill := range []func(){
		func() { b.channel.Payer = whole.Payer }, func() { b.channel.Receiver = whole.Receiver },
		func() { b.channel.ReceiverAuthorizer = whole.ReceiverAuthorizer }, func() { b.channel.Token = whole.Token },
	} {
		refused("InvalidChannel", nil, common.Address{})
		fill()
	}
	refused("WithdrawDelayOutOfRange", nil, common.Address{})
	b.channel.WithdrawDelay = channels.MaxWithdrawDelay + 1
	refused("WithdrawDelayOutOfRange", nil, common.Address{})
	b.channel.WithdrawDelay = channels.MaxWithdrawDelay
	refused("ZeroDeposit", nil, common.Address{})
	refused("InvalidCollector", units(1), common.Address{})

	b.deposit(1)
	most := new(uint256.Int).Rsh(all, 128)
	refused("DepositOverflow", most, channels.ERC3009CollectorAddress)
	idle := b.Deploy(program.New().ReturnViaCodeCopy([]byte{byte(vm.STOP)}).Bytes()) // collects nothing
	refused("DepositCollectionFailed", units(1), idle)
	require.Equal(t, contracttest.Outcome{}, b.Send(stranger, channels.Address, b.channel.PackDeposit(units(1), stranger.Address, nil)), "without code: no reason")
	b.stateIs(1, 0)
}

// Ensure a row of a batch is checked in the published order, by both ways of claiming.
func TestClaimOrderOfChecks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deposit(100)
	b.reverts(stranger, channels.PackClaim(), "EmptyBatch")
	b.reverts(stranger, channels.PackClaimWithSignature(nil), "EmptyBatch")
	b.reverts(stranger, channels.PackClaim(b.claim(stranger, 101, 102)), "NotAuthorizedToClaim")
	b.reverts(stranger, signedClaims(stranger, b.claim(stranger, 101, 102)), "InvalidSignature")
	for _, pack := range []func(...channels.Claim) []byte{channels.PackClaim, func(c ...channels.Claim) []byte { return signedClaims(authorizer, c...) }} {
		b.reverts(authorizer, pack(b.claim(stranger, 101, 102)), "ClaimExceedsCeiling")
		b.reverts(authorizer, pack(b.claim(stranger, 101, 101)), "ClaimExceedsBalance")
		b.reverts(authorizer, pack(b.claim(stranger, 101, 100)), "InvalidSignature")
	}
	other := newBench(t)
	other.channel.ReceiverAuthorizer = shop.Address
	b.reverts(stranger, signedClaims(authorizer, b.claim(payer, 10, 10), other.claim(payer, 10, 10)), "NotReceiverAuthorizer")
	b.stateIs(100, 0)
	b.Must(stranger, channels.Address, signedClaims(authorizer, b.claim(payer, 10, 10), b.claim(payer, 30, 20)))
	b.stateIs(100, 20)
}

// Ensure refunds and withdrawals check in the published order.
func TestRefundAndWithdrawOrderOfChecks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deposit(100)
	b.reverts(stranger, b.channel.PackRefund(nil), "NotAuthorizedToRefund")
	b.reverts(shop, b.channel.PackRefund(nil), "ZeroRefund")
	b.reverts(stranger, b.signedRefund(stranger, 0, 1), "InvalidRefundNonce")
	b.reverts(stranger, b.signedRefund(stranger, 0, 0), "InvalidSignature")
	b.reverts(stranger, b.signedRefund(authorizer, 0, 0), "ZeroRefund")

	b.reverts(shop, b.channel.PackInitiateWithdraw(nil), "InvalidChannel")
	b.reverts(payer, b.channel.PackInitiateWithdraw(nil), "NothingToWithdraw")
	b.reverts(payer, b.channel.PackInitiateWithdraw(units(101)), "WithdrawAmountExceedsAvailable")
	b.reverts(shop, b.channel.PackFinalizeWithdraw(), "NotAuthorizedToFinalizeWithdraw")
	b.reverts(payer, b.channel.PackFinalizeWithdraw(), "WithdrawalNotPending")
	b.Must(payer, channels.Address, b.channel.PackInitiateWithdraw(units(100)))
	b.reverts(payer, b.channel.PackInitiateWithdraw(units(101)), "WithdrawalAlreadyPending")
	b.SetTime(b.Now() + channels.MinWithdrawDelay - 1)
	b.reverts(payer, b.channel.PackFinalizeWithdraw(), "WithdrawDelayNotElapsed")
	b.SetTime(b.Now() + 1)

	// A claim in the second in which the withdrawal is due, and before it, takes precedence.
	b.Must(shop, channels.Address, channels.PackClaim(b.claim(payer, 60, 60)))
	b.Must(payer, channels.Address, b.channel.PackFinalizeWithdraw())
	b.stateIs(60, 60)
	b.reverts(shop, channels.PackClaim(b.claim(payer, 61, 61)), "ClaimExceedsBalance")
	require.EqualValues(t, -60, b.gained(payer.Address))
}

// Ensure the digests of Go are the contract's, the ID of a channel included, and differ between chains.
func TestDigests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.channel.PayerAuthorizer, b.channel.Salt = session.Address, common.Hash{1, 31: 2}
	claims := []channels.Claim{b.claim(session, 20, 10), b.claim(session, 40, 30)}
	config := channels.ChannelConfig{
		Payer: payer.Address, PayerAuthorizer: session.Address, Receiver: shop.Address, ReceiverAuthorizer: authorizer.Address,
		Token: contracttest.TokenAddress, WithdrawDelay: big.NewInt(900), Salt: b.channel.Salt,
	}
	rows := []channels.VoucherClaim{
		{Voucher: channels.Voucher{Channel: config, MaxClaimableAmount: big.NewInt(20)}, TotalClaimed: big.NewInt(10)},
		{Voucher: channels.Voucher{Channel: config, MaxClaimableAmount: big.NewInt(40)}, TotalClaimed: big.NewInt(30)},
	}
	for call, want := range map[string]common.Hash{
		string(settlement.PackGetChannelId(config)):                                  b.id(),
		string(settlement.PackGetVoucherDigest(b.id(), big.NewInt(7))):               contracts.Digest(channels.VoucherData(contracttest.ChainID, b.id(), units(7))),
		string(settlement.PackGetRefundDigest(b.id(), big.NewInt(3), big.NewInt(7))): contracts.Digest(channels.RefundData(contracttest.ChainID, b.id(), units(3), units(7))),
		string(settlement.PackGetClaimBatchDigest(rows)):                             contracts.Digest(channels.ClaimBatchData(contracttest.ChainID, claims...)),
		string(settlement.PackGetClaimBatchDigest(nil)):                              contracts.Digest(channels.ClaimBatchData(contracttest.ChainID)),
	} {
		require.Equal(t, want, common.BytesToHash(b.Read(channels.Address, []byte(call))))
	}
	require.NotEqual(t, b.id(), b.channel.ID(contracttest.ChainID+1))
	domain, err := settlement.UnpackEip712Domain(b.Read(channels.Address, settlement.PackEip712Domain()))
	require.NoError(t, err)
	require.Equal(t, "x402 Batch Settlement 1", domain.Name+" "+domain.Version)
	require.Equal(t, channels.Address, domain.VerifyingContract)
}

// order is the order of secp256k1.
var order, _ = new(big.Int).SetString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16)

// flipped returns the other signature of the same key over the same digest, the one with the higher s.
func flipped(signature []byte) []byte {
	other := append([]byte(nil), signature...)
	new(big.Int).Sub(order, new(big.Int).SetBytes(signature[32:64])).FillBytes(other[32:64])
	other[64] ^= 27 ^ 28
	return other
}

// Ensure the payer's authorizer signs by its key alone: each malformed signature has its own error, and code at its
// address does not matter.
func TestPayerAuthorizer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.channel.PayerAuthorizer = session.Address
	b.deposit(100)
	good := b.claim(session, 50, 50)
	with := func(signature []byte) []byte {
		claim := good
		claim.Signature = signature
		return channels.PackClaim(claim)
	}
	high := flipped(good.Signature)
	b.reverts(shop, with(nil), "ECDSAInvalidSignatureLength", common.Big0)
	b.reverts(shop, with(good.Signature[:64]), "ECDSAInvalidSignatureLength", big.NewInt(64))
	b.reverts(shop, with(high), "ECDSAInvalidSignatureS", [32]byte(high[32:64]))
	b.reverts(shop, with(append(good.Signature[:64:64], 1)), "ECDSAInvalidSignature")
	b.reverts(shop, channels.PackClaim(b.claim(payer, 50, 50)), "InvalidSignature")
	b.Delegate(session, contracttest.TokenAddress)
	b.Must(shop, channels.Address, with(good.Signature))

	b.Must(session, channels.Address, b.channel.PackInitiateWithdraw(units(50)))
	b.SetTime(b.Now() + channels.MinWithdrawDelay)
	b.Must(session, channels.Address, b.channel.PackFinalizeWithdraw())
	require.EqualValues(t, -50, b.gained(payer.Address), "the payer gets it, whoever asked")
}

// Ensure vouchers of contract wallets, of accounts with an EIP-7702 delegation and of smart accounts count as the code
// says, and none of another key.
func TestPayers(t *testing.T) {
	t.Parallel()
	raw := func(digest common.Hash) []byte { return payer.SignDigest(digest).Bytes() }
	for name, prepare := range map[string]func(b *bench) (common.Address, func(common.Hash) []byte){
		"ERC-1271": func(b *bench) (common.Address, func(common.Hash) []byte) { return b.Wallet(payer), raw },
		"EIP-7702": func(b *bench) (common.Address, func(common.Hash) []byte) {
			b.Delegate(payer, b.Deploy(helpers.DeployCode(helpers.WalletMetaData.Bin, helpers.NewWallet().PackConstructor(common.Address{})...)))
			return payer.Address, raw
		},
		"smart account": func(b *bench) (common.Address, func(common.Hash) []byte) {
			account := smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(payer.Address))
			b.Must(stranger, account.Factory, account.PackCreate())
			b.Must(contracttest.Owner, contracttest.TokenAddress, tokencontract.PackMint(account.Address(), units(1_000)))
			return account.Address(), func(digest common.Hash) []byte {
				return smartwallet.WrapSignature(0, raw(account.Digest(contracttest.ChainID, digest)))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			from, sign := prepare(b)
			b.channel.Payer = from
			a := b.channel.Authorization(contracttest.ChainID, units(100), 0, b.Now()+60, nil)
			data := channels.AuthorizationData(a, nil, sign(a.ReceiveMessage().Digest(contracttest.Domain())))
			b.Must(stranger, channels.Address, b.channel.PackDeposit(units(100), channels.ERC3009CollectorAddress, data))
			claim := b.claim(stranger, 40, 40)
			b.reverts(shop, channels.PackClaim(claim), "InvalidSignature")
			claim.Signature = sign(contracts.Digest(channels.VoucherData(contracttest.ChainID, b.id(), claim.Ceiling)))
			b.Must(shop, channels.Address, channels.PackClaim(claim))
			b.stateIs(100, 40)
		})
	}
}

// permitDeposit returns the call data of a deposit through Permit2, with an allowance for it if asked for.
func (b *bench) permitDeposit(amount, nonce uint64, allowance []byte) []byte {
	permit := b.channel.Permit(contracttest.ChainID, units(amount), units(nonce), b.Now()+60)
	signature := payer.SignDigest(contracts.Digest(permit.TypedData(contracttest.ChainID))).Bytes()
	return b.channel.PackDeposit(units(amount), channels.Permit2CollectorAddress, channels.PermitData(permit, signature, allowance))
}

// Ensure a deposit through Permit2 brings its allowance, one that somebody else sent first does no harm, and the
// witness ties it to one channel.
func TestPermit2Deposit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Reverts(stranger, channels.Address, b.permitDeposit(100, 0, nil), contracttest.Reason("TRANSFER_FROM_FAILED"))
	permit := tokencontract.Permit{Owner: payer.Address, Spender: permit2.Address, Value: units(100)}
	signature := payer.Sign(contracttest.Domain(), permit.Message())
	allowance := channels.AllowanceData(permit, signature)
	collector := channels.NewPermit2DepositCollector()
	b.Reverts(stranger, channels.Address, b.permitDeposit(99, 0, allowance), contracttest.Error(t, collector.GetABI(), "Permit2612AmountMismatch"))

	other := *b
	other.channel.Salt = common.Hash{1}
	moved := other.permitDeposit(100, 0, nil)
	signed := b.permitDeposit(100, 0, allowance)
	b.Must(stranger, contracttest.TokenAddress, permit.Pack(signature)) // front-run
	outcome := b.Must(stranger, channels.Address, signed)
	require.Equal(t, []string{"EIP2612PermitFailedWithReason"}, contracttest.Events(t, channels.Permit2CollectorAddress, collector.GetABI(), outcome.Logs))
	b.stateIs(100, 0)
	b.Reverts(stranger, channels.Address, moved, contracttest.Error(t, permit2.NewPermit2().GetABI(), "InvalidNonce"))

	b.Must(payer, contracttest.TokenAddress, token.PackApprove(permit2.Address, all.ToBig()))
	theirs := b.channel.Permit(contracttest.ChainID, units(10), units(1), b.Now()+60)
	wrong := channels.PermitData(theirs, payer.SignDigest(contracts.Digest(theirs.TypedData(contracttest.ChainID))).Bytes(), nil)
	b.Reverts(stranger, channels.Address, other.channel.PackDeposit(units(10), channels.Permit2CollectorAddress, wrong),
		contracttest.Error(t, permit2.NewPermit2().GetABI(), "InvalidSigner"))
	require.True(t, b.Tokens(channels.Address).Eq(uint256.NewInt(100)))
}

// Ensure a collector cannot use the contract while that waits for it, by any of its functions.
func TestReentrancy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, call := range map[string][]byte{
		"deposit":  b.depositData(1),
		"claim":    channels.PackClaim(b.claim(payer, 1, 1)),
		"batch":    signedClaims(authorizer, b.claim(payer, 1, 1)),
		"settle":   channels.PackSettle(shop.Address, contracttest.TokenAddress),
		"withdraw": b.channel.PackInitiateWithdraw(units(1)),
		"finalize": b.channel.PackFinalizeWithdraw(),
		"refund":   b.channel.PackRefund(units(1)),
		"signed":   b.signedRefund(authorizer, 1, 0),
	} {
		hands := program.New().Mstore(call, 0).Call(nil, channels.Address, 0, 0, len(call), 0, 0).Op(vm.POP)
		hands.Op(vm.RETURNDATASIZE).Push(0).Push(0).Op(vm.RETURNDATACOPY, vm.RETURNDATASIZE).Push(0).Op(vm.REVERT)
		evil := b.Deploy(program.New().ReturnViaCodeCopy(hands.Bytes()).Bytes())
		outcome := b.Send(stranger, channels.Address, b.channel.PackDeposit(units(1), evil, nil))
		require.Equal(t, contracttest.Describe(contracttest.Error(t, settlement.GetABI(), "ReentrancyGuardReentrantCall")), contracttest.Describe(outcome.Output), name)
	}
	b.stateIs(0, 0)
}
