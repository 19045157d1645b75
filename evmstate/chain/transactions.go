package chain

import (
	"fmt"
	"slices"
	"sync"
	"unique"
	"weak"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
)

const (
	// packedSize is the size in bytes from which on a transaction of a block is kept in pieces: deployments, mostly.
	packedSize = 4096
	// pieceSize is the size of a piece in bytes.
	pieceSize = 1024
)

// transactions holds the transactions of a block. Test suites deploy the same contracts thousands of times, with other
// arguments at their end: of large transactions the block keeps pieces that it shares with all blocks that have them.
type transactions struct {
	small evmstate.Transactions // nil in the place of a large one
	large map[int]*packed       // by index; nil if there is none
}

func newTransactions(all evmstate.Transactions) transactions {
	t := transactions{small: all}
	for i, tx := range all {
		tx, ok := tx.(*types.Transaction)
		if !ok || tx.Size() < packedSize {
			continue
		}
		if t.large == nil {
			t.small, t.large = slices.Clone(all), make(map[int]*packed)
		}
		t.small[i], t.large[i] = nil, pack(tx)
	}
	return t
}

// all returns the transactions. The caller must not modify them.
func (t transactions) all() evmstate.Transactions {
	if t.large == nil {
		return t.small
	}
	all := slices.Clone(t.small)
	for i, p := range t.large {
		all[i] = p.transaction()
	}
	return all
}

func (t transactions) count() int { return len(t.small) }

func (t transactions) at(i int) evmstate.Transaction {
	if p := t.large[i]; p != nil {
		return p.transaction()
	}
	return t.small[i]
}

// packed is a transaction in pieces. It is safe for concurrent use.
type packed struct {
	pieces []unique.Handle[string]

	mutex sync.Mutex
	whole weak.Pointer[types.Transaction] // as long as somebody holds it
}

func pack(tx *types.Transaction) *packed {
	raw, err := tx.MarshalBinary()
	if err != nil {
		panic(fmt.Sprintf("transaction %s of a block cannot be encoded: %v", tx.Hash(), err))
	}
	p := &packed{pieces: make([]unique.Handle[string], 0, (len(raw)+pieceSize-1)/pieceSize), whole: weak.Make(tx)}
	for len(raw) > 0 {
		n := min(pieceSize, len(raw))
		p.pieces = append(p.pieces, unique.Make(string(raw[:n])))
		raw = raw[n:]
	}
	return p
}

// transaction returns the transaction, put together again if nobody holds it any more.
func (p *packed) transaction() *types.Transaction {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if tx := p.whole.Value(); tx != nil {
		return tx
	}
	raw := make([]byte, 0, len(p.pieces)*pieceSize)
	for _, piece := range p.pieces {
		raw = append(raw, piece.Value()...)
	}
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(raw); err != nil {
		panic(fmt.Sprintf("transaction of a block cannot be decoded: %v", err))
	}
	p.whole = weak.Make(tx)
	return tx
}
