package artifacts

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/ethereum/go-ethereum/accounts/abi"
)

// maxDimensions is the most dimensions of an array. go-ethereum's parser takes time by their square.
const maxDimensions = 64

// tooDeep matches an array of more dimensions.
var tooDeep = regexp.MustCompile(fmt.Sprintf(`(?:\[[0-9]*\]){%d}`, maxDimensions+1))

// add takes an entry of an ABI. It leaves out entries with types that the ABI's coding does not have, such as functions
// of libraries with storage pointers: nobody calls them from outside.
func (a *Artifact) add(entry json.RawMessage) error {
	if tooDeep.Match(entry) {
		return fmt.Errorf("a type has more than %d dimensions", maxDimensions)
	}
	var one abi.ABI
	if err := json.Unmarshal(append(append([]byte{'['}, entry...), ']'), &one); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return err
		}
		return nil
	}
	if inputs := one.Constructor.Inputs; inputs != nil {
		a.Constructor = inputs
	}
	for _, method := range one.Methods {
		a.methods = append(a.methods, method)
	}
	for _, failure := range one.Errors {
		a.errors = append(a.errors, failure)
	}
	for _, event := range one.Events {
		a.events = append(a.events, event)
	}
	return nil
}
