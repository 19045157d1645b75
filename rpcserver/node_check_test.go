package rpcserver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// edited notes that the state of the head no longer fits its header.
func (c *caller) edited(method string, answer []byte) {
	if strings.Contains(string(answer), `"error"`) {
		return
	}
	for _, word := range []string{"setBalance", "addBalance", "setCode", "setNonce", "setStorage", "setAccount", "deal", "setERC20", "loadState", "delegate"} {
		if strings.Contains(method, word) {
			c.handmade[c.Timeline.Moment().Latest().Hash()] = true
			c.rewound = c.rewound || strings.Contains(method, "Nonce") || strings.Contains(method, "loadState")
		}
	}
}

// checkNode reports inconsistencies of a node.
func (c *caller) checkNode() error {
	m := c.Timeline.Moment()
	if err := c.checkChain(m); err != nil {
		return err
	}
	if err := c.checkLogs(m); err != nil {
		return err
	}
	return c.checkPool(m)
}

func (c *caller) checkChain(m *preconf.Moment) error {
	parent := m.Chain().BlockByNumber(0)
	for n := uint64(1); n <= m.Latest().Number(); n++ {
		b := m.Chain().BlockByNumber(n)
		h := b.Header()
		body := b.Body()
		switch {
		case b.Hash() != types.CopyHeader(h).Hash() || body.Hash() != b.Hash():
			return fmt.Errorf("block %d: hash is not that of the header", n)
		case h.ParentHash != parent.Hash() || h.Number.Uint64() != n:
			return fmt.Errorf("block %d: not the child of the block before", n)
		case h.Time < parent.Time():
			return fmt.Errorf("block %d: time %d after %d", n, h.Time, parent.Time())
		case types.DeriveSha(b.Transactions(), trie.NewStackTrie(nil)) != h.TxHash:
			return fmt.Errorf("block %d: transactions are not those of the header", n)
		case types.DeriveSha(evmstate.Receipts{Transactions: b.Transactions(), List: b.Receipts()}, trie.NewStackTrie(nil)) != h.ReceiptHash:
			return fmt.Errorf("block %d: receipts are not those of the header", n)
		}
		if at, canonical := m.Chain().BlockByHash(b.Hash()); at != b || !canonical {
			return fmt.Errorf("block %d is not found by its hash", n)
		}
		for i, tx := range b.Transactions() {
			if found, err := m.Find(tx.Hash()); err != nil || !found.Executed() || found.View.Number() != n || found.Index != i {
				if c.rewound {
					continue
				}
				return fmt.Errorf("transaction %d of block %d is not found", i, n)
			}
		}
		state, err := m.Chain().StateAt(b)
		var pruned *chain.PrunedError
		switch {
		case errors.As(err, &pruned):
			parent = b
			continue
		case err != nil:
			return err
		}
		if !c.handmade[b.Hash()] && state.Root() != h.Root {
			return fmt.Errorf("block %d: state root %s, header %s", n, state.Root(), h.Root)
		}
		parent = b
	}
	if m.Now().Unix() < int64(parent.Time()) && m.Mode() != control.Instant {
		return fmt.Errorf("clock %d is before the head's time %d", m.Now().Unix(), parent.Time())
	}
	for _, v := range []*preconf.View{m.Latest(), m.Pending()} {
		state, err := v.State()
		if err != nil {
			return err
		}
		if anew := evmstate.StateFromAlloc(state.Alloc()); anew.Root() != state.Root() {
			return fmt.Errorf("state root of block %d is %s, made anew %s", v.Number(), state.Root(), anew.Root())
		}
	}
	return nil
}

// checkLogs compares eth_getLogs with all receipts.
func (c *caller) checkLogs(m *preconf.Moment) error {
	var want []string
	note := func(receipts types.Receipts, number uint64) {
		index := 0
		for _, r := range receipts {
			for _, l := range r.Logs {
				want = append(want, fmt.Sprintf("%#x %s %#x %#x", number, l.TxHash, index, l.BlockTimestamp))
				index++
			}
		}
	}
	for n := uint64(0); n <= m.Latest().Number(); n++ {
		note(m.Chain().BlockByNumber(n).Receipts(), n)
	}
	for _, v := range m.PendingBlocks() {
		note(v.Receipts(), v.Number())
	}
	raw, failure := c.Try("eth_getLogs", map[string]any{"fromBlock": "0x0", "toBlock": "pending"})
	if failure != nil {
		return failure
	}
	var logs []struct{ BlockNumber, TransactionHash, LogIndex, BlockTimestamp string }
	if err := json.Unmarshal(raw, &logs); err != nil {
		return err
	}
	if len(logs) != len(want) {
		return fmt.Errorf("%d logs, the receipts have %d", len(logs), len(want))
	}
	for i, l := range logs {
		if have := strings.Join([]string{l.BlockNumber, l.TransactionHash, l.LogIndex, l.BlockTimestamp}, " "); have != want[i] {
			return fmt.Errorf("log %d is %s, the receipt has %s", i, have, want[i])
		}
	}
	return nil
}

// checkPool: each transaction is in one place, and none is behind its sender's nonce.
func (c *caller) checkPool(m *preconf.Moment) error {
	state, err := m.Pending().State()
	if err != nil {
		return err
	}
	for _, pooled := range m.Pool() {
		tx := pooled.Tx
		if tx.Nonce() < state.Nonce(pooled.From) {
			return fmt.Errorf("transaction %s with nonce %d waits, %s is at %d", tx.Hash(), tx.Nonce(), pooled.From, state.Nonce(pooled.From))
		}
		if found, err := m.Find(tx.Hash()); err != nil || !found.Present() || found.View != nil && !c.rewound {
			return fmt.Errorf("transaction %s is in the pool and not found there", tx.Hash())
		}
	}
	return nil
}
