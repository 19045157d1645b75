package explain_test

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

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// operation is an entry of ots_getInternalOperations.
type operation struct {
	Type     int
	From, To common.Address
	Value    string
}

func TestOtterscanTransaction(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	require.Equal(t, 8, servertest.Fetch[int](n, "ots_getApiLevel"))
	caller := deployCaller(n)
	tx := n.Transact(0, &caller, new(big.Int), []byte{1})
	failed := n.Transact(0, &servertest.Reverter, new(big.Int), []byte{1, 2, 3})
	// The init code creates a contract with 2 wei and one with 3, by CREATE2, then destroys its own and sends the rest of
	// its 9 wei to the caller.
	factory := n.Transact(0, nil, big.NewInt(9), common.FromHex("600060006002f050"+"6000600060006003f550"+"33ff"))
	n.Seal(1)

	require.Equal(t, []operation{{0, caller, servertest.Bob.Address, "0x5"}}, servertest.Fetch[[]operation](n, "ots_getInternalOperations", tx.Hash()))
	created := crypto.CreateAddress(servertest.Alice.Address, factory.Nonce())
	require.Equal(t, []operation{
		{2, created, crypto.CreateAddress(created, 1), "0x2"},
		{3, created, crypto.CreateAddress2(created, common.Hash{}, crypto.Keccak256()), "0x3"},
		{1, created, servertest.Alice.Address, "0x4"},
	}, servertest.Fetch[[]operation](n, "ots_getInternalOperations", factory.Hash()))
	require.Empty(t, servertest.Fetch[[]operation](n, "ots_getInternalOperations", n.Pay(1, 2, 7).Hash()), "in the pool")
	type entry struct {
		Type     string
		Depth    int
		From, To common.Address
		Value    string
	}
	require.Equal(t, []entry{
		{"CALL", 0, servertest.Alice.Address, caller, "0x0"}, {"CALL", 1, caller, servertest.Counter, "0x0"}, {"CALL", 1, caller, servertest.Bob.Address, "0x5"},
	}, servertest.Fetch[[]entry](n, "ots_traceTransaction", tx.Hash()))
	require.Equal(t, hexutil.Bytes{1, 2, 3}, servertest.Fetch[hexutil.Bytes](n, "ots_getTransactionError", failed.Hash()))
	require.Equal(t, "0x", servertest.Fetch[string](n, "ots_getTransactionError", tx.Hash()))
	require.Nil(t, servertest.Fetch[*string](n, "ots_getTransactionError", common.Hash{1}))

	require.Equal(t, tx.Hash(), servertest.Fetch[common.Hash](n, "ots_getTransactionBySenderAndNonce", servertest.Alice.Address, 1))
	require.Nil(t, servertest.Fetch[*common.Hash](n, "ots_getTransactionBySenderAndNonce", servertest.Alice.Address, 9))
	type creator struct{ Creator common.Address }
	require.Equal(t, creator{servertest.Alice.Address}, servertest.Fetch[creator](n, "ots_getContractCreator", caller))
	n.Seal(5)
	late := deployCaller(n)
	short := n.Transact(0, nil, new(big.Int), common.FromHex("60015ff3")) // of one byte, STOP
	n.Seal(2)
	require.Equal(t, creator{servertest.Alice.Address}, servertest.Fetch[creator](n, "ots_getContractCreator", late))
	tiny := crypto.CreateAddress(servertest.Alice.Address, short.Nonce())
	require.Equal(t, creator{servertest.Alice.Address}, servertest.Fetch[creator](n, "ots_getContractCreator", tiny))
	require.Nil(t, servertest.Fetch[*creator](n, "ots_getContractCreator", servertest.Counter), "in the genesis")
	require.Nil(t, servertest.Fetch[*creator](n, "ots_getContractCreator", servertest.Bob.Address), "no contract")
	require.NotEmpty(t, servertest.Fetch[map[string]any](n, "erigon_getHeaderByNumber", "0x0"))
}

func TestOtterscanSearch(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	caller := deployCaller(n)
	n.Transact(0, &caller, new(big.Int), []byte{1}) // sends bob something
	n.Seal(1)
	n.Pay(1, 2, 7)
	n.Pay(1, 2, 7)
	n.Seal(1)
	n.Pay(2, 3, 1)
	n.Seal(1)

	type found struct {
		Txs                 []struct{ BlockNumber, TransactionIndex string }
		Receipts            []struct{ Timestamp string }
		FirstPage, LastPage bool
	}
	search := func(method string, block, size int) (blocks []string, first, last bool) {
		answer := servertest.Fetch[found](n, method, servertest.Bob.Address, block, size)
		for i, tx := range answer.Txs {
			require.NotEmpty(t, answer.Receipts[i].Timestamp)
			blocks = append(blocks, tx.BlockNumber+"/"+tx.TransactionIndex)
		}
		return blocks, answer.FirstPage, answer.LastPage
	}
	all := []string{"0x3/0x1", "0x3/0x0", "0x2/0x0"}
	for _, c := range []struct {
		method      string
		block, size int
		found       []string // a block is not cut in two
		first, last bool
	}{
		{"ots_searchTransactionsBefore", 0, 1000, all, true, true},
		{"ots_searchTransactionsAfter", 0, 1000, all, true, true},
		{"ots_searchTransactionsBefore", 0, 1, all[:2], true, false},
		{"ots_searchTransactionsBefore", 3, 1, all[2:], false, true},
		{"ots_searchTransactionsAfter", 0, 1, all[2:], false, true},
		{"ots_searchTransactionsAfter", 2, 1, all[:2], true, false},
	} {
		blocks, first, last := search(c.method, c.block, c.size)
		require.Equal(t, c.found, blocks, "%s %d", c.method, c.block)
		require.Equal(t, []bool{c.first, c.last}, []bool{first, last}, "%s %d", c.method, c.block)
		mine := servertest.Fetch[found](n, c.method, servertest.Alice.Address, 0, 1000).Txs
		require.Equal(t, "0x1", mine[len(mine)-1].BlockNumber, "%s: the first block is searched, too", c.method)
	}
}

// Ensure the search finds an account that was called in a transaction of as much gas as a transfer of ether takes, and
// of less, as there are since Amsterdam (EIP-2780).
func TestOtterscanSearchCheapCall(t *testing.T) {
	t.Parallel()
	n := servertest.NewAmsterdam(t, rpcserver.Config{})
	n.Do("fakenode_advance", 4000)
	code := program.New().Call(nil, servertest.Bob.Address, 0, 0, 0, 0, 0)
	called := func() uint64 {
		t.Helper()
		n.Do("anvil_setCode", payingAddress, hexutil.Bytes(code.Bytes()))
		tx := n.Transact(0, &payingAddress, new(big.Int), []byte{1})
		n.Do("fakenode_advance", 2000)
		return servertest.Fetch[types.Receipt](n, "eth_getTransactionReceipt", tx.Hash()).GasUsed
	}
	less := called()
	require.Less(t, less, params.TxGas)
	for range params.TxGas - less {
		code.Op(vm.JUMPDEST)
	}
	require.Equal(t, params.TxGas, called())
	for _, method := range []string{"ots_searchTransactionsBefore", "ots_searchTransactionsAfter"} {
		require.Len(t, servertest.Fetch[struct{ Txs []any }](n, method, servertest.Bob.Address, 0, 10).Txs, 2, method)
	}
}

// Ensure an internal operation counts as the chain keeps it: not where its own call failed, nor within one that failed,
// and yet beside one.
func TestOtterscanFailedOperations(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	deploy := func(code []byte) common.Address {
		tx := n.Transact(0, nil, big.NewInt(100), program.New().ReturnViaCodeCopy(code).Bytes())
		n.Seal(1)
		return crypto.CreateAddress(servertest.Alice.Address, tx.Nonce())
	}
	// Pays 1 wei and then reverts.
	regretful := deploy(program.New().Call(nil, servertest.Bob.Address, 1, 0, 0, 0, 0).Push(0).Push(0).Op(vm.REVERT).Bytes())
	caller := deploy(program.New().Call(nil, servertest.Reverter, 2, 0, 0, 0, 0).Call(nil, regretful, 3, 0, 0, 0, 0).Call(nil, servertest.Bob.Address, 5, 0, 0, 0, 0).Bytes())
	tx := n.Transact(0, &caller, new(big.Int), []byte{1})
	n.Seal(1)
	require.Equal(t, []operation{{0, caller, servertest.Bob.Address, "0x5"}}, servertest.Fetch[[]operation](n, "ots_getInternalOperations", tx.Hash()))
}

// Ensure every entry of ots_traceTransaction has input and output as bytes, as Otterscan reads them, also that of a
// self-destruction, which has neither.
func TestOtterscanTraceOfSelfDestruction(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	// The init code destroys the contract that it would create, and sends its 9 wei to the caller.
	tx := n.Transact(0, nil, big.NewInt(9), common.FromHex("33ff"))
	n.Seal(1)
	type entry struct {
		Type          string
		Depth         int
		Value         string
		Input, Output *string
	}
	input, none := "0x33ff", "0x"
	require.Equal(t, []entry{{"CREATE", 0, "0x9", &input, &none}, {"SELFDESTRUCT", 1, "0x9", &none, &none}}, servertest.Fetch[[]entry](n, "ots_traceTransaction", tx.Hash()))
}

// Ensure a call that cannot carry ether has no value, and that of code which moves ether has input, output and value.
func TestOtterscanTraceOfCallTypes(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	caller := common.HexToAddress("0xca11")
	n.Do("anvil_setBalance", caller, "0x64")
	n.Do("anvil_setCode", caller, hexutil.Bytes(program.New().Mstore([]byte{byte(vm.JUMPDEST)}, 0).
		StaticCall(nil, servertest.Reverter, 0, 1, 0, 0).DelegateCall(nil, servertest.Bob.Address, 0, 1, 0, 0).
		CallCode(nil, servertest.Bob.Address, big.NewInt(3), 0, 0, 0, 0).Call(nil, servertest.Counter, 0, 0, 0, 0, 0).
		Push(1).Push(0).Push(0).Op(vm.CREATE, vm.POP).Return(0, 1).Bytes()))
	tx := n.Transact(0, &caller, big.NewInt(1), []byte{9})
	n.Seal(1)
	type entry struct {
		Type          string
		Value         *string
		Input, Output string
	}
	none, one, three := "0x0", "0x1", "0x3"
	require.Equal(t, []entry{
		{"CALL", &one, "0x09", "0x5b"}, {"STATICCALL", nil, "0x5b", "0x5b"}, {"DELEGATECALL", nil, "0x5b", "0x"},
		{"CALLCODE", &three, "0x", "0x"}, {"CALL", &none, "0x", "0x" + servertest.Padded("1")}, {"CREATE", &none, "0x5b", "0x"},
	}, servertest.Fetch[[]entry](n, "ots_traceTransaction", tx.Hash()))
	moved := servertest.Fetch[[]operation](n, "ots_getInternalOperations", tx.Hash())
	require.Len(t, moved, 1, "no call here moved ether to another account")
	require.Equal(t, []any{2, "0x0"}, []any{moved[0].Type, moved[0].Value})
}

func TestOtterscanBlock(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	for range 5 {
		n.Transact(0, &servertest.Counter, new(big.Int), []byte{1, 2, 3, 4, 5, 6})
	}
	n.Seal(1)
	type details struct {
		Block     map[string]json.RawMessage
		Issuance  map[string]string
		TotalFees hexutil.Big
	}
	block := servertest.Fetch[details](n, "ots_getBlockDetails", 1)
	require.Equal(t, block, servertest.Fetch[details](n, "ots_getBlockDetails", "0x1"))
	require.Equal(t, block, servertest.Fetch[details](n, "ots_getBlockDetailsByHash", n.Timeline.Moment().Latest().Hash()))
	require.Equal(t, "5", string(block.Block["transactionCount"]))
	require.Equal(t, "null", string(block.Block["logsBloom"]))
	require.NotContains(t, block.Block, "transactions")
	require.Equal(t, map[string]string{"blockReward": "0x0", "uncleReward": "0x0", "issuance": "0x0"}, block.Issuance)
	fees := new(big.Int)
	for _, receipt := range n.Timeline.Moment().Latest().Receipts() {
		fees.Add(fees, new(big.Int).Mul(receipt.EffectiveGasPrice, new(big.Int).SetUint64(receipt.GasUsed)))
	}
	require.Equal(t, fees, block.TotalFees.ToInt())
}

// Ensure a page has the last transactions of a block first, as many as fit, and all of them on one page that is just
// large enough; and inputs of up to four bytes are whole.
func TestPagesOfBlock(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	for size := range 6 {
		n.Transact(0, &servertest.Counter, new(big.Int), []byte{1, 2, 3, 4, 5, 6}[:size])
	}
	n.Seal(1)
	type page struct {
		FullBlock struct {
			TransactionCount int
			Transactions     []struct{ Input string }
		}
		Receipts []struct {
			Timestamp hexutil.Uint64
			Logs      json.RawMessage
		}
	}
	all := []string{"0x", "0x01", "0x0102", "0x010203", "0x01020304", "0x01020304"}
	for _, c := range []struct{ page, size, first, last int }{
		{0, 6, 0, 6}, {0, 7, 0, 6}, {0, 1000, 0, 6}, {0, 5, 1, 6}, {1, 5, 0, 1}, {1, 6, 0, 0}, {2, 3, 0, 0}, {1, 3, 0, 3}, {0, 1, 5, 6}, {5, 1, 0, 1}, {6, 1, 0, 0},
	} {
		is := servertest.Fetch[page](n, "ots_getBlockTransactions", 1, c.page, c.size)
		require.Equal(t, 6, is.FullBlock.TransactionCount)
		var inputs []string
		for _, tx := range is.FullBlock.Transactions {
			inputs = append(inputs, tx.Input)
		}
		require.Equal(t, all[c.first:c.last], append([]string{}, inputs...), "page %d of %d", c.page, c.size)
		require.Len(t, is.Receipts, len(inputs))
		for _, receipt := range is.Receipts {
			require.EqualValues(t, n.Timeline.Moment().Latest().Time(), receipt.Timestamp)
			require.Equal(t, "null", string(receipt.Logs))
		}
	}
	require.Empty(t, servertest.Fetch[page](n, "ots_getBlockTransactions", 1, "0xffffffffffffffff", 2).Receipts)
	require.Nil(t, servertest.Fetch[*page](n, "ots_getBlockTransactions", 9, 0, 2))
	n.Refuses(api.CodeInvalidParams, []string{"page size", "have 0, want 1 to 1000"}, "ots_getBlockTransactions", 1, 0, 0)
	n.Refuses(api.CodeInvalidParams, []string{"page size", "have 1001"}, "ots_getBlockTransactions", 1, 0, 1001)
}

// Ensure Otterscan's methods answer null for what is not there, and refuse a block that is no number or tag.
func TestOtterscanUnknown(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	waiting := n.Pay(0, 1, 1).Hash()
	for method, params := range map[string][]any{
		"ots_traceTransaction": {waiting}, "ots_getTransactionError": {waiting}, "ots_getBlockDetails": {9},
		"ots_getBlockDetailsByHash": {common.Hash{1}}, "ots_getTransactionBySenderAndNonce": {servertest.Alice.Address, 0},
		"trace_get": {waiting, []any{}}, "trace_replayBlockTransactions": {common.Hash{1}, []string{"trace"}},
	} {
		require.Equal(t, "null", string(servertest.Fetch[json.RawMessage](n, method, params...)), method)
	}
	wanted := []string{`want a block number, plain or in hex, "latest", "pending", "safe", "finalized" or "earliest"`}
	for _, tag := range []any{true, "newest", -1, 1.5, common.Hash{1}} {
		n.Refuses(api.CodeInvalidParams, wanted, "ots_hasCode", servertest.Counter, tag)
	}
	n.Refuses(api.CodeInvalidParams, []string{`want an array of indices such as ["0x0"]`}, "trace_get", waiting, "0x0")
	n.Refuses(api.CodeNotFound, []string{"block not found: 0x9"}, "ots_hasCode", servertest.Counter, 9)
	n.Refuses(api.CodeInvalidParams, []string{"page size of ots_searchTransactionsAfter: have 0"}, "ots_searchTransactionsAfter", servertest.Counter, 0, 0)
	n.Refuses(api.CodeInvalidParams, []string{"page size of ots_searchTransactionsBefore: have 1001"}, "ots_searchTransactionsBefore", servertest.Counter, 0, 1001)
}

// Ensure an account of a single byte of code has code, at the block asked for, by default the latest.
func TestOtterscanHasCode(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	short := common.HexToAddress("0x51")
	n.Seal(1)
	n.Do("anvil_setCode", short, "0x00")
	for tag, has := range map[any]bool{"latest": true, 1: true, 0: false, "earliest": false, "pending": true} {
		require.Equal(t, has, servertest.Fetch[bool](n, "ots_hasCode", short, tag), tag)
	}
	require.True(t, servertest.Fetch[bool](n, "ots_hasCode", short))
	require.False(t, servertest.Fetch[bool](n, "ots_hasCode", servertest.Bob.Address))
}
