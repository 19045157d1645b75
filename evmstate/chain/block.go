package chain

import (
	"fmt"
	"io"
	"math/big"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Block is a sealed block with everything derived from executing it. It is immutable and safe for concurrent use.
//
// The content of a block at or below a fork block is fetched from the remote chain when it is first read. If that
// fails, Load returns a *remote.Error; other methods panic with it.
type Block struct {
	hash, parent    common.Hash
	number, time    uint64
	logged          bool                 // it has logs, except on a remote chain
	kept            atomic.Pointer[kept] // another one once a block follows
	totalDifficulty *big.Int             // sum of difficulties from the genesis up to this block
	size            atomic.Uint64        // 0 until Size is called
}

// body holds the parts of a block that are not its header. It does not change once the block is made.
type body struct {
	transactions transactions
	senders      []common.Address
	uncles       []*types.Header
	withdrawals  types.Withdrawals // nil before Shanghai
	receipts     types.Receipts
	logs         []*types.Log
	requests     [][]byte
	closed       *closed // nil before Amsterdam
	console      []consoleCalls
	ancestor     *ancestor // holds all of the above of a block at or below a fork block; nil for others
}

func (b *body) isQuiet() bool {
	return len(b.uncles) == 0 && len(b.withdrawals) == 0 && len(b.requests) == 0 && b.ancestor == nil && b.closed == nil &&
		b.console == nil
}

func blockOf(header *types.Header, hash common.Hash, of *body) *Block {
	b := &Block{hash: hash, parent: header.ParentHash, number: header.Number.Uint64(), time: header.Time}
	b.kept.Store(&kept{header: header, body: of})
	return b
}

// Hash returns the hash of the header.
func (b *Block) Hash() common.Hash { return b.hash }

// Number returns the height above the genesis.
func (b *Block) Number() uint64 { return b.number }

// Time returns the timestamp in Unix seconds.
func (b *Block) Time() uint64 { return b.time }

// Body returns the block as go-ethereum's type, with uncles, withdrawals and access list but without the transactions
// that it cannot represent. Each call copies the header.
func (b *Block) Body() *types.Block {
	c := b.content()
	body := types.NewBlockWithHeader(b.Header()).WithBody(types.Body{
		Transactions: c.transactions.all().Signed(), Uncles: c.uncles, Withdrawals: c.withdrawals,
	})
	if c.closed != nil {
		body = body.WithAccessListUnsafe(c.closed.decoded())
	}
	return body
}

// Size returns the length of the block's RLP in bytes. It is computed on the first call.
func (b *Block) Size() uint64 {
	_ = b.content()
	size := b.size.Load()
	if size == 0 {
		size = b.encodedSize()
		b.size.Store(size)
	}
	return size
}

// MemorySize returns about how many bytes of memory the block takes. It is not for a block at or below a fork block.
func (b *Block) MemorySize() int {
	bytes := 256 + int(b.Size()) + 1024*b.Count()
	for _, l := range b.Logs() {
		bytes += 256 + len(l.Data)
	}
	return bytes
}

// Transactions returns the block's transactions in order. The caller must not modify them.
func (b *Block) Transactions() evmstate.Transactions { return b.content().transactions.all() }

// Transaction returns transaction i, which costs less than all of them.
func (b *Block) Transaction(i int) evmstate.Transaction { return b.content().transactions.at(i) }

// Count returns the number of the block's transactions.
func (b *Block) Count() int {
	if quiet := b.kept.Load().quiet; quiet != nil {
		return quiet.system.Count()
	}
	return b.content().transactions.count()
}

// Receipts returns one receipt for each transaction. The caller must not modify them.
func (b *Block) Receipts() types.Receipts { return b.content().receipts }

// Logs returns the logs of all transactions in order. A log's Index is its position in this list. The
// caller must not modify them.
func (b *Block) Logs() []*types.Log {
	if b.kept.Load().quiet != nil {
		return nil
	}
	return b.content().logs
}

// Sender returns the sender of transaction i.
func (b *Block) Sender(i int) common.Address { return b.content().senders[i] }

// Uncles returns the headers of the uncles (ommers); there are none after the merge. The caller must not modify them.
func (b *Block) Uncles() []*types.Header { return b.content().uncles }

// Withdrawals returns the validator withdrawals (EIP-4895), or nil before Shanghai. The caller must not modify them.
func (b *Block) Withdrawals() types.Withdrawals { return b.content().withdrawals }

// Requests returns the block's requests to the consensus layer (EIP-7685): one entry for each type that has any, in
// ascending order of types, which holds the type's byte and then its data. There are none before Prague and in the
// genesis block. The caller must not modify them.
func (b *Block) Requests() [][]byte { return b.content().requests }

// GasByKind returns the execution gas and the state gas of each transaction, before refunds (EIP-8037): the block's gas
// is the larger of their sums. It is nil before Amsterdam, and of blocks at and below a fork block. The caller must not
// modify it.
func (b *Block) GasByKind() []tracing.Gas {
	closed := b.own().closed
	if closed == nil {
		return nil
	}
	return closed.Gas
}

// AccessList returns the block access list (EIP-7928), or nil before Amsterdam. For a block at or below a fork block it
// is fetched; the error is then a *remote.Error.
func (b *Block) AccessList() (*bal.BlockAccessList, error) {
	switch own := b.own(); {
	case own.ancestor != nil && b.Header().BlockAccessListHash != nil:
		return own.ancestor.fork.AccessList(b.Number())
	case own.closed == nil:
		return nil, nil
	default:
		return own.closed.decoded(), nil
	}
}

// newBlock returns the block of a finished draft. It copies receipts and logs to set the block's hash in them, because
// others may be reading the draft's.
func newBlock(d *Draft, f *finished, parent *Block) *Block {
	header := f.header
	made := &body{
		transactions: newTransactions(d.Transactions()),
		senders:      d.senders.all(),
		uncles:       d.uncles,
		withdrawals:  d.withdrawals,
		requests:     f.requests,
		closed:       d.ledger.close(f.accessList),
		console:      d.console,
	}
	b := blockOf(header, header.Hash(), made)
	b.totalDifficulty = parent.totalDifficulty
	if header.Difficulty.Sign() > 0 {
		b.totalDifficulty = new(big.Int).Add(parent.totalDifficulty, header.Difficulty)
	}
	made.receipts, made.logs = sealReceipts(d.Receipts(), d.logs.len(), b.hash)
	b.logged = len(made.logs) > 0
	return b
}

// sealReceipts returns copies of receipts and of their logs with the block's hash set. count is the number of logs.
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

// Milliseconds returns the time of b, which may be an orphan, in Unix milliseconds. ok is false unless the rules fix
// the block time. The time is in the block's BaseTime deposit; a genesis has a whole second.
func (c *Chain) Milliseconds(b *Block) (ms uint64, ok bool) {
	switch {
	case c.BlockTime() == 0:
		return 0, false
	case b.Number() == 0:
		return b.Time() * 1000, true
	}
	if quiet := b.kept.Load().quiet; quiet != nil && quiet.system.HasTime {
		return b.Time()*1000 + uint64(quiet.system.Millis), true
	}
	if b.Count() <= optimism.BaseTimeIndex {
		return 0, false // a fork has blocks from before Denim
	}
	part, ok := optimism.ReadMillis(b.Transaction(optimism.BaseTimeIndex))
	if !ok {
		return 0, false
	}
	return b.Time()*1000 + uint64(part), true
}

// MillisecondsBelow returns the time in Unix milliseconds of the block number, which is at or below the fork block, and
// reports whether it has one; seconds is its timestamp. The block is not fetched for it: a live chain leaves out no
// slot. For a block from before the chain had milliseconds this yields another second than its timestamp.
func (c *Chain) MillisecondsBelow(number, seconds uint64) (ms uint64, ok bool) {
	ms, ok = c.Milliseconds(c.BlockByNumber(c.Base()))
	if !ok {
		return 0, false
	}
	ms -= (c.Base() - number) * uint64(c.BlockTime().Milliseconds())
	return ms, ms/1000 == seconds
}

// Time returns the time of b with the milliseconds it may have.
func (c *Chain) Time(b *Block) time.Time {
	if ms, ok := c.Milliseconds(b); ok {
		return time.UnixMilli(int64(ms)).UTC()
	}
	return time.Unix(int64(b.Time()), 0).UTC()
}

// timed returns env with the time of the next block, the earliest one if env has none. The error describes a time that
// the rules do not allow after the head.
func (c *Chain) timed(env Env) (Env, error) {
	head := c.Head()
	step := c.BlockTime()
	switch {
	case step > 0:
		earliest := c.Time(head).Add(step)
		if env.Time == 0 {
			env.Time, env.Millis = uint64(earliest.Unix()), uint16(earliest.Nanosecond()/int(time.Millisecond))
		}
		if at := env.at(); at.Before(earliest) || at.Sub(earliest)%step != 0 {
			return env, fmt.Errorf("block time %s is neither %s nor a multiple of %s later", stamp(at), stamp(earliest), step)
		}
	case env.Millis != 0:
		return env, fmt.Errorf("block time %d.%03d has milliseconds, which the rules of the chain have none of", env.Time, env.Millis)
	case env.Time == 0:
		env.Time = head.Time() + 1
	case env.Time < head.Time():
		return env, fmt.Errorf("block time %d is before its parent's, %d", env.Time, head.Time())
	}
	return env, nil
}

func (e Env) at() time.Time {
	return time.Unix(int64(e.Time), int64(e.Millis)*int64(time.Millisecond)).UTC()
}

func stamp(at time.Time) string {
	return fmt.Sprintf("%d.%03d", at.Unix(), at.Nanosecond()/int(time.Millisecond))
}

// EncodeRLP writes the block in the form of block files and of the network protocol. The error names a transaction of
// another chain that cannot be encoded here.
func (b *Block) EncodeRLP(w io.Writer) error {
	if body := b.Body(); len(body.Transactions()) == b.Count() {
		return rlp.Encode(w, body)
	}
	transactions := make([]rlp.RawValue, b.Count())
	for i, tx := range b.Transactions() {
		raw, err := tx.MarshalBinary()
		if err == nil && raw[0] < 0xc0 { // all but a legacy transaction, which is a list itself
			raw, err = rlp.EncodeToBytes(raw)
		}
		if err != nil {
			return err
		}
		transactions[i] = raw
	}
	return rlp.Encode(w, []any{b.Header(), transactions, b.Uncles(), b.Withdrawals()})
}

// encodedSize returns the length of the block's RLP in bytes, or 0 if it has transactions of another chain that cannot
// be encoded here.
func (b *Block) encodedSize() uint64 {
	if body := b.Body(); len(body.Transactions()) == b.Count() {
		return body.Size()
	}
	encoded, err := rlp.EncodeToBytes(b)
	if err != nil {
		return 0
	}
	return uint64(len(encoded))
}
