package command

import (
	"cmp"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
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

// holdParams is a hold as fakenode_hold takes it.
type holdParams struct {
	api.ControlObject `wanted:"{hashes?, senders?, milliseconds? or blocks?}"`

	Hashes       []common.Hash    `json:"hashes"`
	Senders      []common.Address `json:"senders"`
	Milliseconds api.Number       `json:"milliseconds"`
	Blocks       api.Number       `json:"blocks"`
}

// Hold serves fakenode_hold: transactions stay in the pool, for a time or until fakenode_release.
func Hold(r *api.Request, p *holdParams) (any, error) {
	p = cmp.Or(p, new(holdParams))
	if p.Milliseconds > math.MaxInt64/api.Number(time.Millisecond) {
		return nil, api.InvalidParams("%s: %d ms are too long", r.Method, p.Milliseconds)
	}
	hold := control.Hold{Hashes: p.Hashes, Senders: p.Senders, For: time.Duration(p.Milliseconds) * time.Millisecond, Blocks: uint64(p.Blocks)}
	return nil, r.BadInput(r.Network.Timeline.Hold(hold))
}

// Release serves fakenode_release: it ends all holds and answers the number of pooled transactions that they held.
func Release(r *api.Request) (any, error) {
	released, err := r.Network.Timeline.Release()
	return released, r.BadInput(err)
}

// holdObject is a hold in fakenode_faults.
type holdObject struct {
	Hashes  []common.Hash    `json:"hashes"`
	Senders []common.Address `json:"senders"`
	// Milliseconds or Blocks are left of the hold; with neither it lasts until fakenode_release.
	Milliseconds int64  `json:"milliseconds,omitempty"`
	Blocks       uint64 `json:"blocks,omitempty"`
}

// holdObjects returns the holds in force.
func holdObjects(m *preconf.Moment) []holdObject {
	objects := []holdObject{}
	for _, h := range m.Holds() {
		objects = append(objects, holdObject{shape.OrEmpty(h.Hashes), append([]common.Address{}, h.Senders...), h.For.Milliseconds(), h.Blocks})
	}
	return objects
}
