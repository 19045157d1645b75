package command

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// MineOptions is the parameter of evm_mine: a timestamp, or {timestamp, blocks}.
type MineOptions struct {
	api.ControlObject `wanted:"a timestamp in Unix seconds or {timestamp, blocks}"`

	Timestamp *api.Number `json:"timestamp"` // Unix seconds, of the first block
	Blocks    *api.Number `json:"blocks"`
}

func (o *MineOptions) UnmarshalJSON(raw []byte) error {
	if raw[0] == '{' {
		type members MineOptions
		return json.Unmarshal(raw, (*members)(o))
	}
	return json.Unmarshal(raw, &o.Timestamp)
}

// EvmMine serves evm_mine: seals a block, or as many as asked for.
func EvmMine(r *api.Request, options *MineOptions) (any, error) {
	_, _, err := mineWith(r, options)
	return "0x0", err // as other nodes do
}

// MineDetailed serves anvil_mine_detailed: evm_mine, answered with the blocks and their transactions.
func MineDetailed(r *api.Request, options *MineOptions) (any, error) {
	hashes, after, err := mineWith(r, options)
	if err != nil {
		return nil, err
	}
	var blocks BlockList
	for _, hash := range hashes {
		if v, err := after.ByHash(hash); err == nil { // a fault may have made it late: it is not announced yet
			blocks = append(blocks, shape.BlockOf(v, true))
		}
	}
	return blocks, nil
}

// mineWith is mine with the options of evm_mine.
func mineWith(r *api.Request, options *MineOptions) (hashes []common.Hash, after *preconf.Moment, err error) {
	options = cmp.Or(options, new(MineOptions))
	return mine(r, options.Blocks, timed(options.Timestamp, nil))
}

// AnvilMine serves anvil_mine: seals blocks interval seconds, or a block time, apart.
func AnvilMine(r *api.Request, blocks, interval *api.Number) (any, error) {
	if interval != nil && uint64(*interval) > maxSeconds {
		return nil, api.InvalidParams("%s: an interval of %d seconds is too long: the limit is %d", r.Method, *interval, maxSeconds)
	}
	_, _, err := mine(r, blocks, timed(nil, interval))
	return nil, err
}

// MineApart is AnvilMine with a clock that goes interval seconds forward before each block.
func MineApart(r *api.Request, blocks, interval *api.Number) (any, error) {
	if interval == nil || *interval == 0 || uint64(*interval) > maxSeconds {
		return AnvilMine(r, blocks, interval)
	}
	_, _, err := mine(r, blocks, func(own *preconf.Timeline, _ int) error {
		return own.IncreaseTime(time.Duration(*interval) * time.Second)
	})
	return nil, err
}

// timed returns a function for mine that gives the first block a timestamp, where there is one, and each later one a
// timestamp interval seconds after its parent's.
func timed(first, interval *api.Number) func(*preconf.Timeline, int) error {
	return func(own *preconf.Timeline, i int) error {
		at := first
		if i > 0 {
			if at = nil; interval != nil && *interval > 0 {
				at = new(api.Number(own.Moment().Latest().Time()) + *interval)
			}
		}
		if at == nil {
			return nil
		}
		return own.Set(preconf.NextBlockTime(uint64(*at)))
	}
}

// mine seals blocks, 1 by default, and returns their hashes and the node after them. It calls before in front of each.
// Other writers may write between the blocks; on an error everything is undone, see preconf.Timeline.InSteps.
func mine(r *api.Request, blocks *api.Number, before func(own *preconf.Timeline, i int) error) (hashes []common.Hash, after *preconf.Moment, err error) {
	count, err := blockCount(blocks)
	if err != nil {
		return nil, nil, err
	}
	err = untilClosed(r, func(ctx context.Context) error {
		return r.Network.Timeline.InSteps(count, func(own *preconf.Timeline, i int) error {
			if err := r.BadInput(before(own, i)); err != nil {
				return err
			}
			sealed, err := own.SealContext(ctx, 1)
			if err != nil {
				return api.Refused(err)
			}
			hashes, after = append(hashes, sealed...), own.Moment()
			return nil
		})
	})
	return hashes, after, err
}

// BlockList is the list of blocks that anvil_mine_detailed answers.
type BlockList []shape.Block

func (l BlockList) AppendJSON(dst []byte) []byte {
	return shape.AppendArray(dst, len(l), func(dst []byte, i int) []byte { return l[i].AppendJSON(dst) })
}

// SetAutomine serves evm_setAutomine: true seals transactions as they come, false ends that.
func SetAutomine(r *api.Request, on bool) (any, error) {
	if on {
		return nil, api.Refused(r.Network.Timeline.Set(preconf.Mode(control.Instant)))
	}
	return nil, r.Network.Timeline.Atomically(func(timeline *preconf.Timeline) error {
		if timeline.Moment().Mode() != control.Instant {
			return nil
		}
		return api.Refused(timeline.Set(preconf.Mode(control.Manual)))
	})
}

// MinerStart serves miner_start, which is ganache's evm_setAutomine(true).
func MinerStart(r *api.Request, _ *api.Number) (any, error) { return SetAutomine(r, true) }

// MinerStop serves miner_stop, which is ganache's evm_setAutomine(false).
func MinerStop(r *api.Request) (any, error) { return SetAutomine(r, false) }

// GetAutomine serves anvil_getAutomine and eth_mining.
func GetAutomine(r *api.Request) (any, error) { return r.Moment().Mode() == control.Instant, nil }

// SetIntervalMining serves evm_setIntervalMining: a block every so many seconds of the clock; 0: only on command.
func SetIntervalMining(r *api.Request, interval seconds) (any, error) {
	r.Network.Timeline.CatchUpNow(r.Ctx)
	defer r.Network.Timeline.CatchUpNow(r.Ctx)
	if interval == 0 {
		return nil, api.Refused(r.Network.Timeline.Set(preconf.Mode(control.Manual)))
	}
	return nil, r.BadInput(r.Network.Timeline.Set(preconf.BlockTime(interval.duration()), preconf.Mode(control.Interval)))
}

// GetIntervalMining serves anvil_getIntervalMining: the seconds between blocks, null without an interval.
func GetIntervalMining(r *api.Request) (any, error) {
	m := r.Moment()
	if m.Mode() != control.Interval {
		return nil, nil
	}
	return m.BlockTime().Seconds(), nil
}

// setting returns a method that changes one setting, which of makes of the parameter.
func setting[T any](of func(T) preconf.Setting) func(*api.Request, T) (any, error) {
	return func(r *api.Request, given T) (any, error) { return nil, r.BadInput(r.Network.Timeline.Set(of(given))) }
}

// ofNumber returns a setting of a number as one of a Number.
func ofNumber(of func(uint64) preconf.Setting) func(api.Number) preconf.Setting {
	return func(n api.Number) preconf.Setting { return of(uint64(n)) }
}

// The methods that change one setting.
var (
	// SetCoinbase serves anvil_setCoinbase: the account that receives the tips.
	SetCoinbase = setting(preconf.Coinbase)
	// SetNextBlockBaseFeePerGas serves anvil_setNextBlockBaseFeePerGas, in wei.
	SetNextBlockBaseFeePerGas = setting(func(wei amount) preconf.Setting { return preconf.NextBaseFee(wei.ToBig()) })
	SetNextBlockPrevRandao    = setting(preconf.NextPrevRandao)
	// SetNextBlockTimestamp serves evm_setNextBlockTimestamp, in Unix seconds.
	SetNextBlockTimestamp = setting(ofNumber(preconf.NextBlockTime))
	// SetBlockTimestampInterval serves anvil_setBlockTimestampInterval: the seconds between timestamps of blocks.
	SetBlockTimestampInterval = setting(ofNumber(func(seconds uint64) preconf.Setting { return preconf.TimestampInterval(&seconds) }))
	SetSafe                   = setting(ofNumber(preconf.Safe))
	SetFinalized              = setting(ofNumber(preconf.Finalized))
	// ImpersonateAccount serves anvil_impersonateAccount: eth_sendTransaction takes transactions from the account without
	// its key. StopImpersonatingAccount ends that.
	ImpersonateAccount       = setting(func(a common.Address) preconf.Setting { return preconf.Impersonate(a, true) })
	StopImpersonatingAccount = setting(func(a common.Address) preconf.Setting { return preconf.Impersonate(a, false) })
	// AutoImpersonateAccount serves anvil_autoImpersonateAccount: it impersonates every account, or ends that.
	AutoImpersonateAccount = setting(preconf.ImpersonateAll)
)

func SetBlockGasLimit(r *api.Request, gas api.Number) (any, error) {
	if gas == 0 {
		return nil, api.InvalidParams("%s: a gas limit of 0 leaves no room for any transaction", r.Method)
	}
	return true, r.BadInput(r.Network.Timeline.Set(preconf.GasLimit(uint64(gas))))
}

// SetMinGasPrice serves anvil_setMinGasPrice: always rejected, since the base fee decides (EIP-1559).
func SetMinGasPrice(r *api.Request, _ amount) (any, error) {
	return nil, api.InvalidParams("%s is not supported when EIP-1559 is active", r.Method)
}

// IncreaseTime serves evm_increaseTime: it moves the clock forward, seals nothing, and answers the seconds.
func IncreaseTime(r *api.Request, by seconds) (any, error) {
	return float64(by), r.BadInput(r.Network.Timeline.IncreaseTime(by.duration()))
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

// AnvilSetTime serves evm_setTime as anvil does: a time above 10^12 is in milliseconds.
func AnvilSetTime(r *api.Request, to api.Number) (any, error) {
	if to > 1e12 {
		to /= 1000
	}
	return SetTime(r, to)
}

// HardhatSetBlockTimestampInterval serves hardhat_setBlockTimestampInterval, in milliseconds, as viem sends it.
func HardhatSetBlockTimestampInterval(r *api.Request, milliseconds api.Number) (any, error) {
	if milliseconds%1000 != 0 {
		return nil, api.InvalidParams("%s: an interval of %d ms is not a whole number of seconds", r.Method, milliseconds)
	}
	return SetBlockTimestampInterval(r, milliseconds/1000)
}

func RemoveBlockTimestampInterval(r *api.Request) (any, error) {
	return true, r.BadInput(r.Network.Timeline.Set(preconf.TimestampInterval(nil)))
}

// GetGenesisTime serves anvil_getGenesisTime, in Unix seconds. On a fork that is the time of the fork block.
func GetGenesisTime(r *api.Request) (any, error) {
	c := r.Moment().Chain()
	return c.BlockByNumber(c.Base()).Time(), nil
}
