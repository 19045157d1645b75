package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
)

// headerObject is a header as eth_getHeaderByNumber and newHeads report it.
type headerObject struct {
	header *types.Header
	// hash is zero for the pending block, whose header has no final hash.
	hash common.Hash
}

// headerOf returns the header of a View.
func headerOf(v *preconf.View) headerObject {
	if v.Pending() {
		return headerObject{header: pendingHeader(v)}
	}
	return headerObject{v.Header(), v.Hash()}
}

func (h headerObject) AppendJSON(dst []byte) []byte {
	o := beginObject(dst)
	h.members(&o)
	return o.end()
}

// members writes what the header holds; fields of a fork that the block precedes are absent.
func (h headerObject) members(o *object) {
	header := h.header
	if header.BaseFee != nil {
		o.big("baseFeePerGas", header.BaseFee)
	}
	if header.BlobGasUsed != nil {
		o.quantity("blobGasUsed", *header.BlobGasUsed)
	}
	o.big("difficulty", header.Difficulty)
	if header.ExcessBlobGas != nil {
		o.quantity("excessBlobGas", *header.ExcessBlobGas)
	}
	o.bytes("extraData", header.Extra)
	o.quantity("gasLimit", header.GasLimit)
	o.quantity("gasUsed", header.GasUsed)
	o.bytes("hash", h.hash[:])
	o.bytes("logsBloom", header.Bloom[:])
	o.bytes("miner", header.Coinbase[:])
	o.bytes("mixHash", header.MixDigest[:])
	o.bytes("nonce", header.Nonce[:])
	o.big("number", header.Number)
	if header.ParentBeaconRoot != nil {
		o.bytes("parentBeaconBlockRoot", header.ParentBeaconRoot[:])
	}
	o.bytes("parentHash", header.ParentHash[:])
	o.bytes("receiptsRoot", header.ReceiptHash[:])
	if header.RequestsHash != nil {
		o.bytes("requestsHash", header.RequestsHash[:])
	}
	o.bytes("sha3Uncles", header.UncleHash[:])
	o.bytes("stateRoot", header.Root[:])
	o.quantity("timestamp", header.Time)
	o.bytes("transactionsRoot", header.TxHash[:])
	if header.WithdrawalsHash != nil {
		o.bytes("withdrawalsRoot", header.WithdrawalsHash[:])
	}
}

// blockObject is a block as eth_getBlockByNumber reports it.
type blockObject struct {
	headerObject
	// size is the length of the block's RLP in bytes; 0 leaves it out: a pending block has none yet.
	size         uint64
	transactions evmstate.Transactions
	// sender returns who sent transaction i.
	sender func(i int) common.Address
	uncles []common.Hash
	// withdrawals of nil are left out: the block precedes Shanghai.
	withdrawals types.Withdrawals
	// full reports transactions as objects rather than hashes.
	full bool
}

// blockOf returns the block of a View, with its transactions as objects (full) or hashes.
func blockOf(v *preconf.View, full bool) blockObject {
	b := blockObject{headerObject: headerOf(v), transactions: v.Transactions(), sender: v.Sender, full: full}
	if sealed := v.Block(); sealed != nil {
		b.size = sealed.Size()
		for _, uncle := range sealed.Uncles() {
			b.uncles = append(b.uncles, uncle.Hash())
		}
		b.withdrawals = sealed.Withdrawals()
	} else if v.Header().WithdrawalsHash != nil {
		b.withdrawals = types.Withdrawals{}
	}
	return b
}

// simulatedBlockOf returns a simulated block, which is complete as a sealed one is.
func simulatedBlockOf(result *simulate.BlockResult, full bool) blockObject {
	block := result.Block
	return blockObject{
		headerObject: headerObject{block.Header(), block.Hash()},
		size:         block.Size(),
		transactions: evmstate.ListOf(block.Transactions()),
		sender:       func(i int) common.Address { return result.Senders[i] },
		withdrawals:  block.Withdrawals(),
		full:         full,
	}
}

func (b blockObject) AppendJSON(dst []byte) []byte {
	o := beginObject(dst)
	b.members(&o)
	return o.end()
}

func (b blockObject) members(o *object) {
	b.headerObject.members(o)
	if b.size > 0 {
		o.quantity("size", b.size)
	}
	o.key("transactions")
	o.dst = b.appendTransactions(o.dst)
	o.key("uncles")
	o.dst = appendHashes(o.dst, b.uncles)
	if b.withdrawals != nil {
		o.key("withdrawals")
		o.dst = appendWithdrawals(o.dst, b.withdrawals)
	}
}

func (b blockObject) appendTransactions(dst []byte) []byte {
	dst = append(dst, '[')
	for i, tx := range b.transactions {
		if i > 0 {
			dst = append(dst, ',')
		}
		if b.full {
			dst = transactionObject{tx, b.sender(i), includedIn(b.header, b.hash, i)}.AppendJSON(dst)
			continue
		}
		hash := tx.Hash()
		dst = appendHex(dst, hash[:])
	}
	return append(dst, ']')
}

// appendWithdrawals appends validator withdrawals (EIP-4895); amounts are in gwei.
func appendWithdrawals(dst []byte, list types.Withdrawals) []byte {
	dst = append(dst, '[')
	for i, w := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		o := beginObject(dst)
		o.quantity("index", w.Index)
		o.quantity("validatorIndex", w.Validator)
		o.bytes("address", w.Address[:])
		o.quantity("amount", w.Amount)
		dst = o.end()
	}
	return append(dst, ']')
}

// uncleObject is an uncle as eth_getUncleByBlockHashAndIndex reports it: a block without transactions.
type uncleObject struct{ headerObject }

func (u uncleObject) AppendJSON(dst []byte) []byte {
	o := beginObject(dst)
	u.members(&o)
	o.quantity("size", types.NewBlockWithHeader(u.header).Size())
	o.key("uncles")
	o.dst = append(o.dst, "[]"...)
	return o.end()
}
