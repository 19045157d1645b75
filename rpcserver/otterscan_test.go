package rpcserver

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

func TestOtterscanTransaction(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	require.Equal(t, 8, fetch[int](n, "ots_getApiLevel"))
	caller := n.deployCaller()
	tx := n.transact(0, &caller, new(big.Int), []byte{1})
	failed := n.transact(0, &reverter, new(big.Int), []byte{1, 2, 3})
	// The init code creates a contract with 2 wei and one with 3, by CREATE2, then destroys its own and sends the rest of
	// its 9 wei to the caller.
	factory := n.transact(0, nil, big.NewInt(9), common.FromHex("600060006002f050"+"6000600060006003f550"+"33ff"))
	n.seal(1)

	type operation struct {
		Type     int
		From, To common.Address
		Value    string
	}
	require.Equal(t, []operation{{0, caller, bob.Address, "0x5"}}, fetch[[]operation](n, "ots_getInternalOperations", tx.Hash()))
	created := crypto.CreateAddress(alice.Address, factory.Nonce())
	require.Equal(t, []operation{
		{2, created, crypto.CreateAddress(created, 1), "0x2"},
		{3, created, crypto.CreateAddress2(created, common.Hash{}, crypto.Keccak256()), "0x3"},
		{1, created, alice.Address, "0x4"},
	}, fetch[[]operation](n, "ots_getInternalOperations", factory.Hash()))
	require.Empty(t, fetch[[]operation](n, "ots_getInternalOperations", n.pay(1, 2, 7).Hash()), "in the pool")
	type entry struct {
		Type     string
		Depth    int
		From, To common.Address
		Value    string
	}
	require.Equal(t, []entry{
		{"CALL", 0, alice.Address, caller, "0x0"}, {"CALL", 1, caller, counter, "0x0"}, {"CALL", 1, caller, bob.Address, "0x5"},
	}, fetch[[]entry](n, "ots_traceTransaction", tx.Hash()))
	require.Equal(t, hexutil.Bytes{1, 2, 3}, fetch[hexutil.Bytes](n, "ots_getTransactionError", failed.Hash()))
	require.Equal(t, "0x", fetch[string](n, "ots_getTransactionError", tx.Hash()))
	require.Nil(t, fetch[*string](n, "ots_getTransactionError", common.Hash{1}))

	require.Equal(t, tx.Hash(), fetch[common.Hash](n, "ots_getTransactionBySenderAndNonce", alice.Address, 1))
	require.Nil(t, fetch[*common.Hash](n, "ots_getTransactionBySenderAndNonce", alice.Address, 9))
	require.True(t, fetch[bool](n, "ots_hasCode", caller, "latest"))
	require.False(t, fetch[bool](n, "ots_hasCode", caller, 0))
	type creator struct{ Creator common.Address }
	require.Equal(t, creator{alice.Address}, fetch[creator](n, "ots_getContractCreator", caller))
	n.seal(5)
	late := n.deployCaller()
	n.seal(2)
	require.Equal(t, creator{alice.Address}, fetch[creator](n, "ots_getContractCreator", late))
	require.Nil(t, fetch[*creator](n, "ots_getContractCreator", counter), "in the genesis")
	require.Nil(t, fetch[*creator](n, "ots_getContractCreator", bob.Address), "no contract")
	require.NotEmpty(t, fetch[map[string]any](n, "erigon_getHeaderByNumber", "0x0"))
}

// Ensure every entry of ots_traceTransaction has input and output as bytes, as Otterscan reads them, also that of a
// self-destruction, which has neither.
func TestOtterscanTraceOfSelfDestruction(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	// The init code destroys the contract that it would create, and sends its 9 wei to the caller.
	tx := n.transact(0, nil, big.NewInt(9), common.FromHex("33ff"))
	n.seal(1)
	type entry struct {
		Type          string
		Depth         int
		Value         string
		Input, Output *string
	}
	input, none := "0x33ff", "0x"
	require.Equal(t, []entry{{"CREATE", 0, "0x9", &input, &none}, {"SELFDESTRUCT", 1, "0x9", &none, &none}}, fetch[[]entry](n, "ots_traceTransaction", tx.Hash()))
}

func TestOtterscanBlock(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	for range 5 {
		n.transact(0, &counter, new(big.Int), []byte{1, 2, 3, 4, 5, 6})
	}
	n.seal(1)
	type details struct {
		Block     map[string]json.RawMessage
		Issuance  map[string]string
		TotalFees hexutil.Big
	}
	block := fetch[details](n, "ots_getBlockDetails", 1)
	require.Equal(t, block, fetch[details](n, "ots_getBlockDetails", "0x1"))
	require.Equal(t, block, fetch[details](n, "ots_getBlockDetailsByHash", n.timeline.Moment().Latest().Hash()))
	require.Equal(t, "5", string(block.Block["transactionCount"]))
	require.Equal(t, "null", string(block.Block["logsBloom"]))
	require.NotContains(t, block.Block, "transactions")
	require.Equal(t, map[string]string{"blockReward": "0x0", "uncleReward": "0x0", "issuance": "0x0"}, block.Issuance)
	fees := new(big.Int)
	for _, receipt := range n.timeline.Moment().Latest().Receipts() {
		fees.Add(fees, new(big.Int).Mul(receipt.EffectiveGasPrice, new(big.Int).SetUint64(receipt.GasUsed)))
	}
	require.Equal(t, fees, block.TotalFees.ToInt())

	type page struct {
		FullBlock struct {
			Transactions []struct{ Nonce, Input string }
		}
		Receipts []map[string]json.RawMessage
	}
	nonces := func(page page) (nonces []string) {
		require.Len(t, page.Receipts, len(page.FullBlock.Transactions))
		for i, tx := range page.FullBlock.Transactions {
			require.Equal(t, "0x01020304", tx.Input)
			require.Equal(t, "null", string(page.Receipts[i]["logs"]))
			nonces = append(nonces, tx.Nonce)
		}
		return nonces
	}
	require.Equal(t, []string{"0x3", "0x4"}, nonces(fetch[page](n, "ots_getBlockTransactions", 1, 0, 2)))
	require.Equal(t, []string{"0x0"}, nonces(fetch[page](n, "ots_getBlockTransactions", 1, 2, 2)))
	require.Empty(t, nonces(fetch[page](n, "ots_getBlockTransactions", 1, 3, 2)))
	require.Empty(t, nonces(fetch[page](n, "ots_getBlockTransactions", 1, "0xffffffffffffffff", 2)))
	require.Nil(t, fetch[*page](n, "ots_getBlockTransactions", 9, 0, 2))
	n.refuses(api.CodeInvalidParams, []string{"page size", "have 0, want 1 to 1000"}, "ots_getBlockTransactions", 1, 0, 0)
	n.refuses(api.CodeInvalidParams, []string{"page size", "have 1001"}, "ots_getBlockTransactions", 1, 0, 1001)
}

// Ensure the creator and the creation of a contract are found where the states of older blocks are not kept.
func TestContractCreatorPruned(t *testing.T) {
	t.Parallel()
	pruning, err := chain.New(networkGenesis(), chain.Options{History: 8})
	require.NoError(t, err)
	n := newNetwork(t, preconf.Config{Chain: pruning}, Config{})
	old := n.deployCaller()
	n.seal(20)
	young := n.deployCaller()
	n.seal(1)
	type creator struct{ Creator common.Address }
	require.Equal(t, creator{alice.Address}, fetch[creator](n, "ots_getContractCreator", young))
	require.Len(t, fetch[struct{ Txs []any }](n, "ots_searchTransactionsBefore", old, 0, 10).Txs, 1)
	n.refuses(api.CodeServer, []string{"pruned"}, "ots_getContractCreator", old)
	require.Len(t, fetch[struct{ Txs []any }](n, "ots_searchTransactionsBefore", alice.Address, 0, 10).Txs, 2, "as sender")
	require.Empty(t, fetch[struct{ Txs []any }](n, "ots_searchTransactionsBefore", common.Address{0xdd}, 0, 10).Txs, "of nobody, where calls are not seen")
}

func TestOtterscanSearch(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	caller := n.deployCaller()
	n.transact(0, &caller, new(big.Int), []byte{1}) // sends bob something
	n.seal(1)
	n.pay(1, 2, 7)
	n.pay(1, 2, 7)
	n.seal(1)
	n.pay(2, 3, 1)
	n.seal(1)

	type found struct {
		Txs                 []struct{ BlockNumber, TransactionIndex string }
		Receipts            []struct{ Timestamp string }
		FirstPage, LastPage bool
	}
	search := func(method string, block, size int) (blocks []string, first, last bool) {
		answer := fetch[found](n, method, bob.Address, block, size)
		for i, tx := range answer.Txs {
			require.NotEmpty(t, answer.Receipts[i].Timestamp)
			blocks = append(blocks, tx.BlockNumber+"/"+tx.TransactionIndex)
		}
		return blocks, answer.FirstPage, answer.LastPage
	}
	for _, method := range []string{"ots_searchTransactionsBefore", "ots_searchTransactionsAfter"} {
		mine := fetch[found](n, method, alice.Address, 0, 1000).Txs
		require.Equal(t, "0x1", mine[len(mine)-1].BlockNumber, "%s: the first block is searched, too", method)
	}
	all := []string{"0x3/0x1", "0x3/0x0", "0x2/0x0"}
	for _, method := range []string{"ots_searchTransactionsBefore", "ots_searchTransactionsAfter"} {
		blocks, first, last := search(method, 0, 1000)
		require.Equal(t, all, blocks)
		require.True(t, first)
		require.True(t, last)
	}
	blocks, first, last := search("ots_searchTransactionsBefore", 0, 1)
	require.Equal(t, all[:2], blocks, "a block is not cut in two")
	require.True(t, first)
	require.False(t, last)
	blocks, first, last = search("ots_searchTransactionsBefore", 3, 1)
	require.Equal(t, all[2:], blocks)
	require.False(t, first)
	require.True(t, last)
	blocks, first, last = search("ots_searchTransactionsAfter", 0, 1)
	require.Equal(t, all[2:], blocks)
	require.False(t, first)
	require.True(t, last)
	blocks, first, last = search("ots_searchTransactionsAfter", 2, 1)
	require.Equal(t, all[:2], blocks)
	require.True(t, first)
	require.False(t, last)
}

// Ensure the search finds an account that was called in a transaction of less gas than a transfer of ether takes, as
// there are since Amsterdam (EIP-2780).
func TestOtterscanSearchCheapCall(t *testing.T) {
	t.Parallel()
	n := newAmsterdam(t, Config{})
	n.do("fakenode_advance", 4000)
	n.do("anvil_setCode", payingAddress, hexutil.Bytes(program.New().Call(nil, bob.Address, 0, 0, 0, 0, 0).Bytes()))
	tx := n.transact(0, &payingAddress, new(big.Int), []byte{1})
	n.do("fakenode_advance", 2000)
	require.Less(t, fetch[types.Receipt](n, "eth_getTransactionReceipt", tx.Hash()).GasUsed, params.TxGas)
	for _, method := range []string{"ots_searchTransactionsBefore", "ots_searchTransactionsAfter"} {
		require.Len(t, fetch[struct{ Txs []any }](n, method, bob.Address, 0, 10).Txs, 1, method)
	}
}

// Ensure an internal operation counts as the chain keeps it: not where its own call failed, nor within one that failed,
// and yet beside one.
func TestOtterscanFailedOperations(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	deploy := func(code []byte) common.Address {
		tx := n.transact(0, nil, big.NewInt(100), program.New().ReturnViaCodeCopy(code).Bytes())
		n.seal(1)
		return crypto.CreateAddress(alice.Address, tx.Nonce())
	}
	// Pays 1 wei and then reverts.
	regretful := deploy(program.New().Call(nil, bob.Address, 1, 0, 0, 0, 0).Push(0).Push(0).Op(vm.REVERT).Bytes())
	caller := deploy(program.New().Call(nil, reverter, 2, 0, 0, 0, 0).Call(nil, regretful, 3, 0, 0, 0, 0).Call(nil, bob.Address, 5, 0, 0, 0, 0).Bytes())
	tx := n.transact(0, &caller, new(big.Int), []byte{1})
	n.seal(1)
	type operation struct {
		Type     int
		From, To common.Address
		Value    string
	}
	require.Equal(t, []operation{{0, caller, bob.Address, "0x5"}}, fetch[[]operation](n, "ots_getInternalOperations", tx.Hash()))
}
