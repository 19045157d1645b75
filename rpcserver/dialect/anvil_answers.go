package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/explain"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// answerAsAnvil lets methods of own answer in another form, or otherwise where there is nothing.
func answerAsAnvil(own methodTable) {
	maps.Copy(own, methodTable{
		"debug_getRawTransaction":            own["eth_getRawTransactionByHash"],
		"eth_protocolVersion":                own["eth_protocolVersion"].Answering(1),
		"eth_accounts":                       jsonrpc.Params0(anvilAccounts),
		"eth_feeHistory":                     jsonrpc.Params3(anvilFeeHistory, "block count", "newest block", "reward percentiles"),
		"erigon_getHeaderByNumber":           jsonrpc.Params1(func(r *api.Request, n api.NumberTag) (any, error) { return eth.GetBlock(r, n, false) }, "block").Around(hidePending).Mapped(withMore),
		"eth_getLogs":                        own["eth_getLogs"].Failing(inPlaceOf[*preconf.UnknownBlockError](nil, api.Errorf(api.CodeServer, "unknown block"))),
		"eth_simulateV1":                     own["eth_simulateV1"].Failing(noneFor(simulate.ErrEmptyPayload)).Mapped(rewriting(asSimulated)), // see takesObject
		"anvil_removeBlockTimestampInterval": jsonrpc.Params0(anvilRemoveInterval),
		"debug_traceTransaction":             jsonrpc.Params2(anvilTraceTransaction, "hash", "tracer").Within(explain.Begin),
		"debug_traceBlockByNumber":           own["debug_traceBlockByNumber"].Failing(noneFor(trace.ErrGenesis)),
		"debug_traceBlockByHash":             own["debug_traceBlockByHash"].Failing(noneFor(trace.ErrGenesis)),
		"eth_signTypedData": jsonrpc.Params2(func(*api.Request, common.Address, *json.RawMessage) (any, error) {
			return nil, api.Errorf(api.CodeInternal, "Not implemented")
		}, "address", "typed data"),
	})
	for name, nothing := range map[string]any{
		"trace_transaction": []any{}, "trace_block": []any{}, "trace_replayBlockTransactions": []any{}, "ots_traceTransaction": []any{},
		"ots_getTransactionError": hexutil.Bytes{},
	} {
		own[name] = own[name].Mapped(orNothing(nothing))
	}
	for name, change := range map[string]func(*api.Request, map[string]any){
		"anvil_metadata": withSnapshots, "hardhat_metadata": withSnapshots, "anvil_nodeInfo": withHardfork, "eth_getProof": withEmptyHashes,
		"ots_getBlockDetails": withBloom, "ots_getBlockDetailsByHash": withBloom, "ots_getBlockTransactions": withBloom,
		"eth_getTransactionByHash": withoutNullTime, "eth_getTransactionBySenderAndNonce": withoutNullTime,
		"ots_searchTransactionsBefore": withoutTimes, "ots_searchTransactionsAfter": withoutTimes,
		"txpool_content": withoutNullTime, "txpool_contentFrom": withoutNullTime,
	} {
		own[name] = own[name].Mapped(rewriting(change))
	}
	for name, least := range map[string]int{
		"eth_getBalance": 2, "eth_getTransactionCount": 2, "eth_getCode": 2, "eth_getAccount": 2, "eth_getAccountInfo": 2,
		"eth_getStorageAt": 3, "eth_getProof": 3,
	} {
		own[name] = own[name].Around(func(r *api.Request, params [][]byte, next next) (any, error) {
			if len(params) < least {
				return nil, api.InvalidParams("invalid length %d, expected %d parameters of %s", len(params), least, r.Method)
			}
			return next(params)
		})
	}
	for _, name := range []string{
		"eth_getTransactionByBlockNumberAndIndex", "eth_getRawTransactionByBlockNumberAndIndex", "eth_getBlockReceipts",
	} {
		own[name] = own[name].Around(hidePending)
	}
	for name, failure := range map[string]error{
		"eth_getBlockTransactionCountByNumber": nil, "eth_getUncleByBlockNumberAndIndex": nil, "eth_getUncleByBlockHashAndIndex": nil,
		"eth_getUncleCountByBlockNumber": errNotFound, "eth_getUncleCountByBlockHash": nil, "debug_traceBlockByNumber": errNotFound,
		"ots_getBlockDetails": errNotFound, "ots_getBlockDetailsByHash": nil, "ots_getBlockTransactions": errNotFound,
	} {
		own[name] = own[name].Before(func(r *api.Request, params [][]byte) ([][]byte, error) {
			return params, missing(r, params, failure)
		})
	}
	for _, name := range []string{"debug_traceBlockByNumber", "trace_block", "trace_replayBlockTransactions"} {
		own[name] = own[name].Before(latestForPending)
	}
}

// orNothing returns a function for Mapped that answers nothing in place of null.
func orNothing(nothing any) func(*api.Request, any) any {
	return func(_ *api.Request, answer any) any {
		if answer == nil {
			return nothing
		}
		return answer
	}
}

// latestForPending reads the tag pending as latest: anvil has no traces of a block that is not mined.
func latestForPending(_ *api.Request, params [][]byte) ([][]byte, error) {
	if namesPending(params) {
		params = append([][]byte{[]byte(`"latest"`)}, params[1:]...)
	}
	return params, nil
}

// anvilTraceTransaction serves debug_traceTransaction. A transaction that was not executed has the trace of one that
// did nothing, whatever the tracer.
func anvilTraceTransaction(r *api.Request, hash common.Hash, options *explain.TraceConfig) (any, error) {
	if found, err := r.Moment().Find(hash); err == nil && !found.Executed() {
		return json.RawMessage(`{"failed":false,"gas":0,"returnValue":"0x","structLogs":[]}`), nil
	}
	return explain.TraceTransaction(r, hash, options)
}

// missing returns the failure of a method whose first parameter is a block that is not there, and not pending where it
// has one of its own; nil: the error of any unknown block.
func missing(r *api.Request, params [][]byte, failure error) error {
	var block explain.PlainTag
	if len(params) == 0 || params[0][0] == '{' || block.UnmarshalJSON(params[0]) != nil && block.BlockTag.UnmarshalJSON(params[0]) != nil {
		return nil
	}
	_, err := r.View(block.BlockTag)
	if err != nil || block.Kind == api.TagPending {
		return cmp.Or(failure, err)
	}
	return nil
}

var errNotFound = api.Errorf(api.CodeNotFound, "Resource not found")

// rewriting returns a function for Mapped that changes the members of an answer that is an object, or of those in a
// list.
func rewriting(change func(*api.Request, map[string]any)) func(*api.Request, any) any {
	return func(r *api.Request, answer any) any {
		encoded, _ := jsonrpc.AppendValue(nil, answer)
		decoder := json.NewDecoder(bytes.NewReader(encoded))
		decoder.UseNumber()
		var decoded any
		_ = decoder.Decode(&decoded) // of an answer
		list, isList := decoded.([]any)
		if !isList {
			list = []any{decoded}
		}
		for _, item := range list {
			if object, ok := item.(map[string]any); ok {
				change(r, object)
			}
		}
		return decoded
	}
}

// anvilAccounts serves eth_accounts: impersonated accounts, too.
func anvilAccounts(r *api.Request) (any, error) {
	accounts := r.Network.Addresses()
	for _, account := range r.Moment().Control().Impersonated {
		if !slices.Contains(accounts, account) {
			accounts = append(accounts, account)
		}
	}
	return accounts, nil
}

// anvilFeeHistory serves eth_feeHistory: of one block at least, never of the pending one, and with the next base fee at
// the end whichever block is the newest.
func anvilFeeHistory(r *api.Request, count api.Number, newest api.NumberTag, percentiles *[]float64) (any, error) {
	if newest.Kind == api.TagPending {
		newest.Kind = api.TagLatest
	}
	answer, err := eth.FeeHistory(r, max(count, 1), newest, percentiles)
	if err != nil {
		return nil, err
	}
	return rewriting(func(r *api.Request, o map[string]any) {
		if o["reward"] == nil {
			o["reward"] = []any{}
		}
		if fees, base := o["baseFeePerGas"].([]any), api.NextBaseFee(r.Moment()); base != nil {
			fees[len(fees)-1] = (*hexutil.Big)(base)
		}
	})(r, answer), nil
}

// noneFor returns a function for Failing that answers an empty list for an error.
func noneFor(target error) func(error) (any, error) {
	return func(err error) (any, error) {
		if errors.Is(err, target) {
			return []any{}, nil
		}
		return nil, err
	}
}

// inPlaceOf returns a function for Failing that answers so in place of an error of type E.
func inPlaceOf[E error](answer any, failure error) func(error) (any, error) {
	return func(err error) (any, error) {
		if _, is := errors.AsType[E](err); is {
			return answer, failure
		}
		return nil, err
	}
}

// anvilRemoveInterval serves anvil_removeBlockTimestampInterval: whether there was one.
func anvilRemoveInterval(r *api.Request) (any, error) {
	had := r.Moment().Control().Settings.Interval != nil
	_, err := command.RemoveBlockTimestampInterval(r)
	return had, err
}

// asSimulated removes from a simulated block the members since Shanghai, and from its calls that of go-ethereum.
func asSimulated(_ *api.Request, o map[string]any) {
	for _, name := range []string{"blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot", "requestsHash", "withdrawals", "withdrawalsRoot"} {
		delete(o, name)
	}
	calls, _ := o["calls"].([]any)
	for _, call := range calls {
		delete(call.(map[string]any), "maxUsedGas")
	}
}

// withSnapshots adds the heads of snapshots, whose ids begin at 0, and the fork of a network that has none.
func withSnapshots(r *api.Request, o map[string]any) {
	fork, snapshots := o["forkedNetwork"], map[string]any{}
	for id, head := range r.Network.Timeline.Snapshots() {
		snapshots[hexutil.EncodeUint64(id-1)] = []any{head.Number(), head.Hash()}
	}
	o["forkedNetwork"], o["snapshots"] = fork, snapshots // no fork: null
}

// withHardfork gives a node's information anvil's name of the fork.
func withHardfork(_ *api.Request, o map[string]any) {
	name := o["hardFork"].(string)
	o["hardFork"] = strings.Replace(strings.ToUpper(name[:1])+name[1:], "Osaka", "Bpo1", 1)
}

// withBloom adds what Otterscan does not ask for to the block of an answer.
func withBloom(r *api.Request, o map[string]any) {
	for _, name := range []string{"block", "fullblock"} {
		block, _ := o[name].(map[string]any)
		hash, _ := block["hash"].(string)
		if v, err := r.Moment().ByHash(common.HexToHash(hash)); err == nil {
			block["logsBloom"], block["totalDifficulty"] = v.Header().Bloom, "0x0"
		}
	}
}

// withoutTimes removes the blockTimestamp of the receipts of a search.
func withoutTimes(_ *api.Request, o map[string]any) {
	receipts, _ := o["receipts"].([]any)
	for _, receipt := range receipts {
		delete(receipt.(map[string]any), "blockTimestamp")
	}
}

// withEmptyHashes gives an account that does not exist the hashes of an empty one, and the proofs of an empty storage
// the empty node.
func withEmptyHashes(_ *api.Request, o map[string]any) {
	for name, empty := range map[string]common.Hash{"codeHash": types.EmptyCodeHash, "storageHash": types.EmptyRootHash} {
		if o[name] == (common.Hash{}).Hex() {
			o[name] = empty
		}
	}
	proofs, _ := o["storageProof"].([]any)
	for _, proof := range proofs {
		if slot := proof.(map[string]any); len(slot["proof"].([]any)) == 0 {
			slot["proof"] = []string{"0x80"}
		}
	}
}

// withoutNullTime removes the blockTimestamp of transactions that wait from an object and those below it.
func withoutNullTime(_ *api.Request, o map[string]any) {
	everyObject(o, func(o map[string]any) {
		maps.DeleteFunc(o, func(name string, value any) bool { return name == "blockTimestamp" && value == nil })
	})
}

// everyObject calls change for each object in a decoded value, also below others.
func everyObject(value any, change func(map[string]any)) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			everyObject(item, change)
		}
	case map[string]any:
		change(value)
		for _, member := range value {
			everyObject(member, change)
		}
	}
}
