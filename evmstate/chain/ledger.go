package chain

import (
	"fmt"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/rlp"
)

// ledger holds the values that a draft collects besides receipts from Amsterdam on. It is immutable.
type ledger struct {
	gas      vector[tracing.Gas]                      // of each transaction, before refunds (EIP-8037)
	accesses vector[*bal.ConstructionBlockAccessList] // of the block's opening, then of each transaction (EIP-7928)
}

// with returns the ledger with one more transaction, which took the gas in the block from before to after.
func (l *ledger) with(before, after *core.GasPool, accesses *bal.ConstructionBlockAccessList) *ledger {
	return &ledger{
		gas: l.gas.append(tracing.Gas{
			Execution: after.CumulativeExecution() - before.CumulativeExecution(),
			State:     after.CumulativeState() - before.CumulativeState(),
		}),
		accesses: l.accesses.append(accesses),
	}
}

// list returns the block access list so far, with more added; more may be nil.
func (l *ledger) list(more *bal.ConstructionBlockAccessList) *bal.BlockAccessList {
	all := bal.NewConstructionBlockAccessList()
	for _, accesses := range l.accesses.items {
		all.Merge(accesses.Copy()) // Merge writes to its argument
	}
	all.Merge(more)
	return all.ToEncodingObj()
}

// GasByKind returns the execution gas and the state gas of each transaction so far, before refunds (EIP-8037), or nil
// before Amsterdam. The caller must not modify it.
func (d *Draft) GasByKind() []tracing.Gas {
	if d.ledger == nil {
		return nil
	}
	return d.ledger.gas.all()
}

// AccessList returns the block access list so far (EIP-7928), without the accesses of the block's end, or nil before
// Amsterdam.
func (d *Draft) AccessList() *bal.BlockAccessList {
	if d.ledger == nil {
		return nil
	}
	return d.ledger.list(nil)
}

// closed holds the values that a sealed block has besides receipts from Amsterdam on.
type closed struct {
	AccessList rlp.RawValue
	Gas        []tracing.Gas
}

// close returns the ledger's values for a sealed block with this access list.
func (l *ledger) close(list *bal.BlockAccessList) *closed {
	if l == nil {
		return nil
	}
	encoded, err := rlp.EncodeToBytes(list)
	if err != nil {
		panic(fmt.Sprintf("block access list cannot be encoded: %v", err)) // it was validated
	}
	return &closed{encoded, l.gas.all()}
}

func (c *closed) decoded() *bal.BlockAccessList {
	list := new(bal.BlockAccessList)
	if err := rlp.DecodeBytes(c.AccessList, list); err != nil {
		panic(fmt.Sprintf("block access list cannot be decoded: %v", err))
	}
	return list
}
