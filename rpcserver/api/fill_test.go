package api_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure a transaction object that no transaction can be made of is refused with what contradicts what.
func TestTransactionsThatCannotBe(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	to, hash := servertest.Bob.Address, common.Hash{0: 1, 31: 1}
	many := make([]common.Hash, 7)
	for i := range many {
		many[i] = hash
	}
	list := []any{map[string]any{"address": to, "storageKeys": []any{}}}
	auth := []any{map[string]any{"chainId": "0x0", "address": to, "nonce": "0x0", "yParity": "0x0", "r": "0x1", "s": "0x1"}}
	for _, c := range []struct {
		code    int
		problem string
		members map[string]any
	}{
		{api.CodeInvalidParams, "there is no transaction type 5, want 0 to 4", map[string]any{"type": "0x5"}},
		{api.CodeInvalidParams, "type 0 has a gasPrice, not maxFeePerGas and maxPriorityFeePerGas", map[string]any{"type": "0x0", "maxFeePerGas": "0x1"}},
		{api.CodeInvalidParams, "type 1 has a gasPrice, not maxFeePerGas and maxPriorityFeePerGas", map[string]any{"type": "0x1", "maxPriorityFeePerGas": "0x1"}},
		{api.CodeInvalidParams, "type 2 has maxFeePerGas and maxPriorityFeePerGas, not a gasPrice", map[string]any{"type": "0x2", "gasPrice": "0x1"}},
		{api.CodeInvalidParams, "type 0 has no accessList", map[string]any{"type": "0x0", "accessList": list}},
		{api.CodeInvalidParams, "type 3 with blobs or blobVersionedHashes false: type 3 has them, no other", map[string]any{"type": "0x3"}},
		{api.CodeInvalidParams, "type 2 with blobs or blobVersionedHashes true: type 3 has them, no other", map[string]any{"type": "0x2", "blobVersionedHashes": many[:1]}},
		{api.CodeInvalidParams, "type 4 with authorizationList false: type 4 has it, no other", map[string]any{"type": "0x4"}},
		{api.CodeInvalidParams, "type 2 with authorizationList true: type 4 has it, no other", map[string]any{"type": "0x2", "authorizationList": auth}},
		{api.CodeServer, `both "data" and "input" are set and not equal`, map[string]any{"data": "0x01", "input": "0x02"}},
		{api.CodeServer, "chainId 1 does not match the node's 31337", map[string]any{"chainId": "0x1"}},
		{api.CodeServer, "both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified", map[string]any{"gasPrice": "0x1", "maxFeePerGas": "0x1"}},
		{api.CodeServer, "both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified", map[string]any{"gasPrice": "0x1", "maxPriorityFeePerGas": "0x1"}},
		{api.CodeServer, "gasPrice specified for a transaction type that has maxFeePerGas", map[string]any{"gasPrice": "0x1", "authorizationList": auth}},
		{api.CodeServer, "gasPrice specified for a transaction type that has maxFeePerGas", map[string]any{"gasPrice": "0x1", "blobVersionedHashes": many[:1]}},
		{api.CodeServer, `neither "to" nor "data": a contract creation needs data`, map[string]any{"to": nil}},
		{api.CodeServer, `missing "to": transactions with blobs or authorizations create no contract`, map[string]any{"to": nil, "data": "0x00", "authorizationList": auth}},
		{api.CodeServer, `missing "to": transactions with blobs or authorizations create no contract`, map[string]any{"to": nil, "data": "0x00", "blobVersionedHashes": many[:1]}},
		{api.CodeServer, "need at least 1 blob for a blob transaction", map[string]any{"blobVersionedHashes": []any{}}},
		{api.CodeServer, "too many blobs in transaction (have=7, max=6)", map[string]any{"blobVersionedHashes": many}},
		{api.CodeServer, "maxFeePerBlobGas", map[string]any{"blobVersionedHashes": many[:1], "maxFeePerBlobGas": "0x0"}},
		{api.CodeServer, "maxFeePerGas (1) < maxPriorityFeePerGas (2)", map[string]any{"maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x2"}},
	} {
		object := map[string]any{"from": servertest.Alice.Address, "to": to, "gas": "0x5208"}
		for name, value := range c.members {
			object[name] = value
		}
		n.Refuses(c.code, []string{c.problem}, "eth_fillTransaction", object)
	}
}

// Ensure fees that are left out suffice for some full blocks, and those that are given stay, in a transaction of the
// type that they need.
func TestFilledFees(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	base, tip := servertest.Fetch[hexutil.Big](n, "eth_baseFee"), servertest.Fetch[hexutil.Big](n, "eth_maxPriorityFeePerGas")
	twice := func(tip int64) string { return hexutil.EncodeUint64(uint64(2*base.ToInt().Int64() + tip)) }
	suggested := hexutil.EncodeBig(tip.ToInt())
	price := hexutil.EncodeUint64(uint64(base.ToInt().Int64() + tip.ToInt().Int64()))
	type filled struct {
		Type, Gas, Nonce                             string
		GasPrice, MaxFeePerGas, MaxPriorityFeePerGas string
		MaxFeePerBlobGas                             string
	}
	blobs := []common.Hash{{0: 1, 31: 1}}
	for _, c := range []struct {
		members map[string]any
		want    filled
	}{
		{map[string]any{}, filled{"0x2", "0x5208", "0x0", "", twice(tip.ToInt().Int64()), suggested, ""}},
		{map[string]any{"maxPriorityFeePerGas": "0x7"}, filled{"0x2", "0x5208", "0x0", "", twice(7), "0x7", ""}},
		{map[string]any{"maxFeePerGas": "0x77359400"}, filled{"0x2", "0x5208", "0x0", "", "0x77359400", suggested, ""}},
		{map[string]any{"maxFeePerGas": "0x5", "nonce": "0x9", "gas": "0x9999"}, filled{"0x2", "0x9999", "0x9", "", "0x5", "0x5", ""}},
		{map[string]any{"gasPrice": "0x77359400"}, filled{"0x0", "0x5208", "0x0", "0x77359400", "", "", ""}},
		{map[string]any{"gasPrice": "0x77359400", "accessList": []any{}}, filled{"0x1", "0x5208", "0x0", "0x77359400", "", "", ""}},
		{map[string]any{"type": "0x0"}, filled{"0x0", "0x5208", "0x0", price, "", "", ""}},
		{map[string]any{"type": "0x1"}, filled{"0x1", "0x5208", "0x0", price, "", "", ""}},
		{map[string]any{"blobVersionedHashes": blobs}, filled{"0x3", "0x5208", "0x0", "", twice(tip.ToInt().Int64()), suggested, "0x2"}},
		{map[string]any{"blobVersionedHashes": blobs, "maxFeePerBlobGas": "0x9"}, filled{"0x3", "0x5208", "0x0", "", twice(tip.ToInt().Int64()), suggested, "0x9"}},
	} {
		object := map[string]any{"from": servertest.Alice.Address, "to": servertest.Bob.Address}
		for name, value := range c.members {
			object[name] = value
		}
		require.Equal(t, c.want, servertest.Fetch[struct{ Tx filled }](n, "eth_fillTransaction", object).Tx, "%v", c.members)
	}
	require.Equal(t, price, servertest.Fetch[string](n, "eth_gasPrice"))
	estimate := servertest.Fetch[string](n, "eth_estimateGas", map[string]any{"from": servertest.Alice.Address, "to": servertest.Counter}, "pending")
	counted := servertest.Fetch[struct{ Tx filled }](n, "eth_fillTransaction", map[string]any{"from": servertest.Alice.Address, "to": servertest.Counter}).Tx
	require.Equal(t, estimate, counted.Gas)
}

// Ensure the nonce that is left out is the sender's next one, and that of the zero address without a sender.
func TestFilledNonce(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Pay(0, 1, 1)
	for want, object := range map[string]map[string]any{
		"0x1": {"from": servertest.Alice.Address}, "0x0": {}, "0x7": {"from": servertest.Alice.Address, "nonce": "0x7"},
	} {
		object["to"], object["gas"] = servertest.Bob.Address, "0x5208"
		require.Equal(t, want, servertest.Fetch[struct{ Tx struct{ Nonce string } }](n, "eth_fillTransaction", object).Tx.Nonce)
	}
}
