package parity

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// generator makes up the calls of a course.
type generator struct {
	*rand.Rand
	kinds   map[string]string // as methodKinds
	methods []string
	moves   string // the method that sets the clocks
	calls   []Call
	ahead   int // seconds after the course's begin that no clock has reached yet
}

// mostMoved and mostAhead are by how many seconds a call moves the clock at most, by a number of seconds or at all.
const (
	mostMoved = 5 * 24 * 3600
	mostAhead = mostMoved + 100_000
)

// course returns as many calls as asked for, for nodes that have the contracts.
func (p *Peer) course(seed, number uint64, length int) []Call {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, number)), kinds: maps.Clone(methodKinds), moves: cmp.Or(p.Moves, "evm_setTime")}
	maps.Copy(g.kinds, p.Kinds)
	for _, name := range slices.Sorted(maps.Keys(g.kinds)) {
		if !slices.ContainsFunc(p.Lacks, func(pattern string) bool { return like(pattern, name) }) {
			g.methods = append(g.methods, slices.Repeat([]string{name}, max(1, weights[name], p.Weights[name]))...)
		}
	}
	for len(g.calls) < length {
		g.next()
	}
	return g.calls
}

func (g *generator) add(method string, params ...any) {
	g.calls = append(g.calls, Call{ID: len(g.calls) + 1, Method: method, Params: params})
}

// next adds a call of any method. One in twelve has a spoilt parameter.
func (g *generator) next() {
	method := g.methods[g.IntN(len(g.methods))]
	params := []any{}
	for _, kind := range strings.Fields(g.kinds[method]) {
		kind, optional := strings.CutSuffix(kind, "?")
		if optional && g.IntN(3) == 0 {
			break
		}
		params = append(params, g.value(kind))
		if kind == "seconds" || kind == "interval" {
			g.ahead += mostMoved
		}
	}
	if g.IntN(12) == 0 && len(params) > 0 && !careful[method] {
		at, spoilt := g.IntN(len(params)), g.pick(junk...)
		if spoilt != mostWord || !strings.HasSuffix(method, "Balance") { // a payment over 2^256 reverts with others, here it wraps as with go-ethereum
			params[at] = spoilt
		}
	}
	switch {
	case method == "anvil_setBlockTimestampInterval": // not for the rest of the course
		g.add("evm_mine") // so that the head has the clock's time
		g.add(method, params...)
		g.add("eth_sendTransaction", g.value("transfer"))
		g.add("evm_mine")
		g.add("anvil_removeBlockTimestampInterval")
		g.add("evm_setTime", g.value("later"))
	case slices.Contains(goBack, method): // one node's clock may, too
		g.add(method, params...)
		g.add(g.moves, g.value("later"))
	default:
		g.add(method, params...)
	}
}

func (g *generator) pick(of ...any) any { return of[g.IntN(len(of))] }

// value returns a value of a kind: of one of several kinds that are separated by |, a text that stands for itself, an
// object of objectKinds, or a list as in kind[].
func (g *generator) value(kind string) any {
	if several := strings.Split(kind, "|"); len(several) > 1 {
		return g.value(several[g.IntN(len(several))])
	}
	if of, ok := strings.CutSuffix(kind, "[]"); ok {
		list := make([]any, g.IntN(3))
		for i := range list {
			list[i] = g.value(of)
		}
		return list
	}
	if members, ok := objectKinds[kind]; ok {
		return g.object(members)
	}
	if of, ok := valueKinds[kind]; ok {
		return of[g.IntN(len(of))]
	}
	switch kind {
	case "authorizations":
		return []any{g.value("authorization")}
	case "later": // than any time before it
		g.ahead += []int{3000, 20_000, 100_000}[g.IntN(3)]
		return fmt.Sprintf("$time %d", g.ahead)
	case "null":
		return nil
	case "true", "false":
		return kind == "true"
	case "tag":
		return g.tag()
	case "rangeTag":
		for {
			if tag := g.tag(); tag != "0xffffffff" { // Hardhat looks at each block up to it
				return tag
			}
		}
	case "hash":
		return g.reference("$result", "eth_sendTransaction", "eth_sendRawTransaction", "eth_sendTransactionSync")
	case "blockHash":
		return fmt.Sprintf("$block %#x", g.IntN(6))
	case "filterID":
		return g.reference("$result", "eth_newFilter", "eth_newFilter", "eth_newBlockFilter", "eth_newPendingTransactionFilter")
	case "snapshot":
		return g.snapshot()
	case "raw":
		return g.raw()
	case "topicChoices":
		return g.value("topic[]")
	case "overrides":
		return map[string]any{g.value("address").(string): g.value("override|override|fullOverride")}
	case "slots":
		return map[string]any{g.value("word").(string): g.value("word")}
	case "emptyObject":
		return map[string]any{}
	}
	if kind != "latest" && (kind[0] < '0' || kind[0] > '9') {
		panic("no kind: " + kind)
	}
	return kind
}

// object has random members. A name that ends in ! is always there.
func (g *generator) object(members string) any {
	object, most := map[string]any{}, g.IntN(4)
	for _, member := range strings.Fields(members) {
		name, kind, _ := strings.Cut(member, ":")
		name, always := strings.CutSuffix(name, "!")
		if always || g.IntN(4) < most {
			object[name] = g.value(kind)
		}
	}
	return object
}

func (g *generator) tag() any {
	switch g.IntN(12) {
	case 0, 1, 2, 3:
		return "latest"
	case 4, 5:
		return "pending"
	case 6:
		return g.pick("earliest", "safe", "finalized")
	case 7:
		return g.pick("0x40", "0xffffffff", "")
	case 8:
		return map[string]any{"blockHash": g.value("blockHash")}
	case 9:
		return map[string]any{"blockNumber": fmt.Sprintf("%#x", g.IntN(5))}
	}
	return fmt.Sprintf("%#x", g.IntN(6))
}

// snapshot returns a reference to a snapshot that no revert has dropped.
func (g *generator) snapshot() any {
	var ids []int
	for _, call := range g.calls {
		switch {
		case strings.HasSuffix(call.Method, "_reset"):
			ids = nil
		case strings.HasSuffix(call.Method, "_snapshot"):
			ids = append(ids, call.ID)
		case strings.HasSuffix(call.Method, "_revert"):
			if back := slices.IndexFunc(ids, func(id int) bool { return call.Params[0] == fmt.Sprintf("$result %d", id) }); back >= 0 {
				ids = ids[:back]
			}
		}
	}
	if len(ids) == 0 {
		return unknownHash.Hex()
	}
	return fmt.Sprintf("$result %d", ids[g.IntN(len(ids))])
}

// reference returns a reference to the result of an earlier call of one of the methods.
func (g *generator) reference(kind string, methods ...string) any {
	var ids []int
	for _, call := range g.calls {
		if strings.HasSuffix(call.Method, "_reset") {
			ids = nil
		}
		if slices.Contains(methods, call.Method) {
			ids = append(ids, call.ID)
		}
	}
	if len(ids) == 0 {
		return unknownHash.Hex()
	}
	recent := ids[max(0, len(ids)-5):]
	return fmt.Sprintf("%s %d", kind, recent[g.IntN(len(recent))])
}

func (g *generator) raw() any {
	r := rawTransaction{
		Type: []byte{0, 1, 2, 2, 4}[g.IntN(5)], From: g.IntN(4), ChainID: 31337,
		Gas: []uint64{100_000, 100_000, 1_000_000, 1_000_000, 20_000_000, 5}[g.IntN(6)],
		Fee: []uint64{5e9, 5e9, 2e9, 1, 0}[g.IntN(5)], Tip: []uint64{0, 1, 1e9}[g.IntN(3)],
		Value: []uint64{0, 1, 1e18}[g.IntN(3)], Data: []byte{},
	}
	if g.IntN(2) == 0 {
		r.Data = fromHex(g.value("data").(string))
	}
	if len(r.Data) == 0 || g.IntN(4) > 0 {
		r.To = new(parsedAddress(g.value("address").(string)))
	}
	switch g.IntN(12) {
	case 0:
		r.Ahead = []int64{-1, 200, 201}[g.IntN(3)]
	case 1:
		r.Type, r.ChainID = 2, 1
	case 2:
		r.Type, r.ChainID = 0, 0
	}
	if r.Type < 2 && r.Fee > 1e9 {
		r.Fee = 1e9 // anvil takes its next tips, some time later, from what a block paid above 1 gwei
	}
	if r.Type == 4 && g.IntN(2) == 0 {
		r.Delegate = new(parsedAddress(contracts[0].address))
	}
	return r.text()
}
