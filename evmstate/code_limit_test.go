package evmstate_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// Ensure init code may be twice as long as the limit of code and no byte longer, and that the error has both figures.
func TestCodeLimitOfInitCode(t *testing.T) {
	t.Parallel()
	check := func(limit evmstate.CodeLimit, size uint64) error {
		_, err := limit.CheckInit(params.MergedTestChainConfig, new(big.Int), 0, size)
		return err
	}
	require.NoError(t, check(30_000, 60_000))
	err := check(30_000, 60_001)
	require.ErrorIs(t, err, vm.ErrMaxInitCodeSizeExceeded)
	require.ErrorContains(t, err, "code size 60001 limit 60000")
	require.NoError(t, check(evmstate.NoCodeLimit, math.MaxUint64))
	require.NoError(t, check(math.MaxUint64/2, math.MaxUint64-1))
	require.Error(t, check(math.MaxUint64/2, math.MaxUint64))

	require.NoError(t, evmstate.CodeLimit(0).Validate())
	require.NoError(t, evmstate.CodeLimit(params.MaxCodeSize).Validate())
	require.ErrorContains(t, evmstate.CodeLimit(params.MaxCodeSize-1).Validate(), "code size limit of 24575 bytes is below 24576")
}
