package jsonrpc

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"
)

// message is one JSON-RPC 2.0 request. Its slices point into the bytes it was read from.
type message struct {
	id     []byte // as sent; nil for a notification
	method string
	params []byte // as sent; nil if absent or null
}

// The members of a request, and their places in envelope.
const (
	atVersion = iota
	atID
	atMethod
	atParams
)

var envelope = [...]string{"jsonrpc", "id", "method", "params"}

// parse reads raw, which must be one valid JSON value. On an error the id is set if the request had a usable one.
// Unless lenient, no member may be given twice or under its name in another case (contract D-unknownMembers); other
// members are ignored. If lenient, names are taken in any case and the last value counts, as in encoding/json.
func (m *message) parse(raw []byte, lenient bool) *Error {
	i := skipSpace(raw, 0)
	if raw[i] != '{' {
		return Errorf(CodeInvalidRequest, "invalid request: want an object, have %s", Excerpt(raw[i:]))
	}
	var given [len(envelope)][]byte
	var problem *Error
	badID := false
	for key, value := range membersOf(raw[i:]) {
		name := Unquote(key)
		at, exact := inEnvelope(name)
		switch {
		case at < 0:
		case lenient || exact && given[at] == nil:
			given[at] = value
		case exact:
			problem = Errorf(CodeInvalidRequest, "invalid request: member %q is given twice", name)
			badID = badID || at == atID
		default:
			problem = Errorf(CodeInvalidRequest, "invalid request: member %q is unknown, want %q", name, envelope[at])
		}
	}
	if id := given[atID]; len(id) > 0 && !badID {
		c := id[0]
		if badID = c != '"' && c != 'n' && c != '-' && (c < '0' || c > '9'); !badID {
			m.id = id
		}
	}
	if !isNull(given[atParams]) {
		m.params = given[atParams]
	}
	version, method := given[atVersion], given[atMethod]
	switch {
	case problem != nil:
		return problem
	case badID:
		return Errorf(CodeInvalidRequest, "invalid request: id must be a string, a number or null")
	case len(version) == 0 || version[0] != '"' || string(Unquote(version)) != "2.0":
		return Errorf(CodeInvalidRequest, `invalid request: jsonrpc must be "2.0"`)
	case len(method) == 0 || method[0] != '"' || len(method) == len(`""`):
		return Errorf(CodeInvalidRequest, "invalid request: method must be a string")
	}
	m.method = string(Unquote(method))
	return nil
}

// inEnvelope returns the place of a member's name in envelope, also of one in another case, or -1.
func inEnvelope(name []byte) (at int, exact bool) {
	if at := slices.Index(envelope[:], string(name)); at >= 0 {
		return at, true
	}
	return slices.IndexFunc(envelope[:], func(known string) bool { return strings.EqualFold(known, string(name)) }), false
}

// splitParams appends the parameters to dst, in their order. Without names they must be an array, with names they may
// also be an object with members of these names.
func (m *message) splitParams(names []string, dst [][]byte) ([][]byte, *Error) {
	raw := m.params
	if raw == nil {
		return dst, nil
	}
	if names != nil && raw[0] == '{' {
		return m.orderParams(names, dst)
	}
	if raw[0] != '[' {
		return nil, Errorf(CodeInvalidParams, "params must be an array, by position; have %s", Excerpt(raw))
	}
	return splitArray(raw, dst), nil
}

// orderParams appends the members of the params object to dst, in the order of names. Absent ones are null.
func (m *message) orderParams(names []string, dst [][]byte) ([][]byte, *Error) {
	values := make([][]byte, len(names))
	for key, value := range membersOf(m.params) {
		name := Unquote(key)
		at := slices.Index(names, string(name))
		switch {
		case at < 0:
			return nil, Errorf(CodeInvalidParams, "unknown argument %s of %s: want %s", Excerpt(name), m.method, strings.Join(names, ", "))
		case values[at] != nil:
			return nil, Errorf(CodeInvalidParams, "argument %s of %s is given twice", name, m.method)
		}
		values[at] = value
	}
	for _, value := range values {
		if value == nil {
			value = []byte("null")
		}
		dst = append(dst, value)
	}
	return dst, nil
}

// membersOf returns the members of raw, a valid JSON object, as they are written: names with their quotes, and values.
func membersOf(raw []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for i := skipSpace(raw, 1); raw[i] != '}'; {
			name := raw[i:skipString(raw, i)]
			i = skipSpace(raw, skipSpace(raw, i+len(name))+1) // past the colon
			value := raw[i:skipValue(raw, i)]
			if !yield(name, value) {
				return
			}
			if i = skipSpace(raw, i+len(value)); raw[i] == ',' {
				i = skipSpace(raw, i+1)
			}
		}
	}
}

// splitArray appends the members of raw, a valid JSON array, to dst.
func splitArray(raw []byte, dst [][]byte) [][]byte {
	for i := skipSpace(raw, skipSpace(raw, 0)+1); raw[i] != ']'; {
		end := skipValue(raw, i)
		dst = append(dst, raw[i:end])
		if i = skipSpace(raw, end); raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
	}
	return dst
}

// skipSpace returns the index of the first byte at or after i that is not white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// skipValue returns the index after the value that starts at i. b must be valid JSON.
func skipValue(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		for depth := 0; ; i++ {
			switch b[i] {
			case '"':
				i = skipString(b, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i < len(b) {
		switch b[i] {
		case ',', ']', '}', ' ', '\n', '\r', '\t':
			return i
		}
		i++
	}
	return i
}

// skipString returns the index after the string whose opening quote is at i.
func skipString(b []byte, i int) int {
	for i++; ; i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// Unquote returns the text of a valid JSON string in UTF-8, as every string of a message is one.
func Unquote(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var text string
	_ = json.Unmarshal(quoted, &text) // valid by contract
	return []byte(text)
}

func isNull(raw []byte) bool { return string(raw) == "null" }
