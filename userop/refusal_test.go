package userop_test

import (
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
)

// Ensure an EntryPoint that fails in a way of its own is told of as it failed, with the data that it reverted with, and
// an operation for another contract is refused.
func TestEntryPointThatFails(t *testing.T) {
	t.Parallel()
	l := newLab(t, first)
	send := func() rpc.Error {
		t.Helper()
		err := l.client.Call(nil, "eth_sendUserOperation", operation(first, nil), entrypoint.V08Address)
		require.Error(t, err)
		return err.(rpc.Error)
	}
	l.SetCode(entrypoint.V08Address, []byte{byte(vm.INVALID)})
	err := send()
	require.Equal(t, -32500, err.ErrorCode())
	require.EqualError(t, err, "the bundle of the operation fails: invalid opcode: INVALID")
	l.SetCode(entrypoint.V08Address, common.FromHex("63deadbeef5f526004601cfd"))
	err = send()
	require.Equal(t, -32500, err.ErrorCode())
	require.EqualError(t, err, "the bundle of the operation fails")
	require.Equal(t, "0xdeadbeef", err.(rpc.DataError).ErrorData())

	for _, method := range []string{"eth_sendUserOperation", "eth_estimateUserOperationGas"} {
		refused := l.client.Call(nil, method, operation(first, nil), common.Address{9})
		require.ErrorContains(t, refused, "EntryPoint "+common.Address{9}.Hex()+" is not supported, want one of ["+entrypoint.V09Address.Hex()+" ")
		require.Equal(t, -32602, refused.(rpc.Error).ErrorCode())
	}
}

// Ensure the reason with which an account or a paymaster reverts is in the error, for every EntryPoint.
func TestReasonsOfValidations(t *testing.T) {
	t.Parallel()
	// Reverts with Error("no").
	data := common.FromHex("08c379a0" + fmt.Sprintf("%064x%064x", 32, 2) + "6e6f" + fmt.Sprintf("%060x", 0))
	saying := hexutil.Encode(program.New().Mstore(append(data, make([]byte, 28)...), 0).Push(len(data)).Push0().Op(vm.REVERT).Bytes())
	l := visit(t, fakenode.RunT(t))
	for version, entryPoint := range entryPoints {
		for want, codes := range map[string][2]string{"AA23 reverted: no (look at": {saying, paying}, "AA33 reverted: no (look at": {willing, saying}} {
			l.do(nil, "anvil_setCode", tableSender, codes[0])
			l.do(nil, "anvil_setCode", tablePaymaster, codes[1])
			fields := parts{sender: tableSender, paymaster: tablePaymaster}.fields(version)
			require.ErrorContains(t, l.client.Call(nil, "eth_sendUserOperation", fields, entryPoint), want, version)
		}
	}
}

// Ensure an account that asks for the whole operation by executeUserOp gets it in an estimate, too, from 0.7 on.
func TestEstimateOfExecuteUserOp(t *testing.T) {
	t.Parallel()
	l := visit(t, fakenode.RunT(t))
	// Reverts where it gets four bytes alone, which begin what it is to execute, and answers with a word of zeros.
	l.do(nil, "anvil_setCode", tableSender, "0x3660041460095760205ff35b5f5ffd")
	for version, entryPoint := range entryPoints {
		fields := parts{sender: tableSender}.fields(version)
		fields["callData"] = hexutil.Encode(entrypoint.ExecuteUserOpSelector[:])
		err := l.client.Call(nil, "eth_estimateUserOperationGas", fields, entryPoint)
		if version == "0.6" {
			require.ErrorContains(t, err, "execution reverted")
			continue
		}
		require.NoError(t, err, version)
		fields["callData"] = "0x12345678"
		require.ErrorContains(t, l.client.Call(nil, "eth_estimateUserOperationGas", fields, entryPoint), "execution reverted", version)
	}
}
