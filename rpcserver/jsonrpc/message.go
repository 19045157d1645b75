package jsonrpc

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// parse reads raw, which is not empty and has no space in front. On an error the id is set if the request had a usable
// one. Unless lenient, no member may be given twice or under its name in another case (contract D-unknownMembers);
// other members are ignored. If lenient, names are taken in any case and the last value counts, as in encoding/json.
func (m *message) parse(raw []byte, lenient bool) *Error {
	var given [len(envelope)][]byte
	var problem *Error
	badID := false
	valid := eachMember(raw, func(key, value []byte) {
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
	})
	switch {
	case !valid && !jsontext.Value(raw).IsValid(asWritten):
		return parseError(raw)
	case !valid:
		return Errorf(CodeInvalidRequest, "invalid request: want an object, have %s", Excerpt(raw))
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
	dst, _ = splitArray(raw, dst)
	return dst, nil
}

// orderParams appends the members of the params object to dst, in the order of names. Absent ones are null.
func (m *message) orderParams(names []string, dst [][]byte) ([][]byte, *Error) {
	dst = append(dst, slices.Repeat([][]byte{[]byte("null")}, len(names))...)
	var wrong *Error
	seen := make([]bool, len(names))
	_ = eachMember(m.params, func(key, value []byte) { // which parse has read
		name := Unquote(key)
		at := slices.Index(names, string(name))
		switch {
		case wrong != nil:
		case at < 0:
			wrong = Errorf(CodeInvalidParams, "unknown argument %s of %s: want %s", Excerpt(name), m.method, strings.Join(names, ", "))
		case seen[at]:
			wrong = Errorf(CodeInvalidParams, "argument %s of %s is given twice", name, m.method)
		default:
			dst[at], seen[at] = value, true
		}
	})
	return dst, wrong
}

// eachMember calls take with the members of raw as they are written, and reports whether raw is a JSON object.
func eachMember(raw []byte, take func(name, value []byte)) (valid bool) {
	if raw[0] != '{' {
		return false
	}
	in := read(raw)
	defer in.release()
	for _, _ = in.ReadToken(); in.PeekKind() != '}'; {
		name, value := in.value(), in.value()
		if value == nil {
			return false
		}
		take(name, value)
	}
	return in.ends()
}

// splitArray appends the items of raw to dst, and reports whether raw is a JSON array.
func splitArray(raw []byte, dst [][]byte) (items [][]byte, valid bool) {
	in := read(raw)
	defer in.release()
	for _, _ = in.ReadToken(); in.PeekKind() != ']'; {
		item := in.value()
		if item == nil {
			return nil, false
		}
		dst = append(dst, item)
	}
	return dst, in.ends()
}

// reader reads JSON.
type reader struct {
	*jsontext.Decoder
	raw []byte
}

// decoders holds the Decoders that no reader has: each call reads several times.
var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

var asWritten = jsonv2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// read returns a reader of raw. The caller releases it.
func read(raw []byte) reader {
	decoder := decoders.Get().(*jsontext.Decoder)
	decoder.Reset(bytes.NewBuffer(raw), asWritten)
	return reader{decoder, raw}
}

func (r reader) release() {
	r.Reset(nothing) // a Decoder that nobody uses keeps no message in memory
	decoders.Put(r.Decoder)
}

var nothing = bytes.NewReader(nil)

// value returns the next value, as a part of what is read, or nil if it is not valid.
func (r reader) value() []byte {
	value, err := r.ReadValue()
	if err != nil {
		return nil
	}
	end := int(r.InputOffset())
	return r.raw[end-len(value) : end]
}

// ends reads the end of the outermost object or array, and reports whether there was one and nothing follows.
func (r reader) ends() bool {
	_, err := r.ReadToken()
	_, rest := r.ReadToken()
	return err == nil && rest == io.EOF
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
