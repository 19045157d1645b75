package scenario

import (
	"errors"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/tokencontract"
)

// natives are the scenarios of chains whose token is the native coin, sorted by name.
var natives = []Scenario{
	{"BlockedPayee", ofNatives, "the merchant is blocked while its capture waits in the pool", native(blockedPayee)},
	{"CountedTwice", ofNatives, "a capture is sealed, and its receipt has two logs of the transfer", native(countedTwice)},
	{"DustLeft", ofNatives, "the payer sends the merchant the value natively, less a wei", native(dustLeft)},
}

// native makes a story of a capture on a chain whose native coin is the token.
func native(story func(*scene)) func(*scene) {
	return func(s *scene) {
		if s.Timeline.Moment().Chain().NativeToken != s.Token.VerifyingContract {
			must(errors.New("the token is not the native coin, which it is with --preset arc"))
		}
		s.authorize(s.validBefore())
		story(s)
	}
}

func blockedPayee(s *scene) {
	capture, token := s.capture, s.Token.VerifyingContract
	must(s.Timeline.Send(s.sign(paytoken.Owner, token, got(tokencontract.ABI().Pack("blacklist", s.merchant.Address)))))
	if err := s.Timeline.Send(capture); !errors.Is(err, evmstate.ErrBlocked) { // in a mode that seals at once
		must(err)
	}
	s.did("The capture was sent behind a transaction that blocks the merchant")
	s.seal()
	s.act(paytoken.Owner, token, got(tokencontract.ABI().Pack("unBlacklist", s.merchant.Address)))
	s.unsettled("The payment did not happen, and no receipt says so: a transaction whose sender is blocked before it is executed is in no block, and its hash stays unknown. A correct client gives up waiting, asks whether the nonce is used, and captures again before validBefore once the merchant is no longer blocked.")
}

func countedTwice(s *scene) {
	block := s.bury(1)
	s.settled(block, "The payment happened once: of the two logs Transfer, with the same topics, the first is the native coin's, from 0xfffffffffffffffffffffffffffffffffffffffe with 18 decimals. A correct client counts logs of the token's address alone.")
}

func dustLeft(s *scene) {
	wei := new(uint256.Int).Mul(s.value, uint256.NewInt(1e12))
	s.deceives(s.signed(s.payer, &types.LegacyTx{
		Nonce: s.nonce(s.payer), GasPrice: s.gasPrice(), Gas: transactionGas, To: &s.merchant.Address, Value: wei.SubUint64(wei, 1).ToBig(),
	}), "The payment did not happen: a wei is missing of what the payer sent natively, for which there is a log of the coin and none of the token. The token shows balances of 18 decimals rounded down to 6; a correct client counts logs of the token's address, and no differences of balances, which fees and dust change as well.")
}
