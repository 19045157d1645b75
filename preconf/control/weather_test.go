package control_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure a course has its value in each block, and none before and after.
func TestCourses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		weather control.Weather
		want    []int64 // from block 9 on; 0: none
	}{
		{control.Weather{Shape: control.Ramp, From: big.NewInt(10), To: big.NewInt(30), Blocks: 3, Times: 1}, []int64{0, 10, 20, 30, 0}},
		{control.Weather{Shape: control.Spike, From: big.NewInt(10), To: big.NewInt(30), Blocks: 3, Times: 2}, []int64{0, 30, 20, 10, 30, 20, 10, 0}},
		{control.Weather{Shape: control.Sawtooth, From: big.NewInt(10), To: big.NewInt(30), Blocks: 2}, []int64{0, 10, 30, 10, 30, 10}},
		{control.Weather{Shape: control.List, Values: []*big.Int{big.NewInt(7), big.NewInt(5)}}, []int64{0, 7, 5, 0}},
	} {
		test.weather.Of = control.OfBaseFee
		complete, err := test.weather.Completed(nil)
		require.NoError(t, err)
		courses := control.Courses{}.With(complete, 10)
		for i, want := range test.want {
			value := courses.At(uint64(9+i), control.OfBaseFee)
			if want == 0 {
				require.Nil(t, value, "%s, block %d", complete.Shape, 9+i)
			} else {
				require.Equal(t, want, value.Int64(), "%s, block %d", complete.Shape, 9+i)
			}
		}
		require.Nil(t, courses.At(10, control.OfGasLimit))
		require.False(t, courses.OfL1())
		require.Len(t, courses.With(complete, 20), 1, "one of a quantity")
		require.Empty(t, courses.Without(control.OfBaseFee))
		require.Len(t, courses.From(10), 1)
		if complete.Times > 0 {
			require.Empty(t, courses.From(30))
		}
	}
}

// Ensure a course that cannot be is rejected with what is wrong, and one without a beginning begins at the present
// value.
func TestCompletedWeather(t *testing.T) {
	t.Parallel()
	five, tooHigh := big.NewInt(5), new(big.Int).Lsh(big.NewInt(1), 129)
	for want, w := range map[string]control.Weather{
		"0 values are not between 1 and 1000000":               {Shape: control.List},
		"a list has values, and neither from, to nor blocks":   {Shape: control.List, Values: []*big.Int{five}, Blocks: 1},
		`shape "hail" is unknown: want one of [spike ramp saw`: {Shape: "hail"},
		"a ramp has from, to and blocks, and no values":        {Shape: control.Ramp, To: five, Blocks: 2, Values: []*big.Int{five}},
		"a spike needs a value to go to":                       {Shape: control.Spike, Blocks: 2},
		"1 blocks are not between 2 and 1000000":               {Shape: control.Ramp, To: five, Blocks: 1},
		"1000001 blocks are not between 2 and 1000000":         {Shape: control.Ramp, To: five, Blocks: 1_000_001},
		"-1 is not between 0 and 340282366920938463463374":     {Shape: control.Ramp, To: big.NewInt(-1), Blocks: 2},
		"0 is not between 1 and":                               {Of: control.OfBlobBaseFee, Shape: control.List, Values: []*big.Int{new(big.Int)}},
		"5 is not between 5000 and 9223372036854775807":        {Of: control.OfGasLimit, Shape: control.Ramp, To: five, Blocks: 2},
		"1361129467683753853853498429727072845824 is not betw": {Shape: control.Ramp, From: new(big.Int).Lsh(tooHigh, 1), To: five, Blocks: 2},
	} {
		_, err := w.Completed(five)
		require.ErrorContains(t, err, want)
	}
	w, err := control.Weather{Shape: control.Ramp, To: five, Blocks: 2}.Completed(big.NewInt(9))
	require.NoError(t, err)
	require.Equal(t, control.Weather{Shape: control.Ramp, From: big.NewInt(9), To: five, Blocks: 2, Times: 1}, w)
	w, err = control.Weather{Shape: control.Sawtooth, To: five, Blocks: 2}.Completed(five)
	require.NoError(t, err)
	require.Negative(t, w.Times, "until it is replaced")
	require.ErrorContains(t, control.Quantity("rain").Known(), `weather of "rain": want one of [baseFee blobBaseFee`)
	for _, of := range control.Quantities() {
		require.NoError(t, of.Known())
		l1 := of == control.OfL1BaseFee || of == control.OfL1BlobBaseFee
		require.Equal(t, l1, control.Courses{}.With(control.Weather{Of: of}, 1).OfL1(), of)
	}
}

// Ensure the limits of a course can be had, and a value, a number of blocks or a word past them cannot.
func TestWeatherAtItsLimits(t *testing.T) {
	t.Parallel()
	two128 := new(big.Int).Lsh(big.NewInt(1), 128)
	one, gasMost := big.NewInt(1), big.NewInt(math.MaxInt64)
	for _, test := range []struct {
		of     control.Quantity
		lowest int64
		most   *big.Int
	}{
		{control.OfBaseFee, 0, two128}, {control.OfBlobBaseFee, 1, two128}, {control.OfGasLimit, 5000, gasMost}, {control.OfTip, 0, two128},
		{control.OfL1BaseFee, 0, two128}, {control.OfL1BlobBaseFee, 0, two128},
	} {
		lowest := big.NewInt(test.lowest)
		for _, w := range []control.Weather{
			{Shape: control.Ramp, From: lowest, To: test.most, Blocks: 2}, {Shape: control.Spike, From: test.most, To: lowest, Blocks: 1_000_000},
			{Shape: control.List, Values: []*big.Int{lowest, test.most}}, {Shape: control.Sawtooth, To: lowest, Blocks: 2},
		} {
			w.Of = test.of
			_, err := w.Completed(test.most)
			require.NoError(t, err, "%s of %s", w.Shape, w.Of)
		}
		under, over := new(big.Int).Sub(lowest, one), new(big.Int).Add(test.most, one)
		for _, wrong := range []*big.Int{under, over} {
			want := wrong.String() + " is not between " + lowest.String() + " and " + test.most.String()
			_, err := control.Weather{Of: test.of, Shape: control.Ramp, From: wrong, To: lowest, Blocks: 2}.Completed(nil)
			require.EqualError(t, err, want)
			_, err = control.Weather{Of: test.of, Shape: control.Ramp, To: wrong, Blocks: 2}.Completed(lowest)
			require.EqualError(t, err, want)
			_, err = control.Weather{Of: test.of, Shape: control.List, Values: []*big.Int{lowest, wrong}}.Completed(lowest)
			require.EqualError(t, err, want)
		}
	}
	values := make([]*big.Int, 1_000_001)
	w, err := control.Weather{Shape: control.List, Values: values[1:]}.Completed(nil)
	require.NoError(t, err)
	require.Equal(t, 1_000_000, w.Blocks)
	_, err = control.Weather{Shape: control.List, Values: values}.Completed(nil)
	require.EqualError(t, err, "1000001 values are not between 1 and 1000000")
	for _, w := range []control.Weather{{From: one}, {To: one}, {Blocks: 2}} {
		w.Shape, w.Values = control.List, values[:2]
		_, err = w.Completed(nil)
		require.EqualError(t, err, "a list has values, and neither from, to nor blocks")
	}
	_, err = control.Weather{Shape: control.Shape(strings.Repeat("x", 50))}.Completed(nil)
	require.EqualError(t, err, `shape "`+strings.Repeat("x", 40)+`" is unknown: want one of [spike ramp sawtooth list calm]`)
	require.EqualError(t, control.Quantity(strings.Repeat("y", 50)).Known(),
		`weather of "`+strings.Repeat("y", 40)+`": want one of [baseFee blobBaseFee gasLimit l1BaseFee l1BlobBaseFee tip]`)
	for given, want := range map[int]int{0: -1, -1: -1, 1: 1, 2: 2} {
		w, err = control.Weather{Shape: control.Sawtooth, To: one, Blocks: 2, Times: given}.Completed(one)
		require.NoError(t, err)
		require.Equal(t, want, w.Times)
	}
}
