package chain

import (
	"cmp"
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Seal closes the block: it credits withdrawals and rewards, collects requests and computes roots and the hash. It
// returns the chain with the block, and the block. The draft stays as it was. Seal returns an error if a system
// contract that the fork calls is missing in the State.
func (d *Draft) Seal() (*Chain, *Block, error) {
	if last := d.PostExec(); last != nil {
		ended := *d
		ended.append(last, common.Address{}, last.Receipt(d.header.Number, d.Receipts()))
		d = &ended
	}
	f, err := d.finish()
	if err != nil {
		return nil, nil, fmt.Errorf("sealing block %v: %w", d.header.Number, err)
	}
	block := newBlock(d, f, d.chain.Head())
	next := d.chain.append(block, f.state, d.Transactions())
	if next.calm = nil; d.calms(f) {
		next.calm = f.state
	}
	return next, block, nil
}

// finished holds the State, the header and the lists of a sealed draft.
type finished struct {
	state      *evmstate.State // after the block, committed
	header     *types.Header   // complete
	requests   [][]byte        // whose hash the header has
	accessList *bal.BlockAccessList
}

func (d *Draft) finish() (*finished, error) {
	state, end, err := d.end()
	if err != nil {
		return nil, err
	}
	header := *d.header
	if state, err = d.account(state, &header); err != nil {
		return nil, err
	}
	f := &finished{state: state.Commit(), requests: end.Requests, header: &header}
	d.complete(f)
	if d.ledger != nil {
		f.accessList = d.ledger.list(end.Accesses)
		if err := f.accessList.Validate(d.header.GasLimit, d.Count()); err != nil {
			return nil, err
		}
		f.header.BlockAccessListHash = new(f.accessList.Hash())
	}
	return f, nil
}

// complete gives the header all results of the execution except the hash of the access list.
func (d *Draft) complete(f *finished) {
	state, requests, h := f.state, f.requests, f.header
	h.Root = state.Root()
	h.GasUsed = d.GasUsed()
	h.UncleHash = types.CalcUncleHash(d.uncles)
	h.TxHash, h.ReceiptHash, h.Bloom = types.EmptyTxsHash, types.EmptyReceiptsHash, types.Bloom{}
	if d.transactions.len() > 0 {
		h.TxHash = listRoot(d.Transactions())
		h.ReceiptHash = listRoot(evmstate.Receipts{Transactions: d.Transactions(), List: d.Receipts()})
		h.Bloom = types.MergeBloom(d.Receipts())
	}
	if h.BlobGasUsed != nil {
		h.BlobGasUsed = &noBlobGas
		// The rules of optimism put the DA footprint into the field, and have no blobs.
		if used := d.blobGas + d.footprint; used > 0 {
			h.BlobGasUsed = &used
		}
	}
	if h.RequestsHash != nil {
		h.RequestsHash = &emptyRequests
		if len(requests) > 0 {
			hash := types.CalcRequestsHash(requests)
			h.RequestsHash = &hash
		}
	}
	if d.chain.Optimism != nil { // it is not the root of validators' withdrawals
		h.WithdrawalsHash = new(state.StorageRoot(optimism.MessagePasser))
	}
}

// Ending holds the results of the end of a block, besides the State.
type Ending struct {
	// Requests are sent to the consensus layer (EIP-7685); nil before Prague.
	Requests [][]byte
	// Accesses are the accesses of the block's end (EIP-7928), nil before Amsterdam.
	Accesses *bal.ConstructionBlockAccessList
}

// noRequests ends blocks in which nothing happens after the last transaction, as those of rollups.
var noRequests = Ending{Requests: [][]byte{}}

// end returns the State after everything that happens after the last transaction.
func (d *Draft) end() (*evmstate.State, Ending, error) {
	config, h := d.chain.config, d.header
	if d.chain.Optimism != nil {
		return d.state, noRequests, nil
	}
	mined := h.Difficulty.Sign() > 0
	if !mined && !config.IsShanghai(h.Number, h.Time) {
		return d.state, Ending{}, nil
	}
	if d.endsAsParent() {
		return d.state, noRequests, nil
	}
	m := d.chain.Machine(d.state, d.block, vm.Config{})
	defer m.Release()
	if mined {
		d.reward(m.Overlay())
		m.Overlay().Finalise(m.EVM().GetRules())
		if err := m.Err(); err != nil {
			return nil, Ending{}, err
		}
		return m.State(), Ending{}, nil
	}
	ending, err := d.chain.EndBlock(context.Background(), m, h, d.Count(), d.logs.items, d.withdrawals)
	if err != nil {
		return nil, Ending{}, err
	}
	return m.State(), ending, nil
}

// EndBlock makes the changes on m that end a block from Shanghai on, after that many transactions with these logs:
// withdrawals, and from Prague on the system calls that collect the requests to the consensus layer (EIP-7685). The
// chains of rollups have no contracts to call: on a fork of one, and under the rules of optimism, there are no
// requests. Nor are there on a fork of a chain that lacks one of the contracts that its hard fork calls. The error is a
// *remote.Error, or names the missing system contract.
func (c *Chain) EndBlock(ctx context.Context, m *evmstate.Machine, h *types.Header, transactions int, logs []*types.Log, withdrawals types.Withdrawals) (Ending, error) {
	if c.Optimism != nil {
		return noRequests, m.Err()
	}
	index := uint32(transactions + 1)
	if c.fork != nil && c.lacksSystemContract(m, h) {
		end := Ending{Requests: [][]byte{}}
		if c.config.IsAmsterdam(h.Number, h.Time) {
			end.Accesses = bal.NewConstructionBlockAccessList()
		}
		core.ProcessWithdrawals(withdrawals, m.EVM(), index, end.Accesses)
		return end, m.Err()
	}
	requests, accesses, err := core.PostExecution(ctx, c.config, h.Number, h.Time, logs, withdrawals, m.EVM(), index)
	return Ending{requests, accesses}, cmp.Or(m.Err(), err)
}

// lacksSystemContract reports whether m has no code where the end of a block with header h calls a contract.
func (c *Chain) lacksSystemContract(m *evmstate.Machine, h *types.Header) bool {
	for _, contract := range requestContracts {
		if contract.active(c.config, h.Number, h.Time) && m.Overlay().GetCodeSize(contract.address) == 0 {
			return true
		}
	}
	return false
}

// reward pays the rewards of a proof-of-work block: the full reward and 1/32 of it for each uncle to the miner, and
// (8 - depth)/8 of it to each uncle's miner (Yellow Paper 11.3, EIP-649, EIP-1234).
func (d *Draft) reward(overlay *evmstate.Overlay) {
	full := d.chain.BlockReward(d.header.Number)
	miner := full.Clone()
	for _, uncle := range d.uncles {
		depth := d.header.Number.Uint64() - uncle.Number.Uint64()
		share := new(uint256.Int).Mul(full, uint256.NewInt(8-depth))
		overlay.AddBalance(uncle.Coinbase, share.Rsh(share, 3), tracing.BalanceIncreaseRewardMineUncle)
		miner.Add(miner, new(uint256.Int).Rsh(full, 5))
	}
	overlay.AddBalance(d.header.Coinbase, miner, tracing.BalanceIncreaseRewardMineBlock)
}

// BlockReward returns the full reward of a proof-of-work block, in wei. The caller must not modify it.
func (c *Chain) BlockReward(number *big.Int) *uint256.Int {
	switch {
	case c.config.IsConstantinople(number):
		return ethash.ConstantinopleBlockReward
	case c.config.IsByzantium(number):
		return ethash.ByzantiumBlockReward
	}
	return ethash.FrontierBlockReward
}
