package profile

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/console"
)

// writer names the contracts, calls and slots of a tree.
type writer struct {
	on        *chain.Chain
	known     *artifacts.Set
	contracts map[common.Address]*artifacts.Artifact // by account whose code ran; nil for an unknown one
	delegates map[common.Address]*common.Address     // the code's own account, by account that ran it as a delegate
}

// meet finds the artifacts of the contracts in a branch and below it.
func (w *writer) meet(b *trace.Branch) {
	if len(b.Code) > 0 {
		w.contracts[b.To], w.delegates[b.To] = w.known.Contract(b.CodeHash, b.Code), b.Delegate
	}
	for _, below := range b.Calls() {
		w.meet(below)
	}
}

func (w *writer) name(address common.Address) string {
	if contract := w.contracts[address]; contract != nil {
		return contract.Name
	}
	return precompile(address)
}

func (w *writer) code(address common.Address) Code {
	return Code{w.name(address), w.delegates[address]}
}

// precompiles are the names of the precompiled contracts, from address 1 on.
var precompiles = []string{
	"", "ecrecover", "sha256", "ripemd160", "identity", "modexp", "ecAdd", "ecMul", "ecPairing", "blake2f", "pointEvaluation",
	"blsG1Add", "blsG1MSM", "blsG2Add", "blsG2MSM", "blsPairing", "blsMapToG1", "blsMapToG2",
}

func precompile(address common.Address) string {
	n := new(uint256.Int).SetBytes(address[:])
	switch {
	case n.LtUint64(uint64(len(precompiles))):
		return precompiles[n.Uint64()]
	case n.Eq(uint256.NewInt(0x100)):
		return "p256Verify"
	}
	return ""
}

func destructs(b *trace.Branch) bool { return b.Op == vm.SELFDESTRUCT.String() }

// call returns a branch with everything below it.
func (w *writer) call(b *trace.Branch) *Call {
	c := &Call{Op: b.Op, From: b.From, To: b.To, Code: w.code(b.To), Text: w.text(b), Gas: b.GasUsed}
	if b.Value.Sign() > 0 {
		c.Value = (*hexutil.Big)(b.Value)
	}
	switch {
	case b.Err != nil && errors.Is(b.Err, vm.ErrExecutionReverted):
		c.Error = b.Err.Error()
		revert := w.on.Reverted(b.Output)
		revert.Declared = cmp.Or(revert.Declared, w.known.Error(b.Output))
		if reason := revert.Reason(); reason != "" {
			c.Error += ": " + reason
		} else if len(b.Output) > 0 {
			c.Error += ": " + excerpt(b.Output)
		}
	case b.Err != nil:
		c.Error = b.Err.Error()
	case !b.Creates() && len(b.Output) > 0:
		if c.Result = w.known.Result(w.contracts[b.To], b.Input, b.Output); c.Result == "" {
			c.Result = excerpt(b.Output)
		}
	}
	for _, step := range b.Steps {
		switch {
		case step.Log != nil:
			c.Steps = append(c.Steps, Step{Event: w.event(step.Log)})
		case step.Branch.To == chain.ConsoleAddress:
			c.Steps = append(c.Steps, Step{Console: console.Line(step.Branch.Input)})
		default:
			c.Steps = append(c.Steps, Step{Call: w.call(step.Branch)})
		}
	}
	return c
}

func (w *writer) text(b *trace.Branch) string {
	switch {
	case b.Creates():
		return "new"
	case destructs(b):
		return "selfdestruct"
	case len(b.Code) > 0:
		if text := w.known.Call(w.contracts[b.To], b.Input); text != "" {
			return text
		}
	}
	return excerpt(b.Input)
}

func (w *writer) event(log *types.Log) *Event {
	e := &Event{Address: log.Address, Code: w.code(log.Address), Text: w.known.Event(w.contracts[log.Address], log)}
	if e.Text == "" {
		for _, topic := range log.Topics {
			e.Text += topic.Hex() + " "
		}
		e.Text += excerpt(log.Data)
	}
	return e
}

func (w *writer) functions(root *trace.Branch) []Function {
	type key struct {
		address  common.Address
		function string
	}
	rows, order := map[key]*Function{}, []key{}
	var count func(*trace.Branch)
	count = func(b *trace.Branch) {
		k := key{b.To, w.function(b)}
		if rows[k] == nil {
			rows[k] = &Function{Address: b.To, Code: w.code(b.To), Function: k.function}
			order = append(order, k)
		}
		rows[k].Calls++
		rows[k].Gas += b.Self()
		rows[k].TotalGas += b.GasUsed
		for _, below := range b.Calls() {
			count(below)
		}
	}
	count(root)
	functions := make([]Function, len(order))
	for i, k := range order {
		functions[i] = *rows[k]
	}
	slices.SortStableFunc(functions, func(a, b Function) int { return cmp.Compare(b.Gas, a.Gas) })
	return functions
}

// function returns the function that a branch calls, as Function.Function names it.
func (w *writer) function(b *trace.Branch) string {
	switch {
	case b.Creates():
		return "constructor"
	case destructs(b):
		return "selfdestruct"
	case b.To == chain.ConsoleAddress:
		return "console.log"
	case precompile(b.To) != "":
		return "precompile"
	case len(b.Code) == 0:
		return "transfer"
	case len(b.Input) == 0:
		return "receive"
	}
	if function := w.known.Function(w.contracts[b.To], b.Input); function != "" {
		return function
	}
	return hexutil.Encode(b.Input[:min(4, len(b.Input))])
}

func (w *writer) accounts(tree *trace.Tree) []Account {
	accounts := []Account{}
	for address, diff := range tree.StateDiff {
		a := Account{Address: address, Code: w.code(address)}
		code, balance, nonce := valuesOf(diff.Code), valuesOf(diff.Balance), valuesOf(diff.Nonce)
		if target, delegated := types.ParseDelegation(code.To); delegated {
			a.Delegate = &target
		}
		a.CodeChanged = !bytes.Equal(code.From, code.To)
		if balance.From.ToInt().Cmp(balance.To.ToInt()) != 0 {
			a.Balance = &balance
		}
		if nonce.From != nonce.To {
			a.Nonce = &nonce
		}
		for slot, delta := range diff.Storage {
			a.Storage = append(a.Storage, Slot{slot, w.contracts[address].Variable(slot, tree.Preimages), valuesOf(delta)})
		}
		slices.SortFunc(a.Storage, func(x, y Slot) int { return bytes.Compare(x.Slot[:], y.Slot[:]) })
		accounts = append(accounts, a)
	}
	slices.SortFunc(accounts, func(a, b Account) int { return a.Address.Cmp(b.Address) })
	return accounts
}

// valuesOf returns the values of a difference, zero for none.
func valuesOf[T any](d trace.Delta[T]) Values[T] {
	return Values[T]{*cmp.Or(d.From, new(T)), *cmp.Or(d.To, new(T))}
}

// excerpt returns data in hex, cut if they are long.
func excerpt(data []byte) string {
	const most = 68 // a selector and two words
	if len(data) <= most {
		return hexutil.Encode(data)
	}
	return "0x" + hex.EncodeToString(data[:most]) + "…"
}
