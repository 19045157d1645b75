package forkcheck

import (
	"bytes"
	"cmp"
	"errors"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/profile"
)

// Finding is an assumption that no longer holds, with the transaction or call that shows it. Gas is in gas.
type Finding struct {
	Name string `json:"name"` // such as "fixed-gas-in-code"
	// Level is "error" for a transaction or call with another outcome, "warning" for an answer that clients may read
	// otherwise, and "info" for a higher price alone.
	Level string `json:"level"`
	// Calls are the calls from the transaction's own to the one in question, such as "Hook.onPaid(uint256)", with the
	// address of a contract that has no known name. Of a finding about the transaction it is the first alone.
	Calls []string `json:"calls"`
	// Reason is the error under the second fork, empty if there is none.
	Reason string `json:"reason,omitempty"`
	// Gas is the gas of the last of Calls, in the order of the forks.
	Gas [2]Gas `json:"gas"`
	// Do says what to do about it.
	Do string `json:"do"`
}

// Gas is the gas of a call, and by kind of its transaction. All gas before amsterdam is execution gas.
type Gas struct {
	Limit     uint64 `json:"limit"`
	Used      uint64 `json:"used"`
	Execution uint64 `json:"transactionExecution"` // before refunds, from amsterdam on
	State     uint64 `json:"transactionState"`
}

// pair is a call under both forks.
type pair [2]*trace.Branch

// site is where a rule is asked: a transaction, or one of its calls that has another outcome.
type site struct {
	before, after *trace.Outcome
	calls         []pair // from the transaction's own; a call with another outcome is the last
}

// rule is an assumption and how a run shows that it does not hold.
type rule struct {
	name, level, do string
	// call reports whether a call with another outcome shows it; the first rule that applies has the call. tx reports the
	// same of a transaction that succeeds under both forks, and view of an eth_call that does. One is not nil.
	call, tx, view func(*site) bool
}

// rules are the subjects of ethereum's list of gas invariants for Glamsterdam, as far as a run shows them.
var rules = []rule{
	{name: "stipend-2300", level: "error", do: "do not count on 2,300 gas: send ether by call with all gas behind a guard against reentrance, or let it be withdrawn", call: stipend},
	{name: "code-size", level: "warning", do: "code may have 65,536 bytes and init code 131,072: do not take the old limits for a guard", call: func(s *site) bool { return tooLarge(s.last()[0].Err) }},
	{name: "fixed-gas-in-code", level: "error", do: "pass on all gas, or make the amount a setting; a new slot alone takes 97,920", call: fixedInCode},
	{name: "gas-arithmetic", level: "error", do: "do not compute with gasleft() or rely on the 1/64 that is kept back: check what the call returned", call: arithmetic},
	{name: "fixed-gas-in-client", level: "error", do: "estimate the gas limit instead of writing it down", call: (*site).starved},
	{name: "other-outcome", level: "error", do: "compare the traces under both forks: debug_traceTransaction of a run with --hardfork amsterdam", call: func(*site) bool { return true }},
	{name: "transfer-cost", level: "warning", do: "do not take 21,000 for the price of every transfer: without value it is 15,000, to oneself 12,000", tx: func(s *site) bool { return s.before.GasUsed == params.TxGas && s.after.GasUsed < params.TxGas }},
	{name: "ether-log", level: "warning", do: "find logs by address and topic, not by position: ether that moves has a Transfer log of 0xffff…fffe, in receipts, blooms and filters", tx: etherLog},
	{name: "call-result", level: "warning", do: "do not return what gas is left, or what else the fork changes", view: func(s *site) bool {
		return !bytes.Equal(s.before.Root.Output, s.after.Root.Output)
	}},
	{name: "new-state", level: "info", do: "budget for it: new slots, accounts and code cost 1,530 gas a byte (EIP-8037)", tx: func(s *site) bool {
		return s.after.Gas != nil && s.after.Gas.State > 0 && s.after.GasUsed >= 2*s.before.GasUsed
	}},
	{name: "refund", level: "info", do: "do not add up receipts to get a block's gasUsed: the block counts gas before refunds (EIP-7778)", tx: func(s *site) bool {
		return s.after.Gas != nil && s.after.Gas.Execution+s.after.Gas.State > s.after.GasUsed
	}},
}

// find adds the findings of the transaction or call.
func (t *Transaction) find(before, after *trace.Outcome, known *artifacts.Set) {
	root := pair{t.root(before), t.root(after)}
	for _, calls := range changed([]pair{root}) {
		s := &site{before, after, calls}
		if i := slices.IndexFunc(rules, func(r rule) bool { return r.call != nil && r.call(s) }); i >= 0 {
			t.add(&rules[i], s, known)
		}
	}
	s := &site{before, after, []pair{root}}
	for i := range rules {
		shows := rules[i].tx
		if t.Hash == (common.Hash{}) {
			shows = rules[i].view
		}
		if shows != nil && root[0].Err == nil && root[1].Err == nil && shows(s) {
			t.add(&rules[i], s, known)
		}
	}
}

func (t *Transaction) add(r *rule, s *site, known *artifacts.Set) {
	f := Finding{Name: r.name, Level: r.level, Do: r.do}
	for _, calls := range s.calls {
		contract, function := profile.Named(calls[0], known)
		f.Calls = append(f.Calls, cmp.Or(contract, calls[0].To.Hex())+"."+function)
	}
	last := s.last()
	if last[1].Err != nil {
		f.Reason = last[1].Err.Error()
	}
	for side, o := range []*trace.Outcome{s.before, s.after} {
		f.Gas[side] = Gas{Limit: last[side].Given, Used: last[side].GasUsed, Execution: o.GasUsed}
		if len(s.calls) == 1 {
			f.Gas[side].Limit, f.Gas[side].Used = t.GasLimit, o.GasUsed
		}
		if f.Gas[side].Used > f.Gas[side].Limit { // with a limit estimated again
			f.Gas[side].Limit = t.Outcomes[side].GasNeeded
		}
		if o.Gas != nil {
			f.Gas[side].Execution, f.Gas[side].State = o.Gas.Execution, o.Gas.State
		}
	}
	t.Findings = append(t.Findings, f)
}

// root returns the transaction's own call, also if it was never made.
func (t *Transaction) root(o *trace.Outcome) *trace.Branch {
	if o.Root != nil {
		return o.Root
	}
	b := &trace.Branch{Op: vm.CREATE.String(), Err: cmp.Or(o.Rejected, o.Failed), AllGiven: true, Value: new(big.Int)}
	if t.To != nil {
		b.Op, b.To = vm.CALL.String(), *t.To
	}
	return b
}

// changed returns the calls with another outcome, each behind those around it. A failure that a call passes on is
// only its callee's.
func changed(calls []pair) (all [][]pair) {
	last := calls[len(calls)-1]
	before, after := last[0].Calls(), last[1].Calls()
	for i := range min(len(before), len(after)) {
		if before[i].Op != after[i].Op || before[i].To != after[i].To {
			break // from here on they do different things
		}
		all = append(all, changed(append(slices.Clip(calls), pair{before[i], after[i]}))...)
	}
	if len(all) == 0 && ((last[0].Err == nil) != (last[1].Err == nil) || tooLarge(last[0].Err) && !tooLarge(last[1].Err)) {
		all = append(all, calls)
	}
	return all
}

func (s *site) last() pair { return s.calls[len(s.calls)-1] }

// starved reports whether the call ends early for want of gas, under the second fork alone.
func (s *site) starved() bool {
	before, after := s.last()[0].Err, s.last()[1].Err
	return before == nil && after != nil && !errors.Is(after, vm.ErrExecutionReverted) && !errors.Is(after, core.ErrInsufficientFunds)
}

// limited returns the innermost call around the last, or the last itself, whose gas is an amount that code chose, or
// the transaction's.
func (s *site) limited() (p pair, byCode bool) {
	for _, p = range slices.Backward(s.calls) {
		if !p[1].AllGiven {
			return p, true
		}
	}
	return p, false
}

func stipend(s *site) bool {
	by, limited := s.limited()
	return limited && s.starved() && by[1].Given <= params.CallStipend && by[1].Value.Sign() > 0
}

func tooLarge(err error) bool {
	return errors.Is(err, vm.ErrMaxCodeSizeExceeded) || errors.Is(err, vm.ErrMaxInitCodeSizeExceeded)
}

func fixedInCode(s *site) bool {
	by, limited := s.limited()
	return limited && s.starved() && by[0].Given == by[1].Given
}

// arithmetic is a call that gets a computed amount, or all but what its caller keeps back and goes on with, or fails
// because of the gas left.
func arithmetic(s *site) bool {
	_, limited := s.limited()
	last := s.last()
	return s.starved() && (limited || s.calls[0][1].Err == nil) ||
		last[0].Err == nil && errors.Is(last[1].Err, vm.ErrExecutionReverted) && last[1].ReadsGas
}

// etherLog reports whether a contract's log has another position than it had.
func etherLog(s *site) bool {
	first := slices.IndexFunc(s.after.Logs, func(l *types.Log) bool { return l.Address == params.SystemAddress })
	return first >= 0 && slices.ContainsFunc(s.after.Logs[first:], func(l *types.Log) bool { return l.Address != params.SystemAddress })
}
