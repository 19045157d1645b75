package trace

import (
	"bytes"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
)

// callTracer is the name of go-ethereum's tracer of calls, which decodes only Solidity's two built-in errors.
const callTracer = "callTracer"

// declared wraps a callTracer's GetResult, so that calls that reverted have a revertReason also if only errors can
// decode their data.
func declared(result func() (json.RawMessage, error), errors func(data []byte) string) func() (json.RawMessage, error) {
	return func() (json.RawMessage, error) {
		text, err := result()
		if err != nil || !bytes.Contains(text, []byte(`"error":`)) {
			return text, err
		}
		var frame map[string]any
		if err := json.Unmarshal(text, &frame); err != nil {
			return nil, err
		}
		giveReasons(frame, errors)
		return json.Marshal(frame)
	}
}

// giveReasons sets the reasons in a frame of callTracer and the frames below it.
func giveReasons(frame map[string]any, errors func(data []byte) string) {
	output, _ := frame["output"].(string)
	if frame["error"] != nil && frame["revertReason"] == nil {
		if reason := errors(common.FromHex(output)); reason != "" {
			frame["revertReason"] = reason
		}
	}
	calls, _ := frame["calls"].([]any)
	for _, call := range calls {
		if below, ok := call.(map[string]any); ok {
			giveReasons(below, errors)
		}
	}
}
