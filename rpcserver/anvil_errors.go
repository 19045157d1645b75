package rpcserver

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// anvilError is api.ToWire in anvil's words, where clients' tests read them.
func anvilError(profile shape.Profile, err error) *jsonrpc.Error {
	wire := api.ToWire(profile, err)
	if wire == nil {
		return nil
	}
	said := *wire
	var revert *evmstate.RevertError
	switch {
	case errors.As(err, &revert):
		said.Message = anvilRevert(revert)
	case errors.Is(err, core.ErrInsufficientFunds):
		said.Message = "Insufficient funds for gas * price + value"
	case errors.Is(err, core.ErrIntrinsicGas):
		said.Message = "intrinsic gas too low"
	case errors.Is(err, preconf.ErrExceedsBlockGas):
		said.Message = "intrinsic gas too high -- tx.gas_limit > env.block.gas_limit"
	}
	return &said
}

// anvilPanics are the meanings of the codes of Panic(uint256).
var anvilPanics = map[uint64]string{
	0x00: "generic/unspecified error",
	0x01: "assertion failed",
	0x11: "arithmetic underflow or overflow",
	0x12: "division or modulo by zero",
	0x21: "failed to convert value into enum type",
	0x22: "storage byte array incorrectly encoded",
	0x31: "called `.pop()` on an empty array",
	0x32: "array out-of-bounds access",
	0x41: "memory allocation error",
	0x51: "called an invalid internal function",
}

// anvilRevert says what the data of a revert means, where no source of the contract is known.
func anvilRevert(revert *evmstate.RevertError) string {
	data := revert.Data
	switch {
	case len(data) < 4, bytes.HasPrefix(data, errorSelector), revert.Declared != "":
		return revert.Error()
	case bytes.HasPrefix(data, panicSelector) && len(data) >= 36:
		code := new(uint256.Int).SetBytes(data[4:36])
		if meaning, ok := anvilPanics[code.Uint64()]; ok && code.IsUint64() {
			return fmt.Sprintf("execution reverted: panic: %s (0x%02x)", meaning, code.Uint64())
		}
		return fmt.Sprintf("execution reverted: panic: unknown code: %s", code.Hex())
	}
	said, arguments := "execution reverted: custom error "+hexutil.Encode(data[:4]), data[4:]
	switch {
	case len(arguments) == 0:
		return said
	case utf8.Valid(arguments):
		return said + ": " + string(arguments)
	}
	return said + ": " + fmt.Sprintf("%x", arguments)
}
