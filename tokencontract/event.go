package tokencontract

import (
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// First topics of the events of a payment (contract 6-Transfer, 6-AuthorizationUsed, 6-AuthorizationCanceled).
var (
	TransferTopic              = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	AuthorizationUsedTopic     = crypto.Keccak256Hash([]byte("AuthorizationUsed(address,bytes32)"))
	AuthorizationCanceledTopic = crypto.Keccak256Hash([]byte("AuthorizationCanceled(address,bytes32)"))
)

// ErrOtherEvent is returned by a decoder for a log of another event. Decoders do not check which contract emitted the
// log.
var ErrOtherEvent = errors.New("log is of another event")

// Transfer is the event of every movement of tokens.
type Transfer struct {
	From  common.Address // zero if the tokens are minted
	To    common.Address // zero if the tokens are burned
	Value *uint256.Int   // token units (6 decimals)
}

// AuthorizationUsed is the event of a nonce used by a transfer or capture.
type AuthorizationUsed struct {
	Authorizer common.Address // payer
	Nonce      common.Hash
}

// AuthorizationCanceled is the event of a nonce made unusable by a Cancellation.
type AuthorizationCanceled struct {
	Authorizer common.Address // payer
	Nonce      common.Hash
}

// DecodeTransfer returns the Transfer event of a log. The error is ErrOtherEvent.
func DecodeTransfer(log types.Log) (Transfer, error) {
	if !isEvent(log, TransferTopic, 32) {
		return Transfer{}, ErrOtherEvent
	}
	return Transfer{
		From:  common.BytesToAddress(log.Topics[1][:]),
		To:    common.BytesToAddress(log.Topics[2][:]),
		Value: new(uint256.Int).SetBytes(log.Data),
	}, nil
}

// DecodeAuthorizationUsed returns the AuthorizationUsed event of a log. The error is ErrOtherEvent.
func DecodeAuthorizationUsed(log types.Log) (AuthorizationUsed, error) {
	if !isEvent(log, AuthorizationUsedTopic, 0) {
		return AuthorizationUsed{}, ErrOtherEvent
	}
	return AuthorizationUsed{common.BytesToAddress(log.Topics[1][:]), log.Topics[2]}, nil
}

// DecodeAuthorizationCanceled returns the AuthorizationCanceled event of a log. The error is ErrOtherEvent.
func DecodeAuthorizationCanceled(log types.Log) (AuthorizationCanceled, error) {
	if !isEvent(log, AuthorizationCanceledTopic, 0) {
		return AuthorizationCanceled{}, ErrOtherEvent
	}
	return AuthorizationCanceled{common.BytesToAddress(log.Topics[1][:]), log.Topics[2]}, nil
}

// isEvent reports whether a log has the event's first topic, two indexed fields, and data of the event's size. An NFT's
// Transfer has the same first topic, but three indexed fields.
func isEvent(log types.Log, topic common.Hash, dataSize int) bool {
	return len(log.Topics) == 3 && log.Topics[0] == topic && len(log.Data) == dataSize
}
