package flashblocks

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
)

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
