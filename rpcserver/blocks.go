package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// answerHeader returns the header of the block, null if it is unknown. The milliseconds of its time are in the block.
func answerHeader(r *api.Request, tag api.BlockTag) (any, error) {
	v, err := r.Known(tag)
	if v == nil || err != nil {
		return nil, err
	}
	if err := v.LoadTime(); err != nil {
		return nil, err
	}
	return shape.HeaderOf(v), nil
}

// blockNumber serves eth_blockNumber: the newest sealed block.
func blockNumber(r *api.Request) (any, error) {
	return hexutil.Uint64(r.Moment().Latest().Number()), nil
}

// getBlockByNumber serves eth_getBlockByNumber.
func getBlockByNumber(r *api.Request, number api.NumberTag, full bool) (any, error) {
	return r.Answer(number.BlockTag, func(v *preconf.View) any { return shape.BlockOf(v, full) })
}

// getBlockByHash serves eth_getBlockByHash, of orphans too.
func getBlockByHash(r *api.Request, hash common.Hash, full bool) (any, error) {
	return r.Answer(api.HashTag(hash), func(v *preconf.View) any { return shape.BlockOf(v, full) })
}

// getHeaderByNumber serves eth_getHeaderByNumber.
func getHeaderByNumber(r *api.Request, number api.NumberTag) (any, error) {
	return answerHeader(r, number.BlockTag)
}

// getHeaderByHash serves eth_getHeaderByHash, of orphans too.
func getHeaderByHash(r *api.Request, hash common.Hash) (any, error) {
	return answerHeader(r, api.HashTag(hash))
}

// transactionCountOf returns the number of the block's transactions.
func transactionCountOf(v *preconf.View) any {
	return hexutil.Uint64(v.Count())
}

// getBlockTransactionCountByNumber serves eth_getBlockTransactionCountByNumber.
func getBlockTransactionCountByNumber(r *api.Request, number api.NumberTag) (any, error) {
	return r.Answer(number.BlockTag, transactionCountOf)
}

// getBlockTransactionCountByHash serves eth_getBlockTransactionCountByHash.
func getBlockTransactionCountByHash(r *api.Request, hash common.Hash) (any, error) {
	return r.Answer(api.HashTag(hash), transactionCountOf)
}

// getBlockReceipts serves eth_getBlockReceipts, of the pending block too.
func getBlockReceipts(r *api.Request, tag api.BlockTag) (any, error) {
	return r.Answer(tag, func(v *preconf.View) any { return shape.ReceiptsOf(v, r.Network.Profile) })
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
func getUncleCountByBlockNumber(r *api.Request, number api.NumberTag) (any, error) {
	return r.Answer(number.BlockTag, uncleCountOf)
}

// getUncleCountByBlockHash serves eth_getUncleCountByBlockHash.
func getUncleCountByBlockHash(r *api.Request, hash common.Hash) (any, error) {
	return r.Answer(api.HashTag(hash), uncleCountOf)
}

// getUncleByBlockNumberAndIndex serves eth_getUncleByBlockNumberAndIndex.
func getUncleByBlockNumberAndIndex(r *api.Request, number api.NumberTag, index hexutil.Uint64) (any, error) {
	return r.Answer(number.BlockTag, func(v *preconf.View) any { return uncleOf(v, uint64(index)) })
}

// getUncleByBlockHashAndIndex serves eth_getUncleByBlockHashAndIndex.
func getUncleByBlockHashAndIndex(r *api.Request, hash common.Hash, index hexutil.Uint64) (any, error) {
	return r.Answer(api.HashTag(hash), func(v *preconf.View) any { return uncleOf(v, uint64(index)) })
}

// uncleOf returns the block's uncle of that index, a block without transactions; null if there is none.
func uncleOf(v *preconf.View, index uint64) any {
	uncles := unclesOf(v)
	if index >= uint64(len(uncles)) {
		return nil
	}
	return shape.UncleOf(uncles[index])
}
