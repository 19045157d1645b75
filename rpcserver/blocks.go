package rpcserver

import (
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
)

// known resolves a block parameter for methods that answer null for an unknown block: then nil, and no
// error.
func (r *request) known(tag blockTag) (*preconf.View, error) {
	v, err := r.view(tag)
	if errors.Is(err, preconf.ErrUnknownBlock) {
		return nil, nil
	}
	return v, err
}

// block is known for methods that answer with what is in the block.
func (r *request) block(tag blockTag) (*preconf.View, error) {
	v, err := r.known(tag)
	if v == nil || err != nil {
		return nil, err
	}
	return v, v.Load()
}

// answer returns what shape makes of the block, null if it is unknown.
func (r *request) answer(tag blockTag, shape func(*preconf.View) any) (any, error) {
	v, err := r.block(tag)
	if v == nil || err != nil {
		return nil, err
	}
	return shape(v), nil
}

// answerHeader returns the header of the block, null if it is unknown.
func (r *request) answerHeader(tag blockTag) (any, error) {
	v, err := r.known(tag)
	if v == nil || err != nil {
		return nil, err
	}
	return headerOf(v), nil
}

func hashTag(hash common.Hash) blockTag { return blockTag{Kind: tagHash, Hash: hash} }

// blockNumber serves eth_blockNumber: the newest sealed block.
func blockNumber(r *request) (any, error) {
	return hexutil.Uint64(r.moment().Latest().Number()), nil
}

// getBlockByNumber serves eth_getBlockByNumber.
func getBlockByNumber(r *request, number numberTag, full bool) (any, error) {
	return r.answer(number.blockTag, func(v *preconf.View) any { return blockOf(v, full) })
}

// getBlockByHash serves eth_getBlockByHash, of orphans too.
func getBlockByHash(r *request, hash common.Hash, full bool) (any, error) {
	return r.answer(hashTag(hash), func(v *preconf.View) any { return blockOf(v, full) })
}

// getHeaderByNumber serves eth_getHeaderByNumber.
func getHeaderByNumber(r *request, number numberTag) (any, error) {
	return r.answerHeader(number.blockTag)
}

// getHeaderByHash serves eth_getHeaderByHash, of orphans too.
func getHeaderByHash(r *request, hash common.Hash) (any, error) {
	return r.answerHeader(hashTag(hash))
}

// transactionCountOf returns the number of the block's transactions.
func transactionCountOf(v *preconf.View) any {
	return hexutil.Uint64(v.Count())
}

// getBlockTransactionCountByNumber serves eth_getBlockTransactionCountByNumber.
func getBlockTransactionCountByNumber(r *request, number numberTag) (any, error) {
	return r.answer(number.blockTag, transactionCountOf)
}

// getBlockTransactionCountByHash serves eth_getBlockTransactionCountByHash.
func getBlockTransactionCountByHash(r *request, hash common.Hash) (any, error) {
	return r.answer(hashTag(hash), transactionCountOf)
}

// getBlockReceipts serves eth_getBlockReceipts, of the pending block too.
func getBlockReceipts(r *request, tag blockTag) (any, error) {
	return r.answer(tag, func(v *preconf.View) any { return receiptsOf(v, r.network.Profile) })
}

// unclesOf returns the headers of a block's uncles: there are some before the merge only.
func unclesOf(v *preconf.View) []*types.Header {
	if v.Pending() {
		return nil
	}
	return v.Block().Uncles()
}

func uncleCountOf(v *preconf.View) any { return hexutil.Uint64(len(unclesOf(v))) }

// getUncleCountByBlockNumber serves eth_getUncleCountByBlockNumber.
func getUncleCountByBlockNumber(r *request, number numberTag) (any, error) {
	return r.answer(number.blockTag, uncleCountOf)
}

// getUncleCountByBlockHash serves eth_getUncleCountByBlockHash.
func getUncleCountByBlockHash(r *request, hash common.Hash) (any, error) {
	return r.answer(hashTag(hash), uncleCountOf)
}

// getUncleByBlockNumberAndIndex serves eth_getUncleByBlockNumberAndIndex.
func getUncleByBlockNumberAndIndex(r *request, number numberTag, index hexutil.Uint64) (any, error) {
	return r.answer(number.blockTag, func(v *preconf.View) any { return uncleOf(v, uint64(index)) })
}

// getUncleByBlockHashAndIndex serves eth_getUncleByBlockHashAndIndex.
func getUncleByBlockHashAndIndex(r *request, hash common.Hash, index hexutil.Uint64) (any, error) {
	return r.answer(hashTag(hash), func(v *preconf.View) any { return uncleOf(v, uint64(index)) })
}

// uncleOf returns the block's uncle of that index, a block without transactions; null if there is none.
func uncleOf(v *preconf.View, index uint64) any {
	uncles := unclesOf(v)
	if index >= uint64(len(uncles)) {
		return nil
	}
	return uncleObject{headerObject{uncles[index], uncles[index].Hash()}}
}
