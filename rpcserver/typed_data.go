package rpcserver

import (
	"bytes"
	"encoding/json"

	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// typedData is EIP-712 typed data: an object, or a string that holds one, as wallets take it.
type typedData apitypes.TypedData

func (typedData) wanted() string { return "EIP-712 typed data: an object, or a string of one" }

// UnmarshalJSON implements json.Unmarshaler.
func (d *typedData) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		raw = unquote(raw)
	}
	var members struct {
		Types       apitypes.Types           `json:"types"`
		PrimaryType string                   `json:"primaryType"`
		Domain      apitypes.TypedDataDomain `json:"domain"`
		Message     map[string]any           `json:"message"`
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // a float64 would round integers above 2^53
	if err := decoder.Decode(&members); err != nil {
		return err
	}
	for name, value := range members.Message {
		members.Message[name] = exact(value)
	}
	*d = typedData{Types: members.Types, PrimaryType: members.PrimaryType, Domain: members.Domain, Message: members.Message}
	return nil
}

// exact turns the numbers of a decoded value into strings, which the encoder takes without loss.
func exact(value any) any {
	switch v := value.(type) {
	case json.Number:
		return v.String()
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = exact(v[name])
		}
	}
	return value
}
