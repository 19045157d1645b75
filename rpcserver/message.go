package rpcserver

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
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
		return errorf(codeInvalidRequest, "invalid request: want an object, have %s", excerpt(raw[i:]))
	}
	var version, method []byte
	badID := false
	for i = skipSpace(raw, i+1); raw[i] != '}'; {
		end := skipValue(raw, i)
		key := raw[i:end]
		i = skipSpace(raw, skipSpace(raw, end)+1) // past the colon
		end = skipValue(raw, i)
		value := raw[i:end]
		switch string(unquote(key)) {
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
		return errorf(codeInvalidRequest, "invalid request: id must be a string, a number or null")
	case len(version) == 0 || version[0] != '"' || string(unquote(version)) != "2.0":
		return errorf(codeInvalidRequest, `invalid request: jsonrpc must be "2.0"`)
	case len(method) == 0 || method[0] != '"' || len(method) == len(`""`):
		return errorf(codeInvalidRequest, "invalid request: method must be a string")
	}
	m.method = string(unquote(method))
	return nil
}

// splitParams appends the parameters to dst, in their order.
func (m *message) splitParams(dst [][]byte) ([][]byte, *Error) {
	raw := m.params
	if raw == nil {
		return dst, nil
	}
	if names, ok := namedParams[m.method]; ok && raw[0] == '{' {
		return m.orderParams(names, dst)
	}
	if raw[0] != '[' {
		return nil, invalidParams("params must be an array, by position; have %s", excerpt(raw))
	}
	return splitArray(raw, dst), nil
}

// orderParams appends the members of the params object to dst, in the order of names.
func (m *message) orderParams(names []string, dst [][]byte) ([][]byte, *Error) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(m.params, &members) // valid by contract
	for name := range members {
		if !slices.Contains(names, name) {
			return nil, invalidParams("unknown argument %s of %s: want %s", excerpt(name), m.method, strings.Join(names, ", "))
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

// unquote returns the text of a valid JSON string.
func unquote(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return quoted[1 : len(quoted)-1]
	}
	var text string
	_ = json.Unmarshal(quoted, &text) // valid by contract
	return []byte(text)
}

func isNull(raw []byte) bool { return string(raw) == "null" }

// appendResult appends the answer carrying result; an error means that result cannot be encoded, and
// leaves dst as it was.
func appendResult(dst, id []byte, result any) ([]byte, error) {
	answer := append(dst, `{"jsonrpc":"2.0","id":`...)
	answer = append(answer, id...)
	answer = append(answer, `,"result":`...)
	answer, err := appendValue(answer, result)
	if err != nil {
		return dst, err
	}
	return append(answer, '}'), nil
}

// appendError appends the answer carrying err. A nil id is written as null.
func appendError(dst, id []byte, err *Error) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		dst = append(dst, "null"...)
	}
	dst = append(dst, id...)
	dst = append(dst, `,"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(err.Code), 10)
	dst = append(dst, `,"message":`...)
	dst = appendString(dst, err.Message)
	if err.Data != nil {
		if with, failed := appendValue(append(dst, `,"data":`...), err.Data); failed == nil {
			dst = with
		}
	}
	return append(dst, "}}"...)
}

// appendValue encodes v, without reflection for what most methods return.
func appendValue(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case jsonAppender:
		return v.appendJSON(dst), nil
	case json.RawMessage:
		if v == nil {
			return append(dst, "null"...), nil
		}
		return append(dst, v...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return appendString(dst, v), nil
	case hexutil.Uint64:
		return appendQuantity(dst, uint64(v)), nil
	case hexutil.Bytes:
		return appendHex(dst, v), nil
	case common.Hash:
		return appendHex(dst, v[:]), nil
	}
	encoded, err := json.Marshal(v)
	return append(dst, encoded...), err
}

// appendHex appends bytes as a quoted hex string.
func appendHex(dst, data []byte) []byte {
	dst = append(dst, `"0x`...)
	return append(hex.AppendEncode(dst, data), '"')
}

// appendString appends a quoted JSON string.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string always encodes
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
