package rpcserver

import (
	"math"
	"time"

	"github.com/fakenode/fakenode/preconf"
)

// increaseTime serves evm_increaseTime: sets the clock forward, without sealing anything on the way, and
// answers by how many seconds.
func increaseTime(r *request, by seconds) (any, error) {
	if err := r.badInput(r.network.Timeline.IncreaseTime(by.duration())); err != nil {
		return nil, err
	}
	return float64(by), nil
}

// setTime serves evm_setTime: sets the clock forward to a time in Unix seconds and answers by how many
// seconds that is.
func setTime(r *request, to Number) (any, error) {
	if to > Number(math.MaxInt64/int64(time.Second)) {
		return nil, invalidParams("%s: time %d is too far in the future; the unit is seconds", r.method, to)
	}
	var by time.Duration
	err := r.network.Timeline.Atomically(func(timeline *preconf.Timeline) error {
		before := timeline.Moment().Now()
		err := timeline.SetTime(time.Unix(int64(to), 0))
		by = timeline.Moment().Now().Sub(before)
		return r.badInput(err)
	})
	return uint64(by / time.Second), err
}

// setNextBlockTimestamp serves evm_setNextBlockTimestamp, in Unix seconds.
func setNextBlockTimestamp(r *request, timestamp Number) (any, error) {
	return nil, r.badInput(r.network.Timeline.SetNextBlockTime(uint64(timestamp)))
}

// setBlockTimestampInterval serves anvil_setBlockTimestampInterval: each block's timestamp is so many
// seconds after its parent's.
func setBlockTimestampInterval(r *request, interval Number) (any, error) {
	return nil, r.badInput(r.network.Timeline.SetTimestampInterval((*uint64)(&interval)))
}

// hardhatSetBlockTimestampInterval serves hardhat_setBlockTimestampInterval, in milliseconds: that is how viem,
// the only one to call it, sends it.
func hardhatSetBlockTimestampInterval(r *request, milliseconds Number) (any, error) {
	if milliseconds%1000 != 0 {
		return nil, invalidParams("%s: an interval of %d ms is not a whole number of seconds", r.method, milliseconds)
	}
	return setBlockTimestampInterval(r, milliseconds/1000)
}

// removeBlockTimestampInterval serves anvil_removeBlockTimestampInterval.
func removeBlockTimestampInterval(r *request) (any, error) {
	return true, r.badInput(r.network.Timeline.SetTimestampInterval(nil))
}

// getGenesisTime serves anvil_getGenesisTime, in Unix seconds.
func getGenesisTime(r *request) (any, error) { return firstBlock(r.moment()).Time(), nil }
