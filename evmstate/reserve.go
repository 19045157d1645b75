package evmstate

import (
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// ErrReserve is the error of a message that was undone because it took from the reserve of an account.
var ErrReserve = errors.New("reserve balance violation")

// Dips reports whether the message leaves an account that can send, which has no code or a delegation (EIP-7702), less
// than reserve and less than it had before, in wei. fee is what the sender pays for gas, which counts as left.
func (o *Overlay) Dips(reserve *uint256.Int, sender common.Address, fee *uint256.Int) bool {
	for _, object := range o.objects.used() {
		if _, delegated := types.ParseDelegation(object.code.bytes()); object.code != nil && !delegated {
			continue
		}
		left := object.balance
		if object.address == sender {
			left = new(uint256.Int).Add(left, fee)
		}
		if left.Lt(reserve) && left.Lt(object.before().balance) {
			return true
		}
	}
	return false
}
