package integration_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/preconf"
)

// Ensure the four methods of the contract resolve every block parameter to the right block.
func TestBlockParameters(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{SafeLag: new(uint64(2)), FinalizedLag: new(uint64(5))})
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
	node := openLab(t, fakenode.Config{SafeLag: new(uint64(1)), FinalizedLag: new(uint64(3))})
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
	_, err := node.Reorg(preconf.ReorgOptions{Depth: 1, Length: &none, Transactions: preconf.Drop})
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

// Ensure readers that ask for all logs while blocks are being sealed see each log once, in the chain's order, and never
// lose one they have seen.
func TestLogsOnceWhileSealing(t *testing.T) {
	t.Parallel()
	const readers, reads = 4, 60
	node := openLab(t, fakenode.Config{})
	var reading sync.WaitGroup
	for range readers {
		reader := visit(t, node.Node)
		reading.Go(func() {
			var seen []common.Hash
			for range reads {
				var logs []types.Log
				err := reader.client.Call(&logs, "eth_getLogs", object{"fromBlock": "earliest", "toBlock": "pending", "address": emitter})
				if err != nil || len(logs) < len(seen) {
					t.Errorf("%d logs after %d: %v", len(logs), len(seen), err)
					return
				}
				for i, log := range logs {
					switch {
					case i < len(seen) && log.TxHash != seen[i]:
						t.Errorf("log %d was of %s, is of %s", i, seen[i], log.TxHash)
						return
					case i >= len(seen):
						seen = append(seen, log.TxHash)
					}
				}
				if twice := firstTwice(seen); twice != nil {
					t.Errorf("log of %s twice", twice)
					return
				}
			}
		})
	}
	done := make(chan bool)
	go func() { reading.Wait(); close(done) }()
	sent := 0
	for running := true; running; sent += 3 {
		for i := range 3 {
			node.emit(0, byte(i), 0)
			if i < 2 {
				node.Preconfirm()
			}
		}
		node.Seal()
		select {
		case <-done:
			running = false
		default:
		}
	}
	var logs []types.Log
	node.do(&logs, "eth_getLogs", object{"fromBlock": "earliest", "toBlock": "pending"})
	require.Len(t, logs, sent)
}

// firstTwice is the first hash that is there twice, nil if none is.
func firstTwice(hashes []common.Hash) *common.Hash {
	seen := make(map[common.Hash]bool, len(hashes))
	for _, hash := range hashes {
		if seen[hash] {
			return &hash
		}
		seen[hash] = true
	}
	return nil
}
