package jsonrpc

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// message is one JSON-RPC 2.0 request. Its slices point into the bytes it was read from.
type message struct {
	id     []byte // as sent; nil for a notification
	method string
	params []byte // as sent; nil if absent or null
}

// parse reads raw, which must be one valid JSON value. On an error the id is set if the request had a
// usable one.
func (m *message) parse(raw []byte) *Error {
	i := skipSpace(raw, 0)
	if raw[i] != '{' {
		return Errorf(CodeInvalidRequest, "invalid request: want an object, have %s", Excerpt(raw[i:]))
	}
	var version, method []byte
	badID := false
	for i = skipSpace(raw, i+1); raw[i] != '}'; {
		end := skipValue(raw, i)
		key := raw[i:end]
		i = skipSpace(raw, skipSpace(raw, end)+1) // past the colon
		end = skipValue(raw, i)
		value := raw[i:end]
		switch string(Unquote(key)) {
		case "jsonrpc":
			version = value
		case "id":
			m.id, badID = value, false
			if c := value[0]; c != '"' && c != 'n' && c != '-' && (c < '0' || c > '9') {
				m.id, badID = nil, true
			}
		case "method":
			method = value
		case "params":
			m.params = value
		}
		if i = skipSpace(raw, end); raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
	}
	if isNull(m.params) {
		m.params = nil
	}
	switch {
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

// orderParams appends the members of the params object to dst, in the order of names.
func (m *message) orderParams(names []string, dst [][]byte) ([][]byte, *Error) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(m.params, &members) // valid by contract
	for name := range members {
		if !slices.Contains(names, name) {
			return nil, Errorf(CodeInvalidParams, "unknown argument %s of %s: want %s", Excerpt(name), m.method, strings.Join(names, ", "))
		}
	}
	for _, name := range names {
		value, given := members[name]
		if !given {
			value = json.RawMessage("null")
		}
		dst = append(dst, value)
	}
	return dst, nil
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
