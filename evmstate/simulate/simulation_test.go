package simulate_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// run simulates and demands that it works.
func run(t testing.TB, v chain.View, p simulate.Payload) []simulate.BlockResult {
	t.Helper()
	results, err := simulate.Run(t.Context(), v, p, simulate.Limits{})
	require.NoError(t, err)
	return results
}

// runCalls simulates one block of calls.
func runCalls(t testing.TB, v chain.View, calls ...simulate.Call) simulate.BlockResult {
	t.Helper()
	return run(t, v, simulate.Payload{Blocks: []simulate.Block{{Calls: calls}}})[0]
}

func TestRunChainsBlocks(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: counter()})
	results := run(t, v, simulate.Payload{Rules: simulate.Rules{ReportGaps: true}, Blocks: []simulate.Block{
		{Calls: []simulate.Call{callTo(target), callTo(target)}},
		{Calls: []simulate.Call{callTo(target)}, Overrides: &simulate.BlockOverrides{Number: big.NewInt(4)}},
		{Overrides: &simulate.BlockOverrides{Time: ptr(uint64(1_800_000_000)), GasLimit: ptr(uint64(99)), FeeRecipient: &nobody, PrevRandao: ptr(word(7)), BaseFee: big.NewInt(5)}},
		{},
	}})
	require.Len(t, results, 6, "two blocks fill the gap")
	parent := v.Header
	for i, r := range results {
		h := r.Block.Header()
		require.Equal(t, uint64(i+1), h.Number.Uint64())
		require.Equal(t, parent.Hash(), h.ParentHash)
		require.Equal(t, common.Hash{}, h.Root, "contract 2.6-stateRoot")
		require.Equal(t, types.EmptyWithdrawalsHash, *h.WithdrawalsHash)
		require.Equal(t, types.EmptyRequestsHash, *h.RequestsHash)
		require.Equal(t, common.Hash{}, *h.ParentBeaconRoot)
		require.Zero(t, h.Difficulty.Sign())
		require.Empty(t, h.Extra)
		if i == 4 {
			require.Equal(t, uint64(1_800_000_000), h.Time)
		} else {
			require.Equal(t, parent.Time+12, h.Time)
		}
		parent = h
	}
	require.Equal(t, word(2).Bytes(), results[0].Calls[1].ReturnData)
	require.Equal(t, word(3).Bytes(), results[3].Calls[0].ReturnData, "state carries over")
	last, inherits := results[4].Block.Header(), results[5].Block.Header()
	require.Equal(t, []any{uint64(99), nobody, word(7), big.NewInt(5)}, []any{last.GasLimit, last.Coinbase, last.MixDigest, last.BaseFee})
	require.Equal(t, []any{uint64(99), nobody, common.Hash{}, new(big.Int)}, []any{inherits.GasLimit, inherits.Coinbase, inherits.MixDigest, inherits.BaseFee})
}

func TestRunReportsCalls(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: counter(), another: reverting(reason(t, "no")), nobody: {byte(vm.INVALID)}})
	burns := callTo(nobody)
	burns.Gas = ptr(uint64(50_000))
	r := runCalls(t, v, callTo(target), callTo(another), burns, callTo(target))
	require.Len(t, r.Block.Transactions(), 4)
	require.Equal(t, []common.Address{rich, rich, rich, rich}, r.Senders)

	var revert *evmstate.RevertError
	require.ErrorAs(t, r.Calls[1].Err, &revert)
	require.Equal(t, "no", revert.Reason())
	require.ErrorContains(t, r.Calls[2].Err, "invalid opcode")
	require.Empty(t, r.Calls[1].Logs)

	var sum uint64
	for _, c := range r.Calls {
		sum += c.GasUsed
	}
	require.Equal(t, sum, r.Block.GasUsed())
	for i, call := range map[int]int{0: 0, 1: 3} {
		log := r.Calls[call].Logs[0]
		require.Equal(t, &types.Log{
			Address: target, Topics: log.Topics, Data: word(uint64(i + 1)).Bytes(),
			BlockNumber: 1, BlockTimestamp: v.Header.Time + 12, BlockHash: r.Block.Hash(),
			TxHash: r.Block.Transactions()[call].Hash(), TxIndex: uint(call), Index: uint(i),
		}, log)
	}
	require.Equal(t, []uint64{0, 1, 2, 3}, nonces(r.Block.Transactions()), "nonces run on")
}

func nonces(txs types.Transactions) []uint64 {
	list := make([]uint64, len(txs))
	for i, tx := range txs {
		list[i] = tx.Nonce()
	}
	return list
}

func TestRunKnowsBlockHashes(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: blockHash()})
	ask := func(numbers ...uint64) []simulate.Call {
		calls := make([]simulate.Call, len(numbers))
		for i, n := range numbers {
			h := word(n)
			calls[i] = callTo(target, h[:]...)
		}
		return calls
	}
	results := run(t, v, simulate.Payload{Rules: simulate.Rules{ReportGaps: true}, Blocks: []simulate.Block{
		{Calls: ask(0, 1)},
		{Calls: ask(0, 1, 2, 3, 4, 5), Overrides: &simulate.BlockOverrides{Number: big.NewInt(4), BlockHash: map[uint64]common.Hash{2: word(99)}}},
	}})
	require.Equal(t, v.Header.Hash().Bytes(), results[0].Calls[0].ReturnData, "the real block")
	require.Equal(t, make([]byte, 32), results[0].Calls[1].ReturnData, "itself")
	for n, want := range []common.Hash{v.Header.Hash(), results[0].Block.Hash(), word(99), results[2].Block.Hash(), {}, {}} {
		require.Equal(t, want.Bytes(), results[3].Calls[n].ReturnData, "block %d", n)
	}
}

func TestRunOrder(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	number := func(n int64) *simulate.BlockOverrides { return &simulate.BlockOverrides{Number: big.NewInt(n)} }
	at := func(seconds uint64) *simulate.BlockOverrides {
		return &simulate.BlockOverrides{Time: ptr(v.Header.Time + seconds)}
	}
	for _, test := range []struct {
		name   string
		blocks []*simulate.BlockOverrides
		is     error
	}{
		{"number of the base", []*simulate.BlockOverrides{number(0)}, simulate.ErrBlockNumberOrder},
		{"same number", []*simulate.BlockOverrides{number(3), number(3)}, simulate.ErrBlockNumberOrder},
		{"number taken by default", []*simulate.BlockOverrides{number(3), nil, number(4)}, simulate.ErrBlockNumberOrder},
		{"time of the base", []*simulate.BlockOverrides{at(0)}, simulate.ErrBlockTimeOrder},
		{"time before default", []*simulate.BlockOverrides{nil, at(12)}, simulate.ErrBlockTimeOrder},
		{"time before gap block", []*simulate.BlockOverrides{{Number: big.NewInt(2), Time: ptr(v.Header.Time + 1)}}, simulate.ErrBlockTimeOrder},
		{"time at its end", []*simulate.BlockOverrides{{Time: ptr(^uint64(0))}, nil}, simulate.ErrBlockTimeOrder},
		{"last block", []*simulate.BlockOverrides{number(256)}, nil},
		{"beyond the last block", []*simulate.BlockOverrides{number(256), nil}, simulate.ErrTooManyBlocks},
		{"257 blocks in a gap", []*simulate.BlockOverrides{number(257)}, simulate.ErrTooManyBlocks},
		{"number of 65 bits", []*simulate.BlockOverrides{{Number: new(big.Int).Lsh(big.NewInt(1), 64)}}, simulate.ErrTooManyBlocks},
		{"257 blocks", make([]*simulate.BlockOverrides, 257), simulate.ErrTooManyBlocks},
		{"none", nil, simulate.ErrEmptyPayload},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var p simulate.Payload
			for _, o := range test.blocks {
				p.Blocks = append(p.Blocks, simulate.Block{Overrides: o})
			}
			_, err := simulate.Run(t.Context(), v, p, simulate.Limits{})
			require.ErrorIs(t, err, test.is)
		})
	}
}

func TestCheckLimits(t *testing.T) {
	t.Parallel()
	full := simulate.Block{Calls: make([]simulate.Call, simulate.MaxCallsPerBlock)}
	for _, c := range []struct {
		blocks []simulate.Block
		text   string // of the error; empty: none
		kind   error
	}{
		{nil, "empty input: blockStateCalls has no entries", simulate.ErrEmptyPayload},
		{make([]simulate.Block, 1), "", nil},
		{make([]simulate.Block, simulate.MaxBlocks), "", nil},
		{make([]simulate.Block, simulate.MaxBlocks+1), "too many blocks: 257 > 256", simulate.ErrTooManyBlocks},
		{[]simulate.Block{full, {}, full}, "", nil},
		{[]simulate.Block{full, {Calls: make([]simulate.Call, 1)}, full}, "too many calls: 10001 > 10000", simulate.ErrTooManyCalls},
		{[]simulate.Block{{}, {Calls: make([]simulate.Call, simulate.MaxCallsPerBlock+1)}}, "too many calls in block 1: 5001 > 5000", simulate.ErrTooManyCalls},
	} {
		err := (&simulate.Payload{Blocks: c.blocks}).Check()
		if c.text == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, c.kind)
		require.EqualError(t, err, c.text)
	}
}

func TestRunSharesGas(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: labcode.Spinner()})
	block := simulate.Block{Calls: []simulate.Call{callTo(target)}}
	results, err := simulate.Run(t.Context(), v, simulate.Payload{Blocks: []simulate.Block{
		{Calls: []simulate.Call{transfer(nobody, 1)}}, block,
	}}, simulate.Limits{GasCap: 121_000})
	require.NoError(t, err)
	require.Equal(t, uint64(100_000), results[1].Calls[0].GasUsed, "what the first block left")
	require.ErrorIs(t, results[1].Calls[0].Err, vm.ErrOutOfGas)
	require.ErrorIs(t, results[1].Calls[0].Err, simulate.ErrGasCapped)

	_, err = simulate.Run(t.Context(), v, simulate.Payload{Blocks: []simulate.Block{block, block}}, simulate.Limits{GasCap: 100_000})
	var invalid *simulate.InvalidCallError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, simulate.InvalidCallError{Block: 2, Index: 0, Gas: 0, Err: invalid.Err}, *invalid)
	require.ErrorIs(t, err, core.ErrIntrinsicGas)

	limited := &simulate.BlockOverrides{GasLimit: ptr(uint64(100_000))}
	r := run(t, v, simulate.Payload{Blocks: []simulate.Block{{Overrides: limited, Calls: []simulate.Call{transfer(nobody, 1), callTo(target)}}}})[0]
	require.Equal(t, uint64(79_000), r.Calls[1].GasUsed, "what the block has left")
	require.NotErrorIs(t, r.Calls[1].Err, simulate.ErrGasCapped)
	big := transfer(nobody, 1)
	big.Gas = ptr(uint64(100_001))
	_, err = simulate.Run(t.Context(), v, simulate.Payload{Blocks: []simulate.Block{{Overrides: limited, Calls: []simulate.Call{big}}}}, simulate.Limits{})
	require.ErrorIs(t, err, simulate.ErrBlockGasLimit)
}

func TestRunValidates(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	valid := func(change func(*simulate.Call)) simulate.Call {
		c := transfer(nobody, 1)
		c.MaxFeePerGas, c.Gas = big.NewInt(params.GWei), ptr(uint64(21_000))
		change(&c)
		return c
	}
	for _, test := range []struct {
		name   string
		change func(*simulate.Call)
		is     error // with validation
		always error // without
	}{
		{"valid", func(*simulate.Call) {}, nil, nil},
		{"nonce too high", func(c *simulate.Call) { c.Nonce = ptr(uint64(1)) }, core.ErrNonceTooHigh, nil},
		{"no fee", func(c *simulate.Call) { c.MaxFeePerGas = nil }, nil, nil},
		{"low fee", func(c *simulate.Call) { c.MaxFeePerGas = big.NewInt(1) }, nil, nil},
		{"tip above fee", func(c *simulate.Call) { c.MaxPriorityFeePerGas = big.NewInt(2 * params.GWei) }, core.ErrTipAboveFeeCap, core.ErrTipAboveFeeCap},
		{"no funds", func(c *simulate.Call) { c.From = &poor }, core.ErrInsufficientFunds, nil},
		{"no gas", func(c *simulate.Call) { c.Gas = ptr(uint64(0)) }, core.ErrIntrinsicGas, core.ErrIntrinsicGas},
		{"init code of 48 KiB", func(c *simulate.Call) {
			c.To, c.Data, c.Gas = nil, make([]byte, params.MaxInitCodeSize+1), nil
		}, vm.ErrMaxInitCodeSizeExceeded, vm.ErrMaxInitCodeSizeExceeded},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := simulate.Payload{Blocks: []simulate.Block{{Calls: []simulate.Call{valid(test.change)}}}}
			_, err := simulate.Run(t.Context(), v, p, simulate.Limits{})
			require.ErrorIs(t, err, test.always)
			p.Validation = true
			_, err = simulate.Run(t.Context(), v, p, simulate.Limits{})
			require.ErrorIs(t, err, test.is)
		})
	}
	unpaid := []simulate.Block{{Calls: []simulate.Call{valid(func(c *simulate.Call) { c.MaxFeePerGas = nil })}}}
	_, err := simulate.Run(t.Context(), v, simulate.Payload{Validation: true, Rules: simulate.Rules{ChargeBaseFee: true}, Blocks: unpaid}, simulate.Limits{})
	require.ErrorIs(t, err, core.ErrFeeCapTooLow)
	require.Zero(t, run(t, v, simulate.Payload{Validation: true, Blocks: unpaid})[0].Block.BaseFee().Sign())
	results := run(t, v, simulate.Payload{Validation: true, Rules: simulate.Rules{ChargeBaseFee: true}, Blocks: make([]simulate.Block, 2)})
	require.Equal(t, int64(875_000_000), results[0].Block.BaseFee().Int64(), "EIP-1559")
	require.Equal(t, int64(765_625_000), results[1].Block.BaseFee().Int64())

	low := valid(func(c *simulate.Call) { c.Nonce = ptr(uint64(0)) })
	_, err = simulate.Run(t.Context(), v, simulate.Payload{Validation: true, Blocks: []simulate.Block{{Calls: []simulate.Call{low, low}}}}, simulate.Limits{})
	require.ErrorIs(t, err, core.ErrNonceTooLow)
}

// Ensure a call whose sender cannot pay its value or gas fails alone, without effect, and the calls beside it run.
func TestRunUnfunded(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	gift, priced := transfer(nobody, 1), callTo(nobody)
	gift.From, priced.From, priced.GasPrice = &poor, &poor, big.NewInt(1)
	calls := []simulate.Call{transfer(nobody, 1), gift, priced, transfer(nobody, 2)}
	p := simulate.Payload{Blocks: []simulate.Block{{Calls: calls}}, TraceTransfers: true}
	r := run(t, v, p)[0]
	require.Len(t, r.Block.Transactions(), len(calls))
	for i, result := range r.Calls {
		if i == 0 || i == 3 {
			require.NoError(t, result.Err)
			require.EqualValues(t, i/3, result.Logs[0].Index, "a failed call takes no place in the logs")
			continue
		}
		require.ErrorIs(t, result.Err, core.ErrInsufficientFunds)
		require.Zero(t, result.GasUsed)
		require.Empty(t, result.Logs)
	}
	require.EqualValues(t, 2*21_000, r.Block.GasUsed())
	p.RejectUnfunded = true
	_, err := simulate.Run(t.Context(), v, p, simulate.Limits{})
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
}

// Ensure there is one result for each block of the payload, whatever numbers it leaves out, and that the blocks between
// exist nevertheless.
func TestRunResults(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	jump := simulate.Block{Overrides: &simulate.BlockOverrides{Number: big.NewInt(7)}}
	p := simulate.Payload{Blocks: []simulate.Block{{}, jump, {}}}
	asked := run(t, v, p)
	p.ReportGaps = true
	all := run(t, v, p)
	require.Len(t, all, 8)
	for i, n := range []int{0, 6, 7} {
		require.Equal(t, all[n].Block.Hash(), asked[i].Block.Hash())
	}
	require.Len(t, asked, 3)
}

// Ensure a simulation that continues the block being built uses that block's gas limit, fee recipient and, under
// validation, base fee, and no earlier time; without gaps or overrides it is still 12 s after the head.
func TestRunContinuesThePendingBlock(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	pending := types.CopyHeader(v.Header)
	pending.Number = big.NewInt(1)
	pending.Coinbase, pending.GasLimit, pending.BaseFee = nobody, 20_000_000, big.NewInt(77)
	run := func(validation bool, late uint64, blocks ...simulate.Block) []*types.Header {
		pending.Time = v.Header.Time + late
		results, err := simulate.Run(t.Context(), v, simulate.Payload{
			Blocks: blocks, Pending: pending, Validation: validation, Rules: simulate.Rules{ChargeBaseFee: true, ReportGaps: true},
		}, simulate.Limits{})
		require.NoError(t, err)
		var headers []*types.Header
		for _, r := range results {
			headers = append(headers, r.Block.Header())
		}
		return headers
	}
	after := func(headers []*types.Header) (seconds []uint64) {
		for _, h := range headers {
			seconds = append(seconds, h.Time-v.Header.Time)
		}
		return seconds
	}
	require.Equal(t, []uint64{12, 24}, after(run(false, 2, simulate.Block{}, simulate.Block{})))
	require.Equal(t, []uint64{3600, 3612}, after(run(false, 3600, simulate.Block{}, simulate.Block{})))
	number := &simulate.BlockOverrides{Number: big.NewInt(3)}
	require.Equal(t, []uint64{3600, 3612, 3624}, after(run(false, 3600, simulate.Block{Overrides: number})), "the gap begins with it")
	earlier := &simulate.BlockOverrides{Time: ptr(v.Header.Time + 5)}
	require.Equal(t, []uint64{5, 17}, after(run(false, 3600, simulate.Block{Overrides: earlier}, simulate.Block{})), "an override is free")

	blocks := run(true, 2, simulate.Block{}, simulate.Block{})
	for _, h := range blocks {
		require.Equal(t, nobody, h.Coinbase)
		require.EqualValues(t, 20_000_000, h.GasLimit)
	}
	require.EqualValues(t, 77, blocks[0].BaseFee.Uint64())
	require.Less(t, blocks[1].BaseFee.Uint64(), uint64(77), "follows from the first")
	require.Zero(t, run(false, 2, simulate.Block{})[0].BaseFee.Sign())
	require.Equal(t, v.Header.Hash(), blocks[0].ParentHash)
}

// Ensure an override by an empty storage creates the account that it is for, as one by anything else does.
func TestEmptyStorageCreatesAccount(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	root := func(o simulate.AccountOverride) common.Hash {
		overrides := simulate.StateOverrides{nobody: o}
		return run(t, v, simulate.Payload{Blocks: []simulate.Block{{StateOverrides: overrides}}, Rules: simulate.Rules{ComputeStateRoots: true}})[0].Block.Root()
	}
	none, created := root(simulate.AccountOverride{}), root(simulate.AccountOverride{Nonce: new(uint64)})
	require.NotEqual(t, none, created)
	require.Equal(t, created, root(simulate.AccountOverride{State: map[common.Hash]common.Hash{}}))
	require.Equal(t, none, root(simulate.AccountOverride{StateDiff: map[common.Hash]common.Hash{}}))
}
