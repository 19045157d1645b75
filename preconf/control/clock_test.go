package control_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure a clock starts, jumps, begins blocks and ends as told.
func TestClock(t *testing.T) {
	t.Parallel()
	require.Equal(t, control.Clock{Now: 11, Began: 11}, control.StartClock(11, 10, 2))
	require.Equal(t, control.Clock{Now: 12, Began: 12, Floor: 14}, control.StartClock(12, 10, 2), "an old head")
	c := control.Clock{Now: 100, Began: 90, Ticks: 3}
	require.Equal(t, control.Clock{Now: 150, Began: 140, Ticks: 3, Floor: 150}, c.Jumped(150))
	require.Equal(t, control.Clock{Now: 100, Began: 100}, c.Sealed())
	now, err := c.After(5)
	require.NoError(t, err)
	require.EqualValues(t, 105, now)
}

// at returns a time in nanoseconds, given in milliseconds.
func at(ms int64) int64 { return ms * int64(time.Millisecond) }

// setting returns the control of a mode and a block time in milliseconds, whose block began at 100 s and whose clock
// reads now, in milliseconds.
func setting(mode control.Mode, blockTime, now int64) *control.Control {
	return &control.Control{
		Clock:    control.Clock{Now: at(now), Began: at(100_000)},
		Settings: control.Settings{Mode: mode, BlockTime: time.Duration(at(blockTime))},
	}
}

// withInterval returns c with a distance of timestamps in seconds.
func withInterval(c *control.Control, seconds uint64) *control.Control {
	c.Settings.Interval = &seconds
	return c
}

// withTime returns c with the time of the next block in Unix seconds.
func withTime(c *control.Control, seconds uint64) *control.Control {
	c.Next.Time = &seconds
	return c
}

// withFloor returns c with the time, in milliseconds, that the clock was set forward to.
func withFloor(c *control.Control, floor int64) *control.Control {
	c.Clock.Floor = at(floor)
	return c
}

// Heads whose block has the time 100 s. One of denim is at 100.2 s.
var (
	ordinary = control.Head{Time: at(100_000)}
	equal    = control.Head{Time: at(100_000), Equal: true}
	slotless = control.Head{Time: at(100_000), Slotless: true}
	denim    = control.Head{Time: at(100_200), BlockTime: at(200), Equal: true}
)

// Ensure a block gets the time of its slot, of the clock where there are no slots, or the one that is set.
func TestTimestamp(t *testing.T) {
	t.Parallel()
	const interval, instant, manual = control.Interval, control.Instant, control.Manual
	for name, test := range map[string]struct {
		control *control.Control
		head    control.Head
		want    int64 // in milliseconds
	}{
		"in its slot":                     {setting(interval, 2000, 101_500), ordinary, 102_000},
		"after slots without a block":     {setting(interval, 2000, 107_200), ordinary, 108_000},
		"at the end of a slot":            {setting(manual, 2000, 108_000), ordinary, 108_000},
		"not before the floor":            {withFloor(setting(interval, 2000, 101_500), 110_000), ordinary, 110_000},
		"by an interval":                  {withInterval(setting(manual, 2000, 101_500), 7), ordinary, 107_000},
		"by an interval of 0":             {withInterval(setting(manual, 2000, 100_500), 0), ordinary, 101_000},
		"as set":                          {withTime(setting(manual, 2000, 101_500), 105), ordinary, 105_000},
		"as set, but not before the head": {withTime(setting(manual, 2000, 101_500), 90), ordinary, 100_000},
		"instant":                         {setting(instant, 2000, 103_900), ordinary, 103_000},
		"instant, soon after the head":    {setting(instant, 2000, 100_900), ordinary, 101_000},
		"instant, with equal times":       {setting(instant, 2000, 100_900), equal, 100_000},
		"instant, by an interval":         {withInterval(setting(instant, 2000, 100_900), 5), ordinary, 105_000},
		"by hand, without slots":          {setting(manual, 2000, 103_900), slotless, 103_000},
		"by hand, soon after the head":    {setting(manual, 2000, 100_900), slotless, 101_000},
		"slots, but those of an interval": {setting(interval, 2000, 101_500), slotless, 102_000},
		"off the slots":                   {setting(interval, 1500, 100_200), ordinary, 101_000},
		"off the slots, late":             {setting(interval, 1500, 104_900), ordinary, 104_000},
		"several in a second":             {setting(interval, 500, 100_200), ordinary, 100_000},
		"in a slot of 200 ms":             {setting(interval, 200, 100_300), denim, 100_400},
		"after slots of 200 ms":           {setting(interval, 200, 101_100), denim, 101_200},
		"as set, in a slot of 200 ms":     {withTime(setting(interval, 200, 100_300), 100), denim, 100_400},
		"instant, in a slot of 200 ms":    {setting(instant, 200, 100_900), denim, 100_800},
		"instant, behind the head":        {setting(instant, 2000, 99_900), equal, 101_000},
		"by hand, with equal times":       {setting(manual, 2000, 100_900), equal, 100_000},
		"slots, with equal times":         {setting(interval, 2000, 101_500), equal, 102_000},
		"at the beginning of a slot":      {setting(interval, 2000, 100_000), ordinary, 102_000},
		"as set, one after the head":      {withTime(setting(manual, 2000, 101_500), 101), ordinary, 101_000},
		"a slot of a second":              {setting(interval, 1000, 100_100), ordinary, 101_000},
		"less than a second":              {setting(interval, 999, 100_100), ordinary, 100_000},
		"just over a second":              {setting(interval, 1001, 100_100), ordinary, 101_000},
		"by an interval, off the slots":   {withInterval(setting(interval, 1500, 100_200), 3), ordinary, 103_000},
	} {
		require.Equal(t, at(test.want), test.control.Timestamp(test.head), name)
	}
}

// Ensure the next slot is one distance after the head, and where there are no slots the time that is given.
func TestNextSlot(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		control  *control.Control
		head     control.Head
		given    int64 // in milliseconds
		want     int64
		distance int64
	}{
		"slots":                {setting(control.Interval, 2000, 0), ordinary, 109_000, 102_000, 2000},
		"slots of 200 ms":      {setting(control.Interval, 200, 0), denim, 109_000, 100_400, 200},
		"an interval":          {withInterval(setting(control.Manual, 2000, 0), 7), ordinary, 109_000, 107_000, 7000},
		"instant":              {setting(control.Instant, 2000, 0), ordinary, 109_900, 109_000, 2000},
		"instant, an interval": {withInterval(setting(control.Instant, 2000, 0), 7), ordinary, 109_900, 107_000, 2000},
		"off the slots":        {setting(control.Interval, 1500, 0), ordinary, 100_900, 101_000, 1500},
	} {
		require.Equal(t, at(test.want), test.control.NextSlot(test.head, at(test.given)), name)
		require.Equal(t, time.Duration(at(test.distance)), test.control.Distance(test.head), name)
	}
	require.Equal(t, at(100_300), ordinary.RoundUp(at(100_300)))
	require.Equal(t, at(100_400), denim.RoundUp(at(100_300)))
	require.Equal(t, at(100_400), denim.RoundUp(at(100_400)))
}

// Ensure a block is due at the end of its slot, at the time that it opened with, and never in the past.
func TestBlockDue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		control *control.Control
		head    control.Head
		opened  *uint64
		want    int64 // in milliseconds
	}{
		"in its slot":                      {setting(control.Interval, 2000, 101_500), ordinary, nil, 102_000},
		"a slot was missed":                {setting(control.Interval, 2000, 102_500), ordinary, nil, 103_000},
		"opened":                           {setting(control.Interval, 2000, 101_500), ordinary, new(uint64(104)), 104_000},
		"opened, and late":                 {setting(control.Interval, 2000, 105_500), ordinary, new(uint64(104)), 105_500},
		"a later time is set":              {withTime(setting(control.Interval, 2000, 101_500), 900), ordinary, nil, 102_000},
		"an earlier time is set":           {withTime(setting(control.Interval, 2000, 100_500), 101), ordinary, nil, 101_000},
		"off the slots":                    {setting(control.Interval, 1500, 100_200), ordinary, new(uint64(101)), 101_500},
		"off the slots, and late":          {setting(control.Interval, 1500, 102_200), ordinary, nil, 102_200},
		"instant goes by the last sealing": {setting(control.Instant, 2000, 100_200), ordinary, nil, 102_000},
	} {
		require.Equal(t, at(test.want), test.control.BlockDue(test.head, test.opened), name)
	}
}

// Ensure flashblocks tick from the last sealing on, never in the past, not without a distance, and not closer than it
// before the block.
func TestFlashblockDue(t *testing.T) {
	t.Parallel()
	c := setting(control.Interval, 2000, 100_050)
	every, block := 200*time.Millisecond, at(102_000)
	require.Equal(t, at(100_200), c.FlashblockDue(every, block))
	c.Clock.Ticks = 3
	require.Equal(t, at(100_800), c.FlashblockDue(every, block))
	require.Equal(t, at(100_800), c.FlashblockDue(every, at(101_000)))
	require.EqualValues(t, math.MaxInt64, c.FlashblockDue(every, at(100_999)))
	c.Clock.Now = at(101_000)
	require.Equal(t, at(101_000), c.FlashblockDue(every, block))
	require.EqualValues(t, math.MaxInt64, c.FlashblockDue(0, block))
}

// Ensure the earliest time of a block is above its parent's, but where blocks may have equal ones or come several in a
// second.
func TestEarliest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		control *control.Control
		head    control.Head
		want    int64 // in milliseconds
	}{
		"slots":                 {setting(control.Interval, 1000, 0), ordinary, 101_000},
		"several in a second":   {setting(control.Interval, 999, 0), ordinary, 100_000},
		"instant":               {setting(control.Instant, 2000, 0), ordinary, 101_000},
		"instant, short blocks": {setting(control.Instant, 500, 0), ordinary, 101_000},
		"equal times":           {setting(control.Instant, 2000, 0), equal, 100_000},
		"fixed block time":      {setting(control.Interval, 200, 0), control.Head{Time: at(100_200), BlockTime: at(200)}, 100_400},
	} {
		require.Equal(t, at(test.want), test.control.Earliest(test.head), name)
	}
}

// Ensure blocks have the clock's time where transactions make them, or commands and nothing asks for slots; and have
// the time of their slot where a slot is of whole seconds, or of the fixed block time.
func TestFreeAndSlotted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		control       *control.Control
		head          control.Head
		free, slotted bool
	}{
		{setting(control.Instant, 2000, 0), ordinary, true, false},
		{setting(control.Manual, 2000, 0), ordinary, false, true},
		{setting(control.Manual, 2000, 0), equal, true, false},
		{setting(control.Manual, 2000, 0), slotless, true, false},
		{setting(control.Interval, 2000, 0), slotless, false, true},
		{setting(control.Interval, 2000, 0), equal, false, true},
		{setting(control.Interval, 1500, 0), ordinary, false, false},
		{setting(control.Interval, 1500, 0), control.Head{BlockTime: at(500)}, false, true},
		{setting(control.Interval, 1500, 0), control.Head{BlockTime: at(1000)}, false, false},
	} {
		require.Equal(t, test.free, test.control.Free(test.head), "%+v", test)
		require.Equal(t, test.slotted, test.control.Slotted(test.head), "%+v", test)
	}
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
	require.EqualError(t, control.CheckTime(control.LatestTime+1), "time 6000000001 is after 6000000000, the latest allowed")
}
