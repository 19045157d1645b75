package chain

import (
	"iter"
	"slices"
	"sort"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/remote"
)

// LogFilter selects logs. The zero value selects all logs.
type LogFilter struct {
	// Addresses are the contracts whose logs are selected; empty selects all.
	Addresses []common.Address
	// Topics lists, by position, the values that a topic may have. An empty list accepts any value, but the log must
	// have a topic at that position.
	Topics [][]common.Hash
}

// Matches reports whether the filter selects a log.
func (f LogFilter) Matches(l *types.Log) bool {
	if len(f.Addresses) > 0 && !slices.Contains(f.Addresses, l.Address) {
		return false
	}
	if len(f.Topics) > len(l.Topics) {
		return false
	}
	for i, accepted := range f.Topics {
		if len(accepted) > 0 && !slices.Contains(accepted, l.Topics[i]) {
			return false
		}
	}
	return true
}

// Logs returns the logs that f selects in the canonical blocks from … to, both included, in the order of the chain;
// there are none above the head. The blocks at or below a fork block take one request. If f has addresses, Logs reads
// only blocks in which these logged; otherwise it skips blocks by the blooms of their headers. The caller must not
// modify the logs. The error is a *remote.Error.
func (c *Chain) Logs(f LogFilter, from, to uint64) (iter.Seq[*types.Log], error) {
	if !c.Ancestral(from) || from > to {
		return c.ownLogs(f, from, to), nil
	}
	below, err := c.fork.Logs(remote.LogQuery{From: from, To: min(to, c.base), Addresses: f.Addresses, Topics: f.Topics})
	if err != nil {
		return nil, err
	}
	return func(yield func(*types.Log) bool) {
		for _, l := range below {
			if !yield(l) {
				return
			}
		}
		c.ownLogs(f, c.base+1, to)(yield)
	}, nil
}

// ownLogs is Logs for the blocks above a fork block, or for all blocks of a chain that is no fork.
func (c *Chain) ownLogs(f LogFilter, from, to uint64) iter.Seq[*types.Log] {
	return func(yield func(*types.Log) bool) {
		probes := f.probes()
		for b := range c.blocksWith(f.Addresses, max(from, c.base), min(to, c.Head().Number())) {
			logs := b.kept.logs()
			if len(logs) == 0 || !probes.match(&b.Header().Bloom) {
				continue
			}
			for _, l := range logs {
				if f.Matches(l) && !yield(l) {
					return
				}
			}
		}
	}
}

// blocksWith returns the canonical blocks from … to that may have a log of one of the addresses, or all of them if
// addresses is empty.
func (c *Chain) blocksWith(addresses []common.Address, from, to uint64) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		if len(addresses) == 0 {
			for n := from; n <= to; n++ {
				if !yield(c.blocks.items[n-c.base]) {
					return
				}
			}
			return
		}
		for _, n := range c.numbersWith(addresses, from, to) {
			if !yield(c.blocks.items[n-c.base]) {
				return
			}
		}
	}
}

// numbersWith returns, in ascending order, the numbers of the blocks from … to with a log of one of the addresses.
func (c *Chain) numbersWith(addresses []common.Address, from, to uint64) []uint64 {
	var merged []uint64
	for _, address := range addresses {
		all, _ := c.index.logs.Get(address)
		p := before(all, to+1).items
		p = p[sort.Search(len(p), func(i int) bool { return p[i] >= from }):]
		if len(addresses) == 1 {
			return p
		}
		merged = append(merged, p...)
	}
	slices.Sort(merged)
	return slices.Compact(merged)
}

// probes holds, for each position of the topics of a filter that does not accept any value, the bloom of each accepted
// value. Addresses need none: the index finds their blocks.
type probes [][]probe

// probe holds the non-zero bytes of a bloom that contains a single value.
type probe []struct {
	at   int
	bits byte
}

func (f LogFilter) probes() probes {
	var all probes
	for _, accepted := range f.Topics {
		if len(accepted) == 0 {
			continue
		}
		alternatives := make([]probe, len(accepted))
		for i, topic := range accepted {
			alternatives[i] = newProbe(topic.Bytes())
		}
		all = append(all, alternatives)
	}
	return all
}

func newProbe(value []byte) probe {
	var bloom types.Bloom
	bloom.Add(value)
	var p probe
	for at, bits := range bloom {
		if bits != 0 {
			p = append(p, struct {
				at   int
				bits byte
			}{at, bits})
		}
	}
	return p
}

// match reports whether a block with this bloom can have a log that the filter selects.
func (all probes) match(bloom *types.Bloom) bool {
	for _, alternatives := range all {
		if !slices.ContainsFunc(alternatives, func(p probe) bool { return p.in(bloom) }) {
			return false
		}
	}
	return true
}

func (p probe) in(bloom *types.Bloom) bool {
	for _, b := range p {
		if bloom[b.at]&b.bits != b.bits {
			return false
		}
	}
	return true
}
