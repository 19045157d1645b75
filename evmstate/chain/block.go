package chain

import (
	"math/big"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/remote"
)

// Block is a sealed block with everything that executing it derived. It is immutable and safe for concurrent use.
type Block struct {
	header          *types.Header
	hash            common.Hash
	transactions    types.Transactions
	senders         []common.Address
	uncles          []*types.Header
	withdrawals     types.Withdrawals // nil before Shanghai
	receipts        types.Receipts
	logs            []*types.Log
	requests        [][]byte
	totalDifficulty *big.Int      // of the chain up to and with this block
	size            atomic.Uint64 // 0 until asked for
	remote          *remote.Block // of a block at or below a fork block, read as a whole; nil for others
}

// Hash returns the hash of the header.
func (b *Block) Hash() common.Hash { return b.hash }

// Number returns the height above the genesis.
func (b *Block) Number() uint64 { return b.header.Number.Uint64() }

// Time returns the timestamp in Unix seconds.
func (b *Block) Time() uint64 { return b.header.Time }

// Header returns the header, shared: do not modify.
func (b *Block) Header() *types.Header { return b.header }

// Body assembles go-ethereum's block: RLP, size, uncles, withdrawals. Each call copies the header.
func (b *Block) Body() *types.Block {
	return types.NewBlockWithHeader(b.header).WithBody(types.Body{
		Transactions: b.transactions, Uncles: b.uncles, Withdrawals: b.withdrawals,
	})
}

// Size returns the length of the block's RLP in bytes, which is counted once.
func (b *Block) Size() uint64 {
	size := b.size.Load()
	if size == 0 {
		size = b.Body().Size()
		b.size.Store(size)
	}
	return size
}

// Transactions returns the block's transactions in order, shared: do not modify.
func (b *Block) Transactions() types.Transactions { return b.transactions }

// Receipts returns one receipt for each transaction, shared: do not modify.
func (b *Block) Receipts() types.Receipts { return b.receipts }

// Logs returns the logs of all transactions in order, shared: do not modify. A log's Index is its place here.
func (b *Block) Logs() []*types.Log { return b.logs }

// Sender returns who sent transaction i.
func (b *Block) Sender(i int) common.Address { return b.senders[i] }

// TotalDifficulty returns the sum of difficulties from the genesis to this block, a copy. It stands still after the merge.
func (b *Block) TotalDifficulty() *big.Int { return new(big.Int).Set(b.totalDifficulty) }

// Uncles returns the headers of the uncles (ommers), shared: do not modify. Empty after the merge.
func (b *Block) Uncles() []*types.Header { return b.uncles }

// Withdrawals returns the validator withdrawals (EIP-4895), shared: do not modify. Nil before Shanghai.
func (b *Block) Withdrawals() types.Withdrawals { return b.withdrawals }

// Requests returns what the block asks of the consensus layer (EIP-7685), shared: do not modify. One entry for each type
// that is asked for, in ascending order: the type's byte and its data. Empty before Prague, and of the genesis block.
func (b *Block) Requests() [][]byte { return b.requests }

// newBlock makes the block of a finished draft. Receipts and logs are copied to carry the block's hash: those of the
// draft may be in readers' hands.
func newBlock(d *Draft, header *types.Header, requests [][]byte, parent *Block) *Block {
	b := &Block{
		header:          header,
		hash:            header.Hash(),
		transactions:    d.Transactions(),
		senders:         d.senders.all(),
		uncles:          d.uncles,
		withdrawals:     d.withdrawals,
		requests:        requests,
		totalDifficulty: parent.totalDifficulty,
	}
	if header.Difficulty.Sign() > 0 {
		b.totalDifficulty = new(big.Int).Add(parent.totalDifficulty, header.Difficulty)
	}
	b.receipts, b.logs = sealReceipts(d.Receipts(), d.logs.len(), b.hash)
	return b
}

// sealReceipts copies receipts and their logs (count of them in all) with the block's hash.
func sealReceipts(drafts types.Receipts, count int, hash common.Hash) (types.Receipts, []*types.Log) {
	if len(drafts) == 0 {
		return nil, nil
	}
	var (
		receipts     = make(types.Receipts, len(drafts))
		receiptStore = make([]types.Receipt, len(drafts))
		logs         = make([]*types.Log, 0, count)
		logStore     = make([]types.Log, count)
	)
	for i, draft := range drafts {
		first := len(logs)
		for _, l := range draft.Logs {
			sealed := &logStore[len(logs)]
			*sealed = *l
			sealed.BlockHash = hash
			logs = append(logs, sealed)
		}
		receipt := &receiptStore[i]
		*receipt = *draft
		receipt.BlockHash = hash
		receipt.Logs = logs[first:len(logs):len(logs)]
		receipts[i] = receipt
	}
	return receipts, logs
}
