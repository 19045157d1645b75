package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/recording"
)

// comparedCalls matches messages with calls whose answers a checker of forks compares.
var comparedCalls = regexp.MustCompile(`"eth_(call|getLogs|newFilter|subscribe)"`)

// logFilter is a client's filter of logs.
type logFilter struct {
	Address            json.RawMessage
	Topics             []json.RawMessage
	FromBlock, ToBlock string
	BlockHash          *common.Hash

	method, path string
	since        int // how many logs of ether the network had
}

// asked compares the answers to a message.
func (c *forkChecker) asked(e *recording.Event, network *fakenode.Network) error {
	text := bytes.TrimSpace(e.Payload)
	if !bytes.HasPrefix(text, []byte("[")) {
		text = slices.Concat([]byte("["), text, []byte("]"))
	}
	var calls []struct {
		Method string
		Params []json.RawMessage
	}
	_ = json.Unmarshal(text, &calls) // what is no call the node refuses
	for _, call := range calls {
		f, last := logFilter{method: call.Method, path: e.Path, since: len(c.ether[e.Path])}, len(call.Params)-1
		switch {
		case call.Method == "eth_call":
			if compared, err := network.CompareForksOfCall(c.ctx, c.ForkRules, call.Params); err == nil { // else it fails under both
				c.take(e.Path, compared)
			}
		case last < 0, json.Unmarshal(call.Params[last], &f) != nil, strings.Contains(string(f.Address), "0"): // it names contracts
		case call.Method == "eth_getLogs":
			first, last := f.span(network)
			c.match(&f, c.ether[e.Path], first, last)
		case call.Method == "eth_newFilter", call.Method == "eth_subscribe" && string(call.Params[0]) == `"logs"`:
			c.filters = append(c.filters, f)
		}
	}
	return c.ctx.Err()
}

// span returns the numbers of the first and the last block of the filter, none if its block is unknown.
func (f *logFilter) span(network *fakenode.Network) (first, last uint64) {
	now := network.Moment()
	if f.BlockHash != nil {
		v, err := now.ByHash(*f.BlockHash)
		if err != nil {
			return 1, 0
		}
		return v.Number(), v.Number()
	}
	number := func(bound string) uint64 {
		n, err := hexutil.DecodeUint64(bound)
		if err != nil && bound != "earliest" {
			n = now.Latest().Number()
		}
		return n
	}
	return number(f.FromBlock), number(f.ToBlock)
}

// selects reports whether a log has the topics: each is null, one, or a list of them.
func (f *logFilter) selects(l *types.Log) bool {
	for i, position := range f.Topics {
		values := strings.ToLower(string(position))
		if i >= len(l.Topics) || values != "[]" && !strings.Contains(values, "null") && !strings.Contains(values, l.Topics[i].Hex()) {
			return false
		}
	}
	return true
}

// match adds a finding if the filter selects one of the logs of ether in the blocks from first to last.
func (c *forkChecker) match(f *logFilter, ether []*types.Log, first, last uint64) {
	i := slices.IndexFunc(ether, func(l *types.Log) bool { return l.BlockNumber >= first && l.BlockNumber <= last && f.selects(l) })
	if i >= 0 {
		topics, _ := json.Marshal(f.Topics) // they came from JSON
		c.add(forkFinding{fakenode.ForkFinding{
			Name: "ether-filter", Level: "warning", Calls: []string{f.method + " topics " + string(topics)},
			Do: "name the contracts in the filter: without an address it has the logs of ether that moves too",
		}, f.path, ether[i].TxHash, 1})
	}
}
