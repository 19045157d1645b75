package checkout_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/checkout"
	"github.com/fakenode/fakenode/fixtures"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

const (
	notMerchant = "Checkout: caller must be the merchant"
	notPayer    = "Checkout: caller must be the payer"
	zero        = "Checkout: amount is zero"
	expired     = "Checkout: order is expired"
	revoked     = "Checkout: order is revoked"
	overCeiling = "Checkout: total exceeds the ceiling"
	invalid     = "Checkout: invalid signature"
)

var (
	payer, merchant, stranger = fixtures.Dev(0), fixtures.Dev(1), fixtures.Dev(2)

	binding = checkout.NewCheckout()
	token   = tokencontract.NewToken()
	ceiling = fixtures.USD("25")
	all     = new(uint256.Int).SetAllOne().ToBig()
)

func newChain(t *testing.T) *contracttest.Chain {
	t.Helper()
	return contracttest.New(t, types.GenesisAlloc{checkout.Address: {Code: checkout.RuntimeCode(), Nonce: 1}})
}

func newTerms(c *contracttest.Chain) checkout.Terms {
	return checkout.Terms{
		Payer: payer.Address, Merchant: merchant.Address, Token: contracttest.TokenAddress, Ceiling: ceiling,
		Order: common.Hash{1}, Deadline: c.Now() + 900,
	}
}

func sign(terms checkout.Terms, key fixtures.Account) []byte {
	return key.SignDigest(terms.ID(contracttest.ChainID, checkout.Address)).Bytes()
}

func approve(c *contracttest.Chain) {
	c.Must(payer, contracttest.TokenAddress, token.PackApprove(checkout.Address, all))
}

func reverts(c *contracttest.Chain, from fixtures.Account, data []byte, reason string) {
	c.Reverts(from, checkout.Address, data, contracttest.Reason(reason))
}

// stateIs checks the contract's state of an order, and that the merchant has exactly the captured amount.
func stateIs(t *testing.T, c *contracttest.Chain, terms checkout.Terms, captured uint64, revoked bool) {
	t.Helper()
	binding := checkout.NewCheckout()
	state, err := binding.UnpackState(c.Read(checkout.Address, binding.PackState(terms.ID(contracttest.ChainID, checkout.Address))))
	require.NoError(t, err)
	require.Equal(t, captured, state.Captured.Uint64())
	require.Equal(t, revoked, state.Revoked)
	require.Equal(t, captured, new(uint256.Int).Sub(c.Tokens(merchant.Address), contracttest.StartBalance).Uint64())
	require.True(t, c.Tokens(checkout.Address).IsZero(), "the contract holds nothing")
}

// Ensure one permit and the signed terms are enough, and that parts add up to the ceiling and no further.
func TestCapturesInParts(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	terms := newTerms(c)
	signature := sign(terms, payer)
	permit := terms.Permit(checkout.Address, 0)
	permitSignature := payer.Sign(contracttest.Domain(), permit.Message())

	outcome := c.Must(merchant, checkout.Address, terms.PackCaptureWithPermit(fixtures.USD("10"), signature, permit, permitSignature))
	require.Equal(t, []string{"Captured"}, contracttest.Events(t, checkout.Address, binding.GetABI(), outcome.Logs))
	stateIs(t, c, terms, 10_000_000, false)

	// The permit is spent; the order goes on without it, or with it: a permit that fails is ignored.
	outcome = c.Must(merchant, checkout.Address, terms.PackCaptureWithPermit(fixtures.USD("14.99"), signature, permit, permitSignature))
	event, err := binding.UnpackCapturedEvent(outcome.Logs[0])
	require.NoError(t, err)
	require.Equal(t, terms.ID(contracttest.ChainID, checkout.Address), common.Hash(event.Id))
	require.Equal(t, []common.Address{payer.Address, merchant.Address}, []common.Address{event.Payer, event.Merchant})
	require.Equal(t, terms.Order, common.Hash(event.Order))
	require.Equal(t, []int64{14_990_000, 24_990_000}, []int64{event.Amount.Int64(), event.Total.Int64()})

	reverts(c, merchant, terms.PackCapture(fixtures.USD("0.010001"), signature), overCeiling)
	c.Must(merchant, checkout.Address, terms.PackCapture(fixtures.USD("0.01"), signature))
	reverts(c, merchant, terms.PackCapture(uint256.NewInt(1), signature), overCeiling)
	stateIs(t, c, terms, 25_000_000, false)
}

// Ensure a permit that somebody else sent first does not stop the capture.
func TestPermitFrontRun(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	terms := newTerms(c)
	permit := terms.Permit(checkout.Address, 0)
	permitSignature := payer.Sign(contracttest.Domain(), permit.Message())
	c.Must(stranger, contracttest.TokenAddress, permit.Pack(permitSignature))
	c.Must(merchant, checkout.Address, terms.PackCaptureWithPermit(ceiling, sign(terms, payer), permit, permitSignature))
	stateIs(t, c, terms, 25_000_000, false)
}

// Ensure refusals come in the documented order, each with its reason, and leave nothing behind.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	terms := newTerms(c)
	terms.Deadline = c.Now() - 1
	none := new(uint256.Int)
	over := new(uint256.Int).AddUint64(ceiling, 1)
	reverts(c, stranger, terms.PackCapture(none, nil), notMerchant)
	reverts(c, payer, terms.PackCapture(none, nil), notMerchant)
	reverts(c, merchant, terms.PackCapture(none, nil), zero)
	reverts(c, merchant, terms.PackCapture(over, nil), expired)

	terms.Deadline = c.Now() // inclusive
	reverts(c, stranger, terms.PackRevoke(), notPayer)
	other := terms
	other.Order = common.Hash{2}
	c.Must(payer, checkout.Address, other.PackRevoke())
	reverts(c, merchant, other.PackCapture(over, nil), revoked)
	reverts(c, merchant, terms.PackCapture(over, nil), overCeiling)
	reverts(c, merchant, terms.PackCapture(ceiling, nil), invalid)
	reverts(c, merchant, terms.PackCapture(ceiling, sign(terms, stranger)), invalid)
	reverts(c, merchant, terms.PackCapture(ceiling, sign(terms, payer)), "ERC20: transfer amount exceeds allowance")
	approve(c)
	c.Must(payer, contracttest.TokenAddress, tokencontract.PackTransfer(stranger.Address, contracttest.StartBalance))
	reverts(c, merchant, terms.PackCapture(ceiling, sign(terms, payer)), "ERC20: transfer amount exceeds balance")
	stateIs(t, c, terms, 0, false)
}

// Ensure a signature is good for its own terms, chain and contract, and for nothing else.
func TestSignatureIsBound(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	approve(c)
	terms := newTerms(c)
	signature := sign(terms, payer)
	for name, change := range map[string]func(*checkout.Terms){
		"ceiling":  func(x *checkout.Terms) { x.Ceiling = fixtures.USD("26") },
		"order":    func(x *checkout.Terms) { x.Order[0]++ },
		"deadline": func(x *checkout.Terms) { x.Deadline++ },
		"payer":    func(x *checkout.Terms) { x.Payer = stranger.Address },
		"token":    func(x *checkout.Terms) { x.Token[0]++ },
	} {
		changed := terms
		change(&changed)
		outcome := c.Send(merchant, checkout.Address, changed.PackCapture(uint256.NewInt(1), signature))
		require.False(t, outcome.Succeeded, name)
		require.Equal(t, contracttest.Describe(contracttest.Reason(invalid)), contracttest.Describe(outcome.Output), name)
	}
	other := payer.SignDigest(terms.ID(contracttest.ChainID+1, checkout.Address)).Bytes()
	reverts(c, merchant, terms.PackCapture(uint256.NewInt(1), other), invalid)
	other = payer.SignDigest(terms.ID(contracttest.ChainID, common.Address{1})).Bytes()
	reverts(c, merchant, terms.PackCapture(uint256.NewInt(1), other), invalid)
	stateIs(t, c, terms, 0, false)
}

// Ensure the payer ends an order, by transaction or by a signature that anyone submits, for good and for that order
// only.
func TestRevoke(t *testing.T) {
	t.Parallel()
	for name, revoke := range map[string]func(c *contracttest.Chain, terms checkout.Terms) contracttest.Outcome{
		"by transaction": func(c *contracttest.Chain, terms checkout.Terms) contracttest.Outcome {
			return c.Must(payer, checkout.Address, terms.PackRevoke())
		},
		"by signature": func(c *contracttest.Chain, terms checkout.Terms) contracttest.Outcome {
			digest := contracts.Digest(terms.RevocationTypedData(contracttest.ChainID, checkout.Address))
			reverts(c, stranger, terms.PackRevokeWithSignature(sign(terms, payer)), invalid)
			return c.Must(stranger, checkout.Address, terms.PackRevokeWithSignature(payer.SignDigest(digest).Bytes()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChain(t)
			approve(c)
			terms := newTerms(c)
			c.Must(merchant, checkout.Address, terms.PackCapture(uint256.NewInt(5), sign(terms, payer)))
			outcome := revoke(c, terms)
			require.Equal(t, []string{"Revoked"}, contracttest.Events(t, checkout.Address, binding.GetABI(), outcome.Logs))
			reverts(c, merchant, terms.PackCapture(uint256.NewInt(5), sign(terms, payer)), revoked)
			reverts(c, payer, terms.PackRevoke(), revoked)
			stateIs(t, c, terms, 5, true)

			terms.Order = common.Hash{2}
			c.Must(merchant, checkout.Address, terms.PackCapture(uint256.NewInt(5), sign(terms, payer)))
		})
	}
}

// Ensure an ERC-1271 wallet pays too, by its own rule for signatures.
func TestContractPayer(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	terms := newTerms(c)
	terms.Payer = c.Wallet(payer)
	approval := token.PackApprove(checkout.Address, all)
	c.Must(payer, terms.Payer, helpers.NewWallet().PackExecute(contracttest.TokenAddress, new(big.Int), approval))
	reverts(c, merchant, terms.PackCapture(uint256.NewInt(1), sign(terms, stranger)), invalid)
	c.Must(merchant, checkout.Address, terms.PackCapture(uint256.NewInt(1), sign(terms, payer)))
	stateIs(t, c, terms, 1, false)
}

// Ensure random captures and revocations of a few orders have exactly the outcome that a count of them predicts.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		c := newChain(t)
		approve(c)
		random := rand.New(rand.NewPCG(seed, 7))
		type order struct {
			terms    checkout.Terms
			captured uint64
			revoked  bool
		}
		orders := make([]*order, 3)
		for i := range orders {
			terms := newTerms(c)
			terms.Order, terms.Ceiling, terms.Deadline = common.Hash{byte(i)}, uint256.NewInt(50+random.Uint64N(50)), c.Now()+50+random.Uint64N(50)
			orders[i] = &order{terms: terms}
		}
		var total uint64
		for range 100 {
			c.SetTime(c.Now() + random.Uint64N(2))
			o := orders[random.IntN(len(orders))]
			if random.IntN(40) == 0 {
				require.Equal(t, !o.revoked, c.Send(payer, checkout.Address, o.terms.PackRevoke()).Succeeded)
				o.revoked = true
				continue
			}
			amount := random.Uint64N(12)
			want := amount > 0 && !o.revoked && c.Now() <= o.terms.Deadline && o.captured+amount <= o.terms.Ceiling.Uint64()
			require.Equal(t, want, c.Send(merchant, checkout.Address, o.terms.PackCapture(uint256.NewInt(amount), sign(o.terms, payer))).Succeeded)
			if want {
				o.captured, total = o.captured+amount, total+amount
			}
		}
		require.Equal(t, total, new(uint256.Int).Sub(c.Tokens(merchant.Address), contracttest.StartBalance).Uint64())
		require.Equal(t, total, new(uint256.Int).Sub(contracttest.StartBalance, c.Tokens(payer.Address)).Uint64())
	}
}
