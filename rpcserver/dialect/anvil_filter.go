package dialect

import (
	"math"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/eth"
)

// anyID is the id of a filter or snapshot. A value that is none is the id of nothing, and no error.
type anyID uint64

// UnmarshalJSON implements json.Unmarshaler.
func (id *anyID) UnmarshalJSON(raw []byte) error {
	*id = math.MaxUint64
	if number, err := api.WholeNumber(raw); err == nil && number.IsUint64() {
		*id = anyID(number.Uint64())
	}
	return nil
}

// anvilFilterChanges serves eth_getFilterChanges.
func anvilFilterChanges(r *api.Request, id anyID) (any, error) {
	return eth.GetFilterChanges(r, hexutil.Uint64(id))
}

// anvilFilterLogs serves eth_getFilterLogs.
func anvilFilterLogs(r *api.Request, id anyID) (any, error) {
	return eth.GetFilterLogs(r, hexutil.Uint64(id))
}

// anvilUninstall serves eth_uninstallFilter.
func anvilUninstall(r *api.Request, id anyID) (any, error) {
	return eth.UninstallFilter(r, hexutil.Uint64(id))
}

// anvilRevertTo serves evm_revert and anvil_revert.
func anvilRevertTo(r *api.Request, id anyID) (any, error) {
	return command.EvmRevert(r, api.Number(id))
}
