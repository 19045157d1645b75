package rpcserver

import (
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// mined is what evm_mine answers, as other nodes do.
const mined = "0x0"

// mineOptions is the parameter of evm_mine: a timestamp, or {timestamp, blocks}.
type mineOptions struct {
	Timestamp *Number `json:"timestamp"` // Unix seconds, of the first block
	Blocks    *Number `json:"blocks"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *mineOptions) UnmarshalJSON(raw []byte) error {
	if raw[0] == '{' {
		type members mineOptions
		return jsonrpc.DecodeStrict(raw, (*members)(o))
	}
	return json.Unmarshal(raw, &o.Timestamp)
}

func (mineOptions) Wanted() string { return "a timestamp in Unix seconds or {timestamp, blocks}" }

// evmMine serves evm_mine: seals a block, or as many as asked for.
func evmMine(r *request, options *mineOptions) (any, error) {
	_, _, err := r.mineOptions(options)
	return mined, err
}

// mineDetailed serves anvil_mine_detailed: evm_mine, answered with the blocks and their transactions.
func mineDetailed(r *request, options *mineOptions) (any, error) {
	hashes, after, err := r.mineOptions(options)
	if err != nil {
		return nil, err
	}
	var blocks blockList
	for _, hash := range hashes {
		if v, err := after.ByHash(hash); err == nil { // else a fault made it late: it is not announced yet
			blocks = append(blocks, shape.BlockOf(v, true))
		}
	}
	return blocks, nil
}

// mineOptions is mine with the options of evm_mine.
func (r *request) mineOptions(options *mineOptions) (hashes []common.Hash, after *preconf.Moment, err error) {
	if options == nil {
		options = &mineOptions{}
	}
	return r.mine(options.Blocks, options.Timestamp, nil)
}

// anvilMine serves anvil_mine: seals blocks whose timestamps are interval seconds apart; without one they
// are a block time apart.
func anvilMine(r *request, blocks, interval *Number) (any, error) {
	if interval != nil && uint64(*interval) > maxSeconds {
		return nil, invalidParams("%s: an interval of %d seconds is too long: the limit is %d", r.method, *interval, maxSeconds)
	}
	_, _, err := r.mine(blocks, nil, interval)
	return nil, err
}

// mine seals blocks, 1 by default, the first with a timestamp of its own and the others interval seconds apart, where
// these are given, and returns their hashes and the node after them. Other writers come in between many blocks; on an
// error all is undone, see preconf.Timeline.InSteps.
func (r *request) mine(blocks, first, interval *Number) (hashes []common.Hash, after *preconf.Moment, err error) {
	count, err := blockCount(blocks)
	if err != nil {
		return nil, nil, err
	}
	after = r.moment()
	err = r.network.Timeline.InSteps(count, func(timeline *preconf.Timeline, i int) error {
		var at *Number
		switch {
		case i == 0:
			at = first
		case interval != nil && *interval > 0:
			at = new(Number(timeline.Moment().Latest().Time()) + *interval)
		}
		if at != nil {
			if err := r.badInput(timeline.SetNextBlockTime(uint64(*at))); err != nil {
				return err
			}
		}
		sealed, err := timeline.SealContext(r.ctx, 1)
		if err != nil {
			return refused(err)
		}
		hashes, after = append(hashes, sealed...), timeline.Moment()
		return nil
	})
	return hashes, after, err
}

// blockList is blocks as anvil_mine_detailed answers them.
type blockList []shape.Block

func (l blockList) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, block := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = block.AppendJSON(dst)
	}
	return append(dst, ']')
}

// setAutomine serves evm_setAutomine: true seals a block for each transaction, false ends that.
func setAutomine(r *request, on bool) (any, error) {
	if on {
		return nil, refused(r.network.Timeline.SetMode(preconf.Instant))
	}
	return nil, r.network.Timeline.Atomically(func(timeline *preconf.Timeline) error {
		if timeline.Moment().Mode() != preconf.Instant {
			return nil
		}
		return refused(timeline.SetMode(preconf.Manual))
	})
}

// minerStart serves miner_start, ganache's evm_setAutomine(true).
func minerStart(r *request, _ *Number) (any, error) { return setSealing(r, true) }

// minerStop serves miner_stop, ganache's evm_setAutomine(false).
func minerStop(r *request) (any, error) { return setSealing(r, false) }

// setSealing is setAutomine, answered as ganache does.
func setSealing(r *request, on bool) (any, error) {
	_, err := setAutomine(r, on)
	return true, err
}

// getAutomine serves anvil_getAutomine and eth_mining.
func getAutomine(r *request) (any, error) { return r.moment().Mode() == preconf.Instant, nil }

// setIntervalMining serves evm_setIntervalMining: a block every so many seconds of the clock; 0 leaves
// blocks to be sealed on command.
func setIntervalMining(r *request, interval seconds) (any, error) {
	if interval == 0 {
		return nil, refused(r.network.Timeline.SetMode(preconf.Manual))
	}
	return nil, r.network.Timeline.Atomically(func(timeline *preconf.Timeline) error {
		if err := r.badInput(timeline.SetBlockTime(interval.duration())); err != nil {
			return err
		}
		return refused(timeline.SetMode(preconf.Interval))
	})
}

// getIntervalMining serves anvil_getIntervalMining: the seconds between blocks, null when there is no
// interval.
func getIntervalMining(r *request) (any, error) {
	m := r.moment()
	if m.Mode() != preconf.Interval {
		return nil, nil
	}
	return m.BlockTime().Seconds(), nil
}
