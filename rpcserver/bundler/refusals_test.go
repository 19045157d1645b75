package bundler

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/userop"
	"github.com/fakenode/fakenode/userop/erc7562"
)

// Ensure every refusal has its code, text and data on the wire, and other errors pass as they are.
func TestRefusalsOnTheWire(t *testing.T) {
	t.Parallel()
	payer := common.Address{0xaa}
	for _, test := range []struct {
		err  userop.Error
		code int
		data string
	}{
		{userop.Error{Cause: userop.Invalid}, -32602, `null`},
		{userop.Error{Cause: userop.Rejected, Data: hexutil.Bytes{1, 2}}, -32500, `"0x0102"`},
		{userop.Error{Cause: userop.ByPaymaster, Data: userop.Payer{Paymaster: &payer}}, -32501, `{"paymaster":"0xaa00000000000000000000000000000000000000"}`},
		{userop.Error{Cause: userop.BreaksRule, Data: erc7562.Violation{Rule: "OP-011", Entity: "account", Address: payer}}, -32502,
			`{"rule":"OP-011","entity":"account","address":"0xaa00000000000000000000000000000000000000"}`},
		{userop.Error{Cause: userop.NotInTime, Data: userop.TimeRange{After: 16, Until: 17}}, -32503, `{"validAfter":"0x10","validUntil":"0x11"}`},
		{userop.Error{Cause: userop.Aggregated}, -32506, `null`},
		{userop.Error{Cause: userop.BadSignature}, -32507, `null`},
		{userop.Error{Cause: userop.LowDeposit, Data: userop.Payer{}}, -32508, `{"paymaster":null}`},
		{userop.Error{Cause: userop.Failing}, -32521, `null`},
	} {
		test.err.Text = "100 % refused"
		var wire *jsonrpc.Error
		require.ErrorAs(t, toWire(fmt.Errorf("sent: %w", &test.err)), &wire)
		require.Equal(t, test.code, wire.Code)
		require.Equal(t, test.err.Text, wire.Message)
		data, err := json.Marshal(wire.Data)
		require.NoError(t, err)
		require.JSONEq(t, test.data, string(data))
	}
	other := errors.New("other")
	require.Equal(t, other, toWire(other))
	require.NoError(t, toWire(nil))
}
