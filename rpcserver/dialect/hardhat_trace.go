package dialect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/explain"
)

// hardhatTraceConfig configures the struct logger, which reports memory by default.
type hardhatTraceConfig struct {
	explain.TraceConfig `wanted:"an object that configures the tracer"`
	DisableMemory       bool `json:"disableMemory"`
}

// maxHardhatSteps is the size in bytes of the struct logs that are put into Hardhat's form. That repeats the storage at
// each step and pads all words: once it has trace.MaxSize bytes, or no room in the answer, there are no further steps.
const maxHardhatSteps = 16 << 20

// hardhatTraceTransaction serves debug_traceTransaction; named tracers, which Hardhat lacks, as the node.
func hardhatTraceTransaction(r *api.Request, hash common.Hash, options *hardhatTraceConfig) (any, error) {
	return hardhatTrace(r, options, func(config *explain.TraceConfig) (any, error) {
		return explain.TraceTransaction(r, hash, config)
	})
}

// hardhatTraceCall serves debug_traceCall, see hardhatTraceTransaction.
func hardhatTraceCall(r *api.Request, object api.CallObject, tag *api.BlockTag, options *hardhatTraceConfig) (any, error) {
	if err := hardhatComplete(r, &object); err != nil {
		return nil, err
	}
	hardhatFill(r, &object)
	return hardhatTrace(r, options, func(config *explain.TraceConfig) (any, error) {
		return explain.TraceCall(r, object, tag, config)
	})
}

// hardhatTrace traces, and puts the struct logger's result into Hardhat's form.
func hardhatTrace(r *api.Request, options *hardhatTraceConfig, run func(*explain.TraceConfig) (any, error)) (any, error) {
	options = cmp.Or(options, new(hardhatTraceConfig))
	config := options.TraceConfig
	if config.Tracer != nil {
		return run(&config)
	}
	config.EnableMemory = !options.DisableMemory
	config.DisableStack = false // it shows which contract a step runs in
	if config.Limit == 0 || config.Limit > maxHardhatSteps {
		config.Limit = maxHardhatSteps
	}
	result, err := run(&config)
	if err != nil {
		return nil, err
	}
	var steps hardhatTraceResult
	if err := json.Unmarshal(result.(json.RawMessage), &steps); err != nil {
		return nil, err
	}
	steps.rewrite(options, min(r.Caller.Room()/2, trace.MaxSize))
	return steps, nil
}

type hardhatTraceResult struct {
	Failed      bool           `json:"failed"`
	Gas         uint64         `json:"gas"`
	ReturnValue string         `json:"returnValue"`
	StructLogs  []*hardhatStep `json:"structLogs"`
}

// hardhatStep is one step of the struct logger. Words have 64 digits and no prefix. Nil parts, which the caller did not
// want, are left out, and empty ones are there.
type hardhatStep struct {
	Depth   int               `json:"depth"`
	Gas     uint64            `json:"gas"`
	GasCost uint64            `json:"gasCost"`
	Op      string            `json:"op"`
	PC      uint64            `json:"pc"`
	Error   string            `json:"error,omitempty"`
	Memory  []string          `json:"memory,omitzero"`
	Stack   []string          `json:"stack,omitzero"`
	Storage map[string]string `json:"storage,omitzero"`
}

// rewrite puts the steps into Hardhat's form: each has the slots of its contract that were touched so far. It keeps as
// many as have room, in bytes.
func (t *hardhatTraceResult) rewrite(options *hardhatTraceConfig, room int) {
	if t.ReturnValue == "0x" {
		t.ReturnValue = ""
	}
	var contracts []string // that run, the outermost first
	touched := make(map[string]map[string]string)
	for i, step := range t.StructLogs {
		for len(contracts) < step.Depth {
			contracts = append(contracts, t.entered(i, contracts))
		}
		contracts = contracts[:step.Depth]
		running := contracts[step.Depth-1]
		if len(step.Storage) > 0 {
			slots := make(map[string]string)
			for slot, value := range step.Storage {
				slots[hardhatWord(slot)] = hardhatWord(value)
			}
			touched[running] = slots
		}
		if strings.Contains(step.Error, "gas") {
			step.GasCost = 0
		}
		step.Error = ""
		step.Memory, step.Stack = api.Each(step.Memory, hardhatWord), api.Each(step.Stack, hardhatWord)
		if step.Storage = touched[running]; step.Storage == nil {
			step.Storage = map[string]string{}
		}
		const word = len(`"",`) + 64
		if room -= 256 + word*(len(step.Memory)+len(step.Stack)+2*len(step.Storage)); room < 0 {
			t.StructLogs = t.StructLogs[:i]
			break
		}
	}
	for _, step := range t.StructLogs {
		if options.DisableMemory {
			step.Memory = nil
		}
		if options.DisableStack {
			step.Stack = nil
		}
		if options.DisableStorage {
			step.Storage = nil
		}
	}
}

// entered returns the contract whose storage is used by the code that the step before i called.
func (t *hardhatTraceResult) entered(i int, contracts []string) string {
	if len(contracts) == 0 {
		return ""
	}
	caller := t.StructLogs[i-1]
	switch caller.Op {
	case "DELEGATECALL", "CALLCODE":
		return contracts[len(contracts)-1]
	case "CALL", "STATICCALL":
		to := caller.Stack[len(caller.Stack)-2]
		return to[len(to)-40:]
	default: // a new contract
		return fmt.Sprint("made at step ", i)
	}
}

// hardhatWord rewrites a number in hex to 64 digits without a prefix.
func hardhatWord(hex string) string {
	digits := strings.TrimPrefix(hex, "0x")
	return strings.Repeat("0", max(0, 64-len(digits))) + digits
}
