package recording

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// split returns the text of a message or batch without the ids of its calls, and the ids, "" for a notification.
func split(message []byte) (key string, ids []string) {
	var calls []map[string]json.RawMessage
	isBatch := json.Unmarshal(message, &calls) == nil
	if !isBatch {
		var call map[string]json.RawMessage
		if json.Unmarshal(message, &call) != nil {
			return string(message), nil
		}
		calls = []map[string]json.RawMessage{call}
	}
	for _, call := range calls {
		id := call["id"]
		ids = append(ids, string(id))
		if id != nil {
			call["id"] = json.RawMessage("0")
		}
	}
	var text []byte
	if isBatch {
		text, _ = json.Marshal(calls) // calls came from JSON
	} else {
		text, _ = json.Marshal(calls[0])
	}
	return string(text), ids
}

// beforeID is the beginning of every answer of a node.
const beforeID = `{"jsonrpc":"2.0","id":`

// answeredIDs returns the ids in an answer.
func answeredIDs(answer []byte) []string {
	var ids []string
	eachAnswer(answer, func(id string) string {
		ids = append(ids, id)
		return id
	})
	return ids
}

// withIDs returns a recorded answer with the ids of the message that it now answers in place of the recorded ids.
func withIDs(answer []byte, recorded, now []string) []byte {
	recorded = slices.Clone(recorded)
	return eachAnswer(answer, func(id string) string {
		at := slices.Index(recorded, id)
		if id == "" || at < 0 || at >= len(now) || now[at] == "" {
			return id
		}
		recorded[at] = "" // the next one with this id is another call's
		return now[at]
	})
}

// eachAnswer returns an answer, or the answers of a batch, with each id replaced by the function's result for it. Text
// that a fault cut short is returned unchanged.
func eachAnswer(answer []byte, id func(string) string) []byte {
	var answers []json.RawMessage
	if !bytes.HasPrefix(answer, []byte("[")) || json.Unmarshal(answer, &answers) != nil {
		return oneAnswer(answer, id)
	}
	parts := make([][]byte, len(answers))
	for i, one := range answers {
		parts[i] = oneAnswer(one, id)
	}
	return append(append([]byte("["), bytes.Join(parts, []byte(","))...), ']')
}

func oneAnswer(answer []byte, id func(string) string) []byte {
	rest, isAnswer := strings.CutPrefix(string(answer), beforeID)
	if !isAnswer {
		return answer
	}
	var found json.RawMessage
	if json.NewDecoder(strings.NewReader(rest)).Decode(&found) != nil {
		return answer
	}
	return []byte(beforeID + id(string(found)) + rest[len(found):])
}
