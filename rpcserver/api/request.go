package api

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Request describes a call to the method function that answers it. The calls of a batch share it, one after another.
type Request struct {
	// Ctx ends when the client goes away or the server closes.
	Ctx context.Context
	// Method is the wire name.
	Method string
	// Network is the network that the call was sent to.
	Network *Network
	// Caller is the client, for methods that subscribe or take long.
	Caller jsonrpc.Request
}

// NewRequest makes the request of a message or batch to the network.
func (n *Network) NewRequest() (*Request, *jsonrpc.Request) {
	r := &Request{Network: n}
	return r, &r.Caller
}

// Begin makes r the request of the next call, and moves the network's clock forward with the wall clock.
func (r *Request) Begin() {
	r.Ctx, r.Method = r.Caller.Context(), r.Caller.Method()
	r.Network.Timeline.CatchUp(r.Ctx)
}

// Moment returns the network at one instant, in the past where a fault says so and at a replica. A method takes it
// once, so that its whole answer is consistent.
func (r *Request) Moment() *preconf.Moment {
	lag := r.Lag()
	m := r.Network.Timeline.Behind(lag)
	if lag != (preconf.Lag{}) {
		r.Caller.AnsweredFrom(fmt.Sprintf("%s, at block %d", lag, m.Latest().Number()))
	}
	return m
}

// Lag returns how far in the past the call is answered.
func (r *Request) Lag() preconf.Lag {
	behind := r.Caller.Behind()
	lag := preconf.Lag{Blocks: behind.Blocks, Time: behind.Time, Orphaned: behind.Orphaned}
	if !r.Caller.Exempt() {
		lag.Replica = r.Network.Replica
	}
	return lag
}

// View resolves a block parameter.
func (r *Request) View(tag BlockTag) (*preconf.View, error) { return ViewAt(r.Moment(), tag) }

// Executed resolves the block parameter of a method that reads state or runs a call, for which latest may move.
func (r *Request) Executed(tag BlockTag) (*preconf.View, error) {
	if tag.Kind == TagLatest {
		tag.Kind = r.Door().Newest
	}
	return r.View(tag)
}

// State returns the accounts at the block parameter, latest without one.
func (r *Request) State(tag *BlockTag) (*evmstate.State, error) {
	v, err := r.Executed(tag.OrLatest())
	if err != nil {
		return nil, err
	}
	return v.State()
}

// Account is State, with the account at address and its slots loaded.
func (r *Request) Account(tag *BlockTag, address common.Address, slots ...common.Hash) (*evmstate.State, error) {
	state, err := r.State(tag)
	if err != nil {
		return nil, err
	}
	return state, state.Load(address, slots...)
}

// Load makes sure that the pre-confirmed state of accounts can be read, for methods that use the Moment.
func (r *Request) Load(accounts ...common.Address) error { return r.Moment().Load(accounts...) }

// CallView returns the View in which a call runs (contract 4-rule2, 4-rule3).
func (r *Request) CallView(tag BlockTag) (chain.View, error) {
	v, err := r.Executed(tag)
	if err != nil {
		return chain.View{}, err
	}
	at, err := v.CallView()
	if err != nil || !r.Network.CallsOnNext || v.Pending() {
		return at, err
	}
	m := r.Moment()
	if next := m.NextHeader(); v.Hash() == m.Latest().Hash() && (at.Header.GasLimit != next.GasLimit || at.Header.Coinbase != next.Coinbase) {
		at.Header = types.CopyHeader(at.Header)
		at.Header.GasLimit, at.Header.Coinbase = next.GasLimit, next.Coinbase
	}
	return at, nil
}

// ViewAt resolves a block parameter at a moment.
func ViewAt(m *preconf.Moment, tag BlockTag) (*preconf.View, error) {
	switch tag.Kind {
	case TagPending:
		return m.Pending(), nil
	case TagSafe:
		return m.Safe(), nil
	case TagFinalized:
		return m.Finalized(), nil
	case TagEarliest:
		return m.Earliest()
	case TagNumber:
		return m.ByNumber(tag.Number)
	case TagHash:
		v, err := m.ByHash(tag.Hash)
		if err == nil && tag.RequireCanonical && v.Orphan() {
			return nil, Errorf(CodeServer, "hash %s is not currently canonical", tag.Hash)
		}
		return v, err
	}
	return m.Latest(), nil
}

// Numbered returns the block of that number, which may be pending: the one at pending, or a late one before it.
func Numbered(m *preconf.Moment, number uint64) (*preconf.View, error) {
	if number > m.Chain().Head().Number() {
		for _, v := range append(m.PendingBlocks(), m.Pending()) {
			if v.Number() == number {
				return v, nil
			}
		}
	}
	return m.ByNumber(number)
}

// Known resolves a block parameter for methods that answer null for an unknown block: the View is then nil.
func (r *Request) Known(tag BlockTag) (*preconf.View, error) {
	v, err := r.View(tag)
	if errors.As(err, new(*preconf.UnknownBlockError)) {
		return nil, nil
	}
	return v, err
}

// Block is Known for methods that answer with the content of the block.
func (r *Request) Block(tag BlockTag) (*preconf.View, error) {
	v, err := r.Known(tag)
	if v == nil || err != nil {
		return nil, err
	}
	return v, v.Load()
}

// Answer returns shape's result for the block, null if it is unknown.
func (r *Request) Answer(tag BlockTag, shape func(*preconf.View) any) (any, error) {
	v, err := r.Block(tag)
	if v == nil || err != nil {
		return nil, err
	}
	return shape(v), nil
}

// Each calls of with each item of a list and returns the results, for an answer: [] if there are none.
func Each[T, O any](list []T, of func(T) O) []O {
	made := make([]O, len(list))
	for i, item := range list {
		made[i] = of(item)
	}
	return made
}

// Turns lets as many calls run at a time as there are processors, less one for the clock and for cheap methods where
// there are two or more. The others wait. A call is any request that runs the EVM for as long as the client wants. Safe
// for concurrent use.
type Turns chan struct{}

// NewTurns returns the turns of a server.
func NewTurns() Turns { return make(Turns, max(runtime.GOMAXPROCS(0)-1, 1)) }

// TakeTurn waits until the call may run. Its time limit begins then. The error reports the end of the request; without
// one the caller must call EndTurn after the call.
func (r *Request) TakeTurn() error {
	if err := r.Ctx.Err(); err != nil {
		return err // no turn for a client that left while others had theirs
	}
	select {
	case r.Network.Turns <- struct{}{}:
		return nil
	case <-r.Ctx.Done():
		return r.Ctx.Err()
	}
}

// EndTurn lets the next call run.
func (r *Request) EndTurn() { <-r.Network.Turns }

// Place is the place of a transaction in an answer.
type Place struct {
	Where preconf.Where `json:"where"`
	// Reason reports why a pooled transaction cannot be in the next flashblock, or why a transaction was dropped or
	// orphaned.
	Reason string `json:"reason,omitempty"`
	// BlockHash is absent unless the transaction is in a block that has a hash.
	BlockHash *common.Hash `json:"blockHash,omitempty"`
}

// PlaceOf returns a place for an answer.
func PlaceOf(p preconf.Found) Place {
	place := Place{Where: p.Where}
	if p.Reason != nil {
		place.Reason = p.Reason.Error()
	}
	if p.View != nil && !p.View.Pending() {
		place.BlockHash = new(p.View.Hash())
	}
	return place
}

// PoolHalves returns the executable transactions, and the transactions that wait for an earlier nonce.
func PoolHalves(m *preconf.Moment) (pending, queued []pool.Listed) {
	for _, tx := range m.Pool() {
		if tx.Queued {
			queued = append(queued, tx)
		} else {
			pending = append(pending, tx)
		}
	}
	return pending, queued
}
