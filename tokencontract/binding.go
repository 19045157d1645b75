// Code generated via abigen V2 - DO NOT EDIT.
// This file is a generated binding and any manual changes will be lost.

package tokencontract

import (
	"bytes"
	_ "embed"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Reference imports to suppress errors if they are not otherwise used.
var (
	_ = bytes.Equal
	_ = errors.New
	_ = big.NewInt
	_ = common.Big1
	_ = types.BloomLookup
	_ = abi.ConvertType
)

// TokenMetaData contains all meta data concerning the Token contract.
var TokenMetaData = bind.MetaData{
	ABI: tokenABI,
	ID:  "Token",
	Bin: tokenBin,
}

// Token is an auto generated Go binding around an Ethereum contract.
type Token struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *Token) GetABI() abi.ABI {
	return c.abi
}

// NewToken creates a new instance of Token.
func NewToken() *Token {
	parsed, err := TokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &Token{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *Token) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(string tokenName, string tokenSymbol, string tokenCurrency, uint8 tokenDecimals, address newMasterMinter, address newPauser, address newBlacklister, address newOwner) returns()
func (token *Token) PackConstructor(tokenName string, tokenSymbol string, tokenCurrency string, tokenDecimals uint8, newMasterMinter common.Address, newPauser common.Address, newBlacklister common.Address, newOwner common.Address) []byte {
	enc, err := token.abi.Pack("", tokenName, tokenSymbol, tokenCurrency, tokenDecimals, newMasterMinter, newPauser, newBlacklister, newOwner)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackDOMAINSEPARATOR is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3644e515.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function DOMAIN_SEPARATOR() view returns(bytes32)
func (token *Token) PackDOMAINSEPARATOR() []byte {
	enc, err := token.abi.Pack("DOMAIN_SEPARATOR")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (token *Token) PackAllowance(owner common.Address, spender common.Address) []byte {
	enc, err := token.abi.Pack("allowance", owner, spender)
	if err != nil {
		panic(err)
	}
	return enc
}

// UnpackAllowance is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdd62ed3e.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (token *Token) UnpackAllowance(data []byte) (*big.Int, error) {
	out, err := token.abi.Unpack("allowance", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (token *Token) PackApprove(spender common.Address, value *big.Int) []byte {
	enc, err := token.abi.Pack("approve", spender, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackAuthorizationState is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe94a0102.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function authorizationState(address authorizer, bytes32 nonce) view returns(bool)
func (token *Token) PackAuthorizationState(authorizer common.Address, nonce [32]byte) []byte {
	enc, err := token.abi.Pack("authorizationState", authorizer, nonce)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (token *Token) PackBalanceOf(account common.Address) []byte {
	enc, err := token.abi.Pack("balanceOf", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackBlacklist is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf9f92be4.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function blacklist(address account) returns()
func (token *Token) PackBlacklist(account common.Address) []byte {
	enc, err := token.abi.Pack("blacklist", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackBlacklister is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xbd102430.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function blacklister() view returns(address)
func (token *Token) PackBlacklister() []byte {
	enc, err := token.abi.Pack("blacklister")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackBurn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x42966c68.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function burn(uint256 amount) returns()
func (token *Token) PackBurn(amount *big.Int) []byte {
	enc, err := token.abi.Pack("burn", amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackCancelAuthorizationVRS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5a049a70.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) returns()
func (token *Token) PackCancelAuthorizationVRS(authorizer common.Address, nonce [32]byte, v uint8, r [32]byte, s [32]byte) []byte {
	enc, err := token.abi.Pack("cancelAuthorization", authorizer, nonce, v, r, s)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackCancelAuthorization is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb7b72899.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature) returns()
func (token *Token) PackCancelAuthorization(authorizer common.Address, nonce [32]byte, signature []byte) []byte {
	enc, err := token.abi.Pack("cancelAuthorization0", authorizer, nonce, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackConfigureMinter is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4e44d956.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function configureMinter(address minter, uint256 minterAllowedAmount) returns(bool)
func (token *Token) PackConfigureMinter(minter common.Address, minterAllowedAmount *big.Int) []byte {
	enc, err := token.abi.Pack("configureMinter", minter, minterAllowedAmount)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackCurrency is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe5a6b10f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function currency() view returns(string)
func (token *Token) PackCurrency() []byte {
	enc, err := token.abi.Pack("currency")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function decimals() view returns(uint8)
func (token *Token) PackDecimals() []byte {
	enc, err := token.abi.Pack("decimals")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackDecreaseAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa457c2d7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function decreaseAllowance(address spender, uint256 decrement) returns(bool)
func (token *Token) PackDecreaseAllowance(spender common.Address, decrement *big.Int) []byte {
	enc, err := token.abi.Pack("decreaseAllowance", spender, decrement)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackIncreaseAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x39509351.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function increaseAllowance(address spender, uint256 increment) returns(bool)
func (token *Token) PackIncreaseAllowance(spender common.Address, increment *big.Int) []byte {
	enc, err := token.abi.Pack("increaseAllowance", spender, increment)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackInitialize is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3357162b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function initialize(string tokenName, string tokenSymbol, string tokenCurrency, uint8 tokenDecimals, address newMasterMinter, address newPauser, address newBlacklister, address newOwner) returns()
func (token *Token) PackInitialize(tokenName string, tokenSymbol string, tokenCurrency string, tokenDecimals uint8, newMasterMinter common.Address, newPauser common.Address, newBlacklister common.Address, newOwner common.Address) []byte {
	enc, err := token.abi.Pack("initialize", tokenName, tokenSymbol, tokenCurrency, tokenDecimals, newMasterMinter, newPauser, newBlacklister, newOwner)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackInitializeV2 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd608ea64.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function initializeV2(string newName) returns()
func (token *Token) PackInitializeV2(newName string) []byte {
	enc, err := token.abi.Pack("initializeV2", newName)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackInitializeV21 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2fc81e09.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function initializeV2_1(address lostAndFound) returns()
func (token *Token) PackInitializeV21(lostAndFound common.Address) []byte {
	enc, err := token.abi.Pack("initializeV2_1", lostAndFound)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackInitializeV22 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x430239b4.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function initializeV2_2(address[] accountsToBlacklist, string newSymbol) returns()
func (token *Token) PackInitializeV22(accountsToBlacklist []common.Address, newSymbol string) []byte {
	enc, err := token.abi.Pack("initializeV2_2", accountsToBlacklist, newSymbol)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackIsBlacklisted is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfe575a87.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isBlacklisted(address account) view returns(bool)
func (token *Token) PackIsBlacklisted(account common.Address) []byte {
	enc, err := token.abi.Pack("isBlacklisted", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackIsMinter is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xaa271e1a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isMinter(address account) view returns(bool)
func (token *Token) PackIsMinter(account common.Address) []byte {
	enc, err := token.abi.Pack("isMinter", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackMasterMinter is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x35d99f35.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function masterMinter() view returns(address)
func (token *Token) PackMasterMinter() []byte {
	enc, err := token.abi.Pack("masterMinter")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mint(address to, uint256 amount) returns(bool)
func (token *Token) PackMint(to common.Address, amount *big.Int) []byte {
	enc, err := token.abi.Pack("mint", to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackMinterAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8a6db9c3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function minterAllowance(address minter) view returns(uint256)
func (token *Token) PackMinterAllowance(minter common.Address) []byte {
	enc, err := token.abi.Pack("minterAllowance", minter)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function name() view returns(string)
func (token *Token) PackName() []byte {
	enc, err := token.abi.Pack("name")
	if err != nil {
		panic(err)
	}
	return enc
}

// UnpackName is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x06fdde03.
//
// Solidity: function name() view returns(string)
func (token *Token) UnpackName(data []byte) (string, error) {
	out, err := token.abi.Unpack("name", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackNonces is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7ecebe00.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function nonces(address owner) view returns(uint256)
func (token *Token) PackNonces(owner common.Address) []byte {
	enc, err := token.abi.Pack("nonces", owner)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function owner() view returns(address)
func (token *Token) PackOwner() []byte {
	enc, err := token.abi.Pack("owner")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackPause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8456cb59.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pause() returns()
func (token *Token) PackPause() []byte {
	enc, err := token.abi.Pack("pause")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackPaused is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5c975abb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function paused() view returns(bool)
func (token *Token) PackPaused() []byte {
	enc, err := token.abi.Pack("paused")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackPauser is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x9fd0506d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pauser() view returns(address)
func (token *Token) PackPauser() []byte {
	enc, err := token.abi.Pack("pauser")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackPermit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x9fd5a6cf.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function permit(address holder, address spender, uint256 value, uint256 deadline, bytes signature) returns()
func (token *Token) PackPermit(holder common.Address, spender common.Address, value *big.Int, deadline *big.Int, signature []byte) []byte {
	enc, err := token.abi.Pack("permit", holder, spender, value, deadline, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackPermitVRS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd505accf.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function permit(address holder, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns()
func (token *Token) PackPermitVRS(holder common.Address, spender common.Address, value *big.Int, deadline *big.Int, v uint8, r [32]byte, s [32]byte) []byte {
	enc, err := token.abi.Pack("permit0", holder, spender, value, deadline, v, r, s)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackReceiveWithAuthorization is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x88b7ab63.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature) returns()
func (token *Token) PackReceiveWithAuthorization(from common.Address, to common.Address, value *big.Int, validAfter *big.Int, validBefore *big.Int, nonce [32]byte, signature []byte) []byte {
	enc, err := token.abi.Pack("receiveWithAuthorization", from, to, value, validAfter, validBefore, nonce, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackReceiveWithAuthorizationVRS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xef55bec6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) returns()
func (token *Token) PackReceiveWithAuthorizationVRS(from common.Address, to common.Address, value *big.Int, validAfter *big.Int, validBefore *big.Int, nonce [32]byte, v uint8, r [32]byte, s [32]byte) []byte {
	enc, err := token.abi.Pack("receiveWithAuthorization0", from, to, value, validAfter, validBefore, nonce, v, r, s)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackRemoveMinter is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3092afd5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function removeMinter(address minter) returns(bool)
func (token *Token) PackRemoveMinter(minter common.Address) []byte {
	enc, err := token.abi.Pack("removeMinter", minter)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackRescueERC20 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb2118a8d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function rescueERC20(address tokenContract, address to, uint256 amount) returns()
func (token *Token) PackRescueERC20(tokenContract common.Address, to common.Address, amount *big.Int) []byte {
	enc, err := token.abi.Pack("rescueERC20", tokenContract, to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackRescuer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x38a63183.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function rescuer() view returns(address)
func (token *Token) PackRescuer() []byte {
	enc, err := token.abi.Pack("rescuer")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function symbol() view returns(string)
func (token *Token) PackSymbol() []byte {
	enc, err := token.abi.Pack("symbol")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackTotalSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18160ddd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function totalSupply() view returns(uint256)
func (token *Token) PackTotalSupply() []byte {
	enc, err := token.abi.Pack("totalSupply")
	if err != nil {
		panic(err)
	}
	return enc
}

// UnpackTotalSupply is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x18160ddd.
//
// Solidity: function totalSupply() view returns(uint256)
func (token *Token) UnpackTotalSupply(data []byte) (*big.Int, error) {
	out, err := token.abi.Unpack("totalSupply", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (token *Token) PackTransfer(to common.Address, value *big.Int) []byte {
	enc, err := token.abi.Pack("transfer", to, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (token *Token) PackTransferFrom(from common.Address, to common.Address, value *big.Int) []byte {
	enc, err := token.abi.Pack("transferFrom", from, to, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (token *Token) PackTransferOwnership(newOwner common.Address) []byte {
	enc, err := token.abi.Pack("transferOwnership", newOwner)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackTransferWithAuthorization is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xcf092995.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature) returns()
func (token *Token) PackTransferWithAuthorization(from common.Address, to common.Address, value *big.Int, validAfter *big.Int, validBefore *big.Int, nonce [32]byte, signature []byte) []byte {
	enc, err := token.abi.Pack("transferWithAuthorization", from, to, value, validAfter, validBefore, nonce, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackTransferWithAuthorizationVRS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe3ee160e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) returns()
func (token *Token) PackTransferWithAuthorizationVRS(from common.Address, to common.Address, value *big.Int, validAfter *big.Int, validBefore *big.Int, nonce [32]byte, v uint8, r [32]byte, s [32]byte) []byte {
	enc, err := token.abi.Pack("transferWithAuthorization0", from, to, value, validAfter, validBefore, nonce, v, r, s)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackUnBlacklist is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1a895266.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function unBlacklist(address account) returns()
func (token *Token) PackUnBlacklist(account common.Address) []byte {
	enc, err := token.abi.Pack("unBlacklist", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackUnpause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f4ba83a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function unpause() returns()
func (token *Token) PackUnpause() []byte {
	enc, err := token.abi.Pack("unpause")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackUpdateBlacklister is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xad38bf22.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function updateBlacklister(address newBlacklister) returns()
func (token *Token) PackUpdateBlacklister(newBlacklister common.Address) []byte {
	enc, err := token.abi.Pack("updateBlacklister", newBlacklister)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackUpdateMasterMinter is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xaa20e1e4.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function updateMasterMinter(address newMasterMinter) returns()
func (token *Token) PackUpdateMasterMinter(newMasterMinter common.Address) []byte {
	enc, err := token.abi.Pack("updateMasterMinter", newMasterMinter)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackUpdatePauser is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x554bab3c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function updatePauser(address newPauser) returns()
func (token *Token) PackUpdatePauser(newPauser common.Address) []byte {
	enc, err := token.abi.Pack("updatePauser", newPauser)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackUpdateRescuer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2ab60045.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function updateRescuer(address newRescuer) returns()
func (token *Token) PackUpdateRescuer(newRescuer common.Address) []byte {
	enc, err := token.abi.Pack("updateRescuer", newRescuer)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackVersion is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x54fd4d50.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function version() pure returns(string)
func (token *Token) PackVersion() []byte {
	enc, err := token.abi.Pack("version")
	if err != nil {
		panic(err)
	}
	return enc
}

// TokenApproval represents a Approval event raised by the Token contract.
type TokenApproval struct {
	Owner   common.Address
	Spender common.Address
	Value   *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const TokenApprovalEventName = "Approval"

// ContractEventName returns the user-defined event name.
func (TokenApproval) ContractEventName() string {
	return TokenApprovalEventName
}

// UnpackApprovalEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Approval(address indexed owner, address indexed spender, uint256 value)
func (token *Token) UnpackApprovalEvent(log *types.Log) (*TokenApproval, error) {
	event := "Approval"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != token.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(TokenApproval)
	if len(log.Data) > 0 {
		if err := token.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range token.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

const TokenAuthorizationCanceledEventName = "AuthorizationCanceled"

const TokenAuthorizationUsedEventName = "AuthorizationUsed"

const TokenBlacklistedEventName = "Blacklisted"

const TokenBlacklisterChangedEventName = "BlacklisterChanged"

const TokenBurnEventName = "Burn"

const TokenMasterMinterChangedEventName = "MasterMinterChanged"

const TokenMintEventName = "Mint"

const TokenMinterConfiguredEventName = "MinterConfigured"

const TokenMinterRemovedEventName = "MinterRemoved"

const TokenOwnershipTransferredEventName = "OwnershipTransferred"

const TokenPauseEventName = "Pause"

const TokenPauserChangedEventName = "PauserChanged"

const TokenRescuerChangedEventName = "RescuerChanged"

// TokenTransfer represents a Transfer event raised by the Token contract.
type TokenTransfer struct {
	From  common.Address
	To    common.Address
	Value *big.Int
	Raw   *types.Log // Blockchain specific contextual infos
}

const TokenTransferEventName = "Transfer"

// ContractEventName returns the user-defined event name.
func (TokenTransfer) ContractEventName() string {
	return TokenTransferEventName
}

// UnpackTransferEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Transfer(address indexed from, address indexed to, uint256 value)
func (token *Token) UnpackTransferEvent(log *types.Log) (*TokenTransfer, error) {
	event := "Transfer"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != token.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(TokenTransfer)
	if len(log.Data) > 0 {
		if err := token.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range token.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

const TokenUnBlacklistedEventName = "UnBlacklisted"

const TokenUnpauseEventName = "Unpause"

var (
	//go:embed documented_flow.bin
	documentedFlowBin string
	//go:embed token.abi
	tokenABI string
	//go:embed token.bin
	tokenBin string
)

func documentedFlowRuntime() []byte { return common.Hex2Bytes(documentedFlowBin[6082:38622]) }

func tokenRuntime() []byte { return common.Hex2Bytes(tokenBin[6050:38468]) }
