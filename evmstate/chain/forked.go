package chain

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/remote"
)

// NewFork returns the chain whose first block is the fork block of f, with the rules of config and the given State
// after it, which is over that of f. One more block is tried out, so that what every block needs of the remote chain
// is there from then on. With Options.Track state must not be committed, and tells how it differs from that of f. An
// error names what is wrong, or is a *remote.Error.
func NewFork(f *remote.Fork, config *params.ChainConfig, state *evmstate.State, o Options) (*Chain, error) {
	if o.Optimism != nil {
		return nil, errors.New("a fork follows the rules of ethereum, not those of optimism")
	}
	header := f.Header()
	if config.IsLondon(header.Number) && header.BaseFee == nil {
		return nil, fmt.Errorf("fork block %d has no base fee, which the hard fork asks for", f.Number())
	}
	if o.Track {
		state = state.Tracked()
	}
	block := blockOf(header, f.Hash(), new(body))
	block.totalDifficulty = header.Difficulty
	made := &Chain{
		config:  config,
		fork:    f,
		past:    new(past),
		base:    f.Number(),
		history: defaultHistory,
		lenient: o.Lenient,
		code:    o.CodeLimit,
		txGas:   o.TxGasLimit,
		track:   o.Track,
		blocks:  newVector([]*Block{block}),
		state:   state.Commit(),
		states:  window{first: f.Number()},
		index:   newIndex().with(block),
	}
	if o.History > 0 {
		made.history = min(o.History, maxHistory)
	}
	draft, err := made.NewDraft(Env{})
	if err == nil {
		_, _, err = draft.Seal()
	}
	if err != nil {
		return nil, fmt.Errorf("fork block %d: %w", f.Number(), err)
	}
	return made, nil
}

// Fork returns the remote chain below Base, nil if the chain is not a fork.
func (c *Chain) Fork() *remote.Fork { return c.fork }

// Remote returns the block as the remote chain's node gave it, nil for the blocks of this chain, and until Whole.
func (b *Block) Remote() *remote.Block { return b.remote }

// Ancestor returns a block of a fork not above Base: header and hash, without what is in it. The error is a
// *remote.Error.
func (c *Chain) Ancestor(n uint64) (*Block, error) {
	if n == c.base {
		return c.blocks.items[0], nil
	}
	h, err := c.fork.HeaderByNumber(n)
	if err != nil {
		return nil, err
	}
	b := blockOf(h.Header, h.Hash, new(body))
	b.totalDifficulty = new(big.Int)
	return b, nil
}

// Whole returns a block with its transactions, receipts and logs: b itself unless it is at or below a fork block, whose
// transactions are of type *remote.Transaction. The error is a *remote.Error.
func (c *Chain) Whole(b *Block) (*Block, error) {
	if c.fork == nil || b.Number() > c.base || b.remote != nil {
		return b, nil
	}
	read, err := c.fork.BlockByNumber(b.Number())
	if err != nil {
		return nil, err
	}
	whole := blockOf(b.Header(), b.hash, &body{withdrawals: read.Withdrawals, remote: read})
	whole.totalDifficulty = b.totalDifficulty
	var transactions evmstate.Transactions
	for _, t := range read.Transactions {
		transactions = append(transactions, t)
		whole.senders = append(whole.senders, t.From)
		whole.receipts = append(whole.receipts, t.Receipt)
		whole.logs = append(whole.logs, t.Receipt.Logs...)
	}
	whole.transactions = newTransactions(transactions)
	whole.size.Store(read.Size)
	return whole, nil
}

// past holds the States below the first block of a fork that were asked for.
type past struct {
	states sync.Map // uint64 -> *evmstate.State
}

func (p *past) at(f *remote.Fork, n uint64) *evmstate.State {
	if s, ok := p.states.Load(n); ok {
		return s.(*evmstate.State)
	}
	s, _ := p.states.LoadOrStore(n, evmstate.StateFromSource(f.At(n)))
	return s.(*evmstate.State)
}

// knownChains are the chains whose forks go-ethereum knows by time.
var knownChains = []*params.ChainConfig{params.MainnetChainConfig, params.SepoliaChainConfig, params.HoodiChainConfig}

// HardforkAt returns the name of the rules that hold at the fork block of f, as ForkConfig knows it: for public
// chains by their schedule, for others by the fields of the header and, if the node tells of them, the precompiled
// contracts.
func HardforkAt(f *remote.Fork) (string, error) {
	h := f.Header()
	for _, config := range knownChains {
		if config.ChainID.Uint64() == f.ChainID() && config.IsLondon(h.Number) && h.Difficulty.Sign() == 0 {
			name := strings.ToLower(config.LatestFork(h.Time).String())
			if slices.Contains(ForkNames(), name) {
				return name, nil
			}
		}
	}
	switch {
	case h.RequestsHash != nil:
		precompiles, err := f.Precompiles()
		if slices.Contains(precompiles, "P256VERIFY") {
			return "osaka", err
		}
		return "prague", err
	case h.ParentBeaconRoot != nil:
		return "cancun", nil
	case h.WithdrawalsHash != nil:
		return "shanghai", nil
	case h.Difficulty.Sign() == 0 && h.BaseFee != nil && h.MixDigest != (common.Hash{}):
		return "paris", nil
	case h.BaseFee != nil:
		return "london", nil
	}
	return "istanbul", nil
}
