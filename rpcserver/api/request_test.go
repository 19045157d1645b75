package api_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/stretchr/testify/require"

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
	n := servertest.New(t, preconf.Config{Behaviour: preconf.Behaviour{SafeLag: &safe, FinalizedLag: &final}}, rpcserver.Config{})
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
