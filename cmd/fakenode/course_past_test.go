package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"
)

// changing lists the methods whose answers about a block change with what comes after it, with the reason.
var changing = map[string]string{
	"optimism_outputAtBlock": "has the state of the rollup node now",
}

// Ensure what is answered about a block with another one above it stays the same through all that comes later: blocks,
// settings, faults, reorgs above it, and restarts. Every method that reads is asked about each block when it is new,
// with the block's number, its hash, and the hashes of its transactions; about one block by turns after each step, and
// about all of them at the end. See player.try for the variables.
func TestPastStays(t *testing.T) {
	eachCourse(t, func(c *course) func(bool) error {
		pasts := make(map[*courseNetwork]*past)
		return func(last bool) error {
			for _, on := range c.networks {
				if pasts[on] == nil {
					pasts[on] = &past{of: make(map[common.Hash]*answered)}
				}
				if err := pasts[on].stays(c, on, last); err != nil {
					return err
				}
			}
			return nil
		}
	})
}

// past has the answers about the blocks of a network.
type past struct {
	of    map[common.Hash]*answered
	order []common.Hash // of of, the block that was asked about the longest ago first
}

// answered has the answers about one block.
type answered struct {
	number  hexutil.Uint64
	child   common.Hash // the block above it
	calls   []map[string]any
	answers []json.RawMessage
}

// stays asks again about one block, or all, and asks about those that are new.
func (p *past) stays(c *course, on *courseNetwork, all bool) error {
	c.look(on)
	if err := p.forget(c, on); err != nil {
		return err
	}
	again := len(p.order)
	if !all {
		again = min(again, 1)
	}
	for _, hash := range p.order[:again] {
		if err := p.of[hash].stays(c, on); err != nil {
			return err
		}
	}
	p.order = append(p.order[again:], p.order[:again]...)
	for i, number := range on.numbers[1:] {
		hash := *on.blocks[i+1].(*common.Hash)
		if p.of[hash] != nil {
			continue
		}
		var err error
		if p.of[hash], err = c.askAbout(on, number.(hexutil.Uint64), hash); err != nil {
			return err
		}
		p.order = append(p.order, hash)
	}
	return nil
}

// forget forgets the blocks that a reorg removed, and one that it left as the head, as commands edit the state of that.
func (p *past) forget(c *course, on *courseNetwork) error {
	var calls []map[string]any
	for _, hash := range p.order {
		for _, n := range []hexutil.Uint64{p.of[hash].number, p.of[hash].number + 1} {
			calls = append(calls, rpcCall("eth_getHeaderByNumber", []any{n}))
		}
	}
	answers, err := c.both(on, calls)
	if err != nil {
		return err
	}
	hashes := make([]common.Hash, len(answers))
	for i, answer := range answers {
		var header struct{ Result struct{ Hash common.Hash } }
		require.NoError(c, json.Unmarshal(answer, &header))
		hashes[i] = header.Result.Hash
	}
	var kept []common.Hash
	for i, hash := range p.order {
		if is, child := hashes[2*i], hashes[2*i+1]; is != hash || child == (common.Hash{}) {
			delete(p.of, hash)
			continue
		}
		kept = append(kept, hash)
	}
	p.order = kept
	return nil
}

// stays asks about a block again.
func (a *answered) stays(c *course, on *courseNetwork) error {
	child := c.hashOf(on, a.number+1)
	answers, err := c.both(on, a.calls)
	if err != nil {
		return err
	}
	for i, answer := range answers {
		method := a.calls[i]["method"]
		if !bytes.Equal(answer, a.answers[i]) && (child == a.child || method != "eth_feeHistory") { // whose last value is the child's
			params, _ := json.Marshal(a.calls[i]["params"])
			return fmt.Errorf("%s %s %s\nwas: %s\nis:  %s", on.path, method, params, a.answers[i], answer)
		}
	}
	a.child, a.answers = child, answers
	return nil
}

// hashOf returns the hash of a block, the zero hash if there is none.
func (c *course) hashOf(on *courseNetwork, number hexutil.Uint64) common.Hash {
	var block struct{ Hash common.Hash }
	c.ask(on, &block, "eth_getBlockByNumber", number, false)
	return block.Hash
}

// askAbout asks all there is to ask about a block.
func (c *course) askAbout(on *courseNetwork, number hexutil.Uint64, hash common.Hash) (*answered, error) {
	block := courseNetwork{path: on.path, numbers: []any{number}, blocks: []any{hash}, fixed: true}
	var body struct{ Transactions []common.Hash }
	c.ask(on, &body, "eth_getBlockByHash", hash, false)
	for _, tx := range body.Transactions {
		block.sent(tx)
	}
	a := &answered{number: number, child: c.hashOf(on, number+1)}
	for _, method := range slices.Sorted(maps.Keys(asked)) {
		names := slices.ContainsFunc(asked[method], func(kind string) bool {
			return slices.Contains([]string{"tag", "block", "number", "blockHash", "hash", "filter", "range"}, kind)
		})
		if !names || changing[method] != "" {
			continue
		}
		for _, params := range c.combined(asked[method], &block) {
			a.calls = append(a.calls, rpcCall(method, params))
		}
	}
	var err error
	a.answers, err = c.both(on, a.calls)
	return a, err
}
