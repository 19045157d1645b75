package tokencontract_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
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

// deployBare creates the token's code without initialising it, with an account on its former blacklist.
func (w *world) deployBare(formerlyListed common.Address) *world {
	bare := *w
	slot := tokencontract.MappingSlot(tokencontract.SlotFormerBlacklist, formerlyListed)
	bare.token = w.deploy(program.New().Sstore(slot, 1).ReturnViaCodeCopy(tokencontract.Strict.RuntimeCode()).Bytes())
	bare.domain.VerifyingContract = bare.token
	return &bare
}

// packInitialize appoints accounts 4 to 7 of the world; change edits the addresses first.
func (w *world) packInitialize(change func(masterMinter, pauser, blacklister, owner *common.Address)) []byte {
	roles := [4]common.Address{w.masterMinter.Address, w.pauser.Address, w.blacklister.Address, w.owner.Address}
	change(&roles[0], &roles[1], &roles[2], &roles[3])
	return binding.PackInitialize("First name", "FIRST", "EUR", 6, roles[0], roles[1], roles[2], roles[3])
}

func unchanged(_, _, _, _ *common.Address) {}

func initializeCases() []tableCase {
	text := func(w *world, data []byte) string {
		outcome := w.chain.Call(nobody, w.token, data)
		name, err := binding.UnpackName(outcome.Output)
		require.NoError(w.t, err)
		return name
	}
	return []tableCase{
		newCase("initialize/a deployed token is initialised", func(w *world) {
			w.reverts(w.owner, w.packInitialize(unchanged), "FiatToken: contract is already initialized")
			w.reverts(w.owner, binding.PackInitializeV2("Other"), "")
			w.reverts(w.owner, binding.PackInitializeV21(w.owner.Address), "")
			w.reverts(w.owner, binding.PackInitializeV22(nil, "OTHER"), "")
			require.Equal(w.t, tokencontract.MainnetName, text(w, binding.PackName()))
			require.Equal(w.t, tokencontract.Symbol, text(w, binding.PackSymbol()))
			require.Equal(w.t, tokencontract.Currency, text(w, binding.PackCurrency()))
			require.Equal(w.t, tokencontract.Version, text(w, binding.PackVersion()))
			require.EqualValues(w.t, tokencontract.Decimals, w.read(binding.PackDecimals()).Uint64())
			require.True(w.t, w.read(binding.PackRescuer()).IsZero())
		}),
		newCase("initialize/all four steps", func(w *world) {
			w = w.deployBare(w.stranger.Address)
			require.Empty(w.t, text(w, binding.PackName()))
			for _, later := range [][]byte{binding.PackInitializeV2("Second name"), binding.PackInitializeV21(w.owner.Address), binding.PackInitializeV22(nil, "SECOND")} {
				w.reverts(w.owner, later, "")
			}
			w.must(w.owner, w.packInitialize(unchanged))
			require.Equal(w.t, "First name", text(w, binding.PackName()))
			w.must(w.owner, binding.PackInitializeV2("Second name"))
			require.Equal(w.t, "Second name", text(w, binding.PackName()))
			w.reverts(w.owner, binding.PackInitializeV2("Third name"), "")

			w.must(w.masterMinter, binding.PackConfigureMinter(w.mint.Address, bigMax))
			w.fund(w.token, ten) // stranded
			outcome := w.must(w.owner, binding.PackInitializeV21(w.merchant.Address))
			w.transferLogIs(outcome.Logs[0], w.token, w.merchant.Address, ten)
			w.is(true, binding.PackIsBlacklisted(w.token))
			w.reverts(w.owner, binding.PackInitializeV21(w.merchant.Address), "")

			w.is(false, binding.PackIsBlacklisted(w.stranger.Address))
			w.reverts(w.owner, binding.PackInitializeV22([]common.Address{w.stranger.Address, w.payer.Address}, "SECOND"),
				"FiatTokenV2_2: Blacklisting previously unblacklisted account!")
			w.must(w.owner, binding.PackInitializeV22([]common.Address{w.stranger.Address}, "SECOND"))
			w.is(true, binding.PackIsBlacklisted(w.stranger.Address))
			require.True(w.t, w.slot(tokencontract.MappingSlot(tokencontract.SlotFormerBlacklist, w.stranger.Address)).IsZero())
			require.Equal(w.t, "SECOND", text(w, binding.PackSymbol()))
			w.reverts(w.owner, binding.PackInitializeV22(nil, "THIRD"), "")
		}),
	}
}

// storageCases read the slots that recipes for real tokens write.
func storageCases() []tableCase {
	return []tableCase{
		newCase("storage/slots of single values", func(w *world) {
			one := uint256.NewInt(1)
			w.must(w.owner, binding.PackUpdateRescuer(w.relayer.Address))
			w.pause()
			flagged := func(a common.Address) *uint256.Int {
				return plus(new(uint256.Int).Lsh(one, 160), new(uint256.Int).SetBytes(a[:]))
			}
			number := func(b []byte) *uint256.Int { return new(uint256.Int).SetBytes(b) }
			text := func(s string) *uint256.Int {
				return number(append(common.RightPadBytes([]byte(s), 31), byte(2*len(s))))
			}
			separator := w.domain.Separator()
			for slot, want := range map[uint64]*uint256.Int{
				0: number(w.owner.Address[:]), 1: flagged(w.pauser.Address), 2: number(w.blacklister.Address[:]),
				3: new(uint256.Int), 4: text("USD Coin"), 5: text("USDC"), 6: uint256.NewInt(6), 7: text("USD"),
				8: flagged(w.masterMinter.Address), 9: new(uint256.Int), 10: new(uint256.Int), 11: plus(startUSD, startUSD),
				12: new(uint256.Int), 13: new(uint256.Int), 14: number(w.relayer.Address[:]), 15: number(separator[:]),
				16: new(uint256.Int), 17: new(uint256.Int), 18: uint256.NewInt(3),
			} {
				require.Equal(w.t, want.Hex(), w.slot(uint256.NewInt(slot).Bytes32()).Hex(), "slot %d", slot)
			}
		}),
		newCase("storage/slots of mappings", func(w *world) {
			s := signers[0]
			a, p := w.terms(s), w.permit(s)
			w.must(w.relayer, settlements[0].signed(w, s, a))
			w.must(w.relayer, s.permit(w, p, w.payer))
			w.must(w.masterMinter, binding.PackConfigureMinter(w.mint.Address, ten.ToBig()))
			spender := tokencontract.MappingSlot(10, p.Owner)
			for name, row := range map[string]struct {
				slot common.Hash
				want *uint256.Int
			}{
				"balance":         {tokencontract.MappingSlot(9, w.merchant.Address), ten},
				"allowance":       {crypto.Keccak256Hash(common.LeftPadBytes(p.Spender[:], 32), spender[:]), ten},
				"minter":          {tokencontract.MappingSlot(12, w.mint.Address), oneUnit},
				"minterAllowance": {tokencontract.MappingSlot(13, w.mint.Address), ten},
				"authorization":   {tokencontract.AuthorizationSlot(a.From, a.Nonce), oneUnit},
				"permit nonce":    {tokencontract.MappingSlot(17, p.Owner), oneUnit},
			} {
				require.Equal(w.t, row.want.Hex(), w.slot(row.slot).Hex(), name)
			}
		}),
	}
}
