// Package permit2 is Permit2, the contract that moves any token by its holder's signature: Solidity source, compiled
// code, Go binding and typed data. It answers as the deployed Permit2 does; the code is fakenode's own.
//
//	permit := permit2.TransferPermit{Token: token, Amount: amount, Spender: shop, Nonce: nonce, Deadline: deadline}
//	signature, err := tokencontract.Sign(contracts.Digest(permit.TypedData(31337)), payerKey)
package permit2

import (
	"math/big"
	"strconv"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
)

// Address is the address of Permit2 on every chain.
var Address = common.HexToAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3")

// RuntimeCode returns the code of a deployed Permit2. It caches no domain separator, so it serves any chain id at any
// address.
func RuntimeCode() []byte { return permit2Runtime() }

// TransferPermit lets the spender pull up to an amount once (a signed transfer).
type TransferPermit struct {
	Token    common.Address
	Amount   *uint256.Int // token units, the most the spender may ask for; nil is 0
	Spender  common.Address
	Nonce    *uint256.Int // any that the owner has not used: bit Nonce%256 of word Nonce/256; nil is 0
	Deadline uint64       // Unix seconds, inclusive
	Witness  *Witness     // signed as well; nil is nothing
}

// Witness is the spender's own data that the owner of the tokens signs with a TransferPermit. The spender's contract
// checks it.
type Witness struct {
	Type    string // of the struct, such as "Witness(address to)"
	Message apitypes.TypedDataMessage
}

// permissions is the type of the tokens that a permit is for.
const permissions = "TokenPermissions(address token,uint256 amount)"

func domain(chainID uint64) apitypes.TypedDataDomain {
	id := math.HexOrDecimal256(*uint256.NewInt(chainID).ToBig())
	return apitypes.TypedDataDomain{Name: "Permit2", ChainId: &id, VerifyingContract: Address.Hex()}
}

// TypedData returns the typed data that the owner of the tokens signs on a chain.
func (p TransferPermit) TypedData(chainID uint64) apitypes.TypedData {
	message := apitypes.TypedDataMessage{
		"permitted": apitypes.TypedDataMessage{"token": p.Token.Hex(), "amount": contracts.Number(p.Amount)},
		"spender":   p.Spender.Hex(),
		"nonce":     contracts.Number(p.Nonce),
		"deadline":  strconv.FormatUint(p.Deadline, 10),
	}
	const members = "(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline"
	if p.Witness == nil {
		return contracts.TypedData(domain(chainID), "PermitTransferFrom"+members+")"+permissions, message)
	}
	message["witness"] = p.Witness.Message
	name, _, _ := strings.Cut(p.Witness.Type, "(")
	types := "PermitWitnessTransferFrom" + members + "," + name + " witness)" + permissions + p.Witness.Type
	return contracts.TypedData(domain(chainID), types, message)
}

// binding is parsed on first use, because parsing takes longer than starting a node.
var binding = sync.OnceValue(NewPermit2)

// Permit returns the terms in the form that call data carries.
func (p TransferPermit) Permit() ISignatureTransferPermitTransferFrom {
	return ISignatureTransferPermitTransferFrom{
		Permitted: ISignatureTransferTokenPermissions{Token: p.Token, Amount: contracts.BigInt(p.Amount)},
		Nonce:     contracts.BigInt(p.Nonce),
		Deadline:  new(big.Int).SetUint64(p.Deadline),
	}
}

// Pack returns the call data of permitTransferFrom, which pulls an amount of token units to a recipient. The spender
// sends it. A permit with a witness goes through the spender's own contract instead.
func (p TransferPermit) Pack(owner, to common.Address, amount *uint256.Int, signature []byte) []byte {
	details := ISignatureTransferSignatureTransferDetails{To: to, RequestedAmount: contracts.BigInt(amount)}
	return binding().PackPermitTransferFrom(p.Permit(), details, owner, signature)
}
