package trace

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strconv"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
)

// callTracer is the name of the tracer whose result is the calls, one within another. It answers as go-ethereum's
// does, which encodes each call again for every call around it.
const callTracer = "callTracer"

type callRecorder struct {
	OnlyTopCall bool `json:"onlyTopCall"` // no calls below the transaction's own
	WithLog     bool `json:"withLog"`     // the logs of calls, without those that a failure undid

	budget   *budget
	declared func(data []byte) string // see Config.Declared
	root     *call
	open     []*call // the calls that have not ended
	gas      uint64  // limit of the transaction
	depth    int
}

type call struct {
	op            vm.OpCode
	from          common.Address
	to            *common.Address // nil: of a creation that failed
	gas, gasUsed  uint64
	value         *big.Int // wei; nil: of a static call
	input, output []byte
	err, reason   string // empty: it did not fail
	calls         []*call
	logs          []callLog
}

// callLog is a log that followed the calls below position.
type callLog struct {
	*types.Log
	position int
}

func (c *Config) newCalls(b *budget) (*Tracer, error) {
	r := &callRecorder{budget: b, declared: c.Declared}
	if len(c.TracerConfig) > 0 {
		if err := json.Unmarshal(c.TracerConfig, r); err != nil {
			return nil, err
		}
	}
	hooks := &tracing.Hooks{
		OnTxStart: func(_ *tracing.VMContext, tx *types.Transaction, _ common.Address) { r.gas = tx.Gas() },
		OnTxEnd: func(receipt *types.Receipt, err error) {
			if err == nil && receipt != nil && r.root != nil {
				r.root.gasUsed = receipt.GasUsed
			}
		},
		OnEnter: r.enter,
		OnExit:  r.exit,
	}
	if r.WithLog {
		hooks.OnLog = r.log
	}
	return &Tracer{Hooks: hooks, GetResult: r.result, Stop: func(error) {}}, nil
}

func (r *callRecorder) enter(depth int, op byte, from, to common.Address, input []byte, gas uint64, value *big.Int) {
	r.depth = depth
	if r.OnlyTopCall && depth > 0 {
		return
	}
	if !r.budget.charge(frameSize + 2*len(input)) {
		return
	}
	c := &call{op: vm.OpCode(op), from: from, to: &to, input: slices.Clone(input), gas: gas, value: value}
	if depth == 0 {
		c.gas, r.root = r.gas, c
	} else {
		parent := r.open[len(r.open)-1]
		parent.calls = append(parent.calls, c)
	}
	r.open = append(r.open, c)
}

func (r *callRecorder) exit(depth int, output []byte, gasUsed uint64, err error, reverted bool) {
	r.depth = depth - 1
	if r.OnlyTopCall && depth > 0 || !r.budget.charge(2*len(output)) {
		return
	}
	c := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	c.gasUsed = gasUsed
	failed := err != nil && reverted // before Homestead code that is too dear to store makes an account without code
	if failed {
		c.fail(output, err, r.declared)
	}
	if !failed || errors.Is(err, vm.ErrExecutionReverted) {
		c.output = slices.Clone(output)
	}
	r.budget.charge(len(c.err) + len(c.reason))
}

// fail sets the error, and the reason that the output tells: Solidity's own, or one that declared knows.
func (c *call) fail(output []byte, err error, declared func([]byte) string) {
	c.err = err.Error()
	if c.op == vm.CREATE || c.op == vm.CREATE2 {
		c.to = nil
	}
	if !errors.Is(err, vm.ErrExecutionReverted) {
		return
	}
	c.reason, _ = abi.UnpackRevert(output)
	if c.reason == "" && declared != nil {
		c.reason = declared(output)
	}
}

func (r *callRecorder) log(log *types.Log) {
	if r.OnlyTopCall && r.depth > 0 || !r.budget.charge(frameSize+2*len(log.Data)) {
		return
	}
	c := r.open[len(r.open)-1]
	c.logs = append(c.logs, callLog{log, len(c.calls)})
}

func (r *callRecorder) result() (json.RawMessage, error) {
	if r.root == nil {
		return nil, errors.New("incorrect number of top-level calls") // go-ethereum's text
	}
	return r.root.append(make([]byte, 0, r.budget.used), false), nil
}

// append writes the call in JSON. undone reports whether a call around it failed.
func (c *call) append(dst []byte, undone bool) []byte {
	undone = undone || c.err != ""
	dst = appendHex(append(dst, `{"from":`...), c.from[:])
	dst = appendQuantity(append(dst, `,"gas":`...), c.gas)
	dst = appendQuantity(append(dst, `,"gasUsed":`...), c.gasUsed)
	if c.to != nil {
		dst = appendHex(append(dst, `,"to":`...), c.to[:])
	}
	dst = appendHex(append(dst, `,"input":`...), c.input)
	if len(c.output) > 0 {
		dst = appendHex(append(dst, `,"output":`...), c.output)
	}
	dst = appendText(dst, `,"error":`, c.err)
	dst = appendText(dst, `,"revertReason":`, c.reason)
	dst = appendList(dst, `,"calls":`, c.calls, func(below *call, dst []byte) []byte { return below.append(dst, undone) })
	if !undone {
		dst = appendList(dst, `,"logs":`, c.logs, callLog.append)
	}
	if c.value != nil {
		dst = append(append(append(dst, `,"value":"0x`...), c.value.Text(16)...), '"')
	}
	return append(appendText(dst, `,"type":`, c.op.String()), '}')
}

func (l callLog) append(dst []byte) []byte {
	dst = appendHex(append(dst, `{"address":`...), l.Address[:])
	dst = append(dst, `,"topics":[`...)
	for i := range l.Topics {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendHex(dst, l.Topics[i][:])
	}
	dst = appendHex(append(dst, `],"data":`...), l.Data)
	dst = appendQuantity(append(dst, `,"index":`...), uint64(l.Index))
	return append(appendQuantity(append(dst, `,"position":`...), uint64(l.position)), '}')
}

// appendList writes a member that is a list, unless it is empty.
func appendList[T any](dst []byte, key string, list []T, write func(T, []byte) []byte) []byte {
	for i, element := range list {
		if i == 0 {
			dst = append(append(dst, key...), '[')
		} else {
			dst = append(dst, ',')
		}
		dst = write(element, dst)
	}
	if len(list) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// appendText writes a member that is a text, unless it is empty.
func appendText(dst []byte, key, text string) []byte {
	if text == "" {
		return dst
	}
	quoted, _ := json.Marshal(text) // a text always encodes
	return append(append(dst, key...), quoted...)
}

func appendHex(dst, data []byte) []byte {
	return append(hex.AppendEncode(append(dst, `"0x`...), data), '"')
}

func appendQuantity(dst []byte, n uint64) []byte {
	return append(strconv.AppendUint(append(dst, `"0x`...), n, 16), '"')
}
