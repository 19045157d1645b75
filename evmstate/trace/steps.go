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
	empty := map[string]string{`"refund":`: `0`}
	if c.EnableMemory {
		empty[`"memory":`] = `[]`
	}
	if c.EnableReturnData {
		empty[`"returnData":`] = `"0x"`
	}
	for i, step := range result.StructLogs {
		for name, value := range empty {
			if !bytes.Contains(step, []byte(name)) {
				step = append(append(step[:len(step)-1:len(step)-1], ","+name+value...), '}')
			}
		}
		result.StructLogs[i] = step
	}
	return json.Marshal(result)
}
