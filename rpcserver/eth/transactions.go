package eth

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// GetTransactionByHash serves eth_getTransactionByHash: sealed, pre-confirmed or in the pool.
func GetTransactionByHash(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if err != nil || !found.Present() {
		return nil, err
	}
	return shape.TransactionOf(found), nil
}

// GetTransactionBySenderAndNonce serves eth_getTransactionBySenderAndNonce: sealed, pre-confirmed or in the pool.
func GetTransactionBySenderAndNonce(r *api.Request, sender common.Address, nonce hexutil.Uint64) (any, error) {
	defer r.Caller.MayTakeLong()()
	found, err := r.Moment().FindNonce(sender, uint64(nonce))
	if err != nil || !found.Present() {
		return nil, err
	}
	return shape.TransactionOf(found), nil
}

// GetRawTransactionByHash serves eth_getRawTransactionByHash.
func GetRawTransactionByHash(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if err != nil || !found.Present() {
		return nil, err
	}
	return rawTransaction(found.Transaction)
}

// GetTransactionReceipt serves eth_getTransactionReceipt: sealed, or pre-confirmed with the zero block
// hash.
func GetTransactionReceipt(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if err != nil || !found.Executed() {
		return nil, err
	}
	return shape.ReceiptOf(found, r.Network.Profile), nil
}

// transactionIn returns transaction i of the block, null if it has fewer.
func transactionIn(v *preconf.View, i hexutil.Uint64) any {
	if uint64(i) >= uint64(v.Count()) {
		return nil
	}
	return shape.TransactionOf(v.At(int(i)))
}

// GetTransactionByBlockNumberAndIndex serves eth_getTransactionByBlockNumberAndIndex.
func GetTransactionByBlockNumberAndIndex(r *api.Request, number api.NumberTag, index hexutil.Uint64) (any, error) {
	return r.Answer(number.BlockTag, func(v *preconf.View) any { return transactionIn(v, index) })
}

// GetTransactionByBlockHashAndIndex serves eth_getTransactionByBlockHashAndIndex.
func GetTransactionByBlockHashAndIndex(r *api.Request, hash common.Hash, index hexutil.Uint64) (any, error) {
	return r.Answer(api.HashTag(hash), func(v *preconf.View) any { return transactionIn(v, index) })
}

// GetRawTransactionByBlockNumberAndIndex serves eth_getRawTransactionByBlockNumberAndIndex.
func GetRawTransactionByBlockNumberAndIndex(r *api.Request, number api.NumberTag, index hexutil.Uint64) (any, error) {
	return rawTransactionIn(r, number.BlockTag, index)
}

// GetRawTransactionByBlockHashAndIndex serves eth_getRawTransactionByBlockHashAndIndex.
func GetRawTransactionByBlockHashAndIndex(r *api.Request, hash common.Hash, index hexutil.Uint64) (any, error) {
	return rawTransactionIn(r, api.HashTag(hash), index)
}

func rawTransactionIn(r *api.Request, tag api.BlockTag, index hexutil.Uint64) (any, error) {
	v, err := r.Block(tag)
	if v == nil || err != nil || uint64(index) >= uint64(v.Count()) {
		return nil, err
	}
	return rawTransaction(v.Transaction(int(index)))
}

// rawTransaction returns a transaction in the form for sending, without blobs once it is in a block.
func rawTransaction(tx evmstate.Transaction) (any, error) {
	raw, err := tx.MarshalBinary()
	return hexutil.Bytes(raw), api.Refused(err)
}
