package eth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Sign serves eth_sign: the signature of a message with the prefix of EIP-191, version 0x45.
func Sign(r *api.Request, account common.Address, message hexutil.Bytes) (any, error) {
	return signDigest(r, account, accounts.TextHash(message))
}

// PersonalSign serves personal_sign, which is eth_sign with its parameters swapped. A third one, the password, is
// ignored.
func PersonalSign(r *api.Request, message hexutil.Bytes, account common.Address, _ *string) (any, error) {
	return signDigest(r, account, accounts.TextHash(message))
}

// PersonalRecover serves personal_ecRecover: the account that signed a message by personal_sign.
func PersonalRecover(r *api.Request, message, signature hexutil.Bytes) (any, error) {
	invalid := func(problem string) error {
		return api.InvalidParams("invalid argument 1 (signature) of %s: %s", r.Method, problem)
	}
	if len(signature) != crypto.SignatureLength {
		return nil, invalid(fmt.Sprintf("%d bytes, want %d", len(signature), crypto.SignatureLength))
	}
	signature[crypto.RecoveryIDOffset] -= 27
	key, err := crypto.SigToPub(accounts.TextHash(message), signature)
	if err != nil {
		return nil, invalid(err.Error())
	}
	return crypto.PubkeyToAddress(*key), nil
}

// SignTypedData serves eth_signTypedData_v4 and eth_signTypedData (EIP-712, contract 2.7-type). The domain of another
// chain is refused with MetaMask's code and words, which wallets' users look for.
func SignTypedData(r *api.Request, account common.Address, data typedData) (any, error) {
	signature, err := SignAnyTypedData(r, account, data)
	if err != nil {
		return nil, err
	}
	own := r.Moment().Chain().Config().ChainID
	if data.Domain["chainId"] != nil {
		given := fmt.Sprint(data.Domain["chainId"])
		id, ok := api.Integer(given)
		if ok {
			given = id.String()
		}
		if !ok || id.Cmp(own) != 0 {
			return nil, api.Errorf(api.CodeInternal, `Provided chainId "%s" must match the active chainId "%s"`, api.Excerpt(given), own)
		}
	}
	return signature, nil
}

// SignAnyTypedData is SignTypedData for domains of any chain, as development nodes sign them.
func SignAnyTypedData(r *api.Request, account common.Address, data typedData) (any, error) {
	digest, err := data.digest()
	if err != nil {
		return nil, api.InvalidParams("invalid argument 1 (typed data) of %s: %s", r.Method, err)
	}
	return signDigest(r, account, digest)
}

// signDigest signs a digest; the last byte of the signature is 27 or 28.
func signDigest(r *api.Request, account common.Address, digest []byte) (any, error) {
	key := r.Network.Key(account)
	if key == nil {
		return nil, unknownAccount(account)
	}
	signature, err := crypto.Sign(digest, key)
	if err != nil {
		return nil, api.Refused(err)
	}
	signature[crypto.RecoveryIDOffset] += 27
	return hexutil.Bytes(signature), nil
}

// typedData is EIP-712 typed data: an object, or a string that holds one, as for wallets. Members that the types do not
// declare are ignored, because libraries send some.
type typedData struct {
	Types       apitypes.Types `json:"types"`
	PrimaryType string         `json:"primaryType"`
	Domain      map[string]any `json:"domain"`
	Message     map[string]any `json:"message"`
}

func (typedData) Wanted() string { return "EIP-712 typed data: an object, or a string of one" }

func (d *typedData) UnmarshalJSON(raw []byte) error {
	type plain typedData
	if raw[0] == '"' {
		raw = jsonrpc.Unquote(raw)
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
var domainFields = []apitypes.Type{
	{Name: "name", Type: "string"},
	{Name: "version", Type: "string"},
	{Name: "chainId", Type: "uint256"},
	{Name: "verifyingContract", Type: "address"},
	{Name: "salt", Type: "bytes32"},
}

// digest returns the 32 bytes to sign. If the domain's type is not declared, it is made from the domain's members; if
// it is the primary type, the domain alone is signed, as by wallets.
func (d typedData) digest() ([]byte, error) {
	types := apitypes.Types{domainType: {}} // not nil, which the encoder would treat as undeclared
	for _, field := range domainFields {
		if d.Domain[field.Name] != nil {
			types[domainType] = append(types[domainType], field)
		}
	}
	for name, fields := range d.Types {
		types[name] = append([]apitypes.Type{}, fields...)
	}
	d.Types = types
	encoded := []byte{0x19, 0x01}
	separator, err := d.hash(domainType, d.Domain)
	if err != nil {
		return nil, fmt.Errorf("domain: %w", err)
	}
	encoded = append(encoded, separator...)
	if d.PrimaryType != domainType {
		message, err := d.hash(d.PrimaryType, d.Message)
		if err != nil {
			return nil, err
		}
		encoded = append(encoded, message...)
	}
	return crypto.Keccak256(encoded), nil
}

// hash is the hash of a structure of a type.
func (d typedData) hash(name string, members map[string]any) ([]byte, error) {
	if _, known := d.Types[name]; !known {
		return nil, fmt.Errorf("type %s is not declared", api.Excerpt(name))
	}
	declared, err := d.declared(name, members)
	if err != nil {
		return nil, err
	}
	all := apitypes.TypedData{Types: d.Types}
	encoder := apitypes.TypedData{
		Types:  make(apitypes.Types),
		Domain: apitypes.TypedDataDomain{Name: domainType}, // not encoded here; the encoder rejects an empty one
	}
	for _, used := range all.Dependencies(name, nil) { // the encoder rejects a mistake in any type
		encoder.Types[used] = d.Types[used]
	}
	return encoder.HashStruct(name, declared.(map[string]any))
}

// declared reduces a value to the members that its type declares, and checks that all of them are there.
func (d typedData) declared(kind string, value any) (any, error) {
	if bracket := strings.LastIndexByte(kind, '['); bracket >= 0 {
		return d.items(kind[:bracket], strings.TrimSuffix(kind[bracket+1:], "]"), value)
	}
	members, isObject := value.(map[string]any)
	fields, isStructure := d.Types[kind]
	_, isArray := value.([]any)
	switch {
	case value == nil || isObject != isStructure || isArray:
		return nil, fmt.Errorf("want a value of type %s", api.Excerpt(kind))
	case !isStructure:
		return primitive(kind, value)
	}
	declared := make(map[string]any, len(fields))
	for _, field := range fields {
		member, err := d.declared(field.Type, members[field.Name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", api.Excerpt(field.Name), err)
		}
		declared[field.Name] = member
	}
	return declared, nil
}

// items are the declared items of an array whose length is a number, or "" for any.
func (d typedData) items(kind, length string, value any) (any, error) {
	items, isArray := value.([]any)
	if !isArray {
		return nil, fmt.Errorf("want an array of %s", api.Excerpt(kind))
	}
	if length != "" {
		if n, err := strconv.Atoi(length); err != nil || n != len(items) {
			return nil, fmt.Errorf("%d items, want %s", len(items), api.Excerpt(length))
		}
	}
	declared := make([]any, len(items))
	for i := range items {
		item, err := d.declared(kind, items[i])
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		declared[i] = item
	}
	return declared, nil
}

// primitive rejects a plain value that the encoder accepts but no contract can: a number where text is declared, an
// integer out of the range of its type. It returns the value for the encoder.
func primitive(kind string, value any) (any, error) {
	number, isNumber := value.(json.Number)
	text, isText := value.(string)
	width, isInteger := strings.CutPrefix(strings.TrimPrefix(kind, "u"), "int")
	switch {
	case isNumber && !isInteger:
		return nil, fmt.Errorf("want a value of type %s, have the number %s", api.Excerpt(kind), api.Excerpt(number))
	case !isInteger:
		return value, nil
	case isNumber:
		text = number.String()
	case !isText:
		return nil, fmt.Errorf("want a value of type %s", api.Excerpt(kind))
	}
	bits, err := strconv.Atoi(width)
	if err != nil {
		bits = 256 // if it is not "int" or "uint", the encoder rejects the type
	}
	v, ok := api.Integer(text)
	if !ok {
		return nil, fmt.Errorf("%q is not a whole number", api.Excerpt(text))
	}
	if !fits(v, bits, kind[0] == 'u') {
		return nil, fmt.Errorf("%s does not fit %s", api.Excerpt(text), kind)
	}
	return v, nil
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
