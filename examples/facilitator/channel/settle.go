package channel

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/examples/facilitator/paywall"
)

// Settle implements paywall.Scheme: it submits a deposit, a batch of claims, a settlement or a refund, and returns once
// that is in a sealed block. The total does not matter: the payload has it.
func (s *Scheme) Settle(ctx context.Context, p paywall.Payment, r paywall.Requirements, _ *uint256.Int) paywall.Settled {
	signed, err := parse(p.Payload)
	answer := paywall.Settled{Network: r.Network}
	if err == nil {
		switch {
		case signed.Kind == kindDeposit:
			answer, err = s.deposit(ctx, p, signed, r)
		case signed.Kind == kindClaim:
			answer, err = s.claim(ctx, signed)
		case signed.Kind == kindRefund && signed.Amount != nil && signed.RefundNonce != nil:
			answer, err = s.refund(ctx, signed)
		case signed.Kind == kindSettle:
			answer, err = s.settle(ctx, signed)
		default:
			err = errPayloadType
		}
	}
	answer.Network = r.Network
	if err == nil {
		answer.Success = true
		return answer
	}
	answer.Reason = errRead.Error()
	if known, ok := errors.AsType[reason](err); ok {
		answer.Reason = string(known)
	}
	if err.Error() != answer.Reason {
		answer.Message = err.Error()
	}
	return answer
}

// submit sends a call once it has succeeded as a trial.
func (s *Scheme) submit(ctx context.Context, call []byte, untrue, failed reason) (paywall.Settled, error) {
	if _, err := s.f.Read(ctx, channels.Address, call); err != nil {
		return paywall.Settled{}, fmt.Errorf("%w: %w", untrue, err)
	}
	return s.send(ctx, call, failed)
}

func (s *Scheme) send(ctx context.Context, call []byte, failed reason) (paywall.Settled, error) {
	hash, err := s.f.Submit(ctx, channels.Address, call)
	answer := paywall.Settled{}
	if hash != (common.Hash{}) {
		answer.Transaction = hash.Hex()
	}
	if err != nil {
		return answer, fmt.Errorf("%w: %w", failed, err)
	}
	return answer, nil
}

func (s *Scheme) deposit(ctx context.Context, p paywall.Payment, signed payload, r paywall.Requirements) (paywall.Settled, error) {
	payer := signed.Config.Payer
	if r.Network != s.f.Network() {
		return paywall.Settled{Payer: payer}, errNetwork
	}
	if _, err := s.check(ctx, p, signed, r); err != nil {
		return paywall.Settled{Payer: payer}, err
	}
	c, err := s.collection(ctx, p, signed, r)
	if err != nil {
		return paywall.Settled{Payer: payer}, err
	}
	if c.deploy != nil {
		if _, err := s.f.Submit(ctx, c.deploy.factory, c.deploy.call); err != nil {
			return paywall.Settled{Payer: payer}, fmt.Errorf("%w: %w", errDeployment, err)
		}
	}
	if err := s.f.Approve(ctx, c.approval); err != nil {
		return paywall.Settled{Payer: payer}, fmt.Errorf("%w: %w", errDeposit, err)
	}
	answer, err := s.send(ctx, c.call, errDeposit)
	answer.Payer = payer
	if err != nil {
		return answer, err
	}
	read, err := s.state(ctx, signed.Voucher.ChannelID)
	answer.Amount, answer.Extra = signed.Deposit.Amount, settledExtra{State: wire(signed.Voucher.ChannelID, read)}
	return answer, err
}

func (s *Scheme) claim(ctx context.Context, signed payload) (paywall.Settled, error) {
	call, err := s.claimCall(signed)
	if err != nil {
		return paywall.Settled{}, err
	}
	return s.submit(ctx, call, errClaimSimulation, errClaim)
}

// claimCall returns the call of a batch of claims, which the facilitator signs if the seller has not and names it.
func (s *Scheme) claimCall(signed payload) ([]byte, error) {
	batch := rows(signed.Claims)
	signature := []byte(signed.ClaimSignature)
	if signature == nil {
		for _, c := range batch {
			if err := s.mayAuthorize(c.Channel.ReceiverAuthorizer); err != nil {
				return nil, err
			}
		}
		var err error
		if signature, err = signData(s.authorizer, channels.ClaimBatchData(s.f.ChainID(), batch...)); err != nil {
			return nil, err
		}
	}
	return channels.PackClaimWithSignature(signature, batch...), nil
}

// mayAuthorize reports whether the facilitator signs for a receiver's authorizer.
func (s *Scheme) mayAuthorize(authorizer common.Address) error {
	switch {
	case s.authorizer == nil:
		return errAuthorizerNotConfigured
	case authorizer != crypto.PubkeyToAddress(s.authorizer.PublicKey):
		return errAuthorizer
	}
	return nil
}

func (s *Scheme) settle(ctx context.Context, signed payload) (paywall.Settled, error) {
	due, err := s.due(ctx, *signed.Receiver, *signed.Token)
	switch {
	case err != nil:
		return paywall.Settled{}, fmt.Errorf("%w: %w", errRead, err)
	case due.IsZero():
		return paywall.Settled{}, errNothingToSettle
	}
	answer, err := s.submit(ctx, channels.PackSettle(*signed.Receiver, *signed.Token), errSettleSimulation, errSettle)
	if err == nil {
		answer.Amount = due
	}
	return answer, err
}

// due returns the token units that were claimed for a receiver and not sent to it.
func (s *Scheme) due(ctx context.Context, receiver, token common.Address) (*uint256.Int, error) {
	answer, err := s.f.Read(ctx, channels.Address, channels.PackReceiver(receiver, token))
	if err != nil {
		return nil, err
	}
	claimed, settled, err := channels.UnpackReceiver(answer)
	if err != nil {
		return nil, err
	}
	return claimed.Sub(claimed, settled), nil
}

// refund claims what is owed and gives an amount back, both or neither.
func (s *Scheme) refund(ctx context.Context, signed payload) (paywall.Settled, error) {
	channel := signed.Config.channel()
	answer := paywall.Settled{}
	id := channel.ID(s.f.ChainID())
	read, err := s.state(ctx, id)
	if err != nil {
		return answer, fmt.Errorf("%w: %w", errRefund, err)
	}
	claimed := new(uint256.Int).Set(read.TotalClaimed)
	for _, c := range signed.Claims {
		if c.Total.Gt(claimed) && c.Voucher.Channel.channel() == channel {
			claimed = c.Total
		}
	}
	left := new(uint256.Int).Sub(read.Balance, claimed)
	if claimed.Eq(read.Balance) && !signed.Amount.IsZero() {
		return answer, errRefundNoBalance
	}
	signature := []byte(signed.RefundSignature)
	if signature == nil {
		if err := s.mayAuthorize(channel.ReceiverAuthorizer); err != nil {
			return answer, err
		}
		if signature, err = signData(s.authorizer, channels.RefundData(s.f.ChainID(), id, signed.RefundNonce, signed.Amount)); err != nil {
			return answer, err
		}
	}
	call := channel.PackRefundWithSignature(signed.Amount, signed.RefundNonce, signature)
	if len(signed.Claims) > 0 {
		claims, err := s.claimCall(signed)
		if err != nil {
			return answer, err
		}
		call = channels.PackMulticall(claims, call)
	}
	if answer, err = s.submit(ctx, call, errRefundSimulation, errRefund); err != nil {
		return answer, err
	}
	answer.Payer, answer.Amount = channel.Payer, signed.Amount
	if left.Lt(signed.Amount) {
		answer.Amount = left
	}
	after, err := s.state(ctx, id)
	answer.Extra = settledExtra{State: wire(id, after)}
	return answer, err
}
