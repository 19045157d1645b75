package command

import (
	"cmp"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// DropTransaction serves anvil_dropTransaction: the hash if the transaction was in the pool, null if not.
func DropTransaction(r *api.Request, hash common.Hash) (any, error) {
	if !r.Network.Timeline.DropTransaction(hash) {
		return nil, nil
	}
	return hash, nil
}

// HardhatDropTransaction serves hardhat_dropTransaction: it answers whether the transaction was in the pool.
func HardhatDropTransaction(r *api.Request, hash common.Hash) (any, error) {
	return r.Network.Timeline.DropTransaction(hash), nil
}

// DropAllTransactions serves anvil_dropAllTransactions: empties the pool.
func DropAllTransactions(r *api.Request) (any, error) {
	r.Network.Timeline.ClearPool()
	return nil, nil
}

// RemovePoolTransactions serves anvil_removePoolTransactions: it removes the transactions of one sender from the pool.
func RemovePoolTransactions(r *api.Request, sender common.Address) (any, error) {
	r.Network.Timeline.ClearPool(sender)
	return nil, nil
}

// hold is a hold as fakenode_hold takes it and fakenode_faults answers, with what is left of it.
type hold struct {
	api.ControlObject `json:"-" wanted:"{hashes?, senders?, milliseconds? or blocks?}"`

	Hashes       []common.Hash    `json:"hashes"`
	Senders      []common.Address `json:"senders"`
	Milliseconds api.Number       `json:"milliseconds,omitempty"`
	Blocks       api.Number       `json:"blocks,omitempty"`
}

// Hold serves fakenode_hold: transactions stay in the pool, for a time or until fakenode_release.
func Hold(r *api.Request, p *hold) (any, error) {
	p = cmp.Or(p, new(hold))
	if p.Milliseconds > math.MaxInt64/api.Number(time.Millisecond) {
		return nil, api.InvalidParams("%s: %d ms are too long", r.Method, p.Milliseconds)
	}
	span := time.Duration(p.Milliseconds) * time.Millisecond
	return nil, r.BadInput(r.Network.Timeline.Hold(control.Hold{Hashes: p.Hashes, Senders: p.Senders, For: span, Blocks: uint64(p.Blocks)}))
}

// Release serves fakenode_release: it ends all holds and answers the number of pooled transactions that they held.
func Release(r *api.Request) (any, error) {
	released, err := r.Network.Timeline.Release()
	return released, r.BadInput(err)
}

// holdsOf returns the holds in force.
func holdsOf(m *preconf.Moment) []hold {
	return api.Each(m.Holds(), func(h control.Hold) hold {
		return hold{
			Hashes: append([]common.Hash{}, h.Hashes...), Senders: append([]common.Address{}, h.Senders...),
			Milliseconds: api.Number(h.For.Milliseconds()), Blocks: api.Number(h.Blocks),
		}
	})
}
