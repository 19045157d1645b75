package preconf_test

import (
	"maps"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

var (
	denimGenesis  = rollupGenesis(optimism.Denim)
	jovianGenesis = rollupGenesis(optimism.Jovian)
)

// rollupGenesis returns the genesis of the tests as a chain of an upgrade begins.
func rollupGenesis(u *optimism.Upgrade) *chain.Genesis {
	g := *genesis
	g.Alloc, g.GasLimit = maps.Clone(g.Alloc), u.GasLimit
	predeploys.Place(&g, u.DefaultRules())
	return &g
}

// newDenim starts a timeline on a chain of Denim's rules.
func newDenim(t testing.TB, cfg preconf.Config) *preconf.Timeline {
	t.Helper()
	return newRollup(t, denimGenesis, optimism.Denim, cfg)
}

// newJovian starts a timeline on a chain of Jovian's rules.
func newJovian(t testing.TB, cfg preconf.Config) *preconf.Timeline {
	t.Helper()
	return newRollup(t, jovianGenesis, optimism.Jovian, cfg)
}

// newRollup starts a timeline on a chain of an upgrade's rules.
func newRollup(t testing.TB, genesis *chain.Genesis, u *optimism.Upgrade, cfg preconf.Config) *preconf.Timeline {
	t.Helper()
	c, err := chain.New(genesis, chain.Options{Optimism: u.DefaultRules()})
	require.NoError(t, err)
	cfg.Chain = c
	return newTimeline(t, cfg)
}

// sinceStart returns the time of a block after the genesis.
func sinceStart(t testing.TB, v *preconf.View) time.Duration {
	t.Helper()
	ms, ok := v.Milliseconds()
	require.True(t, ok)
	require.Equal(t, v.Time(), ms/1000)
	return time.Duration(ms)*time.Millisecond - time.Duration(start.UnixNano())
}

// blockTimes returns the times of all blocks after the genesis.
func blockTimes(t testing.TB, timeline *preconf.Timeline) []time.Duration {
	t.Helper()
	m := timeline.Moment()
	var times []time.Duration
	for n := range m.Latest().Number() {
		v, err := m.ByNumber(n + 1)
		require.NoError(t, err)
		times = append(times, sinceStart(t, v))
	}
	return times
}

// ms returns durations in milliseconds.
func ms(durations ...time.Duration) []time.Duration {
	for i := range durations {
		durations[i] *= time.Millisecond
	}
	return durations
}

// TestDenimLattice checks that blocks are 200 ms apart whatever makes them, and that a jump skips the points of the
// lattice before the time it goes to.
func TestDenimLattice(t *testing.T) {
	t.Parallel()
	pay := func(timeline *preconf.Timeline, nonces ...uint64) {
		for _, nonce := range nonces {
			send(t, timeline, accounts[0].pay(nonce, accounts[1].address, 1))
		}
	}
	for name, test := range map[string]struct {
		mode control.Mode
		do   func(*preconf.Timeline)
		want []time.Duration
	}{
		"seal":      {control.Manual, func(timeline *preconf.Timeline) { seal(t, timeline, 6) }, ms(200, 400, 600, 800, 1000, 1200)},
		"advance":   {control.Manual, func(timeline *preconf.Timeline) { advance(t, timeline, 1300*time.Millisecond) }, ms(200, 400, 600, 800, 1000, 1200)},
		"interval":  {control.Interval, func(timeline *preconf.Timeline) { advance(t, timeline, 600*time.Millisecond) }, ms(200, 400, 600)},
		"instant":   {control.Instant, func(timeline *preconf.Timeline) { pay(timeline, 0, 1, 2) }, ms(200, 400, 600)},
		"in a week": {control.Manual, func(timeline *preconf.Timeline) { jump(t, timeline, 168*time.Hour); seal(t, timeline, 2) }, ms(604_800_000, 604_800_200)},
		"off the lattice": {control.Manual, func(timeline *preconf.Timeline) {
			jump(t, timeline, 1_050*time.Millisecond)
			seal(t, timeline, 2)
		}, ms(1_200, 1_400)},
		"off the lattice, instant": {control.Instant, func(timeline *preconf.Timeline) {
			jump(t, timeline, 1_050*time.Millisecond)
			pay(timeline, 0, 1)
		}, ms(1_200, 1_400)},
		"a time": {control.Manual, func(timeline *preconf.Timeline) {
			seal(t, timeline, 1)
			require.NoError(t, timeline.SetTime(start.Add(3301*time.Millisecond)))
			seal(t, timeline, 1)
		}, ms(200, 3_400)},
		"the next block": {control.Manual, func(timeline *preconf.Timeline) {
			require.NoError(t, timeline.Set(preconf.NextBlockTime(uint64(start.Unix())+5)))
			seal(t, timeline, 2)
		}, ms(5_000, 5_200)},
		"the same second": {control.Manual, func(timeline *preconf.Timeline) {
			seal(t, timeline, 1)
			require.NoError(t, timeline.Set(preconf.NextBlockTime(uint64(start.Unix()))))
			seal(t, timeline, 2)
		}, ms(200, 400, 600)},
		"reorg": {control.Manual, func(timeline *preconf.Timeline) {
			seal(t, timeline, 2)
			jump(t, timeline, time.Second)
			seal(t, timeline, 1)
			reorg(t, timeline, control.ReorgOptions{Depth: 2})
		}, ms(200, 400, 1_400, 1_600)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeline := newDenim(t, preconf.Config{Mode: test.mode})
			test.do(timeline)
			require.Equal(t, test.want, blockTimes(t, timeline))
		})
	}
}

func jump(t testing.TB, timeline *preconf.Timeline, d time.Duration) {
	t.Helper()
	require.NoError(t, timeline.IncreaseTime(d))
}

// TestDenimBlock checks what a block begins with, and what it leaves in the contract BaseTime.
func TestDenimBlock(t *testing.T) {
	t.Parallel()
	timeline := newDenim(t, preconf.Config{})
	genesisTime, ok := timeline.Moment().Latest().Milliseconds()
	require.True(t, ok)
	require.EqualValues(t, start.UnixMilli(), genesisTime)
	send(t, timeline, accounts[0].pay(0, accounts[1].address, 1))
	seal(t, timeline, 9)
	m := timeline.Moment()
	for number, source := range map[uint64]string{
		1: "0x1069ed2cd445ebff576c8ac2ad8bfe550f5c700598ab04ead80cb51839aa8aeb",
		9: "0x821a03cf41d4197c4b19f8f5cf89774b6771d14a189bf35f29b2775453bb5d7d",
	} {
		v, err := m.ByNumber(number)
		require.NoError(t, err)
		deposits := optimism.DepositsIn(v.Transactions())
		require.Len(t, deposits, 2)
		part := byte(number * 200 % 1000 >> 8)
		require.Equal(t, &optimism.Deposit{
			SourceHash: common.HexToHash(source), From: optimism.Depositor, To: &optimism.BaseTimeAddress, Value: new(big.Int),
			Gas: 1_000_000, Data: append(common.FromHex("0x86bdf394"), append(make([]byte, 30), part, byte(number*200%1000))...),
		}, deposits[1])
		require.Equal(t, types.ReceiptStatusSuccessful, v.Receipts()[1].Status)
		state, err := v.State()
		require.NoError(t, err)
		require.EqualValues(t, number*200%1000, state.Storage(optimism.BaseTimeAddress, common.Hash{}).Big().Uint64())
		require.Equal(t, v.Receipts()[len(v.Receipts())-1].CumulativeGasUsed, v.GasUsed(), "the deposits count")
	}
	first, err := m.ByNumber(1)
	require.NoError(t, err)
	require.Equal(t, 3, first.Count())
	require.Equal(t, "0x01000003e80000000500000000004c4b40", hexutil.Encode(first.Header().Extra))
	require.EqualValues(t, 40_000_000, first.Header().GasLimit)
	require.EqualValues(t, 148, first.Fees().DAFootprintGasScalar)
	require.EqualValues(t, 100*148, *first.Header().BlobGasUsed)
	// An empty block pays 1/1000 less: it uses next to nothing of the target.
	require.Less(t, first.Header().BaseFee.Int64(), gwei.Int64())
	require.Greater(t, first.Header().BaseFee.Int64(), int64(999_000_000-1))
}

// TestDenimL1 checks that L1 moves by a block every 12 s, in a jump too, that its fees stand still, and that PREVRANDAO
// moves with it.
func TestDenimL1(t *testing.T) {
	t.Parallel()
	timeline := newDenim(t, preconf.Config{})
	seal(t, timeline, 121)
	at := func(n uint64) (optimism.L1, uint64, common.Hash) {
		v, err := timeline.Moment().ByNumber(n)
		require.NoError(t, err)
		l1, sequence, err := optimism.ReadL1(v.Transaction(0))
		require.NoError(t, err)
		return l1, sequence, v.Header().MixDigest
	}
	first, sequence, random := at(1)
	require.EqualValues(t, 1, sequence, "the genesis is block 0 of its L1 block")
	for n := range uint64(121) {
		l1, sequence, is := at(n + 1)
		later := (n + 1) / 60
		require.Equal(t, (n+1)%60, sequence)
		require.Equal(t, first.Number+later, l1.Number)
		require.Equal(t, first.Time+12*later, l1.Time)
		require.Equal(t, optimism.L1Hash(l1.Number), l1.Hash)
		require.Equal(t, first.Fees, l1.Fees)
		require.Equal(t, later == 0, is == random)
	}
	jump(t, timeline, time.Hour)
	seal(t, timeline, 1)
	l1, sequence, _ := at(122)
	require.Zero(t, sequence)
	require.Equal(t, first.Number+2+300, l1.Number)

	set, err := timeline.SetL1(func(l *optimism.L1) error { l.Number = 77; return nil })
	require.NoError(t, err)
	seal(t, timeline, 60)
	for n := uint64(123); n < 183; n++ {
		l1, sequence, _ := at(n)
		require.Equal(t, set, l1)
		require.Equal(t, n-123, sequence)
	}
	seal(t, timeline, 1)
	l1, _, _ = at(183)
	require.EqualValues(t, 78, l1.Number)
}

// TestDenimPending checks that blocks at pending are the latest, and that calls there run in the forecast of the block
// after it.
func TestDenimPending(t *testing.T) {
	t.Parallel()
	timeline := newDenim(t, preconf.Config{})
	for n := range uint64(6) {
		m := timeline.Moment()
		require.Equal(t, m.Latest().Hash(), m.Pending().Hash())
		require.False(t, m.Pending().Pending())
		latest, err := m.Latest().CallView()
		require.NoError(t, err)
		require.Equal(t, n, latest.Header.Number.Uint64())
		forecast, err := m.Pending().CallView()
		require.NoError(t, err)

		seal(t, timeline, 1)
		made := timeline.Moment().Latest()
		require.Equal(t, made.Number(), forecast.Header.Number.Uint64())
		require.Equal(t, made.Time(), forecast.Header.Time)
		require.Equal(t, made.Header().BaseFee, forecast.Header.BaseFee)
		require.Equal(t, made.Header().MixDigest, forecast.Header.MixDigest)
		state, err := made.State()
		require.NoError(t, err)
		word := state.Storage(optimism.BaseTimeAddress, common.Hash{})
		require.EqualValues(t, (n+1)*200%1000, word.Big().Uint64())
		require.Equal(t, word, forecast.State.Storage(optimism.BaseTimeAddress, common.Hash{}))
		require.Equal(t, latest.State.Storage(optimism.L1BlockAddress, common.Hash{}), forecast.State.Storage(optimism.L1BlockAddress, common.Hash{}), "the parent's")
	}
	require.NoError(t, timeline.Set(preconf.NextBlockTime(uint64(start.Unix())+7)))
	forecast, err := timeline.Moment().Pending().CallView()
	require.NoError(t, err)
	require.EqualValues(t, start.Unix()+7, forecast.Header.Time)
}

// TestDenimHasNoFlashblocks checks that everything that commands flashblocks says that there are none.
func TestDenimHasNoFlashblocks(t *testing.T) {
	t.Parallel()
	timeline := newDenim(t, preconf.Config{})
	require.ErrorIs(t, timeline.Moment().NoFlashblocks(), preconf.ErrFlashblocksEnded)
	_, err := timeline.Preconfirm()
	require.EqualError(t, err, "this chain has no flashblocks since denim: it makes a block every 200ms")
	for _, kind := range []control.FaultKind{
		control.DropFlashblocks, control.OmitTransactions, control.AlterLogs, control.DuplicateFlashblock, control.StallFlashblocks,
		control.LateBlock, control.LagContext,
	} {
		_, err := timeline.FlashblockFault(control.FlashblockFault{Kind: kind, Count: 1})
		require.ErrorIs(t, err, preconf.ErrFlashblocksEnded, kind)
	}
	feed := timeline.Subscribe()
	defer feed.Close()
	advance(t, timeline, time.Second)
	for range 5 {
		e, err := feed.Poll()
		require.NoError(t, err)
		require.Equal(t, preconf.HeadAdded, e.Kind)
	}
	e, err := feed.Poll()
	require.NoError(t, err)
	require.Nil(t, e)
}

// TestDenimSafe checks that safe and finalized lag by the time they lag by with blocks of 2 s.
func TestDenimSafe(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	timeline := newDenim(t, preconf.Config{})
	seal(t, timeline, 1000)
	require.EqualValues(t, 1000-320, timeline.Moment().Safe().Number())
	require.EqualValues(t, 1000-640, timeline.Moment().Finalized().Number())
}

// TestDenimRejects checks that what does not fit the lattice is an error that names both sides, and changes nothing.
func TestDenimRejects(t *testing.T) {
	t.Parallel()
	for want, cfg := range map[string]preconf.Config{
		`block time 2s does not go together with rules "denim", which make a block every 200ms`:                                                      {BlockTime: 2 * time.Second},
		`equal timestamps do not go together with rules "denim", whose blocks are 200ms apart`:                                                       {Behaviour: preconf.Behaviour{EqualTimestamps: true}},
		`a pending lag of 3 blocks does not go together with rules "denim": this chain has no flashblocks since denim: it makes a block every 200ms`: {Behaviour: preconf.Behaviour{Lags: preconf.Lags{PendingLag: 3}}},
	} {
		c, err := chain.New(denimGenesis, chain.Options{Optimism: optimism.Denim.DefaultRules()})
		require.NoError(t, err)
		cfg.Chain = c
		_, err = preconf.New(cfg)
		require.EqualError(t, err, want)
	}
	timeline := newDenim(t, preconf.Config{})
	seal(t, timeline, 4)
	before := timeline.Moment()
	require.EqualError(t, timeline.Set(preconf.BlockTime(100*time.Millisecond)), `block time 100ms does not go together with rules "denim", which make a block every 200ms`)
	require.EqualError(t, timeline.Set(preconf.TimestampInterval(new(uint64(1)))), `block time 1s does not go together with rules "denim", which make a block every 200ms`)
	require.NoError(t, timeline.Set(preconf.BlockTime(200*time.Millisecond)))
	require.NoError(t, timeline.Set(preconf.TimestampInterval(nil)))
	second := uint64(start.Unix())
	require.EqualError(t, timeline.Set(preconf.NextBlockTime(second)), "time 1700000000 is before 1700000001, the earliest allowed", "the next point is 1 s later")
	require.EqualError(t, timeline.SetTime(start.Add(-time.Second)), "time 1699999999 is before 1700000000, the earliest allowed")
	data := common.FromHex("0x86bdf39400000000000000000000000000000000000000000000000000000000000000c8")
	_, err := timeline.Deposit(optimism.Deposit{From: optimism.Depositor, To: &optimism.BaseTimeAddress, Value: new(big.Int), Gas: 100_000, Data: data})
	require.EqualError(t, err, "only the chain makes deposits from 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001 that set the milliseconds in BaseTime")
	require.Equal(t, before.Latest().Hash(), timeline.Moment().Latest().Hash())
	for _, env := range []chain.Env{{Time: second + 1, Millis: 100}, {Time: second, Millis: 800}, {Time: second - 1}} {
		_, err := before.Chain().NewDraft(env)
		require.ErrorContains(t, err, "is neither 1700000001.000 nor a multiple of 200ms later")
	}
}

// TestDenimGoesOn checks that a saved timeline goes on as the one it was saved from, and that snapshots, copies and
// deposits of users keep to the lattice.
func TestDenimGoesOn(t *testing.T) {
	t.Parallel()
	timeline := newDenim(t, preconf.Config{})
	advance(t, timeline, 1500*time.Millisecond)
	id := timeline.Snapshot()
	m := timeline.Moment()
	restored, err := preconf.New(preconf.Config{Chain: m.Sealed(), Saved: m.Saved()})
	require.NoError(t, err)
	more := func(timeline *preconf.Timeline) common.Hash {
		t.Helper()
		_, err := timeline.Deposit(optimism.Deposit{
			From: accounts[0].address, To: &accounts[1].address, Mint: big.NewInt(5), Value: big.NewInt(5), Gas: 21_000,
		})
		require.NoError(t, err)
		advance(t, timeline, 300*time.Millisecond)
		reorg(t, timeline, control.ReorgOptions{Depth: 2})
		require.Equal(t, ms(200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000), blockTimes(t, timeline))
		m := timeline.Moment()
		v, err := m.ByNumber(8)
		require.NoError(t, err)
		require.Equal(t, 3, v.Count(), "the deposit stays behind the chain's own")
		return m.Latest().Hash()
	}
	copied := timeline.Copy()
	want := more(timeline)
	require.Equal(t, want, more(restored))
	require.Equal(t, want, more(copied))
	require.NoError(t, timeline.Revert(id))
	require.Equal(t, want, more(timeline))
}
