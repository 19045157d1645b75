package dialect

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"regexp"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/explain"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// hardhatMethods are the methods that Hardhat's network answers differently, as of Hardhat 2.29.
func hardhatMethods(table methodTable) methodTable {
	own := maps.Clone(table)
	maps.Copy(own, jsonrpc.Aliases(methodTable{
		"debug_traceCall":                        jsonrpc.Params3(hardhatTraceCall, "call", "block", "tracer").Within(explain.Begin),
		"debug_traceTransaction":                 jsonrpc.Params2(hardhatTraceTransaction, "hash", "tracer").Within(explain.Begin),
		"eth_call":                               jsonrpc.Params4(hardhatExecuting(eth.Execution.Answer), "call", "block", "state overrides", "block overrides"),
		"eth_estimateGas":                        jsonrpc.Params4(estimating(hardhatExecuting(hardhatEstimate)), "call", "block", "state overrides", "block overrides"),
		"eth_getBlockByHash":                     table["eth_getBlockByHash"].Mapped(withMore),
		"eth_getBlockByNumber":                   table["eth_getBlockByNumber"].Mapped(withMore),
		"eth_getFilterChanges":                   jsonrpc.Params1(withAnyID(eth.GetFilterChanges), "filter id").Failing(inPlaceOf[*filter.UnknownError](nil, nil)),
		"eth_getFilterLogs":                      jsonrpc.Params1(withAnyID(eth.GetFilterLogs), "filter id").Failing(inPlaceOf[*filter.UnknownError](nil, nil)),
		"eth_getLogs":                            table["eth_getLogs"].Failing(inPlaceOf[*preconf.UnknownBlockError](nil, api.InvalidParams("blockHash cannot be found"))),
		"eth_newFilter":                          table["eth_newFilter"].Failing(inPlaceOf[*preconf.UnknownBlockError](nil, api.InvalidParams("blockHash cannot be found"))),
		"eth_uninstallFilter":                    jsonrpc.Params1(withAnyID(eth.UninstallFilter), "filter id"),
		"eth_getTransactionCount":                jsonrpc.Params2(eth.Nonce, "address", "block"),
		"eth_mining":                             table["eth_mining"].Answering(false),
		"eth_sendTransaction":                    jsonrpc.Params1(hardhatSend, "transaction"),
		"eth_sendRawTransaction":                 jsonrpc.Params1(hardhatSendRaw, "transaction"),
		"hardhat_setCode":                        jsonrpc.Params2(command.HardhatSetCode, "address", "code").Answering(true),
		"hardhat_setNonce":                       jsonrpc.Params2(command.HardhatSetNonce, "address", "nonce").Answering(true),
		"hardhat_setMinGasPrice":                 table["hardhat_setMinGasPrice"].Failing(inPlaceOf[*jsonrpc.Error](nil, api.Errorf(api.CodeServer, "hardhat_setMinGasPrice is not supported when EIP-1559 is active"))),
		"hardhat_stopImpersonatingAccount":       jsonrpc.Params1(command.HardhatStopImpersonating, "address"),
		"eth_signTypedData eth_signTypedData_v4": signTypedData,

		"hardhat_metadata":          jsonrpc.Params0(command.HardhatMetadata),
		"evm_setIntervalMining":     jsonrpc.Params1(command.HardhatSetIntervalMining, "milliseconds").Answering(true),
		"evm_mine":                  jsonrpc.Params1(command.EvmMine, "options").Answering("0"),
		"evm_increaseTime":          jsonrpc.Params1(command.HardhatIncreaseTime, "seconds"),
		"evm_setNextBlockTimestamp": jsonrpc.Params1(command.HardhatSetNextBlockTimestamp, "timestamp"),
	}))
	for _, name := range hardhatConfirms {
		own[name] = table[name].Answering(true)
	}
	own["hardhat_setBalance"] = own["hardhat_setBalance"].Mapped(hardhatPruned)
	own["evm_setBlockGasLimit"] = table["evm_setBlockGasLimit"].Mapped(hardhatPruned)
	for _, name := range []string{
		"eth_getBlockByHash", "eth_getBlockByNumber", "eth_getFilterChanges", "eth_getFilterLogs", "eth_getLogs",
		"eth_getTransactionByBlockHashAndIndex", "eth_getTransactionByBlockNumberAndIndex", "eth_getTransactionByHash",
		"eth_getTransactionReceipt", "eth_pendingTransactions", "eth_feeHistory",
	} {
		own[name] = own[name].Mapped(rewriting(hardhatMembers))
	}
	for name, method := range own {
		own[name] = method.Around(hardhatUnread)
	}
	return own
}

// hardhatMembers removes from an object, and those below it, what Hardhat does not have.
func hardhatMembers(_ *api.Request, o map[string]any) {
	pending := o["transactions"] != nil && o["size"] == nil
	if pending {
		o["number"], o["nonce"] = nil, nil
	}
	everyObject(o, func(o map[string]any) {
		for _, name := range []string{"blockTimestamp", "baseFeePerBlobGas", "blobGasUsedRatio"} {
			delete(o, name)
		}
		if o["v"] != nil {
			delete(o, "yParity")
			if o["type"] == "0x0" {
				delete(o, "chainId")
			}
			if pending {
				o["blockHash"], o["blockNumber"], o["transactionIndex"] = nil, nil, nil
			}
		}
	})
}

// unread finds the errors of parameters that cannot be read, and unknownTag those of a block that is neither a tag nor
// a number, which is taken for a method.
var (
	unread     = regexp.MustCompile(`^(missing|invalid|too many) argument`)
	unknownTag = regexp.MustCompile(`^invalid argument [12] \(.*block\) of \w+: have "([^0]|0[^x])`)
)

// hardhatUnread gives the error of a parameter that cannot be read the call as its data.
func hardhatUnread(r *api.Request, params [][]byte, next next) (any, error) {
	answer, err := next(params)
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || wire.Data != nil || !unread.MatchString(wire.Message) {
		return answer, err
	}
	if unknownTag.MatchString(wire.Message) {
		wire = api.Errorf(codeHardhatUnsupported, "Method %s is not supported", r.Method)
	}
	call := map[string]any{"method": r.Method, "params": api.Each(params, func(p []byte) json.RawMessage { return p })}
	return nil, &jsonrpc.Error{Code: wire.Code, Message: wire.Message, Data: hardhatData{Message: wire.Message, Data: call}}
}

// hardhatPruned drops what waits and cannot be paid any more, or does not fit in a block, after a command.
func hardhatPruned(r *api.Request, answer any) any {
	m := r.Network.Timeline.Moment()
	state, err := m.Latest().State()
	for _, e := range m.Pool() {
		poor := err == nil && r.Load(e.From) == nil && e.Cost().Cmp(state.Balance(e.From).ToBig()) > 0
		if poor || e.Tx.Gas() > m.NextHeader().GasLimit {
			r.Network.Timeline.DropTransaction(e.Tx.Hash())
		}
	}
	return answer
}

// hardhatConfirms are the methods that Hardhat answers with true and others with null.
var hardhatConfirms = []string{
	"evm_setAutomine", "hardhat_impersonateAccount", "hardhat_mine", "hardhat_reset", "hardhat_setBalance", "hardhat_setCoinbase",
	"hardhat_setLoggingEnabled", "hardhat_setNextBlockBaseFeePerGas", "hardhat_setPrevRandao",
}

// hardhatSend serves eth_sendTransaction. A transaction without a gas limit gets the largest one: nothing is estimated.
func hardhatSend(r *api.Request, object api.CallObject) (any, error) {
	if id := r.Signer().ChainID(); object.ChainID != nil && object.ChainID.ToInt().Cmp(id) != 0 {
		return nil, api.InvalidParams("Invalid chainId %s provided, expected %s instead.", object.ChainID.ToInt(), id)
	}
	if err := hardhatComplete(r, &object); err != nil {
		return nil, err
	}
	fromFirst(r, &object)
	fee := cmp.Or(object.GasPrice, object.MaxFeePerGas)
	if err := hardhatAutomines(r, object.Sender(), (*uint64)(object.Nonce), fee, object.GasPrice != nil); err != nil {
		return nil, err
	}
	hash, err := eth.SendObject(r, &object)
	if err != nil { // the object is filled by then, unless it cannot be
		return nil, hardhatRefused(r, err, object.Sender(), func() *types.Transaction {
			return r.TransactionWith(&object, uint64(*cmp.Or(object.Nonce, new(hexutil.Uint64))))
		})
	}
	return hardhatSent(r, hash)
}

func hardhatSendRaw(r *api.Request, raw hexutil.Bytes) (any, error) {
	tx := new(types.Transaction)
	if tx.UnmarshalBinary(raw) != nil {
		return eth.Send(r, raw) // Send returns the reason
	}
	from, err := types.Sender(r.Signer(), tx)
	switch {
	case errors.Is(err, types.ErrInvalidChainId) && tx.Type() == types.LegacyTxType:
		return nil, api.InvalidParams("Trying to send an incompatible EIP-155 transaction, signed for another chain.")
	case errors.Is(err, types.ErrInvalidChainId):
		return nil, api.InvalidParams("Trying to send a raw transaction with an invalid chainId. The expected chainId is %s", r.Signer().ChainID())
	case err != nil:
		_, err := eth.Send(r, raw)
		return nil, api.InvalidParams("%s", err)
	}
	if err := hardhatTip(tx.GasTipCap(), tx.GasFeeCap()); err != nil {
		return nil, err
	}
	legacy := tx.Type() < types.DynamicFeeTxType
	if err := hardhatAutomines(r, from, new(tx.Nonce()), (*hexutil.Big)(tx.GasFeeCap()), legacy); err != nil {
		return nil, err
	}
	hash, err := eth.Send(r, raw)
	if err != nil {
		return nil, hardhatRefused(r, err, from, func() *types.Transaction { return tx })
	}
	return hardhatSent(r, hash)
}

// hardhatAutomines rejects, while each transaction is mined at once, a transaction that would have to wait: with a
// nonce that is not next, or a fee, if there is one, below the base fee.
func hardhatAutomines(r *api.Request, from common.Address, nonce *uint64, fee *hexutil.Big, legacy bool) error {
	m := r.Moment()
	if m.Mode() != control.Instant {
		return nil
	}
	if nonce != nil {
		if err := r.Load(from); err != nil {
			return err
		}
		const queued = "Nonce too %s. Expected nonce to be %d but got %d. Note that transactions can't be queued when automining."
		switch next := m.PoolNonce(from); {
		case *nonce > next:
			return api.Errorf(api.CodeServer, queued, "high", next, *nonce)
		case *nonce < next:
			return api.Errorf(api.CodeServer, queued, "low", next, *nonce)
		}
	}
	base := api.NextBaseFee(m)
	if fee == nil || base == nil || fee.ToInt().Cmp(base) >= 0 {
		return nil
	}
	name := "maxFeePerGas"
	if legacy {
		name = "gasPrice"
	}
	return api.Errorf(api.CodeServer, "Transaction %s (%s) is too low for the next block, which has a baseFeePerGas of %s", name, fee.ToInt(), base)
}

// hardhatSent answers a send: with the hash, or with the failure of a transaction that was mined at once.
func hardhatSent(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if err != nil {
		return nil, err
	}
	if found.Where != preconf.Sealed || found.Receipt.Status == types.ReceiptStatusSuccessful {
		return hash, nil
	}
	failure, err := trace.Failure(r.Ctx, found.View.Chain(), found.View, found.Index)
	if err != nil {
		return nil, api.Refused(err)
	}
	return nil, hardhatFailure(failure, &hash)
}

// hardhatExecuting returns a method that executes a call.
func hardhatExecuting(run func(eth.Execution) (any, error)) eth.Executor {
	return func(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
		if err := hardhatCheck(r, &object); err != nil {
			return nil, err
		}
		hardhatFill(r, &object)
		return eth.Executing(run)(r, object, tag, state, block)
	}
}

// hardhatFill gives a call a sender, and one that has a tip alone a fee cap. Which chain it is for does not count.
func hardhatFill(r *api.Request, object *api.CallObject) {
	fromFirst(r, object)
	object.ChainID = nil
	if object.GasPrice == nil && object.MaxFeePerGas == nil {
		object.MaxFeePerGas = object.MaxPriorityFeePerGas
	}
}

// hardhatCheck rejects a creation without code, fees of two kinds or a later hard fork, and a tip above the fee cap.
func hardhatCheck(r *api.Request, object *api.CallObject) error {
	const both = "Cannot send both gasPrice and "
	switch {
	case object.To == nil && len(object.Call().Data) == 0:
		return api.Errorf(api.CodeServer, "Contract creation without any data provided")
	case object.MaxFeePerGas == nil && object.MaxPriorityFeePerGas == nil:
		return nil
	case !nextRules(r.Moment()).IsLondon:
		return api.InvalidParams("EIP-1559 style fee params (maxFeePerGas or maxPriorityFeePerGas) received but they are not supported by the current hardfork.")
	case object.GasPrice != nil && object.MaxFeePerGas != nil:
		return api.Errorf(api.CodeServer, both+"maxFeePerGas params")
	case object.GasPrice != nil:
		return api.Errorf(api.CodeServer, both+"maxPriorityFeePerGas")
	}
	if object.MaxPriorityFeePerGas == nil || object.MaxFeePerGas == nil {
		return nil
	}
	return hardhatTip(object.MaxPriorityFeePerGas.ToInt(), object.MaxFeePerGas.ToInt())
}

// hardhatTip returns the error of a tip above the fee cap.
func hardhatTip(tip, feeCap *big.Int) error {
	if tip.Cmp(feeCap) <= 0 {
		return nil
	}
	return api.Errorf(api.CodeServer, "maxPriorityFeePerGas (%s) is bigger than maxFeePerGas (%s)", tip, feeCap)
}

// hardhatComplete gives a transaction or a traced call without a gas limit the largest one, see also hardhatCheck.
func hardhatComplete(r *api.Request, object *api.CallObject) error {
	if object.Gas == nil {
		object.Gas = new(hexutil.Uint64(mostGas(r.Moment())))
	}
	return hardhatCheck(r, object)
}

// hardhatEstimate returns the gas that the call used with the largest gas limit, if that suffices, and else a limit
// that does, above the smallest one by at most hardhatTolerance.
func hardhatEstimate(e eth.Execution) (any, error) {
	run := func(gas uint64) (*simulate.CallResult, error) {
		e.Call.Gas = &gas
		return e.Run()
	}
	high := mostGas(e.Request.Moment())
	if e.Call.Gas != nil {
		high = min(high, *e.Call.Gas)
	}
	result, err := run(high)
	if err != nil {
		return nil, api.Refused(err)
	}
	if result.Err != nil {
		e.Explain(result.Err)
		return nil, api.Failed(result.Err)
	}
	least, err := e.Call.IntrinsicGas(nextRules(e.Request.Moment()))
	if err != nil {
		return nil, api.Refused(err)
	}
	used := max(result.GasUsed, least+1)
	if result, err = run(used); err == nil && result.Err == nil {
		return hexutil.Uint64(used), nil
	}
	low := used
	for low+hardhatTolerance(low) < high {
		middle := min(low+(high-low)/2, 3*low)
		if result, err = run(middle); err != nil {
			return nil, api.Refused(err)
		}
		if result.Err == nil {
			high = middle
		} else {
			low = middle
		}
	}
	return hexutil.Uint64(high), nil
}

// hardhatTolerance returns the most gas by which an estimate may exceed low, the highest limit known not to suffice.
func hardhatTolerance(low uint64) uint64 {
	for _, step := range []struct{ from, tolerance uint64 }{
		{4_000_000, 50_000}, {1_000_000, 10_000}, {100_000, 1_000}, {50_000, 500}, {30_000, 300},
	} {
		if low >= step.from {
			return step.tolerance
		}
	}
	return 200
}

// mostGas returns the gas of a transaction of the next block that has none: as much as a block of the beginning had,
// and from Osaka on the most that the EIP allows.
func mostGas(m *preconf.Moment) uint64 {
	most := m.Chain().BlockByNumber(m.Chain().Base()).Header().GasLimit
	if nextRules(m).IsOsaka {
		return min(most, params.MaxTxGas)
	}
	return most
}

// nextRules returns the rules of the next block.
func nextRules(m *preconf.Moment) params.Rules {
	next := m.Pending().Header()
	return m.Chain().Config().Rules(next.Number, true, next.Time)
}

// fromFirst gives a call without a sender the first development account.
func fromFirst(r *api.Request, object *api.CallObject) {
	if accounts := r.Network.Addresses(); object.From == nil && len(accounts) > 0 {
		object.From = &accounts[0]
	}
}

// estimating returns a method that estimates at pending where no block is given, as development nodes do.
func estimating(run eth.Executor) eth.Executor {
	return func(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
		if tag == nil {
			tag = &api.BlockTag{Kind: api.TagPending}
		}
		return run(r, object, tag, state, block)
	}
}
