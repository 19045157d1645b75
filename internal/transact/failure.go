package transact

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/contracts"
	"github.com/fakenode/fakenode/preconf"
)

// Failure returns nil for a transaction that succeeded, else the error that its call ends with where it stands in its
// block: an *evmstate.RevertError, or one of go-ethereum's package vm.
func Failure(found preconf.Found) error {
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
		revert.Declared = contracts.Names.Error(revert.Data)
	}
	return err
}
