// Package spendpermission lets a spender take an allowance of a smart account's money in every period: Solidity source,
// compiled code, Go bindings and typed data. It answers like Coinbase's SpendPermissionManager, without withdrawals
// from MagicSpend; the code is fakenode's own.
//
//	permission := spendpermission.Permission{Account: wallet, Spender: shop, Token: token, Allowance: fee, Period: month, …}
//	digest := contracts.Digest(permission.TypedData(31337)) // the account's owner signs it as the account takes it
//	data := permission.PackSpend(fee)                       // the shop sends this once in every period
package spendpermission

import (
	"math/big"
	"strconv"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
)

var (
	// Address is the address of the manager on every chain. It must be an owner of the accounts it spends from.
	Address = common.HexToAddress("0xf85210B21cC50302F477BA56686d2019dC9b67Ad")
	// ValidatorAddress is the address of the contract that checks signatures for the manager.
	ValidatorAddress = common.HexToAddress("0xcfCE48B757601F3f351CB6f434CB0517aEEE293D")
	// NativeToken stands for ether in the place of a token (ERC-7528).
	NativeToken = common.HexToAddress("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")
)

// binding is parsed on first use, because parsing takes longer than starting a node.
var binding = sync.OnceValue(NewSpendPermissionManager)

// Predeploys returns the genesis accounts. Do not modify.
var Predeploys = sync.OnceValue(func() types.GenesisAlloc {
	return types.GenesisAlloc{
		Address:          {Code: managerRuntime(), Balance: new(big.Int), Nonce: 1},
		ValidatorAddress: {Code: validatorRuntime(), Balance: new(big.Int), Nonce: 1},
	}
})

// Permission describes how much an account allows a spender in each period. Periods follow one another from Start on;
// an allowance not spent in its period is lost.
type Permission struct {
	Account   common.Address // a smart account that has Address as an owner
	Spender   common.Address
	Token     common.Address // or NativeToken
	Allowance *uint256.Int   // token units or wei in each period, at most 2^160 - 1
	Period    uint64         // seconds
	Start     uint64         // Unix seconds, inclusive
	End       uint64         // Unix seconds, exclusive
	Salt      *uint256.Int   // distinguishes equal permissions; nil is 0
	ExtraData []byte         // the spender's own
}

// TypedData returns the typed data that the account signs on a chain.
func (p Permission) TypedData(chainID uint64) apitypes.TypedData {
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	const types = "SpendPermission(address account,address spender,address token,uint160 allowance,uint48 period,uint48 start," +
		"uint48 end,uint256 salt,bytes extraData)"
	return contracts.TypedData(contracts.Domain("Spend Permission Manager", chainID, Address), types, apitypes.TypedDataMessage{
		"account": p.Account.Hex(), "spender": p.Spender.Hex(), "token": p.Token.Hex(), "allowance": contracts.Number(p.Allowance),
		"period": number(p.Period), "start": number(p.Start), "end": number(p.End), "salt": contracts.Number(p.Salt),
		"extraData": hexutil.Encode(p.ExtraData),
	})
}

// Hash returns the digest of the permission, which names it on the manager.
func (p Permission) Hash(chainID uint64) common.Hash { return contracts.Digest(p.TypedData(chainID)) }

// PackApprove returns the call data of approve. The account sends it.
func (p Permission) PackApprove() []byte { return binding().PackApprove(p.words()) }

// PackApproveWithSignature returns the call data of approveWithSignature, which deploys the account where its signature
// describes how (ERC-6492). Anyone may send it.
func (p Permission) PackApproveWithSignature(signature []byte) []byte {
	return binding().PackApproveWithSignature(p.words(), signature)
}

// PackSpend returns the call data of spend, in token units or wei. The spender sends it.
func (p Permission) PackSpend(value *uint256.Int) []byte {
	return binding().PackSpend(p.words(), value.ToBig())
}

// PackRevoke returns the call data of revoke. The account sends it.
func (p Permission) PackRevoke() []byte { return binding().PackRevoke(p.words()) }

// PackRevokeAsSpender returns the call data of revokeAsSpender. The spender sends it.
func (p Permission) PackRevokeAsSpender() []byte { return binding().PackRevokeAsSpender(p.words()) }

// PackIsValid returns the call data of isValid: approved and not revoked.
func (p Permission) PackIsValid() []byte { return binding().PackIsValid(p.words()) }

func (p Permission) words() SpendPermission {
	number := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
	return SpendPermission{
		Account: p.Account, Spender: p.Spender, Token: p.Token, Allowance: contracts.BigInt(p.Allowance), Period: number(p.Period),
		Start: number(p.Start), End: number(p.End), Salt: contracts.BigInt(p.Salt), ExtraData: p.ExtraData,
	}
}
