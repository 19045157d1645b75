package preconf

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/trie"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// View is the chain as one block tag or hash sees it. It is immutable, and what it returns is shared: do not modify.
//
// What is in a block at or below a fork block is fetched from the remote chain when it is first read: Load does so,
// too, and returns an error where the other methods panic with a *remote.Error.
type View struct {
	Content
	chain  *chain.Chain
	block  *chain.Block // sealed; nil: slice
	slice  *slice       // pending
	orphan bool
	lag    uint64              // of the block context of calls, in blocks
	hashed func() *hashedSlice // of a pending block that has a hash (Config.PendingHash), else nil
	next   *chain.Env          // of the block after block, in which calls run; nil: in block itself
}

// UnknownBlockError is returned when no block has this number or hash.
type UnknownBlockError struct {
	Number *uint64      // what was asked for, or
	Hash   *common.Hash // this
	Head   uint64
}

func (e *UnknownBlockError) Error() string {
	if e.Hash != nil {
		return fmt.Sprintf("block not found: hash %s", e.Hash)
	}
	return fmt.Sprintf("block not found: %#x is above head %#x", *e.Number, e.Head)
}

// Chain returns the chain that the block is part of, or while it is pending is built on.
func (v *View) Chain() *chain.Chain { return v.chain }

// Number returns the block's number.
func (v *View) Number() uint64 { return v.Header().Number.Uint64() }

// Time returns the block's timestamp in Unix seconds.
func (v *View) Time() uint64 { return v.Header().Time }

// Milliseconds returns the block's time in Unix milliseconds, and reports whether it has one: from Denim on, when no
// block is pre-confirmed any more. A block below a fork block is fetched for it; see LoadTime.
func (v *View) Milliseconds() (ms uint64, ok bool) { return v.chain.Milliseconds(v.block) }

// LoadTime makes sure that Milliseconds can be read, as Load does for all that is in the block. Where blocks have whole
// seconds it does nothing.
func (v *View) LoadTime() error {
	if v.chain.BlockTime() == 0 {
		return nil
	}
	return v.Load()
}

// Hash returns the block's hash: while it is pending the zero hash, or what Config.PendingHash says.
func (v *View) Hash() common.Hash {
	switch {
	case v.hashed != nil:
		return v.hashed().hash
	case v.Pending():
		return common.Hash{}
	}
	return v.block.Hash()
}

// Content holds the questions that a sealed block and a pending one answer alike.
type Content interface {
	// Header returns the block's header. A pending block's has no roots, bloom or gas used yet.
	Header() *types.Header
	// Count returns the number of the block's transactions.
	Count() int
	// Transactions returns the block's transactions, in order, without blobs.
	Transactions() evmstate.Transactions
	// Transaction returns transaction i, which costs less than all of them.
	Transaction(i int) evmstate.Transaction
	// Sender returns the sender of transaction i.
	Sender(i int) common.Address
	// GasByKind returns the execution gas and the state gas of each transaction, before refunds (EIP-8037); nil before
	// Amsterdam, and at and below a fork block.
	GasByKind() []tracing.Gas
	// Console returns the data of the calls that transaction i made of the address of console.log, in order. Nil: it made
	// none.
	Console(i int) [][]byte
}

// viewOf returns the View of a sealed block.
func viewOf(c *chain.Chain, b *chain.Block, orphan bool) *View {
	return &View{Content: b, chain: c, block: b, orphan: orphan}
}

// Pending reports whether the block is pre-confirmed, not sealed.
func (v *View) Pending() bool { return v.block == nil }

// Orphan reports whether a reorg removed the block.
func (v *View) Orphan() bool { return v.orphan }

// Ancestral reports whether the block is at or below a fork block: it is asked of the remote chain.
func (v *View) Ancestral() bool {
	return !v.Pending() && v.chain.Ancestral(v.block.Number())
}

// Block returns the sealed block, or nil while it is pending.
func (v *View) Block() *chain.Block { return v.block }

// Load makes sure that what is in the block can be read: transactions, receipts, logs. It does nothing unless the block
// is a fork block or below one. The error is a *remote.Error.
func (v *View) Load() error {
	if v.Pending() {
		return nil
	}
	return v.block.Load()
}

// GasUsed returns the gas that the block's transactions used so far.
func (v *View) GasUsed() uint64 {
	if v.Pending() {
		return v.slice.draft.GasUsed()
	}
	return v.block.Header().GasUsed
}

// AccessList returns the block access list (EIP-7928), that of a pending block as far as it goes; nil before Amsterdam.
// Only that of a block at or below a fork block can fail: the error is a *remote.Error.
func (v *View) AccessList() (*bal.BlockAccessList, error) {
	if v.Pending() {
		return v.slice.draft.AccessList(), nil
	}
	return v.block.AccessList()
}

// Fees returns the fees that the block's transactions pay besides gas, on an OP-stack chain.
func (v *View) Fees() optimism.Fees {
	if v.Pending() {
		return v.slice.draft.Fees()
	}
	return v.chain.Fees(v.block)
}

// Receipts returns the receipts of the transactions. While pending they are as announced, with the block's Hash.
func (v *View) Receipts() types.Receipts {
	switch {
	case v.hashed != nil:
		return v.hashed().receipts
	case v.Pending():
		return v.slice.receipts
	}
	return v.block.Receipts()
}

// Logs returns the block's logs, in order. While pending they are as announced, with the block's Hash. An orphan's have
// Removed set.
func (v *View) Logs() []*types.Log {
	switch {
	case v.hashed != nil:
		return v.hashed().logs
	case v.Pending():
		return v.slice.logs
	case v.orphan:
		return removedLogs(v.block.Logs())
	}
	return v.block.Logs()
}

// FlashblockIndex returns the index of the newest flashblock in a pending block, -1 where there is none.
func (v *View) FlashblockIndex() int {
	if v.Pending() {
		return v.slice.index
	}
	return -1
}

// State returns the state after the block. Error: *chain.PrunedError.
func (v *View) State() (*evmstate.State, error) {
	if v.Pending() {
		return v.slice.draft.State(), nil
	}
	return v.chain.StateAt(v.block)
}

// Earlier returns the state before the newest flashblock of a pending block: after the one before, or the head's.
// Error: *chain.PrunedError.
func (v *View) Earlier() (*evmstate.State, error) {
	if before := v.slice.prev; before != nil {
		return before.draft.State(), nil
	}
	return v.chain.StateAt(v.chain.Head())
}

// CallView returns where a call at this View runs: its State, and its block as context. At pending the context may lag
// behind (contract 4-rule3), or is that of the next block. Error: *chain.PrunedError.
func (v *View) CallView() (chain.View, error) {
	if v.next != nil {
		return v.chain.Forecast(*v.next)
	}
	header := v.Header()
	if v.Pending() && v.lag > 0 {
		n := header.Number.Uint64()
		header = v.chain.BlockByNumber(n - min(v.lag, n-v.chain.Base())).Header()
	}
	return v.under(header)
}

// SimulateView returns the chain.View that simulated blocks build on: the block, or at pending its parent with all
// pre-confirmed transactions. Error: *chain.PrunedError.
func (v *View) SimulateView() (chain.View, error) {
	header := v.Header()
	if v.Pending() {
		header = v.chain.Head().Header()
	}
	return v.under(header)
}

// under returns the State with that header as the block's context.
func (v *View) under(header *types.Header) (chain.View, error) {
	state, err := v.State()
	return chain.View{Chain: v.chain, Header: header, State: state}, err
}

// Proof returns the proof of an account and slots after the block. Errors: *chain.PrunedError, on a fork *remote.Error,
// and chain.ErrNoProof above the fork block.
func (v *View) Proof(address common.Address, slots []common.Hash) (*evmstate.AccountProof, error) {
	if !v.Pending() {
		return v.chain.Proof(v.block, address, slots)
	}
	if v.chain.Fork() != nil {
		return nil, chain.ErrNoProof
	}
	return v.slice.draft.State().Proof(address, slots), nil
}

func removedLogs(logs []*types.Log) []*types.Log {
	removed := make([]*types.Log, len(logs))
	for i, l := range logs {
		removed[i] = new(*l)
		removed[i].Removed = true
	}
	return removed
}

// HeaderSoFar returns the header of a pending block with gas, bloom and the roots that follow from its transactions and
// receipts so far. The state root stays zero: it is computed when the block is sealed. The header is the caller's.
func (v *View) HeaderSoFar() *types.Header {
	header, transactions, list := types.CopyHeader(v.Header()), v.Transactions(), v.slice.receipts
	if last := v.PostExec(); last != nil {
		transactions, list = append(slices.Clip(transactions), last), append(slices.Clip(list), last.Receipt(header.Number, list))
	}
	header.GasUsed = v.GasUsed()
	header.Bloom = types.MergeBloom(list)
	header.TxHash = types.DeriveSha(transactions, trie.NewStackTrie(nil))
	header.ReceiptHash = types.DeriveSha(evmstate.Receipts{Transactions: transactions, List: list}, trie.NewStackTrie(nil))
	if header.ExcessBlobGas != nil {
		header.BlobGasUsed = new(uint64)
		for _, receipt := range list {
			*header.BlobGasUsed += receipt.BlobGasUsed
		}
	}
	if list := v.slice.draft.AccessList(); list != nil {
		header.BlockAccessListHash = new(list.Hash())
	}
	return header
}

// PostExec returns the transaction that would end a pending block if it was sealed now, as an OP-stack chain's since
// Lagoon, or nil. The block does not list it before.
func (v *View) PostExec() *optimism.PostExec { return v.slice.draft.PostExec() }

// hashedSlice holds the receipts and logs of a pending block that has a hash, in place of those announced without it.
type hashedSlice struct {
	hash     common.Hash
	receipts types.Receipts
	logs     []*types.Log
}

// withHash returns copies of receipts and their logs with a pending block's hash.
func withHash(hash common.Hash, list types.Receipts) *hashedSlice {
	h := &hashedSlice{hash: hash}
	for _, announced := range list {
		receipt := *announced
		receipt.BlockHash, receipt.Logs = hash, make([]*types.Log, len(announced.Logs))
		for i, log := range announced.Logs {
			receipt.Logs[i] = new(*log)
			receipt.Logs[i].BlockHash = hash
		}
		h.receipts = append(h.receipts, &receipt)
		h.logs = append(h.logs, receipt.Logs...)
	}
	return h
}
