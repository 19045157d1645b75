package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/remote/provider"
)

// Block is a block with its whole content.
type Block struct {
	*Header
	Size         uint64 // bytes of RLP; 0 if the node does not report it
	Uncles       []*types.Header
	Withdrawals  types.Withdrawals // nil before Shanghai
	Transactions []*Transaction
}

type storedBlock struct {
	Block    json.RawMessage   `json:"block"`
	Receipts []json.RawMessage `json:"receipts"`
}

// BlockByNumber returns a block not above the fork block, with its receipts: one request.
func (f *Fork) BlockByNumber(number uint64) (*Block, error) {
	words := func() string { return fmt.Sprintf("block %d with receipts", number) }
	stored, err := ask[storedBlock](f.cache, "block "+hexutil.EncodeUint64(number), "block", words, func() (any, error) {
		return f.fetchBlock(number)
	})
	if err != nil {
		return nil, err
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
		var calls []provider.Call
		for i := range hashes {
			calls = append(calls, provider.NewCall("eth_getUncleByBlockNumberAndIndex", hexutil.EncodeUint64(number), hexutil.Uint(i)))
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
	results, err := f.node().Call(context.Background(),
		provider.NewCall("eth_getBlockByNumber", tag, true), provider.NewCall("eth_getBlockReceipts", tag), headerCall(f.Number()))
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
	var calls []provider.Call
	for _, tx := range body.Transactions {
		calls = append(calls, provider.NewCall("eth_getTransactionReceipt", tx.Hash))
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

// Header is a header with the hash that its chain gives it: other chains may have fields that go-ethereum does not
// know.
type Header struct {
	*types.Header
	Hash common.Hash
	// Milliseconds is the time in Unix milliseconds, where the chain has times to the millisecond.
	Milliseconds *hexutil.Uint64
}

// hashed is the member of a header, block or transaction that go-ethereum computes instead.
type hashed struct {
	Hash *common.Hash `json:"hash"`
}

func decodeHeader(text json.RawMessage) (*Header, error) {
	h := &Header{Header: new(types.Header)}
	var answered struct {
		hashed
		Milliseconds *hexutil.Uint64 `json:"timestampMs"`
	}
	if err := errors.Join(json.Unmarshal(text, h.Header), json.Unmarshal(text, &answered)); err != nil {
		return nil, err
	}
	if answered.Hash == nil {
		return nil, errors.New("block without a hash")
	}
	if !h.Header.Number.IsUint64() {
		return nil, fmt.Errorf("block number %v is above 2^64-1", h.Header.Number)
	}
	h.Hash, h.Milliseconds = *answered.Hash, answered.Milliseconds
	return h, nil
}

type storedHeader struct {
	Hash         common.Hash     `json:"hash"`
	Header       types.Header    `json:"header"`
	Milliseconds *hexutil.Uint64 `json:"timestampMs,omitempty"`
}

func (h *Header) stored() storedHeader { return storedHeader{h.Hash, *h.Header, h.Milliseconds} }

func headerCall(number uint64) provider.Call {
	return provider.NewCall("eth_getBlockByNumber", hexutil.EncodeUint64(number), false)
}

func headerKey(number uint64) string { return "header " + hexutil.EncodeUint64(number) }

// HeaderByNumber returns the header of a block not above the fork block.
func (f *Fork) HeaderByNumber(number uint64) (*Header, error) {
	words := func() string { return fmt.Sprintf("header of block %d", number) }
	stored, err := ask[storedHeader](f.cache, headerKey(number), "header", words, func() (any, error) {
		values, err := f.fetchPinned(headerCall(number))
		if err != nil {
			return nil, err
		}
		h, err := f.headerOf(values[0], number)
		if err != nil {
			return nil, err
		}
		return h.stored(), nil
	})
	if err != nil {
		return nil, err
	}
	return &Header{&stored.Header, stored.Hash, stored.Milliseconds}, nil
}

// headerOf reads a header that the node answered for a number.
func (f *Fork) headerOf(text json.RawMessage, number uint64) (*Header, error) {
	if string(text) == "null" {
		return nil, fmt.Errorf("%s does not have this block", f.URL())
	}
	h, err := decodeHeader(text)
	if err != nil {
		return nil, f.nonsense(err)
	}
	if got := h.Header.Number.Uint64(); got != number {
		return nil, fmt.Errorf("%s answered block %d", f.URL(), got)
	}
	if computed := h.Header.Hash(); computed != h.Hash && f.computes(h) {
		return nil, fmt.Errorf("%s answered block %d with hash %s, but its header has hash %s", f.URL(), number, h.Hash, computed)
	}
	return h, nil
}

// computes reports whether go-ethereum computes the hash of a header as the chain does. Some chains have other hashes,
// or had other headers before they gave up proof of work or authority. For headers with the same fields as the fork
// block's, that block decides.
func (f *Fork) computes(h *Header) bool {
	return f.header.Header.Hash() == f.header.Hash && h.Difficulty.Sign() == f.header.Difficulty.Sign()
}

// fetchPinned makes calls about the blocks of the chain. It fails if the chain has lost the fork block meanwhile: the
// answers then belong to another one.
func (f *Fork) fetchPinned(calls ...provider.Call) ([]json.RawMessage, error) {
	values, err := f.fetch(append(calls, headerCall(f.Number()))...)
	if err != nil {
		return nil, err
	}
	return values[:len(calls)], f.checkPin(values[len(calls)])
}

// checkPin compares the fork block with the one that the node has now.
func (f *Fork) checkPin(now json.RawMessage) error {
	h, err := f.headerOf(now, f.Number())
	if err != nil {
		return fmt.Errorf("the fork block %d: %w", f.Number(), err)
	}
	if h.Hash != f.Hash() {
		return fmt.Errorf("%s reorganized its chain below the fork block: block %d had hash %s, and has %s now", f.URL(), f.Number(), f.Hash(), h.Hash)
	}
	return nil
}

// nonsense is the error for an answer of the wrong form.
func (f *Fork) nonsense(err error) error {
	return fmt.Errorf("%s answered nonsense: %s", f.URL(), f.node().Clean(err.Error()))
}

// NumberOf returns the number of the block with a hash, nil if there is none up to the fork block.
func (f *Fork) NumberOf(hash common.Hash) (*uint64, error) {
	if hash == f.Hash() {
		return new(f.Number()), nil
	}
	words := func() string { return fmt.Sprintf("number of block %s", hash) }
	number, err := ask[*hexutil.Uint64](f.cache, "blockHash "+hash.Hex(), "number", words, func() (any, error) {
		values, err := f.fetchPinned(provider.NewCall("eth_getBlockByHash", hash, false))
		if err != nil || string(values[0]) == "null" {
			return nil, err
		}
		h, err := decodeHeader(values[0])
		if err != nil {
			return nil, f.nonsense(err)
		}
		number := h.Header.Number.Uint64()
		if h.Hash != hash {
			return nil, fmt.Errorf("%s answered block %s", f.URL(), h.Hash)
		}
		if number > f.Number() {
			return nil, nil
		}
		// Nodes also know blocks that a reorg removed.
		if canonical, err := f.HeaderByNumber(number); err != nil || canonical.Hash != hash {
			return nil, err
		}
		return hexutil.Uint64(number), nil
	})
	return (*uint64)(number), err
}
