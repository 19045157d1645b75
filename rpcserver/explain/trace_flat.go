package explain

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// traceObject is a frame in the answers of trace_block and similar methods: with its transaction.
type traceObject struct {
	trace.Frame
	BlockHash           *common.Hash `json:"blockHash"` // nil while the block is pre-confirmed
	BlockNumber         uint64       `json:"blockNumber"`
	TransactionHash     common.Hash  `json:"transactionHash"`
	TransactionPosition int          `json:"transactionPosition"`
}

// tracesOf returns the frames of the transaction at that position of a block.
func tracesOf(v *preconf.View, position int, flat trace.Flat) []traceObject {
	var hash *common.Hash
	if !v.Pending() {
		hash = new(v.Hash())
	}
	return api.Each(flat.Frames, func(frame trace.Frame) traceObject {
		return traceObject{frame, hash, v.Number(), flat.TxHash, position}
	})
}

// flatTransaction traces a transaction and returns where it is; the View is nil if it is in no block.
func flatTransaction(r *api.Request, hash common.Hash, config trace.FlatConfig) (*preconf.View, int, trace.Flat, error) {
	found, err := r.Moment().Find(hash)
	if err != nil || !found.Executed() {
		return nil, 0, trace.Flat{}, err
	}
	config.MaxResult = r.Caller.Room()
	flat, err := trace.FlatTransaction(r.Ctx, found.View.Chain(), found.View, found.Index, config)
	return found.View, found.Index, flat, traceFailure(err)
}

func flatBlock(r *api.Request, v *preconf.View, config trace.FlatConfig) ([]trace.Flat, error) {
	config.MaxResult = r.Caller.Room()
	flats, err := trace.FlatBlock(r.Ctx, v.Chain(), v, config)
	return flats, traceFailure(err)
}

func TraceModuleTransaction(r *api.Request, hash common.Hash) (any, error) {
	v, position, flat, err := flatTransaction(r, hash, trace.FlatConfig{})
	if err != nil || v == nil {
		return nil, err
	}
	return tracesOf(v, position, flat), nil
}

// TraceModuleBlock serves trace_block, also for the pending block and orphans.
func TraceModuleBlock(r *api.Request, tag api.BlockTag) (any, error) {
	v, err := r.Block(tag)
	if err != nil || v == nil {
		return nil, err
	}
	flats, err := flatBlock(r, v, trace.FlatConfig{})
	if err != nil {
		return nil, err
	}
	objects := []traceObject{}
	for i, flat := range flats {
		objects = append(objects, tracesOf(v, i, flat)...)
	}
	return objects, nil
}

// traceIndices is the path of a frame, each number plain or in hex.
type traceIndices []api.Number

func (traceIndices) Wanted() string { return `an array of indices such as ["0x0"]` }

// TraceGet serves trace_get: the frame at a path from the transaction's own frame, whose path is empty.
func TraceGet(r *api.Request, hash common.Hash, path traceIndices) (any, error) {
	v, position, flat, err := flatTransaction(r, hash, trace.FlatConfig{})
	if err != nil || v == nil {
		return nil, err
	}
	for _, object := range tracesOf(v, position, flat) {
		if slices.EqualFunc(object.TraceAddress, path, func(own int, wanted api.Number) bool { return api.Number(own) == wanted }) {
			return object, nil
		}
	}
	return nil, nil
}

// traceKinds lists the parts that a replay returns: "trace", "stateDiff".
type traceKinds []string

func (traceKinds) Wanted() string { return `an array of "trace" and "stateDiff"` }

// config returns the configuration for the kinds. The second result reports whether frames are wanted.
func (k traceKinds) config(r *api.Request) (trace.FlatConfig, bool, error) {
	config, frames := trace.FlatConfig{GasCap: r.CallLimits().GasCap}, false
	for _, kind := range k {
		switch kind {
		case "trace":
			frames = true
		case "stateDiff":
			config.StateDiff = true
		case "vmTrace":
			return config, false, api.InvalidParams("vmTrace is not supported by %s: debug_traceTransaction and debug_traceCall report each step", r.Method)
		default:
			return config, false, api.InvalidParams("unknown kind of trace %s in %s: want %s", strconv.Quote(api.Excerpt(kind)), r.Method, k.Wanted())
		}
	}
	return config, frames, nil
}

type replayObject struct {
	Output          hexutil.Bytes   `json:"output"`
	StateDiff       trace.StateDiff `json:"stateDiff"` // null unless asked for
	Trace           []trace.Frame   `json:"trace"`     // empty unless asked for
	VMTrace         *struct{}       `json:"vmTrace"`   // always null
	TransactionHash *common.Hash    `json:"transactionHash,omitempty"`
}

// replayed returns the answer for the traces of a transaction or call.
func replayed(flat trace.Flat, frames bool) replayObject {
	object := replayObject{StateDiff: flat.StateDiff, Trace: []trace.Frame{}}
	if len(flat.Frames) > 0 {
		object.Output = flat.Frames[0].Output()
	}
	if frames {
		object.Trace = flat.Frames
	}
	if flat.TxHash != (common.Hash{}) {
		object.TransactionHash = &flat.TxHash
	}
	return object
}

func TraceReplayTransaction(r *api.Request, hash common.Hash, kinds traceKinds) (any, error) {
	config, frames, err := kinds.config(r)
	if err != nil {
		return nil, err
	}
	v, _, flat, err := flatTransaction(r, hash, config)
	if err != nil || v == nil {
		return nil, err
	}
	return replayed(flat, frames), nil
}

func TraceReplayBlockTransactions(r *api.Request, tag api.BlockTag, kinds traceKinds) (any, error) {
	config, frames, err := kinds.config(r)
	if err != nil {
		return nil, err
	}
	v, err := r.Block(tag)
	if err != nil || v == nil {
		return nil, err
	}
	flats, err := flatBlock(r, v, config)
	if err != nil {
		return nil, err
	}
	return api.Each(flats, func(flat trace.Flat) replayObject { return replayed(flat, frames) }), nil
}

type traceFilterObject struct {
	api.ContractObject `wanted:"a filter object"`

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
	page.skip = uint64(*cmp.Or(object.After, new(api.Number)))
	below := belowSearch{request: r}
	for number := first; number <= last && !page.full(); number++ {
		if err := r.Ctx.Err(); err != nil {
			return nil, err
		}
		v, err := api.Numbered(m, number)
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
