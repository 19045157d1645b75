package dialect

import (
	"cmp"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// anvilSend serves eth_sendTransaction.
func anvilSend(r *api.Request, object api.CallObject) (any, error) {
	anvilGas(r, &object)
	return eth.SendObject(r, &object)
}

// anvilSendSync serves eth_sendTransactionSync.
func anvilSendSync(r *api.Request, object api.CallObject, timeout *api.Number) (any, error) {
	anvilGas(r, &object)
	return withMore(eth.SendTransactionSync(r, object, timeout))
}

// anvilSendUnsigned serves eth_sendUnsignedTransaction.
func anvilSendUnsigned(r *api.Request, object api.CallObject) (any, error) {
	anvilGas(r, &object)
	return eth.SendUnsignedTransaction(r, object)
}

// anvilSign serves eth_signTransaction, which answers the signed transaction alone.
func anvilSign(r *api.Request, object api.CallObject) (any, error) {
	anvilGas(r, &object)
	signed, err := eth.Signed(r, object)
	if err != nil {
		return nil, err
	}
	return signed.Raw, nil
}

// anvilFill serves eth_fillTransaction, whose transaction has the members of one that is in the pool.
func anvilFill(r *api.Request, object api.CallObject) (any, error) {
	anvilFees(r, &object)
	from := object.Sender()
	if err := cmp.Or(r.Load(from), r.Fill(&object)); err != nil {
		return nil, err
	}
	tx := r.Transaction(&object)
	raw, err := tx.MarshalBinary()
	if err != nil {
		return nil, api.Refused(err)
	}
	return filled{raw, tx, from}, nil
}

// filled is the answer to eth_fillTransaction.
type filled struct {
	raw  hexutil.Bytes
	tx   *types.Transaction
	from common.Address
}

func (f filled) AppendJSON(dst []byte) []byte {
	o := shape.Begin(dst)
	o.Bytes("raw", f.raw)
	o.Key("tx")
	o.Dst = shape.PooledOf(f.tx, f.from).AppendJSON(o.Dst)
	return o.End()
}

// anvilFees completes an object: the first development account where it has no sender; a fee cap where it has none, the
// base fee and the suggested tip, or its own tip where that is above both, where go-ethereum takes twice the base fee.
func anvilFees(r *api.Request, object *api.CallObject) {
	fromFirst(r, object)
	base := api.NextBaseFee(r.Moment())
	if object.GasPrice != nil || object.MaxFeePerGas != nil || base == nil {
		return
	}
	limit := new(big.Int).Add(base, r.Moment().SuggestedTip())
	if tip := object.MaxPriorityFeePerGas; tip != nil && tip.ToInt().Cmp(limit) > 0 {
		limit.Add(base, tip.ToInt())
	}
	object.MaxFeePerGas = (*hexutil.Big)(limit)
}

// anvilGas sets fees as anvilFees and a gas limit. A transaction for which no limit suffices gets the largest one: it
// is mined and fails.
func anvilGas(r *api.Request, object *api.CallObject) {
	anvilFees(r, object)
	if object.Gas != nil {
		return
	}
	with := *object
	if err := r.Fill(&with); err != nil {
		with.Gas = new(hexutil.Uint64(api.MostGas(r.Moment())))
	}
	object.Gas = with.Gas
}
