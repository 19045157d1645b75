package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// Block is a block with its whole content.
type Block struct {
	*Header
	Size         uint64 // bytes of RLP; 0 if the node does not report it
	Uncles       []*types.Header
	Withdrawals  types.Withdrawals // nil before Shanghai
	Transactions []*Transaction
}

// storedBlock is a block as the cache file has it.
type storedBlock struct {
	Block    json.RawMessage   `json:"block"`
	Receipts []json.RawMessage `json:"receipts"`
}

// BlockByNumber returns a block not above the fork block, with its receipts: one request.
func (f *Fork) BlockByNumber(number uint64) (*Block, error) {
	words := func() string { return fmt.Sprintf("block %d with receipts", number) }
	value, err := f.cache.get("block "+hexutil.EncodeUint64(number), words, func() (any, error) {
		return f.fetchBlock(number)
	})
	if err != nil {
		return nil, err
	}
	var stored storedBlock
	if err := json.Unmarshal(value, &stored); err != nil {
		return nil, &Error{words(), fmt.Errorf("the cache holds no block: %w", err)}
	}
	b, uncles, err := stored.decode()
	if err != nil {
		return nil, &Error{words(), err}
	}
	if len(uncles) > 0 {
		b.Uncles, err = f.uncles(number, uncles)
	}
	return b, err
}

// uncles returns the headers of a block's uncles, which have those hashes, with one request. Only blocks before the
// merge have any.
func (f *Fork) uncles(number uint64, hashes []common.Hash) ([]*types.Header, error) {
	words := func() string { return fmt.Sprintf("uncles of block %d", number) }
	value, err := f.cache.get("uncles "+hexutil.EncodeUint64(number), words, func() (any, error) {
		var calls []call
		for i := range hashes {
			calls = append(calls, call{"eth_getUncleByBlockNumberAndIndex", []any{hexutil.EncodeUint64(number), hexutil.Uint(i)}})
		}
		return f.fetchPinned(calls...)
	})
	if err != nil {
		return nil, err
	}
	var headers []*types.Header
	if err := json.Unmarshal(value, &headers); err != nil {
		return nil, &Error{words(), f.nonsense(err)}
	}
	for i, hash := range hashes {
		if i >= len(headers) || headers[i] == nil || headers[i].Hash() != hash {
			return nil, &Error{words(), fmt.Errorf("uncle %d is not the one with hash %s", i, hash)}
		}
	}
	return headers, nil
}

func (f *Fork) fetchBlock(number uint64) (*storedBlock, error) {
	tag := hexutil.EncodeUint64(number)
	results, err := f.node().call(context.Background(),
		call{"eth_getBlockByNumber", []any{tag, true}}, call{"eth_getBlockReceipts", []any{tag}}, headerCall(f.Number()))
	if err != nil {
		return nil, err
	}
	if err := errors.Join(asError(results[0].Error), asError(results[2].Error)); err != nil {
		return nil, err
	}
	if err := f.checkPin(results[2].Value); err != nil {
		return nil, err
	}
	if _, err := f.headerOf(results[0].Value, number); err != nil {
		return nil, err
	}
	stored := &storedBlock{Block: results[0].Value}
	if results[1].Error == nil {
		err = json.Unmarshal(results[1].Value, &stored.Receipts)
	} else {
		stored.Receipts, err = f.fetchReceipts(results[0].Value)
	}
	if err != nil {
		return nil, f.nonsense(err)
	}
	if _, _, err := stored.decode(); err != nil {
		return nil, f.nonsense(err)
	}
	return stored, nil
}

// fetchReceipts asks a node that does not know eth_getBlockReceipts for each receipt of a block.
func (f *Fork) fetchReceipts(block json.RawMessage) ([]json.RawMessage, error) {
	var body struct{ Transactions []hashed }
	if err := json.Unmarshal(block, &body); err != nil {
		return nil, err
	}
	var calls []call
	for _, tx := range body.Transactions {
		calls = append(calls, call{"eth_getTransactionReceipt", []any{tx.Hash}})
	}
	return f.fetchPinned(calls...)
}

// decode reads the parts of a block, and the hashes of its uncles.
func (s *storedBlock) decode() (*Block, []common.Hash, error) {
	header, err := decodeHeader(s.Block)
	if err != nil {
		return nil, nil, err
	}
	var body struct {
		Size         hexutil.Uint64    `json:"size"`
		Uncles       []common.Hash     `json:"uncles"`
		Withdrawals  types.Withdrawals `json:"withdrawals"`
		Transactions []json.RawMessage `json:"transactions"`
	}
	if err := json.Unmarshal(s.Block, &body); err != nil {
		return nil, nil, err
	}
	if len(s.Receipts) != len(body.Transactions) {
		return nil, nil, fmt.Errorf("%d receipts for %d transactions", len(s.Receipts), len(body.Transactions))
	}
	b := &Block{Header: header, Size: uint64(body.Size), Withdrawals: body.Withdrawals}
	for i, object := range body.Transactions {
		tx, err := decodeTransaction(object, s.Receipts[i], header)
		if err != nil {
			return nil, nil, err
		}
		if tx.Index != i {
			return nil, nil, fmt.Errorf("transaction %d has index %d", i, tx.Index)
		}
		b.Transactions = append(b.Transactions, tx)
	}
	return b, body.Uncles, nil
}
