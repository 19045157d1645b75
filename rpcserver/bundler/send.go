package bundler

import (
	"bytes"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// bundleGas is what a bundle of one operation needs beside the limits of the operation and its call data.
const bundleGas = 200_000

// SendUserOperation serves eth_sendUserOperation: the hash of an operation that would be paid for in the block being
// built. It is in the pool then, in a bundle of its own.
func SendUserOperation(r *api.Request, o Operation, entryPoint common.Address) (any, error) {
	defer r.Caller.MayTakeLong()()
	v, err := accepted(r, &o, entryPoint)
	if err != nil {
		return nil, err
	}
	if err := o.gasGiven(); err != nil {
		return nil, err
	}
	if err := o.authorized(r); err != nil {
		return nil, err
	}
	hash, err := hashOf(r.Moment(), v, &o)
	if err != nil {
		return nil, err
	}
	b := &bundle{Request: r, version: v, Operation: &o, hash: hash, from: account(r), gas: gasOf(v, &o)}
	b.data = v.handleOpsCalls(b.from, &o)
	if most := api.MostGas(r.Moment()); b.gas > most {
		return nil, api.InvalidParams("user operation: its limits add up to a bundle of %d gas, and a transaction has %d at most", b.gas, most)
	}
	if b.replaced, err = replacedBy(r, hash, &o); err != nil {
		return nil, err
	}
	if err := b.check(); err != nil {
		return nil, err
	}
	if r.Moment().Note(bookNote) == nil {
		_, err = b.post(r.Network.Timeline, nil)
	} else {
		err = r.Network.Timeline.Atomically(b.postFaulty)
	}
	if err != nil {
		return nil, api.Refused(err)
	}
	return hash, nil
}

// accepted returns the EntryPoint that an operation is for. The error says what is wrong with the request.
func accepted(r *api.Request, o *Operation, entryPoint common.Address) (version, error) {
	if err := on(r); err != nil {
		return version{}, err
	}
	v, err := versionOf(r, entryPoint)
	if err != nil {
		return version{}, err
	}
	if err := o.check(v); err != nil {
		return version{}, err
	}
	return v, r.Load(*o.Sender)
}

// gasOf returns the gas limit of a bundle of one operation. A call gets 63/64 of the gas at most (EIP-150).
func gasOf(v version, o *Operation) uint64 {
	sum := new(big.Int).Add(number(o.CallGasLimit), number(o.VerificationGasLimit))
	sum.Add(sum, number(o.PaymasterVerificationGasLimit)).Add(sum, number(o.PaymasterPostOpGasLimit))
	if v.legacy { // asks for as much again behind the verification, for the paymaster
		sum.Add(sum, number(o.VerificationGasLimit))
		if len(o.PaymasterAndData) > 0 {
			sum.Add(sum, number(o.VerificationGasLimit))
		}
	}
	sum.Mul(sum, big.NewInt(64)).Quo(sum, big.NewInt(63)).Add(sum, big.NewInt(bundleGas))
	sum.Add(sum, new(big.Int).SetUint64(callDataGas(v.handleOpsCalls(common.Address{}, o))))
	if !sum.IsUint64() {
		return 1 << 63 // refused with the limit
	}
	return sum.Uint64()
}

// callDataGas returns the most that a transaction pays for its call data (EIP-7623).
func callDataGas(data []byte) uint64 {
	return gasOfBytes(data, params.TxCostFloorPerToken, params.TxCostFloorPerToken*params.TxTokenPerNonZeroByte)
}

// gasOfBytes returns the sum of the prices of zero bytes and others.
func gasOfBytes(data []byte, zero, other uint64) uint64 {
	zeros := uint64(bytes.Count(data, []byte{0}))
	return zeros*zero + (uint64(len(data))-zeros)*other
}
