package bundler

import (
	"bytes"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
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
	hash, err := hashOf(r, v, &o)
	if err != nil {
		return nil, err
	}
	from, data, gas := account(r), v.handleOpsCalls(account(r), &o), gasOf(v, &o)
	results, err := run(r, *o.Sender, nil, simulate.Call{From: &from, To: &v.address, Gas: &gas, Data: data, Authorizations: o.list()})
	if err != nil {
		return nil, err
	}
	if failure := results[0].Err; failure != nil {
		return nil, o.refusedWith(r, failure)
	}
	_, err = r.Network.Timeline.SendAs(from, nil, func(nonce uint64) (*types.Transaction, error) {
		return types.SignTx(bundle(r, v, &o, data, gas, nonce), r.Signer(), r.Network.Key(from))
	})
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

// bundle returns the transaction with an operation. Its tip is that of the operation, so that the pool orders them.
func bundle(r *api.Request, v version, o *Operation, data []byte, gas, nonce uint64) *types.Transaction {
	m := r.Moment()
	feeCap := api.SuggestedPrice(m)
	feeCap.Add(feeCap, feeCap)
	tip := number(o.MaxPriorityFeePerGas)
	if tip.Cmp(feeCap) > 0 {
		tip = feeCap
	}
	chainID := m.Chain().Config().ChainID
	if authorizations := o.list(); authorizations != nil {
		return types.NewTx(&types.SetCodeTx{
			ChainID: uint256.MustFromBig(chainID), Nonce: nonce, GasTipCap: uint256.MustFromBig(tip), GasFeeCap: uint256.MustFromBig(feeCap),
			Gas: gas + params.CallNewAccountGas, To: v.address, Data: data, AuthList: authorizations,
		})
	}
	return types.NewTx(&types.DynamicFeeTx{
		ChainID: chainID, Nonce: nonce, GasTipCap: tip, GasFeeCap: feeCap, Gas: gas, To: &v.address, Data: data,
	})
}
