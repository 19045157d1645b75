// This file serves the filters of clients that poll.

package eth

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// NewFilter serves eth_newFilter: it collects logs as they appear, with pre-confirmed ones if toBlock is pending, only
// those if fromBlock is too, and logs that a reorg removes. With HashOrRange a hash stands for the block of its number.
func NewFilter(r *api.Request, object filterObject) (any, error) {
	logs, err := object.filterFor(&r.Network.Behaviour, r.Network.Provider)
	if err != nil {
		return nil, err
	}
	from, to := object.FromBlock.bound(), object.ToBlock.bound()
	if object.BlockHash != nil && r.Network.HashOrRange {
		v, err := r.Moment().ByHash(*object.BlockHash)
		if err != nil {
			return nil, err
		}
		from, to = filter.At(v.Number()), filter.At(v.Number())
	} else if err := object.upcoming("eth_newFilter"); err != nil {
		return nil, err
	}
	return installed(r, filter.Filter{Logs: logs, From: from, To: to})
}

// NewBlockFilter serves eth_newBlockFilter: it collects the hashes of new heads.
func NewBlockFilter(r *api.Request) (any, error) {
	return installed(r, filter.Filter{Kind: filter.Blocks})
}

// NewPendingTransactionFilter serves eth_newPendingTransactionFilter: hashes or transactions that enter the pool.
func NewPendingTransactionFilter(r *api.Request, full *bool) (any, error) {
	return installed(r, filter.Filter{Kind: filter.Transactions, Full: full != nil && *full})
}

func installed(r *api.Request, f filter.Filter) (any, error) {
	id, err := r.Network.Timeline.Filters().Add(f)
	if err != nil {
		return nil, api.Refused(err)
	}
	return hexutil.Uint64(id + uint64(r.Network.Replica)*apart), nil
}

// apart is how far the filter ids of two replicas are apart: a real node does not know the filters of another.
const apart = 1 << 40

// filterAt returns the timeline's id of a filter of this replica. Error: *filter.UnknownError.
func filterAt(r *api.Request, id hexutil.Uint64) (uint64, error) {
	if uint64(id)/apart != uint64(r.Network.Replica) {
		return 0, &filter.UnknownError{ID: uint64(id)}
	}
	return uint64(id) % apart, nil
}

// GetFilterChanges serves eth_getFilterChanges: the filter's items since the last call.
func GetFilterChanges(r *api.Request, id hexutil.Uint64) (any, error) {
	at, err := filterAt(r, id)
	if err != nil {
		return nil, r.RefusedFilter(err)
	}
	changes, err := r.Network.Timeline.Filters().Changes(at, r.Lag())
	if err != nil {
		return nil, r.RefusedFilter(err)
	}
	switch {
	case changes.Kind == filter.Logs:
		return shape.LogsOf(r.Moment(), changes.Logs), nil
	case changes.Kind == filter.Transactions && r.Door().PrivatePool:
		return []common.Hash{}, nil
	case changes.Full:
		return shape.Pooled(changes.Pooled), nil
	}
	return append([]common.Hash{}, changes.Hashes...), nil
}

// GetFilterLogs serves eth_getFilterLogs: all logs that the filter selects, within the limits of eth_getLogs.
func GetFilterLogs(r *api.Request, id hexutil.Uint64) (any, error) {
	at, err := filterAt(r, id)
	if err != nil {
		return nil, r.RefusedFilter(err)
	}
	wanted, span, err := r.Network.Timeline.Filters().Range(at, r.Lag())
	if err != nil {
		return nil, r.RefusedFilter(err)
	}
	logs, err := search(r, span, wanted)
	return shape.LogsOf(r.Moment(), logs), err
}

// UninstallFilter serves eth_uninstallFilter: true if the filter was there.
func UninstallFilter(r *api.Request, id hexutil.Uint64) (any, error) {
	at, err := filterAt(r, id)
	return err == nil && r.Network.Timeline.Filters().Remove(at), nil
}
