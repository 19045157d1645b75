package bundler

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// DumpMempool serves debug_bundler_dumpMempool: the operations in the pool for an EntryPoint, in the order of arrival.
func DumpMempool(r *api.Request, entryPoint common.Address) (any, error) {
	if err := on(r); err != nil {
		return nil, err
	}
	if _, err := versionOf(r, entryPoint); err != nil {
		return nil, err
	}
	list := []*Operation{}
	for _, o := range pooled(r.Moment()) {
		if o.version.address == entryPoint {
			list = append(list, o.Operation)
		}
	}
	return list, nil
}

// ClearState serves debug_bundler_clearState: it removes all operations from the pool.
func ClearState(r *api.Request) (any, error) {
	if err := on(r); err != nil {
		return nil, err
	}
	for _, o := range pooled(r.Moment()) {
		r.Network.Timeline.DropTransaction(o.bundle.Hash())
	}
	return "ok", nil
}
