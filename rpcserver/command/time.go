package command

import (
	"math"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// IncreaseTime serves evm_increaseTime: it moves the clock forward, without sealing anything on the way, and answers by
// how many seconds.
func IncreaseTime(r *api.Request, by seconds) (any, error) {
	if err := r.BadInput(r.Network.Timeline.IncreaseTime(by.duration())); err != nil {
		return nil, err
	}
	return float64(by), nil
}

// SetTime serves evm_setTime: it moves the clock forward to a time in Unix seconds and answers by how many seconds.
func SetTime(r *api.Request, to api.Number) (any, error) {
	if to > api.Number(math.MaxInt64/int64(time.Second)) {
		return nil, api.InvalidParams("%s: time %d is too far in the future; the unit is seconds", r.Method, to)
	}
	var by int64
	err := r.Network.Timeline.Atomically(func(timeline *preconf.Timeline) error {
		before := timeline.Moment().Now()
		err := timeline.SetTime(time.Unix(int64(to), 0))
		by = timeline.Moment().Now().Unix() - before.Unix()
		return r.BadInput(err)
	})
	return by, err
}

// SetNextBlockTimestamp serves evm_setNextBlockTimestamp, in Unix seconds.
func SetNextBlockTimestamp(r *api.Request, timestamp api.Number) (any, error) {
	return nil, r.BadInput(r.Network.Timeline.SetNextBlockTime(uint64(timestamp)))
}

// SetBlockTimestampInterval serves anvil_setBlockTimestampInterval: each block's timestamp is so many
// seconds after its parent's.
func SetBlockTimestampInterval(r *api.Request, interval api.Number) (any, error) {
	return nil, r.BadInput(r.Network.Timeline.SetTimestampInterval((*uint64)(&interval)))
}

// HardhatSetBlockTimestampInterval serves hardhat_setBlockTimestampInterval, in milliseconds, as viem, its only caller,
// sends it.
func HardhatSetBlockTimestampInterval(r *api.Request, milliseconds api.Number) (any, error) {
	if milliseconds%1000 != 0 {
		return nil, api.InvalidParams("%s: an interval of %d ms is not a whole number of seconds", r.Method, milliseconds)
	}
	return SetBlockTimestampInterval(r, milliseconds/1000)
}

func RemoveBlockTimestampInterval(r *api.Request) (any, error) {
	return true, r.BadInput(r.Network.Timeline.SetTimestampInterval(nil))
}

// GetGenesisTime serves anvil_getGenesisTime, in Unix seconds. On a fork that is the time of the fork block.
func GetGenesisTime(r *api.Request) (any, error) {
	c := r.Moment().Chain()
	return c.BlockByNumber(c.Base()).Time(), nil
}
