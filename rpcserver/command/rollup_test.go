package command_test

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure what an OP-stack chain has no answer to is an error that says why.
func TestNotOnARollup(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.BaseFlashblocks})
	attributes := map[string]any{
		"timestamp": "0xffffffff", "prevRandao": common.Hash{}, "suggestedFeeRecipient": common.Address{}, "withdrawals": []any{}, "parentBeaconBlockRoot": common.Hash{},
	}
	for method, c := range map[string]struct {
		parameters []any
		why        string
	}{
		"testing_buildBlockV1":  {[]any{node.Moment().Latest().Hash(), attributes, []any{}, "0x"}, "holds no deposits"},
		"fakenode_compareForks": {[]any{map[string]any{"forks": []string{"cancun"}}}, "not the hard forks of ethereum"},
		"fakenode_weather":      {[]any{map[string]any{"of": "blobBaseFee", "shape": "spike", "to": 5, "blocks": 2}}, "blocks have no blobs"},
	} {
		require.ErrorContains(t, node.Client().Client().Call(nil, method, c.parameters...), c.why, method)
	}
	large := map[string]any{"from": fixtures.Dev(0).Address, "to": fixtures.Dev(1).Address, "gas": 15_000_000}
	for range 2 {
		require.NoError(t, node.Client().Client().Call(nil, "fakenode_deposit", large))
	}
	large["gas"] = 21_000
	err := node.Client().Client().Call(nil, "fakenode_deposit", large)
	require.ErrorContains(t, err, "deposits of 30021000 gas wait for the next block, above the limit of 30000000")
	node.Seal()
	require.NoError(t, node.Client().Client().Call(nil, "fakenode_deposit", large))
}

// Ensure fakenode_setL1 sets each member that it is asked for to the most that the member holds, refuses one more by
// its name, and leaves the others as they were, but for the number and the timestamp, which grow.
func TestSetL1(t *testing.T) {
	t.Parallel()
	client := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.BaseFlashblocks}).Client().Client()
	fee := new(big.Int).Lsh(common.Big1, 128)
	most := hexutil.EncodeBig(new(big.Int).Sub(fee, common.Big1))
	for member, of := range map[string]struct {
		asked   any
		answer  string
		tooMuch any
		words   string
	}{
		"baseFee":              {most, most, hexutil.EncodeBig(fee), fee.String() + " is not below 2^128"},
		"blobBaseFee":          {most, most, hexutil.EncodeBig(fee), fee.String() + " is not below 2^128"},
		"baseFeeScalar":        {math.MaxUint32, "0xffffffff", math.MaxUint32 + 1, "4294967296 is above 4294967295"},
		"blobBaseFeeScalar":    {math.MaxUint32, "0xffffffff", math.MaxUint32 + 1, "4294967296 is above 4294967295"},
		"operatorFeeScalar":    {math.MaxUint32, "0xffffffff", math.MaxUint32 + 1, "4294967296 is above 4294967295"},
		"operatorFeeConstant":  {uint64(math.MaxUint64), "0xffffffffffffffff", "0x10000000000000000", ""},
		"daFootprintGasScalar": {math.MaxUint16, "0xffff", math.MaxUint16 + 1, "65536 is above 65535"},
		"batcherHash":          {common.Hash{0xba}, common.Hash{0xba}.Hex(), "0x01", ""},
	} {
		before := ask[map[string]any](t, client, "fakenode_setL1", map[string]any{})
		after := ask[map[string]any](t, client, "fakenode_setL1", map[string]any{member: of.asked})
		require.Equal(t, of.answer, after[member], member)
		for name, value := range before {
			changes := name == member || slices.Contains([]string{"number", "timestamp", "hash"}, name)
			require.Equal(t, changes, value != after[name], "%s, when %s is set", name, member)
		}
		err := client.Call(nil, "fakenode_setL1", map[string]any{member: of.tooMuch})
		require.ErrorContains(t, err, of.words, member)
		require.Equal(t, api.CodeInvalidParams, err.(rpc.Error).ErrorCode(), member)
	}
}

// Ensure a deposit has the members asked for, and the documented gas without.
func TestDepositByCommand(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.BaseFlashblocks, Mode: fakenode.Manual, StartTime: time.Unix(1_700_000_000, 0)})
	client := node.Client().Client()
	from, to := common.Address{1}, common.Address{2}
	plain := ask[common.Hash](t, client, "fakenode_deposit", map[string]any{"from": from, "to": to})
	full := ask[common.Hash](t, client, "fakenode_deposit", map[string]any{"from": from, "to": to, "mint": 9, "value": "0x4", "gas": 50_000, "data": "0x0102"})
	creating := ask[common.Hash](t, client, "fakenode_deposit", map[string]any{"from": from, "data": "0x00", "gas": 100_000})
	node.Seal()
	type deposit struct{ Type, Gas, Value, Mint, Input, To string }
	members := func(hash common.Hash) deposit { return ask[deposit](t, client, "eth_getTransactionByHash", hash) }
	address := strings.ToLower(to.Hex())
	require.Equal(t, deposit{"0x7e", "0x30d40", "0x0", members(plain).Mint, "0x", address}, members(plain))
	require.Equal(t, deposit{"0x7e", "0xc350", "0x4", "0x9", "0x0102", address}, members(full))
	require.Equal(t, deposit{"0x7e", "0x186a0", "0x0", members(plain).Mint, "0x00", ""}, members(creating))
	require.Equal(t, "0x5", ask[string](t, client, "eth_getBalance", from, "latest"))
}
