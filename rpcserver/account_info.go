package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// accountObject is an account as it stands in the state trie, the answer to eth_getAccount.
type accountObject struct {
	Balance     *hexutil.U256  `json:"balance"` // wei
	CodeHash    common.Hash    `json:"codeHash"`
	Nonce       hexutil.Uint64 `json:"nonce"`
	StorageRoot common.Hash    `json:"storageRoot"`
}

// getAccount serves eth_getAccount. One that does not exist is an empty one.
func getAccount(r *api.Request, address common.Address, tag *api.BlockTag) (any, error) {
	state, err := r.Account(tag, address)
	if err != nil {
		return nil, err
	}
	if !state.Exist(address) {
		return accountObject{Balance: new(hexutil.U256), CodeHash: types.EmptyCodeHash, StorageRoot: types.EmptyRootHash}, nil
	}
	if state.Forked() {
		return nil, api.Refused(errNoProof)
	}
	proof := state.Proof(address, nil)
	return accountObject{(*hexutil.U256)(proof.Balance), proof.CodeHash, hexutil.Uint64(proof.Nonce), proof.StorageHash}, nil
}

// accountInfoObject is the answer to eth_getAccountInfo.
type accountInfoObject struct {
	Balance *hexutil.U256  `json:"balance"` // wei
	Code    hexutil.Bytes  `json:"code"`
	Nonce   hexutil.Uint64 `json:"nonce"`
}

// getAccountInfo serves eth_getAccountInfo: balance, code and nonce in one answer.
func getAccountInfo(r *api.Request, address common.Address, tag *api.BlockTag) (any, error) {
	state, err := r.Account(tag, address)
	if err != nil {
		return nil, err
	}
	return accountInfoObject{(*hexutil.U256)(state.Balance(address)), state.Code(address), hexutil.Uint64(state.Nonce(address))}, nil
}
