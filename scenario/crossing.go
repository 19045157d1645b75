package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rollup"
)

const (
	crossingGas  = 100_000 // of the other chain
	crossingWait = 30 * 24 * time.Hour
)

// crossing is a scene of ether that the payer sends to the merchant from one chain of a pair to the other.
type crossing struct {
	*scene
	rollup.Bridge
	to     *preconf.Timeline // where it arrives
	before *uint256.Int      // the merchant's ether there, in wei
}

// deposited makes a story of ether that goes to the L2, withdrawn one of ether that comes from there.
func deposited(story func(*crossing) error) func(*scene) error {
	return crossed(story, func(b rollup.Bridge) *preconf.Timeline { return b.L2 })
}

func withdrawn(story func(*crossing) error) func(*scene) error {
	return crossed(story, func(b rollup.Bridge) *preconf.Timeline { return b.L1 })
}

func crossed(story func(*crossing) error, to func(rollup.Bridge) *preconf.Timeline) func(*scene) error {
	return func(s *scene) (err error) {
		c := &crossing{scene: s}
		if c.Bridge, err = rollup.Of(s.Timeline); err != nil {
			return err
		}
		c.to = to(c.Bridge)
		if c.before, err = c.has(); err != nil {
			return err
		}
		s.value = fixtures.Ether("1")
		s.conclusion.Contract, s.conclusion.Value = c.Portal, s.value
		s.agrees = c.agrees
		if c.L1.Moment().Mode() != control.Instant {
			return story(c)
		}
		if err := c.L1.SetMode(control.Manual); err != nil { // as on the L2
			return err
		}
		return cmp.Or(story(c), c.L1.SetMode(control.Instant))
	}
}

// has returns the merchant's ether on the chain of arrival, in wei.
func (c *crossing) has() (*uint256.Int, error) {
	state, err := c.to.Moment().Latest().State()
	if err != nil {
		return nil, err
	}
	return state.Balance(c.merchant.Address), nil
}

// agrees reports whether the merchant has received as much as the conclusion says.
func (c *crossing) agrees() bool {
	now, err := c.has()
	return err == nil && new(uint256.Int).Sub(now, c.before).Eq(c.conclusion.Received)
}

// send executes a call of the payer in the next block of a chain.
func (c *crossing) send(on *preconf.Timeline, to common.Address, wei *uint256.Int, data []byte) (*types.Receipt, common.Hash, error) {
	signer := on.Moment().Signer()
	tx, err := on.SendAs(c.payer.Address, nil, func(nonce uint64) (*types.Transaction, error) {
		return types.SignNewTx(c.payer.Key, signer, &types.DynamicFeeTx{
			ChainID: on.Moment().Chain().Config().ChainID, Nonce: nonce, To: &to, Value: wei.ToBig(), Data: data, Gas: transactionGas,
			GasTipCap: big.NewInt(1e9), GasFeeCap: big.NewInt(1e12),
		})
	})
	if err != nil {
		return nil, common.Hash{}, err
	}
	if err := c.next(on); err != nil {
		return nil, common.Hash{}, err
	}
	found, err := on.Moment().Find(tx.Hash())
	if err != nil || !found.Executed() {
		return nil, common.Hash{}, errors.Join(fmt.Errorf("transaction %s is in no block", tx.Hash()), err)
	}
	return found.Receipt, tx.Hash(), nil
}

// next makes the next block of a chain, and with an L1's block the blocks of the L2 that refer to it.
func (c *crossing) next(on *preconf.Timeline) error {
	if _, err := on.SealContext(c.ctx, 1); err != nil {
		return err
	}
	for on == c.L1 && c.originOf() < c.L1.Moment().Latest().Number() {
		if _, err := c.L2.SealContext(c.ctx, 1); err != nil {
			return err
		}
	}
	return nil
}

// originOf returns the number of the L1 block that the L2's head refers to.
func (c *crossing) originOf() uint64 {
	head := c.L2.Moment().Latest()
	return head.Chain().L1(head.Block()).Number
}

// deposit sends ether to the L2, and returns the hashes of the L1 block and of the transaction on the L2 that result.
func (c *crossing) deposit() (on common.Hash, made common.Hash, err error) {
	receipt, hash, err := c.send(c.L1, c.Portal, c.value, l1.Deposit(c.merchant.Address, c.value.ToBig(), crossingGas))
	if err != nil {
		return on, made, err
	}
	c.conclusion.Nonce = hash
	made, err = depositIn(receipt)
	return receipt.BlockHash, made, err
}

// depositIn returns the hash of the L2's transaction that a receipt of the L1 makes.
func depositIn(receipt *types.Receipt) (common.Hash, error) {
	for _, log := range receipt.Logs {
		if d, err := optimism.DepositOf(log, receipt.BlockHash); err == nil {
			return d.Hash(), nil
		}
	}
	return common.Hash{}, errors.New("the portal made no deposit")
}

// withdrawal is the payer's withdrawal, in a block of the L2.
type withdrawal struct {
	l1.Withdrawal
	hash, transaction common.Hash
	block             uint64
}

// withdraw sends ether to the L1.
func (c *crossing) withdraw() (w withdrawal, err error) {
	receipt, hash, err := c.send(c.L2, optimism.MessagePasser, c.value, l1.Withdraw(c.merchant.Address, crossingGas))
	if err != nil {
		return w, err
	}
	w.block, w.transaction = receipt.BlockNumber.Uint64(), hash
	for _, log := range receipt.Logs {
		if log.Address == optimism.MessagePasser {
			w.Withdrawal, w.hash, err = l1.WithdrawalIn(log)
		}
	}
	c.conclusion.Nonce = w.hash
	return w, err
}

// propose makes a game about the block of a withdrawal, and returns its index.
func (c *crossing) propose(w withdrawal, root *common.Hash) (index uint64, err error) {
	if _, err := c.Propose(&w.block, root); err != nil {
		return 0, err
	}
	if err := c.next(c.L1); err != nil {
		return 0, err
	}
	games, err := c.Games()
	for i := range games {
		if games[i].Number == w.block {
			index = games[i].Index
		}
	}
	if err != nil || len(games) == 0 {
		return 0, errors.Join(errors.New("the factory made no game"), err)
	}
	return index, c.next(c.L1) // a proof is later than its game
}

// prove proves a withdrawal by a game, and returns the error's name if the portal rejects it.
func (c *crossing) prove(w withdrawal, game uint64) (refusal string, err error) {
	view, err := c.L2.Moment().ByNumber(w.block)
	if err != nil {
		return "", err
	}
	proof, err := view.Proof(optimism.MessagePasser, []common.Hash{l1.WithdrawalSlot(w.hash)})
	if err != nil {
		return "", err
	}
	output := l1.OutputProof{StateRoot: view.Header().Root, MessagePasserStorageRoot: proof.StorageHash, LatestBlockhash: view.Hash()}
	return c.portal(l1.Prove(w.Withdrawal, game, output, proof.Storage[0].Proof))
}

// finalize pays a withdrawal, and returns the error's name if the portal rejects it.
func (c *crossing) finalize(w withdrawal) (refusal string, err error) {
	return c.portal(l1.Finalize(w.Withdrawal))
}

// portal executes a call of the portal and makes it the scenario's transaction.
func (c *crossing) portal(data []byte) (refusal string, err error) {
	if refusal, err = c.refusal(data); err != nil {
		return "", err
	}
	receipt, hash, err := c.send(c.L1, c.Portal, new(uint256.Int), data)
	if err != nil {
		return "", err
	}
	c.conclusion.Transaction = hash
	if receipt.Status == types.ReceiptStatusSuccessful {
		c.conclusion.BlockHash, c.conclusion.BlockNumber = receipt.BlockHash, receipt.BlockNumber.Uint64()
		return "", nil
	}
	return refusal, nil
}

// refusal returns the name of the error with which the portal would reject the payer's call now.
func (c *crossing) refusal(data []byte) (string, error) {
	view, err := c.L1.Moment().Latest().CallView()
	if err != nil {
		return "", err
	}
	call := simulate.Call{From: &c.payer.Address, To: &c.Portal, Gas: new(uint64(transactionGas)), Data: data}
	result, err := simulate.RunCall(c.ctx, view, call, nil, nil, simulate.Limits{GasCap: transactionGas})
	if err != nil {
		return "", err
	}
	var revert *evmstate.RevertError
	if errors.As(result.Err, &revert) {
		return l1.ErrorName(revert.Data), nil
	}
	return "", nil
}

// wait lets all delays pass.
func (c *crossing) wait() error {
	if err := c.L2.IncreaseTime(crossingWait); err != nil {
		return err
	}
	return c.next(c.L1)
}

// won ends a game for its claim, and waits until withdrawals may rely on it.
func (c *crossing) won(game uint64) error {
	if err := c.decide(game, l1.DefenderWins); err != nil {
		return err
	}
	return c.wait()
}

func (c *crossing) decide(game uint64, result l1.Status) error {
	if _, err := c.Resolve(game, result); err != nil {
		return err
	}
	return c.next(c.L1)
}

// arrived ends a scene in which the merchant got the ether.
func (c *crossing) arrived(block common.Hash, number uint64, statement string) error {
	c.conclusion.Settled, c.conclusion.BlockHash, c.conclusion.BlockNumber = true, block, number
	c.conclusion.Received, c.conclusion.Statement = c.value, statement
	return nil
}

// lost ends a scene in which the merchant got nothing.
func (c *crossing) lost(statement string) error {
	c.conclusion.BlockHash, c.conclusion.BlockNumber = common.Hash{}, 0
	c.conclusion.Received, c.conclusion.Statement = new(uint256.Int), statement
	return nil
}

// refused returns an error unless the portal rejected the call with that error.
func refused(want string) func(string, error) error {
	return func(refusal string, err error) error {
		switch {
		case err != nil:
			return err
		case refusal != want:
			return fmt.Errorf("the portal answered %q, not %s", refusal, want)
		}
		return nil
	}
}
