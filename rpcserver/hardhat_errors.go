package rpcserver

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// codeHardhatUnsupported is Hardhat's code of a method that it does not have.
const codeHardhatUnsupported = -32004

// hardhatData is the data of an error as Hardhat's HTTP server sends it.
type hardhatData struct {
	Message string       `json:"message"`
	TxHash  *common.Hash `json:"txHash,omitempty"` // of a transaction that was mined and failed
	Data    any          `json:"data"`
}

// hardhatUnknown is the error of a call to a method that does not exist.
func hardhatUnknown(method string) *jsonrpc.Error {
	return hardhatWords(api.Errorf(codeHardhatUnsupported, "Method %s is not supported", api.Excerpt(method)))
}

// hardhatError is api.ToWire in Hardhat's words.
func hardhatError(profile shape.Profile, err error) *jsonrpc.Error {
	if failure := api.Failure(err); failure != nil {
		return hardhatFailure(failure, nil)
	}
	var unknown *preconf.UnknownBlockError
	if errors.As(err, &unknown) && unknown.Number != nil {
		err = api.Errorf(api.CodeServer, "Received invalid block tag %d. Latest block number is %d", *unknown.Number, unknown.Head)
	}
	wire := api.ToWire(profile, err)
	if wire == nil {
		return nil
	}
	return hardhatWords(wire)
}

// hardhatWords returns the error with its message in its data, too, where it has none.
func hardhatWords(wire *jsonrpc.Error) *jsonrpc.Error {
	if wire.Data != nil {
		return wire
	}
	said := *wire
	said.Data = hardhatData{Message: wire.Message}
	return &said
}

// hardhatFailure returns the error of a call or transaction that failed. The hash is that of a transaction that was
// mined all the same, nil for a call.
func hardhatFailure(failure error, hash *common.Hash) *jsonrpc.Error {
	data := hardhatData{TxHash: hash, Data: hexutil.Bytes{}}
	code := api.CodeInternal
	var revert *evmstate.RevertError
	var opcode *vm.ErrInvalidOpCode
	switch {
	case errors.As(failure, &revert):
		data.Message, data.Data = hardhatRevert(revert), hexutil.Bytes(revert.Data)
	case errors.Is(failure, vm.ErrOutOfGas), errors.Is(failure, vm.ErrCodeStoreOutOfGas):
		code, data.Message = api.CodeServer, "Transaction ran out of gas"
	case errors.As(failure, &opcode):
		data.Message = "Error: VM Exception while processing transaction: invalid opcode"
	default:
		data.Message = hardhatNoReason
	}
	return &jsonrpc.Error{Code: code, Message: data.Message, Data: data}
}

const (
	hardhatNoReason = "Error: Transaction reverted without a reason string"
	hardhatReverted = "Error: VM Exception while processing transaction: reverted with "
)

// The selectors of the two errors built into Solidity.
var (
	errorSelector = crypto.Keccak256([]byte("Error(string)"))[:4]
	panicSelector = crypto.Keccak256([]byte("Panic(uint256)"))[:4]
)

// hardhatPanics says what the codes of Panic(uint256) mean.
var hardhatPanics = map[uint64]string{
	0x01: "Assertion error",
	0x11: "Arithmetic operation overflowed outside of an unchecked block",
	0x12: "Division or modulo division by zero",
	0x21: "Tried to convert a value into an enum, but the value was too big or negative",
	0x22: "Incorrectly encoded storage byte array",
	0x31: ".pop() was called on an empty array",
	0x32: "Array accessed at an out-of-bounds or negative index",
	0x41: "Too much memory was allocated, or an array was created that is too large",
	0x51: "Called a zero-initialized variable of internal function type",
}

// hardhatRevert says what the data of a revert means, where no source of the contract is known.
func hardhatRevert(revert *evmstate.RevertError) string {
	data := revert.Data
	switch {
	case len(data) == 0:
		return hardhatNoReason
	case bytes.HasPrefix(data, errorSelector):
		reason, err := abi.UnpackRevert(data)
		if err != nil {
			return "Error: VM Exception while processing transaction: Expected return data to contain a valid string"
		}
		return hardhatReverted + "reason string '" + reason + "'"
	case bytes.HasPrefix(data, panicSelector) && len(data) >= 36:
		code := new(uint256.Int).SetBytes(data[4:36])
		if meaning, ok := hardhatPanics[code.Uint64()]; ok && code.IsUint64() {
			return fmt.Sprintf(hardhatReverted+"panic code %#x (%s)", code.Uint64(), meaning)
		}
		return hardhatReverted + "unknown panic code " + code.Hex()
	}
	if revert.Declared != "" {
		return hardhatReverted + "custom error '" + revert.Declared + "'"
	}
	return hardhatReverted + "an unrecognized custom error (return data: " + hexutil.Encode(data) + ")"
}
