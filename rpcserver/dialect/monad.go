package dialect

import (
	"encoding/json"
	"errors"
	"regexp"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// monadMethods are the methods whose errors Monad's nodes say in their own words, as of monad-bft 532472d.
func monadMethods(table methodTable) methodTable {
	own := methodTable{
		"eth_call": table["eth_call"].Around(monadCall),
		"eth_getLogs": table["eth_getLogs"].Failing(func(err error) (any, error) {
			if wire, is := errors.AsType[*jsonrpc.Error](err); is && wire.Data != nil { // a range that would fit
				err = api.InvalidParams("block range too large")
			}
			return nil, err
		}),
	}
	for name, params := range map[string]int{"eth_getBalance": 2, "eth_getCode": 2, "eth_getStorageAt": 3, "eth_getTransactionCount": 2} {
		own[name] = table[name].Around(func(_ *api.Request, given [][]byte, next next) (any, error) {
			if len(given) < params {
				return nil, api.InvalidParams("Invalid params")
			}
			return next(given)
		})
	}
	for _, name := range []string{"eth_sendRawTransaction", "eth_sendRawTransactionSync", "eth_sendTransaction", "eth_sendTransactionSync"} {
		own[name] = table[name].Failing(func(err error) (any, error) {
			if api.IsUndecodable(err) && name == "eth_sendRawTransactionSync" {
				return nil, api.Errorf(api.CodeNotReady, "The transaction is not ready to be processed")
			}
			return nil, monadRefused(err)
		})
	}
	return own
}

// monadCall serves eth_call, which rejects more gas than the node's limit, and names that where a call without gas
// needs more.
func monadCall(r *api.Request, params [][]byte, next next) (any, error) {
	var call struct{ Gas *hexutil.Uint64 }
	if len(params) > 0 && json.Unmarshal(params[0], &call) == nil && call.Gas != nil && uint64(*call.Gas) > r.Network.Limits.GasCap {
		return nil, api.Errorf(api.CodeInternal, "user-specified gas exceeds provider limit")
	}
	answer, err := next(params)
	if call.Gas == nil && errors.Is(err, vm.ErrOutOfGas) {
		err = api.Errorf(api.CodeInternal, "provider-specified max eth_call gas limit exceeded")
	}
	return answer, err
}

// otherChain finds in the text of an error the chain that a transaction is for, and the node's.
var otherChain = regexp.MustCompile(`invalid chain id for signer: have (\d+) want (\d+)`)

// monadRefused returns the error of a transaction that the pool rejected, or err if it is another.
func monadRefused(err error) error {
	if ids := otherChain.FindStringSubmatch(err.Error()); ids != nil {
		return api.Errorf(api.CodeServer, "Invalid chain ID: expected %s, got %s", ids[2], ids[1])
	}
	for _, known := range monadRefusals {
		if errors.Is(err, known.err) || known.err == nil && api.IsUndecodable(err) {
			return api.Errorf(api.CodeInternal, "%s", known.text)
		}
	}
	return err
}

var monadRefusals = []struct {
	err  error
	text string
}{
	{nil, "Transaction decoding error"},
	{eth.ErrUnprotected, "Unprotected transactions (pre-EIP155) are not allowed over RPC"},
	{core.ErrNonceTooLow, "Transaction nonce too low"},
	{core.ErrFeeCapTooLow, "Transaction fee too low"},
	{core.ErrInsufficientFunds, "Signer had insufficient balance"},
	{txpool.ErrAlreadyKnown, "An existing transaction had higher priority"},
	{txpool.ErrReplaceUnderpriced, "An existing transaction had higher priority"},
	{core.ErrGasLimitTooHigh, "Exceeds transaction gas limit"},
	{txpool.ErrGasLimit, "Exceeds transaction gas limit"},
	{core.ErrIntrinsicGas, "Gas limit too low"},
	{core.ErrFloorDataGas, "Gas limit too low"},
	{vm.ErrMaxInitCodeSizeExceeded, "Init code size limit exceeded"},
	{core.ErrTxTypeNotSupported, "Unsupported transaction type"},
	{core.ErrEmptyAuthList, "EIP7702 authorization list empty"},
	{pool.ErrAuthorizations, "EIP7702 authorization list length limit exceeded"},
	{txpool.ErrInvalidSender, "Invalid transaction signature"},
}

// monadMalformed is the error of what is no request.
func monadMalformed(_ *jsonrpc.Error, calls, limit int) *jsonrpc.Error {
	switch {
	case calls == 0:
		return api.Errorf(api.CodeInternal, "empty batch request")
	case calls > 0:
		return api.Errorf(api.CodeInternal, "number of requests in batch request exceeds limit of %d", limit)
	}
	return api.Errorf(api.CodeMethodNotFound, "Parse error") // the code is theirs
}

// monadError is api.ToWire with Monad's codes.
func monadError(b *api.Behaviour, err error) *jsonrpc.Error {
	wire := api.ToWire(b, err)
	span, isSpan := errors.AsType[*filter.RangeError](err)
	switch {
	case wire == nil:
	case isSpan && span.From > span.To:
		return api.InvalidParams("invalid block range")
	case errors.As(err, new(*preconf.UnknownBlockError)):
		return api.InvalidParams("Block requested not found. Request might be querying historical state that is not available. " +
			"If possible, reformulate query to point to more recent blocks")
	case errors.Is(err, core.ErrInsufficientFunds), errors.Is(err, core.ErrInsufficientFundsForTransfer):
		return api.Errorf(codeRejected, "Insufficient funds for gas * price + value")
	case api.Failure(err) != nil && wire.Code == api.CodeServer:
		return api.Errorf(api.CodeInternal, "%s", wire.Message)
	}
	return wire
}
