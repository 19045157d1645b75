package chain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/misc"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// ErrBlobGasLimitReached is returned by Draft.Add for a transaction whose blobs do not fit into the rest of the block.
var ErrBlobGasLimitReached = errors.New("blob gas limit reached")

// Draft is a block under construction. It is immutable and safe for concurrent use: Add returns a new Draft.
type Draft struct {
	chain       *Chain
	header      *types.Header
	block       vm.BlockContext
	uncles      []*types.Header
	withdrawals types.Withdrawals

	state        *evmstate.State
	pool         *core.GasPool // not changed once set
	fees         optimism.Fees // of an OP-stack chain: as the first transaction sets them
	transactions vector[evmstate.Transaction]
	senders      vector[common.Address]
	receipts     vector[*types.Receipt]
	logs         vector[*types.Log]
	blobGas      uint64  // EIP-4844
	footprint    uint64  // of data on L1, in an OP-stack chain
	size         uint64  // upper bound of the block's RLP so far, in bytes
	ledger       *ledger // nil before Amsterdam
	console      []consoleCalls
}

// NewDraft returns a new block on the head, whose only transactions are the deposits of an OP-stack chain. It has made
// the system calls that open a block (EIP-4788, EIP-2935). The error names the fault in env, or is a *PrunedError if
// the head's State is pruned.
func (c *Chain) NewDraft(env Env) (*Draft, error) {
	env, header, err := c.timedHeader(env)
	if err != nil {
		return nil, err
	}
	withdrawals := env.Withdrawals
	if header.WithdrawalsHash != nil && withdrawals == nil {
		withdrawals = types.Withdrawals{}
	}
	return c.open(header, nil, withdrawals, env)
}

// open returns a new block on the head with the given header, and the deposits in env.
func (c *Chain) open(header *types.Header, uncles []*types.Header, withdrawals types.Withdrawals, env Env) (*Draft, error) {
	base, err := c.StateAt(c.Head())
	if err != nil {
		return nil, err
	}
	if c.Track {
		base = base.Tracked()
	}
	d := &Draft{
		chain:       c,
		header:      header,
		block:       c.BlockContext(header),
		uncles:      uncles,
		withdrawals: withdrawals,
		pool:        core.NewGasPool(header.GasLimit),
		// Header and framing take less than 2 KiB, an uncle less than 1 KiB, a withdrawal less than 64 bytes.
		size: 2048 + 1024*uint64(len(uncles)) + 64*uint64(len(withdrawals)),
	}
	begun := d.begun(base)
	if begun != nil && c.Optimism == nil { // there are no deposits
		d.state = begun
		return d, nil
	}
	m := c.Machine(cmp.Or(begun, base), d.block, vm.Config{NoBaseFee: true}) // deposits pay none
	defer m.Release()
	if begun == nil {
		if err := d.begin(m); err != nil {
			return nil, err
		}
	}
	if err := d.include(m, env); err != nil {
		return nil, err
	}
	d.state = m.State()
	return d, nil
}

// begin executes on m the DAO fork's transfers (EIP-779) and the system calls that come before the first transaction,
// and opens the ledger.
func (d *Draft) begin(m *evmstate.Machine) error {
	config, h := d.chain.config, d.header
	var accesses *bal.ConstructionBlockAccessList
	if config.IsAmsterdam(h.Number, h.Time) {
		accesses = bal.NewConstructionBlockAccessList()
		d.ledger = &ledger{accesses: newVector([]*bal.ConstructionBlockAccessList{accesses})}
	}
	if config.DAOForkSupport && config.DAOForkBlock != nil && config.DAOForkBlock.Cmp(h.Number) == 0 {
		misc.ApplyDAOHardFork(m.Overlay())
		m.Overlay().Finalise(m.EVM().GetRules())
	}
	return m.OpenBlock(func() {
		if h.ParentBeaconRoot != nil {
			core.ProcessBeaconBlockRoot(*h.ParentBeaconRoot, m.EVM(), accesses)
		}
		if config.IsPrague(h.Number, h.Time) {
			core.ProcessParentBlockHash(h.ParentHash, m.EVM(), accesses)
		}
	})
}

// Add executes a transaction from the given sender and returns the draft with it, and its receipt. Add does not compare
// the sender with the signature, and a contract may be the sender of a transaction that it did not sign
// (impersonation). It drops a blob sidecar, because blocks do not carry one.
//
// The error reports why the transaction cannot be in this block: core.ErrNonceTooLow, core.ErrNonceTooHigh,
// core.ErrInsufficientFunds, core.ErrGasLimitReached, ErrBlobGasLimitReached, core.ErrBlockOversized,
// core.ErrTxTypeNotSupported, types.ErrInvalidSig (replay protection before EIP-155) or another core.Err…. On a fork it
// may be a *remote.Error: something that the transaction needs cannot be had.
func (d *Draft) Add(tx *types.Transaction, from common.Address) (*Draft, *types.Receipt, error) {
	tx = tx.WithoutBlobTxSidecar()
	if err := d.check(tx); err != nil {
		return nil, nil, err
	}
	if err := d.state.Load(from); err != nil {
		return nil, nil, err
	}
	msg, err := newMessage(tx, from, d.header.BaseFee)
	if err != nil {
		return nil, nil, err
	}
	if d.impersonated(tx, from) {
		msg = msg.SkipEOACheck()
	}
	msg = d.chain.TxGasLimit.Lift(msg) // check has done it
	m := d.chain.Machine(d.state, d.block, vm.Config{})
	defer m.Release()
	footprint, err := d.levy(m, tx)
	if err != nil {
		return nil, nil, err
	}
	m.SetTxContext(tx.Hash(), d.transactions.len())
	pool := d.pool.Snapshot()
	result, logs, err := m.Apply(context.Background(), msg, pool)
	if err != nil {
		return nil, nil, err
	}
	next := *d
	next.pool = pool
	next.blobGas += tx.BlobGas()
	next.footprint += footprint
	next.size += encodedSize(tx)
	if m.Touched(ConsoleAddress) {
		next.console = append(slices.Clip(d.console), d.consoleOf(tx, msg))
	}
	if d.ledger != nil {
		next.ledger = d.ledger.with(d.pool, pool, m.Accesses())
	}
	next.state = m.State()
	receipt := d.newReceipt(tx, msg, result, logs)
	receipt.CumulativeGasUsed, receipt.BlobGasUsed = pool.CumulativeUsed(), tx.BlobGas()+footprint
	if !d.chain.config.IsByzantium(d.header.Number) {
		next.state = m.Commit()
		receipt.PostState = next.state.Root().Bytes()
	}
	next.append(tx, from, receipt)
	return &next, receipt, nil
}

// append makes an executed transaction the last of d, which nobody else has yet.
func (d *Draft) append(tx evmstate.Transaction, from common.Address, receipt *types.Receipt) {
	d.transactions = d.transactions.append(tx)
	d.senders = d.senders.append(from)
	d.receipts = d.receipts.append(receipt)
	for _, l := range receipt.Logs {
		d.logs = d.logs.append(l)
	}
}

// impersonated reports whether from is a contract that did not sign tx. A contract whose address has a known key may
// have signed it; the EVM rejects that sender (EIP-3607).
func (d *Draft) impersonated(tx *types.Transaction, from common.Address) bool {
	code := d.state.Code(from)
	if len(code) == 0 {
		return false
	}
	if _, delegated := types.ParseDelegation(code); delegated {
		return false
	}
	signer, err := types.Sender(types.MakeSigner(d.chain.config, d.header.Number, d.header.Time), tx)
	return err != nil || signer != from
}

// check returns an error for faults that the execution of a message does not find: in the transaction's type, replay
// protection, blob gas and block size.
func (d *Draft) check(tx *types.Transaction) error {
	config, h := d.chain.config, d.header
	supported := tx.Type() == types.LegacyTxType
	switch tx.Type() {
	case types.AccessListTxType:
		supported = config.IsBerlin(h.Number)
	case types.DynamicFeeTxType:
		supported = config.IsLondon(h.Number)
	case types.BlobTxType:
		supported = d.chain.HasBlobs(h)
	case types.SetCodeTxType:
		supported = config.IsPrague(h.Number, h.Time)
	}
	if !supported {
		return fmt.Errorf("%w: type %d in block %v", core.ErrTxTypeNotSupported, tx.Type(), h.Number)
	}
	if tx.Type() == types.LegacyTxType && tx.Protected() && !config.IsEIP155(h.Number) {
		return fmt.Errorf("%w: replay protection in block %v, before EIP-155", types.ErrInvalidSig, h.Number)
	}
	if err := d.chain.TxGasLimit.Check(config, h, tx.Gas()); err != nil {
		return err
	}
	if blobGas := tx.BlobGas(); blobGas > 0 {
		if limit := eip4844.MaxBlobGasPerBlock(config, h.Time); d.blobGas+blobGas > limit {
			return fmt.Errorf("%w: %d of %d used, transaction needs %d", ErrBlobGasLimitReached, d.blobGas, limit, blobGas)
		}
	}
	if config.IsOsaka(h.Number, h.Time) && d.size+encodedSize(tx) > params.MaxBlockSize {
		return fmt.Errorf("%w: transaction of %d bytes, limit %d (EIP-7934)", core.ErrBlockOversized, tx.Size(), params.MaxBlockSize)
	}
	return nil
}

// encodedSize returns an upper bound of the bytes that tx takes in the RLP of a block.
func encodedSize(tx *types.Transaction) uint64 { return tx.Size() + 9 }

// Chain returns the chain that the draft builds on.
func (d *Draft) Chain() *Chain { return d.chain }

// Header returns the header. Number, parent, time, coinbase, gas limit, fees and excess blob gas are final; Seal sets
// roots, bloom and gas used, and with them the hash. The caller must not modify it.
func (d *Draft) Header() *types.Header { return d.header }

// Transactions returns the transactions so far. The caller must not modify them.
func (d *Draft) Transactions() evmstate.Transactions { return d.transactions.all() }

// Transaction returns transaction i.
func (d *Draft) Transaction(i int) evmstate.Transaction { return d.transactions.items[i] }

// Count returns the number of transactions so far.
func (d *Draft) Count() int { return d.transactions.len() }

// Receipts returns the receipts so far. Their block hash is zero. The caller must not modify them.
func (d *Draft) Receipts() types.Receipts { return d.receipts.all() }

// Logs returns the logs so far. They have their final block number, timestamp and index, and the zero block hash. The
// caller must not modify them.
func (d *Draft) Logs() []*types.Log { return d.logs.all() }

// Sender returns the sender of transaction i.
func (d *Draft) Sender(i int) common.Address { return d.senders.items[i] }

// State returns the State after the last transaction. It is not committed.
func (d *Draft) State() *evmstate.State { return d.state }

// GasUsed returns the gas of all transactions so far: from Amsterdam on, of the kind that they used more of, before
// refunds (EIP-8037, EIP-7778).
func (d *Draft) GasUsed() uint64 { return d.pool.Used() }

// GasLeft returns the highest gas limit with which a transaction still fits into the block.
func (d *Draft) GasLeft() uint64 { return d.pool.Available(d.ledger != nil) }

// BlobGasUsed returns the blob gas of all transactions so far (EIP-4844).
func (d *Draft) BlobGasUsed() uint64 { return d.blobGas }

// BlobBaseFee returns a copy of the price of a unit of blob gas in wei, or nil before Cancun.
func (d *Draft) BlobBaseFee() *big.Int {
	if d.block.BlobBaseFee == nil {
		return nil
	}
	return new(big.Int).Set(d.block.BlobBaseFee)
}
