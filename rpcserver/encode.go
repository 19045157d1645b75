package rpcserver

import (
	"encoding/hex"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// appendValue encodes a result, without reflection for what most methods return.
func appendValue(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case hexutil.Uint64:
		return appendQuantity(dst, uint64(v)), nil
	case hexutil.Bytes:
		return appendHex(dst, v), nil
	case common.Hash:
		return appendHex(dst, v[:]), nil
	}
	return jsonrpc.AppendValue(dst, v)
}

// appendHex appends bytes as a quoted hex string.
func appendHex(dst, data []byte) []byte {
	dst = append(dst, `"0x`...)
	return append(hex.AppendEncode(dst, data), '"')
}
