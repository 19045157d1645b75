package scenario

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/b20"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// transactionGas is enough for each transaction of a scene, also for the state gas of Amsterdam.
const transactionGas = 4_000_000

// scene is a scenario being played: its stage, its parties, and the transactions they sent.
type scene struct {
	Stage
	ctx             context.Context
	pause           func(did string) // after each move; nil: none
	before          string           // what a move says first
	head            uint64           // number, after the last move
	params          Params
	order           *common.Hash // that a back end is asked to capture for; nil: none
	payer, merchant fixtures.Account
	value           *uint256.Int         // of the payment, in token units
	capture         *types.Transaction   // of the scenario
	decoy           bool                 // it only looks like the payment
	sent            []*types.Transaction // by any party
	hidden          common.Hash          // whose receipt is null for clients
	conclusion      Conclusion
	agrees          func() bool // whether the chains agree with the conclusion; nil: see concluded
}

// begin casts the parties, and seals the transactions that wait on the stage, and the block that is being built there.
func (s *scene) begin(name string, p Params) {
	s.cast(name, p)
	if m := s.Timeline.Moment(); m.Late() || m.PoolSize() > 0 || len(m.PendingBlocks()) > 0 {
		s.seal()
	}
	s.head = s.Timeline.Moment().Latest().Number()
}

// cast makes the parties and a conclusion without an end.
func (s *scene) cast(name string, p Params) {
	s.params = got(p.complete(len(s.Accounts)))
	s.value = got(fixtures.ParseUSD(s.params.Amount))
	s.payer, s.merchant = s.Accounts[s.params.Payer], s.Accounts[s.params.Merchant]
	s.conclusion = Conclusion{
		Scenario: name, Received: new(uint256.Int), Orphans: []common.Hash{},
		Payment: Payment{Contract: s.Token.VerifyingContract, Payer: s.payer.Address, Merchant: s.merchant.Address, Value: s.value},
	}
}

// authorize signs an authorization that is valid before a time, and a capture of it that would succeed in the next
// block.
func (s *scene) authorize(validBefore uint64) {
	moment := s.Timeline.Moment()
	a := fixtures.Authorization(s.payer, s.merchant, s.value, moment.Now())
	a.ValidBefore, a.Nonce = validBefore, s.unique()
	s.prepareCapture(s.Token.VerifyingContract, fixtures.Sign(s.payer, s.Token, a).Capture())
	s.conclusion.Nonce = a.Nonce
	s.tryCapture()
}

// tryCapture rejects a capture that would not succeed in the next block.
func (s *scene) tryCapture() { s.tried("the capture", s.capture) }

// tried ends the story unless a transaction, of that name, would succeed in the next block.
func (s *scene) tried(name string, tx *types.Transaction) {
	if err := s.try(tx); err != nil {
		must(fmt.Errorf("%s would fail: %w", name, err))
	}
}

// unique returns a word that no other run of a scenario has: an earlier one made blocks, moved the clock, or used the
// merchant's nonce.
func (s *scene) unique() common.Hash {
	moment := s.Timeline.Moment()
	return tokencontract.NonceFromSeed(fmt.Sprintf("scenario %s %d %d %d", s.merchant.Address, moment.PoolNonce(s.merchant.Address), moment.Now().UnixNano(), moment.Latest().Number()))
}

// prepareCapture signs a transaction of the merchant and makes it the scenario's capture.
func (s *scene) prepareCapture(to common.Address, data []byte) {
	s.captures(s.sign(s.merchant, to, data))
}

// captures makes a transaction the scenario's capture.
func (s *scene) captures(tx *types.Transaction) { s.capture, s.conclusion.Transaction = tx, tx.Hash() }

// sign signs an account's next transaction.
func (s *scene) sign(from fixtures.Account, to common.Address, data []byte) *types.Transaction {
	return s.signed(from, &types.LegacyTx{Nonce: s.nonce(from), GasPrice: s.gasPrice(), Gas: transactionGas, To: &to, Data: data})
}

// signed signs a transaction of an account.
func (s *scene) signed(from fixtures.Account, tx types.TxData) *types.Transaction {
	signed := got(types.SignNewTx(from.Key, types.LatestSignerForChainID(new(big.Int).SetUint64(s.Token.ChainID)), tx))
	s.sent = append(s.sent, signed)
	return signed
}

// nonce returns the nonce of an account's next transaction.
func (s *scene) nonce(of fixtures.Account) uint64 { return s.Timeline.Moment().PoolNonce(of.Address) }

// gasPrice returns the gas price of transactions, in wei: more than blocks will ask for.
func (s *scene) gasPrice() *big.Int {
	baseFee := s.Timeline.Moment().NextHeader().BaseFee
	if baseFee == nil { // before London
		baseFee = big.NewInt(params.GWei)
	}
	return new(big.Int).Mul(baseFee, big.NewInt(10))
}

// payerOf returns the account that pays in one of many plays, each with another one. Account 1 is the merchant.
func (s Stage) payerOf(play int) int {
	payer := play % max(len(s.Accounts)-2, 1)
	if payer > 0 {
		payer++
	}
	return payer
}

// stranger returns the last account that is neither the payer's nor the merchant's.
func (s *scene) stranger() fixtures.Account {
	for _, account := range slices.Backward(s.Accounts) {
		if account.Address != s.payer.Address && account.Address != s.merchant.Address {
			return account
		}
	}
	panic(broken{fmt.Errorf("the scenario needs a third account, the node has %d", len(s.Accounts))})
}

// try returns the reason why tx would not succeed in the next block, or nil. It changes nothing.
func (s *scene) try(tx *types.Transaction) error {
	trial := s.Timeline.Clone()
	if err := trial.Send(tx); err != nil {
		return err
	}
	if _, err := trial.SealContext(s.ctx, 1); err != nil {
		return err
	}
	switch found, err := trial.Moment().Find(tx.Hash()); {
	case err != nil:
		return err
	case !found.Executed():
		return errors.New("it does not get into the next block")
	case found.Receipt.Status != types.ReceiptStatusSuccessful && *tx.To() != s.Token.VerifyingContract:
		return fmt.Errorf("the contract at %s reverts", tx.To())
	case found.Receipt.Status != types.ReceiptStatusSuccessful:
		return errors.New("the token refuses it: not enough balance, paused, or an account on its blacklist")
	case len(found.Receipt.Logs) == 0:
		return fmt.Errorf("there is no contract at %s", tx.To())
	}
	return nil
}

// concluded reports whether the chain at latest agrees with the conclusion.
func (s *scene) concluded() bool {
	if s.agrees != nil {
		return s.agrees()
	}
	c, moment := s.conclusion, s.Timeline.Moment()
	state := got(moment.Latest().State())
	if c.Contract == s.Token.VerifyingContract {
		slot := tokencontract.AuthorizationSlot(c.Payer, c.Nonce)
		if used := state.Storage(c.Contract, slot) != (common.Hash{}); used != c.Settled {
			return false
		}
	}
	for _, orphan := range c.Orphans {
		if view, err := moment.ByHash(orphan); err == nil && !view.Orphan() {
			return false
		}
	}
	if !s.received().Eq(c.Received) {
		return false
	}
	found, err := moment.Find(c.Transaction)
	paid := err == nil && found.Executed() && !s.paidBy(found.Receipt).IsZero()
	return paid == c.Settled && (!paid || found.View.Hash() == c.BlockHash)
}

// paidBy returns the token units of the payment that a transaction has brought the merchant. Of an authorization only
// its payer can pay.
func (s *scene) paidBy(receipt *types.Receipt) *uint256.Int {
	sum, token, ofPayer := new(uint256.Int), s.Token.VerifyingContract, s.conclusion.Contract == s.Token.VerifyingContract
	if s.conclusion.Contract == b20.Address {
		token = b20.Address
	}
	for _, log := range receipt.Logs {
		transfer, err := tokencontract.DecodeTransfer(*log)
		if err == nil && log.Address == token && transfer.To == s.merchant.Address && (!ofPayer || transfer.From == s.payer.Address) {
			sum.Add(sum, transfer.Value)
		}
	}
	return sum
}

// received returns the token units of the payment that the merchant has received at latest from all transactions sent.
func (s *scene) received() *uint256.Int {
	sum := new(uint256.Int)
	for _, tx := range s.sent {
		found, err := s.Timeline.Moment().Find(tx.Hash())
		if err == nil && found.Executed() {
			sum.Add(sum, s.paidBy(found.Receipt))
		}
	}
	return sum
}

// settled ends a scene in which the capture settled in this block and the merchant received the whole value.
func (s *scene) settled(block common.Hash, statement string) {
	view := got(s.Timeline.Moment().ByHash(block))
	s.conclusion.Settled, s.conclusion.BlockHash, s.conclusion.BlockNumber = true, block, view.Number()
	s.conclusion.Received, s.conclusion.Statement = s.value, statement
}

// unsettled ends a scene in which the capture did not settle and the merchant received no more than by earlier ones.
func (s *scene) unsettled(statement string) { s.conclusion.Statement = statement }
