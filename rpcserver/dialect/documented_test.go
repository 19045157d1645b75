package dialect_test

import (
	"fmt"
	"maps"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// devNode is a node that imitates a development node, as a client sees it.
type devNode struct {
	*fakenode.Node
	t   *testing.T
	rpc *rpc.Client
}

func newDevNode(t *testing.T, c fakenode.Config) *devNode {
	t.Helper()
	n := &devNode{Node: fakenode.RunConfigT(t, c), t: t}
	client, err := rpc.Dial(n.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	n.rpc = client
	return n
}

// answer calls a method that must succeed and returns its result.
func answer[T any](n *devNode, method string, params ...any) (result T) {
	n.t.Helper()
	require.NoError(n.t, n.rpc.CallContext(n.t.Context(), &result, method, params...), method)
	return result
}

// failure calls a method that must fail and returns its error.
func (n *devNode) failure(method string, params ...any) (code int, message string, data any) {
	n.t.Helper()
	err := n.rpc.CallContext(n.t.Context(), nil, method, params...)
	require.Error(n.t, err, method)
	if with, ok := err.(rpc.DataError); ok {
		data = with.ErrorData()
	}
	return err.(rpc.Error).ErrorCode(), err.Error(), data
}

// object is a transaction from the first account.
func (n *devNode) object(members map[string]any) map[string]any {
	object := map[string]any{"from": n.Account(0).Address}
	maps.Copy(object, members)
	return object
}

// deploy deploys code and returns its address.
func (n *devNode) deploy(code string) common.Address {
	n.t.Helper()
	const copyRest = "0x600b380380600b5f395ff3" // returns what follows it
	hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"data": copyRest + code}))
	return *n.receipt(hash).ContractAddress
}

// mined holds the members that the tests read of a receipt.
type mined struct {
	Status          string
	BlockNumber     string
	ContractAddress *common.Address
}

// receipt returns the receipt of a transaction, nil if there is none.
func (n *devNode) receipt(hash common.Hash) *mined {
	n.t.Helper()
	return answer[*mined](n, "eth_getTransactionReceipt", hash)
}

// The code of contracts that fail.
const (
	echoRevert    = "365f5f37365ffd" // reverts with its call data
	invalidOpcode = "fe"
	endlessLoop   = "5b5f56"
)

// documented returns the first cells of the table under a heading of a page.
func documented(t *testing.T, page, heading string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, found, "%s has no %q", page, heading)
	section, _, _ = strings.Cut(section, "\n## ")
	var cells []string
	for _, row := range regexp.MustCompile(`(?m)^\| (.+?) \|`).FindAllStringSubmatch(section, -1)[1:] {
		cells = append(cells, row[1])
	}
	return cells
}

// runDocumented runs the case of each row of a table; there must be one for each, and no other.
func runDocumented(t *testing.T, page, heading string, cases map[string]func(*testing.T)) {
	t.Helper()
	require.ElementsMatch(t, documented(t, page, heading), slices.Collect(maps.Keys(cases)))
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// signsAnyChain checks that a node signs the example of EIP-712, whose domain is of chain 1.
func signsAnyChain(t *testing.T, n *devNode) {
	t.Helper()
	digest := common.FromHex("0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2")
	signature := answer[hexutil.Bytes](n, "eth_signTypedData_v4", n.Account(0).Address, `{
		"types": {
			"EIP712Domain": [{"name": "name", "type": "string"}, {"name": "version", "type": "string"},
				{"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"}],
			"Person": [{"name": "name", "type": "string"}, {"name": "wallet", "type": "address"}],
			"Mail": [{"name": "from", "type": "Person"}, {"name": "to", "type": "Person"}, {"name": "contents", "type": "string"}]
		},
		"primaryType": "Mail",
		"domain": {"name": "Ether Mail", "version": "1", "chainId": 1, "verifyingContract": "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},
		"message": {"from": {"name": "Cow", "wallet": "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},
			"to": {"name": "Bob", "wallet": "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"}, "contents": "Hello, Bob!"}
	}`)
	signature[crypto.RecoveryIDOffset] -= 27
	key, err := crypto.SigToPub(digest, signature)
	require.NoError(t, err)
	require.Equal(t, n.Account(0).Address, crypto.PubkeyToAddress(*key))
}

// requireLogsWithin makes a log and requires that a range beyond the head ends there, and that one the wrong way round
// has no logs.
func requireLogsWithin(n *devNode) {
	n.t.Helper()
	emitter := n.deploy("5f5fa0")
	answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": emitter}))
	require.Len(n.t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "0x0", "toBlock": "0x40"}), 1)
	require.Len(n.t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"toBlock": "0x40"}), 1)
	require.Empty(n.t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "0x1", "toBlock": "0x0"}))
	require.Empty(n.t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "0x0", "toBlock": "0x1"}))
}

// requirePendingPool requires that under a preset pending is what the next block would be, until there is one.
func requirePendingPool(t *testing.T, preset fakenode.Preset) {
	n := newDevNode(t, fakenode.Config{Preset: preset, Mode: fakenode.Manual})
	alice, bob := n.Account(0).Address, n.Account(1).Address
	before := answer[hexutil.Big](n, "eth_getBalance", bob, "latest")
	paid := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": bob, "value": "0x5"}))
	// Code that returns 42 is deployed; one of a later nonce has to wait.
	made := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"data": "0x600a600c600039600a6000f3602a60005260206000f3", "gas": "0x186a0"}))
	answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": bob, "nonce": "0x9", "gas": "0x5208"}))
	address := crypto.CreateAddress(alice, 1)
	after := new(big.Int).Add(before.ToInt(), big.NewInt(5))
	for range 2 { // the same when asked again
		require.Equal(t, "0x2", answer[string](n, "eth_getTransactionCount", alice, "pending"))
		require.Equal(t, before, answer[hexutil.Big](n, "eth_getBalance", bob, "latest"))
		require.Equal(t, hexutil.Big(*after), answer[hexutil.Big](n, "eth_getBalance", bob, "pending"))
		require.Equal(t, "0x602a60005260206000f3", answer[string](n, "eth_getCode", address, "pending"))
		require.Equal(t, fmt.Sprintf("0x%064x", 42), answer[string](n, "eth_call", map[string]any{"to": address}, "pending"))
		pending := answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)
		require.Equal(t, []any{paid.Hex(), made.Hex()}, pending["transactions"])
		require.Equal(t, "0x2", answer[string](n, "eth_getBlockTransactionCountByNumber", "pending"))
		require.Nil(t, n.receipt(paid))
		require.Empty(t, answer[[]any](n, "eth_getLogs", map[string]any{"fromBlock": "pending", "toBlock": "pending"}))
	}
	n.Seal()
	require.Equal(t, "0x1", n.receipt(paid).BlockNumber)
	require.Equal(t, address, *n.receipt(made).ContractAddress)
	require.Equal(t, []any{}, answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)["transactions"], "one waits for a nonce")
}

// takesUnprotected requires that a node takes a signed transaction that is bound to no chain.
func takesUnprotected(t *testing.T, n *devNode) {
	tx, err := types.SignNewTx(n.Account(0).Key, types.HomesteadSigner{}, &types.LegacyTx{To: new(n.Account(1).Address), Gas: 21_000, GasPrice: big.NewInt(2 * params.GWei)})
	require.NoError(t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(t, err)
	hash := answer[common.Hash](n, "eth_sendRawTransaction", hexutil.Bytes(raw))
	require.Equal(t, tx.Hash(), hash)
	require.Equal(t, "0x1", n.receipt(hash).Status)
}

// Ensure a filter up to pending brings the log of a mined block once, with the hash of the block, under the presets
// where pending is what would be mined, and that logs at pending are those of the newest block and of flashblocks that
// were asked for.
func TestPendingBoundsOfFilters(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Anvil, fakenode.Hardhat} {
		n := newDevNode(t, fakenode.Config{Preset: preset, Mode: fakenode.Manual})
		emitter := common.HexToAddress("0xe1")
		answer[any](n, "hardhat_setCode", emitter, hexutil.Bytes(labcode.Emitter()))
		emit := func() {
			answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": emitter, "data": hexutil.Bytes(labcode.EmitterCall(1, 2)), "gas": "0x186a0"}))
		}
		atPending := map[string]any{"fromBlock": "pending"}
		var filters []string
		for _, bounds := range []map[string]any{atPending, {"toBlock": "pending"}, {"fromBlock": "pending", "toBlock": "pending"}} {
			filters = append(filters, answer[string](n, "eth_newFilter", bounds))
		}
		emit()
		require.Empty(t, answer[[]types.Log](n, "eth_getLogs", atPending), "it waits")
		head := n.Seal()
		for _, filter := range filters {
			logs := answer[[]types.Log](n, "eth_getFilterChanges", filter)
			require.Len(t, logs, 1, preset)
			require.Equal(t, head, logs[0].BlockHash, preset)
			require.Len(t, answer[[]types.Log](n, "eth_getFilterLogs", filter), 1, preset)
		}
		emit()
		n.Preconfirm()
		logs := answer[[]types.Log](n, "eth_getLogs", atPending)
		require.Len(t, logs, 1)
		require.Equal(t, uint64(2), logs[0].BlockNumber, "pre-confirmed")
	}
}
