package permit2_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/fixtures"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure fakenode's Permit2 behaves as in the table.
func TestPermit2(t *testing.T) {
	t.Parallel()
	for _, c := range allCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, permit2.RuntimeCode())
		})
	}
}

// Ensure the published Permit2 behaves as in the table, as fakenode's own does.
func TestPublishedPermit2(t *testing.T) {
	t.Parallel()
	source := contracttest.Published(t, "@eth-optimism/contracts-bedrock@0.17.3", "package/src/libraries/Preinstalls.sol")
	found := regexp.MustCompile(`Permit2TemplateCode =\s+hex"([0-9a-f]+)"`).FindSubmatch(source)
	require.NotNil(t, found)
	code := common.FromHex(string(found[1]))
	// It is a template: the chain id and the domain separator that the code caches are filled in where it is placed.
	chainID := common.BigToHash(big.NewInt(contracttest.ChainID))
	copy(code[6945:], chainID[:])
	domain := permit2.TransferPermit{}.TypedData(contracttest.ChainID)
	separator, err := domain.HashStruct("EIP712Domain", domain.Domain.Map())
	require.NoError(t, err)
	copy(code[6983:], separator)
	for _, c := range allCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, code)
		})
	}
}

// model holds the expected money and permissions of one owner after any sequence of steps.
type model struct {
	amount, expiration, nonce uint64
	used                      map[uint64]bool
	spent                     uint64
}

// randomCases drive Permit2 and the model through the same random steps.
func randomCases() []tableCase {
	var cases []tableCase
	for seed := range uint64(4) {
		cases = append(cases, newCase(fmt.Sprintf("random/%d", seed), func(w *world) {
			random := rand.New(rand.NewPCG(seed, 2))
			m := &model{used: map[uint64]bool{}}
			for range 120 {
				w.chain.SetTime(w.chain.Now() + random.Uint64N(4))
				m.step(w, random)
			}
			got := w.allowance(w.payer.Address)
			require.Equal(w.t, []uint64{m.amount, m.expiration, m.nonce}, []uint64{got.Amount.Uint64(), got.Expiration.Uint64(), got.Nonce.Uint64()})
			w.shopHas(uint256.NewInt(m.spent))
		}))
	}
	return cases
}

// step takes one step in both; Permit2 must succeed exactly when the model does.
func (m *model) step(w *world, random *rand.Rand) {
	amount, now := random.Uint64N(20), w.chain.Now()
	deadline := now - 1 + random.Uint64N(3)
	switch random.IntN(5) {
	case 0:
		expiration := []uint64{0, now + random.Uint64N(8)}[random.IntN(2)]
		w.must(w.payer, w.approve(new(big.Int).SetUint64(amount), expiration))
		m.amount, m.expiration = amount, max(expiration, map[bool]uint64{true: now}[expiration == 0])
	case 1:
		p := allowancePermit{amount, now + random.Uint64N(8), m.nonce + random.Uint64N(2), deadline}
		outcome := w.chain.Send(w.stranger, permit2.Address, p.pack(w, w.payer.Address, p.signed(w, signers[0], w.payer)))
		require.Equal(w.t, deadline >= now && p.nonce == m.nonce, outcome.Succeeded)
		if outcome.Succeeded {
			m.amount, m.expiration, m.nonce = amount, p.expiration, m.nonce+1
		}
	case 2:
		outcome := w.chain.Send(w.spender, permit2.Address, w.spend(new(big.Int).SetUint64(amount)))
		require.Equal(w.t, now <= m.expiration && amount <= m.amount, outcome.Succeeded)
		if outcome.Succeeded {
			m.amount, m.spent = m.amount-amount, m.spent+amount
		}
	case 3:
		p := w.permit()
		p.Amount, p.Deadline, p.Nonce = uint256.NewInt(amount), deadline, uint256.NewInt(random.Uint64N(600))
		asked := random.Uint64N(20)
		data := p.Pack(w.payer.Address, w.shop.Address, uint256.NewInt(asked), signers[0].sign(p.TypedData(contracttest.ChainID), w.payer))
		outcome := w.chain.Send(w.spender, permit2.Address, data)
		require.Equal(w.t, deadline >= now && asked <= amount && !m.used[p.Nonce.Uint64()], outcome.Succeeded)
		if outcome.Succeeded {
			m.used[p.Nonce.Uint64()] = true
			m.spent += asked
		}
	case 4:
		bit := random.Uint64N(600)
		w.must(w.payer, binding.PackInvalidateUnorderedNonces(new(big.Int).SetUint64(bit/256), new(big.Int).Lsh(big.NewInt(1), uint(bit%256))))
		m.used[bit] = true
	}
}

var (
	binding    = permit2.NewPermit2()
	token      = tokencontract.NewToken()
	ten        = fixtures.USD("10")
	maxUint160 = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 160), big.NewInt(1))
)

// tableCase is one row of the table of what Permit2 does.
type tableCase struct {
	name string
	run  func(t require.TestingT, code []byte)
}

// allCases returns the whole table. Each case runs on a chain of its own with the code given at Permit2's address.
func allCases() []tableCase {
	return slices.Concat(signedCases(), batchCases(), nonceCases(), allowanceCases(), signatureCases(), randomCases())
}

// world is a chain with Permit2, and a payer and a wallet that approved it for everything they have.
type world struct {
	t      require.TestingT
	chain  *contracttest.Chain
	wallet common.Address // an ERC-1271 wallet; the payer's key signs for it

	payer, spender, shop, stranger fixtures.Account
}

func newCase(name string, run func(w *world)) tableCase {
	return tableCase{name, func(t require.TestingT, code []byte) {
		w := &world{
			t: t, chain: contracttest.New(t, types.GenesisAlloc{permit2.Address: {Code: code, Nonce: 1}}),
			payer: fixtures.Dev(0), spender: fixtures.Dev(1), shop: fixtures.Dev(2), stranger: fixtures.Dev(3),
		}
		w.wallet = w.chain.Wallet(w.payer)
		approve := token.PackApprove(permit2.Address, maxUint160)
		w.chain.Must(w.payer, contracttest.TokenAddress, approve)
		w.chain.Must(w.payer, w.wallet, helpers.NewWallet().PackExecute(contracttest.TokenAddress, new(big.Int), approve))
		run(w)
		supply := new(uint256.Int)
		for _, account := range []common.Address{w.wallet, permit2.Address, {}} {
			supply.Add(supply, w.chain.Tokens(account))
		}
		for i := range 10 {
			supply.Add(supply, w.chain.Tokens(fixtures.Dev(i).Address))
		}
		require.Equal(t, new(uint256.Int).Mul(contracttest.StartBalance, uint256.NewInt(11)), supply, "supply is conserved")
	}}
}

func (w *world) must(from fixtures.Account, data []byte) contracttest.Outcome {
	return w.chain.Must(from, permit2.Address, data)
}

func (w *world) reverts(from fixtures.Account, data []byte, name string, arguments ...any) {
	w.chain.Reverts(from, permit2.Address, data, contracttest.Error(w.t, binding.GetABI(), name, arguments...))
}

func (w *world) logsAre(outcome contracttest.Outcome, names ...string) {
	require.Equal(w.t, names, contracttest.Events(w.t, permit2.Address, binding.GetABI(), outcome.Logs))
}

func (w *world) shopHas(amount *uint256.Int) {
	got := new(uint256.Int).Sub(w.chain.Tokens(w.shop.Address), contracttest.StartBalance)
	require.Equal(w.t, amount.Dec(), got.Dec())
}

// signer is a way to sign: the holder of the money, and the form of its signature.
type signer struct {
	name      string
	wallet    bool
	delegated bool // the payer runs a wallet's code (EIP-7702), and so answers for itself
	compact   bool // 64 bytes (EIP-2098)
}

var signers = []signer{{name: "EOA"}, {name: "EOA compact", compact: true}, {name: "ERC-1271", wallet: true}, {name: "EIP-7702", delegated: true}}

func (s signer) address(w *world) common.Address {
	if s.wallet {
		return w.wallet
	}
	return w.payer.Address
}

// prepare gives the payer the signer's code.
func (s signer) prepare(w *world) {
	if s.delegated {
		wallet := helpers.NewWallet()
		code := w.chain.Deploy(helpers.DeployCode(helpers.WalletMetaData.Bin, wallet.PackConstructor(common.Address{})...))
		w.chain.Delegate(w.payer, code)
	}
}

func (s signer) sign(data apitypes.TypedData, key fixtures.Account) []byte {
	signature := key.SignDigest(contracts.Digest(data)).Bytes()
	if !s.compact {
		return signature
	}
	signature[32] |= (signature[64] - 27) << 7
	return signature[:64]
}

// permit is ten dollars for the spender, good for a minute.
func (w *world) permit() permit2.TransferPermit {
	return permit2.TransferPermit{
		Token: contracttest.TokenAddress, Amount: ten, Spender: w.spender.Address, Nonce: uint256.NewInt(7),
		Deadline: w.chain.Now() + 60,
	}
}

// pull is a signed permit's call data for its whole amount to the shop.
func (w *world) pull(s signer, p permit2.TransferPermit) []byte {
	return p.Pack(s.address(w), w.shop.Address, p.Amount, s.sign(p.TypedData(contracttest.ChainID), w.payer))
}

func (w *world) allowance(owner common.Address) permit2.AllowanceOutput {
	out, err := binding.UnpackAllowance(w.chain.Read(permit2.Address, binding.PackAllowance(owner, contracttest.TokenAddress, w.spender.Address)))
	require.NoError(w.t, err)
	return out
}
