package bundler

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/userop"
)

// operationObject is the answer to eth_getUserOperationByHash. Of an operation in the pool the block is null.
type operationObject struct {
	UserOperation   *userop.Operation `json:"userOperation"`
	EntryPoint      common.Address    `json:"entryPoint"`
	BlockNumber     *hexutil.Uint64   `json:"blockNumber"`
	BlockHash       *common.Hash      `json:"blockHash"`
	TransactionHash common.Hash       `json:"transactionHash"`
}

// objectOf returns the answer of eth_getUserOperationByHash for an operation in a block.
func objectOf(in *userop.Included) operationObject {
	number := hexutil.Uint64(in.Event.BlockNumber)
	return operationObject{in.Operation, in.EntryPoint, &number, &in.Event.BlockHash, in.Event.TxHash}
}

// GetUserOperationByHash serves eth_getUserOperationByHash: null for an unknown operation, or one whose bundle calls
// handleOps from a contract.
func GetUserOperationByHash(r *api.Request, hash common.Hash) (any, error) {
	m := r.Moment()
	in, err := userop.LookUp(m, hash)
	if err != nil {
		return nil, err
	}
	if in != nil && in.Operation != nil {
		return objectOf(in), nil
	}
	if told, _ := userop.Told(m, hash); told != nil {
		return told, nil
	}
	if o := userop.WaitingAs(m, hash); o != nil {
		return operationObject{UserOperation: o.Operation, EntryPoint: o.EntryPoint.Address, TransactionHash: o.Shown(m, hash)}, nil
	}
	return nil, nil
}

type receiptObject struct {
	*userop.Included
	moment  *preconf.Moment
	members shape.ReceiptMembers
}

// GetUserOperationReceipt serves eth_getUserOperationReceipt: null until the operation is pre-confirmed.
func GetUserOperationReceipt(r *api.Request, hash common.Hash) (any, error) {
	m := r.Moment()
	in, err := userop.LookUp(m, hash)
	if err != nil {
		return nil, err
	}
	if in != nil {
		return receiptObject{in, m, r.Network.Receipts}, nil
	}
	if _, told := userop.Told(m, hash); told != nil {
		return told, nil
	}
	return nil, nil
}

// AppendJSON appends the receipt.
func (o receiptObject) AppendJSON(dst []byte) []byte {
	sender, paymaster := o.Sender(), o.Paymaster()
	out := shape.Begin(dst)
	out.Bytes("userOpHash", o.Event.Topics[1][:])
	out.Bytes("entryPoint", o.EntryPoint[:])
	out.Bytes("sender", sender[:])
	out.Big("nonce", o.Nonce())
	if paymaster != (common.Address{}) {
		out.Bytes("paymaster", paymaster[:])
	}
	out.Big("actualGasCost", o.Cost())
	out.Big("actualGasUsed", o.Gas())
	out.Add("success", o.Succeeded())
	own := o.Logs()
	if reason := o.Reason(own); len(reason) > 0 {
		out.Bytes("reason", reason)
	}
	out.Add("logs", shape.LogsOf(o.moment, own))
	out.Add("receipt", shape.ReceiptOf(o.Bundle, o.members))
	return out.End()
}

type statusObject struct {
	Status          string       `json:"status"`
	TransactionHash *common.Hash `json:"transactionHash"` // of the bundle, or null
}

// statuses are alto's words for the places of an operation: one in the pool is in its bundle already.
var statuses = map[preconf.Where]string{
	preconf.Unknown: "not_found", preconf.Pooled: "submitted", preconf.Preconfirmed: "included", preconf.Sealed: "included",
	preconf.Orphaned: "not_found", preconf.Dropped: "rejected",
}

// GetUserOperationStatus serves pimlico_getUserOperationStatus, as alto.
func GetUserOperationStatus(r *api.Request, hash common.Hash) (any, error) {
	p := userop.PlaceOf(r.Moment(), hash)
	if p.Where == preconf.Unknown && p.Reason != nil {
		return nil, p.Reason
	}
	object := statusObject{Status: statuses[p.Where]}
	if p.Bundle != (common.Hash{}) && object.Status != "not_found" {
		object.TransactionHash = &p.Bundle
	}
	return object, nil
}

// GetUserOperationGasPrice serves pimlico_getUserOperationGasPrice: the fees that the node proposes for a transaction,
// at every speed, because nobody competes for a place in its blocks.
func GetUserOperationGasPrice(r *api.Request) (any, error) {
	limit := api.SuggestedPrice(r.Moment())
	if base := api.NextBaseFee(r.Moment()); base != nil {
		limit.Add(limit, base)
	}
	price := map[string]*hexutil.Big{"maxFeePerGas": (*hexutil.Big)(limit), "maxPriorityFeePerGas": (*hexutil.Big)(r.Moment().SuggestedTip())}
	return map[string]map[string]*hexutil.Big{"slow": price, "standard": price, "fast": price}, nil
}

type placeObject struct {
	api.Place                        // of the bundle, or of an operation that a fault dropped
	TransactionHash *common.Hash     `json:"transactionHash,omitempty"` // of the bundle
	Fault           userop.FaultKind `json:"fault,omitempty"`
}

func OperationPlace(r *api.Request, hash common.Hash) (any, error) {
	p := userop.PlaceOf(r.Moment(), hash)
	object := placeObject{Place: api.PlaceOf(preconf.Found{Where: p.Where, Reason: p.Reason, View: p.View}), Fault: p.Fault}
	if p.Bundle != (common.Hash{}) {
		object.TransactionHash = &p.Bundle
	}
	return object, nil
}
