package shape

import (
	"encoding/hex"
	"math/big"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Object appends the members of one JSON object. Answers with many of them (logs, transactions, blocks)
// are written with it, without reflection or intermediate maps.
type Object struct {
	// Dst is the buffer that the object is appended to. A member that Key started is appended here.
	Dst []byte
}

// Begin opens an object behind dst.
func Begin(dst []byte) Object { return Object{append(dst, '{')} }

// Reopen returns a whole object, for more members.
func Reopen(whole []byte) Object { return Object{whole[:len(whole)-1]} }

// End closes the object and returns the buffer.
func (o *Object) End() []byte { return append(o.Dst, '}') }

// Key starts a member. name must not need escaping.
func (o *Object) Key(name string) {
	if o.Dst[len(o.Dst)-1] != '{' {
		o.Dst = append(o.Dst, ',')
	}
	o.Dst = append(o.Dst, '"')
	o.Dst = append(o.Dst, name...)
	o.Dst = append(o.Dst, '"', ':')
}

// Null writes null.
func (o *Object) Null(name string) {
	o.Key(name)
	o.Dst = append(o.Dst, "null"...)
}

// Add writes a value that always encodes, as AppendValue does.
func (o *Object) Add(name string, v any) {
	o.Key(name)
	o.Dst, _ = AppendValue(o.Dst, v)
}

func (o *Object) bool(name string, v bool) {
	o.Key(name)
	o.Dst = strconv.AppendBool(o.Dst, v)
}

// Text writes a string.
func (o *Object) Text(name, v string) {
	o.Key(name)
	o.Dst = jsonrpc.AppendString(o.Dst, v)
}

// Bytes writes bytes, hashes and blooms: hex, two digits a byte.
func (o *Object) Bytes(name string, v []byte) {
	o.Key(name)
	o.Dst = AppendHex(o.Dst, v)
}

// Int writes a plain JSON number.
func (o *Object) Int(name string, v int) {
	o.Key(name)
	o.Dst = strconv.AppendInt(o.Dst, int64(v), 10)
}

// Quantity writes a hex number without leading zeros.
func (o *Object) Quantity(name string, v uint64) {
	o.Key(name)
	o.Dst = appendQuantity(o.Dst, v)
}

// Big writes a quantity of any size; nil is null.
func (o *Object) Big(name string, v *big.Int) {
	o.Key(name)
	o.Dst = appendBig(o.Dst, v)
}

func (o *Object) u256(name string, v *uint256.Int) {
	o.Key(name)
	o.Dst = append(append(append(o.Dst, '"'), v.Hex()...), '"')
}

// Array writes an array of n items, each of which item appends.
func (o *Object) Array(name string, n int, item func(dst []byte, i int) []byte) {
	o.Key(name)
	o.Dst = AppendArray(o.Dst, n, item)
}

// AppendArray appends an array of n items, each of which item appends.
func AppendArray(dst []byte, n int, item func(dst []byte, i int) []byte) []byte {
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = item(dst, i)
	}
	return append(dst, ']')
}

func (o *Object) address(name string, v *common.Address) {
	if v == nil {
		o.Null(name)
		return
	}
	o.Bytes(name, v[:])
}

// appendQuantity appends a quoted hex number without leading zeros.
func appendQuantity(dst []byte, v uint64) []byte {
	dst = append(dst, `"0x`...)
	dst = strconv.AppendUint(dst, v, 16)
	return append(dst, '"')
}

// appendBig appends a quoted hex number without leading zeros; nil is null.
func appendBig(dst []byte, v *big.Int) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, `"0x`...)
	dst = v.Append(dst, 16)
	return append(dst, '"')
}

func appendHashes(dst []byte, hashes []common.Hash) []byte {
	dst = append(dst, '[')
	for i := range hashes { // without AppendArray, which is slower: every log has topics
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendHex(dst, hashes[i][:])
	}
	return append(dst, ']')
}

// AppendValue encodes a result, without reflection for the most common types.
func AppendValue(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case hexutil.Uint64:
		return appendQuantity(dst, uint64(v)), nil
	case hexutil.Bytes:
		return AppendHex(dst, v), nil
	case common.Hash:
		return AppendHex(dst, v[:]), nil
	}
	return jsonrpc.AppendValue(dst, v)
}

// AppendHex appends bytes as a quoted hex string.
func AppendHex(dst, data []byte) []byte {
	dst = append(dst, `"0x`...)
	return append(hex.AppendEncode(dst, data), '"')
}

// HashesOf returns the hashes of transactions, an array even if there are none.
func HashesOf(transactions evmstate.Transactions) []common.Hash {
	hashes := make([]common.Hash, len(transactions))
	for i, tx := range transactions {
		hashes[i] = tx.Hash()
	}
	return hashes
}
