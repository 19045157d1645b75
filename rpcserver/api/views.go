package api

import (
	"errors"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

// Moment returns the network at one instant, in the past where a fault says so. A method takes it once, so that its
// whole answer is consistent.
func (r *Request) Moment() *preconf.Moment { return r.Network.Timeline.Behind(r.Lag()) }

// Lag returns how far in the past the call is answered.
func (r *Request) Lag() preconf.Lag { return preconf.Lag(r.Caller.Behind()) }

// View resolves a block parameter.
func (r *Request) View(tag BlockTag) (*preconf.View, error) { return ViewAt(r.Moment(), tag) }

// State returns the accounts at the block parameter, latest without one.
func (r *Request) State(tag *BlockTag) (*evmstate.State, error) {
	v, err := r.View(tag.OrLatest())
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
func (r *Request) Load(accounts ...common.Address) error {
	state, err := r.State(&BlockTag{Kind: TagPending})
	for _, account := range accounts {
		if err == nil {
			err = state.Load(account)
		}
	}
	return err
}

// CallView returns the View in which a call runs (contract 4-rule2, 4-rule3).
func (r *Request) CallView(tag BlockTag) (chain.View, error) {
	v, err := r.View(tag)
	if err != nil {
		return chain.View{}, err
	}
	return v.CallView()
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
		return m.ByNumber(0)
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

// Known resolves a block parameter for methods that answer null for an unknown block: the View is then nil, without an
// error.
func (r *Request) Known(tag BlockTag) (*preconf.View, error) {
	v, err := r.View(tag)
	if errors.Is(err, preconf.ErrUnknownBlock) {
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

// HashTag returns the block parameter that names a block by its hash.
func HashTag(hash common.Hash) BlockTag { return BlockTag{Kind: TagHash, Hash: hash} }
