package simulate_test

import (
	"context"
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

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

func TestRunCallReturnsData(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{
		target:  returning(vm.ADDRESS, vm.CALLER, vm.ORIGIN, vm.CALLVALUE, vm.GASPRICE, vm.BASEFEE),
		another: returning(vm.ADDRESS),
		rich:    returning(vm.CODESIZE), // senders may have code
	})
	call := func(c simulate.Call) []common.Hash {
		t.Helper()
		r, err := simulate.RunCall(t.Context(), v, c, nil, nil, simulate.Limits{})
		require.NoError(t, err)
		require.NoError(t, r.Err)
		return words(r.ReturnData)
	}
	self, from := common.BytesToHash(target[:]), common.BytesToHash(rich[:])
	gwei := word(params.GWei)

	require.Equal(t, []common.Hash{self, {}, {}, {}, {}, {}}, call(simulate.Call{To: &target}), "zero sender, nothing charged")
	c := callTo(target)
	c.Value, c.Nonce = uint256.NewInt(7), ptr(uint64(99))
	require.Equal(t, []common.Hash{self, from, from, word(7), {}, {}}, call(c), "any nonce")
	c.GasPrice = big.NewInt(2 * params.GWei)
	c.Gas = ptr(uint64(100_000))
	require.Equal(t, []common.Hash{self, from, from, word(7), word(2 * params.GWei), gwei}, call(c))
	c.GasPrice, c.MaxFeePerGas, c.MaxPriorityFeePerGas = nil, big.NewInt(5*params.GWei), big.NewInt(3)
	require.Equal(t, []common.Hash{self, from, from, word(7), word(params.GWei + 3), gwei}, call(c))

	created := call(simulate.Call{Data: returning(vm.ADDRESS)})
	require.Equal(t, common.HexToAddress("0xbd770416a3345f91e4b34576cb804a576fa48eb1"), common.Address(created[0][12:]), "no target creates")
}

func TestRunCallFailures(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{
		target:  reverting(reason(t, "no")),
		another: labcode.Spinner(),
	})
	run := func(c simulate.Call, l simulate.Limits) *simulate.CallResult {
		t.Helper()
		r, err := simulate.RunCall(t.Context(), v, c, nil, nil, l)
		require.NoError(t, err)
		require.Nil(t, r.ReturnData)
		return r
	}
	reverted := run(callTo(target), simulate.Limits{})
	var revert *evmstate.RevertError
	require.ErrorAs(t, reverted.Err, &revert)
	require.Equal(t, reason(t, "no"), revert.Data)
	require.EqualError(t, revert, "execution reverted: no")

	require.ErrorIs(t, run(callTo(another), simulate.Limits{GasCap: 100_000}).Err, vm.ErrOutOfGas)
	capped := callTo(another)
	capped.Gas = ptr(uint64(1_000_000_000))
	require.Equal(t, uint64(100_000), run(capped, simulate.Limits{GasCap: 100_000}).GasUsed, "gas is capped silently")
}

func TestRunCallRefusals(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	valued := simulate.Call{From: &poor, To: &nobody, Value: uint256.NewInt(1000)}
	priced := callTo(nobody)
	priced.MaxFeePerGas = big.NewInt(1)
	starved := callTo(nobody)
	starved.Gas = ptr(uint64(20_999))
	mixed := callTo(nobody)
	mixed.GasPrice, mixed.MaxFeePerGas = big.NewInt(1), big.NewInt(1)
	foreign := callTo(nobody)
	foreign.ChainID = big.NewInt(1)
	huge := callTo(nobody)
	huge.GasPrice = new(big.Int).Lsh(big.NewInt(1), 256)
	negative := callTo(nobody)
	negative.GasPrice = big.NewInt(-1)
	for _, test := range []struct {
		name string
		call simulate.Call
		is   error
		text string
	}{
		{"value above balance", valued, core.ErrInsufficientFunds, "err: insufficient funds for gas * price + value: address 0xA200000000000000000000000000000000000000 have 0 want 1000 (supplied gas 50000000)"},
		{"fee below base fee", priced, core.ErrFeeCapTooLow, "err: max fee per gas less than block base fee: address 0xA100000000000000000000000000000000000000, maxFeePerGas: 1, baseFee: 1000000000 (supplied gas 50000000)"},
		{"intrinsic gas", starved, core.ErrIntrinsicGas, "err: intrinsic gas too low: have 20999, want 21000 (supplied gas 20999)"},
		{"two kinds of fees", mixed, simulate.ErrMixedFees, "both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified"},
		{"other chain", foreign, simulate.ErrChainID, "chainId does not match node's (have=1, want=31337)"},
		{"price of 257 bits", huge, simulate.ErrFeeRange, "gasPrice: fee is not a 256-bit number"},
		{"negative price", negative, simulate.ErrFeeRange, "gasPrice: fee is not a 256-bit number"},
		{"blobs without target", simulate.Call{BlobHashes: []common.Hash{{1}}}, core.ErrBlobTxCreate, core.ErrBlobTxCreate.Error()},
		{"authorizations without target", simulate.Call{Authorizations: []types.SetCodeAuthorization{{}}}, core.ErrSetCodeTxCreate, core.ErrSetCodeTxCreate.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := simulate.RunCall(t.Context(), v, test.call, nil, nil, simulate.Limits{})
			require.ErrorIs(t, err, test.is)
			require.EqualError(t, err, test.text)
		})
	}
}

func TestRunCallOnOverriddenState(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: storage()})
	v.State = v.State.WithStorage(target, word(1), word(11)).WithStorage(target, word(2), word(22))
	slot := func(n uint64) simulate.Call { h := word(n); return callTo(target, h[:]...) }
	for _, test := range []struct {
		name string
		so   simulate.StateOverrides
		call simulate.Call
		want common.Hash
	}{
		{"none", nil, slot(1), word(11)},
		{"diff changes", simulate.StateOverrides{target: {StateDiff: map[common.Hash]common.Hash{word(1): word(5)}}}, slot(1), word(5)},
		{"diff keeps the rest", simulate.StateOverrides{target: {StateDiff: map[common.Hash]common.Hash{word(1): word(5)}}}, slot(2), word(22)},
		{"state sets", simulate.StateOverrides{target: {State: map[common.Hash]common.Hash{word(1): word(5)}}}, slot(1), word(5)},
		{"state clears the rest", simulate.StateOverrides{target: {State: map[common.Hash]common.Hash{word(1): word(5)}}}, slot(2), common.Hash{}},
		{"empty state clears all", simulate.StateOverrides{target: {State: map[common.Hash]common.Hash{}}}, slot(1), common.Hash{}},
		{"code", simulate.StateOverrides{another: {Code: ptr(returning(vm.CODESIZE))}}, callTo(another), word(uint64(len(returning(vm.CODESIZE))))},
		{"balance", simulate.StateOverrides{another: {Code: ptr(returning(vm.SELFBALANCE)), Balance: uint256.NewInt(9)}}, callTo(another), word(9)},
		{"balance pays", simulate.StateOverrides{poor: {Balance: uint256.NewInt(9)}, another: {Code: ptr(returning(vm.CALLVALUE))}},
			simulate.Call{From: &poor, To: &another, Value: uint256.NewInt(9)}, word(9)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := simulate.RunCall(t.Context(), v, test.call, test.so, nil, simulate.Limits{})
			require.NoError(t, err)
			require.NoError(t, r.Err)
			require.Equal(t, test.want, common.BytesToHash(r.ReturnData))
		})
	}
}

func TestRunCallMovesPrecompiles(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	identity := common.BytesToAddress([]byte{4})
	moved := simulate.StateOverrides{identity: {MovePrecompileTo: &another, Code: ptr(returning(vm.PUSH0))}}
	for to, want := range map[common.Address][]byte{another: {1, 2, 3}, identity: make([]byte, 32)} {
		r, err := simulate.RunCall(t.Context(), v, callTo(to, 1, 2, 3), moved, nil, simulate.Limits{})
		require.NoError(t, err)
		require.Equal(t, want, r.ReturnData, "at %s", to)
	}
	sha := common.BytesToAddress([]byte{2})
	for _, test := range []struct {
		name string
		so   simulate.StateOverrides
		of   common.Address
		is   error
	}{
		{"no precompile", simulate.StateOverrides{target: {MovePrecompileTo: &another}}, target, simulate.ErrNotPrecompile},
		{"no precompile, to itself", simulate.StateOverrides{target: {MovePrecompileTo: &target}}, target, simulate.ErrNotPrecompile},
		{"to itself", simulate.StateOverrides{sha: {MovePrecompileTo: &sha}}, sha, simulate.ErrMoveToSelf},
		{"to an overridden account", simulate.StateOverrides{sha: {MovePrecompileTo: &another}, another: {Nonce: ptr(uint64(1))}}, another, simulate.ErrMoveTarget},
		{"state and diff", simulate.StateOverrides{target: {State: map[common.Hash]common.Hash{}, StateDiff: map[common.Hash]common.Hash{}}}, target, simulate.ErrStateAndDiff},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := simulate.RunCall(t.Context(), v, callTo(target), test.so, nil, simulate.Limits{})
			require.EqualError(t, err, "account "+test.of.Hex()+" "+test.is.Error())
			require.ErrorIs(t, err, test.is)
		})
	}
}

func TestRunCallInOverriddenBlock(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{
		target:  returning(vm.NUMBER, vm.TIMESTAMP, vm.COINBASE, vm.GASLIMIT, vm.BASEFEE, vm.BLOBBASEFEE, vm.PREVRANDAO),
		another: blockHash(),
	})
	call := callTo(target)
	call.GasPrice, call.Gas = big.NewInt(90), ptr(uint64(100_000))
	call.MaxFeePerBlobGas = big.NewInt(1)
	r, err := simulate.RunCall(t.Context(), v, call, nil, &simulate.BlockOverrides{
		Number: big.NewInt(1234), Time: ptr(uint64(55)), FeeRecipient: &nobody, GasLimit: ptr(uint64(66)),
		BaseFee: big.NewInt(77), BlobBaseFee: big.NewInt(88), PrevRandao: ptr(word(99)), Difficulty: big.NewInt(5),
	}, simulate.Limits{})
	require.NoError(t, err)
	require.Equal(t, []common.Hash{word(1234), word(55), common.BytesToHash(nobody[:]), word(66), word(77), word(88), word(99)}, words(r.ReturnData))

	hash := func(number uint64, bo simulate.BlockOverrides) common.Hash {
		t.Helper()
		n := word(number)
		r, err := simulate.RunCall(t.Context(), v, callTo(another, n[:]...), nil, &bo, simulate.Limits{})
		require.NoError(t, err)
		return common.BytesToHash(r.ReturnData)
	}
	require.Equal(t, v.Header.Hash(), hash(0, simulate.BlockOverrides{Number: big.NewInt(1)}), "the block it runs on")
	require.Equal(t, word(5), hash(0, simulate.BlockOverrides{Number: big.NewInt(1), BlockHash: map[uint64]common.Hash{0: word(5)}}))
	require.Zero(t, hash(1, simulate.BlockOverrides{Number: big.NewInt(3)}), "no such block")

	for _, bo := range []simulate.BlockOverrides{{BeaconRoot: new(common.Hash)}, {Withdrawals: new(types.Withdrawals)}} {
		_, err := simulate.RunCall(t.Context(), v, call, nil, &bo, simulate.Limits{})
		require.ErrorIs(t, err, simulate.ErrBlockOverride)
	}
}

func TestRunCallEndsWithTimeAndContext(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: labcode.Spinner()})
	limits := simulate.Limits{GasCap: 1 << 62}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	type end func(ctx context.Context, l simulate.Limits) error
	for name, run := range map[string]end{
		"call": func(ctx context.Context, l simulate.Limits) error {
			_, err := simulate.RunCall(ctx, v, callTo(target), nil, nil, l)
			return err
		},
		"estimate": func(ctx context.Context, l simulate.Limits) error {
			_, err := simulate.EstimateGas(ctx, v, callTo(target), nil, &simulate.BlockOverrides{Time: ptr(uint64(1)), GasLimit: ptr(uint64(1 << 62))}, l)
			return err
		},
		"access list": func(ctx context.Context, l simulate.Limits) error {
			_, _, _, err := simulate.CreateAccessList(ctx, v, callTo(target), nil, nil, l)
			return err
		},
		"simulation": func(ctx context.Context, l simulate.Limits) error {
			_, err := simulate.Run(ctx, v, simulate.Payload{Blocks: []simulate.Block{{
				Calls:     []simulate.Call{callTo(target)},
				Overrides: &simulate.BlockOverrides{GasLimit: ptr(uint64(1 << 62))},
			}}}, l)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, context.Canceled, run(cancelled, limits))
			if name == "estimate" {
				return // Osaka bounds the gas of one transaction, so it soon ends by itself.
			}
			late, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			require.Equal(t, context.DeadlineExceeded, run(late, limits))
			err := run(t.Context(), simulate.Limits{GasCap: 1 << 62, Timeout: time.Millisecond})
			require.EqualError(t, err, "execution aborted (timeout = 1ms)")
			require.ErrorIs(t, err, context.DeadlineExceeded)
		})
	}
}

// Ensure a precompile, which nothing can end, is out of gas before it runs for a minute.
func TestPrecompileIsBounded(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	rounds := make([]byte, 213) // of blake2f, as many as there can be
	copy(rounds, []byte{0xff, 0xff, 0xff, 0xff})
	call, limits := callTo(common.BytesToAddress([]byte{9}), rounds...), simulate.Limits{GasCap: 1 << 62}
	r, err := simulate.RunCall(t.Context(), v, call, nil, nil, limits)
	require.NoError(t, err)
	require.ErrorIs(t, r.Err, vm.ErrOutOfGas)
	blocks, err := simulate.Run(t.Context(), v, simulate.Payload{Blocks: []simulate.Block{{
		Calls: []simulate.Call{call}, Overrides: &simulate.BlockOverrides{GasLimit: ptr(uint64(1 << 62))},
	}}}, limits)
	require.NoError(t, err)
	require.ErrorIs(t, blocks[0].Calls[0].Err, vm.ErrOutOfGas)
}

func TestRunCallReportsLogs(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: counter(),
		another: program.New().Call(nil, target, 0, 0, 0, 0, 0).Op(vm.POP).Op(vm.INVALID).Bytes()})
	r, err := simulate.RunCall(t.Context(), v, callTo(target), nil, nil, simulate.Limits{})
	require.NoError(t, err)
	require.Len(t, r.Logs, 1)
	require.Equal(t, target, r.Logs[0].Address)
	require.Equal(t, word(1).Bytes(), r.Logs[0].Data)

	r, err = simulate.RunCall(t.Context(), v, callTo(another), nil, nil, simulate.Limits{})
	require.NoError(t, err)
	require.Error(t, r.Err)
	require.Empty(t, r.Logs)
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

// Ensure the time of a call counts while its overrides are applied.
func TestOverridesTakeTime(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	late, cancel := context.WithCancel(t.Context())
	cancel()
	wrong := simulate.StateOverrides{common.Address{1}: {}, common.Address{2}: {State: map[common.Hash]common.Hash{}, StateDiff: map[common.Hash]common.Hash{}}}
	_, err := simulate.RunCall(late, v, simulate.Call{}, wrong, nil, simulate.Limits{})
	require.ErrorIs(t, err, context.Canceled)
}
