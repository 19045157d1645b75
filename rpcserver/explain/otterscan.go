package explain

import (
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// PlainTag is a block number or tag; Otterscan writes numbers plainly.
type PlainTag struct{ api.BlockTag }

func (p *PlainTag) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		return (*api.NumberTag)(p).UnmarshalJSON(raw)
	}
	var number api.Number
	if err := number.UnmarshalJSON(raw); err != nil {
		return err
	}
	p.BlockTag = api.BlockTag{Kind: api.TagNumber, Number: uint64(number)}
	return nil
}

func (PlainTag) Wanted() string {
	return `a block number, plain or in hex, "latest", "pending", "safe", "finalized" or "earliest"`
}

func OtsHasCode(r *api.Request, account common.Address, tag *PlainTag) (any, error) {
	state, err := r.State(&cmp.Or(tag, new(PlainTag)).BlockTag)
	if err != nil {
		return nil, err
	}
	return len(state.Code(account)) > 0, nil
}

// OtsTransactionBySenderAndNonce serves ots_getTransactionBySenderAndNonce: the hash, or null.
func OtsTransactionBySenderAndNonce(r *api.Request, sender common.Address, nonce api.Number) (any, error) {
	defer r.Caller.MayTakeLong()()
	found, err := r.Moment().FindNonce(sender, uint64(nonce))
	if err != nil || !found.Executed() {
		return nil, err
	}
	return found.Transaction.Hash(), nil
}

// The types of an internalOperation.
const (
	internalTransfer = iota
	internalSelfDestruct
	internalCreate
	internalCreate2
)

// internalOperation is a transfer of ether, a creation or a self-destruction by a contract. Value is in wei.
type internalOperation struct {
	Type  int             `json:"type"`
	From  *common.Address `json:"from"`
	To    *common.Address `json:"to"`
	Value *hexutil.Big    `json:"value"`
}

func OtsInternalOperations(r *api.Request, hash common.Hash) (any, error) {
	_, _, flat, err := flatTransaction(r, hash, trace.FlatConfig{})
	if err != nil {
		return nil, err
	}
	operations := []internalOperation{}
	for frame := range effective(flat.Frames) {
		if len(frame.TraceAddress) > 0 {
			operations = appendOperation(operations, frame)
		}
	}
	return operations, nil
}

// effective iterates over the frames that did not fail, nor any frame around them.
func effective(frames []trace.Frame) iter.Seq[*trace.Frame] {
	return func(yield func(*trace.Frame) bool) {
		var failed *trace.Frame // the last outermost one: the frames within it follow it
		for i := range frames {
			frame := &frames[i]
			switch {
			case failed != nil && isWithin(frame.TraceAddress, failed.TraceAddress):
			case frame.Error != "":
				failed = frame
			case !yield(frame):
				return
			}
		}
	}
}

// isWithin reports whether the path of a frame leads through another's.
func isWithin(path, through []int) bool {
	return len(path) >= len(through) && slices.Equal(path[:len(through)], through)
}

func appendOperation(operations []internalOperation, frame *trace.Frame) []internalOperation {
	operation := internalOperation{From: frame.Sender(), To: frame.Receiver(), Value: frame.Action.Value}
	switch {
	case frame.Type == trace.FrameSelfDestruct:
		operation.Type, operation.Value = internalSelfDestruct, frame.Action.Balance
	case frame.Action.CreationMethod == "create":
		operation.Type = internalCreate
	case frame.Action.CreationMethod == "create2":
		operation.Type = internalCreate2
	case frame.Action.CallType != "call" || frame.Action.Value.ToInt().Sign() == 0:
		return operations
	}
	return append(operations, operation)
}

// OtsTransactionError serves ots_getTransactionError: the bytes that a failed transaction reverted with, else none.
func OtsTransactionError(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if err != nil || !found.Executed() {
		return nil, err
	}
	failure, err := trace.Failure(r.Ctx, found.View.Chain(), found.View, found.Index)
	if err != nil {
		return nil, traceFailure(err)
	}
	if revert, ok := errors.AsType[*evmstate.RevertError](failure); ok {
		return hexutil.Bytes(revert.Data), nil
	}
	return hexutil.Bytes{}, nil
}

// otsTrace is a frame as ots_traceTransaction reports it.
type otsTrace struct {
	Type   string          `json:"type"`
	Depth  int             `json:"depth"`
	From   *common.Address `json:"from"`
	To     *common.Address `json:"to"`
	Value  *hexutil.Big    `json:"value"` // wei; null if the frame cannot carry any
	Input  hexutil.Bytes   `json:"input"` // none of a self-destruction
	Output hexutil.Bytes   `json:"output"`
}

func OtsTraceTransaction(r *api.Request, hash common.Hash) (any, error) {
	v, _, flat, err := flatTransaction(r, hash, trace.FlatConfig{})
	if err != nil || v == nil {
		return nil, err
	}
	return api.Each(flat.Frames, otsTraceOf), nil
}

func otsTraceOf(frame trace.Frame) otsTrace {
	entry := otsTrace{
		Depth: len(frame.TraceAddress), From: frame.Sender(), To: frame.Receiver(),
		Value: frame.Action.Value, Output: frame.Output(),
	}
	if input := cmp.Or(frame.Action.Input, frame.Action.Init); input != nil {
		entry.Input = *input
	}
	switch frame.Type {
	case trace.FrameSelfDestruct:
		entry.Type, entry.Value = "SELFDESTRUCT", frame.Action.Balance
	case trace.FrameCreate:
		entry.Type = strings.ToUpper(frame.Action.CreationMethod)
	default:
		entry.Type = strings.ToUpper(frame.Action.CallType)
		if entry.Type == "STATICCALL" || entry.Type == "DELEGATECALL" {
			entry.Value = nil
		}
	}
	return entry
}

type contractCreator struct {
	Hash    common.Hash    `json:"hash"`
	Creator common.Address `json:"creator"`
}

// OtsContractCreator serves ots_getContractCreator: null for an account that no transaction created. The error is a
// *chain.PrunedError if the contract is older than the kept States.
func OtsContractCreator(r *api.Request, account common.Address) (any, error) {
	m := r.Moment()
	state, err := m.Latest().State()
	if err == nil {
		err = state.Load(account)
	}
	if err != nil || len(state.Code(account)) == 0 {
		return nil, err
	}
	v, err := m.FirstBlock(m.Latest().Number(), account, func(s *evmstate.State) bool { return len(s.Code(account)) > 0 })
	if err != nil {
		return nil, err
	}
	if number := v.Number(); number > 0 {
		before, err := m.ByNumber(number - 1)
		if err == nil {
			_, err = before.State()
		}
		if err != nil {
			return nil, err
		}
	}
	flats, err := flatBlock(r, v, trace.FlatConfig{})
	if err != nil {
		return nil, err
	}
	for _, flat := range flats {
		for frame := range effective(flat.Frames) {
			if frame.Type == trace.FrameCreate && is(frame.Receiver(), account) {
				return contractCreator{flat.TxHash, *frame.Action.From}, nil
			}
		}
	}
	return nil, nil
}

// otsBlock is a block without its bloom and with the number of its transactions.
type otsBlock map[string]json.RawMessage

// otsBlockOf returns the block without transactions; ots_getBlockTransactions adds a page of them.
func otsBlockOf(v *preconf.View) otsBlock {
	block := membersOf(shape.BlockOf(v, false))
	block["logsBloom"] = json.RawMessage("null")
	block["transactionCount"] = strconv.AppendInt(nil, int64(v.Count()), 10)
	return block
}

// membersOf returns the members of an answer that is an object.
func membersOf(object jsonrpc.Appender) (members map[string]json.RawMessage) {
	_ = json.Unmarshal(object.AppendJSON(nil), &members)
	return members
}

// otsIssuance is the ether that a block brought into being, in wei. Only blocks from before the merge, which can be
// imported, would have any; it is not counted.
type otsIssuance struct {
	BlockReward hexutil.Big `json:"blockReward"`
	UncleReward hexutil.Big `json:"uncleReward"`
	Issuance    hexutil.Big `json:"issuance"`
}

type otsDetailsObject struct {
	Block     otsBlock     `json:"block"`
	Issuance  otsIssuance  `json:"issuance"`
	TotalFees *hexutil.Big `json:"totalFees"` // wei, with the burnt fees
}

// OtsBlockDetails serves ots_getBlockDetails and ots_getBlockDetailsByHash.
func OtsBlockDetails[B api.Block](r *api.Request, block B) (any, error) {
	v, err := r.Block(block.Tag())
	if err != nil || v == nil {
		return nil, err
	}
	shown := otsBlockOf(v)
	delete(shown, "transactions")
	fees := new(big.Int)
	for _, receipt := range v.Receipts() {
		paid := new(big.Int).SetUint64(receipt.GasUsed)
		fees.Add(fees, paid.Mul(paid, receipt.EffectiveGasPrice))
	}
	return otsDetailsObject{Block: shown, TotalFees: (*hexutil.Big)(fees)}, nil
}
