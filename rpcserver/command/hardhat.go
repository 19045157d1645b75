package command

import (
	"errors"
	"strconv"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// edrVersion is what Hardhat 2.29 names as the version of its network in hardhat_metadata.
const edrVersion = "edr/0.3.8/revm/33.1.0"

// HardhatMetadata serves hardhat_metadata as Hardhat does: with the version of its engine.
func HardhatMetadata(r *api.Request) (any, error) {
	data := metadata(r)
	data.ClientVersion = edrVersion
	return data, nil
}

// HardhatSetIntervalMining serves evm_setIntervalMining in milliseconds.
func HardhatSetIntervalMining(r *api.Request, milliseconds api.Number) (any, error) {
	if uint64(milliseconds) > maxSeconds*1000 {
		return nil, api.InvalidParams("%s: an interval of %d ms is too long: the limit is %d seconds", r.Method, milliseconds, maxSeconds)
	}
	return SetIntervalMining(r, seconds(milliseconds)/1000)
}

// HardhatIncreaseTime serves evm_increaseTime. It answers by how many seconds the clock is ahead of the wall clock, in
// decimal; where the clock does not follow the wall, by how many it was moved.
func HardhatIncreaseTime(r *api.Request, by seconds) (any, error) {
	if _, err := IncreaseTime(r, by); err != nil {
		return nil, err
	}
	if !r.Moment().RealClock() {
		return strconv.FormatInt(int64(by), 10), nil
	}
	ahead := time.Until(r.Moment().Now())
	return strconv.FormatInt(int64(ahead.Round(time.Second)/time.Second), 10), nil
}

// HardhatSetNextBlockTimestamp serves evm_setNextBlockTimestamp and answers the timestamp in decimal.
func HardhatSetNextBlockTimestamp(r *api.Request, timestamp api.Number) (any, error) {
	_, err := SetNextBlockTimestamp(r, timestamp)
	var early *preconf.TimeError
	if !errors.As(err, &early) || early.Latest != 0 {
		return strconv.FormatUint(uint64(timestamp), 10), err
	}
	if early.Given+1 == early.Earliest {
		return nil, api.Errorf(api.CodeServer, "Timestamp %d is equal to the previous block's timestamp. "+
			"Enable the 'allowBlocksWithSameTimestamp' option to allow this", early.Given)
	}
	return nil, api.Errorf(api.CodeServer, "Timestamp %d is lower than the previous block's timestamp %d", early.Given, r.Moment().Latest().Time())
}
