package channel

import (
	"bytes"
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/examples/facilitator/paywall"
	"github.com/fakenode/fakenode/tokencontract"
)

// slack is how long a signature must still be good for, in seconds.
const slack = 6

// collection is how a deposit is pulled.
type collection struct {
	call     []byte             // of the settlement contract
	approval *types.Transaction // to be sent before; nil: none
	deploy   *deployment        // to be made before; nil: none
}

// deployment is the call that creates the payer's account (ERC-6492).
type deployment struct {
	factory common.Address
	call    []byte
}

// checkDeposit returns the channel's state if a deposit can be made now and its voucher claimed then.
func (s *Scheme) checkDeposit(ctx context.Context, p paywall.Payment, signed payload, r paywall.Requirements) (channels.State, error) {
	c, err := s.collection(ctx, p, signed, r)
	if err != nil {
		return channels.State{}, err
	}
	if err := s.checkVoucher(ctx, signed); err != nil {
		return channels.State{}, err
	}
	read, more, err := s.read(ctx, signed.Voucher.ChannelID, owned(signed.Config.channel()))
	switch {
	case err != nil:
		return read, err
	case !more[0].Success:
		return read, errRead
	case new(uint256.Int).SetBytes(more[0].ReturnData).Lt(signed.Deposit.Amount):
		return read, errInsufficientBalance
	}
	filled := new(uint256.Int).Add(read.Balance, signed.Deposit.Amount)
	if err := inRange(signed, read, filled); err != nil {
		return read, err
	}
	return read, s.tryCollection(ctx, c)
}

// tryCollection makes the deposit in a call. After an approval that is not on the chain yet it cannot be tried.
func (s *Scheme) tryCollection(ctx context.Context, c collection) error {
	var err error
	switch {
	case c.approval != nil:
	case c.deploy != nil:
		_, err = s.f.Read(ctx, contracts.Multicall3Address, s.multicall.PackAggregate([]contracts.Multicall3Call{
			{Target: c.deploy.factory, CallData: c.deploy.call}, {Target: channels.Address, CallData: c.call},
		}))
	default:
		_, err = s.f.Read(ctx, channels.Address, c.call)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errDepositSimulation, err)
	}
	return nil
}

// collection checks how the deposit is signed for.
func (s *Scheme) collection(ctx context.Context, p paywall.Payment, signed payload, r paywall.Requirements) (collection, error) {
	byPermit2 := signed.Deposit.Authorization.Permit2 != nil
	if r.Extra.TransferMethod != "" {
		byPermit2 = r.Extra.TransferMethod == paywall.Permit2
	}
	if byPermit2 {
		return s.byPermit2(ctx, p, signed, r)
	}
	return s.byAuthorization(ctx, signed, r)
}

func (s *Scheme) byAuthorization(ctx context.Context, signed payload, r paywall.Requirements) (collection, error) {
	a := signed.Deposit.Authorization.ERC3009
	now := uint64(s.now().Unix())
	switch {
	case a == nil:
		return collection{}, errAuthorizationRequired
	case r.Extra.Name == "" || r.Extra.Version == "":
		return collection{}, errMissingDomain
	case a.ValidBefore.LtUint64(now + slack):
		return collection{}, errValidBefore
	case a.ValidAfter.GtUint64(now):
		return collection{}, errValidAfter
	}
	channel, salt := signed.Config.channel(), new(uint256.Int).SetBytes(a.Salt[:])
	authorization := channel.Authorization(s.f.ChainID(), signed.Deposit.Amount, a.ValidAfter.Uint64(), a.ValidBefore.Uint64(), salt)
	domain := tokencontract.Domain{Name: r.Extra.Name, Version: r.Extra.Version, ChainID: s.f.ChainID(), VerifyingContract: r.Asset}
	deploy, inner, err := s.undeployed(ctx, channel.Payer, a.Signature)
	if err != nil {
		return collection{}, err
	}
	if deploy == nil && !s.signs(ctx, channel.Payer, authorization.ReceiveMessage().Digest(domain), inner) {
		return collection{}, errAuthorizationSignature
	}
	data := channels.AuthorizationData(authorization, salt, inner)
	return collection{call: channel.PackDeposit(signed.Deposit.Amount, channels.ERC3009CollectorAddress, data), deploy: deploy}, nil
}

func (s *Scheme) byPermit2(ctx context.Context, p paywall.Payment, signed payload, r paywall.Requirements) (collection, error) {
	a := signed.Deposit.Authorization.Permit2
	channel, amount := signed.Config.channel(), signed.Deposit.Amount
	switch {
	case a == nil:
		return collection{}, errPayloadType
	case a.From != channel.Payer:
		return collection{}, errPermit2Signature
	case a.Spender != channels.Permit2CollectorAddress:
		return collection{}, errPermit2Spender
	case a.Permitted.Token != r.Asset:
		return collection{}, errToken
	case !a.Permitted.Amount.Eq(amount):
		return collection{}, errPermit2Amount
	case a.Witness.ChannelID != signed.Voucher.ChannelID:
		return collection{}, errChannelID
	case a.Deadline.LtUint64(uint64(s.now().Unix()) + slack):
		return collection{}, errPermit2Deadline
	}
	permit := channel.Permit(s.f.ChainID(), amount, a.Nonce, a.Deadline.Uint64())
	if !s.signs(ctx, channel.Payer, contracts.Digest(permit.TypedData(s.f.ChainID())), a.Signature) {
		return collection{}, errPermit2Signature
	}
	brought, err := p.Allowance(channel.Payer, r.Asset)
	if err != nil {
		return collection{}, reason(err.Error())
	}
	var allowance []byte
	switch {
	case brought.Permit != nil && !brought.Permit.Value.Eq(amount):
		return collection{}, errPermitAmount
	case brought.Permit != nil:
		allowance = channels.AllowanceData(*brought.Permit, brought.Signature)
	case brought.Approval == nil && !s.allows(ctx, channel, amount):
		return collection{}, errPermit2Allowance
	}
	data := channels.PermitData(permit, a.Signature, allowance)
	return collection{call: channel.PackDeposit(amount, channels.Permit2CollectorAddress, data), approval: brought.Approval}, nil
}

// allows reports whether Permit2 may take an amount of the payer's.
func (s *Scheme) allows(ctx context.Context, c channels.Channel, amount *uint256.Int) bool {
	answer, err := s.f.Read(ctx, c.Token, tokencontract.NewToken().PackAllowance(c.Payer, permit2.Address))
	return err == nil && !new(uint256.Int).SetBytes(answer).Lt(amount)
}

var (
	erc6492Magic     = bytes.Repeat([]byte{0x64, 0x92}, 16)
	erc6492Arguments = abi.Arguments{{Type: kind("address")}, {Type: kind("bytes")}, {Type: kind("bytes")}}
)

func kind(name string) abi.Type {
	t, err := abi.NewType(name, "", nil)
	if err != nil {
		panic("channel: " + err.Error()) // the names are constants
	}
	return t
}

// undeployed reads a signature that may carry how to deploy the account that made it (ERC-6492): the deployment, if it
// is still to be made, and the account's own signature.
func (s *Scheme) undeployed(ctx context.Context, payer common.Address, signature []byte) (*deployment, []byte, error) {
	wrapped, ok := bytes.CutSuffix(signature, erc6492Magic)
	if !ok {
		return nil, signature, nil
	}
	parts, err := erc6492Arguments.Unpack(wrapped)
	if err != nil {
		return nil, nil, errAuthorizationSignature
	}
	d := &deployment{parts[0].(common.Address), parts[1].([]byte)}
	inner := parts[2].([]byte)
	code, err := s.f.Code(ctx, payer)
	switch {
	case err != nil:
		return nil, nil, err
	case len(code) > 0 || d.factory == common.Address{}:
		return nil, inner, nil
	case !s.factories[d.factory]:
		return nil, nil, errFactory
	}
	return d, inner, nil
}
