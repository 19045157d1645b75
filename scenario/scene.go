package scenario

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// captureGas is enough for a capture.
const captureGas = 200_000

// scene is a scenario being played: its stage, and the transaction that captures a signed authorization.
type scene struct {
	Stage
	ctx        context.Context
	params     Params
	capture    *types.Transaction
	conclusion Conclusion
}

// newScene seals what waits on the stage and signs a capture that would succeed in the next block.
func newScene(ctx context.Context, stage Stage, p Params) (*scene, error) {
	p, err := p.complete()
	if err != nil {
		return nil, err
	}
	value, err := fixtures.ParseUSD(p.Amount)
	if err != nil {
		return nil, err
	}
	payer, err := stage.account(p.Payer)
	if err != nil {
		return nil, err
	}
	merchant, err := stage.account(p.Merchant)
	if err != nil {
		return nil, err
	}
	s := &scene{Stage: stage, ctx: ctx, params: p}
	if m := s.Timeline.Moment(); m.Late() || m.PoolSize() > 0 || len(m.Pending().Transactions()) > 0 {
		if _, err := s.seal(); err != nil {
			return nil, err
		}
	}
	authorization, err := s.sign(payer, merchant, fixtures.Authorization(payer, merchant, value, s.Timeline.Moment().Now()))
	if err != nil {
		return nil, err
	}
	if err := s.try(s.capture); err != nil {
		return nil, fmt.Errorf("the capture would fail: %w", err)
	}
	s.conclusion = Conclusion{
		Transaction: s.capture.Hash(), Payer: payer.Address, Merchant: merchant.Address,
		Nonce: authorization.Nonce, Value: value, Orphans: []common.Hash{},
	}
	return s, nil
}

// sign gives the authorization a nonce of its own and signs the transaction that captures it.
func (s *scene) sign(payer, merchant fixtures.Account, a tokencontract.Authorization) (tokencontract.Authorization, error) {
	moment := s.Timeline.Moment()
	nonce := moment.PoolNonce(merchant.Address)
	a.ValidBefore = uint64(moment.Now().AddDate(1, 0, 0).Unix()) // however long its blocks take
	// Two playings differ in the seed: the first moved the clock, or used the merchant's nonce.
	a.Nonce = tokencontract.NonceFromSeed(fmt.Sprintf("scenario %s %d %d", merchant.Address, nonce, moment.Now().UnixNano()))
	baseFee := moment.Pending().Header().BaseFee
	if baseFee == nil { // before London
		baseFee = big.NewInt(params.GWei)
	}
	var err error
	s.capture, err = types.SignNewTx(merchant.Key, types.LatestSignerForChainID(new(big.Int).SetUint64(s.Token.ChainID)), &types.LegacyTx{
		Nonce: nonce, GasPrice: new(big.Int).Mul(baseFee, big.NewInt(10)), Gas: captureGas, To: &s.Token.VerifyingContract,
		Data: fixtures.Sign(payer, s.Token, a).Capture(),
	})
	return a, err
}

func (s Stage) account(i int) (fixtures.Account, error) {
	if i < 0 || i >= len(s.Accounts) {
		return fixtures.Account{}, fmt.Errorf("account %d: the node has accounts 0 to %d", i, len(s.Accounts)-1)
	}
	return s.Accounts[i], nil
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
	switch found, known := trial.Moment().Receipt(tx.Hash()); {
	case !known:
		return errors.New("it does not get into the next block")
	case found.Receipt.Status != types.ReceiptStatusSuccessful:
		return errors.New("the token refuses it: not enough balance, paused, or an account on its blacklist")
	case len(found.Receipt.Logs) == 0:
		return fmt.Errorf("there is no token at %s", s.Token.VerifyingContract)
	}
	return nil
}

// concluded reports whether the chain at latest is what the conclusion says.
func (s *scene) concluded() bool {
	c, moment := s.conclusion, s.Timeline.Moment()
	state, err := moment.Latest().State()
	if err != nil {
		return false
	}
	slot := tokencontract.AuthorizationSlot(c.Payer, c.Nonce)
	if used := state.Storage(s.Token.VerifyingContract, slot) != (common.Hash{}); used != c.Settled {
		return false
	}
	for _, orphan := range c.Orphans {
		if view, err := moment.ByHash(orphan); err != nil || !view.Orphan() {
			return false
		}
	}
	found, known := moment.Transaction(c.Transaction)
	if !known || !c.Settled {
		return known == c.Settled
	}
	return found.View != nil && found.View.Hash() == c.BlockHash && found.Receipt.Status == types.ReceiptStatusSuccessful
}

// settled ends a scene: the capture counts, in this block.
func (s *scene) settled(block common.Hash, statement string) error {
	view, err := s.Timeline.Moment().ByHash(block)
	if err != nil {
		return err
	}
	s.conclusion.Settled, s.conclusion.BlockHash, s.conclusion.BlockNumber = true, block, view.Number()
	s.conclusion.Statement = statement
	return nil
}

// unsettled ends a scene: the capture does not count.
func (s *scene) unsettled(statement string) error {
	s.conclusion.Statement = statement
	return nil
}
