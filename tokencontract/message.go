package tokencontract

import (
	"crypto/ecdsa"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Message is a message to sign for a token: EIP-712 typed data of one primary type. Authorization, Cancellation and
// Permit return Messages. It is immutable.
type Message struct {
	primaryType string
	fields      []field
}

// field is one member of a message, with its 32-byte encoding and its text in typed data.
type field struct {
	name, kind string
	word       common.Hash
	text       string
}

func addressField(name string, value common.Address) field {
	return field{name, "address", common.BytesToHash(value[:]), value.Hex()}
}

func numberField(name string, value *uint256.Int) field {
	if value == nil {
		value = new(uint256.Int)
	}
	return field{name, "uint256", value.Bytes32(), value.Dec()}
}

func hashField(name string, value common.Hash) field {
	return field{name, "bytes32", value, value.Hex()}
}

// PrimaryType returns the name of the message's type, such as "TransferWithAuthorization".
func (m Message) PrimaryType() string {
	return m.primaryType
}

// Typehash returns the hash of the message's type, which is a constant of the token.
func (m Message) Typehash() common.Hash {
	return typehash(m.primaryType, m.types())
}

// Digest returns the 32 bytes to sign (EIP-712).
func (m Message) Digest(d Domain) common.Hash {
	typehash := m.Typehash()
	encoded := typehash[:]
	for _, f := range m.fields {
		encoded = append(encoded, f.word[:]...)
	}
	separator := d.Separator()
	return crypto.Keccak256Hash([]byte{0x19, 0x01}, separator[:], crypto.Keccak256(encoded))
}

// TypedData returns the message in the form that wallets accept.
func (m Message) TypedData(d Domain) TypedData {
	values := make(map[string]string, len(m.fields))
	for _, f := range m.fields {
		values[f.name] = f.text
	}
	return TypedData{
		Types:       map[string][]TypedDataField{"EIP712Domain": domainFields, m.primaryType: m.types()},
		PrimaryType: m.primaryType,
		Domain:      d,
		Message:     values,
	}
}

// Sign returns the signature of the message by a key. Signatures are deterministic (RFC 6979).
func (m Message) Sign(d Domain, key *ecdsa.PrivateKey) (Signature, error) {
	return Sign(m.Digest(d), key)
}

// Recover returns the account whose key made the signature, by the token's rules for accounts without code. The error
// is ErrSignatureS, ErrSignatureV or ErrSignature. A changed message gives another account, not an error.
func (m Message) Recover(d Domain, signature Signature) (common.Address, error) {
	return signature.Recover(m.Digest(d))
}

func (m Message) types() []TypedDataField {
	types := make([]TypedDataField, len(m.fields))
	for i, f := range m.fields {
		types[i] = TypedDataField{Name: f.name, Type: f.kind}
	}
	return types
}

// typehash returns the hash of a type in the form of EIP-712: Name(type1 name1,type2 name2).
func typehash(name string, fields []TypedDataField) common.Hash {
	members := make([]string, len(fields))
	for i, f := range fields {
		members[i] = f.Type + " " + f.Name
	}
	return crypto.Keccak256Hash([]byte(name + "(" + strings.Join(members, ",") + ")"))
}

// TypedData is a message in the form that wallets accept (EIP-712). Its JSON is the second parameter of
// eth_signTypedData_v4, and the argument of signTypedData in viem and ethers. ethers adds the domain's type itself, so
// leave out EIP712Domain there.
type TypedData struct {
	Types       map[string][]TypedDataField `json:"types"`
	PrimaryType string                      `json:"primaryType"`
	Domain      Domain                      `json:"domain"`
	Message     map[string]string           `json:"message"` // numbers in decimal, bytes and addresses in hex
}

// TypedDataField is a member of an EIP-712 type.
type TypedDataField struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Domain is the EIP-712 domain: it names the token and the chain for which a signature is valid (contract
// 2.7-domainName to 2.7-domainContract). Read Name and Version from the token, because they differ between networks.
// Its JSON is the domain of typed data.
type Domain struct {
	Name              string         `json:"name"`
	Version           string         `json:"version"`
	ChainID           uint64         `json:"chainId"`
	VerifyingContract common.Address `json:"verifyingContract"`
}

var domainFields = []TypedDataField{
	{Name: "name", Type: "string"},
	{Name: "version", Type: "string"},
	{Name: "chainId", Type: "uint256"},
	{Name: "verifyingContract", Type: "address"},
}

// Separator returns the domain's hash, as the token's DOMAIN_SEPARATOR() does.
func (d Domain) Separator() common.Hash {
	typehash := typehash("EIP712Domain", domainFields)
	chainID := uint256.NewInt(d.ChainID).Bytes32()
	return crypto.Keccak256Hash(
		typehash[:],
		crypto.Keccak256([]byte(d.Name)),
		crypto.Keccak256([]byte(d.Version)),
		chainID[:],
		common.LeftPadBytes(d.VerifyingContract[:], 32),
	)
}
