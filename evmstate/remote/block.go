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

// Block is a block with everything that is in it.
type Block struct {
	*Header
	Size         uint64 // bytes of RLP; 0 where the node does not tell
	Uncles       []*types.Header
	Withdrawals  types.Withdrawals // nil before Shanghai
	Transactions []*Transaction
}

// Transaction is a transaction with its receipt and its place in a block.
type Transaction struct {
	Hash  common.Hash
	From  common.Address
	Block uint64 // number of the block
	Index int    // place in the block
	// Object and Answer are what the node answers for the transaction and for its receipt. They may have more members
	// than Ethereum's have.
	Object, Answer json.RawMessage
	// Transaction is nil where go-ethereum does not know the type, as with the deposits of OP chains.
	Transaction *types.Transaction
	Receipt     *types.Receipt
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

// uncles returns the headers of a block's uncles, which have those hashes: one request. There are some before the merge
// only.
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
	results, err := f.client.call(context.Background(),
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

// decodeTransaction reads a transaction and its receipt in the block with a header.
func decodeTransaction(object, answer json.RawMessage, in *Header) (*Transaction, error) {
	var place struct {
		Hash  *common.Hash    `json:"hash"`
		From  *common.Address `json:"from"`
		Index *hexutil.Uint64 `json:"transactionIndex"`
	}
	if err := json.Unmarshal(object, &place); err != nil {
		return nil, err
	}
	if place.Hash == nil || place.From == nil || place.Index == nil {
		return nil, errors.New("transaction without hash, from or transactionIndex")
	}
	t := &Transaction{
		Hash: *place.Hash, From: *place.From, Block: in.Number.Uint64(), Index: int(*place.Index), Object: object, Answer: answer,
		Receipt: new(types.Receipt),
	}
	if err := json.Unmarshal(answer, t.Receipt); err != nil {
		return nil, fmt.Errorf("receipt of %s: %w", t.Hash, err)
	}
	for _, log := range t.Receipt.Logs {
		log.BlockTimestamp = in.Time // not every node tells
	}
	tx := new(types.Transaction)
	if json.Unmarshal(object, tx) == nil && tx.Hash() == t.Hash {
		t.Transaction = tx
	}
	return t, nil
}

// storedTransaction is a transaction as the cache file has it.
type storedTransaction struct {
	Block       hexutil.Uint64  `json:"block"`
	Receipt     json.RawMessage `json:"receipt"`
	Transaction json.RawMessage `json:"transaction"`
}

// TransactionByHash returns a transaction with its receipt, nil if there is none up to the fork block.
func (f *Fork) TransactionByHash(hash common.Hash) (*Transaction, error) {
	words := func() string { return fmt.Sprintf("transaction %s", hash) }
	value, err := f.cache.get("transaction "+hash.Hex(), words, func() (any, error) {
		values, err := f.fetchPinned(call{"eth_getTransactionByHash", []any{hash}}, call{"eth_getTransactionReceipt", []any{hash}})
		if err != nil || string(values[0]) == "null" {
			return nil, err
		}
		var place struct{ BlockNumber *hexutil.Uint64 }
		if err := json.Unmarshal(values[0], &place); err != nil {
			return nil, f.nonsense(err)
		}
		if place.BlockNumber == nil || uint64(*place.BlockNumber) > f.Number() || string(values[1]) == "null" {
			return nil, nil
		}
		return &storedTransaction{*place.BlockNumber, values[1], values[0]}, nil
	})
	if err != nil {
		return nil, err
	}
	var stored *storedTransaction
	if err := json.Unmarshal(value, &stored); err != nil {
		return nil, &Error{words(), fmt.Errorf("the cache holds no transaction: %w", err)}
	}
	if stored == nil {
		return nil, nil
	}
	in, err := f.HeaderByNumber(uint64(stored.Block))
	if err != nil {
		return nil, err
	}
	t, err := decodeTransaction(stored.Transaction, stored.Receipt, in)
	if err != nil {
		return nil, &Error{words(), f.nonsense(err)}
	}
	return t, nil
}
