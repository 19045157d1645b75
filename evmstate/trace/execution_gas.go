package trace

import (
	"encoding/json"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/eth/tracers"
	"github.com/ethereum/go-ethereum/params"
)

// executionGasTracer is the name of a tracer that reports the gas which the code of a transaction was given and used.
// OpenEthereum's traces show that for the transaction's own frame, go-ethereum's the gas limit and the gas paid for,
// which include what the transaction costs before it runs.
const executionGasTracer = "executionGasTracer"

func init() {
	tracers.DefaultDirectory.Register(executionGasTracer, newExecutionGas, false)
}

// executionGas is the result of executionGasTracer.
type executionGas struct {
	Gas     hexutil.Uint64 `json:"gas"`
	GasUsed hexutil.Uint64 `json:"gasUsed"`
}

func newExecutionGas(*tracers.Context, json.RawMessage, *params.ChainConfig) (*tracers.Tracer, error) {
	e := new(executionGas)
	return &tracers.Tracer{
		Hooks: &tracing.Hooks{
			OnEnter: func(depth int, _ byte, _, _ common.Address, _ []byte, gas uint64, _ *big.Int) {
				if depth == 0 {
					e.Gas = hexutil.Uint64(gas)
				}
			},
			OnExit: func(depth int, _ []byte, gasUsed uint64, _ error, _ bool) {
				if depth == 0 {
					e.GasUsed = hexutil.Uint64(gasUsed)
				}
			},
		},
		GetResult: func() (json.RawMessage, error) { return json.Marshal(e) },
		Stop:      func(error) {}, // it never takes long
	}, nil
}

// correct puts the gas into the transaction's own frame.
func (e executionGas) correct(frames []Frame) {
	if len(frames) == 0 {
		return
	}
	root := &frames[0]
	root.Action.Gas = &e.Gas
	if root.Result != nil {
		root.Result.GasUsed = &e.GasUsed
	}
}
