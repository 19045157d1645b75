package scenario

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Moves of the stories. A move that fails ends the story: see must. Each ends with ctx.Err() once the scene's context
// has ended.

// broken is the panic by which a move ends a story; attempt recovers it.
type broken struct{ error }

// must ends the story unless err is nil.
func must(err error) {
	if err != nil {
		panic(broken{err})
	}
}

// attempt calls f, and returns the error by which a move ended it.
func attempt(f func()) (err error) {
	defer func() {
		crash := recover()
		if failure, is := crash.(broken); is {
			err = failure.error
		} else if crash != nil {
			panic(crash)
		}
	}()
	f()
	return nil
}

// got is must for a function that returns a value, too.
func got[T any](value T, err error) T {
	must(err)
	return value
}

// did ends a move, whose deed it is: with what became of the capture where the story is told move by move.
func (s *scene) did(deed string, args ...any) {
	s.head = s.Timeline.Moment().Latest().Number()
	if s.pause != nil {
		said := s.before + fmt.Sprintf(deed, args...) + s.fate()
		s.before = ""
		s.pause(said)
	}
}

// fate says where the capture is, as the end of a sentence.
func (s *scene) fate() string {
	if s.capture == nil {
		return "."
	}
	found, err := s.Timeline.Moment().Find(s.capture.Hash())
	if err != nil {
		return "."
	}
	payment := "the payment"
	if s.decoy {
		payment = "a decoy of the payment"
	}
	switch found.Where {
	case preconf.Pooled:
		payment += " waits in the pool"
	case preconf.Preconfirmed:
		payment += " is pre-confirmed"
	case preconf.Sealed:
		payment += fmt.Sprintf(" is in block %d", found.View.Number())
		if found.Receipt.Status != types.ReceiptStatusSuccessful {
			payment += ", where it failed"
		}
	case preconf.Orphaned:
		payment += " is only in a block that a reorg removed"
	default:
		payment = "nothing is left of " + payment
	}
	return ": " + payment + "."
}

// send puts the capture into the pool.
func (s *scene) send() {
	must(s.Timeline.Send(s.capture))
	s.did("It was sent")
}

// act sends a transaction of a party into the next block, seals that, and returns its hash. The transaction must
// succeed.
func (s *scene) act(from fixtures.Account, to common.Address, data []byte) common.Hash {
	return s.enact(s.sign(from, to, data))
}

// enact is act for a signed transaction.
func (s *scene) enact(tx *types.Transaction) common.Hash {
	s.tried(fmt.Sprintf("a transaction to %s", tx.To()), tx)
	must(s.Timeline.Send(tx))
	return s.seal()
}

// sealAt makes a block with a timestamp, in Unix seconds.
func (s *scene) sealAt(timestamp uint64) {
	must(s.Timeline.Set(preconf.NextBlockTime(timestamp)))
	s.seal()
}

// next returns the timestamp of the block being built, in Unix seconds.
func (s *scene) next() uint64 { return s.Timeline.Moment().NextHeader().Time }

// preconfirm makes a flashblock of the pool's transactions.
func (s *scene) preconfirm() {
	must(s.ctx.Err())
	flashblock := got(s.Timeline.Preconfirm())
	s.did("Flashblock %d of block %d came", flashblock.Index, flashblock.Number)
}

// announce sends the capture and pre-confirms it.
func (s *scene) announce() {
	s.send()
	s.preconfirm()
}

// seals makes blocks and returns the hash of the first.
func (s *scene) seals(n int) common.Hash {
	hashes := got(s.Timeline.SealContext(s.ctx, n))
	s.did("Blocks were sealed up to %d", s.Timeline.Moment().Latest().Number())
	return hashes[0]
}

// seal makes a block and returns its hash.
func (s *scene) seal() common.Hash { return s.seals(1) }

// bury sends the capture, seals the block that holds it, and depth-1 empty blocks on top. It returns the hash of the
// block with the capture.
func (s *scene) bury(depth int) common.Hash {
	s.send()
	return s.seals(depth)
}

// reorg replaces the newest depth blocks, finalized ones only outside an exam, by depth+1, and blocks that others have
// sealed on them; the first ones hold exactly the transactions of blocks. The transactions in lost are dropped; all
// others of the removed blocks are mined again. It returns the hashes of the blocks added, oldest first.
func (s *scene) reorg(depth int, blocks [][]*types.Transaction, lost ...common.Hash) []common.Hash {
	return s.replace(control.ReorgOptions{Depth: depth, Drop: lost, Blocks: blocks}, "A reorg replaced %d blocks by %d")
}

// replace is reorg by options other than Force. The deed says how many blocks it replaces by how many.
func (s *scene) replace(o control.ReorgOptions, deed string) []common.Hash {
	must(s.ctx.Err())
	if head := s.Timeline.Moment().Latest().Number(); head > s.head {
		o.Depth += int(head - s.head)
	}
	o.Force = !s.params.keepFinal
	result, err := s.Timeline.Reorg(o)
	if deep, ok := errors.AsType[*control.DepthError](err); ok && deep.Finalized {
		err = fmt.Errorf("a reorg of depth %d would remove finalized blocks: give the node a finalized lag of %[1]d or more", o.Depth)
	}
	must(err)
	s.did(deed, len(result.Removed), len(result.Added))
	return result.Added
}

// reorgedOut buries the capture under depth blocks, its own among them, and loses it in a reorg.
func (s *scene) reorgedOut(depth int) {
	block := s.bury(depth)
	s.reorg(depth, nil, s.capture.Hash())
	s.orphaned(block)
}

// expires loses the capture in a reorg, as reorgedOut does, and seals the same bytes again no earlier than a time, in
// Unix seconds.
func (s *scene) expires(depth int, timestamp uint64) {
	s.reorgedOut(depth)
	s.send()
	s.sealAt(max(timestamp, s.next()))
}

// fault arms a fault of pre-confirmation. It is part of the next move.
func (s *scene) fault(f control.FlashblockFault) {
	got(s.Timeline.FlashblockFault(f))
	s.before += fmt.Sprintf("The fault %s struck. ", f.Kind)
}

// lose lets only the pre-confirmed capture be left out of the next block.
func (s *scene) lose() {
	s.fault(control.FlashblockFault{Kind: control.OmitTransactions, Hashes: []common.Hash{s.capture.Hash()}, Gone: true})
}

// orphaned records a removed block that held the capture.
func (s *scene) orphaned(block common.Hash) {
	s.conclusion.Orphans = append(s.conclusion.Orphans, block)
}

// removed ends the story unless a reorg has removed a block, of which a silent one leaves nothing.
func (s *scene) removed(block common.Hash) {
	if view, err := s.Timeline.Moment().ByHash(block); err == nil && !view.Orphan() {
		must(fmt.Errorf("block %s was not removed", block))
	}
}
