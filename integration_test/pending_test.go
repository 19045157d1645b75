package integration_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// stateReads are the methods that read state at a block, by a name: their arguments before and after the block. What
// the transactions of preconfirmed change, each of them sees.
func stateReads(node *lab) map[string]func(tag string) question {
	sender, recipient := node.Account(0).Address, common.HexToAddress("0xbeef")
	contract := created(sender, 0)
	call := func(to common.Address) object { return object{"from": node.Account(5).Address, "to": to} }
	at := func(method string, arguments ...any) func(string) question {
		return func(tag string) question {
			return question{method, append(arguments[:len(arguments):len(arguments)], tag)}
		}
	}
	return map[string]func(string) question{
		"balance of the sender":    at("eth_getBalance", sender),
		"balance of the recipient": at("eth_getBalance", recipient),
		"nonce":                    at("eth_getTransactionCount", sender),
		"nonce of the contract":    at("eth_getTransactionCount", contract),
		"code":                     at("eth_getCode", contract),
		"storage":                  at("eth_getStorageAt", counter, "0x0"),
		"storage values":           at("eth_getStorageValues", object{counter.Hex(): []common.Hash{word(0)}}),
		"proof":                    at("eth_getProof", counter, []string{"0x0"}),
		"call":                     at("eth_call", call(counter)),
		"call of the contract":     at("eth_call", call(contract)),
		"gas estimate":             at("eth_estimateGas", call(contract)),
		"access list":              at("eth_createAccessList", call(contract)),
		"trace": func(tag string) question {
			return question{"debug_traceCall", []any{call(counter), tag, object{"tracer": "callTracer"}}}
		},
		"overridden call": func(tag string) question {
			return question{"eth_call", []any{call(counter), tag, object{sender.Hex(): object{"balance": "0x0"}}}}
		},
	}
}

// preconfirm makes a flashblock of a deployment, a counted call and a transfer, and returns their hashes.
func (l *lab) preconfirm() []common.Hash {
	l.t.Helper()
	recipient := common.HexToAddress("0xbeef")
	hashes := []common.Hash{l.send(0, nil, labcode.Deployment(labcode.Counter())), l.send(0, &counter, nil)}
	var transfer common.Hash
	l.do(&transfer, "eth_sendTransaction", object{"from": l.Account(0).Address, "to": recipient, "value": "0x5"})
	require.Len(l.t, l.Preconfirm().Transactions, 3)
	return append(hashes, transfer)
}

func (l *lab) put(q question) string {
	l.t.Helper()
	return l.ask(q.method, q.arguments...)
}

// Ensure every method that reads state answers at pending as at latest while nothing is pre-confirmed, shows
// pre-confirmed state at pending before it does at latest, and answers the same at latest once that state is sealed.
func TestPendingState(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	node.Seal()
	reads := stateReads(node)
	// The path to an account's leaf shows all accounts, and the pending block's system calls have changed some.
	delete(reads, "proof")
	before, announced := map[string]string{}, map[string]string{}
	for name, read := range reads {
		before[name] = node.put(read("latest"))
		require.NotEqual(t, "null", before[name], name)
		require.JSONEq(t, before[name], node.put(read("pending")), name)
	}
	node.preconfirm()
	for name, read := range reads {
		announced[name] = node.put(read("pending"))
		require.NotEqual(t, before[name], announced[name], name)
		require.JSONEq(t, before[name], node.put(read("latest")), name)
	}
	node.Seal()
	for name, read := range reads {
		require.JSONEq(t, announced[name], node.put(read("latest")), name)
		require.JSONEq(t, announced[name], node.put(read("pending")), name)
	}
}

// Ensure eth_getProof proves pre-confirmed state at pending.
func TestPendingProof(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	proof := func(tag string) (proof struct {
		Nonce        hexutil.Uint64
		StorageHash  common.Hash
		AccountProof []hexutil.Bytes
		StorageProof []struct {
			Value hexutil.Big
			Proof []hexutil.Bytes
		}
	}) {
		t.Helper()
		node.do(&proof, "eth_getProof", counter, []string{"0x0"}, tag)
		return proof
	}
	require.Equal(t, proof("latest").StorageProof, proof("pending").StorageProof)
	require.Equal(t, proof("latest").StorageHash, proof("pending").StorageHash)
	node.preconfirm()
	before, announced := proof("latest"), proof("pending")
	require.Equal(t, types.EmptyRootHash, before.StorageHash)
	require.Zero(t, before.StorageProof[0].Value.ToInt().Sign())
	require.EqualValues(t, 1, announced.StorageProof[0].Value.ToInt().Uint64())
	require.Equal(t, announced.StorageHash, crypto.Keccak256Hash(announced.StorageProof[0].Proof[0]), "the proof leads to the root")
	node.Seal()
	sealed := proof("latest")
	require.Equal(t, announced, sealed)
	require.Equal(t, node.Moment().Latest().Header().Root, crypto.Keccak256Hash(sealed.AccountProof[0]))
}

// pendingBlock is a block as a client reads it, pending or not.
type pendingBlock struct {
	Number, Timestamp, GasUsed, GasLimit hexutil.Uint64
	Hash                                 *common.Hash
	ParentHash                           common.Hash
	BaseFeePerGas                        *hexutil.Big
	Transactions                         []common.Hash
}

// place holds the members of a transaction, receipt or log that give its place in the chain.
type place struct {
	BlockHash        *common.Hash
	BlockNumber      *hexutil.Uint64
	BlockTimestamp   *hexutil.Uint64
	TransactionIndex *hexutil.Uint64
	TransactionHash  common.Hash // of a receipt or log
	Hash             common.Hash // of a transaction
}

// Ensure every method that looks up a block, transaction, receipt or log finds the pending block: empty and never null
// before the first flashblock, then with what is pre-confirmed, and after sealing where it was.
func TestPendingLookups(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	head := node.Seal()

	shows := func(want []common.Hash) {
		t.Helper()
		var block pendingBlock
		node.do(&block, "eth_getBlockByNumber", "pending", false)
		require.EqualValues(t, node.BlockNumber()+1, block.Number)
		require.Equal(t, node.Moment().Latest().Hash(), block.ParentHash)
		require.EqualValues(t, node.Moment().Latest().Time()+2, block.Timestamp)
		require.NotNil(t, block.BaseFeePerGas)
		require.Equal(t, want, append([]common.Hash{}, block.Transactions...))
		var full struct{ Transactions []place }
		node.do(&full, "eth_getBlockByNumber", "pending", true)
		require.Len(t, full.Transactions, len(want))
		var header pendingBlock
		node.do(&header, "eth_getHeaderByNumber", "pending")
		require.Equal(t, block.Number, header.Number)
		var count hexutil.Uint64
		node.do(&count, "eth_getBlockTransactionCountByNumber", "pending")
		require.EqualValues(t, len(want), count)
		node.do(&count, "eth_getUncleCountByBlockNumber", "pending")
		require.Zero(t, count)
		var receipts []place
		node.do(&receipts, "eth_getBlockReceipts", "pending")
		require.NotNil(t, receipts)
		require.Len(t, receipts, len(want))
		for i, hash := range want {
			require.Equal(t, hash, full.Transactions[i].Hash)
			require.Equal(t, hash, receipts[i].TransactionHash)
			index := hexutil.Uint64(i)
			require.NotEqual(t, "null", node.ask("eth_getRawTransactionByBlockNumberAndIndex", "pending", index))
			require.JSONEq(t, node.ask("eth_getTransactionByHash", hash), node.ask("eth_getTransactionByBlockNumberAndIndex", "pending", index))
			require.EqualValues(t, block.Number, *receipts[i].BlockNumber)
		}
		require.Equal(t, "null", node.ask("eth_getTransactionByBlockNumberAndIndex", "pending", hexutil.Uint64(len(want))))
		var fees struct {
			OldestBlock   hexutil.Uint64
			BaseFeePerGas []hexutil.Big
			GasUsedRatio  []float64
		}
		node.do(&fees, "eth_feeHistory", "0x2", "pending", []float64{50})
		require.EqualValues(t, node.BlockNumber(), fees.OldestBlock)
		require.Len(t, fees.GasUsedRatio, 2)
		require.Equal(t, len(want) > 0, fees.GasUsedRatio[1] > 0)
		require.Equal(t, block.BaseFeePerGas.String(), fees.BaseFeePerGas[1].String())
		var latest pendingBlock
		node.do(&latest, "eth_getBlockByNumber", "latest", false)
		require.Empty(t, latest.Transactions)
	}
	shows([]common.Hash{})
	require.JSONEq(t, node.ask("eth_simulateV1", payload(object{}), "latest"), node.ask("eth_simulateV1", payload(object{}), "pending"))
	sent := node.preconfirm()
	shows(sent)

	for i, hash := range sent {
		for _, method := range []string{"eth_getTransactionByHash", "eth_getTransactionReceipt"} {
			var found *place
			node.do(&found, method, hash)
			require.NotNil(t, found, method)
			require.EqualValues(t, 2, *found.BlockNumber, method)
			require.EqualValues(t, i, *found.TransactionIndex, method)
			if method == "eth_getTransactionByHash" { // null there, zero in receipts and logs
				require.Nil(t, found.BlockHash)
			} else {
				require.Equal(t, common.Hash{}, *found.BlockHash)
			}
		}
	}
	require.Equal(t, head, node.Moment().Latest().Hash())
	sealed := node.Seal()
	for i, hash := range sent {
		for _, method := range []string{"eth_getTransactionByHash", "eth_getTransactionReceipt"} {
			var found place
			node.do(&found, method, hash)
			require.EqualValues(t, 2, *found.BlockNumber, method)
			require.EqualValues(t, i, *found.TransactionIndex, method)
			require.Equal(t, sealed, *found.BlockHash, method)
		}
	}
	require.Equal(t, `"0x0"`, node.ask("eth_getBlockTransactionCountByNumber", "pending"))
	require.Equal(t, `"0x3"`, node.ask("eth_getBlockTransactionCountByNumber", "latest"))
}

// Ensure eth_getTransactionCount at pending counts transactions that wait in the pool, so that clients can send the
// next.
func TestPendingNonceCountsPool(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	for sent := range 3 {
		require.EqualValues(t, sent, node.nonce(0, "pending"))
		require.Zero(t, node.nonce(0, "latest"))
		node.send(0, &counter, nil)
		if sent == 1 {
			node.Preconfirm()
		}
	}
	require.EqualValues(t, 3, node.nonce(0, "pending"))
}
