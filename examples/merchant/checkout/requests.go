package checkout

import (
	"context"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/tokencontract"
)

// requests are paid through a channel (x402's batch-settlement): the payer signs a deposit once, and for each request a
// voucher for the total so far. The shop serves on the voucher alone, and takes the money of many at once.
//
// Its Credential is the signature of the deposit, and behind it the newest voucher: the total in 32 bytes, and the
// signature. Both are a key's.
type requests struct{ *chain }

const (
	keySignature = 65 // bytes
	// withdrawDelay is how long the shop has, in seconds, to take what it has vouchers for once the payer withdraws.
	withdrawDelay = 24 * 60 * 60
)

func (r requests) terms(ctx context.Context, o *Order) error {
	return r.deployed(ctx, o.Path, channels.Address)
}

func (r requests) channel(o Order) channels.Channel {
	return channels.Channel{
		Payer: o.Terms.From, Receiver: r.merchant, ReceiverAuthorizer: r.merchant, Token: r.token, WithdrawDelay: withdrawDelay, Salt: o.Terms.Nonce,
	}
}

// deposit is the authorization that the payer signs to fund the channel.
func (r requests) deposit(o Order) tokencontract.Authorization {
	return r.channel(o).Authorization(r.domain.ChainID, o.Terms.Value, o.Terms.ValidAfter, o.Terms.ValidBefore, nil)
}

func (r requests) toSign(o Order) ToSign {
	next := new(uint256.Int).Add(o.Vouched, o.Price)
	return ToSign{
		TypedData: r.deposit(o).ReceiveMessage().TypedData(r.domain),
		Voucher:   channels.VoucherData(r.domain.ChainID, r.channel(o).ID(r.domain.ChainID), next),
	}
}

func (r requests) join(_ context.Context, o Order, signed Signed) (Credential, error) {
	message := r.deposit(o).ReceiveMessage()
	return signed.Signature, r.verifyKey(o.Terms.From, message.Digest(r.domain), message.PrimaryType(), signed.Signature)
}

// serve puts the voucher in the place of the one before, which it contains.
func (r requests) serve(o Order, credential Credential, total *uint256.Int, voucher Credential) (Credential, error) {
	data := channels.VoucherData(r.domain.ChainID, r.channel(o).ID(r.domain.ChainID), total)
	if err := r.verifyKey(o.Terms.From, contracts.Digest(data), "Voucher", voucher); err != nil {
		return nil, err
	}
	behind := total.Bytes32()
	return append(append(credential[:keySignature:keySignature], behind[:]...), voucher...), nil
}

// approval fills the channel.
func (r requests) approval(o Order, credential Credential) target {
	data := channels.AuthorizationData(r.deposit(o), nil, credential[:keySignature])
	return target{channels.Address, r.channel(o).PackDeposit(o.Terms.Value, channels.ERC3009CollectorAddress, data)}
}

// check reports why the channel does not hold the amount: the deposit is not there, or the payer took it back.
func (r requests) check(ctx context.Context, o Order, amount *uint256.Int) error {
	var answers [3][]byte
	for i, data := range channels.PackState(r.channel(o).ID(r.domain.ChainID)) {
		answer, err := r.client.CallContract(ctx, ethereum.CallMsg{To: new(channels.Address), Data: data}, pending)
		if err != nil {
			return unavailable("read the channel", err)
		}
		answers[i] = answer
	}
	state, err := channels.UnpackState(answers)
	if err != nil {
		return unavailable("read the channel", err)
	}
	left := new(uint256.Int).Sub(state.Balance, state.TotalClaimed)
	if left.Lt(amount) {
		return problem(Balance, "the channel holds %s, less than %s", formatAmount(left), formatAmount(amount))
	}
	return nil
}

// capture claims the amount beside what was claimed before, and has all that was claimed paid out. Captures wait for
// each other: a claim is for a total, and one that comes late would take what another was for.
func (r requests) capture(o Order, amount *uint256.Int, credential Credential) target {
	voucher := credential[keySignature:]
	return target{channels.Address, channels.PackMulticall(
		channels.PackClaim(channels.Claim{
			Channel: r.channel(o), Ceiling: new(uint256.Int).SetBytes(voucher[:common.HashLength]), Signature: voucher[common.HashLength:],
			Total: new(uint256.Int).Add(o.Received(), amount),
		}),
		channels.PackSettle(r.merchant, r.token),
	)}
}
