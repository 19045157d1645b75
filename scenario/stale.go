package scenario

import "github.com/fakenode/fakenode/preconf"

// Stories of clients whose calls are answered by nodes that are behind, as those of a provider are now and then.

// stale lets clients be answered with a lag from now on; the zero Lag is none.
func (s *scene) stale(lag preconf.Lag, deed string) {
	if s.Stale != nil {
		s.Stale(lag)
	}
	s.did("%s", deed)
}

const caughtUp = "The node has caught up"

// seenFromBehind makes a story of a capture in a block, under depth blocks with it, which a node behind shows
// otherwise.
func seenFromBehind(depth, blocks int, deed, statement string) func(*scene) {
	return func(s *scene) {
		block := s.bury(depth)
		s.stale(preconf.Lag{Blocks: blocks}, deed)
		s.stale(preconf.Lag{}, caughtUp)
		s.settled(block, statement)
	}
}

var nonceFromReplica = seenFromBehind(1, 1, "A node that is a block behind answers: the merchant's nonce there is the one just used", "The payment happened once: the nonce that a node behind gave was used, and a transaction with it is refused or replaces nothing. A correct client takes the higher of its own count and the node's, and before it sends again it looks for the transaction it has sent.")

var receiptThenNull = seenFromBehind(1, 1, "A node that is a block behind answers: the receipt is null again", "The payment happened once: a receipt that is null after it was there says that another node answered, not that the payment is gone. Gone it is when its log came as removed, or another block has the height of its own.")

func logsNotYetThere(s *scene) {
	s.stale(preconf.Lag{Blocks: 1}, "From now on a node that is a block behind answers, while subscribers are told at once")
	block := s.bury(1)
	s.did("The new head was announced, and eth_getLogs up to latest has none of its logs")
	s.stale(preconf.Lag{}, caughtUp)
	s.settled(block, "The payment happened: no logs of a block that was announced means that they are not there yet. A correct client asks by the block's hash, which a node that does not know it answers with an error, or asks again from the last block whose logs it has, and never marks a range as read that is above the head of who answers.")
}

var headGoesBack = seenFromBehind(3, 2, "A node that is two blocks behind answers: the head goes back", "The payment happened once, and no block was removed: a head that goes back is a reorg only if a block at a height already seen has another hash. A correct client keeps the highest head it has seen, and takes nothing back for a lower one.")

func replicaOnOrphan(s *scene) {
	s.reorgedOut(1)
	s.stale(preconf.Lag{Orphaned: true}, "A node that has not seen the reorg answers: there the payment is in a block still")
	s.stale(preconf.Lag{}, caughtUp)
	s.unsettled("The payment did not happen: its block was removed, however long one node went on showing it. A correct client keeps the highest head it has seen and the hashes of the blocks that were removed: who answers with a lower head or such a block is behind, and is asked again later. It ships when the block is finalized. The nonce is unused.")
}
