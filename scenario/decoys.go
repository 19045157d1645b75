package scenario

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/contracts/b20"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// Stories of transactions that look like the payment. The payer's authorization is not captured in them.

// deceives makes a transaction the scenario's in place of the capture, and seals it.
func (s *scene) deceives(tx *types.Transaction, statement string) {
	s.captures(tx)
	s.decoy = true
	s.bury(1)
	s.unsettled(statement)
}

func fakeToken(s *scene) {
	s.deceives(s.impostor(s.stranger()), "The payment did not happen: the events Transfer and AuthorizationUsed, with the right payer, merchant, value and nonce, are those of a contract that is not the token. A correct client counts logs of the token's address alone.")
}

// impostor returns a transaction that deploys a contract whose constructor emits the events of a capture.
func (s *scene) impostor(from fixtures.Account) *types.Transaction {
	var code []byte
	emit := func(op vm.OpCode, words ...common.Hash) {
		for _, word := range words {
			code = append(append(code, byte(vm.PUSH32)), word[:]...)
		}
		code = append(code, byte(op))
	}
	none, payer, merchant := common.Hash{}, common.BytesToHash(s.payer.Address[:]), common.BytesToHash(s.merchant.Address[:])
	emit(vm.MSTORE, s.value.Bytes32(), none)
	emit(vm.LOG3, merchant, payer, tokencontract.TransferTopic, common.BigToHash(common.Big32), none)
	emit(vm.LOG3, s.conclusion.Nonce, payer, tokencontract.AuthorizationUsedTopic, none, none)
	return s.signed(from, &types.LegacyTx{Nonce: s.nonce(from), GasPrice: s.gasPrice(), Gas: transactionGas, Data: code})
}

func nonceOfAnotherPayer(s *scene) {
	other := s.stranger()
	a := fixtures.Authorization(other, s.merchant, s.value, s.Timeline.Moment().Now())
	a.ValidBefore, a.Nonce = s.validBefore(), s.conclusion.Nonce
	capture := s.sign(s.merchant, s.Token.VerifyingContract, fixtures.Sign(other, s.Token, a).Capture())
	must(s.try(capture))
	s.deceives(capture, "The payment did not happen: another payer has paid as much with an authorization of the same nonce. A nonce belongs to its payer; a correct client knows a payment by both.")
}

// inOtherToken returns a transfer of as many units of another token.
func (s *scene) inOtherToken() *types.Transaction {
	return s.sign(s.payer, b20.Address, tokencontract.PackTransfer(s.merchant.Address, s.value))
}

func otherToken(s *scene) {
	transfer := s.inOtherToken()
	must(s.try(transfer))
	s.deceives(transfer, "The payment did not happen: the payer has sent the merchant as many units of another token. A correct client counts logs of the token's address alone.")
}
