package trace

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
)

// callTracer is the name of the tracer whose result is the calls, one within another. It answers as go-ethereum's
// does, which encodes each call again for every call around it.
const callTracer = "callTracer"

// newCalls returns the tracer, which charges what it records to the budget.
func (c *Config) newCalls(b *budget) (*Tracer, error) {
	var with struct {
		OnlyTopCall bool `json:"onlyTopCall"` // no calls below the transaction's own
		WithLog     bool `json:"withLog"`     // the logs of calls, without those that a failure undid
	}
	if len(c.TracerConfig) > 0 {
		if err := json.Unmarshal(c.TracerConfig, &with); err != nil {
			return nil, err
		}
	}
	r := &recorder{size: frameSize, perByte: 2, onlyTop: with.OnlyTopCall, logs: with.WithLog}
	t := r.tracer(nil, b)
	t.GetResult = func() (json.RawMessage, error) {
		if r.root == nil {
			return nil, errors.New("incorrect number of top-level calls") // go-ethereum's text
		}
		root := *r.root
		root.Given, root.GasUsed = r.gasLimit, r.gasUsed
		return c.appendCall(make([]byte, 0, b.used), &root, false), nil
	}
	return t, nil
}

// appendCall writes a call in JSON. undone reports whether a call around it failed.
func (c *Config) appendCall(dst []byte, b *Branch, undone bool) []byte {
	undone = undone || b.Err != nil
	reverted := errors.Is(b.Err, vm.ErrExecutionReverted)
	dst = appendHex(append(dst, `{"from":`...), b.From[:])
	dst = appendQuantity(append(dst, `,"gas":`...), b.Given)
	dst = appendQuantity(append(dst, `,"gasUsed":`...), b.GasUsed)
	if b.Err == nil || !b.Creates() {
		dst = appendHex(append(dst, `,"to":`...), b.To[:])
	}
	dst = appendHex(append(dst, `,"input":`...), b.Input)
	if len(b.Output) > 0 && (b.Err == nil || reverted) {
		dst = appendHex(append(dst, `,"output":`...), b.Output)
	}
	if b.Err != nil {
		dst = appendText(dst, `,"error":`, b.Err.Error())
	}
	if reverted {
		dst = appendText(dst, `,"revertReason":`, c.reason(b.Output))
	}
	dst = appendList(dst, `,"calls":`, b.Calls(), func(below *Branch, dst []byte) []byte { return c.appendCall(dst, below, undone) })
	if !undone {
		dst = appendList(dst, `,"logs":`, b.logs(), callLog.append)
	}
	if b.Op != vm.STATICCALL.String() {
		dst = append(append(append(dst, `,"value":"0x`...), b.Value.Text(16)...), '"')
	}
	return append(appendText(dst, `,"type":`, b.Op), '}')
}

// reason returns the reason that the data of a revert tell: Solidity's own, or one that Declared knows.
func (c *Config) reason(data []byte) string {
	reason, _ := abi.UnpackRevert(data)
	if reason == "" && c.Declared != nil {
		return c.Declared(data)
	}
	return reason
}

// callLog is a log that followed the calls below position.
type callLog struct {
	*types.Log
	position int
}

func (b *Branch) logs() (logs []callLog) {
	position := 0
	for _, step := range b.Steps {
		if step.Log == nil {
			position++
		} else {
			logs = append(logs, callLog{step.Log, position})
		}
	}
	return logs
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
