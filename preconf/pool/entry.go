package pool

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
)

// Entry is a transaction with what the pool learned about it. It is immutable.
type Entry struct {
	Tx   *types.Transaction // with its blobs, where it has any
	From common.Address
	// Arrival orders entries; transactions a reorg gives back get negative ones, so they go before all that came later.
	Arrival int64
	Levy    *big.Int // the most that it pays beside gas and value, in wei; nil: nothing
}

// Cost returns the most that e can spend, in wei.
func (e *Entry) Cost() *big.Int {
	cost := e.Tx.Cost()
	if e.Levy != nil {
		cost.Add(cost, e.Levy)
	}
	return cost
}

// NonceAfter returns the sender's nonce after e: authorizations of its own take nonces, too (EIP-7702).
func (e *Entry) NonceAfter() uint64 {
	next := e.Tx.Nonce() + 1
	for _, a := range e.Tx.SetCodeAuthorizations() {
		if a.Nonce != next || !a.ChainID.IsZero() && a.ChainID.CmpBig(e.Tx.ChainId()) != 0 {
			continue
		}
		if authority, err := a.Authority(); err == nil && authority == e.From {
			next++
		}
	}
	return next
}

type entryJSON struct {
	Raw     []byte // as eth_sendRawTransaction takes it, with its blobs
	Sender  common.Address
	Arrival int64
	Levy    *big.Int `json:",omitempty"`
}

// MarshalJSON encodes the entry.
func (e *Entry) MarshalJSON() ([]byte, error) {
	raw, err := e.Tx.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return json.Marshal(entryJSON{raw, e.From, e.Arrival, e.Levy})
}

// UnmarshalJSON decodes what MarshalJSON encoded.
func (e *Entry) UnmarshalJSON(text []byte) error {
	var decoded entryJSON
	if err := json.Unmarshal(text, &decoded); err != nil {
		return err
	}
	*e = Entry{Tx: new(types.Transaction), From: decoded.Sender, Arrival: decoded.Arrival, Levy: decoded.Levy}
	return e.Tx.UnmarshalBinary(decoded.Raw)
}

// EntriesIn returns the transactions of sealed blocks that a pool can hold, in order.
func EntriesIn(blocks []*chain.Block) []*Entry {
	var entries []*Entry
	for _, b := range blocks {
		for i, tx := range b.Transactions() {
			if signed := evmstate.Signed(tx); signed != nil {
				entries = append(entries, &Entry{Tx: signed, From: b.Sender(i)})
			}
		}
	}
	return entries
}

// Hashes returns the hashes of entries.
func Hashes(entries []*Entry) []common.Hash {
	var hashes []common.Hash
	for _, e := range entries {
		hashes = append(hashes, e.Tx.Hash())
	}
	return hashes
}

// Without returns the entries whose hash is not in hashes.
func Without(entries []*Entry, hashes map[common.Hash]bool) []*Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e *Entry) bool { return hashes[e.Tx.Hash()] })
}

// Only returns the entries whose hash is in hashes.
func Only(entries []*Entry, hashes map[common.Hash]bool) []*Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e *Entry) bool { return !hashes[e.Tx.Hash()] })
}

// IsSigned reports whether a transaction has a signature, valid or not.
func IsSigned(tx *types.Transaction) bool {
	_, r, _ := tx.RawSignatureValues()
	return r != nil && r.Sign() != 0
}

// Impersonate returns a transaction that its sender did not sign, and the signer that Check takes it with. Its
// signature fields are made from the sender's address, so that equal transactions of two senders have two hashes.
// Error: types.ErrTxTypeNotSupported, for a kind that the signer does not know.
func Impersonate(tx *types.Transaction, signer types.Signer, from common.Address) (*types.Transaction, types.Signer, error) {
	signature := make([]byte, 65)
	copy(signature[12:32], from[:])
	signature[63] = 1
	tx, err := tx.WithSignature(signer, signature)
	return tx, impersonator{signer, from}, err
}

// impersonator is a signer that takes every signature for one address's.
type impersonator struct {
	types.Signer
	from common.Address
}

func (i impersonator) Sender(*types.Transaction) (common.Address, error) { return i.from, nil }

func (i impersonator) Equal(other types.Signer) bool {
	o, ok := other.(impersonator)
	return ok && o.from == i.from
}
