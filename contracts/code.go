// Package contracts holds the contracts that a genesis has beside the token and the system contracts: Solidity sources,
// compiled code and Go bindings. Multicall3 is here, each payment path in a package of its own below this one, with
// what they share here: code that the compiler made, call data, and typed data (EIP-712).
package contracts

import (
	"bytes"
	"embed"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
)

var (
	// Multicall3Address is the address of Multicall3 on every public chain.
	Multicall3Address = common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11")
	// Create2DeployerAddress is the deterministic deployer of every public chain: it creates a contract from call data
	// that is a salt of 32 bytes followed by creation code.
	Create2DeployerAddress = common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")
)

// Predeploys returns the genesis accounts that clients expect on any chain: Multicall3 and the CREATE2 deployer.
func Predeploys() types.GenesisAlloc {
	return types.GenesisAlloc{
		Multicall3Address:      {Code: multicall3Runtime(), Balance: new(big.Int), Nonce: 1},
		Create2DeployerAddress: {Code: common.FromHex("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"), Balance: new(big.Int), Nonce: 1},
	}
}

// Immutable returns runtime code, as the compiler leaves it, with its one immutable variable set to an address. The
// compiler leaves PUSH32 0 wherever the code reads the variable, and nowhere else.
func Immutable(code []byte, value common.Address) []byte {
	hole := append([]byte{byte(vm.PUSH32)}, make([]byte, common.HashLength)...)
	filled := append([]byte{byte(vm.PUSH32)}, common.LeftPadBytes(value[:], common.HashLength)...)
	return bytes.ReplaceAll(code, hole, filled)
}

// ABI returns the interface of a contract, from the JSON array that the compiler made.
func ABI(text []byte) abi.ABI {
	parsed, err := abi.JSON(bytes.NewReader(text))
	if err != nil {
		panic("contracts: embedded interface: " + err.Error()) // the build would be broken
	}
	return parsed
}

// Compiled returns a file that the compiler made, such as Files has.
func Compiled(files embed.FS, name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic("contracts: " + err.Error()) // the build would be broken
	}
	return content
}

// Files holds the compiler's results for the contracts of this package and those below: in each folder a compiled.json,
// and the interface and the code of each contract.
//
//go:embed compiled.json *.abi *.bin */compiled.json */*.abi */*.bin */*.code
var Files embed.FS

// TypedData returns typed data (EIP-712) for a domain. Its types are in the form that is hashed, that of the message
// first: "Mail(Person to,string text)Person(address account)".
func TypedData(domain apitypes.TypedDataDomain, types string, message apitypes.TypedDataMessage) apitypes.TypedData {
	const named, versioned = "EIP712Domain(string name,", "string version,"
	of := named + versioned + "uint256 chainId,address verifyingContract)"
	if domain.Version == "" {
		of = strings.Replace(of, versioned, "", 1)
	}
	primary, _, _ := strings.Cut(types, "(")
	data := apitypes.TypedData{Types: apitypes.Types{}, PrimaryType: primary, Domain: domain, Message: message}
	for text := range strings.SplitSeq(strings.TrimSuffix(of+types, ")"), ")") {
		name, members, _ := strings.Cut(text, "(")
		for member := range strings.SplitSeq(members, ",") {
			kind, member, _ := strings.Cut(member, " ")
			data.Types[name] = append(data.Types[name], apitypes.Type{Name: member, Type: kind})
		}
	}
	return data
}

// Domain returns the domain (EIP-712) of version 1 of a contract on a chain.
func Domain(name string, chainID uint64, contract common.Address) apitypes.TypedDataDomain {
	id := math.HexOrDecimal256(*new(big.Int).SetUint64(chainID))
	return apitypes.TypedDataDomain{Name: name, Version: "1", ChainId: &id, VerifyingContract: contract.Hex()}
}

// Digest returns the 32 bytes to sign for typed data (EIP-712). It panics on typed data whose message does not fit its
// types; the typed data of the packages below always fits.
func Digest(data apitypes.TypedData) common.Hash {
	digest, _, err := apitypes.TypedDataAndHash(data)
	if err != nil {
		panic("contracts: typed data: " + err.Error())
	}
	return common.Hash(digest)
}

// Number returns a number as typed data carries it, in decimal; nil is 0.
func Number(n *uint256.Int) string { return BigInt(n).String() }

// BigInt returns a number as the bindings take it; nil is 0.
func BigInt(n *uint256.Int) *big.Int {
	if n == nil {
		return new(big.Int)
	}
	return n.ToBig()
}

// Pack returns values in the encoding of call data. Each must be of the Go type that its type, named as in Solidity,
// has in a binding: Pack panics on others.
func Pack(types []string, values ...any) []byte {
	arguments := make(abi.Arguments, len(types))
	for i, name := range types {
		arguments[i].Type = Type(name)
	}
	packed, err := arguments.Pack(values...)
	if err != nil {
		panic("contracts: " + err.Error())
	}
	return packed
}

// Call returns the call data of a function with that signature, such as "transfer(address,uint256)". The arguments are
// Pack's values.
func Call(signature string, arguments ...any) []byte {
	_, types, _ := strings.Cut(strings.TrimSuffix(signature, ")"), "(")
	packed := Pack(strings.FieldsFunc(types, func(r rune) bool { return r == ',' }), arguments...)
	return append(crypto.Keccak256([]byte(signature))[:4], packed...)
}

// Type returns the type that Solidity knows by that name. It panics if there is none.
func Type(name string) abi.Type {
	named, err := abi.NewType(name, "", nil)
	if err != nil {
		panic("contracts: " + err.Error())
	}
	return named
}
