package dialect

import (
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// gethMethods are the methods that geth answers differently from the profile of its name, as of geth 1.17.10.
func gethMethods(methodTable) methodTable {
	return methodTable{"eth_getBlockByNumber": jsonrpc.Params2(gethBlockByNumber, "block", "full transactions")}
}

// gethBlockByNumber serves eth_getBlockByNumber. Clients of pre-confirmed blocks know them by their hash.
func gethBlockByNumber(r *api.Request, tag api.NumberTag, full bool) (any, error) {
	answer, err := eth.GetBlockByNumber(r, tag, full)
	if block, ok := answer.(shape.Block); ok && r.Network.Preconf != api.PreconfPending {
		return block.Unsealed(), err
	}
	return answer, err
}
