package trace

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
)

// maxSource is the size in bytes of a tracer in JavaScript. The engine reads nested code by recursion, and a stack that
// overflows ends the process.
const maxSource = 64 << 10

// sandbox is the JavaScript that bounds what one instruction of a tracer can do. It is a function of the source.
//
//go:embed sandbox.js
var sandbox string

// SourceError is returned for a tracer in JavaScript whose source is too long.
type SourceError struct {
	Size, Limit int // bytes
}

// Error returns the size and the limit.
func (e *SourceError) Error() string {
	return fmt.Sprintf("the tracer is too long: it has %d bytes, the limit is %d", e.Size, e.Limit)
}

// isSource reports whether the name of a tracer is its source in JavaScript. A single word is the name of one that
// go-ethereum has or knows nothing of.
func isSource(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// exposed lists the functions of the object that the source evaluates to.
type exposed struct {
	Result, Fault, Step, Enter, Exit bool
}

// check returns the error of go-ethereum for a missing function.
func (e *exposed) check() error {
	switch {
	case !e.Result:
		return errors.New("trace object must expose a function result()")
	case !e.Fault:
		return errors.New("trace object must expose a function fault()")
	case e.Enter != e.Exit:
		return errors.New("trace object must expose either both or none of enter() and exit()")
	default:
		return nil
	}
}

// newScript returns the tracer of a source in JavaScript. The end of ctx interrupts it, also while the source is
// evaluated and during its setup: go-ethereum cannot interrupt a tracer that it still builds, so it builds the sandbox,
// whose first result runs both.
func newScript(ctx context.Context, source string, about *About, config json.RawMessage, chain *params.ChainConfig) (*Tracer, error) {
	if len(source) > maxSource {
		return nil, &SourceError{Size: len(source), Limit: maxSource}
	}
	quoted, err := json.Marshal(source)
	if err != nil {
		return nil, err
	}
	t, err := directory.New(sandbox+"("+string(quoted)+")", about, config, chain)
	if err != nil {
		return nil, err
	}
	// A tracer may be busy while the EVM waits for it, and again while it computes its result.
	context.AfterFunc(ctx, func() { t.Stop(context.Cause(ctx)) })
	raw, err := t.GetResult()
	if err != nil {
		return nil, errors.New(strings.TrimSuffix(err.Error(), "    in server-side tracer function 'result'"))
	}
	var has exposed
	if err := json.Unmarshal(raw, &has); err != nil {
		return nil, err
	}
	if err := has.check(); err != nil {
		return nil, err
	}
	hooks := *t.Hooks
	if !has.Step {
		hooks.OnOpcode = nil
	}
	if !has.Enter { // the tracer learns only of the first call
		enter, exit := hooks.OnEnter, hooks.OnExit
		hooks.OnEnter = func(depth int, typ byte, from, to common.Address, input []byte, gas uint64, value *big.Int) {
			if depth == 0 {
				enter(depth, typ, from, to, input, gas, value)
			}
		}
		hooks.OnExit = func(depth int, output []byte, gasUsed uint64, err error, reverted bool) {
			if depth == 0 {
				exit(depth, output, gasUsed, err, reverted)
			}
		}
	}
	return &Tracer{Hooks: &hooks, GetResult: t.GetResult, Stop: t.Stop}, nil
}
