package eth_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
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

// Ensure a history from before the fees of gas and of blobs has zeros, and blobs have no fee then.
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
	n.Seal(1)
	history = servertest.Fetch[feeHistory](n, "eth_feeHistory", 1, "latest")
	require.Equal(t, []hexutil.Uint64{0, 1e9}, history.BaseFeePerGas, "London is the next block")
	n.Seal(1)
	history = servertest.Fetch[feeHistory](n, "eth_feeHistory", 2, "latest")
	require.Equal(t, []hexutil.Uint64{0, 1e9, 875e6}, history.BaseFeePerGas)
	require.Equal(t, []hexutil.Uint64{0, 1e9}, servertest.Fetch[feeHistory](n, "eth_feeHistory", 1, "0x2").BaseFeePerGas)
}
