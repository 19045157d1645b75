package eth

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/rpcserver/api"
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
	return v.Block(), v.Load()
}

// GetRawBlock serves debug_getRawBlock: the block's RLP.
func GetRawBlock(r *api.Request, tag api.BlockTag) (any, error) {
	block, err := sealedBlock(r, tag)
	if err != nil {
		return nil, err
	}
	return encodeRLP(block)
}

// GetRawHeader serves debug_getRawHeader: the header's RLP.
func GetRawHeader(r *api.Request, tag api.BlockTag) (any, error) {
	block, err := sealedBlock(r, tag)
	if err != nil {
		return nil, err
	}
	return encodeRLP(block.Header())
}

func encodeRLP(value any) (any, error) {
	encoded, err := rlp.EncodeToBytes(value)
	return hexutil.Bytes(encoded), api.Refused(err)
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
