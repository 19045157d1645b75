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
)

// changing lists the methods whose answers about a block change with what comes after it, with the reason.
var changing = map[string]string{
	"optimism_outputAtBlock": "has the state of the rollup node now",
}

// Ensure what is answered about a block with another one above it stays the same through all that comes later: blocks,
// settings, faults, reorgs above it, and restarts. Every method that reads is asked about each block when it is new,
// and again after later steps, with the block's number, its hash, and the hashes of its transactions. See player.try
// for the variables.
func TestPastStays(t *testing.T) {
	eachCourse(t, func(c *course) func() error {
		pasts := make(map[*courseNetwork]past)
		return func() error {
			for _, on := range c.networks {
				if pasts[on] == nil {
					pasts[on] = make(past)
				}
				if err := pasts[on].stays(c, on); err != nil {
					return err
				}
			}
			return nil
		}
	})
}

// past has the answers about each block, by its hash.
type past map[common.Hash]*answered

// answered has the answers about one block.
type answered struct {
	number  hexutil.Uint64
	child   common.Hash // the block above it
	calls   []map[string]any
	answers []json.RawMessage
}

// stays asks again about each block, and asks about those that are new. A block that a reorg removed is forgotten, and
// one that it left as the head, as commands edit the state of that.
func (p past) stays(c *course, on *courseNetwork) error {
	c.look(on)
	for _, hash := range slices.SortedFunc(maps.Keys(p), common.Hash.Cmp) {
		before := p[hash]
		child := c.hashOf(on, before.number+1)
		if c.hashOf(on, before.number) != hash || child == (common.Hash{}) {
			delete(p, hash)
			continue
		}
		answers, err := c.both(on, before.calls)
		if err != nil {
			return err
		}
		for i, answer := range answers {
			method := before.calls[i]["method"]
			if !bytes.Equal(answer, before.answers[i]) && (child == before.child || method != "eth_feeHistory") { // whose last value is the child's
				params, _ := json.Marshal(before.calls[i]["params"])
				return fmt.Errorf("%s %s %s\nwas: %s\nis:  %s", on.path, method, params, before.answers[i], answer)
			}
		}
		before.child, before.answers = child, answers
	}
	for i, number := range on.numbers[1:] {
		hash := *on.blocks[i+1].(*common.Hash)
		if p[hash] != nil {
			continue
		}
		var err error
		if p[hash], err = c.askAbout(on, number.(hexutil.Uint64), hash); err != nil {
			return err
		}
	}
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
