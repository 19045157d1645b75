package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// getTransactionByHash serves eth_getTransactionByHash: sealed, pre-confirmed or in the pool.
func getTransactionByHash(r *api.Request, hash common.Hash) (any, error) {
	m := r.Moment()
	if found, ok := m.Transaction(hash); ok {
		return shape.Found(found), nil
	}
	if found, ok := m.Deposit(hash); ok {
		return shape.DepositOf(found.View, found.Index), nil
	}
	t, in, err := m.Ancestral(hash)
	if t == nil || err != nil {
		return nil, err
	}
	return shape.AncestorOf(t, in), nil
}

// getTransactionBySenderAndNonce serves eth_getTransactionBySenderAndNonce: sealed, pre-confirmed or in the pool.
func getTransactionBySenderAndNonce(r *api.Request, sender common.Address, nonce hexutil.Uint64) (any, error) {
	defer r.Caller.MayTakeLong()()
	m := r.Moment()
	if found, ok := m.TransactionOf(sender, uint64(nonce)); ok {
		return shape.Found(found), nil
	}
	if found, ok := m.DepositOf(sender, uint64(nonce)); ok {
		return shape.DepositOf(found.View, found.Index), nil
	}
	return nil, nil
}

// getRawTransactionByHash serves eth_getRawTransactionByHash.
func getRawTransactionByHash(r *api.Request, hash common.Hash) (any, error) {
	m := r.Moment()
	if found, ok := m.Transaction(hash); ok {
		return rawTransaction(found.Transaction)
	}
	if found, ok := m.Deposit(hash); ok {
		return rawDeposit(found.View, found.Index)
	}
	t, _, err := m.Ancestral(hash)
	if t == nil || err != nil {
		return nil, err
	}
	return rawRemoteTransaction(t)
}

// getTransactionReceipt serves eth_getTransactionReceipt: sealed, or pre-confirmed with the zero block
// hash.
func getTransactionReceipt(r *api.Request, hash common.Hash) (any, error) {
	m := r.Moment()
	if found, ok := m.Receipt(hash); ok {
		return shape.ReceiptOf(found.View, found.Index, r.Network.Profile), nil
	}
	if found, ok := m.Deposit(hash); ok {
		return shape.DepositReceiptOf(found.View, found.Index, r.Network.Profile), nil
	}
	t, in, err := m.Ancestral(hash)
	if t == nil || err != nil {
		return nil, err
	}
	return shape.AncestorReceiptOf(t, in, r.Network.Profile), nil
}

// getTransactionByBlockNumberAndIndex serves eth_getTransactionByBlockNumberAndIndex.
func getTransactionByBlockNumberAndIndex(r *api.Request, number api.NumberTag, index hexutil.Uint64) (any, error) {
	return r.Answer(number.BlockTag, func(v *preconf.View) any { return shape.TransactionOf(v, index) })
}

// getTransactionByBlockHashAndIndex serves eth_getTransactionByBlockHashAndIndex.
func getTransactionByBlockHashAndIndex(r *api.Request, hash common.Hash, index hexutil.Uint64) (any, error) {
	return r.Answer(api.HashTag(hash), func(v *preconf.View) any { return shape.TransactionOf(v, index) })
}

// getRawTransactionByBlockNumberAndIndex serves eth_getRawTransactionByBlockNumberAndIndex.
func getRawTransactionByBlockNumberAndIndex(r *api.Request, number api.NumberTag, index hexutil.Uint64) (any, error) {
	return rawTransactionIn(r, number.BlockTag, index)
}

// getRawTransactionByBlockHashAndIndex serves eth_getRawTransactionByBlockHashAndIndex.
func getRawTransactionByBlockHashAndIndex(r *api.Request, hash common.Hash, index hexutil.Uint64) (any, error) {
	return rawTransactionIn(r, api.HashTag(hash), index)
}

func rawTransactionIn(r *api.Request, tag api.BlockTag, index hexutil.Uint64) (any, error) {
	v, err := r.Known(tag)
	if v == nil || err != nil {
		return nil, err
	}
	if v, err = v.Whole(); err != nil || uint64(index) >= uint64(v.Count()) {
		return nil, err
	}
	i, signed := v.Signed(int(index))
	if !signed {
		return rawDeposit(v, int(index))
	}
	if t := shape.RemoteTransaction(v, i); t != nil {
		return rawRemoteTransaction(t)
	}
	return rawTransaction(v.Transaction(i))
}

// rawDeposit returns deposit i of a View in its typed encoding.
func rawDeposit(v *preconf.View, i int) (any, error) {
	raw, err := v.Deposits()[i].MarshalBinary()
	return hexutil.Bytes(raw), err
}

// rawRemoteTransaction is rawTransaction for one of a fork's remote chain.
func rawRemoteTransaction(t *remote.Transaction) (any, error) {
	if t.Transaction == nil {
		return nil, api.Errorf(api.CodeServer, "transaction %s is of a type of the forked chain that cannot be encoded here", t.Hash)
	}
	return rawTransaction(t.Transaction)
}

// rawTransaction returns a transaction as it is sent, blobs left out once it is in a block.
func rawTransaction(tx *types.Transaction) (any, error) {
	raw, err := tx.MarshalBinary()
	return hexutil.Bytes(raw), err
}
