package forkcheck_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a finding names the calls down to the one that another fork breaks, and that a transaction that fails under
// the first fork has none about its price: there is nothing to compare it with.
func TestFindings(t *testing.T) {
	t.Parallel()
	var (
		hook   = common.Address{0xa1} // takes a new slot
		stingy = common.Address{0xa2} // calls hook with 50,000 gas
		slots  = common.Address{0xa3} // asks for the slot number, which osaka does not know
		tidy   = common.Address{0xa5} // clears a slot
		modern = common.Address{0xa4} // takes a new slot if slots answers, and reverts otherwise
	)
	node := fakenode.RunT(t)
	node.SetCode(hook, program.New().Push(1).Op(vm.NUMBER, vm.SSTORE, vm.STOP).Bytes())
	node.SetCode(stingy, program.New().Call(uint256.NewInt(50_000), hook, 0, 0, 0, 0, 0).Op(vm.STOP).Bytes())
	node.SetCode(tidy, program.New().Push0().Push(1).Op(vm.SSTORE, vm.STOP).Bytes())
	node.SetStorage(tidy, common.Hash{31: 1}, common.Hash{31: 1})
	node.SetCode(slots, program.New().Op(vm.SLOTNUM, vm.STOP).Bytes())
	guarded := program.New().Call(uint256.NewInt(1_000), slots, 0, 0, 0, 0, 0)
	behind := byte(guarded.Size() + 6) // the JUMPDEST behind a push, the jump and a revert
	node.SetCode(modern, guarded.Push(behind).Op(vm.JUMPI).Push0().Push0().Op(vm.REVERT, vm.JUMPDEST).Push(1).Op(vm.NUMBER, vm.SSTORE, vm.STOP).Bytes())

	type finding struct{ name, last string }
	for _, c := range []struct {
		name string
		to   common.Address
		want []finding
	}{
		{"a fixed amount of gas in code", stingy, []finding{{"fixed-gas-in-code", hook.Hex() + ".receive"}}},
		{"a call that only amsterdam knows", modern, []finding{{"other-outcome", slots.Hex() + ".receive"}}},
		{"gas given back", tidy, []finding{{"refund", tidy.Hex() + ".receive"}}},
		{"a new slot", hook, []finding{{"new-state", hook.Hex() + ".receive"}}},
	} {
		sent, err := node.Transact(node.Account(0), fakenode.Tx{To: &c.to, Gas: 1_000_000})
		require.NoError(t, err)
		node.Seal()
		compared, err := node.CompareForks(sent)
		require.NoError(t, err)
		var have []finding
		for _, f := range compared.Findings {
			have = append(have, finding{f.Name, f.Calls[len(f.Calls)-1]})
		}
		require.Equal(t, c.want, have, "%s: %v", c.name, compared.Outcomes)
	}
}
