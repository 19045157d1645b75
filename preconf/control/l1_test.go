package control_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure what L1 brings later comes on top: the newer L1 block, and the deposits behind those before.
func TestFromL1(t *testing.T) {
	t.Parallel()
	one, two := &optimism.Deposit{Gas: 5}, &optimism.Deposit{Gas: 7}
	require.True(t, control.FromL1{}.IsEmpty())
	first := control.FromL1{}.With(control.FromL1{L1: &optimism.L1{Number: 1}, Deposits: control.Deposits{one}})
	require.False(t, first.IsEmpty())
	require.False(t, control.FromL1{L1: first.L1}.IsEmpty())
	second := first.With(control.FromL1{Deposits: control.Deposits{two}})
	require.EqualValues(t, 1, second.L1.Number)
	require.Equal(t, control.Deposits{one, two}, second.Deposits)
	require.EqualValues(t, 12, second.Deposits.Gas())
	third := second.With(control.FromL1{L1: &optimism.L1{Number: 2}})
	require.EqualValues(t, 2, third.L1.Number)
	require.Equal(t, second.Deposits, third.Deposits)
	require.Equal(t, control.Deposits{one}, first.Deposits)
	require.EqualValues(t, 1, second.L1.Number)
}

// Ensure deposits that were written and read are the same.
func TestDepositsAreKept(t *testing.T) {
	t.Parallel()
	deposits := control.Deposits{
		{SourceHash: common.Hash{1}, From: common.Address{2}, To: &common.Address{3}, Mint: big.NewInt(4), Value: big.NewInt(5), Gas: 6, Data: []byte{7}},
		{SourceHash: common.Hash{8}, Value: new(big.Int), Data: []byte{}},
	}
	text, err := json.Marshal(deposits)
	require.NoError(t, err)
	var again control.Deposits
	require.NoError(t, json.Unmarshal(text, &again))
	require.Len(t, again, 2)
	for i := range deposits {
		require.Equal(t, deposits[i].Hash(), again[i].Hash())
	}
	for _, text := range []string{`7`, `["AA=="]`} {
		require.Error(t, json.Unmarshal([]byte(text), &again), text)
	}
}
