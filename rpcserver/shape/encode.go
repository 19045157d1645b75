package shape

import (
	"encoding/hex"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

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
