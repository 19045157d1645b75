package rpcserver

import (
	"math/big"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// object appends the members of one JSON object. Answers with many of them (logs, transactions, blocks)
// are written with it, without reflection or intermediate maps.
type object struct{ dst []byte }

func beginObject(dst []byte) object { return object{append(dst, '{')} }

// end closes the object and returns what was appended to.
func (o *object) end() []byte { return append(o.dst, '}') }

// key starts a member. name must not need escaping.
func (o *object) key(name string) {
	if o.dst[len(o.dst)-1] != '{' {
		o.dst = append(o.dst, ',')
	}
	o.dst = append(o.dst, '"')
	o.dst = append(o.dst, name...)
	o.dst = append(o.dst, '"', ':')
}

func (o *object) null(name string) {
	o.key(name)
	o.dst = append(o.dst, "null"...)
}

func (o *object) bool(name string, v bool) {
	o.key(name)
	o.dst = strconv.AppendBool(o.dst, v)
}

func (o *object) string(name, v string) {
	o.key(name)
	o.dst = jsonrpc.AppendString(o.dst, v)
}

// bytes writes bytes, hashes and blooms: hex, two digits a byte.
func (o *object) bytes(name string, v []byte) {
	o.key(name)
	o.dst = appendHex(o.dst, v)
}

// int writes a plain JSON number.
func (o *object) int(name string, v int) {
	o.key(name)
	o.dst = strconv.AppendInt(o.dst, int64(v), 10)
}

func (o *object) quantity(name string, v uint64) {
	o.key(name)
	o.dst = appendQuantity(o.dst, v)
}

// big writes a quantity of any size; nil is null.
func (o *object) big(name string, v *big.Int) {
	o.key(name)
	o.dst = appendBig(o.dst, v)
}

// address writes an address; nil is null.
func (o *object) address(name string, v *common.Address) {
	if v == nil {
		o.null(name)
		return
	}
	o.bytes(name, v[:])
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

// appendU256 appends a quoted hex number without leading zeros.
func appendU256(dst []byte, v *uint256.Int) []byte {
	return append(append(append(dst, '"'), v.Hex()...), '"')
}

// appendHashes appends an array of hashes.
func appendHashes(dst []byte, hashes []common.Hash) []byte {
	dst = append(dst, '[')
	for i := range hashes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendHex(dst, hashes[i][:])
	}
	return append(dst, ']')
}
