package door_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// gasCase is a transaction of account 0 in the table of docs/amsterdam.md.
type gasCase struct {
	what string
	tx   func(node *fakenode.Node) fakenode.Tx
}

func gasCases() []gasCase {
	stranger := common.HexToAddress("0x5712a9e5")
	to := func(address common.Address, wei uint64, data []byte) func(*fakenode.Node) fakenode.Tx {
		return func(*fakenode.Node) fakenode.Tx {
			return fakenode.Tx{To: &address, Value: uint256.NewInt(wei), Data: data}
		}
	}
	token := func(function string, arguments ...any) func(*fakenode.Node) fakenode.Tx {
		return func(node *fakenode.Node) fakenode.Tx {
			data, err := tokencontract.ABI().Pack(function, arguments...)
			if err != nil {
				panic(err)
			}
			return fakenode.Tx{To: new(node.Token().Address()), Data: data}
		}
	}
	holder, amount := fixtures.Dev(1).Address, fixtures.USD("1").ToBig()
	return []gasCase{
		{"ether to an account that has some", to(holder, 1, nil)},
		{"ether to an account that does not exist", to(stranger, 1, nil)},
		{"no ether, to an account without code", to(holder, 0, nil)},
		{"ether to oneself", to(fixtures.Dev(0).Address, 1, nil)},
		{"1,000 bytes of call data to an account without code", to(holder, 0, bytes.Repeat([]byte{1}, 1000))},
		{"`transfer` of the token to a holder", token("transfer", holder, amount)},
		{"`transfer` of the token to an account that holds none", token("transfer", stranger, amount)},
		{"`approve` of a new spender", token("approve", holder, amount)},
		{"`receiveWithAuthorization` by a merchant who holds some", func(node *fakenode.Node) fakenode.Tx {
			payer := node.Account(1)
			auth := fixtures.Authorization(payer, node.Account(0), fixtures.USD("1"), node.Now())
			return fakenode.Tx{To: new(node.Token().Address()), Data: fixtures.Sign(payer, node.Token().Domain(), auth).Capture()}
		}},
		{"deployment of a contract of 1,000 bytes", func(*fakenode.Node) fakenode.Tx {
			return fakenode.Tx{Data: program.New().ReturnViaCodeCopy(bytes.Repeat([]byte{0x5b}, 1000)).Bytes()}
		}},
	}
}

// TestGasOfAmsterdam measures the table of docs/amsterdam.md.
func TestGasOfAmsterdam(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/amsterdam.md")
	require.NoError(t, err)
	for _, c := range gasCases() {
		row := fmt.Sprintf("| %s | %s | %s |", c.what, gasUnder(t, "osaka", c), gasUnder(t, "amsterdam", c))
		require.Contains(t, string(page), row)
	}
}

// gasUnder returns the gas that a transaction needs and uses under a hard fork, as text.
func gasUnder(t *testing.T, fork string, c gasCase) string {
	t.Helper()
	node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: fork, StartTime: time.Unix(1_800_000_000, 0)})
	tx := c.tx(node)
	tx.Gas = 5_000_000
	hash, err := node.Transact(node.Account(0), tx)
	require.NoError(t, err, c.what)
	node.Seal()
	found, err := node.Moment().Find(hash)
	require.NoError(t, err)
	require.Equal(t, uint64(1), found.Receipt.Status, c.what)
	if gas := found.View.GasByKind(); gas != nil && gas[0].State > 0 {
		return fmt.Sprintf("%s (state %s)", grouped(found.Receipt.GasUsed), grouped(gas[0].State))
	}
	return grouped(found.Receipt.GasUsed)
}

// grouped returns a number with commas between thousands.
func grouped(n uint64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// Ensure that under the rules of Lagoon a block with a signed transaction ends with one that lists what was refunded:
// it has no sender, moves nothing, is not in the pending block, goes with a reorg and comes back through a record of
// the block; and that the sender pays for less gas than the EVM used, as receipts, block and vaults say.
func TestLagoon(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, Rules: fakenode.LagoonRules, StartTime: time.Unix(1_800_000_000, 0)})
	c, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer c.Close()
	ask := func(into any, method string, params ...any) {
		t.Helper()
		require.NoError(t, c.CallContext(t.Context(), into, method, params...), method)
	}
	var empty struct{ Transactions []common.Hash }
	node.Seal()
	ask(&empty, "eth_getBlockByNumber", "latest", false)
	require.Len(t, empty.Transactions, 1, "nothing was refunded")

	var before, after hexutil.Big
	payer := node.Account(0)
	ask(&before, "eth_getBalance", payer.Address, "latest")
	sent, err := node.Transact(payer, fakenode.Tx{To: &common.Address{1}, Value: uint256.NewInt(5)})
	require.NoError(t, err)
	node.Preconfirm()
	ask(&empty, "eth_getBlockByNumber", "pending", false)
	require.Len(t, empty.Transactions, 2)
	node.Seal()
	ask(&after, "eth_getBalance", payer.Address, "latest")

	var block struct {
		Number, GasUsed hexutil.Uint64
		Transactions    []map[string]any
	}
	ask(&block, "eth_getBlockByNumber", "latest", true)
	require.Len(t, block.Transactions, 3)
	last := block.Transactions[2]
	require.Equal(t, map[string]any{
		"type": "0x7d", "hash": last["hash"], "from": "0x0000000000000000000000000000000000000000", "gas": "0x0", "value": "0x0",
		"input": "0xc80102c5c4018209c4", "blockHash": last["blockHash"], "blockNumber": "0x2", "transactionIndex": "0x2",
		"blockTimestamp": last["blockTimestamp"],
	}, last)

	type receipt struct {
		Type, Status, GasUsed, CumulativeGasUsed hexutil.Uint64
		OpGasRefund, BlobGasUsed                 *hexutil.Uint64
		EffectiveGasPrice, L1Fee                 *hexutil.Big
		From, To                                 common.Address
		Logs                                     []any
		ContractAddress                          *common.Address
	}
	var paid, none receipt
	ask(&paid, "eth_getTransactionReceipt", sent)
	ask(&none, "eth_getTransactionReceipt", last["hash"])
	require.EqualValues(t, 21_000-2_500, paid.GasUsed)
	require.EqualValues(t, 2_500, *paid.OpGasRefund)
	require.Equal(t, block.GasUsed, paid.CumulativeGasUsed)
	cost := new(big.Int).Mul(big.NewInt(int64(paid.GasUsed)), paid.EffectiveGasPrice.ToInt())
	cost.Add(cost, paid.L1Fee.ToInt()).Add(cost, big.NewInt(5))
	require.Equal(t, cost, new(big.Int).Sub(before.ToInt(), after.ToInt()))
	require.Zero(t, none.EffectiveGasPrice.ToInt().Sign())
	none.EffectiveGasPrice = nil
	require.Equal(t, receipt{
		Type: 0x7d, Status: 1, CumulativeGasUsed: paid.CumulativeGasUsed, BlobGasUsed: new(hexutil.Uint64), Logs: []any{},
	}, none)

	// Every method reads it, and none takes it.
	var raw hexutil.Bytes
	ask(&raw, "eth_getRawTransactionByHash", last["hash"])
	require.Equal(t, "0x7d"+last["input"].(string)[2:], raw.String())
	require.Error(t, c.CallContext(t.Context(), nil, "eth_sendRawTransaction", raw))
	for method, params := range map[string][]any{
		"debug_traceTransaction":       {last["hash"], map[string]string{"tracer": "callTracer"}},
		"trace_replayTransaction":      {last["hash"], []string{"trace", "stateDiff"}},
		"trace_transaction":            {last["hash"]},
		"debug_traceBlockByNumber":     {"latest"},
		"trace_block":                  {"latest"},
		"debug_getRawReceipts":         {"latest"},
		"ots_getBlockDetails":          {block.Number},
		"ots_traceTransaction":         {last["hash"]},
		"eth_getBlockReceipts":         {"latest"},
		"fakenode_transaction":         {last["hash"]},
		"debug_getRawTransaction":      {last["hash"]},
		"eth_feeHistory":               {"0x2", "latest", []int{50}},
		"eth_maxPriorityFeePerGas":     nil,
		"eth_getUncleCountByBlockHash": {last["blockHash"]},
	} {
		var answer json.RawMessage
		ask(&answer, method, params...)
	}
	var replayed struct{ StateDiff map[string]any }
	ask(&replayed, "trace_replayTransaction", last["hash"], []string{"stateDiff"})
	require.Empty(t, replayed.StateDiff)

	sealed := node.Moment().Latest().Block()
	record, err := sealed.Record()
	require.NoError(t, err)
	again, err := chain.BlockFromRecord(record)
	require.NoError(t, err)
	require.Equal(t, sealed.Transaction(2).Hash(), again.Transaction(2).Hash())
	kept := *again.Receipts()[2]
	kept.Logs = []*types.Log{}
	require.Equal(t, *sealed.Receipts()[2], kept)

	_, err = node.Reorg(fakenode.ReorgOptions{Depth: 1})
	require.NoError(t, err)
	var found struct{ Where string }
	ask(&found, "fakenode_transaction", sent)
	require.Equal(t, "sealed", found.Where)
}
