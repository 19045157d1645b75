package eth

import (
	"errors"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// NewFilter serves eth_newFilter: it collects logs as they appear, with pre-confirmed ones if toBlock is pending, only
// those if fromBlock is too, and logs that a reorg removes.
func NewFilter(r *api.Request, object filterObject) (any, error) {
	filter, err := object.filterFor(r.Network.Provider)
	if err != nil {
		return nil, err
	}
	if err := object.upcoming("eth_newFilter"); err != nil {
		return nil, err
	}
	return installed(r.Network.Timeline.NewLogFilter(filter, object.FromBlock.bound(), object.ToBlock.bound()))
}

// NewBlockFilter serves eth_newBlockFilter: it collects the hashes of new heads.
func NewBlockFilter(r *api.Request) (any, error) {
	return installed(r.Network.Timeline.NewBlockFilter())
}

// NewPendingTransactionFilter serves eth_newPendingTransactionFilter: it collects the hashes of transactions that enter
// the pool, or the transactions themselves.
func NewPendingTransactionFilter(r *api.Request, full *bool) (any, error) {
	return installed(r.Network.Timeline.NewPendingTransactionFilter(full != nil && *full))
}

// installed answers with the id of a new filter.
func installed(id uint64, err error) (any, error) {
	var limit *preconf.FilterLimitError
	switch {
	case errors.As(err, &limit):
		return nil, api.Refused(err)
	case err != nil:
		return nil, err
	}
	return hexutil.Uint64(id), nil
}

// GetFilterChanges serves eth_getFilterChanges: the filter's items since the last call.
func GetFilterChanges(r *api.Request, id hexutil.Uint64) (any, error) {
	changes, err := r.Network.Timeline.FilterChanges(uint64(id))
	if err != nil {
		return nil, api.Refused(err)
	}
	switch {
	case changes.Kind == preconf.FilterOfLogs:
		return shape.LogsOf(r.Moment(), changes.Logs), nil
	case changes.Kind == preconf.FilterOfTransactions && r.Door().PrivatePool:
		return shape.OrEmpty(nil), nil
	case changes.Full:
		return shape.Transactions(changes.Transactions), nil
	}
	return shape.OrEmpty(changes.Hashes), nil
}

// GetFilterLogs serves eth_getFilterLogs: all logs that the filter selects, found like eth_getLogs' and within the same
// limits.
func GetFilterLogs(r *api.Request, id hexutil.Uint64) (any, error) {
	filter, span, err := r.Network.Timeline.FilterRange(uint64(id))
	var unknown *preconf.UnknownFilterError
	switch {
	case errors.As(err, &unknown):
		return nil, api.Refused(err)
	case err != nil:
		return nil, err
	}
	logs, err := search(r, span, filter)
	return shape.LogsOf(r.Moment(), logs), err
}

// UninstallFilter serves eth_uninstallFilter: true if the filter was there.
func UninstallFilter(r *api.Request, id hexutil.Uint64) (any, error) {
	return r.Network.Timeline.UninstallFilter(uint64(id)), nil
}
