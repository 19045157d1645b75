package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

// moment is the network at one instant. A method takes it once, so that all it answers fits together.
func (r *request) moment() *preconf.Moment { return r.network.Timeline.Moment() }

// view resolves a block parameter.
func (r *request) view(tag blockTag) (*preconf.View, error) { return viewAt(r.moment(), tag) }

// state returns the accounts as the block parameter sees them, latest without one.
func (r *request) state(tag *blockTag) (*evmstate.State, error) {
	v, err := r.view(tag.orLatest())
	if err != nil {
		return nil, err
	}
	return v.State()
}

// account returns the accounts as state does, of which the one at address can be read together with its slots.
func (r *request) account(tag *blockTag, address common.Address, slots ...common.Hash) (*evmstate.State, error) {
	state, err := r.state(tag)
	if err != nil {
		return nil, err
	}
	return state, state.Load(address, slots...)
}

// load makes sure that what is pre-confirmed of accounts can be read, for methods that ask the Moment.
func (r *request) load(accounts ...common.Address) error {
	state, err := r.state(&blockTag{Kind: tagPending})
	for _, account := range accounts {
		if err == nil {
			err = state.Load(account)
		}
	}
	return err
}

// callView returns where a call runs (contract 4-rule2, 4-rule3).
func (r *request) callView(tag blockTag) (chain.View, error) {
	v, err := r.view(tag)
	if err != nil {
		return chain.View{}, err
	}
	return v.CallView()
}

// viewAt resolves a block parameter at a moment.
func viewAt(m *preconf.Moment, tag blockTag) (*preconf.View, error) {
	switch tag.Kind {
	case tagPending:
		return m.Pending(), nil
	case tagSafe:
		return m.Safe(), nil
	case tagFinalized:
		return m.Finalized(), nil
	case tagEarliest:
		return m.ByNumber(0)
	case tagNumber:
		return m.ByNumber(tag.Number)
	case tagHash:
		v, err := m.ByHash(tag.Hash)
		if err == nil && tag.RequireCanonical && v.Orphan() {
			return nil, errorf(codeServer, "hash %s is not currently canonical", tag.Hash)
		}
		return v, err
	}
	return m.Latest(), nil
}
