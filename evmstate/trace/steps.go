package trace

import (
	"bytes"
	"encoding/json"

	"github.com/ethereum/go-ethereum/eth/tracers/logger"
)

// whole returns the result of the struct logger with the members of steps that go-ethereum leaves out where they are
// empty, as Config.WholeSteps has it.
func (c *Config) whole(raw json.RawMessage, err error) (json.RawMessage, error) {
	var result logger.ExecutionResult
	if err != nil || json.Unmarshal(raw, &result) != nil {
		return raw, err
	}
	for i, step := range result.StructLogs {
		for _, member := range []struct {
			wanted      bool
			name, empty string
		}{{true, `"refund":`, `0`}, {c.EnableMemory, `"memory":`, `[]`}, {c.EnableReturnData, `"returnData":`, `"0x"`}} {
			if member.wanted && !bytes.Contains(step, []byte(member.name)) {
				step = append(append(step[:len(step)-1:len(step)-1], ","+member.name+member.empty...), '}')
			}
		}
		result.StructLogs[i] = step
	}
	return json.Marshal(result)
}
