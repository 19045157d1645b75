package simulate_test

import (
	"context"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// partly is a Source that has one account and cannot reach any other.
type partly struct{ reachable common.Address }

var errUnreachable = errors.New("unreachable")

func (partly) Number() uint64                        { return 0 }
func (partly) BlockHash(uint64) (common.Hash, error) { return common.Hash{}, errUnreachable }
func (p partly) Slot(common.Address, common.Hash) (common.Hash, error) {
	return common.Hash{}, errUnreachable
}

func (p partly) Account(address common.Address) (evmstate.SourceAccount, error) {
	if address != p.reachable {
		return evmstate.SourceAccount{}, errUnreachable
	}
	return evmstate.SourceAccount{Balance: ether}, nil
}

// Ensure a question whose sender, target or override is on a chain that does not answer has that chain's error.
func TestUnreachableAccounts(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	for _, reachable := range []common.Address{{}, rich} {
		v.State = evmstate.StateFromSource(partly{reachable})
		call, override := callTo(target, 1), simulate.StateOverrides{nobody: {Nonce: new(uint64)}}
		for name, ask := range map[string]func(simulate.StateOverrides) error{
			"call": func(so simulate.StateOverrides) error {
				_, err := simulate.RunCall(t.Context(), v, call, so, nil, simulate.Limits{})
				return err
			},
			"estimate": func(so simulate.StateOverrides) error {
				gas, err := simulate.EstimateGas(t.Context(), v, call, so, nil, simulate.Limits{})
				require.Zero(t, gas)
				return err
			},
			"list": func(so simulate.StateOverrides) error {
				list, gas, failure, err := simulate.CreateAccessList(t.Context(), v, call, so, nil, simulate.Limits{})
				require.Nil(t, list)
				require.Zero(t, gas)
				require.NoError(t, failure)
				return err
			},
			"slot": func(simulate.StateOverrides) error {
				_, _, found, err := simulate.DecidingSlot(t.Context(), v, call, uint256.NewInt(1), simulate.Limits{})
				require.False(t, found)
				return err
			},
			"simulation": func(so simulate.StateOverrides) error {
				blocks := []simulate.Block{{Calls: []simulate.Call{call}, StateOverrides: so}}
				_, err := simulate.Run(t.Context(), v, simulate.Payload{Blocks: blocks}, simulate.Limits{})
				return err
			},
		} {
			require.ErrorIs(t, ask(nil), errUnreachable, name)
			require.ErrorIs(t, ask(override), errUnreachable, name)
		}
	}
}

// Ensure what is wrong with a call or an override is found before anything runs, and named.
func TestCallsRefused(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	free := callTo(target)
	free.MaxFeePerBlobGas = new(big.Int)
	_, _, _, err := simulate.CreateAccessList(t.Context(), v, free, nil, nil, simulate.Limits{})
	require.ErrorIs(t, err, simulate.ErrZeroBlobFee)
	sha, far := common.BytesToAddress([]byte{2}), common.Address{0xff}
	for want, so := range map[string]simulate.StateOverrides{
		target.Hex() + " is not a precompile":              {target: {MovePrecompileTo: &far}},
		sha.Hex() + " is moved to itself":                  {sha: {MovePrecompileTo: &sha}},
		rich.Hex() + " is already overridden":              {sha: {MovePrecompileTo: &rich}, rich: {}},
		target.Hex() + " has both 'state' and 'stateDiff'": {target: {State: map[common.Hash]common.Hash{}, StateDiff: map[common.Hash]common.Hash{}}},
	} {
		_, _, _, err := simulate.CreateAccessList(t.Context(), v, callTo(target), so, nil, simulate.Limits{})
		require.EqualError(t, err, "account "+want)
		_, err = simulate.RunCall(t.Context(), v, callTo(target), so, nil, simulate.Limits{})
		require.EqualError(t, err, "account "+want)
	}
	call := callTo(far, 1, 2)
	r, err := simulate.RunCall(t.Context(), v, call, simulate.StateOverrides{sha: {MovePrecompileTo: &far}}, nil, simulate.Limits{})
	require.NoError(t, err)
	require.Len(t, r.ReturnData, 32, "the precompile is there now")
	call.To = &sha
	r, err = simulate.RunCall(t.Context(), v, call, simulate.StateOverrides{sha: {MovePrecompileTo: &far}}, nil, simulate.Limits{})
	require.NoError(t, err)
	require.Empty(t, r.ReturnData, "and not here")
}

// Ensure results may be as large as the limit, each byte of data counted twice and each log with 600 more, those of all
// calls and blocks together.
func TestSizeOfResults(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{
		target: counter(), another: reverting(make([]byte, 100)), nobody: program.New().Return(0, 10).Bytes(),
	})
	for name, c := range map[string]struct {
		calls []simulate.Call
		size  int
	}{
		"returns": {[]simulate.Call{callTo(nobody)}, 20},
		"logs":    {[]simulate.Call{callTo(target)}, 64 + 600 + 64},
		"reverts": {[]simulate.Call{callTo(another)}, 200},
		"all":     {[]simulate.Call{callTo(nobody), callTo(target), callTo(another)}, 20 + 728 + 200},
	} {
		simulated := func(limit int, blocks ...simulate.Block) error {
			_, err := simulate.Run(t.Context(), v, simulate.Payload{Blocks: blocks}, simulate.Limits{MaxResult: limit})
			return err
		}
		one := simulate.Block{Calls: c.calls}
		require.NoError(t, simulated(c.size, one), name)
		require.Equal(t, &simulate.SizeError{Limit: c.size - 1}, simulated(c.size-1, one), name)
		require.NoError(t, simulated(2*c.size, one, one), name)
		require.Equal(t, &simulate.SizeError{Limit: 2*c.size - 1}, simulated(2*c.size-1, one, one), name)
		require.NoError(t, simulated(0, one, one), name)
	}
	require.EqualError(t, &simulate.SizeError{Limit: 7}, "the results are too large: the limit is 7 bytes")
	timeout := &simulate.TimeoutError{After: 3 * time.Second}
	require.EqualError(t, timeout, "execution aborted (timeout = 3s)")
	require.ErrorIs(t, timeout, context.DeadlineExceeded)
}

// Ensure the gas before execution is that of the data, the list and the creation.
func TestIntrinsicGas(t *testing.T) {
	t.Parallel()
	rules := params.Rules{IsHomestead: true, IsIstanbul: true, IsShanghai: true}
	list := &types.AccessList{{Address: rich, StorageKeys: make([]common.Hash, 2)}}
	for want, call := range map[uint64]simulate.Call{
		21_000: callTo(target), 21_000 + 4 + 16: callTo(target, 0, 1), 53_000 + 16 + 2: {From: &rich, Data: []byte{1}},
		21_000 + 2_400 + 2*1_900: {To: &target, AccessList: list},
	} {
		gas, err := call.IntrinsicGas(rules)
		require.NoError(t, err)
		require.Equal(t, want, gas)
	}
}

// Ensure the tracer of a call sees that call alone, until it stops.
func TestTracerOfACall(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: counter()})
	var from []common.Address
	steps, ends, last := 0, 0, 0
	traced := callTo(target)
	traced.Tracer = func(stop func()) *tracing.Hooks {
		return &tracing.Hooks{
			OnTxStart: func(_ *tracing.VMContext, tx *types.Transaction, sender common.Address) {
				require.Equal(t, &target, tx.To())
				from = append(from, sender)
			},
			OnOpcode: func(uint64, byte, uint64, uint64, tracing.OpContext, []byte, int, error) {
				if steps++; steps == last {
					stop()
				}
			},
			OnTxEnd: func(receipt *types.Receipt, err error) {
				require.Nil(t, receipt)
				require.NoError(t, err)
				ends++
			},
		}
	}
	runCalls(t, v, callTo(target), traced, callTo(target))
	all := steps
	require.Greater(t, all, 10)
	require.Equal(t, []common.Address{rich}, from)
	require.Equal(t, 1, ends)
	steps, last = 0, 5
	require.Len(t, runCalls(t, v, traced, callTo(target)).Calls, 2)
	require.LessOrEqual(t, steps, all)
	require.Equal(t, 2, ends)
}

// Ensure a simulated block knows the hashes of the blocks below the one that it goes on from, of that one, of those
// that were simulated, and no other.
func TestBlockHashes(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: blockHash()})
	c := v.Chain
	for range 2 {
		draft, err := c.NewDraft(chain.Env{Time: c.Head().Time() + 12})
		require.NoError(t, err)
		c, _, err = draft.Seal()
		require.NoError(t, err)
	}
	var calls []simulate.Call
	for n := range uint64(7) {
		calls = append(calls, callTo(target, word(n).Bytes()...))
	}
	results := run(t, headView(t, c), simulate.Payload{Blocks: []simulate.Block{{}, {}, {Calls: calls}}})
	want := []common.Hash{
		c.BlockByNumber(0).Hash(), c.BlockByNumber(1).Hash(), c.Head().Hash(), results[0].Block.Hash(), results[1].Block.Hash(), {}, {},
	}
	for n, call := range results[2].Calls {
		require.Equal(t, want[n].Bytes(), call.ReturnData, n)
	}
}

// Ensure blocks that rules put 200 ms apart have the second of their time, none is before its parent, and a time may
// come again.
func TestTimesOfDenim(t *testing.T) {
	t.Parallel()
	start := time.Unix(1_800_000_000, 0)
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base, StartTime: start})
	v, err := node.Moment().Latest().SimulateView()
	require.NoError(t, err)
	times := func(milliseconds uint64, blocks ...simulate.Block) (seconds []uint64, err error) {
		payload := simulate.Payload{Blocks: blocks, BaseMilliseconds: uint64(start.UnixMilli()) + milliseconds}
		results, err := simulate.Run(t.Context(), v, payload, simulate.Limits{})
		for _, r := range results {
			seconds = append(seconds, r.Block.Header().Time-uint64(start.Unix()))
		}
		return seconds, err
	}
	at := func(seconds int64) simulate.Block {
		return simulate.Block{Overrides: &simulate.BlockOverrides{Time: ptr(uint64(start.Unix() + seconds))}}
	}
	seconds, err := times(0, make([]simulate.Block, 6)...)
	require.NoError(t, err)
	require.Equal(t, []uint64{0, 0, 0, 0, 1, 1}, seconds)
	seconds, err = times(800, make([]simulate.Block, 6)...)
	require.NoError(t, err)
	require.Equal(t, []uint64{1, 1, 1, 1, 1, 2}, seconds)
	seconds, err = times(0, at(3), at(3), simulate.Block{})
	require.NoError(t, err)
	require.Equal(t, []uint64{3, 3, 3}, seconds)
	_, err = times(0, at(3), at(2))
	require.ErrorIs(t, err, simulate.ErrBlockTimeOrder)
	require.ErrorContains(t, err, "1800000002 < 1800000003")
}

// Ensure a difficulty of one's own is that of blocks before the merge, and of no block after it.
func TestDifficultyOverride(t *testing.T) {
	t.Parallel()
	for fork, want := range map[string]int64{"berlin": 7, "london": 7, "paris": 0, "osaka": 0} {
		v := newView(t, fork, map[common.Address][]byte{target: returning(vm.DIFFICULTY)})
		r := run(t, v, simulate.Payload{Blocks: []simulate.Block{{
			Calls: []simulate.Call{callTo(target)}, Overrides: &simulate.BlockOverrides{Difficulty: big.NewInt(7), PrevRandao: ptr(word(9))},
		}}})[0]
		require.Equal(t, want, r.Block.Difficulty().Int64(), fork)
		seen := uint64(7)
		if want == 0 {
			seen = 9
		}
		require.Equal(t, word(seen).Bytes(), r.Calls[0].ReturnData, fork)
	}
}

// Ensure a call with blobs that offers nothing for them runs as if they cost nothing, and one that offers a fee sees
// what they cost.
func TestBlobsForNothing(t *testing.T) {
	t.Parallel()
	v := newView(t, "osaka", map[common.Address][]byte{target: returning(vm.BLOBBASEFEE)})
	for fee, want := range map[int64]uint64{0: 0, 5: 1} {
		call := callTo(target)
		call.BlobHashes, call.MaxFeePerBlobGas = []common.Hash{{1}}, big.NewInt(fee)
		r, err := simulate.RunCall(t.Context(), v, call, nil, nil, simulate.Limits{})
		require.NoError(t, err)
		require.Equal(t, word(want).Bytes(), r.ReturnData, fee)
	}
}

// Ensure the transaction that a tracer gets of a call is of the type that the call's fields ask for.
func TestTransactionOfACall(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	e, err := simulate.NewEnvironment(v, nil, nil)
	require.NoError(t, err)
	price := big.NewInt(params.GWei)
	for kind, c := range map[uint8]simulate.Call{
		types.LegacyTxType:     {From: &rich, To: &target, GasPrice: price},
		types.AccessListTxType: {From: &rich, To: &target, GasPrice: price, AccessList: &types.AccessList{}},
		types.DynamicFeeTxType: {From: &rich, To: &target},
		types.BlobTxType:       {From: &rich, To: &target, GasPrice: price, BlobHashes: []common.Hash{{1}}},
		types.SetCodeTxType:    {From: &rich, To: &target, GasPrice: price, Authorizations: []types.SetCodeAuthorization{{}}},
	} {
		msg, err := e.Message(&c, 100_000)
		require.NoError(t, err)
		tx := e.Transaction(&c, msg)
		require.Equal(t, kind, tx.Type())
		require.EqualValues(t, 100_000, tx.Gas())
	}
}

// Ensure an estimate on an OP-stack chain leaves what the L1 takes of the balance, and names a fee that is above it.
func TestEstimateWithL1Fee(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Rules: fakenode.OptimismRules})
	fee := func(wei uint64) chain.View {
		t.Helper()
		_, err := node.Timeline().SetL1(func(l1 *optimism.L1) error { l1.L1BaseFee.SetUint64(wei); return nil })
		require.NoError(t, err)
		node.Seal()
		v, err := node.Moment().Latest().SimulateView()
		require.NoError(t, err)
		v.State = v.State.WithBalance(rich, uint256.NewInt(1e15))
		return v
	}
	call := callTo(nobody)
	call.MaxFeePerGas, call.MaxPriorityFeePerGas = big.NewInt(2e9), new(big.Int)
	gas, err := simulate.EstimateGas(t.Context(), fee(1e9), call, nil, nil, simulate.Limits{})
	require.NoError(t, err)
	require.EqualValues(t, 21_000, gas)
	gas, err = simulate.EstimateGas(t.Context(), fee(1e18), call, nil, nil, simulate.Limits{})
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
	require.ErrorContains(t, err, "the L1 fee is ")
	require.Zero(t, gas)
}
