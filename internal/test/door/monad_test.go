package door_test

import (
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/gorilla/websocket"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts"
)

// monadItem is an item of Monad's subscriptions.
type monadItem struct {
	BlockID, Hash, BlockHash common.Hash
	CommitState, Size        string
	Number                   hexutil.Uint64
	Removed                  bool
}

// Ensure a proposal that is replaced is gone without a word: its hash, receipts and transactions are unknown, nothing
// is removed, the new one is told of as any, and the transactions come with the next block. The same block is told of
// in each of its states, with one id.
func TestMonadProposalReplaced(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Monad})
	logger := common.HexToAddress("0xc0de")
	node.SetCode(logger, common.FromHex("0x60aa60205fa1"))
	ws, _, err := websocket.DefaultDialer.Dial(node.WebSocketURL(), nil)
	require.NoError(t, err)
	defer ws.Close()
	var items []monadItem // before the last answer
	call := func(method string, params ...any) (result string, told []string) {
		require.NoError(t, ws.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
		for items = nil; ; {
			var m struct {
				ID     int
				Result json.RawMessage
				Params struct {
					Subscription string
					Result       monadItem
				}
			}
			require.NoError(t, ws.ReadJSON(&m))
			if m.ID == 1 {
				return string(m.Result), told
			}
			items = append(items, m.Params.Result)
			told = append(told, m.Params.Subscription+m.Params.Result.CommitState)
			require.False(t, m.Params.Result.Removed)
		}
	}
	for _, kind := range []string{"newHeads", "logs", "monadLogs", "monadNewHeads"} { // 0x1 to 0x4
		call("eth_subscribe", kind)
	}
	filter, _ := call("eth_newFilter", map[string]any{})
	id := strings.Trim(filter, `"`)
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: &logger})
	require.NoError(t, err)
	_, told := call("fakenode_seal", 1)
	require.Equal(t, []string{"0x4Proposed", "0x1", "0x3Proposed", "0x2"}, told)
	old := items[0]
	require.NotEqual(t, old.Hash, old.BlockID)
	require.NotEmpty(t, items[1].Size, "a new head is as whole")

	_, told = call("fakenode_replaceProposal")
	require.Equal(t, []string{"0x4Proposed", "0x1"}, told, "nothing but the new proposal")
	require.Equal(t, old.Number, items[0].Number)
	require.NotEqual(t, old.Hash, items[0].Hash)
	require.NotEqual(t, old.BlockID, items[0].BlockID)
	for method, params := range map[string][]any{
		"eth_getBlockByHash": {old.Hash, false}, "eth_getTransactionByHash": {hash}, "eth_getTransactionReceipt": {hash}, "eth_getBlockReceipts": {old.Hash},
	} {
		answer, _ := call(method, params...)
		require.Equal(t, "null", answer, method)
	}
	changes, _ := call("eth_getFilterChanges", id)
	require.Contains(t, changes, old.Hash.Hex(), "a client that had not polled learns of the log, and of no removal")

	_, told = call("fakenode_seal", 1)
	require.Equal(t, []string{"0x4Proposed", "0x1", "0x3Proposed", "0x2", "0x4Voted"}, told)
	block := items[0].BlockID
	var states []string
	for range 5 {
		_, told = call("fakenode_seal", 1)
		for i, item := range items {
			if item.BlockID == block {
				states = append(states, told[i])
			}
		}
	}
	require.Equal(t, []string{"0x4Voted", "0x3Voted", "0x4Finalized", "0x3Finalized", "0x4Verified", "0x3Verified"}, states)
}

// Ensure the gas limit is what a transaction costs, in its receipt, its block and the sender's balance, and that a
// trace of the next one in the block begins where it ended.
func TestMonadChargesGasLimit(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Monad})
	payer, to, client := node.Account(0), common.Address{7}, node.Client()
	before, err := client.BalanceAt(t.Context(), payer.Address, nil)
	require.NoError(t, err)
	var last common.Hash
	for range 2 {
		last, err = node.Transact(payer, fakenode.Tx{To: &to, Value: uint256.NewInt(1), Gas: 100_000})
		require.NoError(t, err)
	}
	node.Seal()
	receipt, err := client.TransactionReceipt(t.Context(), last)
	require.NoError(t, err)
	require.EqualValues(t, 100_000, receipt.GasUsed)
	require.EqualValues(t, 200_000, receipt.CumulativeGasUsed)
	require.EqualValues(t, 200_000, node.Moment().Latest().Header().GasUsed)
	price := receipt.EffectiveGasPrice.Int64()
	cost := big.NewInt(100_000*price + 1)
	var traced struct {
		StateDiff map[common.Address]struct {
			Balance map[string]struct{ From, To *hexutil.Big }
		}
	}
	require.NoError(t, client.Client().Call(&traced, "trace_replayTransaction", last, []string{"stateDiff"}))
	change := traced.StateDiff[payer.Address].Balance["*"]
	require.Equal(t, before.Sub(before, cost), change.From.ToInt())
	after, err := client.BalanceAt(t.Context(), payer.Address, nil)
	require.NoError(t, err)
	require.Equal(t, before.Sub(before, cost), after)
	require.Equal(t, after, change.To.ToInt())
	tips, err := client.BalanceAt(t.Context(), fakenode.FeeRecipient, nil)
	require.NoError(t, err)
	require.Equal(t, big.NewInt(200_000*(price-100e9)), tips)
}

// Ensure a transaction that takes from an account's reserve fails, for its fee alone, while a contract may be emptied.
func TestMonadReserve(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Monad, Mode: fakenode.Instant, ReserveBalance: fixtures.Ether("10")})
	payer, wallet := node.Account(0), contracts.NewWallet()
	at, err := node.Deploy(payer, contracts.DeployCode(contracts.WalletMetaData.Bin), payer.Address)
	require.NoError(t, err)
	send := func(ether string, data []byte) *types.Receipt {
		hash, err := node.Transact(payer, fakenode.Tx{To: &at, Value: fixtures.Ether(ether), Data: data, Gas: 100_000})
		require.NoError(t, err)
		receipt, err := node.Receipt(t.Context(), hash)
		require.NoError(t, err)
		return receipt
	}
	require.EqualValues(t, 1, send("9989", nil).Status)
	before, err := node.Client().BalanceAt(t.Context(), payer.Address, nil)
	require.NoError(t, err)
	failed := send("5", nil)
	require.Zero(t, failed.Status)
	after, err := node.Client().BalanceAt(t.Context(), payer.Address, nil)
	require.NoError(t, err)
	require.Equal(t, failed.EffectiveGasPrice.Mul(failed.EffectiveGasPrice, big.NewInt(100_000)), before.Sub(before, after))
	require.EqualValues(t, 1, send("0", wallet.PackExecute(common.Address{7}, fixtures.Ether("9989").ToBig(), nil)).Status)
	_, err = node.Client().CallContract(t.Context(), ethereum.CallMsg{From: payer.Address, To: &at, Value: fixtures.Ether("5").ToBig()}, nil)
	require.EqualError(t, err, "reserve balance violation")
}

// Ensure refusals have Monad's codes and texts: of what is no request, of a transaction for another chain, of bytes to
// wait for, of batches.
func TestMonadRefusals(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Monad, Mode: fakenode.Instant})
	signed := func(chain int64) string {
		tx := types.MustSignNewTx(node.Account(0).Key, types.LatestSignerForChainID(big.NewInt(chain)), &types.DynamicFeeTx{
			ChainID: big.NewInt(chain), Gas: 21_000, GasFeeCap: big.NewInt(102e9), To: &common.Address{7},
		})
		raw, err := tx.MarshalBinary()
		require.NoError(t, err)
		return `"` + hexutil.Encode(raw) + `"`
	}
	call := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":[` + params + `]}`
	}
	for body, want := range map[string]string{
		call("eth_sendRawTransaction", signed(1)):                     `{"code":-32000,"message":"Invalid chain ID: expected 143, got 1"}`,
		call("eth_sendRawTransactionSync", `"0x01"`):                  `{"code":5,"message":"The transaction is not ready to be processed"}`,
		call("eth_sendRawTransactionSync", signed(143)+`,"0x98967f"`): `"status":"0x1"`,
		`{`: `{"code":-32601,"message":"Parse error"}`,
		call("eth_getBalance", `"0x0000000000000000000000000000000000000007"`): `{"code":-32602,"message":"Invalid params"}`,
		call("eth_call", `{"gas":"0x1c9c381"}`):                                `{"code":-32603,"message":"user-specified gas exceeds provider limit"}`,
		call("eth_call", `{"data":"0x600162ffffff52"}`):                        `{"code":-32603,"message":"provider-specified max eth_call gas limit exceeded"}`,
		`[]`: `{"code":-32603,"message":"empty batch request"}`,
		`[` + strings.Repeat(call("eth_chainId", "")+",", 1000) + call("eth_chainId", "") + `]`: `{"code":-32603,"message":"number of requests in batch request exceeds limit of 1000"}`,
	} {
		answer, err := http.Post(node.URL(), "application/json", strings.NewReader(body))
		require.NoError(t, err)
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Contains(t, string(text), want)
	}
}

// Ensure the gas limit is charged before London, too, where blocks have no base fee.
func TestMonadBeforeLondon(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Monad, Hardfork: "berlin"})
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address), Gas: 30_000})
	require.NoError(t, err)
	node.Seal()
	receipt, err := node.Receipt(t.Context(), hash)
	require.NoError(t, err)
	require.EqualValues(t, 30_000, receipt.GasUsed)
}
