package tokencontract_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure a token placed at genesis is the one that deploying, configuring minters and minting leaves: code, nonce and
// every storage slot, so also the storage root.
func TestAllocEqualsDeployment(t *testing.T) {
	t.Parallel()
	for name, params := range map[string]tokencontract.Params{
		"defaults": {Owner: owner.Address},
		"roles apart": {
			Name: tokencontract.TestnetName, Symbol: "tUSDC", Currency: "TEST", Owner: owner.Address,
			MasterMinter: fixtures.Dev(5).Address, Pauser: fixtures.Dev(6).Address, Blacklister: fixtures.Dev(7).Address,
		},
		"name of 31 bytes": {Name: strings.Repeat("n", 31), Owner: owner.Address},
		"name of 32 bytes": {Name: strings.Repeat("n", 32), Owner: owner.Address},
		"name of 65 bytes": {Name: strings.Repeat("n", 65), Owner: owner.Address},
	} {
		for _, variant := range []tokencontract.Variant{tokencontract.Strict, tokencontract.DocumentedFlow} {
			t.Run(name+"/"+variant.String(), func(t *testing.T) {
				t.Parallel()
				genesis := tokencontract.Genesis{
					Params: params, Variant: variant, ChainID: testChainID,
					Minters:  map[common.Address]*uint256.Int{owner.Address: uint256.NewInt(70), merchant.Address: new(uint256.Int)},
					Balances: map[common.Address]*uint256.Int{payer.Address: uint256.NewInt(10), merchant.Address: uint256.NewInt(20)},
				}

				deployed := newEVM(t)
				outcome := deployed.Send(payer, nil, variant.DeployCode(params))
				require.True(t, outcome.Succeeded)
				token := outcome.Created
				master := fixtures.Account{Address: params.MasterMinter}
				if master.Address == (common.Address{}) {
					master = owner
				}
				must(t, deployed, master, token, binding.PackConfigureMinter(owner.Address, big.NewInt(100)))
				must(t, deployed, master, token, binding.PackConfigureMinter(merchant.Address, new(big.Int)))
				for account, balance := range genesis.Balances {
					must(t, deployed, owner, token, tokencontract.PackMint(account, balance))
				}

				genesis.Address = token
				account, err := tokencontract.Alloc(genesis)
				require.NoError(t, err)
				placed := newEVM(t)
				placed.place(token, account)
				require.Equal(t, deployed.state.GetCode(token), placed.state.GetCode(token))
				require.Equal(t, deployed.state.GetNonce(token), placed.state.GetNonce(token))
				require.Equal(t, deployed.storageRoot(token), placed.storageRoot(token))
			})
		}
	}
}

func TestAllocRefuses(t *testing.T) {
	t.Parallel()
	_, err := tokencontract.Alloc(tokencontract.Genesis{})
	require.ErrorIs(t, err, tokencontract.ErrNoOwner)

	_, err = tokencontract.Alloc(tokencontract.Genesis{
		Params:   tokencontract.Params{Owner: owner.Address},
		Balances: map[common.Address]*uint256.Int{payer.Address: new(uint256.Int).AddUint64(tokencontract.MaxBalance, 1)},
	})
	require.ErrorContains(t, err, "over 2^255 - 1")
}
