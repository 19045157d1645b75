package scenario

import (
	"cmp"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/fixtures/contracts/channels"
	"github.com/fakenode/fakenode/preconf/control"
)

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
	block := s.act(s.merchant, channels.Address, deposit)
	return channel, block
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
	if view, err := s.Timeline.Moment().ByHash(block); err != nil || !view.Orphan() {
		must(fmt.Errorf("block %s was not removed", block))
	}
	s.served(channel, most(s.value))
	s.tooLate("Nothing was paid: vouchers are out, and the deposit they are drawn on was removed. By now a correct server has stopped selling on the channel and deposited again by the same authorization, which is unused and good until validBefore; then it claims.")
}

func claimRacesWithdrawal(s *scene) {
	channel, _ := s.filled()
	due := s.withdraws(channel)
	finalize := s.sign(s.payer, channels.Address, channel.PackFinalizeWithdraw())
	s.served(channel, most(s.value))
	must(s.Timeline.SetNextBlockTime(due))
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
	must(s.Timeline.SetNextBlockTime(due))
	finalize := s.sign(s.payer, channels.Address, channel.PackFinalizeWithdraw())
	must(s.Timeline.Send(finalize))
	s.seal()
	s.served(channel, most(s.value))
	s.tooLate("Nothing was paid: the payer withdrew everything when the delay was over, and nobody had claimed. A correct server watches pendingWithdrawals of every channel it has vouchers of, also after it was down, and claims before the delay ends.")
}
