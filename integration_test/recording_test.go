package integration_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// recording is one .io file of ethereum/execution-apis: requests with the answers of a reference client.
type recording struct {
	name   string // "eth_call/call-contract"
	method string
	// specOnly: the answer depends on the client, only its shape is fixed.
	specOnly  bool
	exchanges []exchange
}

// exchange is one request and its recorded answer.
type exchange struct{ request, answer []byte }

// readRecordings reads all .io files below a directory, in path order.
func readRecordings(directory string) ([]recording, error) {
	var recordings []recording
	err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".io" {
			return err
		}
		r, err := readRecording(path)
		recordings = append(recordings, r)
		return err
	})
	return recordings, err
}

func readRecording(path string) (recording, error) {
	method := filepath.Base(filepath.Dir(path))
	r := recording{name: method + "/" + strings.TrimSuffix(filepath.Base(path), ".io"), method: method}
	file, err := os.Open(path)
	if err != nil {
		return r, err
	}
	defer file.Close()
	var request []byte
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		text := bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(text, []byte("//")):
			comment := strings.TrimSpace(string(text[2:]))
			r.specOnly = r.specOnly || strings.HasPrefix(comment, "speconly:")
		case bytes.HasPrefix(text, []byte(">>")):
			request = text[2:]
		case bytes.HasPrefix(text, []byte("<<")):
			r.exchanges = append(r.exchanges, exchange{request, text[2:]})
		case len(text) > 0:
			return r, fmt.Errorf("%s: line is no comment, request or answer: %.40s", path, text)
		}
		if errors.Is(err, io.EOF) {
			return r, nil
		}
		if err != nil {
			return r, err
		}
	}
}

// judge compares an answer with the recorded one and describes where it differs first, "" if nowhere. Error messages
// are the node's own. Without roots, simulated blocks may have any state root, and so any hash.
func (r recording) judge(got, want []byte, withoutRoots bool) (string, error) {
	if withoutRoots && r.method == "eth_simulateV1" {
		got, want = nameSimulatedHashes(got), nameSimulatedHashes(want)
	}
	a, err := decodeJSON(got)
	if err != nil {
		return "", fmt.Errorf("answer: %w", err)
	}
	b, err := decodeJSON(want)
	if err != nil {
		return "", fmt.Errorf("recorded answer: %w", err)
	}
	if withoutRoots && r.method == "eth_simulateV1" {
		dropStateRoots(a)
		dropStateRoots(b)
	}
	answer, _ := a.(map[string]any)
	if _, worked := answer["result"]; worked && r.specOnly {
		return shapeDifference("", a, b), nil
	}
	return difference("", a, b), nil
}

func decodeJSON(raw []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return value, err
}

// difference is the first place where two JSON values differ. The message of an error is not compared where both have
// one.
func difference(path string, got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			value, has := got[key]
			_, isText := want[key].(string)
			switch {
			case !has:
				return fmt.Sprintf("%s.%s is missing", path, key)
			case key == "message" && isText && isErrorPath(path):
			default:
				if d := difference(path+"."+key, value, want[key]); d != "" {
					return d
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(got)) {
			if _, has := want[key]; !has {
				return fmt.Sprintf("%s.%s is too much", path, key)
			}
		}
		return ""
	case []any:
		got, ok := got.([]any)
		if !ok {
			break
		}
		for i := range min(len(got), len(want)) {
			if d := difference(fmt.Sprintf("%s[%d]", path, i), got[i], want[i]); d != "" {
				return d
			}
		}
		if len(got) != len(want) {
			return fmt.Sprintf("%s has %d elements, want %d", path, len(got), len(want))
		}
		return ""
	case json.Number:
		if got, ok := got.(json.Number); ok && sameNumber(got, want) {
			return ""
		}
	default:
		if got == want {
			return ""
		}
	}
	return fmt.Sprintf("%s is %s, want %s", path, short(got), short(want))
}

func isErrorPath(path string) bool { return strings.HasSuffix(path, ".error") }

func sameNumber(a, b json.Number) bool {
	x, ok := new(big.Rat).SetString(a.String())
	y, okay := new(big.Rat).SetString(b.String())
	return ok && okay && x.Cmp(y) == 0
}

func short(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	if len(text) > 200 {
		return fmt.Sprintf("%.200s…", text)
	}
	return string(text)
}

// dataKey is the name of a member that is data itself: an address or a nonce, as in txpool_content.
var dataKey = regexp.MustCompile(`^(0x[0-9a-fA-F]{40}|[0-9]+)$`)

// shapeDifference is the first place where a value is of another kind than the recorded example, or lacks a member.
// Recorded nulls, empty lists, and members whose names are data demand nothing.
func shapeDifference(path string, got, want any) string {
	if want == nil {
		return ""
	}
	if a, b := kindOf(got), kindOf(want); a != b {
		return fmt.Sprintf("%s is %s, want %s", path, a, b)
	}
	switch want := want.(type) {
	case map[string]any:
		got := got.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(want)) {
			value, has := got[key]
			if !has && dataKey.MatchString(key) {
				continue
			}
			if !has {
				return fmt.Sprintf("%s.%s is missing", path, key)
			}
			if d := shapeDifference(path+"."+key, value, want[key]); d != "" {
				return d
			}
		}
	case []any:
		for i, element := range got.([]any) {
			if len(want) == 0 {
				break
			}
			if d := shapeDifference(fmt.Sprintf("%s[%d]", path, i), element, want[0]); d != "" {
				return d
			}
		}
	}
	return ""
}

func kindOf(value any) string {
	if text, ok := value.(string); ok && strings.HasPrefix(text, "0x") {
		return "hex"
	}
	return fmt.Sprintf("%T", value)
}

var fullHash = regexp.MustCompile(`^0x[0-9a-f]{64}$`)

// nameSimulatedHashes gives the hashes of simulated blocks names, wherever they are: in hash, parentHash, blockHash,
// and what contracts returned. So the links between these places stay compared. A hash that is malformed, zero or used
// twice keeps its digits.
func nameSimulatedHashes(answer []byte) []byte {
	var blocks struct{ Result []struct{ Hash string } }
	if json.Unmarshal(answer, &blocks) != nil { // an error answer
		return answer
	}
	named := map[string]bool{"0x" + strings.Repeat("0", 64): true}
	for i, block := range blocks.Result {
		if fullHash.MatchString(block.Hash) && !named[block.Hash] {
			named[block.Hash] = true
			answer = bytes.ReplaceAll(answer, []byte(block.Hash[2:]), fmt.Appendf(nil, "<hash of block %d>", i))
		}
	}
	return answer
}

// dropStateRoots forgets well-formed state roots of simulated blocks.
func dropStateRoots(answer any) {
	object, _ := answer.(map[string]any)
	blocks, _ := object["result"].([]any)
	for _, block := range blocks {
		block, _ := block.(map[string]any)
		if root, ok := block["stateRoot"].(string); ok && fullHash.MatchString(root) {
			block["stateRoot"] = "<state root>"
		}
	}
}
