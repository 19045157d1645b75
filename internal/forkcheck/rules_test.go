package forkcheck

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/trace"
)

// Accounts, by the last digit of their addresses.
var r, a, b = common.Address{0xaa, 19: 0xc}, common.Address{0xaa, 19: 0xa}, common.Address{0xaa, 19: 0xb}

// called returns a call that got all gas and has these calls below it.
func called(to common.Address, given uint64, err error, below ...*trace.Branch) *trace.Branch {
	c := &trace.Branch{Op: "CALL", To: to, Given: given, GasUsed: given / 2, AllGiven: true, Value: new(big.Int), Err: err}
	for _, branch := range below {
		c.Steps = append(c.Steps, trace.Step{Branch: branch})
	}
	return c
}

// limited returns the call with an amount of gas that code chose, and so much ether.
func limited(wei int64, c *trace.Branch) *trace.Branch {
	c.AllGiven, c.Value = false, big.NewInt(wei)
	return c
}

// reading returns the call as one whose code reads the gas left.
func reading(c *trace.Branch) *trace.Branch {
	c.ReadsGas = true
	return c
}

// named returns the call as one by another instruction.
func named(op string, c *trace.Branch) *trace.Branch {
	c.Op = op
	return c
}

// found returns a line for each finding: name, calls, limits of the last call under both forks, and reason.
func found(t *Transaction) string {
	var lines []string
	for _, f := range t.Findings {
		var calls []string
		for _, call := range f.Calls {
			contract, _, _ := strings.Cut(call, ".")
			calls = append(calls, strings.ToLower(contract[len(contract)-1:]))
		}
		line := fmt.Sprintf("%s %s %d %d %s", f.Name, strings.Join(calls, ">"), f.Gas[0].Limit, f.Gas[1].Limit, f.Reason)
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

// Ensure each rule holds up to its limit and not beyond, and that the call with another outcome is the innermost
// one.
func TestRulesOfCalls(t *testing.T) {
	t.Parallel()
	var (
		gone, reverted, poor    = vm.ErrOutOfGas, vm.ErrExecutionReverted, core.ErrInsufficientFunds
		tooMuchCode, tooMuchIni = vm.ErrMaxCodeSizeExceeded, vm.ErrMaxInitCodeSizeExceeded
	)
	for _, c := range []struct {
		name          string
		before, after *trace.Branch
		want          string
	}{
		{"the same", called(r, 90, nil, called(a, 50, gone)), called(r, 90, nil, called(a, 50, gone)), ""},
		{"fails otherwise", called(r, 90, reverted), called(r, 90, gone), ""},
		{"too little from the client", called(r, 90, nil), called(r, 90, gone), "fixed-gas-in-client c 100 100 out of gas"},
		{"an invalid instruction", called(r, 90, nil), called(r, 90, vm.ErrDepth), "fixed-gas-in-client c 100 100 max call depth exceeded"},
		{"reverted", called(r, 90, nil), called(r, 90, reverted), "other-outcome c 100 100 execution reverted"},
		{"without the money", called(r, 90, nil), called(r, 90, poor), "other-outcome c 100 100 insufficient funds for gas * price + value"},
		{"reverted after a look at the gas", called(r, 90, nil), reading(called(r, 90, reverted)), "gas-arithmetic c 100 100 execution reverted"},
		{"succeeds after a look at the gas", called(r, 90, reverted), reading(called(r, 90, nil)), "other-outcome c 100 100"},
		{"succeeds now", called(r, 90, gone), called(r, 90, nil), "other-outcome c 100 100"},
		{"code that fits now", called(r, 90, tooMuchCode), called(r, 90, nil), "code-size c 100 100"},
		{"init code that fits now, and then fails", called(r, 90, tooMuchIni), called(r, 90, gone), "code-size c 100 100 out of gas"},
		{"code that is still too large", called(r, 90, tooMuchCode), called(r, 90, tooMuchIni), ""},

		{"the stipend", called(r, 90, nil, limited(1, called(a, 2300, nil))), called(r, 90, nil, limited(1, called(a, 2300, gone))), "stipend-2300 c>a 2300 2300 out of gas"},
		{"more than the stipend", called(r, 90, nil, limited(1, called(a, 2301, nil))), called(r, 90, nil, limited(1, called(a, 2301, gone))), "fixed-gas-in-code c>a 2301 2301 out of gas"},
		{"the stipend without ether", called(r, 90, nil, limited(0, called(a, 2300, nil))), called(r, 90, nil, limited(0, called(a, 2300, gone))), "fixed-gas-in-code c>a 2300 2300 out of gas"},
		{"the stipend of all gas", called(r, 90, nil, called(a, 2300, nil)), called(r, 90, nil, called(a, 2300, gone)), "gas-arithmetic c>a 2300 2300 out of gas"},
		{"the stipend, and a revert", called(r, 90, nil, limited(1, called(a, 2300, nil))), called(r, 90, nil, limited(1, called(a, 2300, reverted))), "other-outcome c>a 2300 2300 execution reverted"},
		{"a computed amount", called(r, 90, nil, limited(0, called(a, 51, nil))), called(r, 90, gone, limited(0, called(a, 50, gone))), "gas-arithmetic c>a 51 50 out of gas"},
		{"all but what the caller keeps", called(r, 90, nil, called(a, 51, nil)), called(r, 90, nil, called(a, 50, gone)), "gas-arithmetic c>a 51 50 out of gas"},
		{"all but what the caller keeps, which fails", called(r, 90, nil, called(a, 51, nil)), called(r, 90, reverted, called(a, 51, gone)), "fixed-gas-in-client c>a 51 51 out of gas"},
		{"all of an amount", called(r, 90, nil, limited(0, called(a, 50, nil, called(b, 40, nil)))), called(r, 90, nil, limited(0, called(a, 50, gone, called(b, 30, gone)))), "fixed-gas-in-code c>a>b 40 30 out of gas"},
		{"all of the stipend", called(r, 90, nil, limited(7, called(a, 2300, nil, called(b, 40, nil)))), called(r, 90, nil, limited(7, called(a, 2300, gone, called(b, 40, gone)))), "stipend-2300 c>a>b 40 40 out of gas"},
		{
			"the innermost amount", called(r, 90, nil, limited(1, called(a, 2300, nil, limited(0, called(b, 40, nil))))),
			called(r, 90, nil, limited(1, called(a, 2300, gone, limited(0, called(b, 40, gone))))), "fixed-gas-in-code c>a>b 40 40 out of gas",
		},
		{
			"two calls", called(r, 90, nil, called(a, 40, nil), called(b, 40, nil), called(a, 30, nil)), called(r, 90, nil, called(a, 40, gone), called(b, 40, nil), called(a, 30, reverted)),
			"gas-arithmetic c>a 40 40 out of gas\nother-outcome c>a 30 30 execution reverted",
		},
		{"one call more", called(r, 90, nil, called(a, 40, nil)), called(r, 90, nil, called(a, 40, nil), called(b, 40, gone)), ""},
		{"one call fewer", called(r, 90, nil, called(a, 40, nil), called(b, 40, gone)), called(r, 90, nil, called(a, 40, nil)), ""},
		{"another account", called(r, 90, nil, called(a, 40, nil), called(b, 40, nil)), called(r, 90, nil, called(b, 40, gone), called(b, 40, gone)), ""},
		{"another instruction", called(r, 90, nil, called(a, 40, nil), called(b, 40, nil)), called(r, 90, nil, named("STATICCALL", called(a, 40, gone)), called(b, 40, gone)), ""},
		{"another account before it fails itself", called(r, 90, nil, called(a, 40, nil)), called(r, 90, gone, called(b, 40, gone)), "fixed-gas-in-client c 100 100 out of gas"},
	} {
		tx := &Transaction{Hash: common.Hash{1}, GasLimit: 100}
		tx.find(&trace.Outcome{Root: c.before, GasUsed: 100}, &trace.Outcome{Root: c.after, GasUsed: 100}, nil)
		require.Equal(t, c.want, found(tx), c.name)
	}
}

// Ensure rules about whole transactions and calls hold up to their limits, and only where both outcomes are a
// success.
func TestRulesOfTransactions(t *testing.T) {
	t.Parallel()
	system, other := &types.Log{Address: params.SystemAddress}, &types.Log{Address: a}
	for _, c := range []struct {
		name          string
		before, after trace.Outcome
		want          string
		wantOfCall    string
	}{
		{"a cheaper transfer", trace.Outcome{GasUsed: 21_000}, trace.Outcome{GasUsed: 20_999}, "transfer-cost", ""},
		{"a transfer of the same price", trace.Outcome{GasUsed: 21_000}, trace.Outcome{GasUsed: 21_000}, "", ""},
		{"no transfer", trace.Outcome{GasUsed: 21_001}, trace.Outcome{GasUsed: 15_000}, "", ""},
		{"a log behind ether's", trace.Outcome{}, trace.Outcome{Logs: []*types.Log{system, other}}, "ether-log", ""},
		{"a log between ether's", trace.Outcome{}, trace.Outcome{Logs: []*types.Log{system, other, system}}, "ether-log", ""},
		{"a log before ether's", trace.Outcome{}, trace.Outcome{Logs: []*types.Log{other, system, system}}, "", ""},
		{"twice the gas", trace.Outcome{GasUsed: 50}, trace.Outcome{GasUsed: 100, Gas: &tracing.Gas{Execution: 99, State: 1}}, "new-state", ""},
		{"not twice the gas", trace.Outcome{GasUsed: 50}, trace.Outcome{GasUsed: 99, Gas: &tracing.Gas{Execution: 98, State: 1}}, "", ""},
		{"twice the gas without state", trace.Outcome{GasUsed: 50}, trace.Outcome{GasUsed: 100, Gas: &tracing.Gas{Execution: 100}}, "", ""},
		{"twice the gas before amsterdam", trace.Outcome{GasUsed: 50}, trace.Outcome{GasUsed: 100}, "", ""},
		{"a refund of 1", trace.Outcome{GasUsed: 99}, trace.Outcome{GasUsed: 99, Gas: &tracing.Gas{Execution: 98, State: 2}}, "refund", ""},
		{"another result", trace.Outcome{Root: &trace.Branch{Output: []byte{1}}}, trace.Outcome{Root: &trace.Branch{Output: []byte{2}}}, "", "call-result"},
		{
			"all at once", trace.Outcome{GasUsed: 21_000, Root: &trace.Branch{Output: []byte{1}}},
			trace.Outcome{GasUsed: 15_000, Gas: &tracing.Gas{Execution: 15_000, State: 1}, Logs: []*types.Log{system, other}}, "transfer-cost\nether-log\nrefund", "call-result",
		},
	} {
		for _, fails := range []bool{false, true} {
			for side, o := range []*trace.Outcome{&c.before, &c.after} {
				o.Root = cmp.Or(o.Root, &trace.Branch{})
				o.Root.Op, o.Root.To, o.Root.Value = "CALL", r, new(big.Int)
				if fails && side == 0 {
					o.Failed, o.Root.Err = vm.ErrExecutionReverted, vm.ErrExecutionReverted
				}
			}
			for hash, want := range map[common.Hash]string{{1}: c.want, {}: c.wantOfCall} {
				var have []string
				tx := &Transaction{Hash: hash, GasLimit: 100}
				tx.find(&c.before, &c.after, nil)
				for _, f := range tx.Findings {
					have = append(have, f.Name)
				}
				if fails {
					want = "other-outcome"
				}
				require.Equal(t, want, strings.Join(have, "\n"), "%s, fails %t, %s", c.name, fails, hash)
			}
		}
	}
}

// Ensure a comparison names what differs, in order, and describes both outcomes, also of a transaction that cannot be
// in a block, and shows the gas of one that would be estimated again with the limit that it needs.
func TestCompareOutcomes(t *testing.T) {
	t.Parallel()
	log := &types.Log{Address: a, Topics: []common.Hash{{1}}, Data: []byte{2}, BlockNumber: 7}
	success := func(gas uint64, logs ...*types.Log) trace.Outcome {
		return trace.Outcome{GasUsed: gas, Logs: logs, Root: called(r, gas-20, nil)}
	}
	failed := trace.Outcome{Failed: vm.ErrOutOfGas, GasUsed: 100, Root: called(r, 80, vm.ErrOutOfGas), Gas: &tracing.Gas{Execution: 60, State: 40}, Needed: 700}
	rejected := trace.Outcome{Rejected: core.ErrIntrinsicGas}
	for _, c := range []struct {
		name     string
		outcomes [2]trace.Outcome
		adapted  *trace.Outcome
		differs  []string
		want     string
	}{
		{"the same", [2]trace.Outcome{success(90, log), success(90, &types.Log{Address: a, Topics: []common.Hash{{1}}, Data: []byte{2}, BlockNumber: 8})}, nil, []string{}, ""},
		{"another topic", [2]trace.Outcome{success(90, log), success(90, &types.Log{Address: a, Topics: []common.Hash{{2}}, Data: []byte{2}})}, nil, []string{"logs"}, ""},
		{"all", [2]trace.Outcome{success(90, log), failed}, nil, []string{"status", "gas", "logs"}, "fixed-gas-in-client c 100 100 out of gas {100 90 90 0} {100 100 60 40}"},
		{"adapted", [2]trace.Outcome{success(90), failed}, &trace.Outcome{GasUsed: 650, Root: called(r, 80, nil), Gas: &tracing.Gas{Execution: 300, State: 350}}, []string{"status", "gas"}, "new-state c 100 700 {100 90 90 0} {700 650 300 350}"},
		{"rejected", [2]trace.Outcome{success(90), rejected}, nil, []string{"status", "gas"}, "fixed-gas-in-client c 100 100 intrinsic gas too low {100 90 90 0} {100 0 0 0}"},
		{"rejected before", [2]trace.Outcome{rejected, success(90)}, nil, []string{"status", "gas"}, "other-outcome c 100 100 {100 0 0 0} {100 90 90 0}"},
		{"rejected by both", [2]trace.Outcome{rejected, rejected}, nil, []string{}, ""},
	} {
		tx := &Transaction{Hash: common.Hash{1}, To: &r, GasLimit: 100}
		tx.compare(&c.outcomes, c.adapted, nil)
		require.Equal(t, c.differs, tx.Differs, c.name)
		have := found(tx)
		for _, f := range tx.Findings {
			have += fmt.Sprintf(" %v %v", f.Gas[0], f.Gas[1])
		}
		require.Equal(t, c.want, have, c.name)
		require.NotNil(t, tx.Findings, c.name)
	}
	tx := &Transaction{Hash: common.Hash{1}, GasLimit: 100}
	tx.compare(&[2]trace.Outcome{rejected, failed}, nil, nil)
	execution, state := uint64(60), uint64(40)
	require.Equal(t, [2]Outcome{
		{Status: "rejected", Reason: "intrinsic gas too low", Logs: []Log{}},
		{Status: "failed", Reason: "out of gas", GasUsed: 100, ExecutionGas: &execution, StateGas: &state, GasNeeded: 700, Logs: []Log{}},
	}, tx.Outcomes)
	tx.compare(&[2]trace.Outcome{rejected, success(90, log)}, nil, nil)
	require.Equal(t, Outcome{Status: "success", GasUsed: 90, Logs: []Log{{a, []common.Hash{{1}}, []byte{2}}}}, tx.Outcomes[1])
	require.Equal(t, []string{common.Address{}.Hex() + ".constructor"}, tx.Findings[0].Calls)
	tx.To = &r
	tx.compare(&[2]trace.Outcome{rejected, success(90, log)}, nil, nil)
	require.Equal(t, []string{r.Hex() + ".transfer"}, tx.Findings[0].Calls)
}
