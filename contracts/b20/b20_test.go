package b20_test

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/b20"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/tokencontract"
)

// Features that can be paused.
const transfers, mints = 0, 1

// blockAll is the id of the policy that allows nobody.
const blockAll = 1<<56 | 1

var (
	token, registry = b20.NewStablecoin(), b20.NewPolicyRegistry()

	issuer                = fixtures.NamedAccount("fakenode token owner")
	payer, shop, stranger = fixtures.Dev(0), fixtures.Dev(1), fixtures.Dev(2)

	order = common.Hash{31: 42}
	start = fixtures.USD("100")
)

func newChain(t *testing.T) *contracttest.Chain {
	t.Helper()
	alloc := maps.Clone(b20.Predeploys())
	stablecoin := alloc[b20.Address]
	stablecoin.Storage = b20.Storage(map[common.Address]*uint256.Int{payer.Address: start})
	alloc[b20.Address] = stablecoin
	return contracttest.New(t, alloc)
}

func scope(name string) [32]byte { return crypto.Keccak256Hash([]byte("TRANSFER_" + name + "_POLICY")) }

func balance(c *contracttest.Chain, account common.Address) uint64 {
	return new(uint256.Int).SetBytes(c.Read(b20.Address, token.PackBalanceOf(account))).Uint64()
}

// reverts checks that a call is refused with an error of the token's, and leaves nothing behind.
func reverts(t *testing.T, c *contracttest.Chain, from fixtures.Account, data []byte, name string, arguments ...any) {
	t.Helper()
	c.Reverts(from, b20.Address, data, contracttest.Error(t, token.GetABI(), name, arguments...))
}

// Ensure a memo comes right behind the transfer it is about, also when a contract of somebody else moves the money.
func TestMemo(t *testing.T) {
	t.Parallel()
	require.Equal(t, "b200000000000000000001", common.Bytes2Hex(b20.Address[:11]), "prefix, and the byte of a stablecoin")
	c := newChain(t)
	paid := c.Must(payer, b20.Address, token.PackTransferWithMemo(shop.Address, big.NewInt(25_000_000), order))
	require.Equal(t, []string{"Transfer", "Memo"}, contracttest.Events(t, b20.Address, token.GetABI(), paid.Logs))
	require.Equal(t, paid.Logs[0].Index+1, paid.Logs[1].Index)
	memo, err := token.UnpackMemoEvent(paid.Logs[1])
	require.NoError(t, err)
	require.Equal(t, []any{payer.Address, order}, []any{memo.Caller, common.Hash(memo.Memo)})
	transfer, err := tokencontract.DecodeTransfer(*paid.Logs[0])
	require.NoError(t, err, "it is an ERC-20's")
	require.Equal(t, []any{payer.Address, shop.Address, uint64(25_000_000)}, []any{transfer.From, transfer.To, transfer.Value.Uint64()})

	c.Must(payer, b20.Address, token.PackApprove(stranger.Address, big.NewInt(10)))
	taken := c.Must(stranger, b20.Address, token.PackTransferFromWithMemo(payer.Address, shop.Address, big.NewInt(10), common.Hash{}))
	require.Equal(t, []string{"Transfer", "Memo"}, contracttest.Events(t, b20.Address, token.GetABI(), taken.Logs))
	memo, err = token.UnpackMemoEvent(taken.Logs[1])
	require.NoError(t, err)
	require.Equal(t, []any{stranger.Address, common.Hash{}}, []any{memo.Caller, common.Hash(memo.Memo)}, "the caller, not the payer; a memo may be zero")
	require.Equal(t, []uint64{74_999_990, 25_000_010}, []uint64{balance(c, payer.Address), balance(c, shop.Address)})
}

// Ensure refusals come in the order they have since Denim, each with its published error: a call with all causes names
// the first, and each cause that is taken away shows the next.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	amount, have := big.NewInt(200_000_000), start.ToBig()
	pay := func(to common.Address) []byte { return token.PackTransferWithMemo(to, amount, order) }
	take := func(from, to common.Address) []byte { return token.PackTransferFromWithMemo(from, to, amount, order) }
	block := func(name string, policy uint64) {
		c.Must(issuer, b20.Address, token.PackUpdatePolicy(scope(name), policy))
	}
	none := common.Address{}

	c.Must(issuer, b20.Address, token.PackPause([]uint8{transfers, mints}))
	for _, name := range []string{"EXECUTOR", "SENDER", "RECEIVER"} {
		block(name, blockAll)
	}
	reverts(t, c, payer, pay(none), "ContractPaused", uint8(transfers))
	reverts(t, c, stranger, take(none, none), "ContractPaused", uint8(transfers))
	c.Must(payer, b20.Address, token.PackApprove(shop.Address, amount)) // neither pause nor policies apply
	c.Must(issuer, b20.Address, token.PackUnpause([]uint8{transfers}))
	reverts(t, c, issuer, token.PackMint(shop.Address, amount), "ContractPaused", uint8(mints))

	reverts(t, c, payer, pay(none), "InvalidReceiver", none)
	reverts(t, c, payer, pay(b20.Address), "InvalidReceiver", b20.Address)
	reverts(t, c, stranger, take(none, shop.Address), "InvalidSender", none)
	reverts(t, c, stranger, take(payer.Address, shop.Address), "InsufficientAllowance", stranger.Address, new(big.Int), amount)
	for _, name := range []string{"EXECUTOR", "SENDER", "RECEIVER"} {
		reverts(t, c, payer, pay(shop.Address), "PolicyForbids", scope(name), uint64(blockAll))
		reverts(t, c, shop, take(payer.Address, shop.Address), "PolicyForbids", scope(name), uint64(blockAll))
		block(name, 0)
	}
	reverts(t, c, payer, pay(shop.Address), "InsufficientBalance", payer.Address, have, amount)
	reverts(t, c, shop, take(payer.Address, shop.Address), "InsufficientBalance", payer.Address, have, amount)
}

// Ensure only the issuer mints, pauses and sets policies, and only what there is.
func TestIssuer(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	for role, data := range map[string][]byte{
		"MINT_ROLE": token.PackMint(shop.Address, big.NewInt(1)), "PAUSE_ROLE": token.PackPause([]uint8{transfers}),
		"UNPAUSE_ROLE": token.PackUnpause([]uint8{transfers}),
	} {
		reverts(t, c, shop, data, "AccessControlUnauthorizedAccount", shop.Address, [32]byte(crypto.Keccak256Hash([]byte(role))))
	}
	reverts(t, c, shop, token.PackUpdatePolicy(scope("SENDER"), 0), "AccessControlUnauthorizedAccount", shop.Address, [32]byte{})
	reverts(t, c, issuer, token.PackPause(nil), "EmptyFeatureSet")
	reverts(t, c, issuer, token.PackUpdatePolicy(scope("SENDER"), 2), "PolicyNotFound", uint64(2))
	reverts(t, c, issuer, token.PackUpdatePolicy([32]byte{1}, 0), "UnsupportedPolicyType", [32]byte{1})

	supplyCap := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	reverts(t, c, issuer, token.PackMint(shop.Address, supplyCap), "SupplyCapExceeded", supplyCap, new(big.Int).Add(supplyCap, start.ToBig()))
	reverts(t, c, issuer, token.PackMint(b20.Address, big.NewInt(1)), "InvalidReceiver", b20.Address)
	minted := c.Must(issuer, b20.Address, token.PackMint(shop.Address, big.NewInt(7)))
	require.Equal(t, []string{"Transfer"}, contracttest.Events(t, b20.Address, token.GetABI(), minted.Logs))
	require.Equal(t, uint64(7), balance(c, shop.Address))
}

// Ensure one payer can be blocked, and all but some, and that nobody but a policy's admin changes its list.
func TestPolicies(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	create := func(kind uint8) uint64 {
		created := c.Must(shop, b20.RegistryAddress, registry.PackCreatePolicyWithAccounts(shop.Address, kind, []common.Address{payer.Address}))
		require.Equal(t, []string{"PolicyCreated", "PolicyAdminUpdated", []string{"BlocklistUpdated", "AllowlistUpdated"}[kind]},
			contracttest.Events(t, b20.RegistryAddress, registry.GetABI(), created.Logs))
		id, err := registry.UnpackCreatePolicyWithAccounts(created.Output)
		require.NoError(t, err)
		return id
	}
	blocklist, allowlist := create(0), create(1)
	require.Equal(t, []uint64{2, 1<<56 | 3}, []uint64{blocklist, allowlist})

	c.Must(issuer, b20.Address, token.PackUpdatePolicy(scope("SENDER"), blocklist))
	pay := token.PackTransfer(shop.Address, big.NewInt(5))
	reverts(t, c, payer, pay, "PolicyForbids", scope("SENDER"), blocklist)
	refused := func(from fixtures.Account, data []byte, name string) {
		c.Reverts(from, b20.RegistryAddress, data, contracttest.Error(t, registry.GetABI(), name))
	}
	refused(payer, registry.PackUpdateBlocklist(blocklist, false, []common.Address{payer.Address}), "Unauthorized")
	refused(shop, registry.PackUpdateAllowlist(blocklist, false, nil), "IncompatiblePolicyType")
	refused(shop, registry.PackUpdateBlocklist(9, false, nil), "PolicyNotFound")
	refused(shop, registry.PackCreatePolicy(common.Address{}, 0), "ZeroAddress")
	refused(shop, registry.PackCreatePolicy(shop.Address, 2), "IncompatiblePolicyType")
	c.Must(shop, b20.RegistryAddress, registry.PackUpdateBlocklist(blocklist, false, []common.Address{payer.Address}))
	c.Must(payer, b20.Address, pay)

	c.Must(issuer, b20.Address, token.PackUpdatePolicy(scope("SENDER"), allowlist))
	c.Must(payer, b20.Address, pay)
	reverts(t, c, shop, token.PackTransfer(payer.Address, big.NewInt(1)), "PolicyForbids", scope("SENDER"), allowlist)
}

// Ensure a permit sets the allowance once, for its own domain, and that its refusals are the published ones.
func TestPermit(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	permit := tokencontract.Permit{Owner: payer.Address, Spender: shop.Address, Value: uint256.NewInt(30), Deadline: uint256.NewInt(c.Now())}
	domain := b20.Domain(contracttest.ChainID)
	pack := func(p tokencontract.Permit, s tokencontract.Signature) []byte {
		return token.PackPermit(p.Owner, p.Spender, p.Value.ToBig(), p.Deadline.ToBig(), s.V(), s.R(), s.S())
	}
	separator := c.Read(b20.Address, token.PackDOMAINSEPARATOR())
	require.Equal(t, domain.Separator(), common.Hash(separator))
	described, err := token.UnpackEip712Domain(c.Read(b20.Address, token.PackEip712Domain()))
	require.NoError(t, err)
	require.Equal(t, []any{domain.Name, domain.Version, uint64(contracttest.ChainID), b20.Address, [1]byte{0xf}},
		[]any{described.Name, described.Version, described.ChainId.Uint64(), described.VerifyingContract, described.Fields})

	signed := pack(permit, payer.Sign(domain, permit.Message()))
	reverts(t, c, stranger, pack(permit, stranger.Sign(domain, permit.Message())), "InvalidSigner", stranger.Address, payer.Address)
	set := c.Must(stranger, b20.Address, signed)
	require.Equal(t, []string{"Approval"}, contracttest.Events(t, b20.Address, token.GetABI(), set.Logs))
	require.False(t, c.Send(stranger, b20.Address, signed).Succeeded, "its nonce is used")
	c.Must(shop, b20.Address, token.PackTransferFromWithMemo(payer.Address, shop.Address, big.NewInt(30), order))
	reverts(t, c, shop, token.PackTransferFrom(payer.Address, shop.Address, big.NewInt(1)), "InsufficientAllowance", shop.Address, new(big.Int), big.NewInt(1))

	permit.Nonce, permit.Spender = 1, common.Address{}
	reverts(t, c, stranger, pack(permit, payer.Sign(domain, permit.Message())), "InvalidSpender", common.Address{})
	c.SetTime(c.Now() + 1)
	reverts(t, c, stranger, signed, "ExpiredSignature", permit.Deadline.ToBig())
}

// operation is a call of the token by one account, from -> to.
type operation struct {
	kind         string
	by, from, to int
	amount       uint64
}

// model is the token in thirty lines: who has how much, who may take how much, and who may not.
type model struct {
	balances [4]uint64
	allowed  [4][4]uint64
	supply   uint64
	paused   bool
	blocked  [4]bool // may not send
}

// apply returns the name of the error that the token answers with, "" if it does as it is told.
func (m *model) apply(o operation) string {
	switch o.kind {
	case "mint":
		if m.paused {
			return "ContractPaused"
		}
		m.balances[o.to] += o.amount
		m.supply += o.amount
	case "pause":
		m.paused = !m.paused
	case "block":
		m.blocked[o.to] = !m.blocked[o.to]
	case "approve":
		m.allowed[o.by][o.to] = o.amount
	default:
		taken := o.kind == "transferFrom" || o.kind == "transferFromWithMemo"
		switch {
		case m.paused:
			return "ContractPaused"
		case taken && m.allowed[o.from][o.by] < o.amount:
			return "InsufficientAllowance"
		case m.blocked[o.from]:
			return "PolicyForbids"
		case m.balances[o.from] < o.amount:
			return "InsufficientBalance"
		}
		if taken {
			m.allowed[o.from][o.by] -= o.amount
		}
		m.balances[o.from] -= o.amount
		m.balances[o.to] += o.amount
	}
	return ""
}

// Ensure random operations end as those of the model: the same refusals, logs and balances, and no money is lost.
func TestRandomOperations(t *testing.T) {
	t.Parallel()
	c, m, random := contracttest.New(t, b20.Predeploys()), new(model), rand.New(rand.NewPCG(45, 2))
	account := func(i int) common.Address { return fixtures.Dev(i).Address }
	c.Must(issuer, b20.RegistryAddress, registry.PackCreatePolicy(issuer.Address, 0))
	c.Must(issuer, b20.Address, token.PackUpdatePolicy(scope("SENDER"), 2))
	counts := map[string]int{}
	for range laboratory.Budget(t, 800, 2000) {
		kinds := []string{"transfer", "transferWithMemo", "transferFrom", "transferFromWithMemo", "approve", "approve", "mint", "block", "pause"}
		o := operation{kind: kinds[random.IntN(len(kinds))], by: random.IntN(4), from: random.IntN(4), to: random.IntN(4), amount: random.Uint64N(90)}
		amount, memo, target, sender := new(big.Int).SetUint64(o.amount), common.Hash{byte(random.Uint32())}, b20.Address, fixtures.Dev(o.by)
		var data []byte
		var events []string
		switch o.kind {
		case "transfer":
			o.from, data, events = o.by, token.PackTransfer(account(o.to), amount), []string{"Transfer"}
		case "transferWithMemo":
			o.from, data, events = o.by, token.PackTransferWithMemo(account(o.to), amount, memo), []string{"Transfer", "Memo"}
		case "transferFrom":
			data, events = token.PackTransferFrom(account(o.from), account(o.to), amount), []string{"Transfer"}
		case "transferFromWithMemo":
			data, events = token.PackTransferFromWithMemo(account(o.from), account(o.to), amount, memo), []string{"Transfer", "Memo"}
		case "approve":
			data, events = token.PackApprove(account(o.to), amount), []string{"Approval"}
		case "mint":
			sender, data, events = issuer, token.PackMint(account(o.to), amount), []string{"Transfer"}
		case "block":
			sender, target = issuer, b20.RegistryAddress
			data = registry.PackUpdateBlocklist(2, !m.blocked[o.to], []common.Address{account(o.to)})
		case "pause":
			sender, data, events = issuer, token.PackPause([]uint8{transfers, mints}), []string{"Paused"}
			if m.paused {
				data, events = token.PackUnpause([]uint8{transfers, mints}), []string{"Unpaused"}
			}
		}
		refusal, outcome := m.apply(o), c.Send(sender, target, data)
		counts[o.kind+" "+refusal]++
		require.Equal(t, refusal == "", outcome.Succeeded, "%+v", o)
		if refusal != "" {
			require.Equal(t, token.GetABI().Errors[refusal].ID.Bytes()[:4], outcome.Output[:4], "%+v", o)
			events = nil
		}
		require.Equal(t, events, contracttest.Events(t, b20.Address, token.GetABI(), outcome.Logs))
		for i := range m.balances {
			require.Equal(t, m.balances[i], balance(c, account(i)), "%+v", o)
		}
	}
	supply, err := token.UnpackTotalSupply(c.Read(b20.Address, token.PackTotalSupply()))
	require.NoError(t, err)
	require.Equal(t, m.supply, supply.Uint64())
	for _, kind := range []string{"transferWithMemo", "transferFromWithMemo"} {
		for _, refusal := range []string{"", "ContractPaused", "PolicyForbids", "InsufficientBalance"} {
			require.NotZero(t, counts[kind+" "+refusal], "%s %s did not come up", kind, refusal)
		}
	}
	require.NotZero(t, counts["transferFromWithMemo InsufficientAllowance"])
}
