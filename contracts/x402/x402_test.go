package x402_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/contracts/x402"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	payer, shop, facilitator, stranger = fixtures.Dev(0), fixtures.Dev(1), fixtures.Dev(2), fixtures.Dev(3)

	exact = x402.NewX402ExactPermit2Proxy()
	upto  = x402.NewX402UptoPermit2Proxy()
	token = tokencontract.NewToken()
	cent  = uint256.NewInt(10_000)
	all   = new(uint256.Int).SetAllOne().ToBig()
)

// newChain returns a chain with Permit2 and both proxies; the payer has approved Permit2 if asked for.
func newChain(t *testing.T, approved bool) *contracttest.Chain {
	t.Helper()
	alloc := types.GenesisAlloc{
		permit2.Address:   {Code: permit2.RuntimeCode(), Nonce: 1},
		x402.ExactAddress: {Code: x402.ExactRuntimeCode(), Nonce: 1},
		x402.UptoAddress:  {Code: x402.UptoRuntimeCode(), Nonce: 1},
	}
	maps.Copy(alloc, smartwallet.Predeploys())
	c := contracttest.New(t, alloc)
	if approved {
		c.Must(payer, contracttest.TokenAddress, token.PackApprove(permit2.Address, all))
	}
	return c
}

func exactPayment(c *contracttest.Chain) x402.ExactPayment {
	return x402.ExactPayment{
		Payer: payer.Address, To: shop.Address, Token: contracttest.TokenAddress, Amount: cent, ValidAfter: c.Now() - 60, Deadline: c.Now() + 60,
	}
}

func uptoPayment(c *contracttest.Chain) x402.UptoPayment {
	return x402.UptoPayment{ExactPayment: exactPayment(c), Facilitator: facilitator.Address}
}

func sign(permit permit2.TransferPermit) []byte {
	return payer.SignDigest(contracts.Digest(permit.TypedData(contracttest.ChainID))).Bytes()
}

func shopHas(t *testing.T, c *contracttest.Chain, amount uint64) {
	t.Helper()
	require.Equal(t, amount, new(uint256.Int).Sub(c.Tokens(shop.Address), contracttest.StartBalance).Uint64())
}

// tokenPermit lets Permit2 pull an amount of the payer's.
func tokenPermit(amount *uint256.Int) (tokencontract.Permit, tokencontract.Signature) {
	p := tokencontract.Permit{Owner: payer.Address, Spender: permit2.Address, Value: amount}
	return p, payer.Sign(contracttest.Domain(), p.Message())
}

// Ensure `exact` settles the whole amount to the payee, once, whichever account submits it.
func TestExactSettles(t *testing.T) {
	t.Parallel()
	c := newChain(t, true)
	p := exactPayment(c)
	data := p.PackSettle(sign(p.Permit()))
	outcome := c.Must(stranger, x402.ExactAddress, data)
	require.Equal(t, []string{"Settled"}, contracttest.Events(t, x402.ExactAddress, exact.GetABI(), outcome.Logs))
	shopHas(t, c, 10_000)
	c.Reverts(stranger, x402.ExactAddress, data, contracttest.Error(t, permit2.NewPermit2().GetABI(), "InvalidNonce"))
}

// Ensure `exact` checks in the published order, and that a changed payee or time breaks the signature.
func TestExactOrderOfChecks(t *testing.T) {
	t.Parallel()
	c := newChain(t, true)
	p := x402.ExactPayment{Token: contracttest.TokenAddress, Nonce: uint256.NewInt(1), ValidAfter: c.Now() + 1, Deadline: c.Now() + 60}
	refused := func(parsed abi.ABI, name string) {
		t.Helper()
		c.Reverts(stranger, x402.ExactAddress, p.PackSettle(make([]byte, 65)), contracttest.Error(t, parsed, name))
	}
	refused(exact.GetABI(), "InvalidAmount")
	p.Amount = cent
	refused(exact.GetABI(), "InvalidOwner")
	p.Payer = payer.Address
	refused(exact.GetABI(), "InvalidDestination")
	p.To = shop.Address
	refused(exact.GetABI(), "PaymentTooEarly")
	p.ValidAfter = c.Now() // inclusive
	refused(permit2.NewPermit2().GetABI(), "InvalidSignature")

	signature := sign(p.Permit())
	other := p
	other.To = stranger.Address
	c.Reverts(stranger, x402.ExactAddress, other.PackSettle(signature), contracttest.Error(t, permit2.NewPermit2().GetABI(), "InvalidSigner"))
	other = p
	other.ValidAfter--
	c.Reverts(stranger, x402.ExactAddress, other.PackSettle(signature), contracttest.Error(t, permit2.NewPermit2().GetABI(), "InvalidSigner"))
	c.Must(stranger, x402.ExactAddress, p.PackSettle(signature))
}

// Ensure a payment and its allowance settle by one transaction, and that a permit which somebody else sent first does
// no harm.
func TestSettleWithPermit(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		proxy  common.Address
		parsed abi.ABI
		data   func(*contracttest.Chain) []byte
	}{
		"exact": {x402.ExactAddress, exact.GetABI(), func(c *contracttest.Chain) []byte {
			p := exactPayment(c)
			allowance, signature := tokenPermit(cent)
			return p.PackSettleWithPermit(allowance, signature, sign(p.Permit()))
		}},
		"upto": {x402.UptoAddress, upto.GetABI(), func(c *contracttest.Chain) []byte {
			p := uptoPayment(c)
			allowance, signature := tokenPermit(cent)
			return p.PackSettleWithPermit(allowance, signature, cent, sign(p.Permit()))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChain(t, false)
			outcome := c.Must(facilitator, row.proxy, row.data(c))
			require.Equal(t, []string{"SettledWithPermit"}, contracttest.Events(t, row.proxy, row.parsed, outcome.Logs))
			shopHas(t, c, 10_000)

			c = newChain(t, false)
			allowance, signature := tokenPermit(cent)
			c.Must(stranger, contracttest.TokenAddress, allowance.Pack(signature)) // front-run
			outcome = c.Must(facilitator, row.proxy, row.data(c))
			require.Equal(t, []string{"EIP2612PermitFailedWithReason", "SettledWithPermit"}, contracttest.Events(t, row.proxy, row.parsed, outcome.Logs))
			shopHas(t, c, 10_000)
		})
	}
}

// Ensure the permit must be for the permitted amount, and that without an allowance the payment fails.
func TestSettleWithPermitRefused(t *testing.T) {
	t.Parallel()
	c := newChain(t, false)
	p := exactPayment(c)
	allowance, signature := tokenPermit(uint256.NewInt(9_999))
	c.Reverts(stranger, x402.ExactAddress, p.PackSettleWithPermit(allowance, signature, sign(p.Permit())), contracttest.Error(t, exact.GetABI(), "Permit2612AmountMismatch"))
	c.Reverts(stranger, x402.ExactAddress, p.PackSettle(sign(p.Permit())), contracttest.Reason("TRANSFER_FROM_FAILED"))
	shopHas(t, c, 0)
}

// Ensure `upto` settles any amount up to the permitted one, once, by the facilitator alone.
func TestUpto(t *testing.T) {
	t.Parallel()
	c := newChain(t, true)
	p := uptoPayment(c)
	settle := func(total uint64) []byte { return p.PackSettle(uint256.NewInt(total), sign(p.Permit())) }
	c.Reverts(stranger, x402.UptoAddress, settle(10_001), contracttest.Error(t, upto.GetABI(), "AmountExceedsPermitted"))
	c.Reverts(stranger, x402.UptoAddress, settle(0), contracttest.Error(t, upto.GetABI(), "UnauthorizedFacilitator"))
	c.Reverts(facilitator, x402.UptoAddress, settle(0), contracttest.Error(t, upto.GetABI(), "InvalidAmount"))
	outcome := c.Must(facilitator, x402.UptoAddress, settle(2_500))
	require.Equal(t, []string{"Settled"}, contracttest.Events(t, x402.UptoAddress, upto.GetABI(), outcome.Logs))
	shopHas(t, c, 2_500)
	c.Reverts(facilitator, x402.UptoAddress, settle(2_500), contracttest.Error(t, permit2.NewPermit2().GetABI(), "InvalidNonce"))

	p.Nonce = uint256.NewInt(1)
	signature := sign(p.Permit())
	p.Facilitator = stranger.Address
	c.Reverts(stranger, x402.UptoAddress, p.PackSettle(cent, signature), contracttest.Error(t, permit2.NewPermit2().GetABI(), "InvalidSigner"))
	shopHas(t, c, 2_500)
}

// Ensure random payments by `exact` settle once each, within their time and the payer's money, as a count of them says.
func TestExactRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		c := newChain(t, true)
		random := rand.New(rand.NewPCG(seed, 11))
		used := map[uint64]bool{}
		var total uint64
		left := contracttest.StartBalance.Uint64()
		for range 100 {
			c.SetTime(c.Now() + random.Uint64N(3))
			p := exactPayment(c)
			p.Amount, p.Nonce = uint256.NewInt(random.Uint64N(20)*left/100), uint256.NewInt(random.Uint64N(120))
			p.ValidAfter, p.Deadline = c.Now()-1+random.Uint64N(3), c.Now()-1+random.Uint64N(3)
			want := !p.Amount.IsZero() && p.ValidAfter <= c.Now() && p.Deadline >= c.Now() && !used[p.Nonce.Uint64()]
			require.Equal(t, want, c.Send(stranger, x402.ExactAddress, p.PackSettle(sign(p.Permit()))).Succeeded)
			if want {
				used[p.Nonce.Uint64()] = true
				total, left = total+p.Amount.Uint64(), left-p.Amount.Uint64()
			}
		}
		shopHas(t, c, total)
		require.Equal(t, total, new(uint256.Int).Sub(contracttest.StartBalance, c.Tokens(payer.Address)).Uint64(), "supply is conserved")
	}
}
