package flashblocks

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/preconf"
)

// payload is a frame's content, FlashblocksPayloadV1, with its members in the order in which Base's builder writes
// them.
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

// diff holds the members that change with each flashblock. Transactions are the flashblock's own, all others belong to
// the block so far.
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

// newPayload describes the flashblock that led a pending block from before to view; before is nil at index 0. It names
// previous as the flashblock before it.
func (c *Config) newPayload(before, view *preconf.View, previous preconf.FlashblockID) (p *payload, err error) {
	header := c.Header(view)
	p = &payload{
		ID:    payloadID(view.Header()),
		Index: view.FlashblockIndex(),
		Diff: diff{
			StateRoot:       header.Root,
			ReceiptsRoot:    header.ReceiptHash,
			LogsBloom:       header.Bloom,
			GasUsed:         hexutil.Uint64(header.GasUsed),
			BlockHash:       header.Hash(),
			Transactions:    []hexutil.Bytes{},
			Withdrawals:     []struct{}{},
			WithdrawalsRoot: orZero(header.WithdrawalsHash),
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

// payloadID identifies the build of a block, by the header of a draft: it depends on all members of base and on nothing
// that changes while the block is built.
func payloadID(draft *types.Header) []byte { return crypto.Keccak256(draft.Hash().Bytes())[:8] }

func newBase(header *types.Header) *base {
	b := &base{
		ParentBeaconBlockRoot: orZero(header.ParentBeaconRoot),
		ParentHash:            header.ParentHash,
		FeeRecipient:          header.Coinbase,
		PrevRandao:            header.MixDigest,
		BlockNumber:           hexutil.Uint64(header.Number.Uint64()),
		GasLimit:              hexutil.Uint64(header.GasLimit),
		Timestamp:             hexutil.Uint64(header.Time),
		ExtraData:             header.Extra,
		BaseFeePerGas:         new(hexutil.Big),
	}
	if header.BaseFee != nil {
		b.BaseFeePerGas = (*hexutil.Big)(header.BaseFee)
	}
	return b
}

func orZero(hash *common.Hash) common.Hash {
	if hash == nil {
		return common.Hash{}
	}
	return *hash
}

// Metadata selects the members of a frame besides the contents of the block.
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

// Valid reports whether m is one of the constants above, or empty, which means Minimal.
func (m Metadata) Valid() bool { return m == "" || slices.Contains(AllMetadata(), m) }

// details holds the members that Full and Subblocks add, for the flashblock alone.
type details struct {
	Receipts map[common.Hash]receipt          `json:"receipts"`             // by transaction
	Balances map[common.Address]*hexutil.U256 `json:"new_account_balances"` // of accounts whose balance changed, in wei
}

// receipt is a receipt as consensus knows it.
type receipt struct {
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

// newDetails returns the details of the flashblock between two views of a pending block; first is the index of its
// first transaction.
func newDetails(before, view *preconf.View, first int) (*details, error) {
	d := &details{Receipts: map[common.Hash]receipt{}, Balances: map[common.Address]*hexutil.U256{}}
	for i, tx := range view.Transactions()[first:] {
		d.Receipts[tx.Hash()] = newReceipt(view.Receipts()[first+i])
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

func newReceipt(r *types.Receipt) receipt {
	logs := make([]receiptLog, len(r.Logs))
	for i, l := range r.Logs {
		logs[i] = receiptLog{l.Address, l.Topics, l.Data}
	}
	return receipt{hexutil.Uint64(r.Type), hexutil.Uint64(r.Status), hexutil.Uint64(r.CumulativeGasUsed), logs}
}
