package rpcserver

import (
	"encoding/json"

	"github.com/fakenode/fakenode/preconf"
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
		return strictly(raw, (*members)(o))
	}
	return json.Unmarshal(raw, &o.Timestamp)
}

func (mineOptions) wanted() string { return "a timestamp in Unix seconds or {timestamp, blocks}" }

// evmMine serves evm_mine: seals a block, or as many as asked for.
func evmMine(r *request, options *mineOptions) (any, error) {
	if options == nil {
		options = &mineOptions{}
	}
	return mined, r.mine(options)
}

// mine seals blocks as options say.
func (r *request) mine(options *mineOptions) error {
	count, err := blockCount(options.Blocks)
	if err != nil {
		return err
	}
	if count > 0 && options.Timestamp != nil {
		if err := r.badInput(r.network.Timeline.SetNextBlockTime(uint64(*options.Timestamp))); err != nil {
			return err
		}
	}
	_, err = r.network.Timeline.SealContext(r.ctx, count)
	return refused(err)
}

// anvilMine serves anvil_mine: seals blocks whose timestamps are interval seconds apart; without one they
// are a block time apart.
func anvilMine(r *request, blocks, interval *Number) (any, error) {
	count, err := blockCount(blocks)
	if err != nil {
		return nil, err
	}
	if interval != nil && uint64(*interval) > maxSeconds {
		return nil, InvalidParams("%s: an interval of %d seconds is too long: the limit is %d", r.method, *interval, maxSeconds)
	}
	if interval == nil || *interval == 0 || count < 2 {
		_, err = r.network.Timeline.SealContext(r.ctx, count)
		return nil, refused(err)
	}
	for i := range count {
		if i > 0 {
			next := r.moment().Latest().Time() + uint64(*interval)
			if err := r.badInput(r.network.Timeline.SetNextBlockTime(next)); err != nil {
				return nil, err
			}
		}
		if _, err := r.network.Timeline.SealContext(r.ctx, 1); err != nil {
			return nil, refused(err)
		}
	}
	return nil, nil
}

// mineDetailed serves anvil_mine_detailed: evm_mine, answered with the blocks and their transactions.
func mineDetailed(r *request, options *mineOptions) (any, error) {
	if options == nil {
		options = &mineOptions{}
	}
	before := r.moment().Latest().Number()
	if err := r.mine(options); err != nil {
		return nil, err
	}
	m := r.moment()
	var blocks blockList
	for n := before + 1; n <= m.Latest().Number(); n++ {
		v, err := m.ByNumber(n)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, blockOf(v, true))
	}
	return blocks, nil
}

// blockList is blocks as anvil_mine_detailed answers them.
type blockList []blockObject

func (l blockList) appendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, block := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = block.appendJSON(dst)
	}
	return append(dst, ']')
}

// setAutomine serves evm_setAutomine: true seals a block for each transaction, false ends that.
func setAutomine(r *request, on bool) (any, error) {
	switch {
	case on:
		return nil, refused(r.network.Timeline.SetMode(preconf.Instant))
	case r.moment().Mode() == preconf.Instant:
		return nil, refused(r.network.Timeline.SetMode(preconf.Manual))
	}
	return nil, nil
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
	if err := r.badInput(r.network.Timeline.SetBlockTime(interval.duration())); err != nil {
		return nil, err
	}
	return nil, refused(r.network.Timeline.SetMode(preconf.Interval))
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
