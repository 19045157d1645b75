package wallet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/simple7702"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// newWallet starts a network whose accounts can delegate to a Simple7702Account.
func newWallet(t *testing.T) *servertest.Network {
	n := servertest.Plain(t)
	for address, account := range simple7702.Predeploys() {
		n.Do("anvil_setCode", address, hexutil.Bytes(account.Code))
	}
	return n
}

// batch returns the parameter of wallet_sendCalls.
func batch(from common.Address, atomic bool, calls ...map[string]any) map[string]any {
	return map[string]any{"version": "2.0.0", "chainId": hexutil.Uint64(servertest.ChainID), "from": from, "atomicRequired": atomic, "calls": calls}
}

// with returns a copy of an object with another member, without it for nil.
func with(object map[string]any, member string, value any) map[string]any {
	changed := map[string]any{member: value}
	for name, v := range object {
		if name != member {
			changed[name] = v
		}
	}
	if value == nil {
		delete(changed, member)
	}
	return changed
}

var (
	count  = map[string]any{"to": servertest.Counter}
	paying = map[string]any{"to": common.HexToAddress("0xfeed"), "value": "0x5"}
)

// failing calls code that is not there to call: a transfer of more tokens than there are.
func failing() map[string]any {
	data := append(servertest.CallData("transfer(address,uint256)", common.HexToAddress("0xfeed")), common.MaxHash[:]...)
	return map[string]any{"to": servertest.Token, "data": hexutil.Bytes(data)}
}

// callsStatus is the answer to wallet_getCallsStatus.
type callsStatus struct {
	Version, ID string
	ChainID     hexutil.Uint64
	Status      int
	Atomic      bool
	Receipts    []struct {
		Logs                       []struct{ Address common.Address }
		Status                     hexutil.Uint64
		BlockHash, TransactionHash common.Hash
		BlockNumber, GasUsed       hexutil.Uint64
	}
}

func sendCalls(n *servertest.Network, request map[string]any) string {
	n.Helper()
	return servertest.Fetch[struct{ ID string }](n, "wallet_sendCalls", request).ID
}

func status(n *servertest.Network, id string) callsStatus {
	n.Helper()
	n.Do("wallet_showCallsStatus", id)
	return servertest.Fetch[callsStatus](n, "wallet_getCallsStatus", id)
}

func atomicity(n *servertest.Network, account common.Address) string {
	n.Helper()
	answer := servertest.Fetch[map[string]map[string]map[string]string](n, "wallet_getCapabilities", account)
	return answer[hexutil.EncodeUint64(servertest.ChainID)]["atomic"]["status"]
}

// Ensure a batch that must be atomic is one transaction that delegates the account first, that the next one needs no
// delegation, and that a status says pending until the batch is in a block.
func TestAtomicCalls(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	require.Equal(t, "ready", atomicity(n, servertest.Bob.Address))
	id := sendCalls(n, batch(servertest.Bob.Address, true, count, paying, count))
	waiting := status(n, id)
	require.Equal(t, callsStatus{Version: "2.0.0", ID: id, ChainID: servertest.ChainID, Status: 100, Atomic: true}, waiting)
	n.Preconfirm()
	early := status(n, id)
	require.Equal(t, 100, early.Status, "pre-confirmed is not confirmed")
	require.Len(t, early.Receipts, 1)
	require.Zero(t, early.Receipts[0].BlockHash)
	require.Equal(t, "supported", atomicity(n, servertest.Bob.Address))
	block := n.Seal(1)[0]
	sealed := status(n, id)
	require.Equal(t, 200, sealed.Status)
	require.Equal(t, block, sealed.Receipts[0].BlockHash)
	require.EqualValues(t, 1, sealed.Receipts[0].BlockNumber)
	require.EqualValues(t, 1, sealed.Receipts[0].Status)
	require.Len(t, sealed.Receipts[0].Logs, 2)
	require.Equal(t, "0x"+servertest.Padded("2"), servertest.Fetch[string](n, "eth_getStorageAt", servertest.Counter, "0x0"))
	require.Equal(t, "0x5", servertest.Fetch[string](n, "eth_getBalance", paying["to"]))
	require.Equal(t, hexutil.Encode(types.AddressToDelegation(simple7702.V08Address)), servertest.Fetch[string](n, "eth_getCode", servertest.Bob.Address))
	require.Equal(t, "0x2", servertest.Fetch[string](n, "eth_getTransactionCount", servertest.Bob.Address), "of the transaction and of the authorization")

	again := sendCalls(n, batch(servertest.Bob.Address, false, count, failing(), count))
	n.Seal(1)
	failed := status(n, again)
	require.Equal(t, 500, failed.Status, "all or none, as the account is delegated already")
	require.True(t, failed.Atomic)
	require.Len(t, failed.Receipts, 1)
	require.Equal(t, "0x"+servertest.Padded("2"), servertest.Fetch[string](n, "eth_getStorageAt", servertest.Counter, "0x0"))
}

// Ensure calls that need not be atomic are one transaction each, in their order, and that each counts by itself.
func TestSequentialCalls(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	approve := map[string]any{"to": servertest.Token, "data": hexutil.Bytes(append(servertest.CallData("approve(address,uint256)", servertest.Bob.Address), common.BigToHash(common.Big3).Bytes()...))}
	spend := map[string]any{"to": servertest.Token, "data": hexutil.Bytes(append(servertest.CallData("transferFrom(address,address,uint256)", servertest.Bob.Address, servertest.Alice.Address), common.BigToHash(common.Big3).Bytes()...))}
	for _, c := range []struct {
		status int
		calls  []map[string]any
	}{
		{200, []map[string]any{approve, spend, count}},
		{500, []map[string]any{failing(), failing()}},
		{600, []map[string]any{count, failing(), {"data": "0x5f5ff3"}}},
	} {
		id := sendCalls(n, batch(servertest.Bob.Address, false, c.calls...))
		n.Seal(1)
		status := status(n, id)
		require.Equal(t, c.status, status.Status)
		require.False(t, status.Atomic)
		require.Len(t, status.Receipts, len(c.calls))
	}
	require.Equal(t, "ready", atomicity(n, servertest.Bob.Address), "nobody asked for a delegation")
}

// Ensure a status follows the chain: a pre-confirmation that is lost, a reorg that takes a block back, one that loses
// the batch, a snapshot from before it.
func TestCallsStatusFollowsTheChain(t *testing.T) {
	t.Parallel()
	for _, atomic := range []bool{true, false} {
		for _, name := range []any{nil, "order-1"} {
			n := newWallet(t)
			before := servertest.Fetch[string](n, "fakenode_snapshot")
			id := sendCalls(n, with(batch(servertest.Bob.Address, atomic, count, count), "id", name))
			n.Preconfirm()
			require.NotEmpty(t, status(n, id).Receipts)
			n.Do("fakenode_flashblockFault", map[string]any{"kind": "drop"})
			lost := status(n, id)
			require.Equal(t, 100, lost.Status)
			require.Empty(t, lost.Receipts, "it waits again")
			n.Seal(1)
			require.Equal(t, 200, status(n, id).Status)
			n.Do("fakenode_reorg", map[string]any{"depth": 1})
			require.Equal(t, 200, status(n, id).Status, "mined again")
			n.Do("fakenode_reorg", map[string]any{"depth": 2, "length": 1, "transactions": "drop"})
			gone := status(n, id)
			require.Equal(t, 400, gone.Status)
			require.Empty(t, gone.Receipts)
			require.Equal(t, atomic, gone.Atomic)
			n.Do("fakenode_revert", before)
			n.Refuses(5730, []string{id[:7]}, "wallet_getCallsStatus", id)
			require.NotEmpty(t, sendCalls(n, with(batch(servertest.Bob.Address, atomic, count), "id", name)), "the name is free again")
		}
	}
}

// Ensure a batch of which one transaction is lost counts as partly reverted, and as reverted if the other failed.
func TestPartlyLostCalls(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	for want, call := range map[int]map[string]any{600: count, 500: failing()} {
		id := sendCalls(n, batch(servertest.Bob.Address, false, call, call))
		hashes := servertest.Fetch[[]struct{ Hash common.Hash }](n, "eth_pendingTransactions")
		require.NotNil(t, servertest.Fetch[*string](n, "anvil_dropTransaction", hashes[1].Hash))
		require.Equal(t, 100, status(n, id).Status)
		n.Seal(1)
		require.Equal(t, want, status(n, id).Status)
		require.Len(t, status(n, id).Receipts, 1)
	}
}

// Ensure calls are behind what the account has sent before, and that an impersonated account sends calls, too.
func TestCallsBehindOthers(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	n.Pay(1, 2, 1)
	n.Pay(1, 2, 1)
	id := sendCalls(n, batch(servertest.Bob.Address, true, count, count))
	second := sendCalls(n, batch(servertest.Bob.Address, true, count))
	n.Seal(1)
	require.Equal(t, 200, status(n, id).Status)
	require.Equal(t, 200, status(n, second).Status)
	require.Equal(t, "0x"+servertest.Padded("3"), servertest.Fetch[string](n, "eth_getStorageAt", servertest.Counter, "0x0"))

	whale := common.HexToAddress("0xa11ce")
	n.Do("anvil_setBalance", whale, "1000000000000000000")
	n.Do("anvil_impersonateAccount", whale)
	require.Equal(t, "unsupported", atomicity(n, whale))
	each := sendCalls(n, batch(whale, false, count, paying))
	n.Seal(1)
	require.Equal(t, 200, status(n, each).Status)
	n.Do("fakenode_delegate", whale, simple7702.V09Address)
	require.Equal(t, "supported", atomicity(n, whale))
	whole := sendCalls(n, batch(whale, true, count, paying))
	n.Seal(1)
	require.Equal(t, 200, status(n, whole).Status)
	require.True(t, status(n, whole).Atomic)
}

// Ensure each mistake has the code of EIP-5792 and words that name it, and sends nothing.
func TestCallsRefused(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	stranger := common.HexToAddress("0xbad")
	good := batch(servertest.Bob.Address, false, count)
	sendCalls(n, with(good, "id", "order-1"))
	n.Do("fakenode_delegate", fixtures.Dev(2).Address, servertest.Counter)
	pooled := servertest.Fetch[any](n, "txpool_status")
	for _, c := range []struct {
		request any
		code    int
		words   []string
	}{
		{"calls", api.CodeInvalidParams, []string{"invalid argument 0", "atomicRequired"}},
		{with(good, "version", "1.0"), api.CodeInvalidParams, []string{"1.0", "2.0.0"}},
		{with(good, "version", nil), api.CodeInvalidParams, []string{"version is missing"}},
		{with(good, "chainId", nil), api.CodeInvalidParams, []string{"chainId is missing"}},
		{with(good, "chainId", "0x07a69"), api.CodeInvalidParams, []string{"leading zero"}},
		{with(good, "chainId", 31337), api.CodeInvalidParams, []string{"chainId"}},
		{with(good, "atomicRequired", nil), api.CodeInvalidParams, []string{"atomicRequired is missing"}},
		{with(good, "calls", []any{}), api.CodeInvalidParams, []string{"no calls"}},
		{with(good, "calls", []any{map[string]any{"to": "0x1"}}), api.CodeInvalidParams, []string{"calls"}},
		{with(good, "id", ""), api.CodeInvalidParams, []string{"8194"}},
		{with(good, "id", strings.Repeat("i", 8195)), api.CodeInvalidParams, []string{"8194"}},
		{with(good, "chainId", "0x1"), 5710, []string{"0x1", hexutil.EncodeUint64(servertest.ChainID)}},
		{with(good, "from", stranger), 4100, []string{stranger.Hex()}},
		{with(good, "capabilities", map[string]any{"paymasterService": map[string]any{"url": "https://x"}}), 5700, []string{"paymasterService"}},
		{batch(servertest.Bob.Address, false, with(count, "capabilities", map[string]any{"flow": map[string]any{"optional": false}})), 5700, []string{"flow"}},
		{with(good, "id", "order-1"), 5720, []string{"order-1"}},
		{with(good, "calls", slices.Repeat([]map[string]any{{}}, 101)), 5740, []string{"101", "100"}},
		{with(good, "calls", slices.Repeat([]map[string]any{with(paying, "data", "0x"+strings.Repeat("ff", 100_000))}, 20)), 5740, []string{"behind 1 transactions", "more gas than the next block"}},
		{batch(fixtures.Dev(2).Address, true, count), 5760, []string{"delegates to", servertest.Counter.Hex()}},
		{batch(servertest.Bob.Address, true, count, map[string]any{"data": "0x5f5ff3"}), 5760, []string{"call 1 creates a contract"}},
		{batch(servertest.Bob.Address, false, with(paying, "value", "0xffffffffffffffffffffffffffff")), api.CodeServer, []string{"insufficient funds"}},
		{batch(servertest.Bob.Address, false, map[string]any{}), api.CodeServer, []string{"needs data"}},
	} {
		n.Refuses(c.code, c.words, "wallet_sendCalls", c.request)
	}
	require.Equal(t, pooled, servertest.Fetch[any](n, "txpool_status"))
	n.Do("wallet_sendCalls", with(good, "capabilities", map[string]any{"flow": map[string]any{"optional": true}}))
	require.NotEmpty(t, sendCalls(n, with(good, "from", nil)), "from the first account")

	for _, id := range []string{"0x", "order-2", "0x" + servertest.Padded("1"), strings.Repeat("i", 10_000), n.Pay(1, 2, 1).Hash().Hex()} {
		for _, method := range []string{"wallet_getCallsStatus", "wallet_showCallsStatus"} {
			n.Refuses(5730, []string{"no batch"}, method, id)
		}
	}
	n.Fails(api.CodeInvalidParams, "wallet_getCallsStatus", 7)
	n.Refuses(4100, []string{stranger.Hex()}, "wallet_getCapabilities", stranger)
	n.Fails(api.CodeInvalidParams, "wallet_getCapabilities", servertest.Bob.Address, []string{"0x01"})
	own := hexutil.EncodeUint64(servertest.ChainID)
	for chains, count := range map[string]int{"0x1": 0, own: 1} {
		require.Len(t, servertest.Fetch[map[string]any](n, "wallet_getCapabilities", servertest.Bob.Address, []string{"0x1", chains}), count)
	}
}

// Ensure an account is unsupported where the chain has nothing to delegate to, and before prague, and that calls which
// need not be atomic are sent there.
func TestCallsWithoutDelegation(t *testing.T) {
	t.Parallel()
	bare := servertest.Plain(t)
	genesis := *servertest.Genesis()
	var err error
	genesis.Config, err = chain.ForkConfig("cancun", servertest.ChainID)
	require.NoError(t, err)
	before, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	for reason, n := range map[string]*servertest.Network{"to delegate to": bare, "before prague": servertest.New(t, preconf.Config{Chain: before}, rpcserver.Config{})} {
		require.Equal(t, "unsupported", atomicity(n, servertest.Bob.Address))
		n.Refuses(5760, []string{reason}, "wallet_sendCalls", batch(servertest.Bob.Address, true, count))
		id := sendCalls(n, batch(servertest.Bob.Address, false, count))
		n.Seal(1)
		require.Equal(t, 200, status(n, id).Status)
	}
	n := newWallet(t)
	n.Do("anvil_impersonateAccount", servertest.Token)
	require.Equal(t, "unsupported", atomicity(n, servertest.Token), "a contract")
}

// Ensure a user who declines is played by a fault.
func TestCallsRejectedByTheUser(t *testing.T) {
	t.Parallel()
	n := newWallet(t)
	for _, code := range []int{4001, 5750} {
		n.Do("fakenode_setFault", map[string]any{"method": "wallet_sendCalls", "error": map[string]any{"code": code, "message": "User rejected the request."}})
		n.Refuses(code, []string{"User rejected"}, "wallet_sendCalls", batch(servertest.Bob.Address, true, count))
	}
	sendCalls(n, batch(servertest.Bob.Address, true, count))
}
