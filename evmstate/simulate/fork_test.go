package simulate_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
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

// partly is a Source that has one account and cannot reach any other.
type partly struct{ reachable common.Address }

var errUnreachable = errors.New("unreachable")

func (partly) Number() uint64                        { return 0 }
func (partly) BlockHash(uint64) (common.Hash, error) { return common.Hash{}, errUnreachable }
func (p partly) Slot(common.Address, common.Hash) (common.Hash, error) {
	return common.Hash{}, errUnreachable
}

func (p partly) Account(address common.Address) (evmstate.SourceAccount, error) {
	if address != p.reachable {
		return evmstate.SourceAccount{}, errUnreachable
	}
	return evmstate.SourceAccount{Balance: ether}, nil
}

// Ensure a question whose sender, target or override is on a chain that does not answer has that chain's error.
func TestUnreachableAccounts(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	for _, reachable := range []common.Address{{}, rich} {
		v.State = evmstate.StateFromSource(partly{reachable})
		call, override := callTo(target, 1), simulate.StateOverrides{nobody: {Nonce: new(uint64)}}
		for name, ask := range map[string]func(simulate.StateOverrides) error{
			"call": func(so simulate.StateOverrides) error {
				_, err := simulate.RunCall(t.Context(), v, call, so, nil, simulate.Limits{})
				return err
			},
			"estimate": func(so simulate.StateOverrides) error {
				gas, err := simulate.EstimateGas(t.Context(), v, call, so, nil, simulate.Limits{})
				require.Zero(t, gas)
				return err
			},
			"list": func(so simulate.StateOverrides) error {
				list, gas, failure, err := simulate.CreateAccessList(t.Context(), v, call, so, nil, simulate.Limits{})
				require.Nil(t, list)
				require.Zero(t, gas)
				require.NoError(t, failure)
				return err
			},
			"slot": func(simulate.StateOverrides) error {
				_, _, found, err := simulate.DecidingSlot(t.Context(), v, call, uint256.NewInt(1), simulate.Limits{})
				require.False(t, found)
				return err
			},
			"simulation": func(so simulate.StateOverrides) error {
				blocks := []simulate.Block{{Calls: []simulate.Call{call}, StateOverrides: so}}
				_, err := simulate.Run(t.Context(), v, simulate.Payload{Blocks: blocks}, simulate.Limits{})
				return err
			},
		} {
			require.ErrorIs(t, ask(nil), errUnreachable, name)
			require.ErrorIs(t, ask(override), errUnreachable, name)
		}
	}
}
