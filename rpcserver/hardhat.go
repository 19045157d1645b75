package rpcserver

import (
	"cmp"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// hardhatMethods are the methods that Hardhat's network answers otherwise, as of Hardhat 2.29.
func hardhatMethods() map[string]method {
	table := map[string]method{
		"debug_traceCall":           public(inDebugging, jsonrpc.Params3(hardhatTraceCall, "call", "block", "tracer")),
		"debug_traceTransaction":    public(inDebugging, jsonrpc.Params2(hardhatTraceTransaction, "hash", "tracer")),
		"eth_call":                  public(inContract, jsonrpc.Params4(hardhatCall, "call", "block", "state overrides", "block overrides")),
		"eth_estimateGas":           public(inFees, jsonrpc.Params4(hardhatEstimate, "call", "block", "state overrides", "block overrides")),
		"eth_sendTransaction":       public(inSending, jsonrpc.Params1(hardhatSend, "transaction")),
		"eth_sendRawTransaction":    public(inSending, jsonrpc.Params1(hardhatSendRaw, "transaction")),
		"hardhat_metadata":          control(inControlChain, jsonrpc.Params0(command.HardhatMetadata)),
		"evm_setIntervalMining":     control(inControlBlocks, jsonrpc.Params1(command.HardhatSetIntervalMining, "milliseconds").Answering(true)),
		"evm_mine":                  control(inControlBlocks, jsonrpc.Params1(command.EvmMine, "options").Answering("0")),
		"evm_increaseTime":          control(inControlTime, jsonrpc.Params1(command.HardhatIncreaseTime, "seconds")),
		"evm_setNextBlockTimestamp": control(inControlTime, jsonrpc.Params1(command.HardhatSetNextBlockTimestamp, "timestamp")),
	}
	for _, name := range hardhatConfirms {
		table[name] = methods[name].answering(true)
	}
	table["hardhat_setCode"] = control(inControlAccounts, jsonrpc.Params2(command.SetAnyCode, "address", "code").Answering(true))
	table["hardhat_setNonce"] = control(inControlAccounts, jsonrpc.Params2(command.HardhatSetNonce, "address", "nonce").Answering(true))
	return table
}

// hardhatConfirms are the methods that Hardhat answers with true where others answer null.
var hardhatConfirms = []string{
	"evm_setAutomine", "hardhat_impersonateAccount", "hardhat_mine", "hardhat_reset", "hardhat_setBalance",
	"hardhat_setCoinbase", "hardhat_setLoggingEnabled", "hardhat_setNextBlockBaseFeePerGas",
	"hardhat_setPrevRandao", "hardhat_stopImpersonatingAccount",
}

// hardhatSend serves eth_sendTransaction. Without gas a transaction has all that one may have: nothing is estimated.
func hardhatSend(r *api.Request, object api.CallObject) (any, error) {
	if object.Gas == nil {
		object.Gas = new(hexutil.Uint64(mostGas(r.Moment())))
	}
	fee := cmp.Or(object.GasPrice, object.MaxFeePerGas)
	if err := hardhatAutomines(r, object.Sender(), (*uint64)(object.Nonce), fee, object.GasPrice != nil); err != nil {
		return nil, err
	}
	hash, err := sendObject(r, &object)
	if err != nil { // the object is filled by then, unless it cannot be
		return nil, hardhatRefused(r, err, object.Sender(), func() *types.Transaction { return r.TransactionWith(&object, 0) })
	}
	return hardhatSent(r, hash)
}

// hardhatRefused is the error of a transaction that the pool did not take.
func hardhatRefused(r *api.Request, err error, from common.Address, tx func() *types.Transaction) error {
	switch {
	case errors.Is(err, preconf.ErrInsufficientFunds):
		return hardhatFunds(r, from, tx())
	case errors.Is(err, preconf.ErrExceedsBlockGas):
		return api.Errorf(api.CodeServer, "Transaction gas limit is %d and exceeds block gas limit of %d",
			tx().Gas(), r.Moment().Pending().Header().GasLimit)
	}
	return err
}

// hardhatFunds is the error of a transaction that its sender cannot pay for.
func hardhatFunds(r *api.Request, from common.Address, tx *types.Transaction) error {
	state, err := r.State(new(api.BlockTag{Kind: api.TagPending}))
	if err != nil {
		return err
	}
	return api.Errorf(api.CodeServer, "Sender doesn't have enough funds to send tx. The max upfront cost is: %s and the sender's balance is: %s.",
		tx.Cost(), state.Balance(from).Dec())
}

// hardhatSendRaw serves eth_sendRawTransaction.
func hardhatSendRaw(r *api.Request, raw hexutil.Bytes) (any, error) {
	tx := new(types.Transaction)
	if tx.UnmarshalBinary(raw) != nil {
		return send(r, raw) // which says what is wrong
	}
	from, err := types.Sender(r.Signer(), tx)
	if err != nil {
		return send(r, raw)
	}
	legacy := tx.Type() < types.DynamicFeeTxType
	if err := hardhatAutomines(r, from, new(tx.Nonce()), (*hexutil.Big)(tx.GasFeeCap()), legacy); err != nil {
		return nil, err
	}
	hash, err := send(r, raw)
	if err != nil {
		return nil, hardhatRefused(r, err, from, func() *types.Transaction { return tx })
	}
	return hardhatSent(r, hash)
}

// hardhatAutomines rejects, while each transaction is mined at once, one that would have to wait: with a nonce that is
// not next, or a fee, if there is one, below the base fee.
func hardhatAutomines(r *api.Request, from common.Address, nonce *uint64, fee *hexutil.Big, legacy bool) error {
	m := r.Moment()
	if m.Mode() != preconf.Instant {
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
