package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"
)

// Ensure all answers at pending agree with each other after each step of random courses: blocks, receipts, blooms,
// logs, filters, counts, fees, balances and nonces, whatever faults are armed. See player.try for the variables.
func TestPendingAgreesWithItself(t *testing.T) {
	eachCourse(t, func(c *course) func(bool) error {
		announced := make(map[*courseNetwork]*announcements)
		return func(bool) error {
			for _, on := range c.networks {
				if strings.HasSuffix(on.path, "/l1") {
					continue // the block that would be sealed is at pending, and what is in it waits in the pool
				}
				if announced[on] == nil {
					announced[on] = &announcements{hashes: make(map[common.Hash]bool)}
				}
				if err := c.pendingAgrees(on, announced[on]); err != nil {
					return fmt.Errorf("%s: %w", on.path, err)
				}
			}
			return nil
		}
	})
}

// eachCourse plays courses of one node. begin returns what is asked after each step, which learns whether it is the
// last.
func eachCourse(t *testing.T, begin func(*course) (check func(last bool) error)) {
	if raceDetector {
		t.Skip("one client asks a program of its own, one call at a time: the race detector would only make it slow")
	}
	t.Parallel()
	for _, args := range [][]string{
		{"--preset", "dev"}, {"--preset", "base-flashblocks"}, {"--preset", "unichain"}, {"--preset", "megaeth"}, {"--preset", "base"}, {"--preset", "base-flashblocks", "--l1"},
	} {
		t.Run(strings.Join(args[1:], " "), func(t *testing.T) {
			t.Parallel()
			player(func(seed uint64, steps []int) (calls []string, err error) {
				c := newCourse(t, seed, 1, args...)
				defer c.close()
				check := begin(c)
				for at, i := range steps {
					if err := c.step(i); err != nil {
						return c.calls, err
					}
					if err := check(at == len(steps)-1); err != nil {
						return c.calls, err
					}
				}
				t.Logf("seed %d: %d calls, all answers %x", seed, len(c.calls), c.heard.Sum(nil)) // the same in each run
				return c.calls, nil
			}).try(t, "FAKENODE_COURSE", 40)
		})
	}
}

// pendingBlock is a block at pending, with transactions as they are answered.
type pendingBlock struct {
	Number, GasUsed, BaseFeePerGas hexutil.Uint64
	ParentHash                     common.Hash
	LogsBloom                      types.Bloom
	Transactions                   []json.RawMessage
}

// pendingAgrees returns in what two answers at pending differ.
func (c *course) pendingAgrees(on *courseNetwork, announced *announcements) error {
	var latest struct {
		Number hexutil.Uint64
		Hash   common.Hash
	}
	var block pendingBlock
	var receipts []json.RawMessage
	var count hexutil.Uint64
	var logs []json.RawMessage
	pendingToPending := map[string]any{"fromBlock": "pending", "toBlock": "pending"}
	c.ask(on, &latest, "eth_getBlockByNumber", "latest", false)
	c.ask(on, &block, "eth_getBlockByNumber", "pending", true)
	c.ask(on, &receipts, "eth_getBlockReceipts", "pending")
	c.ask(on, &count, "eth_getBlockTransactionCountByNumber", "pending")
	c.ask(on, &logs, "eth_getLogs", pendingToPending)
	if len(receipts) != len(block.Transactions) || int(count) != len(receipts) {
		return fmt.Errorf("%d transactions, %d receipts, a count of %d", len(block.Transactions), len(receipts), count)
	}
	late := block.Number > latest.Number+1 // and another one is being built
	if err := c.receiptsAgree(on, &block, receipts, logs, late); err != nil {
		return err
	}
	if err := c.feesAgree(on, &block, latest.Number); err != nil {
		return err
	}
	parent := hexutil.Uint64(0)
	if block.Number == latest.Number+1 {
		parent = latest.Number
	}
	if err := c.accountsAgree(on, &block, parent); err != nil {
		return err
	}
	return c.filtersAgree(on, announced, logs, block.Number > latest.Number)
}

// receiptsAgree compares the block with the receipts, and these with the logs at pending. While a block is late those
// of the late one come before them.
func (c *course) receiptsAgree(on *courseNetwork, block *pendingBlock, receipts, logs []json.RawMessage, late bool) error {
	var bloom types.Bloom
	var received []json.RawMessage
	var gas hexutil.Uint64
	for i, answer := range receipts {
		var receipt struct {
			TransactionHash   common.Hash
			CumulativeGasUsed hexutil.Uint64
			LogsBloom         types.Bloom
			Logs              []json.RawMessage
		}
		require.NoError(c, json.Unmarshal(answer, &receipt))
		received, gas = append(received, receipt.Logs...), receipt.CumulativeGasUsed
		for j := range bloom {
			bloom[j] |= receipt.LogsBloom[j]
		}
		var one, tx, indexed json.RawMessage
		c.ask(on, &one, "eth_getTransactionReceipt", receipt.TransactionHash)
		c.ask(on, &tx, "eth_getTransactionByHash", receipt.TransactionHash)
		c.ask(on, &indexed, "eth_getTransactionByBlockNumberAndIndex", "pending", hexutil.Uint64(i))
		for what, pair := range map[string][2]json.RawMessage{
			"receipt": {answer, one}, "transaction by hash": {block.Transactions[i], tx}, "transaction by index": {block.Transactions[i], indexed},
		} {
			if !bytes.Equal(pair[0], pair[1]) {
				return fmt.Errorf("%s of transaction %d:\n%s\nin the block:\n%s", what, i, pair[1], pair[0])
			}
		}
	}
	if bloom != block.LogsBloom || gas != block.GasUsed {
		return fmt.Errorf("blooms of receipts %x and gas %d, of the block %x and %d", bloom, gas, block.LogsBloom, block.GasUsed)
	}
	if late && len(logs) > len(received) {
		logs = logs[len(logs)-len(received):]
	}
	if !slices.EqualFunc(received, logs, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		return fmt.Errorf("logs of receipts:\n%s\neth_getLogs:\n%s", received, logs)
	}
	return c.waitingHaveNoReceipt(on, block, late)
}

// waitingHaveNoReceipt asks for transactions that are known: one that is in no block has no receipt.
func (c *course) waitingHaveNoReceipt(on *courseNetwork, block *pendingBlock, late bool) error {
	for _, hash := range on.hashes {
		var receipt *struct{ BlockNumber hexutil.Uint64 }
		c.ask(on, &receipt, "eth_getTransactionReceipt", hash)
		text := fmt.Sprintf("%q", hash)
		in := slices.ContainsFunc(block.Transactions, func(tx json.RawMessage) bool { return bytes.Contains(tx, []byte(text)) })
		if !late && receipt != nil && receipt.BlockNumber == block.Number && !in {
			return fmt.Errorf("transaction %s has a receipt, and the block at pending has no such transaction", hash)
		}
	}
	return nil
}

// feesAgree compares the base fee of the block with what tells of fees.
func (c *course) feesAgree(on *courseNetwork, block *pendingBlock, latest hexutil.Uint64) error {
	var history struct{ BaseFeePerGas []hexutil.Uint64 }
	c.ask(on, &history, "eth_feeHistory", "0x1", "pending", []any{50})
	fees := []hexutil.Uint64{history.BaseFeePerGas[0]}
	if block.Number > latest { // else there is no pending block, and the next is meant
		var fee, price, tip hexutil.Uint64
		c.ask(on, &fee, "eth_baseFee")
		c.ask(on, &price, "eth_gasPrice")
		c.ask(on, &tip, "eth_maxPriorityFeePerGas")
		fees = append(fees, fee, price-tip)
	}
	if block.Number == latest+1 {
		c.ask(on, &history, "eth_feeHistory", "0x1", "latest", []any{50})
		fees = append(fees, history.BaseFeePerGas[1])
	}
	for _, fee := range fees {
		if fee != block.BaseFeePerGas {
			return fmt.Errorf("base fee %d, of the block %d", fee, block.BaseFeePerGas)
		}
	}
	return nil
}

// accountsAgree compares balances and nonces at pending: by each method, and with what the transactions of the block
// made of those at the head; 0: the block is not on it.
func (c *course) accountsAgree(on *courseNetwork, block *pendingBlock, head hexutil.Uint64) error {
	type account struct {
		Balance *hexutil.Big
		Nonce   *hexutil.Uint64
	}
	var traces []struct {
		Result struct {
			Post map[common.Address]struct{ Balance *hexutil.Big }
		}
	}
	c.ask(on, &traces, "debug_traceBlockByNumber", "pending", map[string]any{"tracer": "prestateTracer", "tracerConfig": map[string]any{"diffMode": true}})
	for _, address := range c.values("account", on) {
		var is, proved, made account
		var balance *hexutil.Big
		var nonce hexutil.Uint64
		c.ask(on, &is, "eth_getAccount", address, "pending")
		c.ask(on, &proved, "eth_getProof", address, []any{}, "pending")
		c.ask(on, &balance, "eth_getBalance", address, "pending")
		c.ask(on, &nonce, "eth_getTransactionCount", address, "pending")
		if made.Balance = is.Balance; head > 0 {
			made = account{} // decoding would write into what it points to
			c.ask(on, &made, "eth_getAccount", address, head)
			for _, trace := range traces {
				if post := trace.Result.Post[address.(common.Address)]; post.Balance != nil {
					made.Balance = post.Balance
				}
			}
		}
		for what, other := range map[string]*hexutil.Big{"eth_getBalance": balance, "eth_getProof": proved.Balance, "transactions": made.Balance} {
			if other.ToInt().Cmp(is.Balance.ToInt()) != 0 {
				return fmt.Errorf("balance of %s: %s, by %s %s", address, is.Balance, what, other)
			}
		}
		if *is.Nonce != *proved.Nonce || nonce < *is.Nonce {
			return fmt.Errorf("nonce of %s: %d, eth_getProof %d, eth_getTransactionCount %d", address, *is.Nonce, *proved.Nonce, nonce)
		}
	}
	return nil
}

// announcements collects the changes of a filter of pre-confirmed logs.
type announcements struct {
	node   *killable // that has the filter
	filter string
	hashes map[common.Hash]bool // of the transactions of the logs
}

// filtersAgree compares filters of pre-confirmed logs with the logs at pending: those from now on find them, and one
// from before was told of them.
func (c *course) filtersAgree(on *courseNetwork, announced *announcements, logs []json.RawMessage, preconfirms bool) error {
	pendingToPending := map[string]any{"fromBlock": "pending", "toBlock": "pending"}
	var filter string
	var found []json.RawMessage
	c.ask(on, &filter, "eth_newFilter", pendingToPending)
	c.ask(on, &found, "eth_getFilterLogs", filter)
	c.ask(on, new(bool), "eth_uninstallFilter", filter)
	if !slices.EqualFunc(found, logs, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		return fmt.Errorf("eth_getFilterLogs:\n%s\neth_getLogs:\n%s", found, logs)
	}
	hashes := func(logs []json.RawMessage) map[common.Hash]bool {
		of := make(map[common.Hash]bool)
		for _, log := range logs {
			var l struct{ TransactionHash common.Hash }
			require.NoError(c, json.Unmarshal(log, &l))
			of[l.TransactionHash] = true
		}
		return of
	}
	if announced.node == c.kept {
		var told []json.RawMessage
		c.ask(on, &told, "eth_getFilterChanges", announced.filter)
		maps.Copy(announced.hashes, hashes(told))
	} else { // a node that is started has no filters; what was announced before is at pending still
		announced.node = c.kept
		maps.Copy(announced.hashes, hashes(logs))
	}
	if preconfirms {
		for hash := range hashes(logs) {
			if !announced.hashes[hash] {
				return fmt.Errorf("transaction %s has a log at pending that no filter was told of", hash)
			}
		}
	}
	// A snapshot may take the filter along: the next step has a new one.
	c.ask(on, &announced.filter, "eth_newFilter", pendingToPending)
	return nil
}
