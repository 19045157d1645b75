package rpcserver_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/internal/test/servertest"
)

// caller makes up calls: of any method, with parameters of the right shape, now and then spoilt.
type caller struct {
	*servertest.Network
	*rand.Rand
	hashes   []common.Hash        // of blocks, transactions and topics seen so far
	ids      []string             // of filters, snapshots and subscriptions
	handmade map[common.Hash]bool // blocks whose state was edited
	rewound  bool                 // a nonce was edited: a transaction may be in the chain twice
}

// object returns a JSON object with random members, or with all if it is to be complete.
func (c *caller) object(members map[string]string, complete bool) any {
	some := make(map[string]any)
	most := c.IntN(3)
	if complete {
		most = 3
	}
	for _, name := range sortedKeys(members) {
		if c.IntN(3) <= most {
			some[name] = c.value(members[name])
		}
	}
	return some
}

func (c *caller) list(kind string, most int) any {
	list := make([]any, c.IntN(most+1))
	for i := range list {
		list[i] = c.value(kind)
	}
	return list
}

func pick[T any](c *caller, of ...T) T { return of[c.IntN(len(of))] }

var (
	addressValues = []common.Address{
		fixtures.Dev(0).Address, fixtures.Dev(1).Address, fixtures.Dev(2).Address, fixtures.Dev(3).Address,
		servertest.Token, servertest.Logger, servertest.Token, servertest.Logger, {}, {19: 1}, {19: 4}, {19: 5}, {18: 1}, common.HexToAddress("0xdead"),
		common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C"),
		common.HexToAddress("0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02"), // the target of system calls
		common.HexToAddress("0x0000F90827F1C53a10cb7A02335B175320002935"),
	}
	quantityValues = []string{
		"0x0", "0x1", "0x2", "0x5", "0xa", "0x3e8", "0x5208", "0xf4240", "0x1c9c380", "0x3b9aca00", "0x4a817c800",
		"0x6553f100", "0x165a0bc00", "0x7fffffffffffffff", "0x8000000000000000", "0xffffffffffffffff", "0x10000000000000000",
		"0xde0b6b3a7640000", "0x" + strings.Repeat("f", 63), "0x" + strings.Repeat("f", 64), "0x1" + strings.Repeat("0", 64),
	}
	dataValues = []string{
		"0x", "0x00", "0xfe", "0x6001600055", "0x60016000f3", "0x6103e85b600190038060035700", "0x" + strings.Repeat("ff", 100),
		"0x06fdde03", "0x54fd4d50", "0x5f5ff3", "0x33ff", "0x600c600c600039600c6000f3" + strings.Repeat("5b", 12),
		"0xef0001", "0xef0100" + strings.Repeat("11", 20),
		"0xa9059cbb" + strings.Repeat("0", 24) + strings.Repeat("12", 20) + servertest.Padded("5"),
		"0x70a08231" + strings.Repeat("0", 64), hexutil.Encode(servertest.LoggerCode), hexutil.Encode(servertest.LoggerCall("0xa", "0xb", 3)),
		hexutil.Encode(servertest.LoggerCall("0x1", "0x2", 40)), hexutil.Encode(labcode.Deployment(servertest.LoggerCode)),
	}
	junkValues = []any{
		nil, true, -1, 0, 1.5, 1e300, uint64(1) << 63, "", "0x", "0X1", "0x01", " 0x1", "latest", "zz", "\x00", "ünï€😀", "0x€", "\ufffd",
		json.RawMessage(`[]`), json.RawMessage(`[null]`), json.RawMessage(`{}`), json.RawMessage(`{"":null}`), json.RawMessage(`1e400`), json.RawMessage(`-0`),
		json.RawMessage(`{"a":1,"a":2}`), json.RawMessage(`"\ud800"`), strings.Repeat("9", 5000), "0x" + strings.Repeat("f", 5000),
		json.RawMessage(strings.Repeat("[", 500) + strings.Repeat("]", 500)),
		json.RawMessage(strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300)),
	}
	typedDataValues = []string{
		`{"types":{"EIP712Domain":[],"A":[{"name":"a","type":"A"},{"name":"b","type":"uint256[]"}]},"primaryType":"A","domain":{},"message":{"a":{"a":null,"b":[]},"b":[1,"0x2",-3]}}`,
		`{"types":{"EIP712Domain":[{"name":"chainId","type":"uint256"}],"A":[{"name":"x","type":"bytes33"},{"name":"y","type":"int7"},{"name":"z","type":"B[][2]"}],"B":[{"name":"a","type":"A"}]},"primaryType":"A","domain":{"chainId":"0x7a69"},"message":{"x":"0x01","y":"5","z":[[],[]]}}`,
		`{"types":{"EIP712Domain":[{"name":"name","type":"string"}],"A":[{"name":"a","type":"string"},{"name":"b","type":"address"},{"name":"c","type":"bool"},{"name":"d","type":"bytes"}]},"primaryType":"A","domain":{"name":"x"},"message":{"a":"ü","b":"0x0000000000000000000000000000000000000001","c":true,"d":"0x"}}`,
	}
)

// word is a random choice of names of kinds, such as "a|b|b".
func (c *caller) word(of string) string {
	words := strings.Split(of, "|")
	return words[c.IntN(len(words))]
}

// value returns a value of the kind. A kind that ends in "[]" is a list, one with a "|" is any of several, and a quoted
// one is its own value.
func (c *caller) value(kind string) any {
	if strings.Contains(kind, "|") {
		return c.value(c.word(kind))
	}
	if of, ok := strings.CutSuffix(kind, "[]"); ok {
		return c.list(of, 4)
	}
	if members, ok := objectKinds[kind]; ok {
		return c.object(members, completeKinds[kind])
	}
	if words, ok := wordKinds[kind]; ok {
		return c.value(words)
	}
	switch kind {
	case "address":
		return pick(c, addressValues...)
	case "hash":
		if len(c.hashes) > 0 && c.IntN(5) > 0 {
			return pick(c, c.hashes...)
		}
		return common.BigToHash(common.Big1)
	case "slot":
		return common.BytesToHash([]byte{byte(c.IntN(5))})
	case "quantity":
		return pick(c, quantityValues...)
	case "u64": // any number of 64 bits
		return pick(c, quantityValues[:16]...)
	case "fee": // any number of 256 bits
		return pick(c, quantityValues[:len(quantityValues)-1]...)
	case "later":
		return hexutil.Uint64(c.Timeline.Moment().Latest().Time() + c.Uint64N(50))
	case "number":
		return pick[any](c, c.IntN(4), hexutil.Uint64(c.IntN(60)), pick(c, quantityValues...))
	case "small": // a number of repetitions
		return c.IntN(20)
	case "nonce":
		from := pick(c, addressValues[:4]...)
		return hexutil.Uint64(c.Timeline.Moment().PoolNonce(from) + c.Uint64N(3))
	case "tag":
		return pick[any](c, "latest", "latest", "pending", "pending", "safe", "finalized", "earliest", hexutil.Uint64(c.IntN(30)),
			c.value("hash"), map[string]any{"blockHash": c.value("hash"), "requireCanonical": c.IntN(2) == 0}, pick(c, quantityValues...))
	case "bytes":
		return pick(c, dataValues...)
	case "bool":
		return c.IntN(2) == 0
	case "id":
		if len(c.ids) > 0 && c.IntN(5) > 0 {
			return pick(c, c.ids...)
		}
		return hexutil.Uint64(c.IntN(9))
	case "raw":
		return c.rawTransaction()
	case "typed":
		return json.RawMessage(pick(c, typedDataValues...))
	case "rawBlock":
		return hexutil.Bytes(must(rlp.EncodeToBytes(c.Timeline.Moment().Latest().Block().Body())))
	case "dump":
		dump, _ := c.Try("anvil_dumpState")
		return dump
	case "overrides":
		return map[common.Address]any{pick(c, addressValues...): c.value("override"), pick(c, addressValues...): c.value("override|override|storageOverride")}
	case "slotsByAddress":
		return map[common.Address]any{pick(c, addressValues...): c.value("slot[]")}
	case "slots":
		return map[common.Hash]any{{31: byte(c.IntN(3))}: c.value("slot")}
	case "milliseconds":
		return pick(c, 0, 1, 199, 200, 1000, 5000, 60_000)
	case "interval":
		return pick[any](c, 0, 1, 0.5, 2, 3, "0x1", 1e9)
	case "head":
		return c.Timeline.Moment().Latest().Hash()
	case "reorgPair":
		return []any{c.value("raw|plainCall"), c.IntN(3)}
	case "callFault":
		return map[string]any{"method": "eth_protocolVersion", "times": 1 + c.IntN(3), "error": map[string]any{"code": 1, "message": "as told"}}
	case "null":
		return nil
	case "true":
		return true
	case "1":
		return 1
	case "percentile":
		return pick(c, 0, 10, 50.5, 100, 101, -1)
	case "junk":
		return pick(c, junkValues...)
	}
	return kind // a word
}

// rawTransaction is a signed transaction of a development account, mostly one that the pool accepts.
func (c *caller) rawTransaction() any {
	i := c.IntN(4)
	delete(c.Nonces, fixtures.Dev(i).Address) // the pool's may have changed
	to, data := &servertest.Logger, servertest.LoggerCall("0xa", "0xb", int64(c.IntN(4)))
	switch c.IntN(4) {
	case 0:
		to, data = new(pick(c, addressValues[:4]...)), nil
	case 1:
		to, data = nil, common.FromHex(pick(c, dataValues...))
	}
	tx := c.Sign(i, to, common.Big1, data)
	c.hashes = append(c.hashes, tx.Hash())
	return hexutil.Bytes(must(tx.MarshalBinary()))
}

// spoil changes something in a value.
func (c *caller) spoil(value any) any {
	switch v := value.(type) {
	case []any:
		if len(v) == 0 || c.IntN(3) == 0 {
			return append(v, c.value("junk"))
		}
		i := c.IntN(len(v))
		v[i] = c.spoil(v[i])
		return v
	case map[string]any:
		keys := sortedKeys(v)
		switch {
		case len(keys) == 0 || c.IntN(5) == 0:
			v[pick(c, "", "unknown", "ünï", "from", "data")] = c.value("junk")
		case c.IntN(5) == 0:
			delete(v, pick(c, keys...))
		default:
			key := pick(c, keys...)
			v[key] = c.spoil(v[key])
		}
		return v
	}
	if c.IntN(2) == 0 {
		return pick(c, quantityValues...)
	}
	return c.value("junk")
}

// remember keeps the hashes and ids of an answer for later calls.
func (c *caller) remember(method string, result json.RawMessage) {
	const keep = 300
	text := string(result)
	for i := 0; i < 3; i++ {
		at := strings.Index(text, `"0x`)
		if at < 0 {
			break
		}
		end := strings.IndexByte(text[at+1:], '"')
		if end == 66 {
			c.hashes = append(c.hashes, common.HexToHash(text[at+1:at+1+end]))
		}
		text = text[at+1+end:]
	}
	if id := strings.Trim(string(result), `"`); len(id) < 12 && (strings.Contains(method, "napshot") || strings.Contains(method, "Filter")) {
		c.ids = append(c.ids, id)
	}
	c.hashes, c.ids = c.hashes[max(0, len(c.hashes)-keep):], c.ids[max(0, len(c.ids)-keep):]
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
