package userop

import "fmt"

// Error is the reason why an operation is rejected.
type Error struct {
	Cause Cause
	Text  string
	// Data is a *common.Address (the paymaster, or nil), a TimeRange, an erc7562.Violation, a RevertData, or nil.
	Data any
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// RevertData is the data with which a call of an operation reverted.
type RevertData []byte

// Cause classifies errors as ERC-7769 does.
type Cause int

const (
	Invalid      Cause = iota // the client's operation contradicts itself, the chain or the pool
	Rejected                  // rejected by the EntryPoint or the account
	ByPaymaster               // rejected by the paymaster
	BreaksRule                // breaks a rule of ERC-7562
	NotInTime                 // not valid yet, or expired
	Aggregated                // the account wants an aggregator, and this bundler has none
	BadSignature              // wrong signature of the account or the paymaster
	LowDeposit                // the paymaster's deposit does not cover the operation
	Failing                   // the account's call reverts
)

// refusedFor returns the error of an operation that is rejected for a cause.
func refusedFor(cause Cause, format string, args ...any) *Error {
	return &Error{Cause: cause, Text: fmt.Sprintf(format, args...)}
}

// invalid returns the error of an operation that is not valid.
func invalid(format string, args ...any) *Error { return refusedFor(Invalid, format, args...) }
