package dialect

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"regexp"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// hardhatRefused is the error of a transaction that the pool rejected.
func hardhatRefused(r *api.Request, err error, from common.Address, tx func() *types.Transaction) error {
	switch {
	case errors.Is(err, core.ErrInsufficientFunds):
		state, err := r.State(new(api.BlockTag{Kind: api.TagPending}))
		if err != nil {
			return err
		}
		return api.Errorf(api.CodeServer, "Sender doesn't have enough funds to send tx. The max upfront cost is: %s and the sender's balance is: %s.",
			tx().Cost(), state.Balance(from).Dec())
	case errors.Is(err, txpool.ErrGasLimit):
		return api.Errorf(api.CodeServer, "Transaction gas limit is %d and exceeds block gas limit of %d", tx().Gas(), r.Moment().Pending().Header().GasLimit)
	case errors.Is(err, vm.ErrMaxInitCodeSizeExceeded):
		return api.InvalidParams("Trying to send a deployment transaction whose init code length is %d. The max length allowed by EIP-3860 is %d.",
			len(tx().Data()), params.MaxInitCodeSize)
	case errors.Is(err, core.ErrNonceTooLow), errors.Is(err, txpool.ErrAlreadyKnown), errors.Is(err, txpool.ErrReplaceUnderpriced):
		return hardhatTaken(r, err, from, tx())
	}
	return err
}

// hardhatTaken is the error of a transaction whose nonce another one has.
func hardhatTaken(r *api.Request, err error, from common.Address, tx *types.Transaction) error {
	for _, e := range r.Moment().Pool() {
		switch {
		case e.From != from || e.Tx.Nonce() != tx.Nonce():
		case errors.Is(err, txpool.ErrAlreadyKnown):
			return api.Errorf(api.CodeServer, "Known transaction: %s", e.Tx.Hash())
		default:
			name, least := "maxFeePerGas", hardhatBump(e.Tx.GasFeeCap())
			if tx.GasFeeCapIntCmp(least) >= 0 {
				name, least = "maxPriorityFeePerGas", hardhatBump(e.Tx.GasTipCap())
			}
			return api.Errorf(api.CodeServer, "Replacement transaction underpriced. A gasPrice/%s of at least %s is necessary to "+
				"replace the existing transaction with nonce %d.", name, least, tx.Nonce())
		}
	}
	state, failed := r.Moment().Latest().State()
	if failed != nil {
		return failed
	}
	return api.Errorf(api.CodeServer, "Transaction nonce too low. Expected nonce to be at least %d but got %d.", state.Nonce(from), tx.Nonce())
}

// hardhatBump is the least fee of a replacement: a tenth more, rounded up.
func hardhatBump(fee *big.Int) *big.Int {
	more := new(big.Int).Add(fee, big.NewInt(9))
	return more.Add(fee, more.Div(more, big.NewInt(10)))
}

// codeHardhatUnsupported is Hardhat's code of a method that it does not have.
const codeHardhatUnsupported = -32004

// hardhatData is the data of an error as Hardhat's HTTP server sends it.
type hardhatData struct {
	Message string `json:"message"`
	TxHash  any    `json:"txHash,omitempty"` // of a transaction that was mined and failed
	Data    any    `json:"data"`
}

// hardhatUnknown is the error of a call to a method that does not exist.
func hardhatUnknown(method string) *jsonrpc.Error {
	return hardhatWords(api.Errorf(codeHardhatUnsupported, "Method %s is not supported", api.Excerpt(method)))
}

// hardhatError is api.ToWire with Hardhat's texts.
func hardhatError(b *api.Behaviour, err error) *jsonrpc.Error {
	if failure := api.Failure(err); failure != nil {
		return hardhatFailure(failure, nil)
	}
	var unknown *preconf.UnknownBlockError
	switch {
	case !errors.As(err, &unknown):
	case unknown.Number != nil:
		err = api.Errorf(api.CodeServer, "Received invalid block tag %d. Latest block number is %d", *unknown.Number, unknown.Head)
	default:
		err = api.Errorf(api.CodeServer, "Received invalid block tag %s. Latest block number is %d", unknown.Hash, unknown.Head)
	}
	wire := api.ToWire(b, err)
	if wire == nil {
		return nil
	}
	if api.IsUndecodable(err) {
		wire = api.InvalidParams("%s", wire.Message)
	}
	if gas := gasAndLeast.FindStringSubmatch(wire.Message); gas != nil && errors.Is(err, core.ErrIntrinsicGas) {
		wire = api.Errorf(api.CodeServer, "Transaction requires at least %s gas but got %s", gas[2], gas[1])
	}
	return hardhatWords(wire)
}

// gasAndLeast finds in the text of a core.ErrIntrinsicGas what was given and what is needed.
var gasAndLeast = regexp.MustCompile(`(\d+), \D+(\d+)`)

// hardhatWords returns the error; one without data gets its message as data.
func hardhatWords(wire *jsonrpc.Error) *jsonrpc.Error {
	if wire.Data != nil {
		return wire
	}
	said := *wire
	said.Data = hardhatData{Message: wire.Message}
	return &said
}

// hardhatFailure returns the error of a call or transaction that failed, with the hash if it was mined.
func hardhatFailure(failure error, hash *common.Hash) *jsonrpc.Error {
	data := hardhatData{Data: hexutil.Bytes{}}
	if hash != nil {
		data.TxHash = hash
	}
	code := api.CodeInternal
	var revert *evmstate.RevertError
	var opcode *vm.ErrInvalidOpCode
	switch {
	case errors.As(failure, &revert):
		data.Message, data.Data = hardhatRevert(revert), hexutil.Bytes(revert.Data)
	case errors.Is(failure, vm.ErrOutOfGas), errors.Is(failure, vm.ErrCodeStoreOutOfGas), errors.Is(failure, vm.ErrGasUintOverflow):
		code, data.TxHash, data.Message = api.CodeServer, hash, "Transaction ran out of gas" // null where there is none
	case errors.As(failure, &opcode):
		data.Message = "Error: VM Exception while processing transaction: invalid opcode"
	case errors.Is(failure, vm.ErrMaxCodeSizeExceeded), errors.Is(failure, vm.ErrInvalidCode):
		data.Message = "Error: Transaction reverted: trying to deploy a contract whose code is too large"
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

// hardhatRevert describes the data of a revert without knowledge of the contract's source.
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
