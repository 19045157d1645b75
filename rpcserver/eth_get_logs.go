// This file serves eth_getLogs (contract 4-getLogs, 4-rule1, 8-range).

package rpcserver

import (
	"slices"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// getLogs serves eth_getLogs: sealed logs in order, then pre-confirmed ones if either bound is pending.
// All is read at one moment, so each log comes once even while a block is being sealed.
func getLogs(r *api.Request, object filterObject) (any, error) {
	filter, err := object.filterFor(r.Network.Provider)
	if err != nil {
		return nil, err
	}
	if object.BlockHash != nil {
		return getBlockLogs(r, object, filter)
	}
	m := r.Moment()
	span, err := m.LogRange(object.FromBlock.bound(), object.ToBlock.bound())
	if err != nil {
		return nil, err
	}
	// A client that polls from the block after the last one it saw gets no error (geth: an error).
	if r.Network.Profile == shape.Geth && !span.Pending && span.First > span.Last {
		return nil, &preconf.RangeError{From: span.First, To: span.Last, Head: m.Latest().Number()}
	}
	logs, err := search(r, span, filter)
	return shape.LogsOf(m, logs), err
}

// getBlockLogs answers for one block by hash. Those of an orphan are marked removed.
func getBlockLogs(r *api.Request, object filterObject, filter chain.LogFilter) (any, error) {
	// Contract 2.2-blockHash ignores the bounds then; geth rejects them.
	if r.Network.Profile == shape.Geth && (object.FromBlock != nil || object.ToBlock != nil) {
		return nil, api.InvalidParams("cannot specify both blockHash and fromBlock/toBlock, choose one or the other")
	}
	m := r.Moment()
	logs, err := m.LogsOf(filter, *object.BlockHash)
	if err != nil {
		return nil, err
	}
	return shape.LogsOf(m, slices.Collect(logs)), nil
}
