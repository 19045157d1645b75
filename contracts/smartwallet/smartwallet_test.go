package smartwallet_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"math/big"
	mathrand "math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/fixtures"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	owner, second, stranger = fixtures.Dev(0), fixtures.Dev(1), fixtures.Dev(2)

	wallet  = smartwallet.NewSmartWallet()
	factory = smartwallet.NewSmartWalletFactory()
)

const (
	valid   = "1626ba7e"
	invalid = "ffffffff"
)

func newChain(t *testing.T) *contracttest.Chain {
	t.Helper()
	alloc := types.GenesisAlloc{}
	for address, account := range smartwallet.Predeploys() {
		alloc[address] = account
	}
	return contracttest.New(t, alloc)
}

// deployed returns a deployed account of the owner and the second owner.
func deployed(c *contracttest.Chain) (smartwallet.Account, common.Address) {
	account := smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(owner.Address), smartwallet.AccountOwner(second.Address))
	c.Must(stranger, account.Factory, account.PackCreate())
	return account, account.Address()
}

func fails(t *testing.T, c *contracttest.Chain, from fixtures.Account, to common.Address, data []byte, name string, arguments ...any) {
	t.Helper()
	c.Reverts(from, to, data, contracttest.Error(t, wallet.GetABI(), name, arguments...))
}

// Ensure an account is created once, with its owners, at the address that Go and the factory compute; with both
// factories.
func TestFactory(t *testing.T) {
	t.Parallel()
	for _, address := range []common.Address{smartwallet.FactoryAddress, smartwallet.FactoryV1Address} {
		c := newChain(t)
		account := smartwallet.New(address, smartwallet.AccountOwner(owner.Address))
		account.Nonce = 3
		told := common.BytesToAddress(c.Read(address, factory.PackGetAddress(account.Owners, big.NewInt(3))))
		require.Equal(t, account.Address(), told)
		require.Empty(t, c.Code(told))
		outcome := c.Must(stranger, address, account.PackCreate())
		require.Equal(t, []string{"AccountCreated"}, contracttest.Events(t, address, factory.GetABI(), outcome.Logs))
		require.Equal(t, []string{"AddOwner"}, contracttest.Events(t, told, wallet.GetABI(), outcome.Logs))
		require.NotEmpty(t, c.Code(told))
		again := c.Must(stranger, address, account.PackCreate())
		require.Equal(t, told, common.BytesToAddress(again.Output))
		require.Empty(t, again.Logs)
		c.Reverts(stranger, address, factory.PackCreateAccount(nil, new(big.Int)), contracttest.Error(t, factory.GetABI(), "OwnerRequired"))
		fails(t, c, stranger, told, wallet.PackInitialize(account.Owners), "Initialized")
		implementation := common.BytesToAddress(c.Read(address, factory.PackImplementation()))
		fails(t, c, stranger, implementation, wallet.PackInitialize(account.Owners), "Initialized")
	}
}

// Ensure the code placed at genesis is the code that deploying gives.
func TestPredeploysAreDeployments(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	implementation := c.Deploy(helpers.DeployCode(smartwallet.SmartWalletMetaData.Bin))
	require.Equal(t, c.Code(implementation), c.Code(smartwallet.ImplementationAddress))
	require.Equal(t, c.Storage(implementation, common.Hash{}), c.Storage(smartwallet.ImplementationAddress, common.Hash{}))
	arguments := factory.PackConstructor(smartwallet.ImplementationAddress)
	require.Equal(t, c.Code(c.Deploy(helpers.DeployCode(smartwallet.SmartWalletFactoryMetaData.Bin, arguments...))), c.Code(smartwallet.FactoryAddress))
}

func answer(c *contracttest.Chain, at common.Address, digest common.Hash, signature []byte) string {
	return common.Bytes2Hex(c.Read(at, wallet.PackIsValidSignature(digest, signature))[:4])
}

// Ensure the account answers for owners that are accounts: with a key, or contracts themselves.
func TestSignaturesOfAccounts(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	account, at := deployed(c)
	digest := common.Hash{5}
	bound := account.Digest(contracttest.ChainID, digest)
	require.Equal(t, bound.Bytes(), c.Read(at, wallet.PackReplaySafeHash(digest)))
	sign := func(key fixtures.Account, digest common.Hash) []byte { return key.SignDigest(digest).Bytes() }
	require.Equal(t, valid, answer(c, at, digest, smartwallet.WrapSignature(0, sign(owner, bound))))
	require.Equal(t, valid, answer(c, at, digest, smartwallet.WrapSignature(1, sign(second, bound))))
	for name, signature := range map[string][]byte{
		"another's number":   smartwallet.WrapSignature(1, sign(owner, bound)),
		"no owner's number":  smartwallet.WrapSignature(2, sign(owner, bound)),
		"not an owner":       smartwallet.WrapSignature(0, sign(stranger, bound)),
		"digest not bound":   smartwallet.WrapSignature(0, sign(owner, digest)),
		"another account's":  smartwallet.WrapSignature(0, sign(owner, smartwallet.New(account.Factory, account.Owners[0]).Digest(contracttest.ChainID, digest))),
		"another chain's":    smartwallet.WrapSignature(0, sign(owner, account.Digest(1, digest))),
		"without its last v": smartwallet.WrapSignature(0, sign(owner, bound)[:64]),
	} {
		require.Equal(t, invalid, answer(c, at, digest, signature), name)
	}

	inner := c.Wallet(owner) // an ERC-1271 contract as owner
	outer := smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(inner))
	c.Must(stranger, outer.Factory, outer.PackCreate())
	require.Equal(t, valid, answer(c, outer.Address(), digest, smartwallet.WrapSignature(0, sign(owner, outer.Digest(contracttest.ChainID, digest)))))
	require.Equal(t, invalid, answer(c, outer.Address(), digest, smartwallet.WrapSignature(0, sign(second, outer.Digest(contracttest.ChainID, digest)))))
}

// assertion holds the answer of a passkey to a challenge.
type assertion struct {
	AuthenticatorData         []byte
	ClientDataJSON            string
	ChallengeIndex, TypeIndex *big.Int
	R, S                      *big.Int
}

func assert(t *testing.T, key *ecdsa.PrivateKey, challenge common.Hash) assertion {
	t.Helper()
	json := `{"type":"webauthn.get","challenge":"` + base64.RawURLEncoding.EncodeToString(challenge[:]) + `","origin":"https://shop.example"}`
	a := assertion{
		AuthenticatorData: append(make([]byte, 32), 1, 0, 0, 0, 1), ClientDataJSON: json,
		TypeIndex: big.NewInt(int64(strings.Index(json, `"type"`))), ChallengeIndex: big.NewInt(int64(strings.Index(json, `"challenge"`))),
	}
	hash := sha256.Sum256([]byte(json))
	message := sha256.Sum256(append(append([]byte(nil), a.AuthenticatorData...), hash[:]...))
	r, s, err := ecdsa.Sign(rand.Reader, key, message[:])
	require.NoError(t, err)
	order := elliptic.P256().Params().N
	if s.Cmp(new(big.Int).Rsh(order, 1)) > 0 {
		s.Sub(order, s)
	}
	a.R, a.S = r, s
	return a
}

func (a assertion) pack(t *testing.T) []byte {
	t.Helper()
	kind, err := abi.NewType("tuple", "", []abi.ArgumentMarshaling{
		{Name: "authenticatorData", Type: "bytes"}, {Name: "clientDataJSON", Type: "string"}, {Name: "challengeIndex", Type: "uint256"},
		{Name: "typeIndex", Type: "uint256"}, {Name: "r", Type: "uint256"}, {Name: "s", Type: "uint256"},
	})
	require.NoError(t, err)
	packed, err := abi.Arguments{{Type: kind}}.Pack(a)
	require.NoError(t, err)
	return smartwallet.WrapSignature(0, packed)
}

// Ensure the account accepts the signature of an owner that is a passkey, but not its signature of another challenge.
func TestSignaturesOfPasskeys(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	account := smartwallet.New(smartwallet.FactoryAddress, smartwallet.KeyOwner(common.BigToHash(key.X), common.BigToHash(key.Y)))
	c.Must(stranger, account.Factory, account.PackCreate())
	digest := common.Hash{5}
	bound := account.Digest(contracttest.ChainID, digest)
	good := assert(t, key, bound)
	require.Equal(t, valid, answer(c, account.Address(), digest, good.pack(t)))

	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	changed := map[string]func(*assertion){
		"another challenge": func(a *assertion) { *a = assert(t, key, common.Hash{6}) },
		"another key":       func(a *assertion) { *a = assert(t, other, bound) },
		"nobody present":    func(a *assertion) { a.AuthenticatorData = make([]byte, 37) },
		"too short":         func(a *assertion) { a.AuthenticatorData = make([]byte, 32) },
		"type elsewhere":    func(a *assertion) { a.TypeIndex = big.NewInt(2) },
		"beyond the text":   func(a *assertion) { a.ChallengeIndex = big.NewInt(1000) },
		"upper half":        func(a *assertion) { a.S = new(big.Int).Sub(elliptic.P256().Params().N, a.S) },
	}
	for name, change := range changed {
		a := good
		change(&a)
		require.Equal(t, invalid, answer(c, account.Address(), digest, a.pack(t)), name)
	}
}

// Ensure random changes of owners and payments by them succeed exactly when a list of owners in Go predicts it, and
// supply is conserved.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		c := newChain(t)
		_, at := deployed(c)
		c.Must(contracttest.Owner, contracttest.TokenAddress, tokencontract.PackMint(at, contracttest.StartBalance))
		random := mathrand.New(mathrand.NewPCG(seed, 8))
		// An entry for each index that was ever given out; nil is one removed.
		owners := [][]byte{smartwallet.AccountOwner(owner.Address), smartwallet.AccountOwner(second.Address)}
		is := func(owner []byte) bool {
			for _, other := range owners {
				if bytes.Equal(other, owner) {
					return true
				}
			}
			return false
		}
		count := func() (n int) {
			for _, owner := range owners {
				if owner != nil {
					n++
				}
			}
			return n
		}
		var paid uint64
		for range 120 {
			from, other := fixtures.Dev(random.IntN(5)), smartwallet.AccountOwner(fixtures.Dev(random.IntN(5)).Address)
			index := random.IntN(len(owners) + 1)
			may := is(smartwallet.AccountOwner(from.Address))
			there := index < len(owners) && bytes.Equal(owners[index], other)
			var data []byte
			var want bool
			var then func()
			switch random.IntN(4) {
			case 0:
				added := fixtures.Dev(random.IntN(5)).Address
				data, want = wallet.PackAddOwnerAddress(added), may && !is(smartwallet.AccountOwner(added))
				then = func() { owners = append(owners, smartwallet.AccountOwner(added)) }
			case 1:
				data, want = wallet.PackRemoveOwnerAtIndex(big.NewInt(int64(index)), other), may && there && count() > 1
				then = func() { owners[index] = nil }
			case 2:
				data, want = wallet.PackRemoveLastOwner(big.NewInt(int64(index)), other), may && there && count() == 1
				if want && random.IntN(4) > 0 {
					continue // else most accounts end without owners at once
				}
				then = func() { owners[index] = nil }
			case 3:
				amount := random.Uint64N(50)
				data = wallet.PackExecute(contracttest.TokenAddress, new(big.Int), tokencontract.PackTransfer(fixtures.Dev(7).Address, uint256.NewInt(amount)))
				want, then = may, func() { paid += amount }
			}
			require.Equal(t, want, c.Send(from, at, data).Succeeded)
			if want {
				then()
			}
			require.EqualValues(t, count(), new(uint256.Int).SetBytes(c.Read(at, wallet.PackOwnerCount())).Uint64())
		}
		require.Equal(t, paid, new(uint256.Int).Sub(contracttest.StartBalance, c.Tokens(at)).Uint64())
		require.Equal(t, paid, new(uint256.Int).Sub(c.Tokens(fixtures.Dev(7).Address), contracttest.StartBalance).Uint64())
	}
}
