package evmstate

import "github.com/ethereum/go-ethereum/accounts/abi"

// RevertError is the error of a call that reverted.
type RevertError struct {
	Data []byte // revert data of the contract: usually an ABI-encoded error, but it may be anything
	// Declared is Data decoded as an error that the contract declares, such as "InsufficientBalance(have: 5, want: 7)".
	// Empty: no such error is known.
	Declared string
}

// Error returns "execution reverted", with the reason if there is one.
func (e *RevertError) Error() string {
	if reason := e.Reason(); reason != "" {
		return "execution reverted: " + reason
	}
	return "execution reverted"
}

// Reason returns the message of an Error(string) or the meaning of a Panic(uint256), the two errors built into
// Solidity, for other data Declared.
func (e *RevertError) Reason() string {
	reason, err := abi.UnpackRevert(e.Data)
	if err != nil {
		return e.Declared
	}
	return reason
}
