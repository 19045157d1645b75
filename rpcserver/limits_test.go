package rpcserver_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// many returns a list of n values.
func many[T any](n int, v T) []T { return slices.Repeat([]T{v}, n) }

// object is a JSON object.
type object = map[string]any

// Ensure a request at a limit is served, and one just beyond it is rejected with an error that names the limit.
func TestRequestsAtTheirLimits(t *testing.T) {
	t.Parallel()
	var (
		plain   = fakenode.Config{}
		rollup  = fakenode.Config{Preset: fakenode.BaseFlashblocks}
		hardhat = fakenode.Config{Preset: fakenode.Hardhat}
		payer   = fixtures.Dev(0).Address
	)
	fault := func(member string, value any) []any {
		return []any{object{"method": "eth_call", "dropConnection": member != "truncate", member: value}}
	}
	weather := func(blocks int) []any {
		return []any{object{"of": "baseFee", "shape": "ramp", "to": 1_000_000_000, "blocks": blocks}}
	}
	l1 := func(member string, value any) []any { return []any{object{member: value}} }
	deposit := func(data, gas int) []any {
		return []any{object{"from": payer, "to": payer, "data": hexutil.Bytes(make([]byte, data)), "gas": gas}}
	}
	value := func(member, wei string) []any { return []any{object{"from": payer, "to": payer, member: wei}} }
	held := func(ms int) []any { return []any{object{"senders": []any{payer}, "milliseconds": ms}} }
	late := func(member string, value int) []any { return []any{object{"kind": "late", member: value}} }
	for _, c := range []struct {
		config       fakenode.Config
		method       string
		served, over []any
		limit        string
	}{
		{plain, "anvil_mine", []any{1, 3_155_760_000}, []any{1, 3_155_760_001}, "3155760000"},
		{plain, "anvil_setBlockTimestampInterval", []any{3_155_760_000}, []any{3_155_760_001}, "3155760000"},
		{plain, "anvil_setBlockTimestampInterval", []any{1}, []any{0}, "1 and"},
		{plain, "evm_setIntervalMining", []any{3_155_760_000}, []any{3_155_760_001}, "3,155,760,000"},
		{hardhat, "evm_setIntervalMining", []any{3_155_760_000_000}, []any{3_155_760_000_001}, "3155760000"},
		{plain, "evm_setNextBlockTimestamp", []any{6_000_000_000}, []any{6_000_000_001}, "6000000000"},
		{plain, "evm_setTime", []any{6_000_000_000}, []any{6_000_000_001}, "6000000000"},
		{plain, "evm_setBlockGasLimit", []any{5000}, []any{4999}, "5000"},
		{plain, "evm_setBlockGasLimit", []any{hexutil.Uint64(math.MaxInt64)}, []any{hexutil.Uint64(math.MaxInt64 + 1)}, "9223372036854775807"},
		{plain, "fakenode_setFault", fault("latencyMs", math.MaxInt32), fault("latencyMs", math.MaxInt32+1), "2147483647"},
		{plain, "fakenode_setFault", fault("truncate", math.MaxInt32), fault("truncate", math.MaxInt32+1), "2147483647"},
		{plain, "fakenode_setFault", fault("nth", math.MaxInt32), fault("nth", math.MaxInt32+1), "2147483647"},
		{plain, "fakenode_flashblockFault", []any{object{"kind": "omit", "count": 1_000_000}}, []any{object{"kind": "omit", "count": 1_000_001}}, "1000000"},
		{plain, "fakenode_flashblockFault", []any{object{"kind": "omit", "count": 1}}, []any{object{"kind": "omit", "count": 0}}, "1 or more"},
		{plain, "fakenode_hold", []any{object{"senders": []any{payer}, "blocks": 1_000_000}}, []any{object{"senders": []any{payer}, "blocks": 1_000_001}}, "1000000"},
		{plain, "fakenode_hold", held(3_155_760_000_000), held(3_155_760_000_001), "876600h0m0s"},
		{plain, "fakenode_bundlerFault", late("milliseconds", 3_155_760_000_000), late("milliseconds", 3_155_760_000_001), "876600h0m0s"},
		{plain, "fakenode_bundlerFault", late("blocks", 1_000_000), late("blocks", 1_000_001), "1000000"},
		{plain, "fakenode_bundlerFault", late("count", 1_000_000), late("count", 1_000_001), "1000000"},
		{plain, "fakenode_hold", held(1), held(math.MaxInt64), "too long"},
		{plain, "fakenode_bundlerFault", late("milliseconds", 1), late("milliseconds", math.MaxInt64), "too long"},
		{plain, "fakenode_weather", weather(2), weather(1), "between 2"},
		{plain, "fakenode_weather", weather(1_000_000), weather(1_000_001), "1000000"},
		{rollup, "fakenode_setL1", l1("baseFee", "0xffffffffffffffffffffffffffffffff"), l1("baseFee", "0x100000000000000000000000000000000"), "2^128"},
		{rollup, "fakenode_setL1", l1("baseFeeScalar", math.MaxUint32), l1("baseFeeScalar", math.MaxUint32+1), "4294967295"},
		{rollup, "fakenode_setL1", l1("timestamp", 6_000_000_000), l1("timestamp", 6_000_000_001), "6000000000"},
		{rollup, "fakenode_deposit", deposit(120_000, 20_000_000), deposit(120_001, 20_000_000), "120000"},
		{rollup, "fakenode_deposit", deposit(0, 20_000_000), deposit(0, 20_000_001), "20000000"},
		{rollup, "fakenode_deposit", value("mint", "0xffffffffffffffffffffffffffffffff"), value("mint", "0x100000000000000000000000000000000"), "128-bit"},
		{rollup, "fakenode_deposit", deposit(1, 21_040), deposit(1, 21_039), "21040"},
	} {
		t.Run(c.method+" "+c.limit, func(t *testing.T) {
			t.Parallel()
			c.config.StartTime = time.Unix(1_700_000_000, 0)
			client := fakenode.RunConfigT(t, c.config).Client().Client()
			err := client.CallContext(t.Context(), nil, c.method, c.over...)
			var refused rpc.Error
			require.True(t, errors.As(err, &refused), "over the limit: %v", err)
			require.Contains(t, refused.Error(), c.limit)
			require.NoError(t, client.CallContext(t.Context(), nil, c.method, c.served...))
		})
	}
}
