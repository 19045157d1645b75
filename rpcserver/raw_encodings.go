package rpcserver

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// sealedBlock resolves a block parameter for methods that need a block with a hash.
func sealedBlock(r *api.Request, tag api.BlockTag) (*chain.Block, error) {
	v, err := r.View(tag)
	if err != nil {
		return nil, err
	}
	if v.Pending() {
		return nil, api.Errorf(api.CodeServer, "the pending block is not sealed yet: %s needs a block with a hash", r.Method)
	}
	if v, err = v.Whole(); err != nil {
		return nil, err
	}
	for i := range v.Transactions() {
		if t := shape.RemoteTransaction(v, i); t != nil && t.Transaction == nil {
			return nil, api.Errorf(api.CodeServer, "block %d has transactions of a type of the forked chain that cannot be encoded here", v.Number())
		}
	}
	return v.Block(), nil
}

// getRawBlock serves debug_getRawBlock: the block's RLP.
func getRawBlock(r *api.Request, tag api.BlockTag) (any, error) {
	block, err := sealedBlock(r, tag)
	if err != nil {
		return nil, err
	}
	return encodeRLP(block)
}

// getRawHeader serves debug_getRawHeader: the header's RLP.
func getRawHeader(r *api.Request, tag api.BlockTag) (any, error) {
	block, err := sealedBlock(r, tag)
	if err != nil {
		return nil, err
	}
	return encodeRLP(block.Header())
}

func encodeRLP(value any) (any, error) {
	encoded, err := rlp.EncodeToBytes(value)
	return hexutil.Bytes(encoded), err
}

// getRawReceipts serves debug_getRawReceipts: each receipt as it stands in the receipts trie.
func getRawReceipts(r *api.Request, tag api.BlockTag) (any, error) {
	block, err := sealedBlock(r, tag)
	if err != nil {
		return nil, err
	}
	receipts := optimism.Receipts{Deposits: block.Deposits(), Signed: block.Receipts()}
	raw := make([]hexutil.Bytes, receipts.Len())
	for i := range raw {
		var encoded bytes.Buffer
		receipts.EncodeIndex(i, &encoded)
		raw[i] = encoded.Bytes()
	}
	return raw, nil
}

// getRawTransaction serves debug_getRawTransaction: the transaction as it was sent, whether sealed,
// pre-confirmed or in the pool; "0x" for an unknown one, as go-ethereum answers.
func getRawTransaction(r *api.Request, hash common.Hash) (any, error) {
	raw, err := getRawTransactionByHash(r, hash)
	if raw == nil && err == nil {
		return hexutil.Bytes{}, nil
	}
	return raw, err
}
