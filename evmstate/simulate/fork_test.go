package simulate_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// later returns the genesis block of a chain whose config a test has changed.
func later(t *testing.T, fork string, change func(*params.ChainConfig)) chain.View {
	t.Helper()
	config, err := chain.ForkConfig(fork, chainID)
	require.NoError(t, err)
	before := newView(t, fork, nil)
	change(config)
	g := &chain.Genesis{Config: config, GasLimit: before.Header.GasLimit, Timestamp: before.Header.Time, Difficulty: before.Header.Difficulty,
		BaseFee: before.Header.BaseFee, Alloc: types.GenesisAlloc{rich: {Balance: before.State.Balance(rich).ToBig()}}}
	c, err := chain.New(g, chain.Options{})
	require.NoError(t, err)
	return headView(t, c)
}

// Ensure a call that an override moves into a fork whose blocks have fees that the block's own fork lacks runs there,
// under the fees that the fork begins with.
func TestCallMovedPastAForkHasItsFees(t *testing.T) {
	t.Parallel()
	beforeLondon := later(t, "berlin", func(c *params.ChainConfig) { c.LondonBlock = big.NewInt(10) })
	london := &simulate.BlockOverrides{Number: big.NewInt(10)}
	transfer := transfer(nobody, 1)
	transfer.GasPrice = big.NewInt(params.InitialBaseFee)
	r, err := simulate.RunCall(t.Context(), beforeLondon, transfer, nil, london, simulate.Limits{})
	require.NoError(t, err)
	require.NoError(t, r.Err)
	transfer.GasPrice = big.NewInt(params.InitialBaseFee - 1)
	_, err = simulate.RunCall(t.Context(), beforeLondon, transfer, nil, london, simulate.Limits{})
	require.ErrorIs(t, err, core.ErrFeeCapTooLow)
	_, err = simulate.EstimateGas(t.Context(), beforeLondon, callTo(nobody), nil, london, simulate.Limits{})
	require.NoError(t, err)
	_, _, _, err = simulate.CreateAccessList(t.Context(), beforeLondon, callTo(nobody), nil, london, simulate.Limits{})
	require.NoError(t, err)

	activation := uint64(1_800_000_000)
	beforeCancun := later(t, "shanghai", func(c *params.ChainConfig) {
		c.CancunTime, c.BlobScheduleConfig = &activation, &params.BlobScheduleConfig{Cancun: params.DefaultCancunBlobConfig}
	})
	read := simulate.Call{Data: returning(vm.BLOBBASEFEE)}
	for fee, override := range map[uint64]*simulate.BlockOverrides{
		params.BlobTxMinBlobGasprice: {Time: &activation},
		7:                            {Time: &activation, BlobBaseFee: big.NewInt(7)},
	} {
		r, err = simulate.RunCall(t.Context(), beforeCancun, read, nil, override, simulate.Limits{})
		require.NoError(t, err)
		require.NoError(t, r.Err)
		require.Equal(t, word(fee).Bytes(), r.ReturnData)
	}
}
