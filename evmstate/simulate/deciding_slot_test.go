package simulate_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

// Ensure the slot that decides what a call returns is found in the account that holds it, and that none is where the
// answer only happens to be the word.
func TestDecidingSlot(t *testing.T) {
	t.Parallel()
	answer := func(p *program.Program) []byte { return p.Push0().Op(vm.MSTORE).Return(0, 32).Bytes() }
	load := func(slot uint64) *program.Program { return program.New().Push(slot).Op(vm.SLOAD) }
	relayed := func(p *program.Program) []byte { return p.Op(vm.POP).Return(0, 32).Bytes() }
	for name, c := range map[string]struct {
		code  []byte
		word  *uint256.Int
		found *common.Address
	}{
		"its own":                  {answer(load(2)), uint256.NewInt(7), &another},
		"all bits set":             {answer(load(2)), new(uint256.Int).SetAllOne(), &another},
		"the highest but one":      {answer(load(2)), new(uint256.Int).SubUint64(new(uint256.Int).SetAllOne(), 1), &another},
		"zero":                     {answer(load(2)), new(uint256.Int), &another},
		"after one read in vain":   {answer(load(9).Op(vm.POP).Append(load(2).Bytes())), uint256.NewInt(7), &another},
		"another's":                {relayed(program.New().StaticCall(nil, target, 0, 0, 0, 32)), uint256.NewInt(7), &target},
		"behind a proxy":           {relayed(program.New().DelegateCall(nil, target, 0, 0, 0, 32)), uint256.NewInt(7), &another},
		"a byte of it":             {answer(load(2).Push(0xff).Op(vm.AND)), uint256.NewInt(254), &another},
		"a full byte of it":        {answer(load(2).Push(0xff).Op(vm.AND)), uint256.NewInt(255), &another},
		"more than a byte of it":   {answer(load(2).Push(0xff).Op(vm.AND)), uint256.NewInt(256), nil},
		"one bit of it":            {answer(load(2).Push(1).Op(vm.AND)), uint256.NewInt(1), nil},
		"one more":                 {answer(load(2).Push(1).Op(vm.ADD)), uint256.NewInt(7), nil},
		"none":                     {answer(program.New().Push(7)), uint256.NewInt(7), nil},
		"none, one read":           {answer(load(2).Op(vm.POP).Push(7)), uint256.NewInt(7), nil},
		"whether there is one":     {answer(load(2).Op(vm.ISZERO, vm.ISZERO)), uint256.NewInt(1), nil},
		"it reverts":               {load(2).Push0().Op(vm.MSTORE).Push(32).Push0().Op(vm.REVERT).Bytes(), uint256.NewInt(7), nil},
		"more than a word of data": {load(2).Push0().Op(vm.MSTORE).Return(0, 33).Bytes(), uint256.NewInt(7), nil},
	} {
		v := newView(t, "", map[common.Address][]byte{target: answer(load(2)), another: c.code})
		account, slot, found, err := simulate.DecidingSlot(t.Context(), v, callTo(another), c.word, simulate.Limits{})
		require.NoError(t, err, name)
		require.Equal(t, c.found != nil, found, name)
		if !found {
			require.Zero(t, account, name)
			require.Zero(t, slot, name)
			continue
		}
		require.Equal(t, *c.found, account, name)
		require.Equal(t, word(2), slot, name)
	}
	v := newView(t, "", map[common.Address][]byte{another: answer(load(2))})
	call := callTo(another)
	call.From, call.MaxFeePerGas, call.Gas = &poor, big.NewInt(1e9), ptr(uint64(50_000))
	_, _, _, err := simulate.DecidingSlot(t.Context(), v, call, uint256.NewInt(7), simulate.Limits{})
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
}
