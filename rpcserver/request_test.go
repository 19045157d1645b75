package rpcserver_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure a block is found by each name that it has, an orphan by its hash unless it must be canonical, and that where a
// block is unknown the answer is null or an error, by the method.
func TestBlocksAreResolved(t *testing.T) {
	t.Parallel()
	safe, final := uint64(1), uint64(2)
	n := servertest.New(t, preconf.Config{Behaviour: preconf.Behaviour{Lags: preconf.Lags{SafeLag: &safe, FinalizedLag: &final}}}, rpcserver.Config{})
	alice := servertest.Alice.Address
	nonce := func(tag any) string { return servertest.Fetch[string](n, "eth_getTransactionCount", alice, tag) }
	for range 4 {
		n.Pay(0, 1, 1)
		n.Seal(1)
	}
	n.Pay(0, 1, 1)
	n.Preconfirm()
	head := n.Timeline.Moment().Latest().Hash()
	for tag, want := range map[any]string{
		"earliest": "0x0", "finalized": "0x2", "safe": "0x3", "latest": "0x4", "pending": "0x5", "0x1": "0x1", head.Hex(): "0x4",
	} {
		require.Equal(t, want, nonce(tag), tag)
	}
	require.Equal(t, "0x4", nonce(nil))
	require.Equal(t, "0x4", nonce(map[string]any{"blockHash": head, "requireCanonical": true}))
	n.Do("fakenode_reorg", map[string]any{"depth": 1, "length": 2})
	require.Equal(t, "0x4", nonce(head.Hex()))
	require.Equal(t, "0x4", nonce(map[string]any{"blockHash": head, "requireCanonical": false}))
	n.Refuses(api.CodeServer, []string{"hash " + head.Hex() + " is not currently canonical"}, "eth_getTransactionCount", alice, map[string]any{"blockHash": head, "requireCanonical": true})
	n.Refuses(api.CodeNotFound, []string{"block not found"}, "eth_getTransactionCount", alice, map[string]any{"blockHash": common.Hash{1}, "requireCanonical": true})
	n.Refuses(api.CodeNotFound, []string{"block not found: 0x99"}, "eth_call", map[string]any{"to": alice}, "0x99")
	for method, params := range map[string][]any{"eth_getBlockByNumber": {"0x99", false}, "eth_getBlockByHash": {common.Hash{1}, false}, "eth_getBlockReceipts": {"0x99"}} {
		require.Equal(t, "null", string(servertest.Fetch[json.RawMessage](n, method, params...)), method)
	}
}

// Ensure blobs get commitments, proofs and hashes, by which the transaction goes into the pool, and one that is none is
// refused by its place.
func TestBlobsAreFilled(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	n := servertest.Plain(t)
	blob := hexutil.Bytes(make([]byte, len(kzg4844.Blob{})))
	object := map[string]any{"from": servertest.Alice.Address, "to": servertest.Bob.Address, "blobs": []any{blob}}
	raw := servertest.Fetch[struct{ Raw hexutil.Bytes }](n, "eth_fillTransaction", object).Raw
	tx := new(types.Transaction)
	require.NoError(t, tx.UnmarshalBinary(raw))
	require.NotNil(t, tx.BlobTxSidecar())
	require.Equal(t, tx.BlobTxSidecar().BlobHashes(), tx.BlobHashes())
	require.Len(t, tx.BlobTxSidecar().Proofs, kzg4844.CellProofsPerBlob)
	object["blobVersionedHashes"] = tx.BlobHashes()
	n.Do("eth_fillTransaction", object)
	object["blobVersionedHashes"] = []common.Hash{{0: 1, 31: 7}}
	n.Refuses(api.CodeServer, []string{"blobVersionedHashes are not those of the blobs: have [0x01"}, "eth_fillTransaction", object)
	delete(object, "blobVersionedHashes")
	hash := servertest.Fetch[common.Hash](n, "eth_sendTransaction", object)
	n.Seal(1)
	require.Equal(t, "0x1", servertest.Fetch[struct{ Status string }](n, "eth_getTransactionReceipt", hash).Status)
	object["blobs"] = []any{blob, hexutil.Bytes(bytes.Repeat([]byte{0xff}, len(blob)))}
	n.Refuses(api.CodeServer, []string{"blob 1: "}, "eth_fillTransaction", object)
}

// Ensure a provider's limits are in place of those that the user leaves out, and of no others.
func TestLimitsOfProviders(t *testing.T) {
	t.Parallel()
	given := api.Limits{LogsMaxRange: 7, LogsMaxResults: 8, MaxBatch: 9}
	require.Equal(t, given, api.Provider("").Limited(given))
	require.Equal(t, api.Limits{}, api.Provider("").Limited(api.Limits{}))
	require.Nil(t, api.Provider("none").Habits())
	require.False(t, api.Provider("none").Valid())
	require.True(t, api.Provider("").Valid())
	for p, want := range map[api.Provider]api.Limits{
		api.Alchemy:   {LogsMaxRange: 10, LogsMaxResults: 10_000, MaxBatch: 1000},
		api.Infura:    {LogsMaxRange: 10_000, LogsMaxResults: 10_000},
		api.QuickNode: {LogsMaxRange: 10_000},
		api.Coinbase:  {LogsMaxRange: 1000},
		api.BaseNode:  {LogsMaxRange: 100_000, LogsMaxResults: 20_000},
	} {
		require.True(t, p.Valid(), p)
		require.NotNil(t, p.Habits(), p)
		require.Equal(t, given, p.Limited(given), p)
		require.Equal(t, want, p.Limited(api.Limits{}), p)
		require.Equal(t, want, p.Limited(want), p)
		check := func(addresses, topics int) error {
			return p.Habits().CheckFilter(addresses, [][]common.Hash{nil, make([]common.Hash, topics)})
		}
		require.NoError(t, check(0, 0), p)
		require.NoError(t, check(1000, 1000), p)
		if p == api.BaseNode {
			require.EqualError(t, check(1001, 0), "too many filter addresses: max 1000, got 1001")
			require.EqualError(t, check(0, 1001), "too many filter topics in slot 1: max 1000, got 1001")
			continue
		}
		require.NoError(t, check(1001, 1001), p)
	}
}

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
