package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/trie"

	"github.com/fakenode/fakenode/evmstate"
)

type block struct {
	*simulation
	slot    *slot
	header  *types.Header
	machine *evmstate.Machine
	tracer  *logTracer // nil if the EVM's own logs suffice
	pool    *core.GasPool

	transactions types.Transactions
	senders      []common.Address
	receipts     types.Receipts
	results      []CallResult
	logs         []*types.Log // of the EVM, without traced transfers
	logCount     uint         // reported so far, traced transfers included
	blobGas      uint64
	amsterdam    bool
	accesses     *bal.ConstructionBlockAccessList // nil before Amsterdam
}

// newBlock opens the next block. It applies the overrides first and then makes the system calls of the fork.
func (s *simulation) newBlock(ctx context.Context, next *slot) (*block, error) {
	b := &block{simulation: s, slot: next, header: s.header(next)}
	b.pool = core.NewGasPool(b.header.GasLimit)

	blockContext := s.chain.BlockContext(b.header)
	blockContext.GetHash = next.Overrides.hashes(s.blockHash)
	blockContext.BlobBaseFee = cmp.Or(next.Overrides.BlobBaseFee, blockContext.BlobBaseFee)
	rules := s.config.Rules(b.header.Number, blockContext.Random != nil, b.header.Time)
	if err := checkFork(rules); err != nil {
		return nil, err
	}
	b.amsterdam = rules.IsAmsterdam
	state, precompiles := s.state, vm.PrecompiledContracts(nil)
	if len(next.StateOverrides) > 0 || s.budget > maxPrecompileGas {
		var err error
		precompiles = boundedPrecompiles(s.chain, rules)
		if state, err = next.StateOverrides.apply(ctx, state, precompiles, s.chain.FixedPrecompiles); err != nil {
			return nil, err
		}
	}
	config := vm.Config{NoBaseFee: !s.payload.chargesBaseFee()}
	if s.payload.TraceTransfers && !b.amsterdam { // from Amsterdam on the transfers have logs of their own (EIP-7708)
		b.tracer = new(logTracer)
		config.Tracer = &tracing.Hooks{OnEnter: b.tracer.enter, OnExit: b.tracer.exit, OnLog: b.tracer.add}
	}
	b.machine = s.chain.Machine(state, blockContext, config)
	if precompiles != nil {
		b.machine.OverridePrecompiles(precompiles)
	}
	err := b.machine.OpenBlock(func() {
		b.accesses = core.PreExecution(context.Background(), b.header.ParentBeaconRoot, s.parent, s.config, b.machine.EVM(), b.header.Number, b.header.Time)
	})
	if err != nil {
		b.machine.Release()
		return nil, err
	}
	return b, nil
}

// add executes the next call. An error ends the whole simulation.
func (b *block) add(ctx context.Context, c *Call) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	gas, capped, err := b.gas(c)
	if err != nil {
		return err
	}
	if err := c.check(b.config); err != nil {
		return err
	}
	f, err := c.fees(b.header.BaseFee)
	if err != nil {
		return err
	}
	if err := b.machine.State().Load(c.sender()); err != nil {
		return err
	}
	nonce := b.machine.State().Nonce(c.sender())
	if c.Nonce != nil {
		nonce = *c.Nonce
	}
	tx := c.transaction(c.kind(b.header.BaseFee != nil, b.payload.GasPriceDecides), f, gas, nonce, b.config)
	msg := c.message(f, gas, nonce)
	if !b.payload.Validation {
		msg.SkipNonceCheck().SkipExecutionGasCapCheck()
	}
	if b.tracer != nil {
		b.tracer.frames, b.tracer.done = b.tracer.frames[:0], nil // also those of system calls
	}
	b.machine.SetTxContext(tx.Hash(), len(b.transactions))
	r, logs, err := b.apply(ctx, tx, msg, c.Tracer)
	switch {
	case errors.Is(err, core.ErrInsufficientFunds) && !(b.payload.Validation || b.payload.RejectUnfunded):
		r, capped = &core.ExecutionResult{Err: err}, false
	case err != nil:
		return applyError(ctx, b.machine, err, &InvalidCallError{Block: b.slot.number, Index: len(b.transactions), Gas: gas})
	}
	if err == nil {
		b.accesses.Merge(b.machine.Accesses())
	}
	b.budget -= r.UsedGas
	b.record(tx, c.sender(), r, logs, capped)
	return b.count(&b.results[len(b.results)-1])
}

// apply executes a message and calls the hooks of tracer unless it is nil.
func (b *block) apply(ctx context.Context, tx *types.Transaction, msg *core.Message, tracer func(stop func()) *tracing.Hooks) (*core.ExecutionResult, []*types.Log, error) {
	if tracer == nil {
		return b.machine.Apply(ctx, msg, b.pool)
	}
	evm := b.machine.EVM()
	usual := evm.Config.Tracer
	defer func() { evm.Config.Tracer = usual }()
	hooks := tracer(func() { evm.Config.Tracer = nil })
	evm.Config.Tracer = hooks
	hooks.OnTxStart(evm.GetVMContext(), tx, msg.From)
	r, logs, err := b.machine.Apply(ctx, msg, b.pool)
	hooks.OnTxEnd(nil, err)
	return r, logs, err
}

// count adds a result to the size of the simulation. The error is a *SizeError.
func (b *block) count(result *CallResult) error {
	b.size += result.size()
	if b.limit > 0 && b.size > b.limit {
		return &SizeError{Limit: b.limit}
	}
	return nil
}

// gas returns the gas limit of a call: the gas it asks for, or all that the block has left, but at most the gas that
// the request has left; capped reports whether the request's limit was the lower one.
func (b *block) gas(c *Call) (gas uint64, capped bool, err error) {
	left := b.pool.Available(b.amsterdam)
	if b.amsterdam && !b.payload.Validation {
		left = min(left, b.header.GasLimit-b.pool.CumulativeExecution()) // without the cap all of it may be execution gas
	}
	wanted := left
	if c.Gas != nil {
		wanted = *c.Gas
	}
	if wanted > left {
		return 0, false, fmt.Errorf("%w: remaining: %d, required: %d", ErrBlockGasLimit, left, wanted)
	}
	return min(wanted, b.budget), wanted > b.budget, nil
}

func (b *block) record(tx *types.Transaction, from common.Address, r *core.ExecutionResult, logs []*types.Log, capped bool) {
	receipt := &types.Receipt{
		Type:              tx.Type(),
		Status:            types.ReceiptStatusSuccessful,
		CumulativeGasUsed: b.pool.CumulativeUsed(),
		Logs:              logs,
	}
	if r.Failed() {
		receipt.Status = types.ReceiptStatusFailed
	}
	if !b.config.IsByzantium(b.header.Number) {
		receipt.PostState = b.machine.State().Root().Bytes()
	}
	receipt.Bloom = types.CreateBloom(receipt)
	b.blobGas += uint64(len(tx.BlobHashes())) * params.BlobTxBlobGasPerBlob

	reported := logs
	if b.tracer != nil {
		reported = b.tracer.done
	}
	result := newCallResult(b.chain, r, b.report(reported, tx.Hash()))
	if capped && r.Failed() && !errors.Is(r.Err, vm.ErrExecutionReverted) {
		result.Err = fmt.Errorf("%w (%w)", result.Err, ErrGasCapped)
	}
	b.transactions = append(b.transactions, tx)
	b.senders = append(b.senders, from)
	b.receipts = append(b.receipts, receipt)
	b.results = append(b.results, result)
	b.logs = append(b.logs, logs...)
}

// report returns copies of the logs with their position in the block. Their block hash is not set yet.
func (b *block) report(logs []*types.Log, tx common.Hash) []*types.Log {
	reported := make([]*types.Log, len(logs))
	for i, log := range logs {
		reported[i] = &types.Log{
			Address:        log.Address,
			Topics:         log.Topics,
			Data:           log.Data,
			BlockNumber:    b.slot.number,
			BlockTimestamp: b.slot.time,
			TxHash:         tx,
			TxIndex:        uint(len(b.transactions)),
			Index:          b.logCount,
		}
		b.logCount++
	}
	return reported
}

// seal closes the block: it credits withdrawals and rewards, collects requests and computes roots.
func (b *block) seal(ctx context.Context) (BlockResult, error) {
	h := b.header
	body := &types.Body{Transactions: b.transactions}
	if b.config.IsShanghai(h.Number, h.Time) {
		// It must not be nil, because the header of every block from Shanghai on has a withdrawals root.
		body.Withdrawals = types.Withdrawals{}
		if w := b.slot.Overrides.Withdrawals; w != nil && *w != nil {
			body.Withdrawals = *w
		}
	}
	end, err := b.chain.EndBlock(ctx, b.machine, h, len(b.transactions), b.logs, body.Withdrawals)
	if err != nil {
		return BlockResult{}, err
	}
	if end.Requests != nil {
		hash := types.CalcRequestsHash(end.Requests)
		h.RequestsHash = &hash
	}
	if b.amsterdam {
		b.accesses.Merge(end.Accesses)
		h.BlockAccessListHash = new(b.accesses.ToEncodingObj().Hash())
	}
	if h.ExcessBlobGas != nil {
		h.BlobGasUsed = &b.blobGas
	}
	h.GasUsed = b.pool.Used()
	if b.state, err = b.reward(b.machine.State()); err != nil {
		return BlockResult{}, err
	}
	if b.payload.ComputeStateRoots {
		b.state = b.state.Commit()
		h.Root = b.state.Root()
	}
	sealed := types.NewBlock(h, body, b.receipts, trie.NewStackTrie(nil))
	for _, result := range b.results {
		for _, log := range result.Logs {
			log.BlockHash = sealed.Hash()
		}
	}
	return BlockResult{Block: sealed, Calls: b.results, Senders: b.senders}, nil
}

func (b *block) reward(s *evmstate.State) (*evmstate.State, error) {
	if b.header.Difficulty.Sign() == 0 {
		return s, nil
	}
	miner := b.header.Coinbase
	if err := s.Load(miner); err != nil {
		return nil, err
	}
	return s.WithBalance(miner, evmstate.Sum(s.Balance(miner), b.chain.BlockReward(b.header.Number))), nil
}

// transferAddress is the address that stands for ether where a token is expected (ERC-7528).
var transferAddress = common.HexToAddress("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")

var transferTopic = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))

// logTracer collects the logs of a message in the order in which they happen, with a log for every transfer of ether by
// a message, call, creation or self-destruct. It drops the logs of a failed call frame. Logs of transfers are in no
// bloom and no receipt.
type logTracer struct {
	// frames holds the logs of each open call frame, from the outermost on.
	frames [][]*types.Log
	done   []*types.Log // of the closed outermost frame
}

func (t *logTracer) enter(_ int, op byte, from, to common.Address, _ []byte, _ uint64, value *big.Int) {
	t.frames = append(t.frames, nil)
	// DELEGATECALL and CALLCODE have a value but transfer nothing.
	if vm.OpCode(op) == vm.DELEGATECALL || vm.OpCode(op) == vm.CALLCODE || value == nil || value.Sign() == 0 {
		return
	}
	t.add(&types.Log{
		Address: transferAddress,
		Topics:  []common.Hash{transferTopic, common.BytesToHash(from[:]), common.BytesToHash(to[:])},
		Data:    common.BigToHash(value).Bytes(),
	})
}

func (t *logTracer) exit(_ int, _ []byte, _ uint64, _ error, reverted bool) {
	last := len(t.frames) - 1
	logs := t.frames[last]
	t.frames = t.frames[:last]
	switch {
	case reverted:
	case last == 0:
		t.done = logs
	default:
		t.frames[last-1] = append(t.frames[last-1], logs...)
	}
}

func (t *logTracer) add(log *types.Log) {
	last := len(t.frames) - 1
	t.frames[last] = append(t.frames[last], &types.Log{Address: log.Address, Topics: log.Topics, Data: log.Data})
}
