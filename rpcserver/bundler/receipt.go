package bundler

import (
	"math/big"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// receiptObject is the answer to eth_getUserOperationReceipt.
type receiptObject struct {
	*included
	moment  *preconf.Moment
	profile shape.Profile
}

// GetUserOperationReceipt serves eth_getUserOperationReceipt: null until the operation is pre-confirmed.
func GetUserOperationReceipt(r *api.Request, hash common.Hash) (any, error) {
	if err := on(r); err != nil {
		return nil, err
	}
	m := r.Moment()
	in, err := lookUp(m, hash)
	if err != nil {
		return nil, err
	}
	if in == nil {
		if fault := struckOf(m, hash); fault.lies(m) {
			return fault.Receipt, nil
		}
		return nil, nil
	}
	return receiptObject{in, m, r.Network.Profile}, nil
}

// AppendJSON appends the receipt.
func (o receiptObject) AppendJSON(dst []byte) []byte {
	word := func(i int) *big.Int { return eventWord(o.event, i) }
	out := shape.Begin(dst)
	out.Bytes("userOpHash", o.event.Topics[1][:])
	out.Bytes("entryPoint", o.entryPoint[:])
	out.Bytes("sender", o.event.Topics[2][12:])
	out.Big("nonce", word(0))
	if paymaster := common.BytesToAddress(o.event.Topics[3][:]); paymaster != (common.Address{}) {
		out.Bytes("paymaster", paymaster[:])
	}
	out.Big("actualGasCost", word(2))
	out.Big("actualGasUsed", word(3))
	out.Key("success")
	out.Dst = strconv.AppendBool(out.Dst, word(1).Sign() != 0)
	own := o.logs()
	if reason := o.reason(own); len(reason) > 0 {
		out.Bytes("reason", reason)
	}
	out.Key("logs")
	out.Dst = shape.LogsOf(o.moment, own).AppendJSON(out.Dst)
	out.Key("receipt")
	out.Dst = shape.ReceiptOf(o.bundle, o.profile).AppendJSON(out.Dst)
	return out.End()
}

// logs returns those of the operation alone: between the end of the one before it and its own event.
func (o receiptObject) logs() (own []*types.Log) {
	for _, l := range o.bundle.Receipt.Logs {
		switch {
		case l.Index == o.event.Index:
			return own
		case l.Address == o.entryPoint && (l.Topics[0] == beginEvent || l.Topics[0] == operationEvent):
			own = nil
		default:
			own = append(own, l)
		}
	}
	return own
}

// reason returns the data that the account's call reverted with.
func (o receiptObject) reason(own []*types.Log) []byte {
	for _, l := range own {
		if l.Address != o.entryPoint || l.Topics[0] != reasonEvent || l.Topics[1] != o.event.Topics[1] || len(l.Data) < 96 {
			continue
		}
		n := new(big.Int).SetBytes(l.Data[64:96])
		if rest := l.Data[96:]; n.IsUint64() && n.Uint64() <= uint64(len(rest)) {
			return rest[:n.Uint64()]
		}
	}
	return nil
}
