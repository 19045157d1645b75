package fakenode

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
)

// RevertReason returns why a sealed or pre-confirmed transaction failed, as text: the message of a require, what a
// Panic means, an error that a contract of Config.Artifacts or one of fakenode's own declares, such as "TooMuch(have:
// 5, want: 7)", the bytes of another error in hex, or the EVM's error, such as "out of gas". It is empty for a
// transaction that succeeded. The error is a *NoReceiptError for a transaction that is in no block.
func (n *Network) RevertReason(transaction common.Hash) (string, error) {
	found, err := executed(n.Timeline().Moment(), transaction)
	if err != nil {
		return "", err
	}
	failed := failure(found)
	var revert *evmstate.RevertError
	switch {
	case failed == nil:
		return "", nil
	case !errors.As(failed, &revert):
		return failed.Error(), nil
	case revert.Reason() != "":
		return revert.Reason(), nil
	case len(revert.Data) > 0:
		return hexutil.Encode(revert.Data), nil
	}
	return "execution reverted", nil
}

// failure returns nil for a transaction that succeeded, else the error that its call ends with where it stands in its
// block: an *evmstate.RevertError, or one of go-ethereum's package vm.
func failure(found preconf.Found) error {
	if found.Receipt.Status == types.ReceiptStatusSuccessful {
		return nil
	}
	before, err := trace.ViewBefore(context.Background(), found.View.Chain(), found.View, found.Index)
	if err != nil {
		return err
	}
	tx := found.Transaction
	value, _ := uint256.FromBig(tx.Value())
	call := simulate.Call{From: &found.Sender, To: tx.To(), Gas: new(tx.Gas()), Value: value, Data: tx.Data()}
	if signed := evmstate.Signed(tx); signed != nil {
		call.Authorizations = signed.SetCodeAuthorizations()
		if list := signed.AccessList(); len(list) > 0 {
			call.AccessList = &list
		}
	}
	result, err := simulate.RunCall(context.Background(), before, call, nil, nil, simulate.Limits{GasCap: tx.Gas()})
	switch {
	case err != nil:
		return err
	case result.Err == nil:
		return fmt.Errorf("transaction %s succeeds as a call: it failed for what calls do not check", tx.Hash())
	}
	return named(result.Err)
}

// named returns an error of a call. If it reverted with an error that one of fakenode's own contracts declares, it says
// so from now on: clients of live chains are not told these names, tests are.
func named(err error) error {
	var revert *evmstate.RevertError
	if errors.As(err, &revert) && revert.Reason() == "" {
		revert.Declared = ownContracts.Error(revert.Data)
	}
	return err
}
