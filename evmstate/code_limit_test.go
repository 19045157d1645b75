package evmstate_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// Ensure init code may be twice as long as the limit of code and no byte longer, and that the error has both figures.
func TestCodeLimitOfInitCode(t *testing.T) {
	t.Parallel()
	check := func(limit evmstate.CodeLimit, size uint64) error {
		_, err := limit.CheckInit(params.MergedTestChainConfig, new(big.Int), 0, size)
		return err
	}
	for limit, size := range map[evmstate.CodeLimit]uint64{0: math.MaxUint64, 30_000: params.MaxInitCodeSize} {
		config, err := limit.CheckInit(params.MergedTestChainConfig, new(big.Int), 0, size)
		require.NoError(t, err)
		require.Same(t, params.MergedTestChainConfig, config, "go-ethereum's rules decide")
	}
	require.NoError(t, check(30_000, 60_000))
	err := check(30_000, 60_001)
	require.ErrorIs(t, err, vm.ErrMaxInitCodeSizeExceeded)
	require.ErrorContains(t, err, "code size 60001 limit 60000")
	require.NoError(t, check(evmstate.NoCodeLimit, math.MaxUint64))
	require.NoError(t, check(math.MaxUint64/2, math.MaxUint64-1))
	require.Error(t, check(math.MaxUint64/2, math.MaxUint64))

	require.NoError(t, evmstate.CodeLimit(0).Validate())
	require.NoError(t, evmstate.CodeLimit(params.MaxCodeSize).Validate())
	require.ErrorContains(t, evmstate.CodeLimit(params.MaxCodeSize-1).Validate(), "code size limit of 24575 bytes is below 24576")
}

// TestCodeLimitOfCode checks that a message deploys code up to the limit and no byte more, and that the error has both
// figures, also for a tracer.
func TestCodeLimitOfCode(t *testing.T) {
	t.Parallel()
	const limit = 30_000
	for _, test := range []struct {
		size, init int // bytes of the code, and of the init code with its padding
		fails      string
	}{
		{params.MaxCodeSize, 0, ""},
		{params.MaxCodeSize + 1, 0, ""},
		{limit, 0, ""},
		{limit + 1, 0, "code size 30001 limit 30000"},
		{1, 2 * limit, ""},
		{1, 2*limit + 1, "code size 60001 limit 60000"},
	} {
		var traced error
		var stored []byte
		hooks := &tracing.Hooks{
			OnExit:       func(_ int, _ []byte, _ uint64, err error, _ bool) { traced = err },
			OnCodeChange: func(_ common.Address, _ common.Hash, _ []byte, _ common.Hash, code []byte) { stored = code },
		}
		if test.size%2 == 0 {
			hooks.OnCodeChange, hooks.OnCodeChangeV2 = nil, func(_ common.Address, _ common.Hash, _ []byte, _ common.Hash, code []byte, _ tracing.CodeChangeReason) {
				stored = code
			}
		}
		machine := evmstate.NewMachine(evmstate.StateFromAlloc(benchAlloc()), benchBlock, benchConfig, vm.Config{Tracer: hooks})
		machine.SetCodeLimit(limit)
		msg := benchMessage(common.Address{}, 0, program.New().Return(0, test.size).Bytes())
		msg.To, msg.GasLimit = nil, 10_000_000
		msg.Data = append(msg.Data, make([]byte, max(0, test.init-len(msg.Data)))...)
		result, _, err := machine.Apply(t.Context(), msg, nil)
		code := machine.State().Code(crypto.CreateAddress(alice, 0))
		machine.Release()
		switch {
		case test.fails == "":
			require.NoError(t, err)
			require.NoError(t, result.Err)
			require.NoError(t, traced)
			require.Len(t, code, test.size)
			require.Equal(t, code, stored)
		case test.init > 0:
			require.ErrorIs(t, err, vm.ErrMaxInitCodeSizeExceeded)
			require.ErrorContains(t, err, test.fails)
		default:
			require.NoError(t, err)
			require.ErrorIs(t, result.Err, vm.ErrMaxCodeSizeExceeded)
			require.ErrorContains(t, result.Err, test.fails)
			require.Equal(t, result.Err, traced)
			require.Empty(t, code)
		}
	}
}

// Ensure an account delegates its code (EIP-7702) under a code limit of its own, before the message's own call.
func TestCodeLimitOfDelegation(t *testing.T) {
	t.Parallel()
	key, err := crypto.GenerateKey()
	require.NoError(t, err)
	authorization, err := types.SignSetCode(key, types.SetCodeAuthorization{Address: token})
	require.NoError(t, err)
	machine := newMachine(t, evmstate.StateFromAlloc(benchAlloc()))
	machine.SetCodeLimit(30_000)
	msg := benchMessage(bob, 1)
	msg.SetCodeAuthorizations = []types.SetCodeAuthorization{authorization}
	result, _, err := machine.Apply(t.Context(), msg, nil)
	require.NoError(t, err)
	require.NoError(t, result.Err)
	require.Equal(t, types.AddressToDelegation(token), machine.State().Code(crypto.PubkeyToAddress(key.PublicKey)))
}

// Ensure contracts that a message creates after one beyond EIP-170 are made as any other: with the nonce of EIP-161.
func TestCodeLimitOfTheNextContract(t *testing.T) {
	t.Parallel()
	machine := newMachine(t, evmstate.StateFromAlloc(benchAlloc()))
	machine.SetCodeLimit(30_000)
	// It creates a contract of 25,000 bytes, and then one without code.
	msg := benchMessage(common.Address{}, 0, common.FromHex("646161a85ff35f526005601b5ff050"+"625f5ff35f526003601d5ff050"+"00"))
	msg.To, msg.GasLimit = nil, 10_000_000
	result, _, err := machine.Apply(t.Context(), msg, nil)
	require.NoError(t, err)
	require.NoError(t, result.Err)
	creator := crypto.CreateAddress(alice, 0)
	state := machine.State()
	require.Len(t, state.Code(crypto.CreateAddress(creator, 1)), 25_000)
	for number := range uint64(2) {
		require.EqualValues(t, 1, state.Nonce(crypto.CreateAddress(creator, number+1)))
	}
}

// Ensure code that no deployment creates may have the size of the limit and no byte more, and from Amsterdam on that of
// the later one.
func TestCodeBySize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit     evmstate.CodeLimit
		amsterdam bool
		most      int
		eip       string
	}{
		{0, false, 24_576, "EIP-170"}, {100, false, 100, "EIP-170"}, {0, true, 65_536, "EIP-7954"}, {100, true, 65_536, "EIP-7954"},
	} {
		require.NoError(t, c.limit.CheckCode(c.amsterdam, c.most))
		require.NoError(t, c.limit.CheckCode(c.amsterdam, 0))
		require.ErrorContains(t, c.limit.CheckCode(c.amsterdam, c.most+1), c.eip)
	}
	require.EqualError(t, evmstate.CodeLimit(0).CheckCode(false, 24_577), "code of 24577 bytes is over the limit of 24576 (EIP-170)")
}
