// Package permit2test is a table of cases about Permit2's behaviour, to be run on fakenode's own code and on the
// published one.
package permit2test

import (
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/fixtures/contracts/permit2"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	binding    = permit2.NewPermit2()
	token      = tokencontract.NewToken()
	ten        = fixtures.USD("10")
	maxUint160 = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 160), big.NewInt(1))
)

// Case is one row of the table.
type Case struct {
	Name string
	Run  func(t require.TestingT, code []byte)
}

// Cases returns the whole table. Each case runs on a chain of its own with the code given at Permit2's address.
func Cases() []Case {
	return slices.Concat(signedCases(), batchCases(), nonceCases(), allowanceCases(), signatureCases(), randomCases())
}

// world is a chain with Permit2, and a payer and a wallet that approved it for everything they have.
type world struct {
	t      require.TestingT
	chain  *contracttest.Chain
	wallet common.Address // an ERC-1271 wallet; the payer's key signs for it

	payer, spender, shop, stranger fixtures.Account
}

func newCase(name string, run func(w *world)) Case {
	return Case{name, func(t require.TestingT, code []byte) {
		w := &world{
			t: t, chain: contracttest.New(t, types.GenesisAlloc{permit2.Address: {Code: code, Nonce: 1}}),
			payer: fixtures.Dev(0), spender: fixtures.Dev(1), shop: fixtures.Dev(2), stranger: fixtures.Dev(3),
		}
		w.wallet = w.chain.Wallet(w.payer)
		approve := token.PackApprove(permit2.Address, maxUint160)
		w.chain.Must(w.payer, contracttest.TokenAddress, approve)
		w.chain.Must(w.payer, w.wallet, contracts.NewWallet().PackExecute(contracttest.TokenAddress, new(big.Int), approve))
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

func (w *world) revertsFor(from fixtures.Account, data []byte, reason string) {
	w.chain.Reverts(from, permit2.Address, data, contracttest.Reason(reason))
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
		wallet := contracts.NewWallet()
		code := w.chain.Deploy(contracts.DeployCode(contracts.WalletMetaData.Bin, wallet.PackConstructor(common.Address{})...))
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
