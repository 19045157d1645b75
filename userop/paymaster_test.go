package userop_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/userop"
)

// Ensure the signature of each policy of the paymaster service is for the time range that its name promises, counted
// from the clock or the block that the operation comes into.
func TestTimesOfPaymasterSignatures(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_800_000_000, 0)})
	m := node.Moment()
	next := m.NextHeader().Time
	require.Greater(t, next, uint64(node.Now().Unix()))
	v, err := userop.EntryPointAt(m, entrypoint.V07Address)
	require.NoError(t, err)
	var o userop.Operation
	require.NoError(t, json.Unmarshal([]byte(`{"sender":"`+common.Address{1}.Hex()+`","nonce":"0x0","callData":"0x","callGasLimit":"0x1",
		"verificationGasLimit":"0x1","preVerificationGas":"0x1","maxFeePerGas":"0x10","maxPriorityFeePerGas":"0x1"}`), &o))
	type times struct{ until, after uint64 }
	for _, c := range []struct {
		policy userop.Paymaster
		want   times
	}{
		{userop.Paymaster{}, times{}},
		{userop.Paymaster{Signature: userop.ValidSignature, ValidFor: time.Minute}, times{until: 1_800_000_060}},
		{userop.Paymaster{Signature: userop.WrongSignature}, times{}},
		{userop.Paymaster{Signature: userop.ExpiredSignature}, times{until: next - 1}},
		{userop.Paymaster{Signature: userop.EarlySignature}, times{after: next + 3600}},
	} {
		payment, err := c.policy.Sponsor(m, &o, v, nil)
		require.NoError(t, err)
		word := func(i int) uint64 { return new(uint256.Int).SetBytes(payment.PaymasterData[32*i : 32*i+32]).Uint64() }
		require.Equal(t, c.want, times{word(0), word(1)}, c.policy.Signature)
	}
}
