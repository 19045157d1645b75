package preconf_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// wei returns whole numbers as Weather takes them.
func wei(values ...int64) (list []*big.Int) {
	for _, value := range values {
		list = append(list, big.NewInt(value))
	}
	return list
}

// baseFees returns the base fees of the newest n blocks, the oldest first.
func baseFees(t *testing.T, timeline *preconf.Timeline, n uint64) (fees []int64) {
	t.Helper()
	head := timeline.Moment().Latest().Number()
	for number := head - n + 1; number <= head; number++ {
		view, err := timeline.Moment().ByNumber(number)
		require.NoError(t, err)
		fees = append(fees, view.Header().BaseFee.Int64())
	}
	return fees
}

// Ensure the base fee of the next blocks takes the course of each shape, made on command and by the clock, and follows
// the rules afterwards.
func TestWeatherShapes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		weather control.Weather
		want    []int64 // the rules lower the fee of an empty block by an eighth
	}{
		"spike": {control.Weather{Shape: control.Spike, From: big.NewInt(800), To: big.NewInt(2000), Blocks: 4}, []int64{2000, 1600, 1200, 800, 700}},
		"list":  {control.Weather{Shape: control.List, Values: wei(5, 0, 8000)}, []int64{5, 0, 8000, 7000, 6125}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeline := newTimeline(t, preconf.Config{})
			test.weather.Of = control.OfBaseFee
			require.NoError(t, timeline.Set(preconf.Weather(test.weather)))
			require.EqualValues(t, test.want[0], timeline.Moment().Pending().Header().BaseFee.Int64(), "of the block being built")
			seal(t, timeline, 2)
			advance(t, timeline, 6*time.Second)
			require.Equal(t, test.want, baseFees(t, timeline, 5))
		})
	}
}

// Ensure a course begins behind the block that is announced already, and its blocks have the same values when a reorg
// makes them again, when a snapshot is restored, and in a copy.
func TestWeatherBelongsToBlocks(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	send(t, timeline, accounts[0].pay(0, sink, 1))
	preconfirm(t, timeline)
	announced := timeline.Moment().Pending().Header().BaseFee
	require.NoError(t, timeline.Set(preconf.Weather(control.Weather{Of: control.OfBaseFee, Shape: control.List, Values: wei(11, 12, 13, 14)})))
	require.Equal(t, announced, timeline.Moment().Pending().Header().BaseFee)
	require.EqualValues(t, 2, timeline.Moment().Weather()[0].First)
	require.EqualValues(t, 5, *timeline.Moment().Weather()[0].Last)
	seal(t, timeline, 3)
	require.Equal(t, []int64{11, 12}, baseFees(t, timeline, 2))

	id := timeline.Snapshot()
	copied := timeline.Clone()
	_, err := timeline.Reorg(control.ReorgOptions{Depth: 1})
	require.NoError(t, err)
	require.Equal(t, []int64{11, 12, 13}, baseFees(t, timeline, 3))
	require.NoError(t, timeline.Set(preconf.Weather(control.Weather{Of: control.OfBaseFee, Shape: control.Calm})))
	require.Empty(t, timeline.Moment().Weather())
	require.NoError(t, timeline.Revert(id))
	for _, each := range []*preconf.Timeline{timeline, copied} {
		seal(t, each, 2)
		require.Equal(t, []int64{11, 12, 13, 14}, baseFees(t, each, 4))
		require.Empty(t, each.Moment().Weather(), "it is over")
	}
}

// Ensure courses of the blob base fee and of the gas limit stand beside one another, and a later one of a quantity
// replaces the earlier.
func TestWeatherOfOtherQuantities(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	require.NoError(t, timeline.Set(preconf.Weather(control.Weather{Of: control.OfGasLimit, Shape: control.List, Values: wei(5_000_000)})))
	require.NoError(t, timeline.Set(preconf.Weather(control.Weather{Of: control.OfGasLimit, Shape: control.List, Values: wei(6_000_000, 7_000_000)})))
	require.NoError(t, timeline.Set(preconf.Weather(control.Weather{Of: control.OfBlobBaseFee, Shape: control.List, Values: wei(1, 1_000_000, 1e18)})))
	require.Len(t, timeline.Moment().Weather(), 2)
	for i, want := range []struct{ gas, blob int64 }{{6_000_000, 1}, {7_000_000, 1_000_000}, {7_000_000, 1e18}} {
		seal(t, timeline, 1)
		head := timeline.Moment().Latest()
		require.EqualValues(t, want.gas, head.Header().GasLimit, i)
		fee := head.Chain().BlobBaseFee(head.Header())
		require.GreaterOrEqual(t, fee.Cmp(big.NewInt(want.blob)), 0)
		require.InEpsilon(t, want.blob, fee.Int64(), 1e-6)
	}
	seal(t, timeline, 1)
	head := timeline.Moment().Latest()
	require.Less(t, head.Chain().BlobBaseFee(head.Header()).Int64(), int64(1e18), "it falls by the rules")
}

// Ensure a course of the tip is what is proposed, from the present tip on, and each caller may change what it gets.
func TestTipWeather(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	require.Equal(t, gwei, timeline.Moment().SuggestedTip())
	course := control.Weather{Of: control.OfTip, Shape: control.Ramp, To: big.NewInt(3e9), Blocks: 3}
	require.NoError(t, timeline.Set(preconf.Weather(course)))
	for _, want := range []int64{1e9, 2e9, 3e9, 1e9} {
		tip := timeline.Moment().SuggestedTip()
		require.EqualValues(t, want, tip.Int64())
		tip.SetInt64(7)
		require.EqualValues(t, want, timeline.Moment().SuggestedTip().Int64())
		seal(t, timeline, 1)
	}
}
