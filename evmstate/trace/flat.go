package trace

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// Flat describes what a transaction or call did, in the form of OpenEthereum's trace module.
type Flat struct {
	// TxHash is zero for a call.
	TxHash common.Hash
	// Frames begins with the transaction's own frame; each frame precedes those below it.
	Frames []Frame
	// StateDiff is nil unless it was asked for.
	StateDiff StateDiff
}

// FlatConfig describes what a Flat holds besides its frames, and its limits.
type FlatConfig struct {
	StateDiff bool
	// GasCap is the gas that a traced call may use; 0 means the default of package simulate.
	GasCap uint64
}

// config returns the configuration of go-ethereum's tracers that yields a Flat.
func (f FlatConfig) config() Config {
	wanted := `{"flatCallTracer":{"convertParityErrors":true},"` + executionGasTracer + `":{}`
	if f.StateDiff {
		wanted += `,"prestateTracer":{"diffMode":true}`
	}
	return Config{Tracer: "muxTracer", TracerConfig: json.RawMessage(wanted + "}"), GasCap: f.GasCap}
}

// decodeFlat reads what the tracers of FlatConfig.config wrote.
func decodeFlat(hash common.Hash, raw json.RawMessage) (Flat, error) {
	var traced struct {
		FlatCallTracer     json.RawMessage
		ExecutionGasTracer executionGas
		PrestateTracer     json.RawMessage
	}
	if err := json.Unmarshal(raw, &traced); err != nil {
		return Flat{}, fmt.Errorf("result of muxTracer: %w", err)
	}
	flat := Flat{TxHash: hash}
	var err error
	if flat.Frames, err = decodeFrames(traced.FlatCallTracer); err != nil {
		return Flat{}, err
	}
	traced.ExecutionGasTracer.correct(flat.Frames)
	if traced.PrestateTracer != nil {
		flat.StateDiff, err = decodeStateDiff(traced.PrestateTracer)
	}
	return flat, err
}

// FlatTransaction traces the transaction at index of a block like Transaction, with the same errors.
func FlatTransaction(ctx context.Context, c *chain.Chain, b Executed, index int, cfg FlatConfig) (Flat, error) {
	raw, err := Transaction(ctx, c, b, index, cfg.config())
	if err != nil {
		return Flat{}, err
	}
	return decodeFlat(b.Transaction(index).Hash(), raw)
}

// FlatBlock traces all transactions of a block. Its errors are those of Block, or the first of a transaction that
// cannot be traced. The genesis block has no transactions and thus no traces.
func FlatBlock(ctx context.Context, c *chain.Chain, b Executed, cfg FlatConfig) ([]Flat, error) {
	if err := b.Load(); err != nil {
		return nil, err
	}
	if b.Count() == 0 {
		return nil, nil
	}
	results, err := Block(ctx, c, b, cfg.config())
	if err != nil {
		return nil, err
	}
	flats := make([]Flat, len(results))
	for i, result := range results {
		if result.Error != "" {
			return nil, fmt.Errorf("transaction %s: %s", result.TxHash, result.Error)
		}
		if flats[i], err = decodeFlat(result.TxHash, result.Result); err != nil {
			return nil, err
		}
	}
	return flats, nil
}

// FlatCalls traces calls one after another on any View: each sees what those before it did. cfg has one entry for each
// call. Its errors are those of Call.
func FlatCalls(ctx context.Context, v chain.View, calls []simulate.Call, cfg []FlatConfig) ([]Flat, error) {
	flats := make([]Flat, len(calls))
	for i, call := range calls {
		config := cfg[i].config()
		x, err := callExecution(v, call, nil, nil, config.GasCap)
		if err != nil {
			return nil, err
		}
		raw, after, err := x.run(ctx, &config)
		if err != nil {
			return nil, err
		}
		if flats[i], err = decodeFlat(common.Hash{}, raw); err != nil {
			return nil, err
		}
		v.State = after
	}
	return flats, nil
}
