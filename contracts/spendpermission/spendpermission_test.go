package spendpermission_test

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/contracts/spendpermission"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

const day = 86_400

var (
	owner, shop, stranger = fixtures.Dev(0), fixtures.Dev(1), fixtures.Dev(2)

	manager = spendpermission.NewSpendPermissionManager()
	wallet  = smartwallet.NewSmartWallet()
	ten     = fixtures.USD("10")
)

// bench is a chain with an account that holds 1,000 dollars and 100 wei, and a permission of it for ten dollars a day.
type bench struct {
	*contracttest.Chain
	t          *testing.T
	account    smartwallet.Account
	permission spendpermission.Permission
}

func newBench(t *testing.T, deployed bool) *bench {
	t.Helper()
	alloc := types.GenesisAlloc{}
	maps.Copy(alloc, smartwallet.Predeploys())
	maps.Copy(alloc, spendpermission.Predeploys())
	b := &bench{Chain: contracttest.New(t, alloc), t: t}
	b.account = smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(owner.Address), smartwallet.AccountOwner(spendpermission.Address))
	if deployed {
		b.Must(stranger, b.account.Factory, b.account.PackCreate())
	}
	b.Must(contracttest.Owner, contracttest.TokenAddress, tokencontract.PackMint(b.account.Address(), contracttest.StartBalance))
	b.GiveEther(b.account.Address(), uint256.NewInt(100))
	b.permission = spendpermission.Permission{
		Account: b.account.Address(), Spender: shop.Address, Token: contracttest.TokenAddress, Allowance: ten, Period: day,
		Start: b.Now(), End: b.Now() + 10*day + day/2,
	}
	return b
}

func (b *bench) sign(key fixtures.Account, p spendpermission.Permission) []byte {
	bound := b.account.Digest(contracttest.ChainID, p.Hash(contracttest.ChainID))
	return smartwallet.WrapSignature(0, key.SignDigest(bound).Bytes())
}

// asAccount runs a call as the account, by its owner.
func (b *bench) asAccount(data []byte) []byte {
	return wallet.PackExecute(spendpermission.Address, common.Big0, data)
}

func (b *bench) must(from fixtures.Account, data []byte) contracttest.Outcome {
	b.t.Helper()
	return b.Must(from, spendpermission.Address, data)
}

func (b *bench) fails(from fixtures.Account, data []byte, name string, arguments ...any) {
	b.t.Helper()
	b.Reverts(from, spendpermission.Address, data, contracttest.Error(b.t, manager.GetABI(), name, arguments...))
}

func (b *bench) events(outcome contracttest.Outcome, names ...string) {
	b.t.Helper()
	require.Equal(b.t, names, contracttest.Events(b.t, spendpermission.Address, manager.GetABI(), outcome.Logs))
}

func (b *bench) validIs(want bool) {
	b.t.Helper()
	require.Equal(b.t, want, new(uint256.Int).SetBytes(b.Read(spendpermission.Address, b.permission.PackIsValid())).Uint64() == 1)
}

// period is a period, from Start on and before End, and the amount spent in it.
type period struct {
	Start, End uint64
	Spend      *uint256.Int
}

func (b *bench) period() period {
	b.t.Helper()
	now, err := manager.UnpackGetCurrentPeriod(b.Read(spendpermission.Address, manager.PackGetCurrentPeriod(words(b.permission))))
	require.NoError(b.t, err)
	return period{now.Start.Uint64(), now.End.Uint64(), uint256.MustFromBig(now.Spend)}
}

func (b *bench) shopHas(amount *uint256.Int) {
	b.t.Helper()
	require.Equal(b.t, amount.Dec(), new(uint256.Int).Sub(b.Tokens(shop.Address), contracttest.StartBalance).Dec())
	require.Equal(b.t, amount.Dec(), new(uint256.Int).Sub(contracttest.StartBalance, b.Tokens(b.account.Address())).Dec())
}

func word(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// Ensure one signature deploys the account and allows the charges, one allowance in each period, until the end.
func TestSubscription(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	require.Empty(t, b.Code(b.account.Address()))
	signature := b.account.WrapUndeployed(b.sign(owner, b.permission))
	b.events(b.must(stranger, b.permission.PackApproveWithSignature(signature)), "SpendPermissionApproved")
	require.NotEmpty(t, b.Code(b.account.Address()))
	b.validIs(true)
	require.Equal(t, period{Start: b.permission.Start, End: b.permission.Start + day, Spend: new(uint256.Int)}, b.period())

	outcome := b.must(shop, b.permission.PackSpend(fixtures.USD("4")))
	b.events(outcome, "SpendPermissionUsed")
	b.must(shop, b.permission.PackSpend(fixtures.USD("6")))
	require.Equal(t, ten, b.period().Spend)
	b.fails(shop, b.permission.PackSpend(uint256.NewInt(1)), "ExceededSpendPermission", big.NewInt(10_000_001), ten.ToBig())
	b.shopHas(ten)

	b.SetTime(b.permission.Start + day - 1)
	b.fails(shop, b.permission.PackSpend(uint256.NewInt(1)), "ExceededSpendPermission", big.NewInt(10_000_001), ten.ToBig())
	b.SetTime(b.permission.Start + day) // the next period's first second
	require.Equal(t, period{Start: b.Now(), End: b.Now() + day, Spend: new(uint256.Int)}, b.period())
	b.must(shop, b.permission.PackSpend(ten))
	b.shopHas(fixtures.USD("20"))

	b.SetTime(b.permission.Start + 10*day) // the last one is shorter
	require.Equal(t, b.permission.End, b.period().End)
	b.SetTime(b.permission.End - 1)
	b.must(shop, b.permission.PackSpend(ten))
	b.SetTime(b.permission.End)
	b.fails(shop, b.permission.PackSpend(ten), "AfterSpendPermissionEnd", word(b.Now()), word(b.permission.End))
	b.shopHas(fixtures.USD("30"))
}

// Ensure only the account's own signature approves, and spending checks in the published order.
func TestSpendOrderOfChecks(t *testing.T) {
	t.Parallel()
	b := newBench(t, true)
	b.permission.Start += 10
	none := new(uint256.Int)
	b.fails(stranger, b.permission.PackSpend(none), "InvalidSender", stranger.Address, shop.Address)
	b.fails(shop, b.permission.PackSpend(none), "ZeroValue")
	b.fails(shop, b.permission.PackSpend(ten), "UnauthorizedSpendPermission")
	b.fails(stranger, b.permission.PackApproveWithSignature(b.sign(stranger, b.permission)), "InvalidSignature")
	other := b.permission
	other.Allowance = fixtures.USD("11")
	b.fails(stranger, other.PackApproveWithSignature(b.sign(owner, b.permission)), "InvalidSignature")
	b.must(stranger, b.permission.PackApproveWithSignature(b.sign(owner, b.permission)))
	b.fails(shop, b.permission.PackSpend(ten), "BeforeSpendPermissionStart", word(b.Now()), word(b.permission.Start))
	b.SetTime(b.permission.Start)
	b.fails(shop, b.permission.PackSpend(fixtures.USD("10.01")), "ExceededSpendPermission", big.NewInt(10_010_000), ten.ToBig())
	b.Must(owner, b.account.Address(), wallet.PackExecute(contracttest.TokenAddress, common.Big0, tokencontract.PackTransfer(stranger.Address, contracttest.StartBalance)))
	b.Reverts(shop, spendpermission.Address, b.permission.PackSpend(ten), contracttest.Reason("ERC20: transfer amount exceeds balance"))
	require.True(t, b.period().Spend.IsZero(), "a failed charge uses nothing")
}

// Ensure either side ends a permission for good.
func TestRevoke(t *testing.T) {
	t.Parallel()
	for name, revoke := range map[string]func(b *bench) contracttest.Outcome{
		"by the account": func(b *bench) contracttest.Outcome {
			return b.Must(owner, b.account.Address(), b.asAccount(b.permission.PackRevoke()))
		},
		"by the spender": func(b *bench) contracttest.Outcome { return b.must(shop, b.permission.PackRevokeAsSpender()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, true)
			signature := b.sign(owner, b.permission)
			b.must(stranger, b.permission.PackApproveWithSignature(signature))
			b.fails(stranger, b.permission.PackRevoke(), "InvalidSender", stranger.Address, b.account.Address())
			b.fails(stranger, b.permission.PackRevokeAsSpender(), "InvalidSender", stranger.Address, shop.Address)
			b.must(shop, b.permission.PackSpend(ten))
			b.events(revoke(b), "SpendPermissionRevoked")
			b.validIs(false)
			b.SetTime(b.Now() + day)
			b.fails(shop, b.permission.PackSpend(ten), "UnauthorizedSpendPermission")
			outcome := b.must(stranger, b.permission.PackApproveWithSignature(signature))
			require.Empty(t, outcome.Logs, "approving again does not bring it back")
			b.validIs(false)
			b.shopHas(ten)
		})
	}
}

func words(p spendpermission.Permission) spendpermission.SpendPermission {
	salt := new(big.Int)
	if p.Salt != nil {
		salt = p.Salt.ToBig()
	}
	return spendpermission.SpendPermission{
		Account: p.Account, Spender: p.Spender, Token: p.Token, Allowance: p.Allowance.ToBig(), Period: word(p.Period),
		Start: word(p.Start), End: word(p.End), Salt: salt, ExtraData: p.ExtraData,
	}
}

// Ensure Go and the contract agree on hashes, and the type hashes are the published ones.
func TestPublishedNames(t *testing.T) {
	t.Parallel()
	b := newBench(t, true)
	b.permission.ExtraData = []byte("plan-7")
	require.Equal(t, b.permission.Hash(contracttest.ChainID).Bytes(), b.Read(spendpermission.Address, manager.PackGetHash(words(b.permission))))
	require.Equal(t, crypto.Keccak256([]byte("SpendPermission(address account,address spender,address token,uint160 allowance,uint48 period,uint48 start,uint48 end,uint256 salt,bytes extraData)")),
		b.Read(spendpermission.Address, manager.PackSPENDPERMISSIONTYPEHASH()))
	require.Equal(t, spendpermission.ValidatorAddress, common.BytesToAddress(b.Read(spendpermission.Address, manager.PackPUBLICERC6492VALIDATOR())))
	require.Len(t, contracts.Digest(b.permission.TypedData(1)), 32)
}

// Ensure random charges over many periods succeed exactly when a count in Go predicts it.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		b := newBench(t, true)
		random := rand.New(rand.NewPCG(seed, 9))
		p := &b.permission
		p.Period, p.Allowance, p.End = 10+random.Uint64N(20), uint256.NewInt(40), p.Start+150+random.Uint64N(20)
		b.Must(owner, p.Account, b.asAccount(p.PackApprove()))
		spent := map[uint64]uint64{}
		var total uint64
		for range 100 {
			b.SetTime(b.Now() + random.Uint64N(5))
			amount := random.Uint64N(25)
			period := (b.Now() - p.Start) / p.Period
			want := amount > 0 && b.Now() < p.End && spent[period]+amount <= 40
			require.Equal(t, want, b.Send(shop, spendpermission.Address, p.PackSpend(uint256.NewInt(amount))).Succeeded)
			if want {
				spent[period] += amount
				total += amount
			}
		}
		b.shopHas(uint256.NewInt(total))
	}
}
