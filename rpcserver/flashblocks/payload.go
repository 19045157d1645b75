package flashblocks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// payload is a frame's content, FlashblocksPayloadV1, with its members in the order of Base's builder.
type payload struct {
	ID       hexutil.Bytes `json:"payload_id"` // 8 bytes, the same for all flashblocks of one build of a block
	Index    int           `json:"index"`
	Base     *base         `json:"base,omitempty"` // at index 0 only
	Diff     diff          `json:"diff"`
	Metadata metadata      `json:"metadata"`
}

// base holds the members that do not change while a block is built.
type base struct {
	ParentBeaconBlockRoot common.Hash    `json:"parent_beacon_block_root"` // zero before Cancun
	ParentHash            common.Hash    `json:"parent_hash"`
	FeeRecipient          common.Address `json:"fee_recipient"`
	PrevRandao            common.Hash    `json:"prev_randao"`
	BlockNumber           hexutil.Uint64 `json:"block_number"`
	GasLimit              hexutil.Uint64 `json:"gas_limit"`
	Timestamp             hexutil.Uint64 `json:"timestamp"` // Unix seconds
	ExtraData             hexutil.Bytes  `json:"extra_data"`
	BaseFeePerGas         *hexutil.Big   `json:"base_fee_per_gas"` // wei; 0 before London
}

// diff holds the members that change with each flashblock: its own transactions, else the block's so far.
type diff struct {
	StateRoot       common.Hash     `json:"state_root"` // zero: it is computed when the block is sealed
	ReceiptsRoot    common.Hash     `json:"receipts_root"`
	LogsBloom       types.Bloom     `json:"logs_bloom"`
	GasUsed         hexutil.Uint64  `json:"gas_used"`
	BlockHash       common.Hash     `json:"block_hash"`
	Transactions    []hexutil.Bytes `json:"transactions"`
	Withdrawals     []struct{}      `json:"withdrawals"`
	WithdrawalsRoot common.Hash     `json:"withdrawals_root"`        // zero before Shanghai
	BlobGasUsed     *hexutil.Uint64 `json:"blob_gas_used,omitempty"` // absent before Cancun
	PostExec        hexutil.Bytes   `json:"post_exec_tx,omitempty"`  // as if the block ended here
}

// metadata holds the members about a flashblock besides the contents of the block.
type metadata struct {
	BlockNumber uint64 `json:"block_number"`
	Previous    string `json:"prev_flashblock_id,omitempty"` // absent with Subblocks
	*details           // nil with Minimal
}

// newPayload describes the flashblock that led from before, nil at index 0, to view. It names previous before it.
func (c *Config) newPayload(before, view *preconf.View, previous preconf.FlashblockID) (p *payload, err error) {
	header := c.Header(view)
	p = &payload{
		ID:    crypto.Keccak256(view.Header().Hash().Bytes())[:8], // of the draft: it stays the same while the block is built
		Index: view.FlashblockIndex(),
		Diff: diff{
			StateRoot:       header.Root,
			ReceiptsRoot:    header.ReceiptHash,
			LogsBloom:       header.Bloom,
			GasUsed:         hexutil.Uint64(header.GasUsed),
			BlockHash:       header.Hash(),
			Transactions:    []hexutil.Bytes{},
			Withdrawals:     []struct{}{},
			WithdrawalsRoot: *cmp.Or(header.WithdrawalsHash, new(common.Hash)),
			BlobGasUsed:     (*hexutil.Uint64)(header.BlobGasUsed),
		},
		Metadata: metadata{BlockNumber: view.Number(), Previous: fmt.Sprintf("%d-%d", previous.Number, previous.Index)},
	}
	first := 0
	if before == nil {
		p.Base = newBase(header)
	} else {
		first = before.Count()
	}
	for _, tx := range view.Transactions()[first:] {
		raw, err := tx.MarshalBinary()
		if err != nil {
			return nil, fmt.Errorf("transaction %s: %w", tx.Hash(), err)
		}
		p.Diff.Transactions = append(p.Diff.Transactions, raw)
	}
	if last := view.PostExec(); last != nil {
		if p.Diff.PostExec, err = last.MarshalBinary(); err != nil {
			return nil, err
		}
	}
	if c.Metadata == Subblocks {
		p.Diff.StateRoot, p.Diff.BlockHash, p.Diff.WithdrawalsRoot = common.Hash{}, common.Hash{}, common.Hash{}
		p.Metadata.Previous = ""
	}
	if c.Metadata == Full || c.Metadata == Subblocks {
		if p.Metadata.details, err = newDetails(before, view, first); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func newBase(header *types.Header) *base {
	return &base{
		ParentBeaconBlockRoot: *cmp.Or(header.ParentBeaconRoot, new(common.Hash)),
		ParentHash:            header.ParentHash,
		FeeRecipient:          header.Coinbase,
		PrevRandao:            header.MixDigest,
		BlockNumber:           hexutil.Uint64(header.Number.Uint64()),
		GasLimit:              hexutil.Uint64(header.GasLimit),
		Timestamp:             hexutil.Uint64(header.Time),
		ExtraData:             header.Extra,
		BaseFeePerGas:         (*hexutil.Big)(cmp.Or(header.BaseFee, new(big.Int))),
	}
}

// Metadata selects the members of a frame besides the contents of the block. Empty: Minimal.
type Metadata string

const (
	// Minimal has the number of the block and the flashblock before, as Base's feed since the Azul fork.
	Minimal Metadata = "minimal"
	// Full adds receipts and balances, as earlier builders did and some clients still require.
	Full Metadata = "full"
	// Subblocks is Full as OP Mainnet's sequencer sends it: the state root, the hash of the block and the root of
	// withdrawals are zero, and the flashblock before is not named.
	Subblocks Metadata = "subblocks"
)

// AllMetadata lists the values of Metadata.
func AllMetadata() []Metadata { return []Metadata{Minimal, Full, Subblocks} }

// details holds the members that Full and Subblocks add, for the flashblock alone.
type details struct {
	Receipts map[common.Hash]Receipt          `json:"receipts"`             // by transaction
	Balances map[common.Address]*hexutil.U256 `json:"new_account_balances"` // of accounts whose balance changed, in wei
}

// Receipt is the part of a receipt that the metadata has.
type Receipt struct {
	Type              hexutil.Uint64 `json:"type"`
	Status            hexutil.Uint64 `json:"status"`
	CumulativeGasUsed hexutil.Uint64 `json:"cumulativeGasUsed"`
	Logs              []receiptLog   `json:"logs"`
}

type receiptLog struct {
	Address common.Address `json:"address"`
	Topics  []common.Hash  `json:"topics"`
	Data    hexutil.Bytes  `json:"data"`
}

// newDetails returns the details of the flashblock between two views; first is the index of its first transaction.
func newDetails(before, view *preconf.View, first int) (*details, error) {
	d := &details{Receipts: map[common.Hash]Receipt{}, Balances: map[common.Address]*hexutil.U256{}}
	for i, tx := range view.Transactions()[first:] {
		d.Receipts[tx.Hash()] = ReceiptOf(view.Receipts()[first+i])
	}
	state, err := view.State()
	if err != nil {
		return nil, err
	}
	earlier, err := view.Chain().StateAt(view.Chain().Head())
	if before != nil {
		earlier, err = before.State()
	}
	if err != nil {
		return nil, fmt.Errorf("state before flashblock %d-%d: %w", view.Number(), view.FlashblockIndex(), err)
	}
	for _, account := range state.WrittenSince(earlier) {
		if balance := state.Balance(account); !balance.Eq(earlier.Balance(account)) {
			d.Balances[account] = (*hexutil.U256)(balance)
		}
	}
	return d, nil
}

// ReceiptOf returns a transaction's receipt as the metadata has it.
func ReceiptOf(r *types.Receipt) Receipt {
	logs := make([]receiptLog, len(r.Logs))
	for i, l := range r.Logs {
		logs[i] = receiptLog{l.Address, l.Topics, l.Data}
	}
	return Receipt{hexutil.Uint64(r.Type), hexutil.Uint64(r.Status), hexutil.Uint64(r.CumulativeGasUsed), logs}
}

// frame is a flashblock for the readers, with the encodings made so far.
type frame struct {
	config   *Config
	before   *preconf.View // the pending block before the flashblock, nil at index 0
	view     *preconf.View // and after it
	previous preconf.FlashblockID
	repeat   bool               // the frame before it is of the same flashblock, announced for the first time or again
	number   uint64             // of the frames of the feed
	keep     func(size int) int // how many bytes of the message a fault leaves; nil: all

	plain     func() ([]byte, error) // the whole message, made on first use
	encodings [2]encoding            // by whether they are compressed
	news      *jsonrpc.News          // all of them, counted once for all readers
}

// encoding is a frame in the form for its readers, made for the first of them. Safe for concurrent use.
type encoding struct {
	once    sync.Once
	message []json.RawMessage // one
	err     error
}

// Brotli's settings, as on the public endpoints.
var brotliOptions = brotli.WriterOptions{Quality: 5, LGWin: 22}

func (c *Config) newFrame(before, view *preconf.View, previous preconf.FlashblockID) *frame {
	f := &frame{config: c, before: before, view: view, previous: previous, news: new(jsonrpc.News)}
	f.plain = sync.OnceValues(f.encode)
	return f
}

func (f *frame) id() preconf.FlashblockID {
	return preconf.FlashblockID{Number: f.view.Number(), Index: f.view.FlashblockIndex()}
}

// again returns the frame, not encoded yet, as it follows previous.
func (f *frame) again(previous preconf.FlashblockID) *frame {
	other := f.config.newFrame(f.before, f.view, previous)
	other.number = f.number
	return other
}

// encoded returns the frame as one message, compressed or not.
func (f *frame) encoded(compressed bool) ([]json.RawMessage, error) {
	e := &f.encodings[0]
	if compressed {
		e = &f.encodings[1]
	}
	e.once.Do(func() {
		var message []byte
		if message, e.err = f.plain(); e.err == nil && compressed {
			message, e.err = compress(message)
		}
		if f.keep != nil {
			message = message[:f.keep(len(message))]
		}
		e.message = []json.RawMessage{message}
		f.news.Add(e.message)
	})
	return e.message, e.err
}

func (f *frame) encode() ([]byte, error) {
	p, err := f.config.newPayload(f.before, f.view, f.previous)
	if err != nil {
		return nil, err
	}
	return json.Marshal(p)
}

func compress(plain []byte) ([]byte, error) {
	var packed bytes.Buffer
	w := brotli.NewWriterOptions(&packed, brotliOptions)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err := w.Close()
	return packed.Bytes(), err
}

func (f *frame) equals(other *frame) bool {
	a, err := f.plain()
	if err != nil {
		return false
	}
	b, err := other.plain()
	return err == nil && bytes.Equal(a, b)
}

// framesAfter returns the frames that lead a reader from the flashblocks of last to the flashblocks of next: the
// newest, and before it all that were executed again with another result. Last is nil if the reader knows none.
func (c *Config) framesAfter(last, next *preconf.Flashblock) []*frame {
	if last == nil {
		return c.framesOf(next, 0)
	}
	from := min(next.View.SharedFlashblocks(last.View), next.Index)
	frames := c.framesOf(next, from)
	if len(frames) > 1 {
		for _, known := range c.framesOf(last, from) {
			known.previous = frames[0].previous
			if len(frames) == 1 || !known.equals(frames[0]) {
				break
			}
			frames = frames[1:]
		}
	}
	frames[0].repeat = next.ID() == last.ID() && next.Previous == last.Previous
	return frames
}

// framesOf returns the frames of a block's flashblocks up to f, from the one of index from on.
func (c *Config) framesOf(f *preconf.Flashblock, from int) []*frame {
	views := f.View.Flashblocks(max(from-1, 0))
	var before *preconf.View
	if from > 0 && len(views) > 0 {
		before, views = views[0], views[1:]
	}
	frames := make([]*frame, len(views))
	for i, view := range views {
		previous := f.Previous
		if index := from + i; index > 0 {
			previous = preconf.FlashblockID{Number: f.Number, Index: index - 1}
		}
		frames[i] = c.newFrame(before, view, previous)
		before = view
	}
	return frames
}
