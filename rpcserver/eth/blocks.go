package eth

import (
	"bytes"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// GetHeader serves eth_getHeaderByNumber and eth_getHeaderByHash; milliseconds of the time are in the block.
func GetHeader[B api.Block](r *api.Request, block B) (any, error) {
	v, err := r.Known(block.Tag())
	if v == nil || err != nil {
		return nil, err
	}
	if err := v.LoadTime(); err != nil {
		return nil, err
	}
	return shape.HeaderOf(v), nil
}

// BlockNumber serves eth_blockNumber: the newest sealed block.
func BlockNumber(r *api.Request) (any, error) {
	return hexutil.Uint64(r.Moment().Latest().Number()), nil
}

// GetBlock serves eth_getBlockByNumber and eth_getBlockByHash.
func GetBlock[B api.Block](r *api.Request, block B, full bool) (any, error) {
	return r.Answer(block.Tag(), func(v *preconf.View) any { return shape.BlockOf(v, full) })
}

// CountTransactions serves eth_getBlockTransactionCountByNumber and eth_getBlockTransactionCountByHash.
func CountTransactions[B api.Block](r *api.Request, block B) (any, error) {
	return r.Answer(block.Tag(), func(v *preconf.View) any { return hexutil.Uint64(v.Count()) })
}

// GetBlockReceipts serves eth_getBlockReceipts, also for the pending block.
func GetBlockReceipts(r *api.Request, tag api.BlockTag) (any, error) {
	return r.Answer(tag, func(v *preconf.View) any { return shape.ReceiptsOf(v, r.Network.Receipts) })
}

// unclesOf returns the headers of a block's uncles, which exist only before the merge.
func unclesOf(v *preconf.View) []*types.Header {
	if v.Pending() {
		return nil
	}
	return v.Block().Uncles()
}

// CountUncles serves eth_getUncleCountByBlockNumber and eth_getUncleCountByBlockHash.
func CountUncles[B api.Block](r *api.Request, block B) (any, error) {
	return r.Answer(block.Tag(), func(v *preconf.View) any { return hexutil.Uint64(len(unclesOf(v))) })
}

// GetUncle serves eth_getUncleByBlockNumberAndIndex and eth_getUncleByBlockHashAndIndex: a block without transactions.
func GetUncle[B api.Block](r *api.Request, block B, index hexutil.Uint64) (any, error) {
	return r.Answer(block.Tag(), func(v *preconf.View) any {
		if uncles := unclesOf(v); uint64(index) < uint64(len(uncles)) {
			return shape.UncleOf(uncles[index])
		}
		return nil
	})
}

// GetBlockAccessList serves eth_getBlockAccessList (EIP-7928): so far if pending, null for an unknown block.
func GetBlockAccessList(r *api.Request, tag api.BlockTag) (any, error) {
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

// GetRawBlockAccessList serves debug_getRawBlockAccessList: the RLP whose hash the header has.
func GetRawBlockAccessList(r *api.Request, tag api.BlockTag) (any, error) {
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

// accessListOf returns the block's access list. The error (-32001) is the reason why there is none.
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

// transaction returns the answer with a transaction that was looked up: null if it is nowhere.
func transaction(found preconf.Found, err error) (any, error) {
	if err != nil || !found.Present() {
		return nil, err
	}
	return shape.TransactionOf(found), nil
}

// GetTransactionByHash serves eth_getTransactionByHash: sealed, pre-confirmed or in the pool.
func GetTransactionByHash(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if found.Where == preconf.Pooled && r.Door().UnseenPool {
		return nil, err
	}
	return transaction(found, err)
}

// GetTransactionBySenderAndNonce serves eth_getTransactionBySenderAndNonce, of the same.
func GetTransactionBySenderAndNonce(r *api.Request, sender common.Address, nonce hexutil.Uint64) (any, error) {
	defer r.Caller.MayTakeLong()()
	return transaction(r.Moment().FindNonce(sender, uint64(nonce)))
}

func GetRawTransactionByHash(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if err != nil || !found.Present() {
		return nil, err
	}
	return rawTransaction(found.Transaction)
}

// GetTransactionReceipt serves eth_getTransactionReceipt: sealed, or pre-confirmed with the zero block hash.
func GetTransactionReceipt(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if err != nil || !found.Executed() {
		return nil, err
	}
	return shape.ReceiptOf(found, r.Network.Receipts), nil
}

// GetTransactionIn serves eth_getTransactionByBlockNumberAndIndex and eth_getTransactionByBlockHashAndIndex.
func GetTransactionIn[B api.Block](r *api.Request, block B, index hexutil.Uint64) (any, error) {
	return r.Answer(block.Tag(), func(v *preconf.View) any {
		if uint64(index) < uint64(v.Count()) {
			return shape.TransactionOf(v.At(int(index)))
		}
		return nil
	})
}

// GetRawTransactionIn serves eth_getRawTransactionByBlockNumberAndIndex and eth_getRawTransactionByBlockHashAndIndex.
func GetRawTransactionIn[B api.Block](r *api.Request, block B, index hexutil.Uint64) (any, error) {
	v, err := r.Block(block.Tag())
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

// sealedBlock resolves a block parameter for methods that need a block with a hash.
func sealedBlock(r *api.Request, tag api.BlockTag) (*chain.Block, error) {
	v, err := r.View(tag)
	if err != nil {
		return nil, err
	}
	if v.Pending() {
		return nil, api.Errorf(api.CodeServer, "the pending block is not sealed yet: %s needs a block with a hash", r.Method)
	}
	return v.Block(), v.Load()
}

// rawPart returns a method that answers the RLP of a part of a sealed block.
func rawPart(of func(*chain.Block) any) func(*api.Request, api.BlockTag) (any, error) {
	return func(r *api.Request, tag api.BlockTag) (any, error) {
		block, err := sealedBlock(r, tag)
		if err != nil {
			return nil, err
		}
		return encodeRLP(of(block))
	}
}

// GetRawBlock serves debug_getRawBlock, and GetRawHeader debug_getRawHeader.
var (
	GetRawBlock  = rawPart(func(block *chain.Block) any { return block })
	GetRawHeader = rawPart(func(block *chain.Block) any { return block.Header() })
)

func encodeRLP(value any) (any, error) {
	encoded, err := rlp.EncodeToBytes(value)
	return hexutil.Bytes(encoded), api.Refused(err)
}

// GetRawTransactions serves debug_getRawTransactions: the transactions of a block in the form for sending, none for an
// unknown block, as in reth.
func GetRawTransactions(r *api.Request, tag api.BlockTag) (any, error) {
	raw := []hexutil.Bytes{}
	v, err := r.Block(tag)
	if v == nil || err != nil {
		return raw, err
	}
	for i := range v.Count() {
		encoded, err := v.Transaction(i).MarshalBinary()
		if err != nil {
			return nil, api.Refused(err)
		}
		raw = append(raw, encoded)
	}
	return raw, nil
}

// GetRawReceipts serves debug_getRawReceipts: each receipt as encoded in the receipts trie.
func GetRawReceipts(r *api.Request, tag api.BlockTag) (any, error) {
	block, err := sealedBlock(r, tag)
	if err != nil {
		return nil, err
	}
	for _, tx := range block.Transactions() {
		if _, err := tx.MarshalBinary(); err != nil {
			return nil, api.Refused(err)
		}
	}
	receipts := evmstate.Receipts{Transactions: block.Transactions(), List: block.Receipts()}
	raw := make([]hexutil.Bytes, receipts.Len())
	for i := range raw {
		var encoded bytes.Buffer
		receipts.EncodeIndex(i, &encoded)
		raw[i] = encoded.Bytes()
	}
	return raw, nil
}

// GetRawTransaction serves debug_getRawTransaction: the transaction as it was sent, whether sealed, pre-confirmed or in
// the pool; "0x" for an unknown one, as in go-ethereum.
func GetRawTransaction(r *api.Request, hash common.Hash) (any, error) {
	raw, err := GetRawTransactionByHash(r, hash)
	if raw == nil && err == nil {
		return hexutil.Bytes{}, nil
	}
	return raw, err
}
