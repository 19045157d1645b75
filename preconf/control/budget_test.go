package control_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure each kind of thing that is held may take 64 MiB and no more, counted by entry and by what is in it.
func TestBudgets(t *testing.T) {
	t.Parallel()
	const entries = 64
	holds := func(hashes, senders int) control.Holds {
		held := make(control.Holds, entries)
		held[0].Hashes, held[1].Senders = make([]common.Hash, hashes), make([]common.Address, senders)
		return held
	}
	omissions := func(hashes, altered int) *control.Faults {
		armed := make([]control.Omission, entries)
		armed[1].Hashes = make([]common.Hash, hashes)
		return &control.Faults{Omissions: armed, Alter: make([]common.Hash, altered)}
	}
	courses := func(values int) control.Courses {
		return control.Courses{
			{Weather: control.Weather{Values: make([]*big.Int, 1<<19)}}, {Weather: control.Weather{Values: make([]*big.Int, values)}},
		}
	}
	note := make([]byte, control.MaxHeld/2)
	for kind, test := range map[string]struct{ fits, over []error }{
		"holds": {
			[]error{holds(1_597_024, 800_000).Afford(), control.Holds(nil).Afford()},
			[]error{holds(1_597_025, 800_000).Afford(), holds(1_597_024, 800_001).Afford()},
		},
		"flashblock faults": {
			[]error{omissions(1_097_024, 1_000_000).Afford()},
			[]error{omissions(1_097_025, 1_000_000).Afford(), omissions(1_097_024, 1_000_001).Afford()},
		},
		"courses of the weather": {[]error{courses(1 << 19).Afford()}, []error{courses(1<<19 + 1).Afford()}},
		"notes": {
			[]error{control.Notes{"ab": note[66:], "c": note[65:]}.Afford()},
			[]error{control.Notes{"ab": note[66:], "c": note[64:]}.Afford(), control.Notes{"abc": note[66:], "c": note[65:]}.Afford()},
		},
	} {
		for _, err := range test.fits {
			require.NoError(t, err, kind)
		}
		for _, err := range test.over {
			require.EqualError(t, err, "the "+kind+" of this network would take more than 67108864 bytes: end those that are not needed")
		}
	}
	require.NoError(t, control.Afford(control.Orphans, control.MaxHeld))
	require.EqualError(t, control.Afford(control.Orphans, control.MaxHeld+1), "the removed blocks of this network "+
		"would take more than 67108864 bytes: evm_revert to a snapshot before them, or a reset")
}

// Ensure times end in the year 2160, and a clock comes to the last second and not past it.
func TestTimesEnd(t *testing.T) {
	t.Parallel()
	require.Equal(t, 2160, time.Unix(control.LatestTime, 0).UTC().Year())
	require.Equal(t, 876_600*time.Hour, control.LongestTime)
	require.Less(t, control.LatestTime+int64(control.LongestTime/time.Second), int64(math.MaxInt64/time.Second))
	c := control.Clock{Now: (control.LatestTime-3)*1e9 + 5e8}
	now, err := c.After(2500 * time.Millisecond)
	require.NoError(t, err)
	require.EqualValues(t, control.LatestTime*int64(time.Second), now)
	_, err = c.After(2500*time.Millisecond + 1)
	require.EqualError(t, err, "time 5999999999 is after 6000000000, the latest allowed")
	_, err = c.After(7 * time.Second)
	require.Equal(t, &control.TimeError{Given: 6_000_000_004, Latest: control.LatestTime}, err)
	require.EqualError(t, &control.TimeError{Given: 7, Earliest: 8}, "time 7 is before 8, the earliest allowed")
	require.NoError(t, control.CheckTime(control.LatestTime))
	require.EqualError(t, control.CheckTime(control.LatestTime+1), "time 6000000001 is after 6000000000, the latest allowed")
}
