package rpcserver

import (
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
)

// maxCodeless is how many addresses without code the node warns of.
const maxCodeless = 1024

// addressSet is a set that keeps at most maxCodeless addresses. Safe for concurrent use.
type addressSet struct {
	mu  sync.Mutex
	all map[common.Address]bool
}

// add adds an address and reports whether it was new and had room.
func (s *addressSet) add(address common.Address) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[address] || len(s.all) >= maxCodeless {
		return false
	}
	if s.all == nil {
		s.all = make(map[common.Address]bool)
	}
	s.all[address] = true
	return true
}

// warnOfNoCode logs, once for each address, that a transaction with data went to an address without code. Such a
// transaction succeeds and does nothing: a client that settles with a contract that is not there believes it has paid.
func (r *request) warnOfNoCode(tx *types.Transaction) {
	to := tx.To()
	if to == nil || len(tx.Data()) == 0 {
		return
	}
	pending := r.moment().Pending()
	state, err := pending.State()
	if err != nil || len(state.Code(*to)) > 0 {
		return
	}
	header := pending.Header()
	rules := pending.Chain().Config().Rules(header.Number, true, header.Time)
	if _, precompiled := vm.ActivePrecompiledContracts(rules)[*to]; precompiled || !r.served.codeless.add(*to) {
		return
	}
	r.served.log.Warn("a transaction with data went to an address without code: it moves its value and does nothing else",
		"address", to, "transaction", tx.Hash())
}
