package chain

import (
	"errors"
	"fmt"
	"math/big"
	"sync"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/remote"
)

// ErrNoProof is returned where the whole state trie is needed, which a fork does not have above the fork block.
var ErrNoProof = errors.New("a fork has no proofs and storage roots above the fork block: the tries of the other chain are not here")

// ancestor is the content of a block at or below a fork block, which is fetched when it is first needed.
type ancestor struct {
	fork   *remote.Fork
	loaded atomic.Pointer[body]
}

// newAncestor returns a block of the remote chain.
func newAncestor(f *remote.Fork, h *types.Header, hash common.Hash) *Block {
	b := blockOf(h, hash, &body{ancestor: &ancestor{fork: f}})
	b.totalDifficulty = new(big.Int)
	return b
}

// Load makes sure that the content of the block can be read. For a block at or below a fork block it is fetched by Load
// or when it is first read; other blocks have it from the start. The error is a *remote.Error.
func (b *Block) Load() error {
	_, err := b.load()
	return err
}

// content returns the content of the block. It panics with a *remote.Error if it cannot be had; after Load it does not.
func (b *Block) content() *body {
	loaded, err := b.load()
	if err != nil {
		panic(err)
	}
	return loaded
}

func (b *Block) load() (*body, error) {
	own := b.own()
	if own.ancestor == nil {
		return own, nil
	}
	if loaded := own.ancestor.loaded.Load(); loaded != nil {
		return loaded, nil
	}
	read, err := own.ancestor.fork.BlockByNumber(b.Number())
	if err != nil {
		return nil, err
	}
	if read.Hash != b.hash {
		return nil, &remote.Error{
			Item: fmt.Sprintf("block %d with receipts", b.Number()),
			Err:  fmt.Errorf("its hash is %s, and that of its header was %s", read.Hash, b.hash),
		}
	}
	loaded := bodyOf(read)
	b.size.Store(read.Size)
	own.ancestor.loaded.Store(loaded)
	return loaded, nil
}

// bodyOf returns the content of a block of the remote chain, whose transactions are of type *remote.Transaction.
func bodyOf(read *remote.Block) *body {
	loaded := &body{uncles: read.Uncles, withdrawals: read.Withdrawals}
	var transactions evmstate.Transactions
	for _, t := range read.Transactions {
		transactions = append(transactions, t)
		loaded.senders = append(loaded.senders, t.From)
		loaded.receipts = append(loaded.receipts, t.Receipt)
		loaded.logs = append(loaded.logs, t.Receipt.Logs...)
	}
	loaded.transactions = newTransactions(transactions)
	return loaded
}

// Ancestral reports whether block n is at or below a fork block: it is asked of the remote chain.
func (c *Chain) Ancestral(n uint64) bool { return c.fork != nil && n <= c.base }

// BlockAt returns the canonical block n, also below a fork block; nil if there is none. The error is a *remote.Error.
func (c *Chain) BlockAt(n uint64) (*Block, error) {
	if n >= c.base || c.fork == nil {
		return c.BlockByNumber(n), nil
	}
	h, err := c.fork.HeaderByNumber(n)
	if err != nil {
		return nil, err
	}
	return newAncestor(c.fork.Fork, h.Header, h.Hash), nil
}

// BlockWith returns the block with hash h, also below Base, and reports whether it is canonical; nil if the hash is
// unknown. The error is a *remote.Error.
func (c *Chain) BlockWith(h common.Hash) (b *Block, canonical bool, err error) {
	b, canonical = c.BlockByHash(h)
	if b != nil || c.fork == nil {
		return b, canonical, nil
	}
	n, err := c.fork.NumberOf(h)
	if err != nil || n == nil {
		return nil, false, err
	}
	b, err = c.BlockAt(*n)
	return b, true, err
}

// Parent returns the parent of the block with header h, also below Base, or nil if it is unknown. The error is a
// *remote.Error.
func (c *Chain) Parent(h *types.Header) (*Block, error) {
	if b, _ := c.BlockByHash(h.ParentHash); b != nil {
		return b, nil
	}
	if n := h.Number.Uint64(); n > 0 && n <= c.base {
		return c.BlockAt(n - 1)
	}
	return nil, nil
}

// Proof returns the proof of an account and slots after block b. Errors: *PrunedError, on a fork *remote.Error, and
// ErrNoProof above the fork block.
func (c *Chain) Proof(b *Block, address common.Address, slots []common.Hash) (*evmstate.AccountProof, error) {
	switch {
	case c.Ancestral(b.Number()):
		return c.fork.Proof(b.Number(), address, slots)
	case c.fork != nil:
		return nil, ErrNoProof
	}
	state, err := c.StateAt(b)
	if err != nil {
		return nil, err
	}
	return state.Proof(address, slots), nil
}

// FeesBelow returns the fees of the blocks from … to that are at or below a fork block, as the remote node computes
// them, or nil if there are none. percentiles are of a block's gas, 0 to 100. The error is a *remote.Error.
func (c *Chain) FeesBelow(from, to uint64, percentiles []float64) (*remote.FeeHistory, error) {
	if !c.Ancestral(from) || from > to {
		return nil, nil
	}
	to = min(to, c.base)
	return c.fork.FeeHistory(to+1-from, to, percentiles)
}

// below is the remote chain below the first block of a fork.
type below struct {
	*remote.Fork
	states sync.Map // uint64 -> *evmstate.State: those that were asked for
}

func (b *below) stateAt(n uint64) *evmstate.State {
	if s, ok := b.states.Load(n); ok {
		return s.(*evmstate.State)
	}
	s, _ := b.states.LoadOrStore(n, evmstate.StateFromSource(b.At(n)))
	return s.(*evmstate.State)
}
