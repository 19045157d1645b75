package dialect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// codeRejected is the code for a transaction or call that no block could include.
const codeRejected = -32003

// anvilError is api.ToWire with anvil's codes, and with its texts where tests of clients read them.
func anvilError(b *api.Behaviour, err error) *jsonrpc.Error {
	wire := api.ToWire(b, err)
	if wire == nil {
		return nil
	}
	said := *wire
	var revert *evmstate.RevertError
	var unknown *preconf.UnknownBlockError
	var account *api.UnknownAccountError
	_, isCall := errors.AsType[*simulate.InvalidCallError](err)
	isCall = isCall || strings.HasPrefix(wire.Message, "tracing failed")
	switch {
	case isCall && wire.Code == api.CodeServer && errors.Is(err, core.ErrTipAboveFeeCap):
		return api.InvalidParams("Invalid input: `max_priority_fee_per_gas` greater than `max_fee_per_gas`")
	case isCall && wire.Code == api.CodeServer && (errors.Is(err, core.ErrIntrinsicGas) || errors.Is(err, core.ErrFloorDataGas)):
		return api.Errorf(api.CodeServer, "intrinsic gas too high -- CallGasCostMoreThanGasLimit")
	case errors.As(err, &revert):
		said.Message = anvilRevert(revert)
	case errors.As(err, &unknown) && unknown.Number != nil:
		return api.InvalidParams("BlockOutOfRangeError: block height is %d but requested was %d", unknown.Head, *unknown.Number)
	case errors.As(err, &unknown):
		return api.Errorf(api.CodeNotFound, "Resource not found")
	case errors.As(err, &account):
		return api.InvalidParams("No Signer available")
	case api.IsUndecodable(err):
		return api.InvalidParams("Failed to decode transaction: %s", wire.Message)
	case wire.Code != api.CodeServer:
	default:
		anvilSays(&said, err)
	}
	return &said
}

// anvilSays sets the code and the text of an error that go-ethereum has a name for.
func anvilSays(said *jsonrpc.Error, err error) {
	for _, known := range anvilErrors {
		if errors.Is(err, known.err) {
			said.Code = known.code
			if known.text != "" {
				said.Message = known.text
			}
			return
		}
	}
	var invalid *vm.ErrInvalidOpCode
	switch {
	case strings.HasPrefix(said.Message, "ReferenceError"):
		said.Code, said.Message = api.CodeInternal, "failed to evaluate JS code: "+said.Message
	case errors.As(err, &invalid) && fmt.Sprint(invalid) == "invalid opcode: INVALID":
		said.Code, said.Message = api.CodeInternal, "EVM error InvalidFEOpcode"
	case errors.As(err, &invalid):
		said.Code, said.Message = api.CodeInternal, "EVM error OpcodeNotFound"
	case errors.As(err, new(*vm.ErrStackUnderflow)):
		said.Code, said.Message = api.CodeInternal, "EVM error StackUnderflow"
	case errors.As(err, new(*vm.ErrStackOverflow)):
		said.Code, said.Message = api.CodeInternal, "EVM error StackOverflow"
	}
}

// anvilErrors are the codes and texts of errors; without a text it is go-ethereum's.
var anvilErrors = []struct {
	err  error
	code int
	text string
}{
	{core.ErrInsufficientFunds, codeRejected, "Insufficient funds for gas * price + value"},
	{core.ErrInsufficientFundsForTransfer, codeRejected, "Insufficient funds for gas * price + value"},
	{core.ErrIntrinsicGas, api.CodeServer, "intrinsic gas too low"},
	{txpool.ErrGasLimit, api.CodeServer, "intrinsic gas too high -- tx.gas_limit > env.block.gas_limit"},
	{core.ErrEmptyAuthList, codeRejected, "empty authorization list"},
	{core.ErrFeeCapTooLow, codeRejected, "max fee per gas less than block base fee"},
	{core.ErrTipAboveFeeCap, codeRejected, "max priority fee per gas higher than max fee per gas"},
	{core.ErrNonceTooLow, codeRejected, "nonce too low"},
	{txpool.ErrAlreadyKnown, codeRejected, "transaction already imported"},
	{txpool.ErrReplaceUnderpriced, codeRejected, "replacement transaction underpriced"},
	{types.ErrInvalidChainId, codeRejected, "invalid chain id for signer"},
	{txpool.ErrInvalidSender, codeRejected, ""},
	{simulate.ErrChainID, codeRejected, "invalid chain id for signer"},
	{simulate.ErrGasAllowance, codeRejected, ""},
	{vm.ErrOutOfGas, api.CodeInternal, "EVM error OutOfGas"},
	{vm.ErrGasUintOverflow, api.CodeInternal, "EVM error InvalidOperandOOG"},
	{vm.ErrInvalidJump, api.CodeInternal, "EVM error InvalidJump"},
	{vm.ErrWriteProtection, api.CodeInternal, "EVM error StateChangeDuringStaticCall"},
	{vm.ErrReturnDataOutOfBounds, api.CodeInternal, "EVM error OutOfOffset"},
	{vm.ErrContractAddressCollision, api.CodeInternal, "EVM error CreateCollision"},
	{vm.ErrMaxCodeSizeExceeded, api.CodeInternal, "EVM error CreateContractSizeLimit"},
	{vm.ErrMaxInitCodeSizeExceeded, api.CodeInternal, "EVM error CreateInitCodeSizeLimit"},
	{vm.ErrInvalidCode, api.CodeInternal, "EVM error CreateContractStartingWithEF"},
	{vm.ErrCodeStoreOutOfGas, api.CodeInternal, "EVM error OutOfGas"},
	{vm.ErrDepth, api.CodeInternal, "EVM error CallTooDeep"},
}
