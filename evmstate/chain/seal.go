package chain

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Seal closes the block: it credits withdrawals and rewards, collects requests and computes roots and the hash. It
// returns the chain with the block, and the block. The draft stays as it was. Seal returns an error if a system
// contract that the fork calls is missing in the State.
func (d *Draft) Seal() (*Chain, *Block, error) {
	state, header, requests, err := d.finish()
	if err != nil {
		return nil, nil, fmt.Errorf("sealing block %v: %w", d.header.Number, err)
	}
	block := newBlock(d, header, requests, d.chain.Head())
	return d.chain.append(block, state), block, nil
}

// finish returns the committed State after the block, the complete header, and the requests whose hash the header has.
func (d *Draft) finish() (*evmstate.State, *types.Header, [][]byte, error) {
	state, requests, err := d.end()
	if err != nil {
		return nil, nil, nil, err
	}
	state = state.Commit()

	h := *d.header
	h.Root = state.Root()
	h.GasUsed = d.GasUsed()
	h.UncleHash = types.CalcUncleHash(d.uncles)
	h.TxHash, h.ReceiptHash, h.Bloom = types.EmptyTxsHash, types.EmptyReceiptsHash, types.Bloom{}
	switch {
	case len(d.deposits) > 0:
		receipts := optimism.Receipts{Deposits: d.deposits, Signed: d.Receipts()}
		h.TxHash = listRoot(optimism.Transactions{Deposits: d.deposits, Signed: d.Transactions()})
		h.ReceiptHash, h.Bloom = listRoot(receipts), receipts.Bloom()
		withdrawals := state.StorageRoot(optimism.MessagePasser)
		h.WithdrawalsHash = &withdrawals
	case d.transactions.len() > 0:
		h.TxHash = listRoot(d.Transactions())
		h.ReceiptHash = listRoot(d.Receipts())
		h.Bloom = types.MergeBloom(d.Receipts())
	}
	if h.BlobGasUsed != nil {
		h.BlobGasUsed = &noBlobGas
		if blobGas := d.blobGas; blobGas > 0 {
			h.BlobGasUsed = &blobGas
		}
	}
	if h.RequestsHash != nil {
		h.RequestsHash = &emptyRequests
		if len(requests) > 0 {
			hash := types.CalcRequestsHash(requests)
			h.RequestsHash = &hash
		}
	}
	return state, &h, requests, nil
}

// end returns the State after everything that happens after the last transaction, and the requests to the consensus
// layer (EIP-7685), which are nil before Prague.
func (d *Draft) end() (*evmstate.State, [][]byte, error) {
	config, h := d.chain.config, d.header
	mined := h.Difficulty.Sign() > 0
	if !mined && !config.IsShanghai(h.Number, h.Time) {
		return d.state, nil, nil
	}
	m := d.chain.Machine(d.state, d.block, vm.Config{})
	defer m.Release()
	if mined {
		d.reward(m.Overlay())
		m.Overlay().Finalise(m.EVM().GetRules())
		if err := m.Err(); err != nil {
			return nil, nil, err
		}
		return m.State(), nil, nil
	}
	requests, err := d.chain.EndBlock(context.Background(), m, h, d.logs.items, d.withdrawals)
	if err != nil {
		return nil, nil, err
	}
	return m.State(), requests, nil
}

// EndBlock makes the changes on m that end a block from Shanghai on: withdrawals, and from Prague on the system calls
// that collect the requests to the consensus layer (EIP-7685), which it returns. The chains of rollups have no
// contracts to call: on a fork of one, and under the rules of optimism, there are no requests. The error is a
// *remote.Error, or describes which system contract is missing.
func (c *Chain) EndBlock(ctx context.Context, m *evmstate.Machine, h *types.Header, logs []*types.Log, withdrawals types.Withdrawals) ([][]byte, error) {
	if c.rollup != nil {
		return [][]byte{}, m.Err()
	}
	if c.fork != nil && c.config.IsPrague(h.Number, h.Time) {
		overlay := m.Overlay()
		if overlay.GetCodeSize(params.WithdrawalQueueAddress) == 0 || overlay.GetCodeSize(params.ConsolidationQueueAddress) == 0 {
			core.ProcessWithdrawals(withdrawals, m.EVM(), 0, nil)
			return [][]byte{}, m.Err()
		}
	}
	requests, _, err := core.PostExecution(ctx, c.config, h.Number, h.Time, logs, withdrawals, m.EVM(), 0)
	return requests, cmp.Or(m.Err(), err)
}

// reward pays the rewards of a proof-of-work block: the full reward and 1/32 of it for each uncle to the miner, and
// (8 - depth)/8 of it to each uncle's miner (Yellow Paper 11.3, EIP-649, EIP-1234).
func (d *Draft) reward(overlay *evmstate.Overlay) {
	full := ethash.FrontierBlockReward
	if d.chain.config.IsByzantium(d.header.Number) {
		full = ethash.ByzantiumBlockReward
	}
	if d.chain.config.IsConstantinople(d.header.Number) {
		full = ethash.ConstantinopleBlockReward
	}
	miner := full.Clone()
	for _, uncle := range d.uncles {
		depth := d.header.Number.Uint64() - uncle.Number.Uint64()
		share := new(uint256.Int).Mul(full, uint256.NewInt(8-depth))
		overlay.AddBalance(uncle.Coinbase, share.Rsh(share, 3), tracing.BalanceIncreaseRewardMineUncle)
		miner.Add(miner, new(uint256.Int).Rsh(full, 5))
	}
	overlay.AddBalance(d.header.Coinbase, miner, tracing.BalanceIncreaseRewardMineBlock)
}
