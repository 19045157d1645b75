package rpcserver

import (
	"errors"

	"github.com/ethereum/go-ethereum/core/types/bal"

	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// getBlockAccessList serves eth_getBlockAccessList (EIP-7928): null for an unknown block, and of the pending block as
// far as it goes.
func getBlockAccessList(r *api.Request, tag api.BlockTag) (any, error) {
	v, err := r.Known(tag)
	if v == nil || err != nil {
		return nil, err
	}
	list, err := accessListOf(v)
	if err != nil {
		return nil, err
	}
	return shape.BlockAccessList{List: list}, nil
}

// getRawBlockAccessList serves debug_getRawBlockAccessList: the RLP whose hash the header has.
func getRawBlockAccessList(r *api.Request, tag api.BlockTag) (any, error) {
	v, err := r.View(tag)
	if err != nil {
		return nil, err
	}
	list, err := accessListOf(v)
	if err != nil {
		return nil, err
	}
	return encodeRLP(list)
}

// accessListOf returns the block's access list. The error (-32001) says why there is none.
func accessListOf(v *preconf.View) (*bal.BlockAccessList, error) {
	list, err := v.AccessList()
	var fetching *remote.Error
	switch {
	case errors.As(err, &fetching) && fetching.Refused():
		return nil, api.Errorf(api.CodeNotFound, "block %d is the other chain's, whose node has no access list of it: %s", v.Number(), err)
	case err != nil:
		return nil, err
	case list == nil:
		return nil, api.Errorf(api.CodeNotFound, "block %d has no access list: it is before amsterdam (EIP-7928)", v.Number())
	}
	return list, nil
}
