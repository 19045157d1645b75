package channels

import (
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/tokencontract"
)

// binding is parsed on first use, because parsing takes longer than starting a node.
var binding = sync.OnceValue(NewX402BatchSettlement)

// Channel holds the terms of a channel, which never change: its ID hashes all of them.
type Channel struct {
	Payer              common.Address
	PayerAuthorizer    common.Address // signs vouchers by its key alone; zero: the payer signs, by ERC-1271 too
	Receiver           common.Address // gets the claimed amounts
	ReceiverAuthorizer common.Address // signs batches of claims, and refunds
	Token              common.Address
	WithdrawDelay      uint64      // seconds between starting a withdrawal and finalizing it
	Salt               common.Hash // distinguishes channels of equal terms
}

// ID returns the channel's name on a chain. It is the EIP-712 digest of its terms, not their plain hash.
func (c Channel) ID(chainID uint64) common.Hash { return contracts.Digest(c.TypedData(chainID)) }

// PackDeposit returns the call data of deposit, which anyone may send; amount in token units. The data comes from
// AuthorizationData or PermitData, by the collector.
func (c Channel) PackDeposit(amount *uint256.Int, collector common.Address, data []byte) []byte {
	return binding().PackDeposit(c.config(), contracts.BigInt(amount), collector, data)
}

// PackRefund returns the call data of refund, which the receiver or its authorizer sends; amount in token units, capped
// to the unclaimed balance.
func (c Channel) PackRefund(amount *uint256.Int) []byte {
	return binding().PackRefund(c.config(), contracts.BigInt(amount))
}

// PackRefundWithSignature returns the call data of refundWithSignature, which anyone may send. The receiver's
// authorizer signs RefundData.
func (c Channel) PackRefundWithSignature(amount, nonce *uint256.Int, signature []byte) []byte {
	return binding().PackRefundWithSignature(c.config(), contracts.BigInt(amount), contracts.BigInt(nonce), signature)
}

// PackInitiateWithdraw returns the call data of initiateWithdraw, which the payer or its authorizer sends; amount in
// token units, at most the unclaimed balance.
func (c Channel) PackInitiateWithdraw(amount *uint256.Int) []byte {
	return binding().PackInitiateWithdraw(c.config(), contracts.BigInt(amount))
}

// PackFinalizeWithdraw returns the call data of finalizeWithdraw, which the payer or its authorizer sends once the
// delay is over.
func (c Channel) PackFinalizeWithdraw() []byte { return binding().PackFinalizeWithdraw(c.config()) }

// PackSettle returns the call data of settle, which sends a receiver everything claimed for it; anyone may send it.
func PackSettle(receiver, token common.Address) []byte { return binding().PackSettle(receiver, token) }

// PackMulticall returns the call data of multicall, which makes all of the calls or none.
func PackMulticall(calls ...[]byte) []byte { return binding().PackMulticall(calls) }

// Claim takes up to Total by a voucher. Amounts are in token units and count from the channel's start.
type Claim struct {
	Channel   Channel
	Ceiling   *uint256.Int // signed by the payer, VoucherData
	Signature []byte       // of the payer or its authorizer
	Total     *uint256.Int // claimed in all; a claim below an earlier one is skipped
}

// PackClaim returns the call data of claim, which the receiver or its authorizer sends.
func PackClaim(claims ...Claim) []byte { return binding().PackClaim(rows(claims)) }

// PackClaimWithSignature returns the call data of claimWithSignature, which anyone may send. The authorizer, the same
// of all channels, signs ClaimBatchData.
func PackClaimWithSignature(signature []byte, claims ...Claim) []byte {
	return binding().PackClaimWithSignature(rows(claims), signature)
}

func rows(claims []Claim) []VoucherClaim {
	rows := make([]VoucherClaim, len(claims))
	for i, c := range claims {
		rows[i] = VoucherClaim{
			Voucher:   Voucher{Channel: c.Channel.config(), MaxClaimableAmount: contracts.BigInt(c.Ceiling)},
			Signature: c.Signature, TotalClaimed: contracts.BigInt(c.Total),
		}
	}
	return rows
}

func (c Channel) config() ChannelConfig {
	return ChannelConfig{
		Payer: c.Payer, PayerAuthorizer: c.PayerAuthorizer, Receiver: c.Receiver, ReceiverAuthorizer: c.ReceiverAuthorizer,
		Token: c.Token, WithdrawDelay: new(big.Int).SetUint64(c.WithdrawDelay), Salt: c.Salt,
	}
}

// Authorization returns the authorization that the payer signs, as a ReceiveMessage, to deposit token units through the
// ERC-3009 collector. Times are in Unix seconds. The salt distinguishes the deposits of a channel; nil is 0.
func (c Channel) Authorization(chainID uint64, amount *uint256.Int, validAfter, validBefore uint64, salt *uint256.Int) tokencontract.Authorization {
	id, salted := c.ID(chainID), common.BigToHash(contracts.BigInt(salt))
	return tokencontract.Authorization{
		From: c.Payer, To: ERC3009CollectorAddress, Value: amount, ValidAfter: validAfter, ValidBefore: validBefore,
		Nonce: crypto.Keccak256Hash(id[:], salted[:]),
	}
}

// AuthorizationData returns the ERC-3009 collector's data: the authorization's salt and the payer's signature.
func AuthorizationData(a tokencontract.Authorization, salt *uint256.Int, signature []byte) []byte {
	return contracts.Pack([]string{"uint256", "uint256", "uint256", "bytes"},
		uint256.NewInt(a.ValidAfter).ToBig(), uint256.NewInt(a.ValidBefore).ToBig(), contracts.BigInt(salt), signature)
}

// Permit returns the permit that the payer signs to deposit token units through the Permit2 collector. The deadline is
// in Unix seconds, inclusive.
func (c Channel) Permit(chainID uint64, amount, nonce *uint256.Int, deadline uint64) permit2.TransferPermit {
	return permit2.TransferPermit{
		Token: c.Token, Amount: amount, Spender: Permit2CollectorAddress, Nonce: nonce, Deadline: deadline,
		Witness: &permit2.Witness{
			Type:    "DepositWitness(bytes32 channelId)",
			Message: apitypes.TypedDataMessage{"channelId": c.ID(chainID).Hex()},
		},
	}
}

// PermitData returns the Permit2 collector's data. The allowance, if any, comes from AllowanceData.
func PermitData(p permit2.TransferPermit, signature, allowance []byte) []byte {
	return contracts.Pack([]string{"uint256", "uint256", "bytes", "bytes"},
		contracts.BigInt(p.Nonce), uint256.NewInt(p.Deadline).ToBig(), signature, allowance)
}

// AllowanceData returns the part of the Permit2 collector's data that gives Permit2 the allowance for this deposit. The
// permit must be for its amount.
func AllowanceData(p tokencontract.Permit, s tokencontract.Signature) []byte {
	value, deadline := p.Numbers()
	return contracts.Pack([]string{"uint256", "uint256", "uint8", "bytes32", "bytes32"}, value, deadline, s.V(), s.R(), s.S())
}

// State is the contract's record of a channel, in token units.
type State struct {
	Balance      *uint256.Int // deposits, less refunds and withdrawals; claims do not lower it
	TotalClaimed *uint256.Int
	RefundNonce  *uint256.Int // of the next refund
	Withdrawal   Withdrawal
}

// Withdrawal is one that the payer has started. The zero value means none.
type Withdrawal struct {
	Amount      uint256.Int // token units; less is paid if more is claimed meanwhile
	InitiatedAt uint64      // Unix seconds; it can be finalized Channel.WithdrawDelay later
}

// PackState returns the calls whose answers UnpackState reads, in order: channels, pendingWithdrawals and refundNonce.
func PackState(channel common.Hash) [3][]byte {
	return [3][]byte{binding().PackChannels(channel), binding().PackPendingWithdrawals(channel), binding().PackRefundNonce(channel)}
}

// UnpackState reads the answers of PackState's calls.
func UnpackState(answers [3][]byte) (State, error) {
	channel, err := binding().UnpackChannels(answers[0])
	if err != nil {
		return State{}, err
	}
	withdrawal, err := binding().UnpackPendingWithdrawals(answers[1])
	if err != nil {
		return State{}, err
	}
	nonce, err := binding().UnpackRefundNonce(answers[2])
	if err != nil {
		return State{}, err
	}
	return State{
		Balance: uint256.MustFromBig(channel.Balance), TotalClaimed: uint256.MustFromBig(channel.TotalClaimed), RefundNonce: uint256.MustFromBig(nonce),
		Withdrawal: Withdrawal{Amount: *uint256.MustFromBig(withdrawal.Amount), InitiatedAt: withdrawal.InitiatedAt.Uint64()},
	}, nil
}

// PackReceiver returns the call data of receivers, whose answer UnpackReceiver reads.
func PackReceiver(receiver, token common.Address) []byte {
	return binding().PackReceivers(receiver, token)
}

// UnpackReceiver reads the answer of receivers: the amounts claimed for a receiver in all of its channels, and sent to
// it, in token units.
func UnpackReceiver(answer []byte) (claimed, settled *uint256.Int, err error) {
	out, err := binding().UnpackReceivers(answer)
	if err != nil {
		return nil, nil, err
	}
	return uint256.MustFromBig(out.TotalClaimed), uint256.MustFromBig(out.TotalSettled), nil
}
