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
	kind   string // its type in the form of EIP-712: Name(type1 name1,type2 name2)
	values []value
}

// value is one member of a message, in its 32-byte encoding and as a text for typed data.
type value struct {
	word common.Hash
	text string
}

func addressValue(a common.Address) value { return value{common.BytesToHash(a[:]), a.Hex()} }

func numberValue(n *uint256.Int) value {
	if n == nil {
		n = new(uint256.Int)
	}
	return value{n.Bytes32(), n.Dec()}
}

func hashValue(h common.Hash) value { return value{h, h.Hex()} }

// PrimaryType returns the name of the message's type, such as "TransferWithAuthorization".
func (m Message) PrimaryType() string {
	name, _, _ := strings.Cut(m.kind, "(")
	return name
}

// Typehash returns the hash of the message's type, which is a constant of the token.
func (m Message) Typehash() common.Hash {
	return crypto.Keccak256Hash([]byte(m.kind))
}

// Digest returns the 32 bytes to sign (EIP-712).
func (m Message) Digest(d Domain) common.Hash {
	typehash := m.Typehash()
	encoded := typehash[:]
	for _, v := range m.values {
		encoded = append(encoded, v.word[:]...)
	}
	separator := d.Separator()
	return crypto.Keccak256Hash([]byte{0x19, 0x01}, separator[:], crypto.Keccak256(encoded))
}

// TypedData returns the message in the form that wallets accept.
func (m Message) TypedData(d Domain) TypedData {
	fields, texts := fieldsOf(m.kind), make(map[string]string, len(m.values))
	for i, v := range m.values {
		texts[fields[i].Name] = v.text
	}
	return TypedData{
		Types:       map[string][]TypedDataField{"EIP712Domain": fieldsOf(domainType), m.PrimaryType(): fields},
		PrimaryType: m.PrimaryType(),
		Domain:      d,
		Message:     texts,
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

// fieldsOf returns the members of a type in the form of EIP-712.
func fieldsOf(kind string) (fields []TypedDataField) {
	_, members, _ := strings.Cut(strings.TrimSuffix(kind, ")"), "(")
	for member := range strings.SplitSeq(members, ",") {
		of, name, _ := strings.Cut(member, " ")
		fields = append(fields, TypedDataField{Name: name, Type: of})
	}
	return fields
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

const domainType = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"

// Separator returns the domain's hash, as the token's DOMAIN_SEPARATOR() does.
func (d Domain) Separator() common.Hash {
	chainID := uint256.NewInt(d.ChainID).Bytes32()
	return crypto.Keccak256Hash(
		crypto.Keccak256([]byte(domainType)),
		crypto.Keccak256([]byte(d.Name)),
		crypto.Keccak256([]byte(d.Version)),
		chainID[:],
		common.LeftPadBytes(d.VerifyingContract[:], 32),
	)
}
