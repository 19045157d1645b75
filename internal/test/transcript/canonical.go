package transcript

import (
	"bytes"
	"encoding/json"
)

// canonical returns JSON in a form in which equal values are equal strings, without the messages of errors. Text that
// is not JSON is returned unchanged.
func canonical(text []byte) string {
	if !json.Valid(text) {
		return string(text)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return string(text)
	}
	dropMessages(value)
	indented, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return string(text)
	}
	return string(indented)
}

// dropMessages removes the message of every error object in value.
func dropMessages(value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			dropMessages(item)
		}
	case map[string]any:
		if failure, ok := value["error"].(map[string]any); ok {
			delete(failure, "message")
		}
		for _, member := range value {
			dropMessages(member)
		}
	}
}
