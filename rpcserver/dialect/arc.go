package dialect

import (
	"encoding/json"
	"errors"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// arcMethods are the methods that Arc's nodes answer differently, as of 0.7.3: what is not in a block is hidden.
func arcMethods(table methodTable) methodTable {
	own := methodTable{
		"arc_getVersion":                     jsonrpc.Params0(func(*api.Request) (any, error) { return arcVersion, nil }),
		"eth_getTransactionBySenderAndNonce": table["eth_getTransactionBySenderAndNonce"].Answering(nil),
		"eth_newPendingTransactionFilter": jsonrpc.Params1(func(*api.Request, *json.RawMessage) (any, error) {
			return nil, api.Errorf(api.CodeNotFound, "Pending transaction filters are not allowed")
		}, "full transactions"),
		"eth_subscribe": jsonrpc.Params2(func(r *api.Request, kind string, option *json.RawMessage) (any, error) {
			if kind == "newPendingTransactions" {
				return nil, api.Errorf(api.CodeNotFound, "Subscriptions to pending transactions are not allowed")
			}
			return eth.Subscribe(r, kind, option)
		}, "kind", "option"),
	}
	for _, name := range []string{
		"eth_getBlockByNumber", "eth_getBlockReceipts", "eth_getBlockTransactionCountByNumber", "eth_getHeaderByNumber",
		"eth_getRawTransactionByBlockNumberAndIndex", "eth_getTransactionByBlockNumberAndIndex", "eth_getUncleCountByBlockNumber",
	} {
		own[name] = table[name].Around(hidePending)
	}
	for _, name := range []string{"eth_call", "eth_createAccessList", "eth_estimateGas"} {
		own[name] = table[name].Failing(func(err error) (any, error) {
			if errors.Is(err, evmstate.ErrBlocked) {
				err = api.Errorf(api.CodeInternal, "%s", evmstate.ErrBlocked)
			}
			return nil, err
		})
	}
	return own
}

// arcVersion is the answer to arc_getVersion.
var arcVersion = map[string]string{
	"git_version": "v0.7.3", "git_commit": "79b6fddf18345732007bb94b4af3add4c2efd12d", "git_short_hash": "79b6fdd", "cargo_version": "0.7.3",
}

func arcMalformed(wrong *jsonrpc.Error, calls, limit int) *jsonrpc.Error {
	if calls > limit {
		wrong = api.Errorf(jsonrpc.CodeInvalidRequest, "batch size %d exceeds limit of %d", calls, limit)
	}
	return wrong
}
