package chain_test

import (
	"maps"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
)

// newDenim returns a chain of blocks of 200 ms, with its system's contracts.
func newDenim(t *testing.T) *chain.Chain {
	t.Helper()
	g, rules := newGenesis(t, "osaka"), optimism.Denim.DefaultRules()
	maps.Copy(g.Alloc, predeploys.Alloc(rules, g.Timestamp))
	g.ExtraData, g.Coinbase = rules.ExtraData(), optimism.SequencerFeeVault
	return newChainOf(t, g, chain.Options{Optimism: rules})
}

// Ensure blocks of a fixed distance have a time in milliseconds on its lattice, and are refused beside it.
func TestBlocksOfMilliseconds(t *testing.T) {
	t.Parallel()
	c := newDenim(t)
	begun := uint64(genesisTime * 1000)
	ms, ok := c.Milliseconds(c.Head())
	require.True(t, ok)
	require.Equal(t, begun, ms)
	for i, env := range []chain.Env{{}, {}, {}, {}, {}, {Time: genesisTime + 2, Millis: 200}, {Time: genesisTime + 2, Millis: 400}, {}} {
		d := draft(t, c, env)
		want := begun + []uint64{200, 400, 600, 800, 1000, 2200, 2400, 2600}[i]
		ms, ok := d.Milliseconds()
		require.True(t, ok)
		require.Equal(t, want, ms)
		_, ok = draft(t, c, chain.Env{Time: env.Time, Millis: env.Millis, Unbegun: true}).Milliseconds()
		require.False(t, ok)
		view, err := c.Forecast(env)
		require.NoError(t, err)
		require.Equal(t, d.Header(), view.Header)
		require.EqualValues(t, want%1000, view.State.Storage(optimism.BaseTimeAddress, common.Hash{}).Big().Uint64())
		next, err := c.NextHeader(env)
		require.NoError(t, err)
		require.Equal(t, d.Header(), next)
		l1, err := c.NextL1(env)
		require.NoError(t, err)
		require.Equal(t, l1, d.L1())
		c, _ = seal(t, d)
		ms, ok = c.Milliseconds(c.Head())
		require.True(t, ok)
		require.Equal(t, want, ms)
		require.Equal(t, time.UnixMilli(int64(want)).UTC(), c.Time(c.Head()))
		require.Equal(t, want/1000, c.Head().Time())
	}
	for want, env := range map[string]chain.Env{
		"block time 1700000002.600 is neither 1700000002.800 nor a multiple of 200ms later": {Time: genesisTime + 2, Millis: 600},
		"block time 1700000002.900 is neither 1700000002.800 nor a multiple of 200ms later": {Time: genesisTime + 2, Millis: 900},
		"block time 1700000002.000 is neither 1700000002.800 nor a multiple of 200ms later": {Time: genesisTime + 2},
		"block time 1700000009.001 is neither 1700000002.800 nor a multiple of 200ms later": {Time: genesisTime + 9, Millis: 1},
	} {
		_, err := c.NewDraft(env)
		require.EqualError(t, err, want)
		_, err = c.Forecast(env)
		require.EqualError(t, err, want)
		_, err = c.NextHeader(env)
		require.EqualError(t, err, want)
		_, err = c.NextL1(env)
		require.EqualError(t, err, want)
	}
	plain := newChain(t, "osaka")
	_, err := plain.NewDraft(chain.Env{Time: genesisTime + 5, Millis: 7})
	require.EqualError(t, err, "block time 1700000005.007 has milliseconds, which the rules of the chain have none of")
	_, err = plain.NewDraft(chain.Env{Time: genesisTime - 1})
	require.EqualError(t, err, "block time 1699999999 is before its parent's, 1700000000")
	_, err = plain.NewDraft(chain.Env{Time: genesisTime})
	require.NoError(t, err, "only an import is strict")
	_, ok = plain.Milliseconds(plain.Head())
	require.False(t, ok)
	require.Equal(t, time.Unix(genesisTime, 0).UTC(), plain.Time(plain.Head()))
	_, ok = draft(t, plain, chain.Env{}).Milliseconds()
	require.False(t, ok)

	pruned := newChainOf(t, newGenesis(t, "osaka"), chain.Options{History: 2})
	pruned = grow(t, pruned, 60).Truncate(10)
	_, err = pruned.Forecast(chain.Env{})
	require.EqualError(t, err, "state of block 10 is pruned")
	_, err = plain.Forecast(chain.Env{Time: 1})
	require.ErrorContains(t, err, "is before its parent's")
}

// Ensure the blob base fee that a producer asks for is the least that a header can express at or above it, and that
// there is none before Cancun.
func TestBlobBaseFeeOfProducers(t *testing.T) {
	t.Parallel()
	c := newChain(t, "osaka")
	for _, fee := range []int64{0, 1, 2, 3, 1000, 1_000_000_007} {
		d := draft(t, c, chain.Env{BlobBaseFee: big.NewInt(fee)})
		have := d.BlobBaseFee()
		require.GreaterOrEqual(t, have.Int64(), fee)
		require.LessOrEqual(t, have.Int64(), max(fee+fee/1000, 1))
		if excess := *d.Header().ExcessBlobGas; excess > 0 {
			below := *d.Header()
			below.ExcessBlobGas = new(excess - 1)
			require.Less(t, c.BlobBaseFee(&below).Int64(), fee)
		}
		require.Equal(t, have, c.BlobBaseFee(d.Header()))
		have.SetInt64(9)
		require.NotEqual(t, have, d.BlobBaseFee(), "each call returns a copy")
	}
	most := draft(t, c, chain.Env{BlobBaseFee: new(big.Int).Lsh(common.Big1, 128)})
	require.GreaterOrEqual(t, most.BlobBaseFee().BitLen(), 129)
	shanghai := newChain(t, "shanghai")
	require.Nil(t, draft(t, shanghai, chain.Env{BlobBaseFee: big.NewInt(7)}).BlobBaseFee())
	require.Nil(t, shanghai.BlobBaseFee(shanghai.Head().Header()))
	denim := newDenim(t)
	require.Zero(t, *draft(t, denim, chain.Env{BlobBaseFee: big.NewInt(7)}).Header().ExcessBlobGas)
	_, err := c.NextHeader(chain.Env{GasLimit: params.MaxGasLimit})
	require.NoError(t, err)
	require.Nil(t, draft(t, newChain(t, "paris"), chain.Env{}).Withdrawals())
	require.NotNil(t, draft(t, c, chain.Env{}).Withdrawals())
}
