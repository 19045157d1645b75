package optimism_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// listed is a node with a sealed block 1 of three deposits, of which the last one fails, and one signed transaction.
func listed(t *testing.T, c fakenode.Config) (r rollup, hashes []common.Hash) {
	r = newRollup(t, c)
	const user = "0x00000000000000000000000000000000000000a1"
	r.deposit(`{"from": "` + user + `", "data": "0x60006000a000", "mint": "0x64", "gas": 100000}`)
	r.deposit(`{"from": "` + user + `", "to": "` + user + `", "value": "0x3e8", "gas": 30000}`)
	r.send(7, nil)
	r.Seal()
	for _, tx := range r.block("0x1").Transactions {
		hashes = append(hashes, tx.Hash)
	}
	require.Len(t, hashes, 4)
	return r, hashes
}

// Ensure a trace shows who deposited, what a deposit created, and why one failed, and a call between deposits sees
// those before it.
func TestRollupTraces(t *testing.T) {
	t.Parallel()
	r, hashes := listed(t, fakenode.Config{})
	var traced [3]struct {
		Type, Error string
		From        common.Address
		Value       *hexutil.Big
	}
	for i := range traced {
		r.call(&traced[i], "debug_traceTransaction", hashes[i], json.RawMessage(`{"tracer": "callTracer"}`))
		require.Equal(t, i == 2, traced[i].Error != "", "%d: %s", i, traced[i].Error)
	}
	require.Equal(t, optimism.Depositor, traced[0].From)
	require.Equal(t, "CREATE", traced[1].Type)
	require.Contains(t, traced[2].Error, "insufficient funds")
	require.EqualValues(t, 1000, traced[2].Value.ToInt().Int64())

	user := common.HexToAddress("0xa1")
	balance := map[string]any{"to": user, "data": "0x", "from": user, "value": "0x64"}
	r.call(nil, "debug_traceCall", balance, "0x1", json.RawMessage(`{"txIndex": "0x2"}`))
	require.Error(t, r.rpc.Call(nil, "debug_traceCall", balance, "0x1", json.RawMessage(`{"txIndex": "0x1"}`)))
	require.ErrorContains(t, r.rpc.Call(nil, "debug_traceCall", balance, "0x1", json.RawMessage(`{"txIndex": "0x4"}`)), "has 4 transactions")
}

// Ensure Otterscan's pages and searches list deposits, in the order and with the indexes of the block.
func TestRollupOtterscan(t *testing.T) {
	t.Parallel()
	r, hashes := listed(t, fakenode.Config{})
	user := common.HexToAddress("0xa1")
	type transaction struct {
		Hash             common.Hash
		TransactionIndex hexutil.Uint64
		Input            hexutil.Bytes
	}
	type receipt struct {
		TransactionHash  common.Hash
		TransactionIndex hexutil.Uint64
	}
	var details struct {
		Block struct{ TransactionCount int }
	}
	r.call(&details, "ots_getBlockDetails", 1)
	require.Equal(t, 4, details.Block.TransactionCount)
	var page struct {
		FullBlock struct{ Transactions []transaction }
		Receipts  []receipt
	}
	for number, want := range [][]int{{1, 2, 3}, {0}} {
		r.call(&page, "ots_getBlockTransactions", 1, number, 3)
		require.Len(t, page.FullBlock.Transactions, len(want))
		for i, index := range want {
			require.Equal(t, hashes[index], page.FullBlock.Transactions[i].Hash)
			require.EqualValues(t, index, page.FullBlock.Transactions[i].TransactionIndex)
			require.Equal(t, receipt{hashes[index], hexutil.Uint64(index)}, page.Receipts[i])
		}
	}
	require.Equal(t, "0x3db6be2b", page.FullBlock.Transactions[0].Input.String(), "the selector alone")
	for _, method := range []string{"ots_searchTransactionsBefore", "ots_searchTransactionsAfter"} {
		var found struct {
			Txs      []transaction
			Receipts []receipt
		}
		r.call(&found, method, user, 0, 25)
		require.Len(t, found.Txs, 2, method)
		require.Equal(t, hashes[2], found.Txs[0].Hash, "the newest first")
		require.Equal(t, hashes[1], found.Txs[1].Hash)
		require.EqualValues(t, 1, found.Receipts[1].TransactionIndex)
	}
	var hash common.Hash
	r.call(&hash, "ots_getTransactionBySenderAndNonce", user, 1)
	require.Equal(t, hashes[2], hash)
	var none *common.Hash
	r.call(&none, "ots_getTransactionBySenderAndNonce", user, 9)
	require.Nil(t, none)
	var creator struct {
		Hash    common.Hash
		Creator common.Address
	}
	deployed := r.deposit(`{"from": "` + user.Hex() + `", "data": "0x60016000526001601ff3", "gas": 200000}`)
	r.Seal()
	var made struct{ ContractAddress common.Address }
	r.call(&made, "eth_getTransactionReceipt", deployed)
	r.call(&creator, "ots_getContractCreator", made.ContractAddress)
	require.Equal(t, deployed, creator.Hash)
	require.Equal(t, user, creator.Creator)
	var entries []struct{ Type string }
	r.call(&entries, "ots_traceTransaction", deployed)
	require.Equal(t, "CREATE", entries[0].Type)
}

// Ensure streams of single transactions and receipts and the answer to fakenode_preconfirm have deposits.
func TestRollupStreams(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	client, err := rpc.Dial(r.WebSocketURL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	hashes := make(chan common.Hash, 100)
	_, err = client.EthSubscribe(t.Context(), hashes, "newFlashblockTransactions")
	require.NoError(t, err)
	whole := make(chan rollupTransaction, 100)
	_, err = client.EthSubscribe(t.Context(), whole, "newFlashblockTransactions", true)
	require.NoError(t, err)
	receipts := make(chan []rollupTransaction, 100)
	_, err = client.EthSubscribe(t.Context(), receipts, "transactionReceipts")
	require.NoError(t, err)

	user := common.HexToAddress("0xa1")
	deposit := r.deposit(`{"from": "` + user.Hex() + `", "data": "0x60006000a000", "gas": 100000}`)
	sent := r.send(1, nil)
	var flashblock struct{ Transactions []common.Hash }
	r.call(&flashblock, "fakenode_preconfirm")
	require.Len(t, flashblock.Transactions, 3)
	require.Equal(t, []common.Hash{deposit, sent}, flashblock.Transactions[1:])
	later := r.send(2, nil)
	r.call(&flashblock, "fakenode_preconfirm")
	require.Equal(t, []common.Hash{later}, flashblock.Transactions)
	r.Seal()

	for i, tx := range r.block("0x1").Transactions {
		require.Equal(t, tx.Hash, <-hashes)
		full := <-whole
		require.Equal(t, tx.Hash, full.Hash)
		require.EqualValues(t, i, full.TransactionIndex)
		require.Equal(t, tx.Type, full.Type)
		require.Len(t, full.Logs, map[int]int{1: 1}[i])
	}
	list := <-receipts
	require.Len(t, list, 4)
	for i, receipt := range list {
		require.EqualValues(t, i, receipt.TransactionIndex)
	}
	require.Equal(t, deposit, list[1].TransactionHash)
	require.EqualValues(t, 0, *list[1].DepositNonce)
}
