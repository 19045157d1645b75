package rpcserver

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
)

// inclusion describes in which block a transaction stands, and where.
type inclusion struct {
	// blockHash is zero while the block is only pre-confirmed.
	blockHash common.Hash
	number    uint64
	time      uint64 // Unix seconds
	// baseFee is the block's in wei; nil before London.
	baseFee *big.Int
	index   int
}

// includedIn returns the place of a transaction in the block with the given header and hash (zero: the pending block).
func includedIn(header *types.Header, hash common.Hash, index int) *inclusion {
	return &inclusion{blockHash: hash, number: header.Number.Uint64(), time: header.Time, baseFee: header.BaseFee, index: index}
}

// transactionObject is a transaction as eth_getTransactionByHash answers it.
type transactionObject struct {
	tx   evmstate.Transaction
	from common.Address
	// in is nil for a transaction of the pool.
	in *inclusion
}

// lookedUp shapes a transaction that was looked up.
func lookedUp(found preconf.Found) transactionObject {
	object := transactionObject{tx: found.Transaction, from: found.Sender}
	if v := found.View; v != nil {
		object.in = includedIn(v.Header(), v.Hash(), found.Index)
	}
	return object
}

func (t transactionObject) AppendJSON(dst []byte) []byte {
	if other, ok := t.tx.(*remote.Transaction); ok {
		return t.appendRemote(dst, other)
	}
	o := beginObject(dst)
	t.members(&o)
	return o.end()
}

// members writes the object's members, so that others can add their own to them.
func (t transactionObject) members(o *object) {
	t.place(o)
	switch tx := t.tx.(type) {
	case *types.Transaction:
		t.signedMembers(o, tx)
	case *optimism.Included:
		depositMembers(o, tx, t.from)
	}
}

// signedMembers writes the members after the place.
func (t transactionObject) signedMembers(o *object, tx *types.Transaction) {
	o.bytes("from", t.from[:])
	o.quantity("gas", tx.Gas())
	o.big("gasPrice", t.price(tx))
	if tx.Type() >= types.DynamicFeeTxType {
		o.big("maxFeePerGas", tx.GasFeeCap())
		o.big("maxPriorityFeePerGas", tx.GasTipCap())
	}
	if tx.Type() == types.BlobTxType {
		o.big("maxFeePerBlobGas", tx.BlobGasFeeCap())
	}
	hash := tx.Hash()
	o.bytes("hash", hash[:])
	o.bytes("input", tx.Data())
	o.quantity("nonce", tx.Nonce())
	o.address("to", tx.To())
	o.big("value", tx.Value())
	o.quantity("type", uint64(tx.Type()))
	if tx.Type() != types.LegacyTxType {
		o.key("accessList")
		o.dst = appendAccessList(o.dst, tx.AccessList())
	}
	// A legacy transaction signed without EIP-155 belongs to no chain.
	if id := tx.ChainId(); tx.Type() != types.LegacyTxType || id.Sign() != 0 {
		o.big("chainId", id)
	}
	switch tx.Type() {
	case types.BlobTxType:
		o.key("blobVersionedHashes")
		o.dst = appendHashes(o.dst, tx.BlobHashes())
	case types.SetCodeTxType:
		o.key("authorizationList")
		o.dst = appendAuthorizations(o.dst, tx.SetCodeAuthorizations())
	}
	v, r, s := tx.RawSignatureValues()
	o.big("v", v)
	o.big("r", r)
	o.big("s", s)
	if tx.Type() != types.LegacyTxType {
		o.quantity("yParity", uint64(v.Sign()))
	}
}

// place writes where the transaction stands: all null in the pool; number, time and index but no hash
// while pre-confirmed.
func (t transactionObject) place(o *object) {
	if t.in == nil {
		o.null("blockHash")
		o.null("blockNumber")
		o.null("blockTimestamp")
		o.null("transactionIndex")
		return
	}
	if t.in.blockHash == (common.Hash{}) {
		o.null("blockHash")
	} else {
		o.bytes("blockHash", t.in.blockHash[:])
	}
	o.quantity("blockNumber", t.in.number)
	o.quantity("blockTimestamp", t.in.time)
	o.quantity("transactionIndex", uint64(t.in.index))
}

// price is what the sender pays for a unit of gas in the block it is in, at most that if it is in none.
func (t transactionObject) price(tx *types.Transaction) *big.Int {
	if t.in == nil {
		return tx.GasFeeCap()
	}
	return effectiveGasPrice(tx, t.in.baseFee)
}

// effectiveGasPrice returns min(tip + base fee, fee cap), EIP-1559. Of older transaction types the tip and the fee cap
// are both the gas price. baseFee is nil before London.
func effectiveGasPrice(tx *types.Transaction, baseFee *big.Int) *big.Int {
	if baseFee == nil {
		return tx.GasPrice()
	}
	price := new(big.Int).Add(tx.GasTipCap(), baseFee)
	if limit := tx.GasFeeCap(); price.Cmp(limit) > 0 {
		return limit
	}
	return price
}

func appendAccessList(dst []byte, list types.AccessList) []byte {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		o := beginObject(dst)
		o.bytes("address", list[i].Address[:])
		o.key("storageKeys")
		o.dst = appendHashes(o.dst, list[i].StorageKeys)
		dst = o.end()
	}
	return append(dst, ']')
}

func appendAuthorizations(dst []byte, list []types.SetCodeAuthorization) []byte {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		a := &list[i]
		o := beginObject(dst)
		o.key("chainId")
		o.dst = appendU256(o.dst, &a.ChainID)
		o.bytes("address", a.Address[:])
		o.quantity("nonce", a.Nonce)
		o.quantity("yParity", uint64(a.V))
		o.key("r")
		o.dst = appendU256(o.dst, &a.R)
		o.key("s")
		o.dst = appendU256(o.dst, &a.S)
		dst = o.end()
	}
	return append(dst, ']')
}
