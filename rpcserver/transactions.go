package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// getTransactionByHash serves eth_getTransactionByHash: sealed, pre-confirmed or in the pool.
func getTransactionByHash(r *request, hash common.Hash) (any, error) {
	m := r.moment()
	if found, ok := m.Transaction(hash); ok {
		return lookedUp(found), nil
	}
	if found, ok := m.Deposit(hash); ok {
		return depositOf(found.View, found.Index), nil
	}
	t, object, err := r.ancestral(m, hash)
	if t == nil || err != nil {
		return nil, err
	}
	return transactionAnswer(object, t), nil
}

// getTransactionBySenderAndNonce serves eth_getTransactionBySenderAndNonce: sealed, pre-confirmed or in the pool.
func getTransactionBySenderAndNonce(r *request, sender common.Address, nonce hexutil.Uint64) (any, error) {
	defer r.caller.MayTakeLong()()
	m := r.moment()
	if found, ok := m.TransactionOf(sender, uint64(nonce)); ok {
		return lookedUp(found), nil
	}
	if found, ok := m.DepositOf(sender, uint64(nonce)); ok {
		return depositOf(found.View, found.Index), nil
	}
	return nil, nil
}

// getRawTransactionByHash serves eth_getRawTransactionByHash.
func getRawTransactionByHash(r *request, hash common.Hash) (any, error) {
	m := r.moment()
	if found, ok := m.Transaction(hash); ok {
		return rawTransaction(found.Transaction)
	}
	if found, ok := m.Deposit(hash); ok {
		return rawDeposit(found.View, found.Index)
	}
	t, _, err := r.ancestral(m, hash)
	if t == nil || err != nil {
		return nil, err
	}
	return rawRemoteTransaction(t)
}

// getTransactionReceipt serves eth_getTransactionReceipt: sealed, or pre-confirmed with the zero block
// hash.
func getTransactionReceipt(r *request, hash common.Hash) (any, error) {
	m := r.moment()
	if found, ok := m.Receipt(hash); ok {
		return receiptOf(found.View, found.Index, r.network.Profile), nil
	}
	if found, ok := m.Deposit(hash); ok {
		return depositReceiptOf(found.View, found.Index, r.network.Profile), nil
	}
	t, object, err := r.ancestral(m, hash)
	if t == nil || err != nil {
		return nil, err
	}
	return receiptAnswer(receiptObject{receipt: t.Receipt, tx: t.Transaction, from: t.From, in: object.in, profile: r.network.Profile}, t), nil
}

// lookedUp shapes a transaction that was looked up.
func lookedUp(found preconf.TxLookup) transactionObject {
	object := transactionObject{tx: found.Transaction, from: found.Sender}
	if found.View != nil {
		object.in = placeOf(found.View, found.Index)
	}
	return object
}

// transactionList is transactions that were looked up.
type transactionList []preconf.TxLookup

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

// transactionOf returns the block's transaction at that position, deposits counted; null if there is none.
func transactionOf(v *preconf.View, position hexutil.Uint64) any {
	if uint64(position) >= uint64(v.Count()) {
		return nil
	}
	return transactionAt(v, int(position))
}

// transactionAt returns the block's transaction at a position that it has, deposits counted.
func transactionAt(v *preconf.View, position int) jsonrpc.Appender {
	i, signed := v.Signed(position)
	if !signed {
		return depositOf(v, position)
	}
	return transactionAnswer(transactionObject{v.Transaction(i), v.Sender(i), placeOf(v, i)}, remoteTransaction(v, i))
}

// getTransactionByBlockNumberAndIndex serves eth_getTransactionByBlockNumberAndIndex.
func getTransactionByBlockNumberAndIndex(r *request, number numberTag, index hexutil.Uint64) (any, error) {
	return r.answer(number.blockTag, func(v *preconf.View) any { return transactionOf(v, index) })
}

// getTransactionByBlockHashAndIndex serves eth_getTransactionByBlockHashAndIndex.
func getTransactionByBlockHashAndIndex(r *request, hash common.Hash, index hexutil.Uint64) (any, error) {
	return r.answer(hashTag(hash), func(v *preconf.View) any { return transactionOf(v, index) })
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
	v, err := r.known(tag)
	if v == nil || err != nil {
		return nil, err
	}
	if err = v.Load(); err != nil || uint64(index) >= uint64(v.Count()) {
		return nil, err
	}
	i, signed := v.Signed(int(index))
	if !signed {
		return rawDeposit(v, int(index))
	}
	if t := remoteTransaction(v, i); t != nil {
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
		return nil, errorf(codeServer, "transaction %s is of a type of the forked chain that cannot be encoded here", t.Hash)
	}
	return rawTransaction(t.Transaction)
}

// rawTransaction returns a transaction as it is sent, blobs left out once it is in a block.
func rawTransaction(tx *types.Transaction) (any, error) {
	raw, err := tx.MarshalBinary()
	return hexutil.Bytes(raw), err
}
