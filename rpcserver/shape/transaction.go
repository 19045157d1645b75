package shape

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// inclusion describes the block that holds a transaction, and the place there.
type inclusion struct {
	// blockHash is zero while the block is only pre-confirmed.
	blockHash common.Hash
	number    uint64
	time      uint64 // Unix seconds
	// baseFee is the block's in wei; nil before London.
	baseFee *big.Int
	index   int
	// precise is the time in milliseconds, if the chain has one.
	precise BlockTime
}

// includedIn returns the place of a transaction in the block with the given header.
func includedIn(h Header, index int) *inclusion {
	header := h.header
	return &inclusion{
		blockHash: h.hash, number: header.Number.Uint64(), time: header.Time, baseFee: header.BaseFee, index: index, precise: h.time,
	}
}

// placeOf returns the place of a transaction that a block holds.
func placeOf(found preconf.Found) *inclusion {
	v := found.View
	return includedIn(Header{header: v.Header(), hash: v.Hash(), time: TimeOf(v)}, found.Index)
}

// Transaction is a transaction as eth_getTransactionByHash answers it.
type Transaction struct {
	tx   evmstate.Transaction
	from common.Address
	// in is nil for a transaction of the pool.
	in *inclusion
}

// PooledOf returns a transaction of the pool.
func PooledOf(tx *types.Transaction, from common.Address) Transaction {
	return Transaction{tx: tx, from: from}
}

// TransactionOf returns a transaction that was looked up.
func TransactionOf(found preconf.Found) Transaction {
	object := Transaction{tx: found.Transaction, from: found.Sender}
	if found.View != nil {
		object.in = placeOf(found)
	}
	return object
}

func (t Transaction) AppendJSON(dst []byte) []byte {
	if other, ok := t.tx.(*remote.Transaction); ok {
		t.tx = other.Signed()
		return appendRemote(dst, t, other.Signed() != nil, other.Object)
	}
	o := Begin(dst)
	t.members(&o)
	return o.End()
}

// MarshalJSON makes a Transaction a member of other answers.
func (t Transaction) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// members writes the object's members, so that others can add their own to them.
func (t Transaction) members(o *Object) {
	t.place(o)
	switch tx := t.tx.(type) {
	case *types.Transaction:
		t.signedMembers(o, tx)
	case *optimism.Included:
		depositMembers(o, tx, t.from)
	case *optimism.PostExec:
		postExecMembers(o, tx)
	}
}

func (t Transaction) signedMembers(o *Object, tx *types.Transaction) {
	o.Bytes("from", t.from[:])
	o.Quantity("gas", tx.Gas())
	o.Big("gasPrice", t.price(tx))
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
	// A legacy transaction signed without EIP-155 has no chain id.
	if id := tx.ChainId(); tx.Type() != types.LegacyTxType || id.Sign() != 0 {
		o.Big("chainId", id)
	}
	switch tx.Type() {
	case types.BlobTxType:
		o.Key("blobVersionedHashes")
		o.Dst = appendHashes(o.Dst, tx.BlobHashes())
	case types.SetCodeTxType:
		o.Add("authorizationList", tx.SetCodeAuthorizations())
	}
	v, r, s := tx.RawSignatureValues()
	o.Big("v", v)
	o.Big("r", r)
	o.Big("s", s)
	if tx.Type() != types.LegacyTxType {
		o.Quantity("yParity", uint64(v.Sign()))
	}
}

// WithLogs returns a transaction of this chain with its logs.
func WithLogs(t Transaction, logs []*types.Log) json.RawMessage {
	o := Begin(nil)
	t.members(&o)
	o.Add("logs", logsAt(t.in.precise, logs))
	return o.End()
}

// place writes the place: all null in the pool; number, time and index but no hash while pre-confirmed.
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
		o.hashOrNull("blockHash", t.in.blockHash)
	}
	o.Quantity("blockNumber", t.in.number)
	o.Quantity("blockTimestamp", t.in.time)
	t.in.precise.member(o, "blockTimestampMs")
	o.Quantity("transactionIndex", uint64(t.in.index))
}

// price returns the gas price that the sender pays in the transaction's block, in the pool the most that it offers.
func (t Transaction) price(tx *types.Transaction) *big.Int {
	if t.in == nil {
		return tx.GasFeeCap()
	}
	return EffectiveGasPrice(tx, t.in.baseFee)
}

// EffectiveGasPrice returns min(tip + base fee, fee cap), EIP-1559. Of older transaction types the tip and the fee cap
// are both the gas price. baseFee is nil before London.
func EffectiveGasPrice(tx *types.Transaction, baseFee *big.Int) *big.Int {
	if baseFee == nil {
		return tx.GasPrice()
	}
	price := tx.GasTipCap()
	if price.Add(price, baseFee); tx.GasFeeCapIntCmp(price) < 0 {
		return tx.GasFeeCap()
	}
	return price
}

// Pooled holds transactions as they entered the pool.
type Pooled []*pool.Entry

func (l Pooled) AppendJSON(dst []byte) []byte {
	return AppendArray(dst, len(l), func(dst []byte, i int) []byte { return PooledOf(l[i].Tx, l[i].From).AppendJSON(dst) })
}

// AppendAccessList appends an EIP-2930 access list.
func AppendAccessList(dst []byte, list types.AccessList) []byte {
	return AppendArray(dst, len(list), func(dst []byte, i int) []byte {
		o := Begin(dst)
		o.Bytes("address", list[i].Address[:])
		o.Key("storageKeys")
		o.Dst = appendHashes(o.Dst, list[i].StorageKeys)
		return o.End()
	})
}

// depositMembers writes the members of a deposit of an OP-stack chain that follow its place.
func depositMembers(o *Object, tx *optimism.Included, from common.Address) {
	hash, deposit := tx.Hash(), tx.Deposit()
	o.Quantity("depositReceiptVersion", optimism.ReceiptVersion)
	o.Bytes("from", from[:])
	o.Quantity("gas", deposit.Gas)
	o.Quantity("gasPrice", 0)
	o.Bytes("hash", hash[:])
	o.Bytes("input", deposit.Data)
	if deposit.IsSystem { // as op-geth: clients read the member as a quantity
		o.bool("isSystemTx", true)
	}
	o.Big("mint", cmp.Or(deposit.Mint, new(big.Int)))
	o.Quantity("nonce", tx.Nonce())
	o.Bytes("sourceHash", deposit.SourceHash[:])
	o.address("to", deposit.To)
	o.Big("value", deposit.Value)
	o.Quantity("type", optimism.DepositType)
	for _, part := range []string{"v", "r", "s"} {
		o.Quantity(part, 0)
	}
}

// postExecMembers writes the members of the transaction that ends a block which follow its place: it has no others.
func postExecMembers(o *Object, tx *optimism.PostExec) {
	hash := tx.Hash()
	o.Bytes("from", make([]byte, common.AddressLength))
	o.Quantity("gas", 0)
	o.Bytes("hash", hash[:])
	o.Bytes("input", tx.Data())
	o.Quantity("type", optimism.PostExecType)
	o.Quantity("value", 0)
}

// appendFees writes the fees that the transaction paid besides gas on an OP-stack chain, as its nodes do.
func (r Receipt) appendFees(o *Object) {
	signed := evmstate.Signed(r.tx)
	if signed == nil {
		if r.tx.Type() == optimism.PostExecType {
			o.Quantity("blobGasUsed", 0)
		}
		return // it pays nothing
	}
	size, err := optimism.SizeOf(signed)
	if err != nil {
		return // it was executed, so its size is known
	}
	f := r.fees
	o.Quantity("blobGasUsed", r.receipt.BlobGasUsed)
	o.Quantity("daFootprintGasScalar", uint64(f.FootprintScalar()))
	o.Quantity("l1BaseFeeScalar", uint64(f.BaseFeeScalar))
	o.u256("l1BlobBaseFee", &f.BlobBaseFee)
	o.Quantity("l1BlobBaseFeeScalar", uint64(f.BlobBaseFeeScalar))
	o.u256("l1Fee", f.L1Fee(size))
	o.u256("l1GasPrice", &f.L1BaseFee)
	o.Quantity("l1GasUsed", optimism.L1GasUsed(size))
	if refund := r.view.Chain().Optimism.Upgrade.GasRefund; refund > 0 {
		o.Quantity("opGasRefund", refund)
	}
	if f.HasOperatorFee() {
		o.Quantity("operatorFeeConstant", f.OperatorFeeConstant)
		o.Quantity("operatorFeeScalar", uint64(f.OperatorFeeScalar))
	}
}

// appendRemote appends a transaction or receipt as a fork's remote chain answered it: its members in our own form, if
// it has one, then all others, such as those of rollups, as they were answered.
func appendRemote(dst []byte, own jsonrpc.Appender, hasOwn bool, answer json.RawMessage) []byte {
	var members, known map[string]json.RawMessage
	_ = json.Unmarshal(answer, &members) // it was read before, so it is an object
	start := len(dst)
	dst = append(dst, '{')
	if hasOwn {
		dst = own.AppendJSON(dst[:start])
		if json.Unmarshal(dst[start:], &known) == nil {
			dst = dst[:len(dst)-1]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, ours := known[name]; ours {
			continue
		}
		if len(dst)-start > 1 {
			dst = append(dst, ',')
		}
		dst = jsonrpc.AppendString(dst, name)
		dst = append(dst, ':')
		dst = append(dst, members[name]...)
	}
	return append(dst, '}')
}
