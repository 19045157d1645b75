package optimism_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// rulesOf returns Ethereum's rules of the hard fork that an upgrade names.
func rulesOf(u *optimism.Upgrade) params.Rules {
	return params.Rules{IsPrague: true, IsCancun: true, IsBerlin: true, IsOsaka: u.Hardfork == "osaka"}
}

// TestPrecompileInputLimits checks each limit of each upgrade: input of exactly that size is accepted, one byte more
// and one element more are not, though Ethereum accepts the latter.
func TestPrecompileInputLimits(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	const pairing, g1MSM, g2MSM, blsPairing = 0x08, 0x0c, 0x0e, 0x0f
	elements := map[byte]int{pairing: 192, g1MSM: 160, g2MSM: 288, blsPairing: 384} // bytes
	jovian := map[byte]int{pairing: 81_984, g1MSM: 288_960, g2MSM: 278_784, blsPairing: 156_672}
	karst := map[byte]int{pairing: 57_600, g1MSM: 288_960, g2MSM: 278_784, blsPairing: 156_672}
	for upgrade, limits := range map[*optimism.Upgrade]map[byte]int{
		optimism.Jovian: jovian, optimism.Azul: jovian, optimism.Karst: karst, optimism.Denim: jovian,
	} {
		ours, ethereum := upgrade.Precompiles(rulesOf(upgrade)), vm.ActivePrecompiledContracts(rulesOf(upgrade))
		for index, limit := range limits {
			address := common.BytesToAddress([]byte{index})
			require.Zero(t, limit%elements[index], "whole elements")
			_, err := ours[address].Run(make([]byte, limit))
			require.NoError(t, err, "%s %s", upgrade.Name, address)
			for _, size := range []int{limit + 1, limit + elements[index]} {
				_, err = ours[address].Run(make([]byte, size))
				require.ErrorIs(t, err, optimism.ErrInputTooLong, "%s %s: %d bytes", upgrade.Name, address, size)
			}
			input := make([]byte, limit+elements[index])
			_, err = ethereum[address].Run(input)
			require.NoError(t, err)
			require.Equal(t, ethereum[address].RequiredGas(input), ours[address].RequiredGas(input))
			require.Equal(t, ethereum[address].Name(), ours[address].Name())
		}
	}
}

// TestPrecompilePrices checks the gas of P256VERIFY and of MODEXP, and its limit of 1,024 bytes a field (EIP-7823),
// under each upgrade.
func TestPrecompilePrices(t *testing.T) {
	t.Parallel()
	p256, modexp := common.BytesToAddress([]byte{1, 0}), common.BytesToAddress([]byte{5})
	field := func(size int) []byte { // an exponent of that size; base and modulus are empty
		return append(append(make([]byte, 32), common.BigToHash(big.NewInt(int64(size))).Bytes()...), make([]byte, 32+size)...)
	}
	for _, test := range []struct {
		upgrade        *optimism.Upgrade
		verify, modexp uint64
		bounded        bool
	}{
		{optimism.Jovian, 3_450, 200, false},
		{optimism.Azul, 6_900, 500, true},
		{optimism.Karst, 6_900, 500, true},
		{optimism.Denim, 6_900, 500, true},
	} {
		contracts := test.upgrade.Precompiles(rulesOf(test.upgrade))
		require.Equal(t, test.verify, contracts[p256].RequiredGas(make([]byte, 160)), test.upgrade.Name)
		require.Equal(t, test.modexp, contracts[modexp].RequiredGas(field(1)), test.upgrade.Name)
		_, err := contracts[modexp].Run(field(1_024))
		require.NoError(t, err, test.upgrade.Name)
		_, err = contracts[modexp].Run(field(1_025))
		require.Equal(t, test.bounded, err != nil, test.upgrade.Name)
	}
}

// TestUpgradeNames checks that an upgrade is found by its name, and that an unknown name is answered with all of them.
func TestUpgradeNames(t *testing.T) {
	t.Parallel()
	for _, upgrade := range []*optimism.Upgrade{optimism.Jovian, optimism.Azul, optimism.Karst, optimism.Denim} {
		found, err := optimism.UpgradeNamed(upgrade.Name)
		require.NoError(t, err)
		require.Same(t, upgrade, found)
	}
	_, err := optimism.UpgradeNamed("granite")
	require.EqualError(t, err, `rules "granite" are none of an OP-stack chain: want jovian, azul, karst, denim, lagoon`)
}
