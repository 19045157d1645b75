// Package channels is x402's payment channels (`batch-settlement`): Solidity sources, compiled code, Go bindings and
// the typed data that payers and receivers sign. The contracts answer as the deployed ones do; the code is fakenode's
// own.
//
//	channel := channels.Channel{Payer: payer, Receiver: shop, ReceiverAuthorizer: shop, Token: token, WithdrawDelay: 900}
//	authorization := channel.Authorization(31337, amount, 0, validBefore, nil) // the payer signs its ReceiveMessage
//	data := channel.PackDeposit(amount, channels.ERC3009CollectorAddress, channels.AuthorizationData(authorization, nil, signature))
//	digest := contracts.Digest(channels.VoucherData(31337, channel.ID(31337), ceiling)) // signed for each request
package channels

import (
	"math/big"
	"strconv"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
)

var (
	// Address is the address of the settlement contract on every chain.
	Address = common.HexToAddress("0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003")
	// ERC3009CollectorAddress is the address of the collector that takes a ReceiveWithAuthorization.
	ERC3009CollectorAddress = common.HexToAddress("0x4020806089470a89826cB9fB1f4059150b550004")
	// Permit2CollectorAddress is the address of the collector that takes a signed Permit2 transfer.
	Permit2CollectorAddress = common.HexToAddress("0x4020425FAf3B746C082C2f942b4E5159887B0005")
)

// The limits of Channel.WithdrawDelay, in seconds, inclusive.
const (
	MinWithdrawDelay = 900
	MaxWithdrawDelay = 2_592_000
)

// Predeploys returns the genesis accounts of the settlement contract and its collectors. They call Permit2 at its usual
// address. Do not modify.
var Predeploys = sync.OnceValue(func() types.GenesisAlloc {
	account := func(code []byte) types.Account {
		return types.Account{Code: contracts.Immutable(code, Address), Balance: new(big.Int), Nonce: 1}
	}
	return types.GenesisAlloc{
		Address:                 account(settlementRuntime()),
		ERC3009CollectorAddress: account(erc3009CollectorRuntime()),
		Permit2CollectorAddress: account(permit2CollectorRuntime()),
	}
})

// typedData returns the typed data of a message.
func typedData(chainID uint64, types string, message apitypes.TypedDataMessage) apitypes.TypedData {
	return contracts.TypedData(contracts.Domain("x402 Batch Settlement", chainID, Address), types, message)
}

// TypedData returns the terms as typed data. Nobody signs it: its digest is the channel's ID.
func (c Channel) TypedData(chainID uint64) apitypes.TypedData {
	const types = "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token," +
		"uint40 withdrawDelay,bytes32 salt)"
	return typedData(chainID, types, apitypes.TypedDataMessage{
		"payer": c.Payer.Hex(), "payerAuthorizer": c.PayerAuthorizer.Hex(), "receiver": c.Receiver.Hex(),
		"receiverAuthorizer": c.ReceiverAuthorizer.Hex(), "token": c.Token.Hex(),
		"withdrawDelay": strconv.FormatUint(c.WithdrawDelay, 10), "salt": c.Salt.Hex(),
	})
}

// VoucherData returns the typed data that the payer or its authorizer signs so that a total of up to the ceiling, in
// token units, can be claimed of a channel.
func VoucherData(chainID uint64, channel common.Hash, ceiling *uint256.Int) apitypes.TypedData {
	return typedData(chainID, "Voucher(bytes32 channelId,uint128 maxClaimableAmount)", apitypes.TypedDataMessage{
		"channelId": channel.Hex(), "maxClaimableAmount": contracts.Number(ceiling),
	})
}

// RefundData returns the typed data that the receiver's authorizer signs to give an amount of token units back. The
// nonce is the channel's next, State.RefundNonce.
func RefundData(chainID uint64, channel common.Hash, nonce, amount *uint256.Int) apitypes.TypedData {
	return typedData(chainID, "Refund(bytes32 channelId,uint256 nonce,uint128 amount)", apitypes.TypedDataMessage{
		"channelId": channel.Hex(), "nonce": contracts.Number(nonce), "amount": contracts.Number(amount),
	})
}

// ClaimBatchData returns the typed data that the receiver's authorizer signs so that anyone can send the claims.
func ClaimBatchData(chainID uint64, claims ...Claim) apitypes.TypedData {
	entries := make([]any, len(claims))
	for i, c := range claims {
		entries[i] = apitypes.TypedDataMessage{
			"channelId": c.Channel.ID(chainID).Hex(), "maxClaimableAmount": contracts.Number(c.Ceiling), "totalClaimed": contracts.Number(c.Total),
		}
	}
	const types = "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
	return typedData(chainID, types, apitypes.TypedDataMessage{"claims": entries})
}
