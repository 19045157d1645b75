package tokencontract

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// PackReceive returns the call data of receiveWithAuthorization in its v, r, s form. This is a capture, which only the
// payee may send.
func (a Authorization) PackReceive(s Signature) []byte {
	value, after, before := a.numbers()
	return binding().PackReceiveWithAuthorizationVRS(a.From, a.To, value, after, before, a.Nonce, s.V(), s.R(), s.S())
}

// PackReceiveBytes is PackReceive in the bytes form, which also accepts signatures of contract wallets.
func (a Authorization) PackReceiveBytes(signature []byte) []byte {
	value, after, before := a.numbers()
	return binding().PackReceiveWithAuthorization(a.From, a.To, value, after, before, a.Nonce, signature)
}

// PackTransfer returns the call data of transferWithAuthorization in its v, r, s form. Anyone may send it.
func (a Authorization) PackTransfer(s Signature) []byte {
	value, after, before := a.numbers()
	return binding().PackTransferWithAuthorizationVRS(a.From, a.To, value, after, before, a.Nonce, s.V(), s.R(), s.S())
}

// PackTransferBytes is PackTransfer in the bytes form, which also accepts signatures of contract wallets.
func (a Authorization) PackTransferBytes(signature []byte) []byte {
	value, after, before := a.numbers()
	return binding().PackTransferWithAuthorization(a.From, a.To, value, after, before, a.Nonce, signature)
}

func (a Authorization) numbers() (value, after, before *big.Int) {
	return bigInt(a.Value), new(big.Int).SetUint64(a.ValidAfter), new(big.Int).SetUint64(a.ValidBefore)
}

// Pack returns the call data of cancelAuthorization in its v, r, s form. Anyone may send it.
func (c Cancellation) Pack(s Signature) []byte {
	return binding().PackCancelAuthorizationVRS(c.Authorizer, c.Nonce, s.V(), s.R(), s.S())
}

// PackBytes is Pack in the bytes form, which also takes signatures of contract wallets.
func (c Cancellation) PackBytes(signature []byte) []byte {
	return binding().PackCancelAuthorization(c.Authorizer, c.Nonce, signature)
}

// Pack returns the call data of permit in its v, r, s form. Anyone may send it. It does not contain the nonce, which
// the token knows.
func (p Permit) Pack(s Signature) []byte {
	value, deadline := p.Numbers()
	return binding().PackPermitVRS(p.Owner, p.Spender, value, deadline, s.V(), s.R(), s.S())
}

// PackBytes is Pack in the bytes form, which also takes signatures of contract wallets.
func (p Permit) PackBytes(signature []byte) []byte {
	value, deadline := p.Numbers()
	return binding().PackPermit(p.Owner, p.Spender, value, deadline, signature)
}

// PackBalanceOf returns the call data of balanceOf.
func PackBalanceOf(account common.Address) []byte {
	return binding().PackBalanceOf(account)
}

// PackMint returns the call data of mint, which a configured minter sends. amount is in token units (6 decimals).
func PackMint(to common.Address, amount *uint256.Int) []byte {
	return binding().PackMint(to, bigInt(amount))
}

// PackTransfer returns the call data of transfer. amount is in token units (6 decimals).
func PackTransfer(to common.Address, amount *uint256.Int) []byte {
	return binding().PackTransfer(to, bigInt(amount))
}

func bigInt(n *uint256.Int) *big.Int {
	if n == nil {
		return new(big.Int)
	}
	return n.ToBig()
}
