package rpcserver

import (
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// warnOfNoCode logs, once for each address, that a transaction with data went to an address without code. Such a
// transaction succeeds and does nothing: a client that settles with a contract that is not there believes it has paid.
func warnOfNoCode(r *api.Request, tx *types.Transaction) {
	to := tx.To()
	if to == nil || len(tx.Data()) == 0 {
		return
	}
	pending := r.Moment().Pending()
	state, err := pending.State()
	if err != nil || len(state.Code(*to)) > 0 {
		return
	}
	header := pending.Header()
	rules := pending.Chain().Config().Rules(header.Number, true, header.Time)
	if _, precompiled := pending.Chain().Precompiles(rules)[*to]; precompiled || !r.Network.Codeless.Add(*to) {
		return
	}
	r.Network.Log.Warn("a transaction with data went to an address without code: it moves its value and does nothing else",
		"address", to, "transaction", tx.Hash())
}
