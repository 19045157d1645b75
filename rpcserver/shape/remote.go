package shape

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// remoteObject is a transaction or receipt as a fork's remote chain answered it: known members in our own form, then
// all others, such as those of rollups, as they were answered.
type remoteObject struct {
	own    jsonrpc.Appender // nil: go-ethereum does not know the transaction's type
	answer json.RawMessage
}

func (o remoteObject) AppendJSON(dst []byte) []byte {
	var members, known map[string]json.RawMessage
	_ = json.Unmarshal(o.answer, &members) // it was read before, so it is an object
	start := len(dst)
	dst = append(dst, '{')
	if o.own != nil {
		dst = o.own.AppendJSON(dst[:start])
		if json.Unmarshal(dst[start:], &known) == nil {
			dst = dst[:len(dst)-1]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, ours := known[name]; ours {
			continue
		}
		if len(dst)-start > 1 {
			dst = append(dst, ',')
		}
		dst = jsonrpc.AppendString(dst, name)
		dst = append(dst, ':')
		dst = append(dst, members[name]...)
	}
	return append(dst, '}')
}

// appendRemote appends t, a transaction of a fork's remote chain.
func (t Transaction) appendRemote(dst []byte, other *remote.Transaction) []byte {
	signed := other.Signed()
	if signed == nil {
		return remoteObject{answer: other.Object}.AppendJSON(dst)
	}
	t.tx = signed
	return remoteObject{t, other.Object}.AppendJSON(dst)
}

// appendRemote appends r, the receipt of a transaction of a fork's remote chain.
func (r Receipt) appendRemote(dst []byte, other *remote.Transaction) []byte {
	signed := other.Signed()
	if signed == nil {
		return remoteObject{answer: other.Answer}.AppendJSON(dst)
	}
	r.tx = signed
	return remoteObject{r, other.Answer}.AppendJSON(dst)
}
