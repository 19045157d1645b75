// This file serves eth_getCode: the bytecode of an account, "0x" without code (contract 4-getCode, 4-rule4).

package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// getCode serves eth_getCode. A missing block means latest; under "pending" it shows contracts deployed
// before their block is sealed.
func getCode(r *api.Request, address common.Address, tag *api.BlockTag) (any, error) {
	state, err := r.Account(tag, address)
	if err != nil {
		return nil, err
	}
	return hexutil.Bytes(state.Code(address)), nil
}
