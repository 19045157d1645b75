package chain

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// MostLevied returns the most that the sender of tx pays besides gas in a block with that State, in wei.
func (c *Chain) MostLevied(tx *types.Transaction, in *evmstate.State) (*big.Int, error) {
	if c.Optimism == nil {
		return new(big.Int), nil
	}
	size, err := optimism.SizeOf(tx.WithoutBlobTxSidecar())
	if err != nil {
		return nil, err
	}
	return c.Optimism.NewLevy(optimism.FeesAt(in), size).Cost(tx.Gas()).ToBig(), nil
}

// include executes the deposits of an OP-stack chain on m: the L1 attributes, then BaseTime if blocks have
// milliseconds, then the users'.
func (d *Draft) include(m *evmstate.Machine, env Env) error {
	c := d.chain
	if c.Optimism == nil {
		return nil
	}
	l1, sequence := c.nextL1(env)
	if d.fees = l1.Fees; env.Unbegun {
		return nil
	}
	deposits := []*optimism.Deposit{l1.Attributes(sequence)}
	if c.BlockTime() > 0 {
		deposits = append(deposits, optimism.BaseTimeDeposit(d.header.Number.Uint64(), env.Millis))
	}
	for i, deposit := range append(deposits, env.Deposits...) {
		tx, receipt, err := deposit.Execute(m, i, d.pool)
		if err != nil {
			return fmt.Errorf("block %v: %w", d.header.Number, err)
		}
		d.size += tx.Size() + 9
		d.append(tx, deposit.From, receipt)
	}
	return nil
}

// levy makes m charge the sender of tx the fees besides gas, and returns the DA footprint of tx. The error is
// core.ErrGasLimitReached if the block has too little left for it.
func (d *Draft) levy(m *evmstate.Machine, tx *types.Transaction) (footprint uint64, err error) {
	if d.chain.Optimism == nil {
		m.SetLevy(d.chain.Levy())
		return 0, nil
	}
	size, err := optimism.SizeOf(tx)
	if err != nil {
		return 0, err
	}
	footprint = d.fees.Footprint(size)
	if limit := d.header.GasLimit; d.footprint+footprint > limit {
		return 0, fmt.Errorf("%w: DA footprint %d of %d used, transaction needs %d", core.ErrGasLimitReached, d.footprint, limit, footprint)
	}
	m.SetLevy(d.chain.Optimism.NewLevy(d.fees, size))
	return footprint, nil
}

// PostExec returns the transaction that Seal adds to the draft as the last, which lists what each signed transaction
// got back, or nil if it adds none.
func (d *Draft) PostExec() *optimism.PostExec {
	if d.chain.Optimism == nil || d.chain.Optimism.Upgrade.GasRefund == 0 {
		return nil
	}
	var refunds []optimism.GasRefund
	for i, tx := range d.Transactions() {
		if _, signed := tx.(*types.Transaction); signed {
			refunds = append(refunds, optimism.GasRefund{Index: uint64(i), Gas: d.chain.Optimism.Upgrade.GasRefund})
		}
	}
	if len(refunds) == 0 {
		return nil
	}
	return optimism.NewPostExec(d.header.Number.Uint64(), refunds)
}

// NextL1 returns the L1 block that the next block of an OP-stack chain refers to.
func (c *Chain) NextL1(env Env) (optimism.L1, error) {
	env, err := c.timed(env)
	if err != nil {
		return optimism.L1{}, err
	}
	l1, _ := c.nextL1(env)
	return l1, nil
}

// nextL1 returns the L1 block that the next block, which has that time, refers to, and how many blocks before it refer
// to the same one.
func (c *Chain) nextL1(env Env) (l1 optimism.L1, sequence uint64) {
	head := c.Head()
	l1, sequence = c.l1(head)
	switch {
	case env.L1 == nil:
		return c.Optimism.NextL1(l1, sequence, env.at().Sub(c.Time(head)))
	case env.L1.Hash == l1.Hash:
		return *env.L1, sequence + 1
	}
	return *env.L1, 0
}

// Forecast returns a View of the block after the head before it is made: its header and milliseconds, with the head's
// State. The error names the fault in env, or is a *PrunedError.
func (c *Chain) Forecast(env Env) (View, error) {
	env, header, err := c.timedHeader(env)
	if err != nil {
		return View{}, err
	}
	state, err := c.StateAt(c.Head())
	if err != nil {
		return View{}, err
	}
	return View{Chain: c, Header: header, State: optimism.WithMillis(state, env.Millis)}, nil
}

// L1 returns the L1 block that a block of an OP-stack chain refers to. The genesis refers to the one in its contract
// L1Block, or to the default one.
func (c *Chain) L1(b *Block) optimism.L1 {
	l1, _ := c.l1(b)
	return l1
}

// l1 returns the L1 block that b refers to, and how many blocks before b refer to the same one.
func (c *Chain) l1(b *Block) (l1 optimism.L1, sequence uint64) {
	if quiet := b.kept.Load().quiet; quiet != nil {
		return *quiet.system.L1, quiet.system.Sequence
	}
	if b.Count() > 0 {
		if l1, sequence, err := optimism.ReadL1(b.Transaction(0)); err == nil {
			return l1, sequence
		}
	}
	if c.genesis != nil {
		if account, ok := c.genesis.Alloc[optimism.L1BlockAddress]; ok && len(account.Storage) > 0 {
			return optimism.StoredL1(account.Storage), 0
		}
	}
	return c.Optimism.DefaultL1(b.Time()), 0
}

// Fees returns the fees that the draft's transactions pay besides gas, on an OP-stack chain.
func (d *Draft) Fees() optimism.Fees { return d.fees }

// Fees returns the fees that the transactions of b pay besides gas, on an OP-stack chain.
func (c *Chain) Fees(b *Block) optimism.Fees { return c.L1(b).Fees }

// L1 returns the L1 block that the draft of an OP-stack chain refers to.
func (d *Draft) L1() optimism.L1 {
	l1, _, _ := optimism.ReadL1(d.transactions.items[0])
	return l1
}
