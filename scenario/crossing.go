package scenario

import (
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
	to  *preconf.Timeline // where it arrives
	had *uint256.Int      // by the merchant there before, in wei
}

// deposited makes a story of ether that goes to the L2, withdrawn one of ether that comes from there.
func deposited(story func(*crossing)) func(*scene) {
	return crossed(story, func(b rollup.Bridge) *preconf.Timeline { return b.L2 })
}

func withdrawn(story func(*crossing)) func(*scene) {
	return crossed(story, func(b rollup.Bridge) *preconf.Timeline { return b.L1 })
}

func crossed(story func(*crossing), to func(rollup.Bridge) *preconf.Timeline) func(*scene) {
	return func(s *scene) {
		c := &crossing{scene: s, Bridge: got(rollup.Of(s.Timeline))}
		c.to = to(c.Bridge)
		c.had = c.has()
		s.value = fixtures.Ether("1")
		s.conclusion.Contract, s.conclusion.Value = c.Portal, s.value
		s.agrees = c.agrees
		must(c.L1.Undisturbed(func() error { // as on the L2
			story(c)
			return nil
		}))
	}
}

// has returns the merchant's ether on the chain of arrival, in wei.
func (c *crossing) has() *uint256.Int {
	state := got(c.to.Moment().Latest().State())
	return state.Balance(c.merchant.Address)
}

// agrees reports whether the merchant has received as much as the conclusion says.
func (c *crossing) agrees() bool {
	return new(uint256.Int).Sub(c.has(), c.had).Eq(c.conclusion.Received)
}

// send executes a call of the payer in the next block of a chain.
func (c *crossing) send(on *preconf.Timeline, to common.Address, wei *uint256.Int, data []byte) (*types.Receipt, common.Hash) {
	signer := on.Moment().Signer()
	tx := got(on.SendAs(c.payer.Address, nil, func(nonce uint64) (*types.Transaction, error) {
		return types.SignNewTx(c.payer.Key, signer, &types.DynamicFeeTx{
			ChainID: on.Moment().Chain().Config().ChainID, Nonce: nonce, To: &to, Value: wei.ToBig(), Data: data, Gas: transactionGas,
			GasTipCap: big.NewInt(1e9), GasFeeCap: big.NewInt(1e12),
		})
	}))
	c.next(on)
	found, err := on.Moment().Find(tx.Hash())
	if err != nil || !found.Executed() {
		must(errors.Join(fmt.Errorf("transaction %s is in no block", tx.Hash()), err))
	}
	return found.Receipt, tx.Hash()
}

// next makes the next block of a chain, and with an L1's block the blocks of the L2 that refer to it.
func (c *crossing) next(on *preconf.Timeline) {
	got(on.SealContext(c.ctx, 1))
	for on == c.L1 && c.originOf() < c.L1.Moment().Latest().Number() {
		got(c.L2.SealContext(c.ctx, 1))
	}
	c.did("The L1 is at block %d, the L2 at block %d", c.L1.Moment().Latest().Number(), c.L2.Moment().Latest().Number())
}

// originOf returns the number of the L1 block that the L2's head refers to.
func (c *crossing) originOf() uint64 {
	head := c.L2.Moment().Latest()
	return head.Chain().L1(head.Block()).Number
}

// deposit sends ether to the L2, and returns the hashes of the L1 block and of the transaction on the L2 that result.
func (c *crossing) deposit() (on, made common.Hash) {
	receipt, hash := c.send(c.L1, c.Portal, c.value, l1.Deposit(c.merchant.Address, c.value.ToBig(), crossingGas))
	c.conclusion.Nonce = hash
	return receipt.BlockHash, depositIn(receipt)
}

// depositIn returns the hash of the L2's transaction that a receipt of the L1 makes.
func depositIn(receipt *types.Receipt) common.Hash {
	for _, log := range receipt.Logs {
		if d, err := optimism.DepositOf(log, receipt.BlockHash); err == nil {
			return d.Hash()
		}
	}
	panic(broken{errors.New("the portal made no deposit")})
}

// withdrawal is the payer's withdrawal, in a block of the L2.
type withdrawal struct {
	l1.Withdrawal
	hash, transaction common.Hash
	block             uint64
}

// withdraw sends ether to the L1.
func (c *crossing) withdraw() (w withdrawal) {
	receipt, hash := c.send(c.L2, optimism.MessagePasser, c.value, l1.Withdraw(c.merchant.Address, crossingGas))
	w.block, w.transaction = receipt.BlockNumber.Uint64(), hash
	for _, log := range receipt.Logs {
		if log.Address == optimism.MessagePasser {
			var err error
			w.Withdrawal, w.hash, err = l1.WithdrawalIn(log)
			must(err)
		}
	}
	c.conclusion.Nonce = w.hash
	return w
}

// propose makes a game about the block of a withdrawal, and returns its index.
func (c *crossing) propose(w withdrawal, root *common.Hash) (index uint64) {
	got(c.Propose(&w.block, root))
	c.next(c.L1)
	games, err := c.Games()
	for i := range games {
		if games[i].Number == w.block {
			index = games[i].Index
		}
	}
	if err != nil || len(games) == 0 {
		must(errors.Join(errors.New("the factory made no game"), err))
	}
	c.next(c.L1) // a proof is later than its game
	return index
}

// prove proves a withdrawal by a game, and returns the error's name if the portal rejects it.
func (c *crossing) prove(w withdrawal, game uint64) (refusal string) {
	view := got(c.L2.Moment().ByNumber(w.block))
	proof := got(view.Proof(optimism.MessagePasser, []common.Hash{l1.WithdrawalSlot(w.hash)}))
	output := l1.OutputProof{StateRoot: view.Header().Root, MessagePasserStorageRoot: proof.StorageHash, LatestBlockhash: view.Hash()}
	return c.portal(l1.Prove(w.Withdrawal, game, output, proof.Storage[0].Proof))
}

// finalize pays a withdrawal, and returns the error's name if the portal rejects it.
func (c *crossing) finalize(w withdrawal) (refusal string) {
	return c.portal(l1.Finalize(w.Withdrawal))
}

// portal executes a call of the portal and makes it the scenario's transaction.
func (c *crossing) portal(data []byte) (refusal string) {
	refusal = c.refusal(data)
	receipt, hash := c.send(c.L1, c.Portal, new(uint256.Int), data)
	c.conclusion.Transaction = hash
	if receipt.Status == types.ReceiptStatusSuccessful {
		c.conclusion.BlockHash, c.conclusion.BlockNumber = receipt.BlockHash, receipt.BlockNumber.Uint64()
		return ""
	}
	return refusal
}

// refusal returns the name of the error with which the portal would reject the payer's call now.
func (c *crossing) refusal(data []byte) string {
	view := got(c.L1.Moment().Latest().CallView())
	call := simulate.Call{From: &c.payer.Address, To: &c.Portal, Gas: new(uint64(transactionGas)), Data: data}
	result := got(simulate.RunCall(c.ctx, view, call, nil, nil, simulate.Limits{GasCap: transactionGas}))
	var revert *evmstate.RevertError
	if errors.As(result.Err, &revert) {
		return l1.ErrorName(revert.Data)
	}
	return ""
}

// wait lets all delays pass.
func (c *crossing) wait() {
	must(c.L2.IncreaseTime(crossingWait))
	c.next(c.L1)
}

// won ends a game for its claim, and waits until withdrawals may rely on it.
func (c *crossing) won(game uint64) {
	c.decide(game, l1.DefenderWins)
	c.wait()
}

func (c *crossing) decide(game uint64, result l1.Status) {
	got(c.Resolve(game, result))
	c.next(c.L1)
}

// arrived ends a scene in which the merchant got the ether.
func (c *crossing) arrived(block common.Hash, number uint64, statement string) {
	c.conclusion.Settled, c.conclusion.BlockHash, c.conclusion.BlockNumber = true, block, number
	c.conclusion.Received, c.conclusion.Statement = c.value, statement
}

// lost ends a scene in which the merchant got nothing.
func (c *crossing) lost(statement string) {
	c.conclusion.BlockHash, c.conclusion.BlockNumber = common.Hash{}, 0
	c.conclusion.Received, c.conclusion.Statement = new(uint256.Int), statement
}

// refused ends the story unless the portal rejected a call with that error.
func refused(want string) func(string) {
	return func(refusal string) {
		if refusal != want {
			must(fmt.Errorf("the portal answered %q, not %s", refusal, want))
		}
	}
}
