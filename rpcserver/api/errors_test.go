package api

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// spec and geth are the profiles as far as errors go.
var spec, geth = new(Behaviour), &Behaviour{Forms: Forms{Profile: "geth", RevertReason: true, HeaderNotFound: true, FewCodes: true}}

// Ensure each error has its code and text in either profile, and one that nobody expects none.
func TestErrorsOnTheWire(t *testing.T) {
	t.Parallel()
	r := &Request{Method: "eth_test"}
	number, hash := uint64(9), common.Hash{31: 1}
	unknown, orphan := &preconf.UnknownBlockError{Number: &number, Head: 7}, &preconf.UnknownBlockError{Hash: &hash, Head: 7}
	plain := errors.New("plain")
	for _, c := range []struct {
		err             error
		spec, geth      int
		specText, words string // words: of the geth profile, where they differ
	}{
		{Errorf(7, "%d apples", 3), 7, 7, "3 apples", ""},
		{fmt.Errorf("of: %w", InvalidParams("bad %s", "pear")), -32602, -32602, "bad pear", ""},
		{&control.BudgetError{}, -32000, -32000, (&control.BudgetError{}).Error(), ""},
		{&remote.Error{}, -32000, -32000, (&remote.Error{}).Error(), ""},
		{r.BadInput(plain), -32602, -32602, "eth_test: plain", ""},
		{r.BadInput(unknown), -32001, -32000, "eth_test: " + unknown.Error(), "header not found"},
		{unknown, -32001, -32000, unknown.Error(), "header not found"},
		{orphan, -32001, -32000, orphan.Error(), "header for hash not found"},
		{Undecodable("no %s", "RLP"), -32602, -32000, "no RLP", ""},
		{&filter.RangeError{From: 3, To: 2}, -32602, -32602, (&filter.RangeError{From: 3, To: 2}).Error(), ""},
		{&chain.PrunedError{}, -32000, -32000, (&chain.PrunedError{}).Error(), ""},
		{chain.ErrNoProof, -32000, -32000, chain.ErrNoProof.Error(), ""},
		{Refused(trace.ErrTimeout), -32002, -32000, trace.ErrTimeout.Error(), ""},
		{Refused(&simulate.TimeoutError{}), -32002, -32000, (&simulate.TimeoutError{}).Error(), ""},
		{Refused(plain), -32000, -32000, "plain", ""},
		{Failed(plain), -32000, -32000, "plain", ""},
		{RefusedSimulation(plain), -32000, -32000, "plain", ""},
		{RefusedSimulation(simulate.ErrEmptyPayload), -32602, -32602, simulate.ErrEmptyPayload.Error(), ""},
		{RefusedSimulation(simulate.ErrDifficulty), -32602, -32602, simulate.ErrDifficulty.Error(), ""},
		{RefusedSimulation(simulate.ErrTooManyBlocks), -38026, -38026, simulate.ErrTooManyBlocks.Error(), ""},
		{RefusedSimulation(simulate.ErrTooManyCalls), -38026, -38026, simulate.ErrTooManyCalls.Error(), ""},
		{RefusedSimulation(simulate.ErrBlockNumberOrder), -38020, -38020, simulate.ErrBlockNumberOrder.Error(), ""},
		{RefusedSimulation(simulate.ErrBlockTimeOrder), -38021, -38021, simulate.ErrBlockTimeOrder.Error(), ""},
		{RefusedSimulation(simulate.ErrBlockGasLimit), -38015, -38015, simulate.ErrBlockGasLimit.Error(), ""},
		{RefusedSimulation(simulate.ErrMoveToSelf), -38022, -32000, simulate.ErrMoveToSelf.Error(), ""},
		{RefusedSimulation(simulate.ErrMoveTarget), -38023, -32000, simulate.ErrMoveTarget.Error(), ""},
		{RefusedSimulation(simulate.ErrStateAndDiff), -32602, -32000, simulate.ErrStateAndDiff.Error(), ""},
	} {
		for profile, want := range map[*Behaviour]int{spec: c.spec, geth: c.geth} {
			is := ToWire(profile, c.err)
			require.NotNil(t, is, "%T %v", c.err, c.err)
			require.Equal(t, want, is.Code, "%v, %s", c.err, profile.ProfileName())
			text := c.specText
			if profile == geth && c.words != "" {
				text = c.words
			}
			require.Equal(t, text, is.Message)
		}
	}
	for _, none := range []error{plain, context.Canceled, fmt.Errorf("of: %w", context.Canceled), Refused(context.Canceled)} {
		require.Nil(t, ToWire(spec, none), "%v", none)
	}
	revert := Failed(&evmstate.RevertError{Data: []byte{1, 2, 3, 4}})
	require.Equal(t, &jsonrpc.Error{Code: -32000, Message: "execution reverted", Data: hexutil.Bytes{1, 2, 3, 4}}, ToWire(spec, revert))
	require.Equal(t, &jsonrpc.Error{Code: 3, Message: "execution reverted", Data: hexutil.Bytes{1, 2, 3, 4}}, ToWire(geth, revert))
	require.Equal(t, hexutil.Bytes(nil), ToWire(spec, Failed(&evmstate.RevertError{})).Data, "0x, which clients look for")
}

// Ensure a call of a simulation that no block could include has the code of execution-apis.
func TestCodesOfInvalidCalls(t *testing.T) {
	t.Parallel()
	for err, code := range map[error]int{
		core.ErrNonceTooLow: -38010, core.ErrNonceTooHigh: -38011, core.ErrFeeCapTooLow: -38012, core.ErrIntrinsicGas: -38013, core.ErrFloorDataGas: -38013,
		core.ErrInsufficientFunds: -38014, core.ErrInsufficientFundsForTransfer: -38014, vm.ErrMaxInitCodeSizeExceeded: -38025,
		core.ErrFeeCapVeryHigh: -32602, core.ErrTipVeryHigh: -32602, core.ErrTipAboveFeeCap: -32602, errors.New("else"): -32603,
	} {
		invalid := &simulate.InvalidCallError{Err: err}
		require.Equal(t, code, ToWire(spec, RefusedSimulation(invalid)).Code, "%v", err)
		require.Equal(t, code, ToWire(geth, RefusedSimulation(invalid)).Code, "%v", err)
	}
}
