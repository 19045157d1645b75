package eth_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure the fees of blobs in a history are those of each block's header and of the block after the last, that the
// ratio is of the block's most blobs, and that eth_blobBaseFee is the head's.
func TestBlobFees(t *testing.T) {
	t.Parallel()
	genesis := *servertest.Genesis()
	genesis.ExcessBlobGas, genesis.BlobGasUsed = new(uint64(150_000_000)), new(uint64(3<<17))
	c, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: c}, rpcserver.Config{})
	n.Seal(2)
	m := n.Timeline.Moment()
	want := []hexutil.Uint64{}
	for number := range uint64(3) {
		v, err := m.ByNumber(number)
		require.NoError(t, err)
		want = append(want, hexutil.Uint64(eip4844.CalcBlobFee(m.Chain().Config(), v.Header()).Uint64()))
	}
	want = append(want, hexutil.Uint64(eip4844.CalcBlobFee(m.Chain().Config(), m.NextHeader()).Uint64()))
	require.Greater(t, want[0], want[1], "the fee falls from block to block")
	require.Greater(t, want[2], want[3])
	all := servertest.Fetch[feeHistory](n, "eth_feeHistory", 3, "latest")
	require.Equal(t, want, all.BaseFeePerBlobGas)
	most := eip4844.MaxBlobGasPerBlock(m.Chain().Config(), genesis.Timestamp)
	require.Equal(t, []float64{float64(3<<17) / float64(most), 0, 0}, all.BlobGasUsedRatio)
	require.Equal(t, want[1:3], servertest.Fetch[feeHistory](n, "eth_feeHistory", 1, "0x1").BaseFeePerBlobGas)
	require.Equal(t, want[2], servertest.Fetch[hexutil.Uint64](n, "eth_blobBaseFee"))
	require.Equal(t, want[2:], servertest.Fetch[feeHistory](n, "eth_feeHistory", 1, "latest").BaseFeePerBlobGas)
}

// Ensure there is a base fee from the block before London on, and a history has zeros before, and for the fees of
// blobs.
func TestFeeHistoryBeforeLondon(t *testing.T) {
	t.Parallel()
	config, err := chain.ForkConfig("berlin", servertest.ChainID)
	require.NoError(t, err)
	config.LondonBlock = big.NewInt(3)
	genesis := *servertest.Genesis()
	genesis.Config, genesis.BaseFee, genesis.Difficulty = config, nil, big.NewInt(1)
	c, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: c, NoPreconf: true}, rpcserver.Config{})
	n.Seal(1)
	require.Equal(t, "null", string(servertest.Fetch[json.RawMessage](n, "eth_blobBaseFee")))
	history := servertest.Fetch[feeHistory](n, "eth_feeHistory", 2, "latest", []float64{50})
	require.Equal(t, feeHistory{
		Reward: [][]hexutil.Uint64{{0}, {0}}, GasUsedRatio: make([]float64, 2), BlobGasUsedRatio: make([]float64, 2),
		BaseFeePerGas: make([]hexutil.Uint64, 3), BaseFeePerBlobGas: make([]hexutil.Uint64, 3),
	}, history)
	require.Nil(t, servertest.Fetch[*string](n, "eth_baseFee"), "block 2 has none")
	require.Equal(t, "0x3b9aca00", servertest.Fetch[string](n, "eth_gasPrice"))
	n.Seal(1)
	history = servertest.Fetch[feeHistory](n, "eth_feeHistory", 1, "latest")
	require.Equal(t, []hexutil.Uint64{0, 1e9}, history.BaseFeePerGas, "London is the next block")
	require.Equal(t, "0x3b9aca00", servertest.Fetch[string](n, "eth_baseFee"))
	require.Equal(t, "0x77359400", servertest.Fetch[string](n, "eth_gasPrice"))
	n.Seal(1)
	history = servertest.Fetch[feeHistory](n, "eth_feeHistory", 2, "latest")
	require.Equal(t, []hexutil.Uint64{0, 1e9, 875e6}, history.BaseFeePerGas)
	require.Equal(t, []hexutil.Uint64{0, 1e9}, servertest.Fetch[feeHistory](n, "eth_feeHistory", 1, "0x2").BaseFeePerGas)
}

// Ensure a fee history has one base fee more than blocks, tips by percentiles of gas, and no more than 1,024 blocks and
// 100 percentiles.
func TestFeeHistoryLimits(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Pay(0, 1, 1)
	n.Pay(1, 2, 1)
	n.Seal(1)
	type history struct {
		OldestBlock   string
		Reward        [][]string
		BaseFeePerGas []string
		GasUsedRatio  []float64
	}
	is := servertest.Fetch[history](n, "eth_feeHistory", "0x9", "latest", []float64{0, 49.5, 50, 100})
	require.Equal(t, [][]string{{"0x0", "0x0", "0x0", "0x0"}, {"0x3b9aca00", "0x3b9aca00", "0x3b9aca00", "0x3b9aca00"}}, is.Reward)
	require.Equal(t, []float64{0, 42_000.0 / 60_000_000}, is.GasUsedRatio)
	require.Len(t, is.BaseFeePerGas, 3)
	require.JSONEq(t, `{"oldestBlock":"0x0","gasUsedRatio":[]}`, string(servertest.Fetch[json.RawMessage](n, "eth_feeHistory", 0, "0x99", []float64{7, 1})))
	many := make([]float64, 101)
	for i := range many {
		many[i] = float64(i)
	}
	n.Do("eth_feeHistory", 1, "latest", many[1:])
	n.Fails(api.CodeInvalidParams, "eth_feeHistory", 1, "latest", many)
	for _, percentiles := range [][]float64{{-1}, {100.5}, {50, 49}, {50, 50}} {
		n.Fails(api.CodeInvalidParams, "eth_feeHistory", 1, "latest", percentiles)
	}
	n.Refuses(api.CodeNotFound, []string{"0x99"}, "eth_feeHistory", 1, "0x99")
	n.Seal(1030)
	long := servertest.Fetch[history](n, "eth_feeHistory", 2000, "latest")
	require.Len(t, long.GasUsedRatio, 1024)
	require.Len(t, long.BaseFeePerGas, 1025)
	require.Equal(t, hexutil.EncodeUint64(1031+1-1024), long.OldestBlock)
}

// Ensure the rewards of a fee history are the tips at the percentiles of the block's gas, from the least tip on.
func TestFeeHistoryPercentiles(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	for i, tip := range []int64{2, 1} { // gwei
		n.Do("eth_sendTransaction", map[string]any{
			"from": fixtures.Dev(i).Address, "to": servertest.Bob.Address, "maxPriorityFeePerGas": hexutil.Uint64(tip * params.GWei), "maxFeePerGas": hexutil.Uint64(9 * params.GWei),
		})
	}
	n.Seal(1)
	history, err := n.Eth.FeeHistory(t.Context(), 1, nil, []float64{0, 50, 50.4, 100})
	require.NoError(t, err)
	low, high := big.NewInt(params.GWei), big.NewInt(2*params.GWei)
	require.Equal(t, []*big.Int{low, low, high, high}, history.Reward[0])
}

// Ensure the methods that tell of fees speak of the block at pending while a block is late, and that a fee history goes
// through it.
func TestFeesWhileABlockIsLate(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	type history struct{ BaseFeePerGas []hexutil.Uint64 }
	check := func() {
		t.Helper()
		block := servertest.Fetch[struct{ BaseFeePerGas hexutil.Uint64 }](n, "eth_getBlockByNumber", "pending", false)
		require.Equal(t, block.BaseFeePerGas, servertest.Fetch[hexutil.Uint64](n, "eth_baseFee"))
		require.Equal(t, block.BaseFeePerGas+1e9, servertest.Fetch[hexutil.Uint64](n, "eth_gasPrice"))
		fees := servertest.Fetch[history](n, "eth_feeHistory", "0x9", "pending").BaseFeePerGas
		require.Equal(t, block.BaseFeePerGas, fees[len(fees)-2])
		next := servertest.Fetch[history](n, "eth_feeHistory", "0x1", "latest").BaseFeePerGas[1]
		require.Contains(t, fees, next)
	}
	n.Seal(1)
	check()
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "lateBlock"})
	n.Seal(1)
	check()
	n.Preconfirm()
	check()
	n.Seal(1)
	check()
	// Late twice, as a reorg and a block come.
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "lateBlock"})
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "lateBlock"})
	n.Do("fakenode_reorg", map[string]any{"depth": 1})
	check()
	for range 4 {
		n.Do("evm_mine")
		check()
	}
}

// Ensure the last value of a fee history is the base fee of the next block where there is one, whatever set it.
func TestFeeHistoryEndsWithTheNextBlock(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Seal(1)
	n.Do("anvil_setNextBlockBaseFeePerGas", "0x1234")
	type history struct{ BaseFeePerGas []hexutil.Uint64 }
	want := servertest.Fetch[history](n, "eth_feeHistory", "0x1", "0x1")
	require.EqualValues(t, 0x1234, want.BaseFeePerGas[1])
	n.Seal(2)
	require.Equal(t, want, servertest.Fetch[history](n, "eth_feeHistory", "0x1", "0x1"))
}

// Ensure the rewards in a history of fees are those of transactions that pay: a deposit has none.
func TestRewardsBesideDeposits(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Chain: servertest.DenimChain(t)}, rpcserver.Config{})
	n.Seal(1)
	n.Pay(0, 1, 1)
	n.Seal(1)
	require.Greater(t, n.Timeline.Moment().Latest().Count(), 1)
	history := servertest.Fetch[struct{ Reward [][]hexutil.Uint64 }](n, "eth_feeHistory", 2, "latest", []int{0, 1, 50, 100})
	const tip = 1_000_000_000
	require.Equal(t, [][]hexutil.Uint64{{0, 0, 0, 0}, {tip, tip, tip, tip}}, history.Reward)
}
