package command

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// depositRequest is the parameter of fakenode_deposit.
type depositRequest struct {
	api.ControlObject `wanted:"{from, to, mint, value, gas, data}"`

	From  *common.Address `json:"from"`
	To    *common.Address `json:"to"`    // absent: creates a contract
	Mint  *amount         `json:"mint"`  // wei created for from; absent: none
	Value *amount         `json:"value"` // wei; absent: 0
	Gas   *api.Number     `json:"gas"`   // limit; absent: defaultDepositGas
	Data  hexutil.Bytes   `json:"data"`
}

// defaultDepositGas is the gas limit of a deposit that names none, for up to 4,475 bytes of data.
const defaultDepositGas = 200_000

// Deposit serves fakenode_deposit: a transaction that comes from L1. It answers with the transaction's hash.
func Deposit(r *api.Request, asked depositRequest) (any, error) {
	if asked.From == nil {
		return nil, api.InvalidParams("%s: from is missing", r.Method)
	}
	d := optimism.Deposit{
		From: *asked.From, To: asked.To, Mint: asked.Mint.word().ToBig(), Value: cmp.Or(asked.Value.word().ToBig(), new(big.Int)),
		Gas: uint64(*cmp.Or(asked.Gas, new(api.Number(defaultDepositGas)))), Data: asked.Data,
	}
	hash, err := r.Network.Timeline.Deposit(d)
	return hash, rollupFailure(r, err)
}

// l1Request is the parameter of fakenode_setL1. Absent members do not change, except the number, which grows by one,
// and the timestamp, which grows by 12.
type l1Request struct {
	api.ControlObject `wanted:"{number, timestamp, baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar, operatorFeeScalar, operatorFeeConstant, daFootprintGasScalar, batcherHash}"`

	Number               *api.Number  `json:"number"`
	Timestamp            *api.Number  `json:"timestamp"`   // Unix seconds
	BaseFee              *amount      `json:"baseFee"`     // wei
	BlobBaseFee          *amount      `json:"blobBaseFee"` // wei
	BaseFeeScalar        *api.Number  `json:"baseFeeScalar"`
	BlobBaseFeeScalar    *api.Number  `json:"blobBaseFeeScalar"`
	OperatorFeeScalar    *api.Number  `json:"operatorFeeScalar"`
	OperatorFeeConstant  *api.Number  `json:"operatorFeeConstant"` // wei
	DAFootprintGasScalar *api.Number  `json:"daFootprintGasScalar"`
	BatcherHash          *common.Hash `json:"batcherHash"`
}

// l1Object is an L1 block as fakenode_setL1 answers it.
type l1Object struct {
	Number               hexutil.Uint64 `json:"number"`
	Timestamp            hexutil.Uint64 `json:"timestamp"`
	Hash                 common.Hash    `json:"hash"`
	BaseFee              *hexutil.U256  `json:"baseFee"`
	BlobBaseFee          *hexutil.U256  `json:"blobBaseFee"`
	BaseFeeScalar        hexutil.Uint64 `json:"baseFeeScalar"`
	BlobBaseFeeScalar    hexutil.Uint64 `json:"blobBaseFeeScalar"`
	OperatorFeeScalar    hexutil.Uint64 `json:"operatorFeeScalar"`
	OperatorFeeConstant  hexutil.Uint64 `json:"operatorFeeConstant"`
	DAFootprintGasScalar hexutil.Uint64 `json:"daFootprintGasScalar"`
	BatcherHash          common.Hash    `json:"batcherHash"`
}

// SetL1 serves fakenode_setL1: it changes the L1 block of the next L2 block that has not begun, and answers it whole.
func SetL1(r *api.Request, asked l1Request) (any, error) {
	l1, err := r.Network.Timeline.SetL1(asked.apply)
	if err != nil {
		return nil, rollupFailure(r, err)
	}
	return l1Object{
		Number: hexutil.Uint64(l1.Number), Timestamp: hexutil.Uint64(l1.Time), Hash: l1.Hash,
		BaseFee: (*hexutil.U256)(&l1.L1BaseFee), BlobBaseFee: (*hexutil.U256)(&l1.BlobBaseFee),
		BaseFeeScalar: hexutil.Uint64(l1.BaseFeeScalar), BlobBaseFeeScalar: hexutil.Uint64(l1.BlobBaseFeeScalar),
		OperatorFeeScalar: hexutil.Uint64(l1.OperatorFeeScalar), OperatorFeeConstant: hexutil.Uint64(l1.OperatorFeeConstant),
		DAFootprintGasScalar: hexutil.Uint64(l1.FootprintScalar()), BatcherHash: l1.BatcherHash,
	}, nil
}

// maxL1Fee bounds the fees of L1 in bits: far more than anybody can pay, and low enough that no product overflows.
const maxL1Fee = 128

// apply sets the requested fields of l1. The error names a field that is out of range.
func (q *l1Request) apply(l1 *optimism.L1) error {
	for _, field := range []struct {
		name  string
		asked *amount
		into  *uint256.Int
	}{
		{"baseFee", q.BaseFee, &l1.L1BaseFee},
		{"blobBaseFee", q.BlobBaseFee, &l1.BlobBaseFee},
	} {
		if field.asked == nil {
			continue
		}
		if field.asked.BitLen() > maxL1Fee {
			return fmt.Errorf("%s %s is not below 2^%d", field.name, field.asked.Dec(), maxL1Fee)
		}
		field.into.Set(&field.asked.Int)
	}
	if q.BatcherHash != nil {
		l1.BatcherHash = *q.BatcherHash
	}
	return errors.Join(
		setNumber("number", q.Number, &l1.Number),
		setNumber("timestamp", q.Timestamp, &l1.Time),
		setNumber("baseFeeScalar", q.BaseFeeScalar, &l1.BaseFeeScalar),
		setNumber("blobBaseFeeScalar", q.BlobBaseFeeScalar, &l1.BlobBaseFeeScalar),
		setNumber("operatorFeeScalar", q.OperatorFeeScalar, &l1.OperatorFeeScalar),
		setNumber("operatorFeeConstant", q.OperatorFeeConstant, &l1.OperatorFeeConstant),
		setNumber("daFootprintGasScalar", q.DAFootprintGasScalar, &l1.DAFootprintGasScalar),
	)
}

// setNumber sets a field of the L1 if it was requested. The error reports that the number does not fit.
func setNumber[T uint16 | uint32 | uint64](name string, asked *api.Number, into *T) error {
	if asked == nil {
		return nil
	}
	if uint64(*asked) > uint64(^T(0)) {
		return fmt.Errorf("%s %d is above %d", name, uint64(*asked), uint64(^T(0)))
	}
	*into = T(*asked)
	return nil
}

// rollupFailure returns the error of a method that only an OP-stack chain serves. Nil stays nil.
func rollupFailure(r *api.Request, err error) error {
	if errors.Is(err, preconf.ErrNoRollup) {
		return api.Errorf(api.CodeServer, "%s: %s", r.Method, err)
	}
	return r.BadInput(err)
}
