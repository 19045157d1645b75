package command

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// edrVersion is the version of Hardhat 2.29's network in its hardhat_metadata.
const edrVersion = "edr/0.3.8/revm/33.1.0"

// HardhatMetadata serves hardhat_metadata as Hardhat does: with the version of its engine.
func HardhatMetadata(r *api.Request) (any, error) {
	data := metadata(r)
	data.ClientVersion = edrVersion
	return data, nil
}

// interval is the time between blocks, in milliseconds: one number, or the least and the most. Of two the least is
// used, so that blocks come at the same times in every run.
type interval api.Number

func (i *interval) UnmarshalJSON(raw []byte) error {
	if raw[0] != '[' {
		return json.Unmarshal(raw, (*api.Number)(i))
	}
	var bounds []api.Number
	if err := json.Unmarshal(raw, &bounds); err != nil {
		return err
	}
	if len(bounds) != 2 || bounds[0] > bounds[1] {
		return errors.New("not the least and the most")
	}
	*i = interval(bounds[0])
	return nil
}

// Wanted describes the parameter in errors.
func (interval) Wanted() string { return "milliseconds, or the least and the most in a list" }

// HardhatSetIntervalMining serves evm_setIntervalMining. An interval ends automining; 0 does not.
func HardhatSetIntervalMining(r *api.Request, milliseconds interval) (any, error) {
	if uint64(milliseconds) > maxSeconds*1000 {
		return nil, api.InvalidParams("%s: an interval of %d ms is too long: the limit is %d seconds", r.Method, milliseconds, maxSeconds)
	}
	if milliseconds == 0 && r.Moment().Mode() == control.Instant {
		return nil, nil
	}
	return SetIntervalMining(r, seconds(milliseconds)/1000)
}

func HardhatSetNonce(r *api.Request, account common.Address, nonce api.Number) (any, error) {
	state, err := r.Account(nil, account)
	if err != nil {
		return nil, err
	}
	if current := state.Nonce(account); uint64(nonce) < current {
		return nil, api.Errorf(api.CodeServer, "New nonce (%d) must not be smaller than the existing nonce (%d)", nonce, current)
	}
	return SetNonce(r, account, nonce)
}

// HardhatStopImpersonating serves hardhat_stopImpersonatingAccount and answers whether the account was impersonated.
func HardhatStopImpersonating(r *api.Request, account common.Address) (any, error) {
	was := r.Moment().Impersonated(account)
	return was, r.Network.Timeline.Set(preconf.Impersonate(account, false))
}

// HardhatIncreaseTime serves evm_increaseTime. It answers the number of seconds by which the clock is ahead of the wall
// clock, in decimal; if the clock does not follow the wall, the number by which it was moved.
func HardhatIncreaseTime(r *api.Request, by seconds) (any, error) {
	ahead, err := increaseTime(r, by)
	return strconv.FormatInt(ahead, 10), err
}

// AnvilIncreaseTime serves evm_increaseTime: HardhatIncreaseTime, as a number.
func AnvilIncreaseTime(r *api.Request, by seconds) (any, error) { return increaseTime(r, by) }

func increaseTime(r *api.Request, by seconds) (ahead int64, err error) {
	_, err = IncreaseTime(r, by)
	if d, ok := r.Network.Timeline.Ahead(); ok {
		return int64(d.Round(time.Second) / time.Second), err
	}
	return int64(by), err
}

// HardhatSetNextBlockTimestamp serves evm_setNextBlockTimestamp and answers the timestamp in decimal.
func HardhatSetNextBlockTimestamp(r *api.Request, timestamp api.Number) (any, error) {
	_, err := SetNextBlockTimestamp(r, timestamp)
	var early *control.TimeError
	if !errors.As(err, &early) || early.Latest != 0 {
		return strconv.FormatUint(uint64(timestamp), 10), err
	}
	if early.Given+1 == early.Earliest {
		return nil, api.Errorf(api.CodeServer, "Timestamp %d is equal to the previous block's timestamp. "+
			"Enable the 'allowBlocksWithSameTimestamp' option to allow this", early.Given)
	}
	return nil, api.Errorf(api.CodeServer, "Timestamp %d is lower than the previous block's timestamp %d", early.Given, r.Moment().Latest().Time())
}

// HardhatSetCode serves hardhat_setCode as Hardhat does: it wants 0x, and has no limit.
func HardhatSetCode(r *api.Request, account common.Address, code hexutil.Bytes) (any, error) {
	return SetAnyCode(r, account, bareBytes(code))
}
