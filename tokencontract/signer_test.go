package tokencontract_test

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// signer is a way to pay: the holder of the money, and the form in which its signature reaches the token.
type signer struct {
	name   string
	vrs    bool // v, r, s form; otherwise bytes
	wallet bool // the ERC-1271 wallet; otherwise the payer's own account
}

var signers = []signer{{"EOA v,r,s", true, false}, {"EOA bytes", false, false}, {"ERC-1271 bytes", false, true}}

func (s signer) address(w *world) common.Address {
	if s.wallet {
		return w.wallet
	}
	return w.payer.Address
}

// settlement is one of the two functions that settle an authorization.
type settlement struct {
	name    string
	receive bool
}

var settlements = []settlement{{"transferWithAuthorization", false}, {"receiveWithAuthorization", true}}

func (k settlement) message(a tokencontract.Authorization) tokencontract.Message {
	if k.receive {
		return a.ReceiveMessage()
	}
	return a.TransferMessage()
}

// sender returns an account that may submit: the payee of a capture, anybody for a transfer.
func (k settlement) sender(w *world) fixtures.Account {
	if k.receive {
		return w.merchant
	}
	return w.relayer
}

func (k settlement) pack(w *world, s signer, a tokencontract.Authorization, signature []byte) []byte {
	if !s.vrs {
		if k.receive {
			return a.PackReceiveBytes(signature)
		}
		return a.PackTransferBytes(signature)
	}
	parsed, err := tokencontract.ParseSignature(signature)
	require.NoError(w.t, err)
	if k.receive {
		return a.PackReceive(parsed)
	}
	return a.PackTransfer(parsed)
}

// signed returns the call data of an authorization signed by the payer's key.
func (k settlement) signed(w *world, s signer, a tokencontract.Authorization) []byte {
	return k.signedBy(w, s, a, w.payer)
}

func (k settlement) signedBy(w *world, s signer, a tokencontract.Authorization, key fixtures.Account) []byte {
	return k.pack(w, s, a, key.Sign(w.domain, k.message(a)).Bytes())
}

// terms returns ten dollars for the merchant, valid around now.
func (w *world) terms(s signer) tokencontract.Authorization {
	return tokencontract.Authorization{
		From:        s.address(w),
		To:          w.merchant.Address,
		Value:       ten,
		ValidAfter:  w.chain.Now() - 60,
		ValidBefore: w.chain.Now() + 900,
		Nonce:       tokencontract.NonceFromSeed("order"),
	}
}

// untouched checks that an authorization was not used and moved nothing.
func (w *world) untouched(s signer, a tokencontract.Authorization) {
	w.usedIs(false, a.From, a.Nonce)
	w.balanceIs(s.address(w), startUSD)
	w.balanceIs(w.merchant.Address, new(tokenUnits))
}
