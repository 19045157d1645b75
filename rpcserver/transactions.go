package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
)

// getTransactionByHash serves eth_getTransactionByHash: sealed, pre-confirmed or in the pool.
func getTransactionByHash(r *request, hash common.Hash) (any, error) {
	found, err := r.moment().Find(hash)
	if err != nil || !found.Present() {
		return nil, err
	}
	return lookedUp(found), nil
}

// getTransactionBySenderAndNonce serves eth_getTransactionBySenderAndNonce: sealed, pre-confirmed or in the pool.
func getTransactionBySenderAndNonce(r *request, sender common.Address, nonce hexutil.Uint64) (any, error) {
	defer r.caller.MayTakeLong()()
	found, err := r.moment().FindNonce(sender, uint64(nonce))
	if err != nil || !found.Present() {
		return nil, err
	}
	return lookedUp(found), nil
}

// getRawTransactionByHash serves eth_getRawTransactionByHash.
func getRawTransactionByHash(r *request, hash common.Hash) (any, error) {
	found, err := r.moment().Find(hash)
	if err != nil || !found.Present() {
		return nil, err
	}
	return rawTransaction(found.Transaction)
}

// getTransactionReceipt serves eth_getTransactionReceipt: sealed, or pre-confirmed with the zero block
// hash.
func getTransactionReceipt(r *request, hash common.Hash) (any, error) {
	found, err := r.moment().Find(hash)
	if err != nil || !found.Executed() {
		return nil, err
	}
	return receiptOf(found, r.network.Profile), nil
}

// transactionList is transactions that were looked up.
type transactionList []preconf.Found

func (l transactionList) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, found := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = lookedUp(found).AppendJSON(dst)
	}
	return append(dst, ']')
}

// transactionIn returns transaction i of the block, null if it has fewer.
func transactionIn(v *preconf.View, i hexutil.Uint64) any {
	if uint64(i) >= uint64(v.Count()) {
		return nil
	}
	return lookedUp(v.At(int(i)))
}

// getTransactionByBlockNumberAndIndex serves eth_getTransactionByBlockNumberAndIndex.
func getTransactionByBlockNumberAndIndex(r *request, number numberTag, index hexutil.Uint64) (any, error) {
	return r.answer(number.blockTag, func(v *preconf.View) any { return transactionIn(v, index) })
}

// getTransactionByBlockHashAndIndex serves eth_getTransactionByBlockHashAndIndex.
func getTransactionByBlockHashAndIndex(r *request, hash common.Hash, index hexutil.Uint64) (any, error) {
	return r.answer(hashTag(hash), func(v *preconf.View) any { return transactionIn(v, index) })
}

// getRawTransactionByBlockNumberAndIndex serves eth_getRawTransactionByBlockNumberAndIndex.
func getRawTransactionByBlockNumberAndIndex(r *request, number numberTag, index hexutil.Uint64) (any, error) {
	return r.rawTransactionIn(number.blockTag, index)
}

// getRawTransactionByBlockHashAndIndex serves eth_getRawTransactionByBlockHashAndIndex.
func getRawTransactionByBlockHashAndIndex(r *request, hash common.Hash, index hexutil.Uint64) (any, error) {
	return r.rawTransactionIn(hashTag(hash), index)
}

func (r *request) rawTransactionIn(tag blockTag, index hexutil.Uint64) (any, error) {
	v, err := r.block(tag)
	if v == nil || err != nil || uint64(index) >= uint64(v.Count()) {
		return nil, err
	}
	return rawTransaction(v.Transaction(int(index)))
}

// rawTransaction returns a transaction as it is sent, blobs left out once it is in a block.
func rawTransaction(tx evmstate.Transaction) (any, error) {
	raw, err := tx.MarshalBinary()
	return hexutil.Bytes(raw), refused(err)
}
