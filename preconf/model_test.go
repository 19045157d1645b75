package preconf_test

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf/control"
)

// The model is the timeline as a beginner would write it: lists that are copied whole, and everything counted again
// when asked.

const (
	modelGasLimit = 300_000
	modelPayGas   = 21_000
	modelEmitGas  = 100_000

	modelFinalizedLag = 6
)

// sink receives all payments of the model.
var sink = common.HexToAddress("0x51000000000000000000000000000000000000aa")

type modelTx struct {
	tx     *types.Transaction
	sender int
	used   uint64 // gas
	wei    int64  // a payment, or
	topic  byte   // a log
	data   byte
}

func (m *modelTx) nonce() uint64 { return m.tx.Nonce() }

func (m *modelTx) log(altered bool) string {
	data := m.data
	if altered {
		data ^= 1
	}
	return fmt.Sprintf("%d %d", m.topic, data)
}

type modelFlashblock struct {
	txs     []*modelTx
	altered bool
}

func (f modelFlashblock) logs() (logs []string) {
	for _, tx := range f.txs {
		if tx.topic != 0 {
			logs = append(logs, tx.log(f.altered))
		}
	}
	return logs
}

type modelBlock struct {
	key  string // stands for the hash
	time time.Duration
	txs  []*modelTx
}

func (b *modelBlock) logs() []string { return modelFlashblock{txs: b.txs}.logs() }

// modelChain holds a chain's rules. Times are since 1970.
type modelChain struct {
	blockTime   time.Duration
	flashblocks bool
	deposits    int    // at the beginning of a block
	gasLimit    uint64 // for transactions
}

var (
	ethereumModel = modelChain{blockTime: 2 * time.Second, flashblocks: true, gasLimit: modelGasLimit}
	denimModel    = modelChain{blockTime: 200 * time.Millisecond, deposits: 2, gasLimit: optimism.Denim.GasLimit}
)

// model is copied whole by snapshots.
type model struct {
	modelChain
	blocks    []*modelBlock // canonical; the first is genesis
	late      *modelBlock
	lateShown []modelFlashblock
	pending   []modelFlashblock
	final     uint64     // what reorgs left finalized
	pool      []*modelTx // by arrival

	clock  time.Duration
	reorgs int

	stalled, lateBlocks, alterations int
	omissions                        []control.FlashblockFault

	filterLogs, filterPending, filterHeads []modelItem // collected, not fetched
	noted                                  *int        // items, in all copies together
	newest                                 int         // of them in this one
}

// modelItem is an item of a filter.
type modelItem struct {
	id   int // ascending
	text string
}

// note adds items to a filter.
func (m *model) note(filter *[]modelItem, texts ...string) {
	for _, text := range texts {
		*m.noted++
		m.newest = *m.noted
		*filter = append(*filter, modelItem{m.newest, text})
	}
}

// textsOf returns the texts of items, nil for none.
func textsOf(items []modelItem) (texts []string) {
	for _, item := range items {
		texts = append(texts, item.text)
	}
	return texts
}

func (m *model) copy() *model {
	c := *m
	c.blocks, c.pending, c.pool = slices.Clone(m.blocks), slices.Clone(m.pending), slices.Clone(m.pool)
	c.omissions = slices.Clone(m.omissions)
	c.filterLogs, c.filterPending, c.filterHeads = slices.Clone(m.filterLogs), slices.Clone(m.filterPending), slices.Clone(m.filterHeads)
	return &c
}

// told holds the items that readers must have received.
type told struct {
	pendingLogs, logs, flashblocks []string
	heads                          []uint64
}

func (m *model) head() uint64 { return uint64(len(m.blocks) - 1) }

func (m *model) finalized() uint64 { return max(m.final, m.head()-min(m.head(), modelFinalizedLag)) }

// sealed are the transactions of all blocks, those of a late one as well.
func (m *model) sealed() (txs []*modelTx) {
	for _, b := range m.blocks {
		txs = append(txs, b.txs...)
	}
	if m.late != nil {
		txs = append(txs, m.late.txs...)
	}
	return txs
}

func (m *model) preconfirmed() []*modelTx { return transactionsOf(m.pending) }

func transactionsOf(flashblocks []modelFlashblock) (txs []*modelTx) {
	for _, f := range flashblocks {
		txs = append(txs, f.txs...)
	}
	return txs
}

func nonceOf(sender int, txs []*modelTx) (n uint64) {
	for _, tx := range txs {
		if tx.sender == sender {
			n++
		}
	}
	return n
}

func paid(txs []*modelTx) (wei int64) {
	for _, tx := range txs {
		wei += tx.wei
	}
	return wei
}

func gasOf(txs []*modelTx) (gas uint64) {
	for _, tx := range txs {
		gas += tx.used
	}
	return gas
}

// fill takes from pool, in order, what executes after the transactions done, in a block that has already those in it.
func (c modelChain) fill(pool, done, in []*modelTx) (taken, left []*modelTx) {
	blocked := map[int]bool{}
	left = slices.Clone(pool)
next:
	for i, tx := range left {
		if blocked[tx.sender] || tx.nonce() != nonceOf(tx.sender, slices.Concat(done, in, taken)) {
			continue
		}
		if gasOf(in)+gasOf(taken)+tx.tx.Gas() > c.gasLimit {
			blocked[tx.sender] = true
			continue
		}
		taken = append(taken, tx)
		left = slices.Delete(left, i, i+1)
		goto next
	}
	return taken, left
}

// replay splits txs into those that execute after done and those that wait for a nonce.
func replay(txs, done []*modelTx) (executed, back []*modelTx) {
	for _, tx := range txs {
		if tx.nonce() == nonceOf(tx.sender, slices.Concat(done, executed)) {
			executed = append(executed, tx)
		} else {
			back = append(back, tx)
		}
	}
	return executed, back
}

func (m *model) send(tx *modelTx) {
	m.pool = slices.DeleteFunc(m.pool, func(old *modelTx) bool { return old.sender == tx.sender && old.nonce() == tx.nonce() })
	m.pool = append(m.pool, tx)
}

func (m *model) preconfirm(told *told) {
	if m.stalled > 0 {
		m.stalled--
		return
	}
	taken, left := m.fill(m.pool, m.sealed(), m.preconfirmed())
	m.pool = left
	m.announce(taken, told)
}

// announce makes txs the next flashblock, of which readers are told where there are any.
func (m *model) announce(txs []*modelTx, told *told) {
	f := modelFlashblock{txs: txs}
	if !m.flashblocks {
		m.pending = append(m.pending, f)
		return
	}
	if m.alterations > 0 && len(f.logs()) > 0 {
		f.altered = true
		m.alterations--
	}
	m.pending = append(m.pending, f)
	m.tellFlashblock(told)
}

func (m *model) tellFlashblock(told *told) {
	f := m.pending[len(m.pending)-1]
	number := m.head() + 1
	if m.late != nil {
		number++
	}
	told.flashblocks = append(told.flashblocks, fmt.Sprintf("%d.%d: %d of %d", number, len(m.pending)-1, len(f.txs), len(m.preconfirmed())))
	told.pendingLogs = append(told.pendingLogs, f.logs()...)
	m.note(&m.filterPending, f.logs()...)
}

func (m *model) retract(txs []*modelTx, told *told) {
	for _, f := range m.pending {
		for _, tx := range f.txs {
			if tx.topic != 0 && slices.Contains(txs, tx) {
				told.pendingLogs = append(told.pendingLogs, tx.log(f.altered)+" removed")
				m.note(&m.filterPending, tx.log(f.altered)+" removed")
			}
		}
	}
}

func (m *model) addHead(b *modelBlock, told *told) {
	m.blocks = append(m.blocks, b)
	m.tellHead(b, m.head(), told)
}

func (m *model) tellHead(b *modelBlock, number uint64, told *told) {
	told.heads = append(told.heads, number)
	told.logs = append(told.logs, b.logs()...)
	m.note(&m.filterHeads, "")
	m.note(&m.filterLogs, b.logs()...)
}

// tellHeadAgain notes that readers receive a head they know once more, after blocks above it were removed.
func (m *model) tellHeadAgain(told *told) {
	told.heads = append(told.heads, m.head())
	m.note(&m.filterHeads, "")
}

func (m *model) tellRemoved(blocks []*modelBlock, reverse bool, told *told) {
	var removed []string
	for _, b := range blocks {
		for _, l := range b.logs() {
			removed = append(removed, l+" removed")
		}
	}
	if reverse {
		slices.Reverse(removed)
	}
	told.logs = append(told.logs, removed...)
	m.note(&m.filterLogs, removed...)
}

// newModelTx signs what m describes, with a nonce and a fee cap in gwei.
func newModelTx(m modelTx, nonce uint64, cap int64, emitUsed uint64) *modelTx {
	fees := types.DynamicFeeTx{Nonce: nonce, GasFeeCap: new(big.Int).Mul(big.NewInt(cap), gwei), GasTipCap: big.NewInt(cap)}
	if m.topic == 0 {
		fees.To, fees.Value, fees.Gas = &sink, big.NewInt(m.wei), modelPayGas
		m.used = modelPayGas
	} else {
		call := make([]byte, 64)
		call[31], call[63] = m.topic, m.data
		fees.To, fees.Data, fees.Gas = &emitter, call, modelEmitGas
		m.used = emitUsed
	}
	m.tx = accounts[m.sender].sign(fees)
	return &m
}

func (m *model) drop(count int, f control.FlashblockFault, told *told) {
	var taken []*modelTx
	for _, f := range m.pending[len(m.pending)-count:] {
		taken = append(taken, f.txs...)
	}
	if f.Retract {
		m.retract(taken, told)
	}
	m.pending = m.pending[:len(m.pending)-count]
	if !f.Gone {
		m.pool = append(taken, m.pool...)
	}
}

func (m *model) reorg(o control.ReorgOptions, told *told) {
	if m.late != nil {
		m.pool = slices.Concat(m.late.txs, m.preconfirmed(), m.pool)
		m.late, m.pending = nil, nil
	}
	length := o.Depth + 1
	if o.Length != nil {
		length = *o.Length
	}
	removed := m.blocks[len(m.blocks)-o.Depth:]
	m.final = min(m.finalized(), m.head()-uint64(o.Depth))
	m.blocks = slices.Clone(m.blocks[:len(m.blocks)-o.Depth])
	m.reorgs++
	var again []*modelTx
	for _, b := range removed {
		again = append(again, b.txs...)
	}
	again = slices.DeleteFunc(again, func(tx *modelTx) bool {
		return o.Transactions == control.Drop || slices.Contains(o.Drop, tx.tx.Hash())
	})
	if o.Transactions == control.Reverse {
		slices.Reverse(again)
	}
	var added []*modelBlock
	for i := range length {
		parent := m.blocks[len(m.blocks)-1]
		time := parent.time + m.blockTime
		if i < len(removed) {
			time = removed[i].time
		}
		var taken []*modelTx
		taken, again = m.fill(again, m.sealed(), nil)
		b := m.block(parent, time, taken)
		m.blocks = append(m.blocks, b)
		added = append(added, b)
		m.clock = max(m.clock, time)
	}
	for i, f := range m.pending {
		done := m.sealed()
		for _, before := range m.pending[:i] {
			done = append(done, before.txs...)
		}
		executed, back := replay(f.txs, done)
		m.pending[i].txs = executed
		again = append(again, back...)
	}
	m.pool = append(again, m.pool...)
	m.tellRemoved(removed, o.RemovedOrder == control.NewestFirst, told)
	for i, b := range added {
		m.tellHead(b, m.head()+1-uint64(len(added)-i), told)
	}
	if len(added) == 0 {
		m.tellHeadAgain(told)
	}
}

// keepFilters makes m the model to, but for the filters.
func (m *model) keepFilters(to *model) *model {
	now := to.copy()
	now.filterLogs, now.filterPending, now.filterHeads = m.filterLogs, m.filterPending, m.filterHeads
	return now
}

// revertSilently makes m the model to, but for the filters: they have only lost what is newer.
func (m *model) revertSilently(to *model) *model {
	now := m.keepFilters(to)
	for _, filter := range []*[]modelItem{&now.filterLogs, &now.filterPending, &now.filterHeads} {
		*filter = slices.DeleteFunc(slices.Clone(*filter), func(item modelItem) bool { return item.id > to.newest })
	}
	return now
}

// revertTold makes m the model to, telling of it as of a reorg.
func (m *model) revertTold(to *model, told *told) *model {
	now := m.keepFilters(to)
	same := 0
	for same < min(len(m.blocks), len(now.blocks)) && m.blocks[same].key == now.blocks[same].key {
		same++
	}
	now.tellRemoved(m.blocks[same:], false, told)
	for i, b := range now.blocks[same:] {
		now.tellHead(b, uint64(same+i), told)
	}
	if same == len(now.blocks) && same < len(m.blocks) {
		now.tellHeadAgain(told)
	}
	return now
}
