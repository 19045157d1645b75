package scenario

import (
	"cmp"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/contracts/checkout"
	"github.com/fakenode/fakenode/contracts/escrow"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/contracts/spendpermission"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/tokencontract"
)

// order is an order of the Checkout with a variable total, as the payer signed it.
type order struct {
	terms           checkout.Terms
	signature       []byte
	permit          tokencontract.Permit
	permitSignature tokencontract.Signature
}

// newOrder signs terms with the scene's value as ceiling, and the permit for it.
func (s *scene) newOrder() order {
	moment := s.Timeline.Moment()
	state := got(moment.Latest().State())
	nonce := state.Storage(s.Token.VerifyingContract, tokencontract.MappingSlot(tokencontract.SlotPermitNonces, s.payer.Address))
	terms := checkout.Terms{
		Payer: s.payer.Address, Merchant: s.merchant.Address, Token: s.Token.VerifyingContract, Ceiling: s.value, Order: s.unique(),
		Deadline: uint64(moment.Now().AddDate(1, 0, 0).Unix()),
	}
	permit := terms.Permit(checkout.Address, new(uint256.Int).SetBytes(nonce[:]).Uint64())
	s.conclusion.Contract, s.conclusion.Nonce = checkout.Address, terms.ID(s.Token.ChainID, checkout.Address)
	return order{terms, s.payer.SignDigest(s.conclusion.Nonce).Bytes(), permit, s.payer.Sign(s.Token, permit.Message())}
}

// withPermit is the first capture of an order, which brings the allowance.
func (o order) withPermit(amount *uint256.Int) []byte {
	return o.terms.PackCaptureWithPermit(amount, o.signature, o.permit, o.permitSignature)
}

// captured makes an order, captures a part of it, and returns the block that holds the capture.
func (s *scene) captured(part *uint256.Int) (order, common.Hash) {
	o := s.newOrder()
	return o, s.act(s.merchant, checkout.Address, o.withPermit(part))
}

// most returns three fifths of a value, so that two of them exceed it.
func most(value *uint256.Int) *uint256.Int {
	part := new(uint256.Int).Mul(value, uint256.NewInt(3))
	return part.Div(part, uint256.NewInt(5))
}

func ceilingExceeded(s *scene) {
	part := most(s.value)
	o, _ := s.captured(part)
	s.prepareCapture(checkout.Address, o.terms.PackCapture(part, o.signature))
	s.conclusion.Received = part
	s.tooLate("Only the first capture was paid: the second is in a block too, and it failed, because both together are above the ceiling. A transaction in a block is not a payment until its receipt says so; what is left of the order can still be captured.")
}

func partialCapturesThenReorg(s *scene) {
	part := new(uint256.Int).Rsh(s.value, 1)
	o, first := s.captured(part)
	kept := s.sent[len(s.sent)-1]
	s.prepareCapture(checkout.Address, o.terms.PackCapture(part, o.signature))
	second := s.bury(1)
	s.reorg(2, [][]*types.Transaction{nil, {kept}}, s.capture.Hash())
	s.removed(first)
	s.orphaned(second)
	s.conclusion.Received = part
	s.unsettled("The first part was paid, in another block than first seen; the second was not. What an order has taken in is what the contract says at the block one trusts, not a sum of events, and what is missing can be captured again.")
}

func permitFrontRun(s *scene) {
	o := s.newOrder()
	s.prepareCapture(checkout.Address, o.withPermit(s.value))
	s.tryCapture()
	s.act(s.stranger(), s.Token.VerifyingContract, o.permit.Pack(o.permitSignature))
	block := s.bury(1)
	s.settled(block, "The payment happened: whoever saw the permit could submit it first, which used its nonce and set the very allowance. A capture that takes a failing permit for no harm goes through; one that insists on it fails though it could be paid.")
}

func reclaimRacesCapture(s *scene) {
	seed := s.unique()
	expiry := s.next() + 60
	payment := escrow.Payment{
		Operator: s.merchant.Address, Payer: s.payer.Address, Receiver: s.merchant.Address, Token: s.Token.VerifyingContract, MaxAmount: s.value,
		PreApprovalExpiry: expiry, AuthorizationExpiry: expiry, RefundExpiry: expiry, Salt: new(uint256.Int).SetBytes(seed[:]),
	}
	d := escrow.V1_1
	signature := s.payer.Sign(s.Token, payment.Authorization(s.Token.ChainID, d).ReceiveMessage())
	s.act(s.merchant, d.Escrow, payment.PackAuthorize(s.value, d.ERC3009Collector, signature.Bytes()))
	s.conclusion.Contract, s.conclusion.Nonce = d.Escrow, payment.Hash(s.Token.ChainID, d.Escrow)
	s.prepareCapture(d.Escrow, payment.PackCapture(s.value, nil, common.Address{}))
	must(s.Timeline.Set(preconf.NextBlockTime(expiry - 1)))
	s.announce()
	s.lose()
	s.seal()
	must(s.Timeline.Set(preconf.NextBlockTime(max(expiry, s.next()))))
	s.act(s.payer, d.Escrow, payment.PackReclaim())
	s.bury(1) // the same bytes again
	s.unsettled("The merchant got nothing and the payer has the money back: the capture was pre-confirmed in the last second it was possible, and lost. Reserved money is captured early enough for the capture to be sent again before the authorization expires.")
}

// period of the scenes' subscriptions, in seconds.
const period = 10

// subscribe gives a new smart account of the payer twice the scene's value, and has it permit the merchant one value in
// every period from start on. The approval deploys the account.
func (s *scene) subscribe(start uint64) spendpermission.Permission {
	account := s.newAccount(s.payer.Address, spendpermission.Address)
	p := spendpermission.Permission{
		Account: account.Address(), Spender: s.merchant.Address, Token: s.Token.VerifyingContract, Allowance: s.value,
		Period: period, Start: start, End: start + 100*period,
	}
	s.fund(p.Account, new(uint256.Int).Lsh(s.value, 1))
	bound := account.Digest(s.Token.ChainID, p.Hash(s.Token.ChainID))
	signature := account.WrapUndeployed(smartwallet.WrapSignature(0, s.payer.SignDigest(bound).Bytes()))
	s.act(s.merchant, spendpermission.Address, p.PackApproveWithSignature(signature))
	s.conclusion.Contract, s.conclusion.Payer, s.conclusion.Nonce = spendpermission.Address, p.Account, p.Hash(s.Token.ChainID)
	return p
}

// newAccount returns a smart account that no other run has.
func (s *scene) newAccount(owners ...common.Address) smartwallet.Account {
	account, seed := smartwallet.Account{Factory: smartwallet.FactoryAddress}, s.unique()
	for _, owner := range owners {
		account.Owners = append(account.Owners, smartwallet.AccountOwner(owner))
	}
	account.Nonce = new(uint256.Int).SetBytes(seed[:8]).Uint64()
	return account
}

// fund gives an account token units of the payer's, in a block.
func (s *scene) fund(account common.Address, value *uint256.Int) {
	s.act(s.payer, s.Token.VerifyingContract, tokencontract.PackTransfer(account, value))
}

func periodRollover(s *scene) {
	p := s.subscribe(s.next())
	periods := (s.next() - p.Start + period - 1) / period
	first := p.Start + periods*period // the first second of a period that is to come
	for _, at := range []uint64{first, first + period - 1, first + period} {
		s.prepareCapture(spendpermission.Address, p.PackSpend(s.value))
		s.send()
		s.sealAt(at)
	}
	found := got(s.Timeline.Moment().Find(s.capture.Hash()))
	if !found.Executed() {
		must(errors.New("the charge is in no block"))
	}
	s.settled(found.View.Hash(), "Two charges were paid, one in each period: the second failed in the last second of the first period and went through in the first second of the next. What counts is the timestamp of the block that a charge gets into, not when it was sent.")
	s.conclusion.Received = new(uint256.Int).Lsh(s.value, 1)
}

func permissionRevoked(s *scene) {
	p := s.subscribe(s.next())
	s.prepareCapture(spendpermission.Address, p.PackSpend(s.value))
	s.announce()
	s.lose()
	revoke := smartwallet.NewSmartWallet().PackExecute(spendpermission.Address, common.Big0, p.PackRevoke())
	s.act(s.payer, p.Account, revoke)
	s.bury(1) // the same bytes again
	s.unsettled("The charge was not paid: its pre-confirmation was lost while the payer revoked the permission, and so it failed when it came again. It will never succeed; the service ends with the period that was paid last.")
}

// depositValidFor is the time for which the authorization of a deposit is valid, in seconds.
const depositValidFor = 3_600

// newChannel makes a new channel from the payer to the merchant the scenario's payment, and returns the call that
// deposits the scene's value into it.
func (s *scene) newChannel() (channels.Channel, []byte) {
	channel := channels.Channel{
		Payer: s.payer.Address, Receiver: s.merchant.Address, ReceiverAuthorizer: s.merchant.Address,
		Token: s.Token.VerifyingContract, WithdrawDelay: channels.MinWithdrawDelay, Salt: s.unique(),
	}
	s.conclusion.Contract, s.conclusion.Nonce = channels.Address, channel.ID(s.Token.ChainID)
	a := channel.Authorization(s.Token.ChainID, s.value, 0, s.next()+depositValidFor, nil)
	data := channels.AuthorizationData(a, nil, s.payer.Sign(s.Token, a.ReceiveMessage()).Bytes())
	return channel, channel.PackDeposit(s.value, channels.ERC3009CollectorAddress, data)
}

// filled is newChannel with the deposit in a block, whose hash it returns.
func (s *scene) filled() (channels.Channel, common.Hash) {
	channel, deposit := s.newChannel()
	return channel, s.act(s.merchant, channels.Address, deposit)
}

// served prepares the capture of an amount charged to the channel by vouchers: one transaction in which the merchant
// claims it and is paid.
func (s *scene) served(channel channels.Channel, charged *uint256.Int) {
	digest := contracts.Digest(channels.VoucherData(s.Token.ChainID, s.conclusion.Nonce, charged))
	claim := channels.Claim{Channel: channel, Ceiling: charged, Signature: s.payer.SignDigest(digest).Bytes(), Total: charged}
	s.prepareCapture(channels.Address, channels.PackMulticall(channels.PackClaim(claim), channels.PackSettle(channel.Receiver, channel.Token)))
}

// tooLate ends a scene whose capture comes into a block and fails there.
func (s *scene) tooLate(statement string) {
	s.announce()
	s.seal()
	s.unsettled(statement)
}

// withdraws lets the payer start to withdraw everything, and returns the time from which on the withdrawal can be
// finalized, in Unix seconds.
func (s *scene) withdraws(channel channels.Channel) (due uint64) {
	s.act(s.payer, channels.Address, channel.PackInitiateWithdraw(s.value))
	return s.Timeline.Moment().Latest().Header().Time + channel.WithdrawDelay
}

func channelDepositReorgedOut(s *scene) {
	depth := cmp.Or(s.params.Depth, 1)
	channel, block := s.filled()
	deposit := s.sent[len(s.sent)-1].Hash()
	if depth > 1 {
		s.seals(depth - 1)
	}
	s.reorg(depth, nil, deposit)
	s.removed(block)
	s.served(channel, most(s.value))
	s.tooLate("Nothing was paid: vouchers are out, and the deposit they are drawn on was removed. By now a correct server has stopped selling on the channel and deposited again by the same authorization, which is unused and good until validBefore; then it claims.")
}

func claimRacesWithdrawal(s *scene) {
	channel, _ := s.filled()
	due := s.withdraws(channel)
	finalize := s.sign(s.payer, channels.Address, channel.PackFinalizeWithdraw())
	s.served(channel, most(s.value))
	must(s.Timeline.Set(preconf.NextBlockTime(due)))
	must(s.Timeline.Send(finalize))
	s.tooLate("Nothing was paid: claim and withdrawal are in one block, the first in which the withdrawal is due, and the withdrawal came first. By now a correct server has claimed: it did so when it saw WithdrawInitiated, the whole delay before.")
}

func depositSeenThenLost(s *scene) {
	_, deposit := s.newChannel()
	s.prepareCapture(channels.Address, deposit)
	s.tryCapture()
	s.announce()
	s.fault(control.FlashblockFault{Kind: control.DropFlashblocks, Count: 1, Gone: true})
	s.seal()
	s.unsettled("There is no channel: its deposit was pre-confirmed and never sealed. A correct server has sold nothing on it, for it counts deposits of sealed blocks; it has sent the same deposit again, or asks for another.")
}

func voucherAfterRefund(s *scene) {
	channel, _ := s.filled()
	s.act(s.merchant, channels.Address, channel.PackRefund(s.value))
	s.served(channel, most(s.value))
	s.tooLate("Nothing was paid: the channel was refunded while a voucher on it was not claimed yet, and a voucher is worth no more than the channel holds. A correct server claims and refunds by one multicall, and takes no voucher on what it gives back.")
}

func withdrawalOverslept(s *scene) {
	channel, _ := s.filled()
	due := s.withdraws(channel)
	must(s.Timeline.Set(preconf.NextBlockTime(due)))
	finalize := s.sign(s.payer, channels.Address, channel.PackFinalizeWithdraw())
	must(s.Timeline.Send(finalize))
	s.seal()
	s.served(channel, most(s.value))
	s.tooLate("Nothing was paid: the payer withdrew everything when the delay was over, and nobody had claimed. A correct server watches pendingWithdrawals of every channel it has vouchers of, also after it was down, and claims before the delay ends.")
}
