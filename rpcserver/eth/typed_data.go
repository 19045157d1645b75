package eth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// The limits of typed data, beyond what any wallet shows. Each type is hashed once, over the text of all types that it
// uses, so that their number counts and not the number of values.
const (
	maxTypedBytes  = 1 << 20
	maxTypedTypes  = 100
	maxTypedDepth  = 64 // structures and arrays within one another
	maxTypedValues = 100_000
)

// typedData is EIP-712 typed data: an object, or a string that holds one, as for wallets. Members that the types do not
// declare are ignored, because libraries send some.
type typedData struct {
	Types       map[string][]typedField `json:"types" wanted:"EIP-712 typed data: an object, or a string of one"`
	PrimaryType string                  `json:"primaryType"`
	Domain      map[string]any          `json:"domain"`
	Message     map[string]any          `json:"message"`
}

// typedField is a member that a type declares.
type typedField struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

func (d *typedData) UnmarshalJSON(raw []byte) error {
	type plain typedData
	inString := raw[0] == '"'
	if inString {
		raw = jsonrpc.Unquote(raw)
	}
	if len(raw) > maxTypedBytes {
		return fmt.Errorf("%d bytes, the limit is %d", len(raw), maxTypedBytes)
	}
	if inString {
		if !json.Valid(raw) {
			return errors.New("the string is not JSON")
		}
		if err := jsonrpc.CheckMembers[plain](raw, false); err != nil {
			return err
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // a float64 would round integers above 2^53
	return decoder.Decode((*plain)(d))
}

const domainType = "EIP712Domain"

// domainFields are the members a domain can have, in the order of EIP-712.
var domainFields = []typedField{
	{Name: "name", Type: "string"},
	{Name: "version", Type: "string"},
	{Name: "chainId", Type: "uint256"},
	{Name: "verifyingContract", Type: "address"},
	{Name: "salt", Type: "bytes32"},
}

// digest returns the 32 bytes to sign. If the domain's type is not declared, it is made from the domain's members; if
// it is the primary type, the domain alone is signed, as by wallets. It stops when the context ends.
func (d typedData) digest(ctx context.Context) ([]byte, error) {
	if len(d.Types) > maxTypedTypes {
		return nil, fmt.Errorf("%d types, the limit is %d", len(d.Types), maxTypedTypes)
	}
	e := typedEncoder{ctx: ctx, types: map[string][]typedField{domainType: nil}, hashes: make(map[string][]byte)}
	for _, field := range domainFields {
		if d.Domain[field.Name] != nil {
			e.types[domainType] = append(e.types[domainType], field)
		}
	}
	for name, fields := range d.Types {
		e.types[name] = fields
	}
	encoded := []byte{0x19, 0x01}
	separator, err := e.hash(domainType, d.Domain)
	if err != nil {
		return nil, fmt.Errorf("domain: %w", err)
	}
	encoded = append(encoded, separator...)
	if d.PrimaryType != domainType {
		message, err := e.hash(d.PrimaryType, d.Message)
		if err != nil {
			return nil, err
		}
		encoded = append(encoded, message...)
	}
	return crypto.Keccak256(encoded), nil
}

// typedEncoder hashes the structures of one typed data.
type typedEncoder struct {
	ctx    context.Context
	types  map[string][]typedField
	hashes map[string][]byte // of types
	values int               // encoded so far
}

// hash returns the hash of a structure after it has checked its type and those that this one uses.
func (e *typedEncoder) hash(name string, members map[string]any) ([]byte, error) {
	if _, known := e.types[name]; !known {
		return nil, fmt.Errorf("type %s is not declared", api.Excerpt(name))
	}
	for _, used := range e.used(name) {
		if err := e.check(used); err != nil {
			return nil, err
		}
	}
	return e.structure(name, members, 0)
}

// used returns a type and the types that it uses, these in the order of their names.
func (e *typedEncoder) used(name string) []string {
	used, seen := []string{name}, map[string]bool{name: true}
	for i := 0; i < len(used); i++ {
		for _, field := range e.types[used[i]] {
			item, _, _ := strings.Cut(field.Type, "[")
			if _, declared := e.types[item]; declared && !seen[item] {
				used, seen[item] = append(used, item), true
			}
		}
	}
	slices.Sort(used[1:])
	return used
}

var (
	typedName      = regexp.MustCompile(`^[A-Za-z]\w*(\[\d*\])*$`)
	typedPrimitive = regexp.MustCompile(`^(address|bool|string|bytes([1-9]|[12]\d|3[0-2])?)$`)
)

// check rejects a type whose members have no name, a name twice or a type that does not exist.
func (e *typedEncoder) check(name string) error {
	seen := make(map[string]bool)
	for i, field := range e.types[name] {
		item, _, _ := strings.Cut(field.Type, "[")
		_, declared := e.types[item]
		_, isInteger := integerWidth(item)
		switch {
		case field.Name == "" || field.Type == "":
			return fmt.Errorf("member %d of type %q has no name or no type", i, api.Excerpt(name))
		case seen[field.Name]:
			return fmt.Errorf("type %q declares %q twice", api.Excerpt(name), api.Excerpt(field.Name))
		case field.Type == name:
			return fmt.Errorf("type %q cannot reference itself", api.Excerpt(name))
		case !declared && !isInteger && !typedPrimitive.MatchString(item):
			return fmt.Errorf("reference type %q is undefined", api.Excerpt(field.Type))
		case !typedName.MatchString(field.Type):
			return fmt.Errorf("unknown reference type %q", api.Excerpt(field.Type))
		}
		seen[field.Name] = true
	}
	return nil
}

// typeHash returns the hash of a type: of its text and those of the types that it uses.
func (e *typedEncoder) typeHash(name string) []byte {
	if hash, known := e.hashes[name]; known {
		return hash
	}
	var text []byte
	for _, used := range e.used(name) {
		text = append(append(text, used...), '(')
		for i, field := range e.types[used] {
			if i > 0 {
				text = append(text, ',')
			}
			text = fmt.Appendf(text, "%s %s", field.Type, field.Name)
		}
		text = append(text, ')')
	}
	e.hashes[name] = crypto.Keccak256(text)
	return e.hashes[name]
}

func (e *typedEncoder) structure(name string, members map[string]any, depth int) ([]byte, error) {
	encoded := bytes.Clone(e.typeHash(name))
	for _, field := range e.types[name] {
		word, err := e.value(field.Type, members[field.Name], depth+1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", api.Excerpt(field.Name), err)
		}
		encoded = append(encoded, word...)
	}
	return crypto.Keccak256(encoded), e.ctx.Err()
}

// value returns the 32 bytes by which a value is part of its structure.
func (e *typedEncoder) value(kind string, value any, depth int) ([]byte, error) {
	e.values++
	switch {
	case e.values > maxTypedValues:
		return nil, fmt.Errorf("more than %d values", maxTypedValues)
	case depth > maxTypedDepth:
		return nil, fmt.Errorf("more than %d structures and arrays within one another", maxTypedDepth)
	}
	if bracket := strings.LastIndexByte(kind, '['); bracket >= 0 {
		return e.items(kind[:bracket], strings.TrimSuffix(kind[bracket+1:], "]"), value, depth)
	}
	members, isObject := value.(map[string]any)
	_, isStructure := e.types[kind]
	_, isArray := value.([]any)
	switch {
	case value == nil || isObject != isStructure || isArray:
		return nil, fmt.Errorf("want a value of type %s", api.Excerpt(kind))
	case !isStructure:
		return primitive(kind, value)
	}
	return e.structure(kind, members, depth)
}

// items returns the hash of an array whose length is a number, or "" for any.
func (e *typedEncoder) items(kind, length string, value any, depth int) ([]byte, error) {
	items, isArray := value.([]any)
	if !isArray {
		return nil, fmt.Errorf("want an array of %s", api.Excerpt(kind))
	}
	if length != "" {
		if n, err := strconv.Atoi(length); err != nil || n != len(items) {
			return nil, fmt.Errorf("%d items, want %s", len(items), api.Excerpt(length))
		}
	}
	var encoded []byte
	for i := range items {
		word, err := e.value(kind, items[i], depth+1)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		encoded = append(encoded, word...)
	}
	return crypto.Keccak256(encoded), nil
}

// primitive returns the 32 bytes of a plain value. It rejects what no contract can hold in the type: a number where
// text is declared, an integer out of the range of its type.
func primitive(kind string, value any) ([]byte, error) {
	number, isNumber := value.(json.Number)
	text, isText := value.(string)
	yes, isBool := value.(bool)
	bits, isInteger := integerWidth(kind)
	data, err := hexutil.Decode(text)
	switch {
	case isInteger && isNumber:
		return integer(kind, bits, number.String())
	case isInteger && isText:
		return integer(kind, bits, text)
	case isNumber:
		return nil, fmt.Errorf("want a value of type %s, have the number %s", kind, api.Excerpt(number))
	case kind == "bool" && isBool && yes:
		return common.LeftPadBytes([]byte{1}, 32), nil
	case kind == "bool" && isBool:
		return make([]byte, 32), nil
	case kind == "string" && isText:
		return crypto.Keccak256([]byte(text)), nil
	case kind == "address" && common.IsHexAddress(text):
		return common.LeftPadBytes(common.HexToAddress(text).Bytes(), 32), nil
	case kind == "bytes" && isText && err == nil:
		return crypto.Keccak256(data), nil
	case isText && err == nil && kind == "bytes"+strconv.Itoa(len(data)):
		return common.RightPadBytes(data, 32), nil
	}
	return nil, fmt.Errorf("want a value of type %s", kind)
}

// integerWidth returns the bits of an integer type, and whether kind is one.
func integerWidth(kind string) (bits int, ok bool) {
	width, ok := strings.CutPrefix(strings.TrimPrefix(kind, "u"), "int")
	if !ok || width == "" {
		return 256, ok
	}
	bits, err := strconv.Atoi(width)
	return bits, err == nil && bits%8 == 0 && 8 <= bits && bits <= 256 && width[0] != '0'
}

func integer(kind string, bits int, text string) ([]byte, error) {
	v, ok := api.Integer(text)
	if !ok {
		return nil, fmt.Errorf("%q is not a whole number", api.Excerpt(text))
	}
	if !fits(v, bits, kind[0] == 'u') {
		return nil, fmt.Errorf("%s does not fit %s", api.Excerpt(text), kind)
	}
	return math.U256Bytes(v), nil
}

// fits reports whether an integer has at most so many bits, one of them the sign.
func fits(v *big.Int, bits int, unsigned bool) bool {
	switch {
	case unsigned:
		return v.Sign() >= 0 && v.BitLen() <= bits
	case v.Sign() < 0:
		v = new(big.Int).Not(v) // -2^(n-1) fits n bits
	}
	return v.BitLen() < bits
}
