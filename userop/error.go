package userop

import "fmt"

// Error is why an operation is refused.
type Error struct {
	Cause Cause
	Text  string
	// Data is a *common.Address (the paymaster, or nil), a TimeRange, an erc7562.Violation, a RevertData, or nil.
	Data any
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// RevertData is what a call of an operation reverted with.
type RevertData []byte

// Cause classifies refusals as ERC-7769 does.
type Cause int

const (
	Invalid      Cause = iota // what the client sent contradicts itself, the chain or the pool
	Rejected                  // by the EntryPoint or the account
	ByPaymaster               // rejected by it
	BreaksRule                // of ERC-7562
	NotInTime                 // not due yet, or expired
	Aggregated                // its account wants an aggregator, and this bundler asks none
	BadSignature              // of the account or the paymaster
	LowDeposit                // the paymaster's does not cover the operation
	Failing                   // the account's call reverts
)

// refusedFor returns the error of an operation that is refused for a cause.
func refusedFor(cause Cause, format string, args ...any) *Error {
	return &Error{Cause: cause, Text: fmt.Sprintf(format, args...)}
}

// invalid returns the error of an operation that is not valid.
func invalid(format string, args ...any) *Error { return refusedFor(Invalid, format, args...) }
