package trace

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Frame is one call, creation or self-destruction of a transaction, in the flat form that OpenEthereum's trace module
// introduced. It encodes to the JSON of that form. Calls of precompiles by contracts have no frame.
type Frame struct {
	Action Action `json:"action"`
	// Error is empty for a frame that succeeded, else OpenEthereum's name of the failure, such as "Reverted".
	Error string `json:"error,omitempty"`
	// Result is nil for a self-destruction and for a failure other than a revert.
	Result *Result `json:"result"`
	// Subtraces is the number of frames directly below this one.
	Subtraces int `json:"subtraces"`
	// TraceAddress is the path to the frame from the transaction's own frame, whose path is empty.
	TraceAddress []int `json:"traceAddress"`
	// Type is FrameCall, FrameCreate or FrameSelfDestruct.
	Type string `json:"type"`
}

// The types of a Frame.
const (
	FrameCall         = "call"
	FrameCreate       = "create"
	FrameSelfDestruct = "suicide" // the EVM's first name of SELFDESTRUCT, kept by the trace module
)

// Action describes the call, creation or self-destruction of a Frame. Members that do not belong to the frame's type
// are nil or empty.
type Action struct {
	From *common.Address `json:"from,omitempty"`
	// CallType is "call", "staticcall", "delegatecall" or "callcode"; CreationMethod is "create" or "create2".
	CallType       string          `json:"callType,omitempty"`
	CreationMethod string          `json:"creationMethod,omitempty"`
	Gas            *hexutil.Uint64 `json:"gas,omitempty"`
	Init           *hexutil.Bytes  `json:"init,omitempty"`
	Input          *hexutil.Bytes  `json:"input,omitempty"`
	To             *common.Address `json:"to,omitempty"`
	Value          *hexutil.Big    `json:"value,omitempty"` // wei

	// Address is the contract that destroyed itself, RefundAddress the account that got its Balance in wei.
	Address       *common.Address `json:"address,omitempty"`
	RefundAddress *common.Address `json:"refundAddress,omitempty"`
	Balance       *hexutil.Big    `json:"balance,omitempty"`
}

// Result holds the gas that a call or creation used, and its output (Output) or the contract it made (Address, Code).
type Result struct {
	GasUsed *hexutil.Uint64 `json:"gasUsed,omitempty"`
	Output  *hexutil.Bytes  `json:"output,omitempty"`
	Address *common.Address `json:"address,omitempty"`
	Code    *hexutil.Bytes  `json:"code,omitempty"`
}

// Sender returns the account that acted: the caller, the creator, or the contract that destroyed itself.
func (f *Frame) Sender() *common.Address {
	if f.Type == FrameSelfDestruct {
		return f.Action.Address
	}
	return f.Action.From
}

// Receiver returns the account acted upon: the one called, the contract created (nil if the creation failed), or the
// one that got the balance.
func (f *Frame) Receiver() *common.Address {
	switch {
	case f.Type == FrameSelfDestruct:
		return f.Action.RefundAddress
	case f.Type == FrameCreate && f.Result != nil && f.Error == "":
		return f.Result.Address
	}
	return f.Action.To
}

// Output returns the returned bytes, also a revert's, or the code of a created contract.
func (f *Frame) Output() []byte {
	switch {
	case f.Result == nil:
		return nil
	case f.Result.Output != nil:
		return *f.Result.Output
	case f.Result.Code != nil:
		return *f.Result.Code
	}
	return nil
}
