package wallet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/simple7702"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure limits hold to the last call and the last character: 100 calls, and an id of 8,194 characters.
func TestCallsAtTheLimits(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	full := batch(servertest.Bob.Address, false, slices.Repeat([]map[string]any{paying}, 100)...)
	id := sendCalls(n, full)
	require.Len(t, id, 2+64*(100+1))
	require.Equal(t, 100, status(n, id).Status)
	name := strings.Repeat("i", 8194)
	require.Equal(t, name, sendCalls(n, with(batch(fixtures.Dev(2).Address, false, paying), "id", name)))
	n.Seal(1)
	for _, asked := range []string{id, strings.ToUpper(id[2:])} {
		require.Equal(t, 200, status(n, "0x"+strings.TrimPrefix(asked, "0x")).Status)
	}
	require.Equal(t, 200, status(n, name).Status)
	require.Len(t, status(n, id).Receipts, 100)
	require.Equal(t, "0x1f9", servertest.Fetch[string](n, "eth_getBalance", paying["to"]), "101 times 5 wei")
}

// Ensure a batch whose first call creates a contract is refused where it must be atomic, and else is one transaction
// for each call even from an account that could send it whole.
func TestCreationInCalls(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	creation := map[string]any{"data": "0x5f5ff3"}
	n.Refuses(5760, []string{"call 0 creates a contract, which no batch can do atomically"}, "wallet_sendCalls", batch(servertest.Bob.Address, true, creation, count))
	n.Do("fakenode_delegate", servertest.Bob.Address, simple7702.V08Address)
	for _, calls := range [][]map[string]any{{creation, count}, {count, creation}} {
		id := sendCalls(n, batch(servertest.Bob.Address, false, calls...))
		require.False(t, status(n, id).Atomic)
		n.Seal(1)
		require.Equal(t, 200, status(n, id).Status)
		require.Len(t, status(n, id).Receipts, 2)
	}
}

// Ensure each transaction of a batch gets twice the gas that its calls use, and that a receipt has the logs and the gas
// of the transaction.
func TestGasOfCalls(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	id := sendCalls(n, batch(servertest.Bob.Address, false, paying, count))
	n.Seal(1)
	receipts := status(n, id).Receipts
	block := servertest.Fetch[struct {
		Transactions []struct{ Gas hexutil.Uint64 }
	}](n, "eth_getBlockByNumber", "latest", true)
	require.EqualValues(t, 42_000, block.Transactions[0].Gas)
	for i, receipt := range receipts {
		require.EqualValues(t, 1, receipt.BlockNumber)
		require.EqualValues(t, 1, receipt.Status)
		require.Equal(t, 2*receipt.GasUsed, block.Transactions[i].Gas)
	}
	require.Empty(t, receipts[0].Logs)
	require.Equal(t, servertest.Counter, receipts[1].Logs[0].Address)
	type logged struct {
		Receipts []struct{ Logs []struct{ Data, Topics any } }
	}
	counted := servertest.Fetch[logged](n, "wallet_getCallsStatus", id).Receipts[1].Logs[0]
	require.Equal(t, "0x"+servertest.Padded("1"), counted.Data)
	require.Empty(t, counted.Topics)

	heavy := common.HexToAddress("0x4ea7")
	n.Do("anvil_setCode", heavy, "0x62061a805b6001900380600457") // counts from 400,000 down, at 26 gas each
	n.Do("wallet_sendCalls", batch(servertest.Bob.Address, false, map[string]any{"to": heavy}))
	waiting := servertest.Fetch[[]struct{ Gas hexutil.Uint64 }](n, "eth_pendingTransactions")
	require.EqualValues(t, 1<<24, waiting[0].Gas, "not twice what it uses, as no transaction may have that")
}

// Ensure a batch is executed as it would be behind what its own account has in the pool, and what others have there, or
// what waits for a nonce that is missing, does not count.
func TestCallsBehindOwnTransactionsOnly(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	n.Pay(0, 2, 1)
	n.Nonces[servertest.Bob.Address] = 7
	n.Pay(1, 2, 1)
	too := batch(servertest.Bob.Address, false, slices.Repeat([]map[string]any{with(paying, "data", "0x"+strings.Repeat("ff", 100_000))}, 20)...)
	n.Refuses(5740, []string{"behind 0 transactions of " + servertest.Bob.Address.Hex() + " in the pool, need more gas than the next block has of 60000000, or --gas-cap allows"}, "wallet_sendCalls", too)
	id := sendCalls(n, batch(servertest.Bob.Address, false, count))
	n.Seal(1)
	require.Equal(t, 200, status(n, id).Status)
}

// Ensure an id counts only with the wallet's mark and whole hashes, of transactions that there are.
func TestForgedIDs(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	id := sendCalls(n, batch(servertest.Bob.Address, false, count))
	mark := id[2+64:]
	require.Equal(t, common.Bytes2Hex(crypto.Keccak256([]byte("fakenode wallet_sendCalls sequential"))), mark)
	other := common.Bytes2Hex(crypto.Keccak256([]byte("fakenode wallet_sendCalls atomic")))
	require.False(t, status(n, id).Atomic)
	require.True(t, status(n, id[:2+64]+other).Atomic)
	for _, forged := range []string{
		"0x" + mark, id[:2+64], id[:len(id)-1], id[:len(id)-2], "0x00" + id[2:], id + mark, id[2:],
		"0x" + servertest.Padded("1") + id[2:], id[:2+64] + servertest.Padded("1") + mark,
	} {
		n.Refuses(5730, []string{"there is no batch with the id " + forged[:8]}, "wallet_getCallsStatus", forged)
	}
}

// Ensure a wallet without an account says so, and refuses one that it does not have.
func TestWalletWithoutAccounts(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	bare := servertest.Listen(t, rpcserver.Config{Main: n.Timeline})
	n.Server = bare
	n.Refuses(4100, []string{"the wallet has no account: start the node with --accounts 1 or more"}, "wallet_sendCalls", with(batch(servertest.Bob.Address, false, count), "from", nil))
	n.Refuses(4100, []string{"account " + servertest.Bob.Address.Hex() + " is not in the wallet"}, "wallet_sendCalls", batch(servertest.Bob.Address, false, count))
}

// Ensure the required capability that comes first by name is the one refused, of the batch and of its calls.
func TestCapabilitiesRefusedByName(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	needs := func(names ...string) map[string]any {
		all := map[string]any{"0": map[string]any{"optional": true}}
		for _, name := range names {
			all[name] = map[string]any{}
		}
		return all
	}
	request := with(batch(servertest.Bob.Address, false, count, with(count, "capabilities", needs("b", "d"))), "capabilities", needs("c", "e"))
	n.Refuses(5700, []string{`capability "b" is not supported: leave it out, or mark it as optional`}, "wallet_sendCalls", request)
	n.Refuses(5700, []string{`capability "c" is`}, "wallet_sendCalls", with(request, "calls", []any{count}))
	require.NotEmpty(t, sendCalls(n, with(batch(servertest.Bob.Address, false, with(count, "capabilities", needs())), "capabilities", needs())))
}

// Ensure accounts delegate to the first implementation that the chain has, and those that run another one are told of
// it.
func TestWhatAccountsDelegateTo(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Do("anvil_setCode", simple7702.V09Address, hexutil.Bytes(simple7702.Predeploys()[simple7702.V09Address].Code))
	require.Equal(t, "ready", atomicity(n, servertest.Bob.Address))
	id := sendCalls(n, batch(servertest.Bob.Address, true, count, count))
	n.Seal(1)
	require.Equal(t, 200, status(n, id).Status)
	require.Equal(t, "0xef0100"+strings.ToLower(simple7702.V09Address.Hex()[2:]), servertest.Fetch[string](n, "eth_getCode", servertest.Bob.Address))
	require.Equal(t, "supported", atomicity(n, servertest.Bob.Address))

	contract, whale := servertest.Counter, common.HexToAddress("0xa11ce")
	for account, reason := range map[common.Address]string{contract: "it is a contract", whale: "the node has no key to sign its delegation with"} {
		n.Do("anvil_impersonateAccount", account)
		n.Refuses(5760, []string{"account " + account.Hex() + " cannot execute calls atomically: " + reason}, "wallet_sendCalls", batch(account, true, count))
	}
}

// Ensure what a page asks of a wallet is refused by what is wrong with it.
func TestPagesRefused(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	for _, method := range []string{"wallet_switchEthereumChain", "wallet_addEthereumChain"} {
		n.Refuses(api.CodeInvalidParams, []string{"chainId is missing"}, method, map[string]any{})
		n.Refuses(api.CodeInvalidParams, []string{"chainId"}, method, map[string]any{"chainId": "0x01"})
		n.Refuses(api.CodeInvalidParams, []string{"an object of chainId"}, method, 7)
	}
	for _, method := range []string{"wallet_requestPermissions", "wallet_revokePermissions"} {
		n.Refuses(api.CodeInvalidParams, []string{`{"eth_accounts": {}}`}, method, 7)
		n.Refuses(api.CodeInvalidParams, []string{"permission a is not supported, the wallet has eth_accounts alone"}, method,
			map[string]any{"b": map[string]any{}, "a": map[string]any{}, "eth_accounts": map[string]any{}})
	}
	for _, kind := range []string{"ERC20", "ERC721", "ERC1155"} {
		require.True(t, servertest.Fetch[bool](n, "wallet_watchAsset", kind, map[string]any{"address": servertest.Token}))
		n.Refuses(api.CodeInvalidParams, []string{"address is missing"}, "wallet_watchAsset", kind, map[string]any{"address": nil})
	}
	n.Refuses(api.CodeInvalidParams, []string{"ERC20, ERC721, ERC1155"}, "wallet_watchAsset", "ERC7", map[string]any{"address": servertest.Token})
}
