package explain

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// traceFilterObject describes which frames trace_filter returns.
type traceFilterObject struct {
	api.ContractObject
	FromBlock   *api.NumberTag   `json:"fromBlock"` // absent: genesis
	ToBlock     *api.NumberTag   `json:"toBlock"`   // absent: latest
	FromAddress []common.Address `json:"fromAddress"`
	ToAddress   []common.Address `json:"toAddress"`
	// Mode combines the two lists of addresses: "union" (the default) or "intersection".
	Mode string `json:"mode"`
	// After is the number of matches to leave out, Count the number to return; absent: all.
	After *api.Number `json:"after"`
	Count *api.Number `json:"count"`
}

func (traceFilterObject) Wanted() string { return "a filter object" }

// TraceFilter serves trace_filter. It executes the blocks of the range again.
func TraceFilter(r *api.Request, object traceFilterObject) (any, error) {
	if !slices.Contains([]string{"", "union", "intersection"}, object.Mode) {
		return nil, api.InvalidParams(`mode of %s: have %q, want "union" or "intersection"`, r.Method, api.Excerpt(object.Mode))
	}
	m := r.Moment()
	first, last, err := object.span(m)
	if err != nil {
		return nil, err
	}
	page := tracePage{count: object.Count, room: min(r.Caller.Room(), trace.MaxSize), found: []traceObject{}}
	if object.After != nil {
		page.skip = uint64(*object.After)
	}
	below := belowSearch{request: r}
	for number := first; number <= last && !page.full(); number++ {
		if err := r.Ctx.Err(); err != nil {
			return nil, err
		}
		v, err := numbered(m, number)
		if err != nil {
			return nil, err
		}
		if err := below.visit(v); err != nil {
			return nil, err
		}
		flats, err := flatBlock(r, v, trace.FlatConfig{})
		if err != nil {
			return nil, err
		}
		for i, flat := range flats {
			for _, frame := range tracesOf(v, i, flat) {
				if !object.matches(&frame.Frame) {
					continue
				}
				if err := page.add(frame); err != nil {
					return nil, traceFailure(err)
				}
			}
		}
	}
	return page.found, nil
}

// numbered returns the block of that number, which may be the pending one.
func numbered(m *preconf.Moment, number uint64) (*preconf.View, error) {
	if pending := m.Pending(); number == pending.Number() {
		return pending, nil
	}
	return m.ByNumber(number)
}

// span returns the numbers of the first and the last block.
func (o *traceFilterObject) span(m *preconf.Moment) (first, last uint64, err error) {
	earliest, to := api.BlockTag{Kind: api.TagEarliest}, m.Latest()
	if o.FromBlock != nil {
		earliest = o.FromBlock.BlockTag
	}
	from, err := api.ViewAt(m, earliest)
	if err != nil {
		return 0, 0, err
	}
	if o.ToBlock != nil {
		if to, err = api.ViewAt(m, o.ToBlock.BlockTag); err != nil {
			return 0, 0, err
		}
	}
	if from.Number() > to.Number() {
		return 0, 0, &filter.RangeError{From: from.Number(), To: to.Number(), Head: m.Latest().Number()}
	}
	return from.Number(), to.Number(), nil
}

// matches reports whether a frame is by or to the accounts wanted; without any account all frames match.
func (o *traceFilterObject) matches(frame *trace.Frame) bool {
	from := isOneOf(frame.Sender(), o.FromAddress)
	to := isOneOf(frame.Receiver(), o.ToAddress)
	switch {
	case len(o.FromAddress) == 0 && len(o.ToAddress) == 0:
		return true
	case len(o.FromAddress) == 0:
		return to
	case len(o.ToAddress) == 0:
		return from
	case o.Mode == "intersection":
		return from && to
	}
	return from || to
}

func isOneOf(account *common.Address, list []common.Address) bool {
	return account != nil && slices.Contains(list, *account)
}

// tracePage collects the matches that After and Count let through.
type tracePage struct {
	skip  uint64
	count *api.Number
	room  int // bytes that what is found may have
	size  int // bytes of it
	found []traceObject
}

func (p *tracePage) full() bool { return p.count != nil && uint64(len(p.found)) >= uint64(*p.count) }

// add adds a match. The error is a *trace.SizeError.
func (p *tracePage) add(object traceObject) error {
	switch {
	case p.skip > 0:
		p.skip--
	case !p.full():
		if p.size += object.Size(); p.size > p.room {
			return &trace.SizeError{Limit: p.room}
		}
		p.found = append(p.found, object)
	}
	return nil
}
