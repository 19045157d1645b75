package channel

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/examples/facilitator/paywall"
)

// Scheme is the facilitator's side: it checks payloads against the newest sealed block, and submits them. It keeps
// nothing. Safe for concurrent use.
type Scheme struct {
	f          *paywall.Facilitator
	authorizer *ecdsa.PrivateKey
	factories  map[common.Address]bool
	multicall  *contracts.Multicall3
	now        func() time.Time
}

var _ paywall.Scheme = (*Scheme)(nil)

// NewScheme returns the scheme of a facilitator. The authorizer signs for receivers who name its account; nil: none
// can. The factories may deploy the accounts of payers (ERC-6492), at the facilitator's cost.
func NewScheme(f *paywall.Facilitator, authorizer *ecdsa.PrivateKey, factories ...common.Address) *Scheme {
	s := &Scheme{f: f, authorizer: authorizer, factories: map[common.Address]bool{}, multicall: contracts.NewMulticall3(), now: time.Now}
	for _, factory := range factories {
		s.factories[factory] = true
	}
	return s
}

// Extra implements paywall.Scheme.
func (s *Scheme) Extra() *paywall.Extra {
	if s.authorizer == nil {
		return nil
	}
	authorizer := crypto.PubkeyToAddress(s.authorizer.PublicKey)
	return &paywall.Extra{ReceiverAuthorizer: &authorizer}
}

// Verify implements paywall.Scheme.
func (s *Scheme) Verify(ctx context.Context, p paywall.Payment, r paywall.Requirements) paywall.Verification {
	refused := func(err error) paywall.Verification {
		v := paywall.Verification{Reason: err.Error()}
		if _, known := errors.AsType[reason](err); !known {
			v.Reason, v.Message = errRead.Error(), err.Error()
		}
		return v
	}
	if p.Accepted.Scheme != Name || r.Scheme != Name {
		return refused(errScheme)
	}
	if p.Accepted.Network != r.Network || r.Network != s.f.Network() {
		return refused(errNetwork)
	}
	signed, err := parse(p.Payload)
	if err != nil || signed.Kind == kindClaim || signed.Kind == kindSettle {
		return refused(errPayloadType)
	}
	read, err := s.check(ctx, p, signed, r)
	v := paywall.Verification{Valid: true, Extra: wire(signed.Voucher.ChannelID, read)}
	if err != nil {
		v = refused(err)
	}
	v.Payer = signed.Config.Payer
	return v
}

// check returns the channel's state if a deposit, voucher or refund is good.
func (s *Scheme) check(ctx context.Context, p paywall.Payment, signed payload, r paywall.Requirements) (channels.State, error) {
	if err := s.checkTerms(signed, r); err != nil {
		return channels.State{}, err
	}
	if signed.Kind == kindDeposit {
		return s.checkDeposit(ctx, p, signed, r)
	}
	if err := s.checkVoucher(ctx, signed); err != nil {
		return channels.State{}, err
	}
	read, err := s.state(ctx, signed.Voucher.ChannelID)
	if err != nil {
		return read, err
	}
	if read.Balance.IsZero() {
		return read, errNotFound
	}
	return read, inRange(signed, read, read.Balance)
}

// inRange checks the voucher's ceiling against what it can be claimed of.
func inRange(signed payload, read channels.State, balance *uint256.Int) error {
	ceiling := signed.Voucher.Ceiling
	switch {
	case ceiling.Gt(balance):
		return errExceedsBalance
	case ceiling.Lt(read.TotalClaimed), signed.Kind != kindRefund && ceiling.Eq(read.TotalClaimed):
		return errBelowClaimed
	}
	return nil
}

// checkTerms compares the channel with the requirements.
func (s *Scheme) checkTerms(signed payload, r paywall.Requirements) error {
	c := signed.Config
	authorizer := r.Extra.ReceiverAuthorizer
	switch {
	case c.channel().ID(s.f.ChainID()) != signed.Voucher.ChannelID:
		return errChannelID
	case c.Receiver != r.PayTo:
		return errReceiver
	case authorizer == nil || *authorizer == common.Address{} || *authorizer != c.ReceiverAuthorizer:
		return errReceiverAuthorizer
	case c.Token != r.Asset:
		return errToken
	case r.Extra.WithdrawDelay != 0 && r.Extra.WithdrawDelay != c.WithdrawDelay:
		return errDelay
	case c.WithdrawDelay < channels.MinWithdrawDelay || c.WithdrawDelay > channels.MaxWithdrawDelay:
		return errDelayRange
	}
	return nil
}

// checkVoucher checks who signed, as the contract will.
func (s *Scheme) checkVoucher(ctx context.Context, signed payload) error {
	digest := contracts.Digest(channels.VoucherData(s.f.ChainID(), signed.Voucher.ChannelID, signed.Voucher.Ceiling))
	good := false
	if signer := signed.Config.PayerAuthorizer; signer != (common.Address{}) {
		good = madeBy(signer, digest, signed.Voucher.Signature)
	} else {
		good = s.signs(ctx, signed.Config.Payer, digest, signed.Voucher.Signature)
	}
	if !good {
		return errVoucherSignature
	}
	return nil
}
