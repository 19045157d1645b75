package dialect

import (
	"errors"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Codes of MegaETH's gateway. It has one more for network traffic, -32021, which only a fault brings about here.
const (
	codeOutOfRange = -32019
	codeTooLarge   = -32020
	codeCompute    = -32022
)

// megaMethods are the methods that MegaETH's gateway limits: eth_callMany to 100 bundles and 100 calls.
func megaMethods(methodTable) methodTable {
	return methodTable{"eth_callMany": eth.CallMany(100, error.Error)}
}

// megaError is api.ToWire with the codes of MegaETH's gateway for its limits.
func megaError(b *api.Behaviour, err error) *jsonrpc.Error {
	wire := api.ToWire(b, err)
	var unknown *preconf.UnknownBlockError
	var span *filter.RangeError
	switch {
	case wire == nil:
		return nil
	case errors.As(err, &unknown) && unknown.Number != nil, errors.As(err, &span):
		return api.Errorf(codeOutOfRange, "block is out of range: %s", wire.Message)
	case wire.TooLarge:
		return api.Errorf(codeTooLarge, "backend response too large: %s", wire.Message)
	case api.TimedOut(err):
		return api.Errorf(codeCompute, "over compute unit limit, retry in 1 seconds: %s", wire.Message)
	}
	return wire
}
