package preconf_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pool"
)

func TestConfigRefused(t *testing.T) {
	t.Parallel()
	on, err := chain.New(genesis, chain.Options{})
	require.NoError(t, err)
	_, err = preconf.New(preconf.Config{})
	require.EqualError(t, err, "config has no chain")
	for name, cfg := range map[string]preconf.Config{
		"mode":            {Mode: 7},
		"order":           {Order: -1},
		"order above":     {Order: pool.FeeCap + 1},
		"block time":      {BlockTime: -time.Second},
		"long block time": {BlockTime: control.LongestTime + 1},
		"flashblock time": {FlashblockTime: time.Nanosecond},
		"long flashblock": {FlashblockTime: control.LongestTime + 1},
		"extra data":      {Behaviour: preconf.Behaviour{ExtraData: make([]byte, 33)}},
		"filters":         {Filters: filter.Limits{Count: -1}},
	} {
		cfg.Chain = on
		_, err := preconf.New(cfg)
		require.Error(t, err, name)
	}
}

// Errors say what was given and what is allowed.
func TestErrorsNameTheLimit(t *testing.T) {
	t.Parallel()
	timeline := threeBlocks(t)
	_, unknownNumber := timeline.Moment().ByNumber(9)
	_, unknownHash := timeline.Moment().ByHash(common.Hash{0xab})
	_, beyond := timeline.Moment().LogRange(filter.At(1), filter.At(9))
	_, reversed := timeline.Moment().LogRange(filter.At(3), filter.At(2))
	_, deep := timeline.Reorg(control.ReorgOptions{Depth: 8})
	_, bad := timeline.Reorg(control.ReorgOptions{Depth: 1, Blocks: [][]*types.Transaction{{accounts[5].pay(4, sink, 1)}}})
	_, filter := timeline.Filters().Changes(0x1f, preconf.Lag{})
	_, late := timeline.Advance(control.LatestTime*time.Second - time.Duration(start.UnixNano()))
	for want, err := range map[string]error{
		"block not found: 0x9 is above head 0x3":                          unknownNumber,
		"block not found: hash 0xab00":                                    unknownHash,
		"block range extends beyond current head block: to 0x9, head 0x3": beyond,
		"invalid block range params: from 0x3 is above to 0x2":            reversed,
		"reorg of depth 8 is deeper than the chain: at most 3":            deep,
		"of replacement block 0: nonce too high":                          bad,
		"filter not found: 0x1f":                                          filter,
		"unknown snapshot 0x5":                                            timeline.Revert(5),
		"time 5 is before 1700000006, the earliest allowed":               timeline.SetTime(time.Unix(5, 0)),
		"time 6000000006 is after 6000000000, the latest allowed":         late,
		"gas limit 9223372036854775808 is above 9223372036854775807":      timeline.Set(preconf.GasLimit(1 << 63)),
		"base fee -1 is not between 0 and 2^256-1":                        timeline.Set(preconf.NextBaseFee(big.NewInt(-1))),
		"time 6000000001 is after 6000000000, the latest allowed":         timeline.Set(preconf.NextBlockTime(control.LatestTime + 1)),
		`weather of "wind": want one of [baseFee`:                         timeline.Set(preconf.Weather(control.Weather{Of: "wind", Shape: control.Calm})),
	} {
		require.ErrorContains(t, err, want)
	}
}

// Where the fork schedule ends, blocks end; reading goes on.
func TestRulesThatAllowNoNextBlock(t *testing.T) {
	t.Parallel()
	config := *genesis.Config
	config.BogotaTime = new(uint64(start.Unix()) + 4)
	ends := *genesis
	ends.Config = &config
	on, err := chain.New(&ends, chain.Options{})
	require.NoError(t, err)
	timeline := newTimeline(t, preconf.Config{Chain: on})
	seal(t, timeline, 1)
	_, err = timeline.Seal(1)
	require.ErrorContains(t, err, "bogota")
	_, err = timeline.Preconfirm()
	require.ErrorContains(t, err, "bogota")
	_, err = timeline.Advance(time.Minute)
	require.ErrorContains(t, err, "bogota")
	m := timeline.Moment()
	require.EqualValues(t, 1, m.Latest().Number())
	require.Equal(t, m.Latest().Hash(), m.Pending().Hash())
	require.Error(t, timeline.Set(preconf.Coinbase(sink)))
	require.Error(t, timeline.EditState(func(s *evmstate.State) *evmstate.State { return s }))
	_, err = timeline.Reorg(control.ReorgOptions{Depth: 1})
	require.ErrorContains(t, err, "bogota")
	require.Same(t, m, timeline.Moment())
}

// Logs without data, and without topics, are altered too.
func TestAlteredLogsOfEveryShape(t *testing.T) {
	t.Parallel()
	plain, topic := common.HexToAddress("0xe1"+fmt.Sprintf("%038d", 0)), common.HexToAddress("0xe2"+fmt.Sprintf("%038d", 0))
	timeline := newTimeline(t, preconf.Config{})
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithCode(plain, common.FromHex("60006000a000")).WithCode(topic, common.FromHex("600760006000a100"))
	}))
	fault(t, timeline, control.FlashblockFault{Kind: control.AlterLogs})
	send(t, timeline, accounts[0].sign(types.DynamicFeeTx{To: &plain}), accounts[1].sign(types.DynamicFeeTx{To: &topic}))
	logs := preconfirm(t, timeline).Logs
	require.Equal(t, []byte{1}, logs[0].Data)
	require.Equal(t, common.BigToHash(big.NewInt(6)), logs[1].Topics[0])
	require.True(t, types.BloomLookup(timeline.Moment().Pending().Receipts()[1].Bloom, logs[1].Topics[0]))
	seal(t, timeline, 1)
	logs = timeline.Moment().Latest().Logs()
	require.Empty(t, logs[0].Data)
	require.Equal(t, common.BigToHash(big.NewInt(7)), logs[1].Topics[0])
}

// Ensure a tip of zero is refused where nodes ask for one, unless blocks cost nothing.
func TestLeastTip(t *testing.T) {
	t.Parallel()
	free := func(nonce uint64) *types.Transaction {
		return accounts[0].sign(types.DynamicFeeTx{Nonce: nonce, To: &emitter, GasTipCap: new(big.Int)})
	}
	timeline := newTimeline(t, preconf.Config{Pool: pool.Behaviour{RequireTip: true}})
	err := timeline.Send(free(0))
	require.ErrorIs(t, err, txpool.ErrTxGasPriceTooLow)
	require.ErrorContains(t, err, "gas tip cap 0, minimum needed 1")
	require.NoError(t, timeline.Send(accounts[0].sign(types.DynamicFeeTx{To: &emitter, GasTipCap: big.NewInt(1)})))
	require.NoError(t, timeline.Set(preconf.NextBaseFee(new(big.Int))))
	require.NoError(t, timeline.Send(free(1)))
	require.NoError(t, newTimeline(t, preconf.Config{}).Send(free(0)), "nobody asks for one")
}
