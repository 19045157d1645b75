package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
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

// crossings lists the scenarios of ether that crosses between a chain and its L1, sorted by name.
var crossings = []Scenario{
	{"DepositDelayed", ofBridges, "a reorg of the L1 of depth (1) blocks moves a deposit into a later block", crossed(false, depositDelayed)},
	{"DepositReorgedOut", ofBridges, "a deposit is credited on the L2, then a reorg of the L1 of depth (1) blocks loses it", crossed(false, depositReorgedOut)},
	{"FinalizedTooEarly", ofBridges, "a withdrawal is to be paid before its game is over, and again when it is", crossed(true, finalizedTooEarly)},
	{"GameBlacklisted", ofBridges, "the game that a withdrawal was proven by is blacklisted, and it is proven by another", crossed(true, gameBlacklisted)},
	{"PortalPaused", ofBridges, "the portal is paused when a withdrawal is to be paid, and goes on", crossed(true, portalPaused)},
	{"ProvedTwice", ofBridges, "a withdrawal is proven a second time, and to be paid twice", crossed(true, provedTwice)},
	{"WithdrawalProvenAgainstBadRoot", ofBridges, "a withdrawal is proven by a game, then a reorg of the L2 loses it, and the game is lost", crossed(true, provenAgainstBadRoot)},
}

// Crossings returns the scenarios that need an L1 below the chain, sorted by name. Their values are in wei; Transaction
// is the deposit on the L2 or the last call of the portal, Nonce the hash of the deposit's transaction on the L1 or of
// the withdrawal, Payer the sender of the ether and Merchant its recipient.
func Crossings() []Scenario { return slices.Clone(crossings) }

// reorgL1 removes depth blocks of the L1. Their transactions go to the block listed last, or are lost.
func (c *crossing) reorgL1(fate control.Fate, first int) {
	depth := cmp.Or(c.params.Depth, 1)
	for range depth - 1 {
		c.next(c.L1)
	}
	options := control.ReorgOptions{Depth: depth, Transactions: fate, Force: true}
	for range first {
		options.Blocks = append(options.Blocks, nil)
	}
	result := got(c.L1.Reorg(options))
	c.did("A reorg replaced %d blocks of the L1", len(result.Removed))
}

func depositReorgedOut(c *crossing) {
	c.conclusion.Transaction = c.deposit()
	c.reorgL1(control.Drop, 0)
	c.lost("The deposit did not happen: the L1 lost its block, and the L2 blocks that refer to it went with it, also what was done there with the ether. A deposit counts when its L2 block is finalized.")
}

func depositDelayed(c *crossing) {
	c.deposit()
	c.reorgL1(control.Requeue, 1)
	c.follow()
	moved := got(c.L1.Moment().Find(c.conclusion.Nonce))
	c.conclusion.Transaction = depositIn(moved.Receipt)
	found := got(c.L2.Moment().Find(c.conclusion.Transaction))
	c.conclusion.BlockHash, c.conclusion.BlockNumber = found.View.Hash(), found.View.Number()
	c.arrived("The deposit happened once, later: in another block of the L1, so that its transaction on the L2 has another hash. A client that waits for the first hash waits for ever; one that credits both credits twice.")
}

// proven withdraws and proves by a game.
func (c *crossing) proven() (w withdrawal, game uint64) {
	w = c.withdraw()
	game = c.propose(w)
	refused("", c.prove(w, game))
	return w, game
}

// paid pays a withdrawal and ends the scene.
func (c *crossing) paid(w withdrawal, statement string) {
	refused("", c.finalize(w))
	c.arrived(statement)
}

func finalizedTooEarly(c *crossing) {
	w, game := c.proven()
	if early := c.finalize(w); early != "OptimismPortal_InvalidRootClaim" {
		refused("OptimismPortal_ProofNotOldEnough", early)
	}
	c.decide(game, l1.DefenderWins)
	c.paid(w, "The first payment was refused: the game was not over, or the proof not old enough. Nothing was lost by it, and the withdrawal was paid when its delays were over. Not viem's getTimeToFinalize but checkWithdrawal says when that is.")
}

func gameBlacklisted(c *crossing) {
	w, game := c.proven()
	got(c.Blacklist(game))
	c.next(c.L1)
	c.decide(game, l1.DefenderWins)
	refused("OptimismPortal_InvalidRootClaim", c.finalize(w))
	got(c.L2.SealContext(c.ctx, 1))
	w.block = c.L2.Moment().Latest().Number()
	other := c.propose(w)
	refused("", c.prove(w, other))
	c.decide(other, l1.DefenderWins)
	c.paid(w, "The game of the first proof was blacklisted: whatever it comes to, no withdrawal is paid by it. The withdrawal itself stands: proven by another game, it was paid after the delays of that one.")
}

func portalPaused(c *crossing) {
	w, game := c.proven()
	c.decide(game, l1.DefenderWins)
	for _, paused := range []bool{true, false} {
		got(c.Pause(paused))
		c.next(c.L1)
		if paused {
			refused("OptimismPortal_CallPaused", c.finalize(w))
		}
	}
	c.paid(w, "While the portal was paused nothing could be proven or paid. Nothing was lost: the proof stood, its delays ran on, and the withdrawal was paid afterwards.")
}

func provedTwice(c *crossing) {
	w, game := c.proven()
	refused("", c.prove(w, game))
	c.decide(game, l1.DefenderWins)
	refused("", c.finalize(w))
	paid := c.conclusion.Transaction
	refused("OptimismPortal_AlreadyFinalized", c.finalize(w))
	c.conclusion.Transaction = paid
	c.arrived("The withdrawal was paid once. A second proof begins its waiting time anew, and the list of who proved has the prover twice; a second payment is refused.")
}

func provenAgainstBadRoot(c *crossing) {
	w, game := c.proven()
	view := got(c.L2.Moment().ByNumber(w.block))
	c.orphaned(view.Hash())
	depth := int(c.L2.Moment().Latest().Number() - w.block + 1)
	got(c.L2.Reorg(control.ReorgOptions{Depth: depth, Drop: []common.Hash{w.transaction}, Force: true}))
	c.decide(game, l1.ChallengerWins)
	refused("OptimismPortal_InvalidRootClaim", c.finalize(w))
	c.lost("The withdrawal did not happen: a reorg of the L2 took it out of the chain after it was proven, so the claim that it was proven by is wrong, and its game was lost. The ether is on the L2 still. A withdrawal counts when its L2 block is finalized.")
}

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

// crossed makes a story of ether that goes to the L2, or comes down from there.
func crossed(down bool, story func(*crossing)) func(*scene) {
	return func(s *scene) {
		c := &crossing{scene: s, Bridge: got(rollup.Of(s.Timeline))}
		if c.to = c.L2; down {
			c.to = c.L1
		}
		c.had = c.has()
		s.value = fixtures.Ether("1")
		s.conclusion.Contract, s.conclusion.Value = c.Portal, s.value
		s.agrees = c.agrees
		must(c.L1.WithoutFaults(func() error { // as on the L2
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
	if on == c.L1 {
		c.follow()
	}
	c.did("The L1 is at block %d, the L2 at block %d", c.L1.Moment().Latest().Number(), c.L2.Moment().Latest().Number())
}

// follow makes blocks of the L2 until its head refers to that of the L1.
func (c *crossing) follow() {
	for {
		head := c.L2.Moment().Latest()
		if head.Chain().L1(head.Block()).Number >= c.L1.Moment().Latest().Number() {
			return
		}
		got(c.L2.SealContext(c.ctx, 1))
	}
}

// deposit sends ether to the L2, and returns the hash of the transaction on the L2 that results, whose block will be
// removed.
func (c *crossing) deposit() common.Hash {
	receipt, hash := c.send(c.L1, c.Portal, c.value, l1.Deposit(c.merchant.Address, c.value.ToBig(), crossingGas))
	made := depositIn(receipt)
	found := got(c.L2.Moment().Find(made))
	c.conclusion.Nonce = hash
	c.orphaned(found.View.Hash())
	return made
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
func (c *crossing) propose(w withdrawal) (index uint64) {
	got(c.Propose(&w.block, nil))
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
	if revert, ok := errors.AsType[*evmstate.RevertError](result.Err); ok {
		return l1.ErrorName(revert.Data)
	}
	return ""
}

// decide ends a game, and lets all delays pass.
func (c *crossing) decide(game uint64, result l1.Status) {
	got(c.Resolve(game, result))
	c.next(c.L1)
	must(c.L2.IncreaseTime(crossingWait))
	c.next(c.L1)
}

// arrived ends a scene in which the merchant got the ether.
func (c *crossing) arrived(statement string) {
	c.conclusion.Settled, c.conclusion.Received, c.conclusion.Statement = true, c.value, statement
}

// lost ends a scene in which the merchant got nothing.
func (c *crossing) lost(statement string) {
	c.conclusion.BlockHash, c.conclusion.BlockNumber = common.Hash{}, 0
	c.unsettled(statement)
}

// refused ends the story unless the portal rejected a call with that error.
func refused(want, refusal string) {
	if refusal != want {
		must(fmt.Errorf("the portal answered %q, not %s", refusal, want))
	}
}
