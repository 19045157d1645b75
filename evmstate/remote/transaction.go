package remote

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote/provider"
)

// Transaction is a transaction of the remote chain, with its receipt and its place in a block. It implements
// evmstate.Transaction, also where go-ethereum does not know the type, as with the deposits of OP-stack chains.
type Transaction struct {
	From  common.Address
	Block uint64 // number of the block
	Index int    // place in the block
	// Object and Answer hold the node's answers for the transaction and for its receipt. They may have more members than
	// Ethereum's.
	Object, Answer json.RawMessage
	Receipt        *types.Receipt

	members members
	signed  *types.Transaction // nil where go-ethereum does not know the type
	deposit *optimism.Included // nil for all else
}

// members are the members of Object that transactions of every type have. A node may answer null for any of them.
type members struct {
	Hash  *common.Hash    `json:"hash"`
	From  *common.Address `json:"from"`
	Index *hexutil.Uint64 `json:"transactionIndex"`
	Type  *hexutil.Uint64 `json:"type"`
	To    *common.Address `json:"to"`
	Nonce *hexutil.Uint64 `json:"nonce"`
	Value *hexutil.Big    `json:"value"`
	Gas   *hexutil.Uint64 `json:"gas"`
	Input *hexutil.Bytes  `json:"input"`
}

// Hash returns the transaction hash.
func (t *Transaction) Hash() common.Hash { return *t.members.Hash }

// Type returns the type byte.
func (t *Transaction) Type() uint8 { return uint8(*cmp.Or(t.members.Type, new(hexutil.Uint64))) }

// To returns the recipient, or nil if the transaction creates a contract.
func (t *Transaction) To() *common.Address { return t.members.To }

// Nonce returns the nonce of the sender before the transaction.
func (t *Transaction) Nonce() uint64 { return uint64(*cmp.Or(t.members.Nonce, new(hexutil.Uint64))) }

// Value returns the value in wei.
func (t *Transaction) Value() *big.Int { return cmp.Or(t.members.Value, new(hexutil.Big)).ToInt() }

// Gas returns the gas limit.
func (t *Transaction) Gas() uint64 { return uint64(*cmp.Or(t.members.Gas, new(hexutil.Uint64))) }

// Data returns the input.
func (t *Transaction) Data() []byte { return *cmp.Or(t.members.Input, new(hexutil.Bytes)) }

// Signed returns the transaction as go-ethereum's type, or nil where that does not know the transaction's type.
func (t *Transaction) Signed() *types.Transaction { return t.signed }

// Deposit returns the transaction as a deposit of an OP-stack chain, or nil if it is none.
func (t *Transaction) Deposit() *optimism.Included { return t.deposit }

// MarshalBinary returns the typed encoding. The error names a transaction of a type that is not known here.
func (t *Transaction) MarshalBinary() ([]byte, error) {
	switch {
	case t.signed != nil:
		return t.signed.MarshalBinary()
	case t.deposit != nil:
		return t.deposit.MarshalBinary()
	}
	return nil, fmt.Errorf("transaction %s is of a type of the forked chain that cannot be encoded here", t.Hash())
}

// EncodeReceipt returns the consensus encoding of the transaction's receipt. Its errors are MarshalBinary's.
func (t *Transaction) EncodeReceipt(r *types.Receipt) ([]byte, error) {
	if t.deposit != nil {
		return t.deposit.EncodeReceipt(r)
	}
	if _, err := t.MarshalBinary(); err != nil {
		return nil, err
	}
	return r.MarshalBinary()
}

// decodeTransaction reads a transaction and its receipt in the block with a header.
func decodeTransaction(object, answer json.RawMessage, in *Header) (*Transaction, error) {
	t := &Transaction{Block: in.Number.Uint64(), Object: object, Answer: answer, Receipt: new(types.Receipt)}
	if err := json.Unmarshal(object, &t.members); err != nil {
		return nil, err
	}
	if t.members.Hash == nil || t.members.From == nil || t.members.Index == nil {
		return nil, errors.New("transaction without hash, from or transactionIndex")
	}
	t.From, t.Index = *t.members.From, int(*t.members.Index)
	if err := json.Unmarshal(answer, t.Receipt); err != nil || slices.Contains(t.Receipt.Logs, nil) {
		return nil, fmt.Errorf("receipt of %s: %w", t.Hash(), cmp.Or(err, errors.New("a log that is null")))
	}
	for _, log := range t.Receipt.Logs {
		log.BlockTimestamp = in.Time // not every node reports it
	}
	tx := new(types.Transaction)
	if json.Unmarshal(object, tx) == nil && tx.Hash() == t.Hash() {
		t.signed = tx
	} else {
		t.deposit = optimism.FromAnswer(object)
	}
	return t, nil
}

type storedTransaction struct {
	Block       hexutil.Uint64  `json:"block"`
	Receipt     json.RawMessage `json:"receipt"`
	Transaction json.RawMessage `json:"transaction"`
}

// TransactionByHash returns a transaction with its receipt, nil if there is none up to the fork block.
func (f *Fork) TransactionByHash(hash common.Hash) (*Transaction, error) {
	words := func() string { return fmt.Sprintf("transaction %s", hash) }
	stored, err := ask[*storedTransaction](f.cache, "transaction "+hash.Hex(), "transaction", words, func() (any, error) {
		values, err := f.fetchPinned(provider.NewCall("eth_getTransactionByHash", hash), provider.NewCall("eth_getTransactionReceipt", hash))
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
	if err != nil || stored == nil {
		return nil, err
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
