package shape

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
)

// Header is a header as eth_getHeaderByNumber and newHeads report it.
type Header struct {
	header *types.Header
	// hash is the View's, not the header's: the pending block's may be zero.
	hash common.Hash
	time BlockTime
	// unsealed leaves out what a block gets when it is sealed.
	unsealed bool
}

// HeaderOf returns the header of a View.
func HeaderOf(v *preconf.View) Header {
	if v.Pending() {
		return Header{header: v.HeaderSoFar(), hash: v.Hash(), time: TimeOf(v)}
	}
	return Header{header: v.Header(), hash: v.Hash(), time: TimeOf(v)}
}

func (h Header) AppendJSON(dst []byte) []byte {
	o := Begin(dst)
	h.members(&o)
	return o.End()
}

// members writes the members of the header; fields of a later fork are absent.
func (h Header) members(o *Object) {
	header := h.header
	if header.BaseFee != nil {
		o.Big("baseFeePerGas", header.BaseFee)
	}
	if header.BlobGasUsed != nil {
		o.Quantity("blobGasUsed", *header.BlobGasUsed)
	}
	if header.BlockAccessListHash != nil {
		o.Bytes("blockAccessListHash", header.BlockAccessListHash[:])
	}
	o.Big("difficulty", header.Difficulty)
	if header.ExcessBlobGas != nil {
		o.Quantity("excessBlobGas", *header.ExcessBlobGas)
	}
	o.Bytes("extraData", header.Extra)
	o.Quantity("gasLimit", header.GasLimit)
	o.Quantity("gasUsed", header.GasUsed)
	if h.unsealed {
		o.Null("hash")
	} else {
		o.hashOrNull("hash", h.hash)
	}
	o.Bytes("logsBloom", header.Bloom[:])
	h.sealed(o, "miner", header.Coinbase[:])
	o.Bytes("mixHash", header.MixDigest[:])
	h.sealed(o, "nonce", header.Nonce[:])
	o.Big("number", header.Number)
	if header.ParentBeaconRoot != nil && !h.unsealed {
		o.Bytes("parentBeaconBlockRoot", header.ParentBeaconRoot[:])
	}
	o.Bytes("parentHash", header.ParentHash[:])
	o.Bytes("receiptsRoot", header.ReceiptHash[:])
	if header.RequestsHash != nil {
		o.Bytes("requestsHash", header.RequestsHash[:])
	}
	o.Bytes("sha3Uncles", header.UncleHash[:])
	if header.SlotNumber != nil {
		o.Quantity("slotNumber", *header.SlotNumber)
	}
	o.Bytes("stateRoot", header.Root[:])
	o.Quantity("timestamp", header.Time)
	h.time.member(o, "timestampMs")
	o.Bytes("transactionsRoot", header.TxHash[:])
	if header.WithdrawalsHash != nil {
		o.Bytes("withdrawalsRoot", header.WithdrawalsHash[:])
	}
}

// sealed writes a member that an unsealed block does not have yet.
func (h Header) sealed(o *Object, name string, value []byte) {
	if h.unsealed {
		o.Null(name)
		return
	}
	o.Bytes(name, value)
}

// hashOrNull writes the hash of a block, which is of ones for one that has none (preconf.NoHash).
func (o *Object) hashOrNull(name string, hash common.Hash) {
	if hash == common.MaxHash {
		o.Null(name)
		return
	}
	o.Bytes(name, hash[:])
}

// Block is a block as eth_getBlockByNumber reports it.
type Block struct {
	Header
	// size is the length of the block's RLP in bytes; 0 leaves it out: a pending block has none yet.
	size         uint64
	transactions evmstate.Transactions
	// sender returns the sender of transaction i.
	sender func(i int) common.Address
	uncles []common.Hash
	// withdrawals is nil, and left out, before Shanghai.
	withdrawals types.Withdrawals
	// full reports transactions as objects rather than hashes.
	full bool
	// summed adds totalDifficulty, zero.
	summed bool
}

// WithTotalDifficulty returns the block with a totalDifficulty of zero, which nodes gave before they left it out.
func (b Block) WithTotalDifficulty() Block {
	b.summed = true
	return b
}

// Unsealed returns the block. If it is pending and has a hash, its hash, nonce and miner are null and it has no beacon
// root, as in go-ethereum.
func (b Block) Unsealed() Block {
	b.unsealed = b.size == 0 && b.hash != common.Hash{}
	return b
}

// BlockOf returns the block of a View, with its transactions as objects (full) or hashes.
func BlockOf(v *preconf.View, full bool) Block {
	b := Block{Header: HeaderOf(v), transactions: v.Transactions(), sender: v.Sender, full: full}
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

// SimulatedBlockOf returns a simulated block, complete as a sealed one.
func SimulatedBlockOf(result *simulate.BlockResult, full bool) Block {
	block := result.Block
	return Block{
		Header:       Header{header: block.Header(), hash: block.Hash()},
		size:         block.Size(),
		transactions: evmstate.ListOf(block.Transactions()),
		sender:       func(i int) common.Address { return result.Senders[i] },
		withdrawals:  block.Withdrawals(),
		full:         full,
	}
}

// Size returns about how many bytes the block takes.
func (b Block) Size() int {
	const fixed, perHash, perTransaction = 1000, 70, 800
	if !b.full {
		return fixed + perHash*len(b.transactions)
	}
	return fixed + perTransaction*len(b.transactions) + 2*int(b.size)
}

func (b Block) AppendJSON(dst []byte) []byte {
	o := Begin(dst)
	b.Members(&o)
	return o.End()
}

func (b Block) Members(o *Object) {
	b.Header.members(o)
	if b.size > 0 {
		o.Quantity("size", b.size)
	}
	if b.summed {
		o.Quantity("totalDifficulty", 0)
	}
	o.Key("transactions")
	o.Dst = b.appendTransactions(o.Dst)
	o.Key("uncles")
	o.Dst = appendHashes(o.Dst, b.uncles)
	if b.withdrawals != nil {
		o.Add("withdrawals", b.withdrawals)
	}
}

func (b Block) appendTransactions(dst []byte) []byte {
	return AppendArray(dst, len(b.transactions), func(dst []byte, i int) []byte {
		tx := b.transactions[i]
		if b.full {
			return Transaction{tx, b.sender(i), includedIn(b.Header, i)}.AppendJSON(dst)
		}
		hash := tx.Hash()
		return AppendHex(dst, hash[:])
	})
}

// Uncle is an uncle as eth_getUncleByBlockHashAndIndex reports it: a block without transactions.
type Uncle struct{ Header }

// UncleOf returns the uncle with a header.
func UncleOf(header *types.Header) Uncle {
	return Uncle{Header{header: header, hash: header.Hash()}}
}

func (u Uncle) AppendJSON(dst []byte) []byte {
	o := Begin(dst)
	u.members(&o)
	o.Quantity("size", types.NewBlockWithHeader(u.header).Size())
	o.Add("uncles", []common.Hash{})
	return o.End()
}

// BlockTime is the time of a block in Unix milliseconds. The zero value means none, and leaves the member out.
type BlockTime struct {
	ms    uint64
	known bool
}

// TimeOf returns the time of a View, which must be loaded; nil has none.
func TimeOf(v *preconf.View) BlockTime {
	if v == nil {
		return BlockTime{}
	}
	ms, known := v.Milliseconds()
	return BlockTime{ms, known}
}

func (t BlockTime) member(o *Object, name string) {
	if t.known {
		o.Quantity(name, t.ms)
	}
}

// BlockAccessList is the answer to eth_getBlockAccessList (EIP-7928).
type BlockAccessList struct{ List *bal.BlockAccessList }

func (l BlockAccessList) AppendJSON(dst []byte) []byte {
	accounts := *l.List
	return AppendArray(dst, len(accounts), func(dst []byte, i int) []byte { return appendAccess(dst, &accounts[i]) })
}

func appendAccess(dst []byte, account *bal.AccountAccess) []byte {
	o := Begin(dst)
	o.Bytes("address", account.Address[:])
	o.Array("storageChanges", len(account.StorageChanges), func(dst []byte, i int) []byte {
		slot := account.StorageChanges[i]
		o := Begin(dst)
		o.word("key", slot.Slot)
		o.Array("changes", len(slot.SlotChanges), func(dst []byte, i int) []byte {
			o := beginChange(dst, slot.SlotChanges[i].BlockAccessIndex)
			o.word("value", slot.SlotChanges[i].PostValue)
			return o.End()
		})
		return o.End()
	})
	o.Array("storageReads", len(account.StorageReads), func(dst []byte, i int) []byte {
		return appendWord(dst, account.StorageReads[i])
	})
	o.Array("balanceChanges", len(account.BalanceChanges), func(dst []byte, i int) []byte {
		o := beginChange(dst, account.BalanceChanges[i].BlockAccessIndex)
		o.u256("value", account.BalanceChanges[i].PostBalance)
		return o.End()
	})
	o.Array("nonceChanges", len(account.NonceChanges), func(dst []byte, i int) []byte {
		o := beginChange(dst, account.NonceChanges[i].BlockAccessIndex)
		o.Quantity("value", account.NonceChanges[i].PostNonce)
		return o.End()
	})
	o.Array("codeChanges", len(account.CodeChanges), func(dst []byte, i int) []byte {
		o := beginChange(dst, account.CodeChanges[i].BlockAccessIndex)
		o.Bytes("code", account.CodeChanges[i].NewCode)
		return o.End()
	})
	return o.End()
}

// beginChange opens a change made at an index: 0 before the transactions, n at the n-th, one more at the block's end.
func beginChange(dst []byte, index uint32) Object {
	o := Begin(dst)
	o.Quantity("index", uint64(index))
	return o
}

func (o *Object) word(name string, v *uint256.Int) {
	o.Key(name)
	o.Dst = appendWord(o.Dst, v)
}

func appendWord(dst []byte, v *uint256.Int) []byte {
	word := v.Bytes32()
	return AppendHex(dst, word[:])
}
