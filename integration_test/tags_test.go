package integration_test

import (
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/preconf/control"
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

// Ensure the four methods of the contract resolve every block parameter to the right block.
func TestBlockParameters(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{Lags: fakenode.Lags{SafeLag: new(uint64(2)), FinalizedLag: new(uint64(5))}})
	const head = 9
	for range head {
		node.send(0, &counter, nil) // one a block: slot 0 is the block's number
		node.Seal()
	}
	contract := created(node.Account(1).Address, 0)
	node.send(1, nil, labcode.Deployment([]byte{0xfe}))
	node.send(0, &counter, nil)
	node.Preconfirm()

	blocks := map[string]uint64{"earliest": 0, "finalized": 4, "safe": 7, "latest": 9, "pending": 10}
	for number := range uint64(head + 1) {
		blocks[hexutil.EncodeUint64(number)] = number
	}
	for tag, number := range blocks {
		one := word(byte(number + 1)).Bytes()
		var answer, code hexutil.Bytes
		node.do(&answer, "eth_call", object{"to": counter}, tag)
		require.Equal(t, one, []byte(answer), tag)
		node.do(&answer, "eth_call", object{"to": observer}, tag)
		require.Equal(t, word(byte(number)), common.Hash(answer[:32]), tag)
		node.do(&code, "eth_getCode", contract, tag)
		require.Equal(t, number > head, len(code) > 0, tag)
		block := node.simulate(payload(object{"calls": []object{{"to": counter}}}), tag)[0]
		require.Equal(t, one, []byte(block.Calls[0].ReturnData), tag)
		if number <= head { // on pending the simulated block is the pending one (design)
			number++
		}
		require.EqualValues(t, number, block.Number, tag)
		var logs []types.Log
		node.do(&logs, "eth_getLogs", object{"fromBlock": tag, "toBlock": tag})
		require.Len(t, logs, int(min(blocks[tag], 1)), tag)
		for _, log := range logs {
			require.Equal(t, blocks[tag], log.BlockNumber, tag)
		}
	}
	for _, tag := range []string{"0xa", "0xb", "0x7fffffffffffffff"} {
		for method, argument := range map[string]any{
			"eth_call": object{"to": counter}, "eth_getCode": counter, "eth_simulateV1": payload(object{}),
		} {
			node.fails(-32001, method, argument, tag)
		}
	}
	for _, wrong := range []any{"soon", "PENDING", "0x", "0x01", "10", 5, true, "", "0x10000000000000000"} {
		node.fails(-32602, "eth_call", object{"to": counter}, wrong)
		node.fails(-32602, "eth_getCode", counter, wrong)
		node.fails(-32602, "eth_simulateV1", payload(object{}), wrong)
		node.fails(-32602, "eth_getLogs", object{"fromBlock": wrong})
		node.fails(-32602, "eth_getLogs", object{"toBlock": wrong})
	}
}

// logBook lists the logs that a chain must have, recorded without asking the node: by block, then those pre-confirmed.
type logBook struct {
	sealed       [][]common.Hash // transactions with one log each
	preconfirmed []common.Hash
}

// omitted is a bound that is left out.
const omitted = ""

// find returns the logs that eth_getLogs must answer between two bounds, and whether it must fail.
func (l logBook) find(from, to string, safe, finalized int) (found []common.Hash, fails bool) {
	head := len(l.sealed) - 1
	if from == "pending" && to == omitted {
		to = "pending"
	}
	position := func(bound string) int {
		switch bound {
		case "earliest":
			return 0
		case "finalized":
			return finalized
		case "safe":
			return safe
		case "latest", omitted:
			return head
		case "pending":
			return head + 1
		}
		return int(hexutil.MustDecodeUint64(bound))
	}
	first, last := position(from), position(to)
	named := to != omitted && to[0] == '0'
	pending := from == "pending" || to == "pending"
	// A query from the block after the head, with no number as end, gets an empty answer.
	if !pending && (named && last > head || first > last && (named || first <= head)) {
		return nil, true
	}
	for number, transactions := range l.sealed {
		if first <= number && number <= last {
			found = append(found, transactions...)
		}
	}
	if pending && first <= head+1 {
		found = append(found, l.preconfirmed...)
	}
	return found, false
}

// Ensure eth_getLogs answers every pair of bounds with exactly the logs between them, in order: while nothing is
// pre-confirmed, after flashblocks, after sealing, and after a reorg.
func TestLogBounds(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{Lags: fakenode.Lags{SafeLag: new(uint64(1)), FinalizedLag: new(uint64(3))}})
	book := logBook{sealed: make([][]common.Hash, 1)}
	emit := func() common.Hash { return node.emit(len(book.preconfirmed)%3, 1, 2) }
	seal := func(logs int) common.Hash {
		for range logs {
			book.preconfirmed = append(book.preconfirmed, emit())
		}
		book.sealed, book.preconfirmed = append(book.sealed, book.preconfirmed), nil
		return node.Seal()
	}
	final := 0
	check := func(stage string) {
		t.Helper()
		head := len(book.sealed) - 1
		final = max(final, head-3) // and stays so when the head goes back
		bounds := []string{omitted, "earliest", "finalized", "safe", "latest", "pending"}
		for number := range head + 3 {
			bounds = append(bounds, hexutil.EncodeUint64(uint64(number)))
		}
		for _, from := range bounds {
			for _, to := range bounds {
				name := fmt.Sprintf("%s: from %q to %q", stage, from, to)
				want, fails := book.find(from, to, max(head-1, final), final)
				filter := object{"address": emitter}
				if from != omitted {
					filter["fromBlock"] = from
				}
				if to != omitted {
					filter["toBlock"] = to
				}
				var logs []types.Log
				err := node.client.Call(&logs, "eth_getLogs", filter)
				if fails {
					var failure rpc.Error
					require.ErrorAs(t, err, &failure, name)
					require.Equal(t, -32602, failure.ErrorCode(), name)
					continue
				}
				require.NoError(t, err, name)
				require.NotNil(t, logs, name)
				got := []common.Hash{}
				for _, log := range logs {
					got = append(got, log.TxHash)
					require.Equal(t, log.BlockNumber > uint64(head), log.BlockHash == common.Hash{}, name)
				}
				require.Equal(t, append([]common.Hash{}, want...), got, name)
			}
		}
	}
	check("genesis")
	for _, logs := range []int{2, 0, 1, 3} {
		seal(logs)
	}
	check("sealed")
	book.preconfirmed = []common.Hash{emit()}
	node.Preconfirm()
	book.preconfirmed = append(book.preconfirmed, emit())
	node.Preconfirm()
	check("pre-confirmed")
	orphan := seal(0)
	check("sealed again")

	moved := book.sealed[5]
	none := 0
	_, err := node.Reorg(control.ReorgOptions{Depth: 1, Length: &none, Transactions: control.Drop})
	require.NoError(t, err)
	book.sealed = book.sealed[:5]
	check("rolled back")
	known := seal(1)
	check("reorganised")

	for _, bounds := range []object{{}, {"fromBlock": "pending"}, {"fromBlock": "0x63", "toBlock": "0x1"}} {
		for hash, want := range map[common.Hash][]common.Hash{known: book.sealed[5], orphan: moved} {
			bounds["blockHash"] = hash
			var logs []types.Log
			node.do(&logs, "eth_getLogs", bounds)
			require.Len(t, logs, len(want))
			for i, log := range logs {
				require.Equal(t, want[i], log.TxHash)
				require.Equal(t, hash, log.BlockHash)
				require.Equal(t, hash == orphan, log.Removed)
			}
		}
		bounds["blockHash"] = word(9)
		node.fails(-32001, "eth_getLogs", bounds)
	}
}
