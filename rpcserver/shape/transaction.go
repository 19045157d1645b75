package shape

import (
	"encoding/json"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

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

// placeOf returns the place of transaction i of a View.
func placeOf(v *preconf.View, i int) *inclusion {
	return includedIn(v.Header(), v.Hash(), v.Position(i))
}

// includedIn returns the place of a transaction in the block with the given header and hash (zero: the pending block);
// index counts deposits too.
func includedIn(header *types.Header, hash common.Hash, index int) *inclusion {
	return &inclusion{blockHash: hash, number: header.Number.Uint64(), time: header.Time, baseFee: header.BaseFee, index: index}
}

// Transaction is a transaction as eth_getTransactionByHash answers it.
type Transaction struct {
	tx   *types.Transaction
	from common.Address
	// in is nil for a transaction of the pool.
	in *inclusion
}

// PooledOf returns a transaction of the pool.
func PooledOf(tx *types.Transaction, from common.Address) Transaction {
	return Transaction{tx: tx, from: from}
}

// SignedOf returns transaction i of a View.
func SignedOf(v *preconf.View, i int) Transaction {
	return Transaction{v.Transaction(i), v.Sender(i), placeOf(v, i)}
}

func (t Transaction) AppendJSON(dst []byte) []byte {
	o := Begin(dst)
	t.members(&o)
	return o.End()
}

// members writes the object's members, so that others can add their own to them.
func (t Transaction) members(o *Object) {
	tx := t.tx
	t.place(o)
	o.Bytes("from", t.from[:])
	o.Quantity("gas", tx.Gas())
	o.Big("gasPrice", t.price())
	if tx.Type() >= types.DynamicFeeTxType {
		o.Big("maxFeePerGas", tx.GasFeeCap())
		o.Big("maxPriorityFeePerGas", tx.GasTipCap())
	}
	if tx.Type() == types.BlobTxType {
		o.Big("maxFeePerBlobGas", tx.BlobGasFeeCap())
	}
	hash := tx.Hash()
	o.Bytes("hash", hash[:])
	o.Bytes("input", tx.Data())
	o.Quantity("nonce", tx.Nonce())
	o.address("to", tx.To())
	o.Big("value", tx.Value())
	o.Quantity("type", uint64(tx.Type()))
	if tx.Type() != types.LegacyTxType {
		o.Key("accessList")
		o.Dst = AppendAccessList(o.Dst, tx.AccessList())
	}
	// A legacy transaction signed without EIP-155 belongs to no chain.
	if id := tx.ChainId(); tx.Type() != types.LegacyTxType || id.Sign() != 0 {
		o.Big("chainId", id)
	}
	switch tx.Type() {
	case types.BlobTxType:
		o.Key("blobVersionedHashes")
		o.Dst = appendHashes(o.Dst, tx.BlobHashes())
	case types.SetCodeTxType:
		o.Key("authorizationList")
		o.Dst = appendAuthorizations(o.Dst, tx.SetCodeAuthorizations())
	}
	v, r, s := tx.RawSignatureValues()
	o.Big("v", v)
	o.Big("r", r)
	o.Big("s", s)
	if tx.Type() != types.LegacyTxType {
		o.Quantity("yParity", uint64(v.Sign()))
	}
}

// WithLogs returns a transaction or deposit with its logs.
func WithLogs(t interface{ members(*Object) }, logs []*types.Log) json.RawMessage {
	o := Begin(nil)
	t.members(&o)
	o.Key("logs")
	o.Dst = Logs(logs).AppendJSON(o.Dst)
	return o.End()
}

// place writes where the transaction stands: all null in the pool; number, time and index but no hash
// while pre-confirmed.
func (t Transaction) place(o *Object) {
	if t.in == nil {
		o.Null("blockHash")
		o.Null("blockNumber")
		o.Null("blockTimestamp")
		o.Null("transactionIndex")
		return
	}
	if t.in.blockHash == (common.Hash{}) {
		o.Null("blockHash")
	} else {
		o.Bytes("blockHash", t.in.blockHash[:])
	}
	o.Quantity("blockNumber", t.in.number)
	o.Quantity("blockTimestamp", t.in.time)
	o.Quantity("transactionIndex", uint64(t.in.index))
}

// price is what the sender pays for a unit of gas in the block it is in, at most that if it is in none.
func (t Transaction) price() *big.Int {
	if t.in == nil || t.in.baseFee == nil {
		return t.tx.GasFeeCap()
	}
	return EffectiveGasPrice(t.tx, t.in.baseFee)
}

// EffectiveGasPrice is min(tip + base fee, fee cap), EIP-1559; the gas price of older transaction types.
func EffectiveGasPrice(tx *types.Transaction, baseFee *big.Int) *big.Int {
	if tx.Type() < types.DynamicFeeTxType || baseFee == nil {
		return tx.GasPrice()
	}
	price := new(big.Int).Add(tx.GasTipCap(), baseFee)
	if limit := tx.GasFeeCap(); price.Cmp(limit) > 0 {
		return limit
	}
	return price
}

// AppendAccessList appends an EIP-2930 access list.
func AppendAccessList(dst []byte, list types.AccessList) []byte {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		o := Begin(dst)
		o.Bytes("address", list[i].Address[:])
		o.Key("storageKeys")
		o.Dst = appendHashes(o.Dst, list[i].StorageKeys)
		dst = o.End()
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
		o := Begin(dst)
		o.Key("chainId")
		o.Dst = AppendU256(o.Dst, &a.ChainID)
		o.Bytes("address", a.Address[:])
		o.Quantity("nonce", a.Nonce)
		o.Quantity("yParity", uint64(a.V))
		o.Key("r")
		o.Dst = AppendU256(o.Dst, &a.R)
		o.Key("s")
		o.Dst = AppendU256(o.Dst, &a.S)
		dst = o.End()
	}
	return append(dst, ']')
}
