// Package tokencontract is the payment token: Solidity source, compiled code, Go binding, EIP-712 typed data,
// signatures and events. The token behaves like FiatTokenV2_2 (USDC); README.md in this folder describes where its
// variants differ.
//
// It is for programs that pay or get paid with such a token, on fakenode or on any other chain. It has no part in a
// node: it returns call data and reads logs, and the caller sends.
//
//	domain := tokencontract.Domain{
//		Name: "USD Coin", Version: tokencontract.Version, ChainID: 31337, VerifyingContract: tokencontract.MainnetAddress,
//	}
//	signature, err := authorization.ReceiveMessage().Sign(domain, payerKey) // the payer, off-chain
//	data := authorization.PackReceive(signature)                            // the merchant sends this to the token
package tokencontract

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

// Addresses of Base's USDC, and of the USDC that is Arc's native coin.
var (
	NativeAddress  = common.HexToAddress("0x3600000000000000000000000000000000000000")
	MainnetAddress = common.HexToAddress("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")
	TestnetAddress = common.HexToAddress("0x036CbD53842c5426634e7929541eC2318f3dCF7e")
)

const (
	MainnetName = "USD Coin" // name() on the main network
	TestnetName = "USDC"     // name() on the test network
	Symbol      = "USDC"     // symbol() on both
	Currency    = "USD"      // currency() on both
	Version     = "2"        // version() of every token of this package
	Decimals    = 6          // 1 dollar is 1,000,000 token units
)

// binding returns the parsed contract that ABI and the packers share. It is parsed on first use, because parsing takes
// longer than starting a node.
var binding = sync.OnceValue(NewToken)

// ABI returns the token's interface. Overloads are named as go-ethereum names them, in the order of token.abi:
// "transferWithAuthorization" takes bytes, "transferWithAuthorization0" takes v, r, s. The caller must not modify it.
func ABI() *abi.ABI {
	parsed := binding().GetABI()
	return &parsed
}

// Variant is one of the compiled tokens. The zero value stands for a default: Strict in this package.
type Variant int

const (
	// Strict behaves like the real token: a capture needs a ReceiveWithAuthorization signature (EIP-3009).
	Strict Variant = iota + 1
	// DocumentedFlow also lets the payee capture with a TransferWithAuthorization signature, the primary type that the
	// contract names (2.7-type, 4.2-sign). Everything else is as in Strict.
	DocumentedFlow
	// Native behaves like the token of Arc, where USDC is the native coin, too: it keeps no balances, but shows those of
	// the coin, and works only on a chain that lets it move that.
	Native
)

// ParseVariant returns the variant with that name: "strict" or "documented".
func ParseVariant(name string) (Variant, error) {
	for _, v := range []Variant{Strict, DocumentedFlow} {
		if v.String() == name {
			return v, nil
		}
	}
	return Strict, fmt.Errorf("token variant %q is neither %q nor %q", name, Strict, DocumentedFlow)
}

// VariantOf returns the variant whose runtime code it is, or 0 for other code.
func VariantOf(code []byte) Variant {
	for _, v := range []Variant{Strict, DocumentedFlow, Native} {
		if bytes.Equal(code, v.RuntimeCode()) {
			return v
		}
	}
	return 0
}

// String returns "strict", "documented" or "native".
func (v Variant) String() string {
	switch v {
	case DocumentedFlow:
		return "documented"
	case Native:
		return "native"
	}
	return "strict"
}

// RuntimeCode returns the code of a deployed token. It contains no address, name or chain id, which are in storage.
func (v Variant) RuntimeCode() []byte {
	switch v {
	case DocumentedFlow:
		return documentedFlowRuntime()
	case Native:
		return bytes.Clone(nativeCode)
	}
	return tokenRuntime()
}

// DeployCode returns the data of a transaction without recipient that deploys and initialises the token. The deployment
// reverts if Owner is the zero address. Native is in a genesis alone: for it DeployCode returns the data for Strict.
func (v Variant) DeployCode(p Params) []byte {
	p = p.withDefaults()
	arguments := binding().PackConstructor(p.Name, p.Symbol, p.Currency, Decimals, p.MasterMinter, p.Pauser, p.Blacklister, p.Owner)
	bin := tokenBin
	if v == DocumentedFlow {
		bin = documentedFlowBin
	}
	return append(common.FromHex(bin), arguments...)
}

// Params holds the values with which a token is initialised.
type Params struct {
	Name     string // "" is MainnetName
	Symbol   string // "" is Symbol
	Currency string // "" is Currency

	// Owner appoints the other roles. It is required. There is no rescuer until the owner appoints one.
	Owner        common.Address
	MasterMinter common.Address // zero is Owner
	Pauser       common.Address // zero is Owner
	Blacklister  common.Address // zero is Owner
}

func (p Params) withDefaults() Params {
	p.Name = cmp.Or(p.Name, MainnetName)
	p.Symbol = cmp.Or(p.Symbol, Symbol)
	p.Currency = cmp.Or(p.Currency, Currency)
	p.MasterMinter = cmp.Or(p.MasterMinter, p.Owner)
	p.Pauser = cmp.Or(p.Pauser, p.Owner)
	p.Blacklister = cmp.Or(p.Blacklister, p.Owner)
	return p
}

// Files holds the compiler's results for the token: compiled.json, the interface and the code.
//
//go:embed compiled.json *.abi *.bin *.code
var Files embed.FS

//go:embed native.code
var nativeCode []byte
