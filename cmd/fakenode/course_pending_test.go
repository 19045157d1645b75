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

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure all answers at pending agree with each other after each step of random courses: blocks, receipts, blooms,
// logs, filters, counts, fees, balances and nonces, and latest with what it stands for, whatever faults are armed. The
// network of the step is asked, all after a restart. See player.try for the variables.
func TestPendingAgreesWithItself(t *testing.T) {
	eachCourse(t, func(c *course) func(bool) error {
		announced := make(map[*courseNetwork]*announcements)
		l1 := slices.Contains(c.args, "--l1") // a step on a network changes the one above or below it
		return func(last bool) error {
			for _, on := range c.networks {
				if c.touched != nil && on != c.touched && !l1 && !last {
					continue
				}
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
	if laboratory.Race {
		t.Skip("one client asks a program of its own, one call at a time: the race detector would only make it slow")
	}
	t.Parallel()
	all := [][]string{
		{"--preset", "base-flashblocks"}, {"--preset", "dev"}, {"--preset", "unichain"}, {"--preset", "megaeth"}, {"--preset", "rise"}, {"--preset", "base"}, {"--preset", "base-flashblocks", "--l1"},
	}
	for _, args := range all[:laboratory.Budget(t, 1, len(all))] {
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
			}).try(t, "FAKENODE_COURSE")
		})
	}
}

// pendingBlock is a block at pending, with transactions as they are answered.
type pendingBlock struct {
	Number, Timestamp, GasUsed, BaseFeePerGas hexutil.Uint64
	ParentHash                                common.Hash
	LogsBloom                                 types.Bloom
	Transactions                              []json.RawMessage
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
	c.askAll(on, []question{
		ask(&latest, "eth_getBlockByNumber", "latest", false),
		ask(&block, "eth_getBlockByNumber", "pending", true),
		ask(&receipts, "eth_getBlockReceipts", "pending"),
		ask(&count, "eth_getBlockTransactionCountByNumber", "pending"),
		ask(&logs, "eth_getLogs", pendingToPending),
	})
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
	if err := c.accountsAgree(on, &block, latest.Number); err != nil {
		return err
	}
	if err := c.latestAgrees(on, latest.Number); err != nil {
		return err
	}
	return c.filtersAgree(on, announced, logs, &block, latest.Number)
}

// receiptsAgree compares the block with the receipts, and these with the logs at pending. While a block is late those
// of the late one come before them.
func (c *course) receiptsAgree(on *courseNetwork, block *pendingBlock, receipts, logs []json.RawMessage, late bool) error {
	var bloom types.Bloom
	var received []json.RawMessage
	var gas hexutil.Uint64
	type decoded struct {
		TransactionHash   common.Hash
		CumulativeGasUsed hexutil.Uint64
		LogsBloom         types.Bloom
		Logs              []json.RawMessage
	}
	by := make([]struct{ one, tx, indexed json.RawMessage }, len(receipts))
	all := make([]decoded, len(receipts))
	var questions []question
	for i, answer := range receipts {
		require.NoError(c, json.Unmarshal(answer, &all[i]))
		questions = append(questions,
			ask(&by[i].one, "eth_getTransactionReceipt", all[i].TransactionHash),
			ask(&by[i].tx, "eth_getTransactionByHash", all[i].TransactionHash),
			ask(&by[i].indexed, "eth_getTransactionByBlockNumberAndIndex", "pending", hexutil.Uint64(i)))
	}
	c.askAll(on, questions)
	for i, answer := range receipts {
		receipt := all[i]
		received, gas = append(received, receipt.Logs...), receipt.CumulativeGasUsed
		for j := range bloom {
			bloom[j] |= receipt.LogsBloom[j]
		}
		for what, pair := range map[string][2]json.RawMessage{
			"receipt": {answer, by[i].one}, "transaction by hash": {block.Transactions[i], by[i].tx}, "transaction by index": {block.Transactions[i], by[i].indexed},
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
	receipts := make([]*struct{ BlockNumber hexutil.Uint64 }, len(on.hashes))
	var questions []question
	for i, hash := range on.hashes {
		questions = append(questions, ask(&receipts[i], "eth_getTransactionReceipt", hash))
	}
	c.askAll(on, questions)
	for i, hash := range on.hashes {
		receipt := receipts[i]
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
// made of those at the head, if the block is on it.
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
	questions := []question{ask(&traces, "debug_traceBlockByNumber", "pending", map[string]any{"tracer": "prestateTracer", "tracerConfig": map[string]any{"diffMode": true}})}
	addresses := c.values("account", on)
	answers := make([]struct {
		is, proved, made account
		balance          *hexutil.Big
		nonce            hexutil.Uint64
	}, len(addresses))
	for i, address := range addresses {
		a := &answers[i]
		questions = append(questions,
			ask(&a.is, "eth_getAccount", address, "pending"),
			ask(&a.proved, "eth_getProof", address, []any{}, "pending"),
			ask(&a.balance, "eth_getBalance", address, "pending"),
			ask(&a.nonce, "eth_getTransactionCount", address, "pending"))
		if block.Number == head+1 {
			questions = append(questions, ask(&a.made, "eth_getAccount", address, head))
		}
	}
	c.askAll(on, questions)
	for i, address := range addresses {
		is, proved, made, balance, nonce := answers[i].is, answers[i].proved, answers[i].made, answers[i].balance, answers[i].nonce
		if made.Balance == nil {
			made.Balance = is.Balance
		} else {
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

// latestAgrees compares state and calls at latest with those at pending where latest moves, elsewhere with those at
// the number of the head.
func (c *course) latestAgrees(on *courseNetwork, head hexutil.Uint64) error {
	same := any(head)
	if slices.Contains([]string{"megaeth", "rise"}, c.args[1]) {
		same = "pending"
	}
	type pair struct {
		what  string
		is    json.RawMessage
		other json.RawMessage
	}
	var pairs []*pair
	var questions []question
	compare := func(method string, params func(tag any) []any) {
		p := &pair{what: fmt.Sprint(method, params("latest"))}
		pairs = append(pairs, p)
		questions = append(questions, ask(&p.is, method, params("latest")...), ask(&p.other, method, params(same)...))
	}
	for _, address := range c.values("account", on) {
		for _, method := range []string{"eth_getBalance", "eth_getCode", "eth_getAccount"} {
			compare(method, func(tag any) []any { return []any{address, tag} })
		}
		compare("eth_getStorageAt", func(tag any) []any { return []any{address, "0x0", tag} })
	}
	for _, object := range c.values("call", on) {
		for _, method := range []string{"eth_call", "eth_estimateGas", "eth_createAccessList"} {
			compare(method, func(tag any) []any { return []any{object, tag} })
		}
	}
	c.askAll(on, questions)
	for _, p := range pairs {
		if !bytes.Equal(p.is, p.other) {
			return fmt.Errorf("%s: %s, at %v %s", p.what, p.is, same, p.other)
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

// stalledLate reports whether a late block may be at pending whose flashblock a stall swallowed: no filter is told of
// it then (TestLateBlockUnderStall).
func (c *course) stalledLate(on *courseNetwork, block *pendingBlock, head hexutil.Uint64) bool {
	var info struct{ Clock struct{ Timestamp uint64 } }
	c.askAll(on, []question{ask(&info, "fakenode_info")})
	late := block.Number > head+1 || uint64(block.Timestamp) <= info.Clock.Timestamp
	return late && slices.ContainsFunc(c.calls, func(call string) bool { return strings.Contains(call, `"kind":"stall"`) })
}

// filtersAgree compares filters of pre-confirmed logs with the logs at pending: those from now on find them, and one
// from before was told of them.
func (c *course) filtersAgree(on *courseNetwork, announced *announcements, logs []json.RawMessage, block *pendingBlock, head hexutil.Uint64) error {
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
	if block.Number > head {
		for hash := range hashes(logs) {
			if !announced.hashes[hash] && !c.stalledLate(on, block, head) {
				return fmt.Errorf("transaction %s has a log at pending that no filter was told of", hash)
			}
		}
	}
	// A snapshot may take the filter along: the next step has a new one.
	c.ask(on, &announced.filter, "eth_newFilter", pendingToPending)
	return nil
}
