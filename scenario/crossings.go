package scenario

import (
	"cmp"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
)

// crossings lists the scenarios of ether that crosses between a chain and its L1, sorted by name.
var crossings = []Scenario{
	{"DepositDelayed", ofBridges, "a reorg of the L1 of depth (1) blocks moves a deposit into a later block", deposited(depositDelayed)},
	{"DepositReorgedOut", ofBridges, "a deposit is credited on the L2, then a reorg of the L1 of depth (1) blocks loses it", deposited(depositReorgedOut)},
	{"FinalizedTooEarly", ofBridges, "a withdrawal is to be paid before its game is over, and again when it is", withdrawn(finalizedTooEarly)},
	{"GameBlacklisted", ofBridges, "the game that a withdrawal was proven by is blacklisted, and it is proven by another", withdrawn(gameBlacklisted)},
	{"PortalPaused", ofBridges, "the portal is paused when a withdrawal is to be paid, and goes on", withdrawn(portalPaused)},
	{"ProvedTwice", ofBridges, "a withdrawal is proven a second time, and to be paid twice", withdrawn(provedTwice)},
	{"WithdrawalProvenAgainstBadRoot", ofBridges, "a withdrawal is proven by a game, then a reorg of the L2 loses it, and the game is lost", withdrawn(provenAgainstBadRoot)},
}

// Crossings returns the scenarios that need an L1 below the chain, sorted by name. Their values are in wei; Transaction
// is the deposit on the L2 or the last call of the portal, Nonce the hash of the deposit's transaction on the L1 or of
// the withdrawal, Payer the sender of the ether and Merchant its recipient.
func Crossings() []Scenario { return append([]Scenario(nil), crossings...) }

// reorgL1 removes depth blocks of the L1. Their transactions go to the block listed last, or are lost.
func (c *crossing) reorgL1(fate preconf.Fate, first int) preconf.ReorgResult {
	depth := cmp.Or(c.params.Depth, 1)
	for range depth - 1 {
		c.next(c.L1)
	}
	options := preconf.ReorgOptions{Depth: depth, Transactions: fate, Force: true}
	for range first {
		options.Blocks = append(options.Blocks, nil)
	}
	result := got(c.L1.Reorg(options))
	c.did("A reorg replaced %d blocks of the L1", len(result.Removed))
	return result
}

func depositReorgedOut(c *crossing) {
	_, made := c.deposit()
	found := got(c.L2.Moment().Find(made))
	c.conclusion.Transaction = made
	c.conclusion.Orphans = append(c.conclusion.Orphans, found.View.Hash())
	c.reorgL1(preconf.Drop, 0)
	c.lost("The deposit did not happen: the L1 lost its block, and the L2 blocks that refer to it went with it, also what was done there with the ether. A deposit counts when its L2 block is finalized.")
}

func depositDelayed(c *crossing) {
	_, made := c.deposit()
	found := got(c.L2.Moment().Find(made))
	c.conclusion.Orphans = append(c.conclusion.Orphans, found.View.Hash())
	c.reorgL1(preconf.Requeue, 1)
	for c.originOf() < c.L1.Moment().Latest().Number() {
		got(c.L2.SealContext(c.ctx, 1))
	}
	moved := got(c.L1.Moment().Find(c.conclusion.Nonce))
	again := depositIn(moved.Receipt)
	found = got(c.L2.Moment().Find(again))
	c.conclusion.Transaction = again
	c.arrived(found.View.Hash(), found.View.Number(), "The deposit happened once, later: in another block of the L1, so that its transaction on the L2 has another hash. A client that waits for the first hash waits for ever; one that credits both credits twice.")
}

// proven withdraws and proves by a game.
func (c *crossing) proven() (w withdrawal, game uint64) {
	w = c.withdraw()
	game = c.propose(w, nil)
	refused("")(c.prove(w, game))
	return w, game
}

// paid pays a withdrawal and ends the scene.
func (c *crossing) paid(w withdrawal, statement string) {
	refused("")(c.finalize(w))
	c.arrived(c.conclusion.BlockHash, c.conclusion.BlockNumber, statement)
}

func finalizedTooEarly(c *crossing) {
	w, game := c.proven()
	if early := c.finalize(w); early != "OptimismPortal_InvalidRootClaim" {
		refused("OptimismPortal_ProofNotOldEnough")(early)
	}
	c.won(game)
	c.paid(w, "The first payment was refused: the game was not over, or the proof not old enough. Nothing was lost by it, and the withdrawal was paid when its delays were over. Not viem's getTimeToFinalize but checkWithdrawal says when that is.")
}

func gameBlacklisted(c *crossing) {
	w, game := c.proven()
	got(c.Blacklist(game))
	c.next(c.L1)
	c.won(game)
	refused("OptimismPortal_InvalidRootClaim")(c.finalize(w))
	got(c.L2.SealContext(c.ctx, 1))
	w.block = c.L2.Moment().Latest().Number()
	other := c.propose(w, nil)
	refused("")(c.prove(w, other))
	c.won(other)
	c.paid(w, "The game of the first proof was blacklisted: whatever it comes to, no withdrawal is paid by it. The withdrawal itself stands: proven by another game, it was paid after the delays of that one.")
}

func portalPaused(c *crossing) {
	w, game := c.proven()
	c.won(game)
	for _, paused := range []bool{true, false} {
		got(c.Pause(paused))
		c.next(c.L1)
		if paused {
			refused("OptimismPortal_CallPaused")(c.finalize(w))
		}
	}
	c.paid(w, "While the portal was paused nothing could be proven or paid. Nothing was lost: the proof stood, its delays ran on, and the withdrawal was paid afterwards.")
}

func provedTwice(c *crossing) {
	w, game := c.proven()
	refused("")(c.prove(w, game))
	c.won(game)
	refused("")(c.finalize(w))
	paid := c.conclusion
	refused("OptimismPortal_AlreadyFinalized")(c.finalize(w))
	c.conclusion.Transaction = paid.Transaction
	c.arrived(paid.BlockHash, paid.BlockNumber, "The withdrawal was paid once. A second proof begins its waiting time anew, and the list of who proved has the prover twice; a second payment is refused.")
}

func provenAgainstBadRoot(c *crossing) {
	w, game := c.proven()
	view := got(c.L2.Moment().ByNumber(w.block))
	c.conclusion.Orphans = append(c.conclusion.Orphans, view.Hash())
	depth := int(c.L2.Moment().Latest().Number() - w.block + 1)
	got(c.L2.Reorg(preconf.ReorgOptions{Depth: depth, Drop: []common.Hash{w.transaction}, Force: true}))
	c.decide(game, l1.ChallengerWins)
	c.wait()
	refused("OptimismPortal_InvalidRootClaim")(c.finalize(w))
	c.lost("The withdrawal did not happen: a reorg of the L2 took it out of the chain after it was proven, so the claim that it was proven by is wrong, and its game was lost. The ether is on the L2 still. A withdrawal counts when its L2 block is finalized.")
}
