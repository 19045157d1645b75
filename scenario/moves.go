package scenario

import (
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Moves of the stories. Each returns ctx.Err() once the scene's context has ended.

// rest keeps the stage as it is for Params.Step, so that clients that poll see the move before.
func (s *scene) rest() error {
	if s.params.Step == 0 {
		return nil
	}
	timer := time.NewTimer(s.params.Step)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// send puts the capture into the pool.
func (s *scene) send() error {
	if err := s.Timeline.Send(s.capture); err != nil {
		return err
	}
	return s.rest()
}

// act sends a transaction of a party into the next block, seals that, and returns its hash. The transaction must
// succeed.
func (s *scene) act(from fixtures.Account, to common.Address, data []byte) (common.Hash, error) {
	tx, err := s.sign(from, to, data)
	if err != nil {
		return common.Hash{}, err
	}
	return s.enact(tx)
}

// enact is act for a signed transaction.
func (s *scene) enact(tx *types.Transaction) (common.Hash, error) {
	if err := s.try(tx); err != nil {
		return common.Hash{}, fmt.Errorf("a transaction to %s would fail: %w", tx.To(), err)
	}
	if err := s.Timeline.Send(tx); err != nil {
		return common.Hash{}, err
	}
	return s.seal()
}

// sealAt makes a block with a timestamp, in Unix seconds.
func (s *scene) sealAt(timestamp uint64) (common.Hash, error) {
	if err := s.Timeline.SetNextBlockTime(timestamp); err != nil {
		return common.Hash{}, err
	}
	return s.seal()
}

// next returns the timestamp of the block being built, in Unix seconds.
func (s *scene) next() uint64 { return s.Timeline.Moment().Pending().Header().Time }

// preconfirm makes a flashblock of the pool's transactions.
func (s *scene) preconfirm() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if _, err := s.Timeline.Preconfirm(); err != nil {
		return err
	}
	return s.rest()
}

// announce sends the capture and pre-confirms it.
func (s *scene) announce() error {
	if err := s.send(); err != nil {
		return err
	}
	return s.preconfirm()
}

// seals makes blocks and returns the hash of the first.
func (s *scene) seals(n int) (common.Hash, error) {
	hashes, err := s.Timeline.SealContext(s.ctx, n)
	if err != nil {
		return common.Hash{}, err
	}
	return hashes[0], s.rest()
}

// seal makes a block and returns its hash.
func (s *scene) seal() (common.Hash, error) {
	return s.seals(1)
}

// bury sends the capture, seals the block that holds it, and depth-1 empty blocks on top. It returns the hash of the
// block with the capture.
func (s *scene) bury(depth int) (common.Hash, error) {
	if err := s.send(); err != nil {
		return common.Hash{}, err
	}
	return s.seals(depth)
}

// reorg replaces the newest depth blocks, finalized or not, by depth+1; the first ones hold exactly the transactions of
// blocks. The transactions in lost are dropped; all others of the removed blocks are mined again. It returns the hashes
// of the blocks added, oldest first.
func (s *scene) reorg(depth int, blocks [][]*types.Transaction, lost ...common.Hash) ([]common.Hash, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	result, err := s.Timeline.Reorg(preconf.ReorgOptions{Depth: depth, Drop: lost, Blocks: blocks, Force: true})
	if err != nil {
		return nil, err
	}
	return result.Added, s.rest()
}

// reorgedOut buries the capture under depth blocks, its own among them, and loses it in a reorg.
func (s *scene) reorgedOut(depth int) error {
	block, err := s.bury(depth)
	if err != nil {
		return err
	}
	if _, err := s.reorg(depth, nil, s.capture.Hash()); err != nil {
		return err
	}
	s.orphaned(block)
	return nil
}

// expires loses the capture in a reorg, as reorgedOut does, and seals the same bytes again no earlier than a time, in
// Unix seconds.
func (s *scene) expires(depth int, timestamp uint64) error {
	if err := s.reorgedOut(depth); err != nil {
		return err
	}
	if err := s.send(); err != nil {
		return err
	}
	_, err := s.sealAt(max(timestamp, s.next()))
	return err
}

// fault arms a fault of pre-confirmation.
func (s *scene) fault(f control.FlashblockFault) error {
	_, err := s.Timeline.FlashblockFault(f)
	return err
}

// lose lets only the pre-confirmed capture be left out of the next block.
func (s *scene) lose() error {
	return s.fault(control.FlashblockFault{Kind: control.OmitTransactions, Hashes: []common.Hash{s.capture.Hash()}, Gone: true})
}

// orphaned records a removed block that held the capture.
func (s *scene) orphaned(block common.Hash) {
	s.conclusion.Orphans = append(s.conclusion.Orphans, block)
}
