package preconf_test

import (
	"bytes"
	"math"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure what is set of L1 is in the next block, unless that is announced already, and then in the one after it.
func TestSetL1(t *testing.T) {
	t.Parallel()
	timeline := newJovian(t, preconf.Config{})
	origin := func() optimism.L1 {
		latest := timeline.Moment().Latest()
		return latest.Chain().L1(latest.Block())
	}
	first := origin()
	fee := func(wei uint64) optimism.L1 {
		t.Helper()
		set, err := timeline.SetL1(func(l1 *optimism.L1) error { l1.L1BaseFee.SetUint64(wei); return nil })
		require.NoError(t, err)
		return set
	}
	set := fee(7)
	require.Equal(t, first.Number+1, set.Number)
	require.Equal(t, first.Time+12, set.Time)
	require.Equal(t, optimism.L1Hash(set.Number), set.Hash)
	seal(t, timeline, 1)
	require.Equal(t, set, origin())
	seal(t, timeline, 1)
	require.Equal(t, set, origin(), "as long as nothing else is set")

	fee(8)
	set = fee(9)
	require.Equal(t, origin().Number+2, set.Number, "on top of what waits")
	preconfirm(t, timeline)
	after := fee(10)
	require.Equal(t, set.Number+1, after.Number)
	seal(t, timeline, 1)
	require.Equal(t, set, origin())
	seal(t, timeline, 1)
	require.Equal(t, after, origin())

	at := func(number, time uint64) error {
		_, err := timeline.SetL1(func(l1 *optimism.L1) error { l1.Number, l1.Time = number, time; return nil })
		return err
	}
	require.EqualError(t, at(math.MaxInt64, 1), "number 9223372036854775807 of L1 is above 9223372036854775806")
	require.EqualError(t, at(1, control.LatestTime+1), "timestamp 6000000001 of L1 is after 6000000000, the latest allowed")
	require.NoError(t, at(math.MaxInt64-1, control.LatestTime))
}

// Ensure deposits come at the beginning of the next block that is not announced, each with a source of its own, at once
// where blocks are sealed at once, and together within a limit of gas.
func TestDeposits(t *testing.T) {
	t.Parallel()
	payee := common.Address{0xdd}
	deposit := func(wei int64, gas uint64) optimism.Deposit {
		return optimism.Deposit{From: accounts[0].address, To: &payee, Mint: big.NewInt(wei), Value: big.NewInt(wei), Gas: gas}
	}
	timeline := newJovian(t, preconf.Config{})
	paid := func() uint64 {
		state, err := timeline.Moment().Latest().State()
		require.NoError(t, err)
		return state.Balance(payee).Uint64()
	}
	one, err := timeline.Deposit(deposit(1, 100_000))
	require.NoError(t, err)
	again, err := timeline.Deposit(deposit(1, 100_000))
	require.NoError(t, err)
	require.NotEqual(t, one, again)
	require.Zero(t, paid())
	require.EqualValues(t, 2, timeline.Moment().PoolNonce(accounts[0].address), "as both come before all transactions")
	preconfirm(t, timeline)
	late, err := timeline.Deposit(deposit(5, 100_000))
	require.NoError(t, err)
	seal(t, timeline, 1)
	require.EqualValues(t, 2, paid())
	require.EqualValues(t, 1, find(t, timeline.Moment(), one).Index)
	require.EqualValues(t, 2, find(t, timeline.Moment(), again).Index)
	seal(t, timeline, 1)
	require.EqualValues(t, 7, paid())
	require.EqualValues(t, 1, find(t, timeline.Moment(), late).Index)

	require.NoError(t, timeline.Set(preconf.GasLimit(60_000_000)))
	for range 2 {
		_, err = timeline.Deposit(deposit(1, 15_000_000))
		require.NoError(t, err)
	}
	_, err = timeline.Deposit(deposit(1, 21_000))
	require.EqualError(t, err, "deposits of 30021000 gas wait for the next block, above the limit of 30000000")
	seal(t, timeline, 1)
	require.EqualValues(t, 9, paid(), "and none of the third")

	timeline = newJovian(t, preconf.Config{Mode: control.Instant})
	hash, err := timeline.Deposit(deposit(3, 100_000))
	require.NoError(t, err)
	require.EqualValues(t, 3, paid())
	require.EqualValues(t, 1, timeline.Moment().Latest().Number())
	require.EqualValues(t, 1, find(t, timeline.Moment(), hash).Index)
	_, err = timeline.Deposit(deposit(3, 1))
	require.ErrorContains(t, err, "gas 1 is not between 21000 and")
	require.EqualValues(t, 1, timeline.Moment().Latest().Number())
}

// Ensure the tip that is proposed on an OP-stack chain is the least one while there is room in the newest block, and
// then a tenth more than the median of what it holds.
func TestSuggestedTip(t *testing.T) {
	t.Parallel()
	ethereum := newTimeline(t, preconf.Config{})
	require.EqualValues(t, params.GWei, ethereum.Moment().SuggestedTip().Int64())
	const size = 25_000
	const each = 21_000 + 40*size // gas (EIP-7623)
	for name, c := range map[string]struct {
		tips []int64
		room uint64 // gas of the block beside what is in it
		want int64
	}{
		"empty":                            {nil, 1_000_000, 1_000_000},
		"room for another":                 {[]int64{5e9, 5e9, 5e9}, each, 1_000_000},
		"room for one that is smaller":     {[]int64{5e9, 5e9, 5e9}, each - 1, 55e8},
		"full, the deposit counts as zero": {[]int64{5e9}, 0, 55e8},
		"full, two":                        {[]int64{5e9, 7e9}, 0, 55e8},
		"full, three":                      {[]int64{9e9, 5e9, 7e9}, 0, 77e8},
		"full of less":                     {[]int64{500, 500, 500}, 0, 1_000_000},
		"full of a little more":            {[]int64{1_000_000, 1_000_000, 1_000_000}, 0, 1_100_000},
	} {
		timeline := newJovian(t, preconf.Config{})
		seal(t, timeline, 1)
		used := timeline.Moment().Latest().Header().GasUsed // by what the chain itself does in each
		for i, tip := range c.tips {
			tx := types.DynamicFeeTx{To: &accounts[7].address, Gas: each, GasTipCap: big.NewInt(tip), Data: bytes.Repeat([]byte{1}, size)}
			send(t, timeline, accounts[i].sign(tx))
		}
		require.NoError(t, timeline.Set(preconf.GasLimit(used+c.room+each*uint64(len(c.tips)))))
		seal(t, timeline, 1)
		require.Len(t, timeline.Moment().Latest().Receipts(), 1+len(c.tips), name)
		require.Equal(t, c.want, timeline.Moment().SuggestedTip().Int64(), name)
	}
}

// Ensure a delegation without effect is rejected with the reason, and one to nobody ends the one before.
func TestDelegate(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	account, implementation := accounts[0].address, common.Address{0xde}
	state := func() *evmstate.State {
		state, err := timeline.Moment().Latest().State()
		require.NoError(t, err)
		return state
	}
	require.NoError(t, timeline.Delegate(account, implementation))
	require.Equal(t, types.AddressToDelegation(implementation), state().Code(account))
	require.EqualValues(t, 1, state().Nonce(account))
	require.NoError(t, timeline.Delegate(account, common.Address{0xdf}), "another")
	require.NoError(t, timeline.Delegate(account, common.Address{}))
	require.Empty(t, state().Code(account))
	require.EqualValues(t, 3, state().Nonce(account))

	err := timeline.Delegate(emitter, implementation)
	require.ErrorIs(t, err, preconf.ErrDelegation)
	require.ErrorContains(t, err, "has code of its own")
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State { return s.WithNonce(account, math.MaxUint64) }))
	require.ErrorContains(t, timeline.Delegate(account, implementation), "has the last nonce there is")
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State { return s.WithNonce(account, math.MaxUint64-1) }))
	require.NoError(t, timeline.Delegate(account, implementation))

	require.ErrorContains(t, under(t, "cancun", preconf.Config{}).Delegate(account, implementation), "the next block is not of prague yet")
}
