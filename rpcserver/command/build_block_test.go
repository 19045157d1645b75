package command_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/beacon/engine"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure the envelope of a built block has the blobs that came with its transactions, given ones as well as those
// that waited in the pool.
func TestBuiltBlockHasItsBlobs(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: KZG takes half a minute under the race detector")
	}
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	config := servertest.Genesis().Config
	sidecar, err := api.NewSidecar([]kzg4844.Blob{{}})
	require.NoError(t, err)
	fee := uint256.NewInt(3_000_000_000)
	tx, err := types.SignNewTx(servertest.Alice.Key, types.LatestSigner(config), &types.BlobTx{ChainID: uint256.MustFromBig(config.ChainID),
		GasFeeCap: fee, GasTipCap: uint256.NewInt(1), Gas: 21_000, To: servertest.Bob.Address, BlobFeeCap: fee, BlobHashes: sidecar.BlobHashes(), Sidecar: sidecar})
	require.NoError(t, err)
	head := n.Timeline.Moment().Latest()
	attributes := map[string]any{"timestamp": hexutil.Uint64(head.Time() + 2), "prevRandao": common.Hash{}, "suggestedFeeRecipient": servertest.Bob.Address,
		"withdrawals": []any{}, "parentBeaconBlockRoot": common.Hash{}}
	check := func(transactions any) {
		t.Helper()
		envelope := servertest.Fetch[engine.ExecutionPayloadEnvelope](n, "testing_buildBlockV1", head.Hash(), attributes, transactions, "0x")
		require.Equal(t, [][]byte{servertest.Raw(t, tx.WithoutBlobTxSidecar())}, envelope.ExecutionPayload.Transactions)
		require.Equal(t, sidecar.Commitments[0][:], []byte(envelope.BlobsBundle.Commitments[0]))
		require.Len(t, envelope.BlobsBundle.Blobs, 1)
		require.Len(t, envelope.BlobsBundle.Proofs, kzg4844.CellProofsPerBlob)
	}
	check([]hexutil.Bytes{servertest.Raw(t, tx)})
	require.NoError(t, n.Eth.SendTransaction(t.Context(), tx))
	check(nil)
}

// Ensure a block built of what waits has what is pre-confirmed, and then what is in the pool.
func TestBuiltBlockHasWhatIsPreconfirmed(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	first, second := n.Pay(0, 1, 7), n.Pay(1, 2, 7)
	n.Preconfirm()
	pooled := n.Pay(0, 1, 7)
	head := n.Timeline.Moment().Latest()
	attributes := map[string]any{"timestamp": hexutil.Uint64(head.Time() + 2), "prevRandao": common.Hash{}, "suggestedFeeRecipient": servertest.Bob.Address,
		"withdrawals": []any{}, "parentBeaconBlockRoot": common.Hash{}}
	built := servertest.Fetch[engine.ExecutionPayloadEnvelope](n, "testing_buildBlockV1", head.Hash(), attributes, nil, "0x").ExecutionPayload
	require.Equal(t, [][]byte{servertest.Raw(t, first), servertest.Raw(t, second), servertest.Raw(t, pooled)}, built.Transactions)
}

// Ensure a block before Shanghai is not built with withdrawals, not even without any in the list.
func TestBuildWithdrawalsBeforeShanghai(t *testing.T) {
	t.Parallel()
	genesis := *servertest.Genesis()
	config, err := chain.ForkConfig("paris", servertest.ChainID)
	require.NoError(t, err)
	genesis.Config = config
	c, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(servertest.Start, 0)})
	require.NoError(t, err)
	n := &servertest.Network{TB: t, Server: servertest.Listen(t, rpcserver.Config{Main: timeline, Settings: api.Settings{ClientVersion: "fakenode/test"}}), Timeline: timeline}
	head := n.Timeline.Moment().Latest()
	attributes := map[string]any{"timestamp": hexutil.Uint64(head.Time() + 2), "prevRandao": common.Hash{}, "suggestedFeeRecipient": servertest.Bob.Address}
	n.Do("testing_buildBlockV1", head.Hash(), attributes, []any{}, "0x")
	for _, withdrawals := range []any{[]any{}, []any{map[string]any{"index": "0x0", "validatorIndex": "0x0", "address": servertest.Bob.Address, "amount": "0x1"}}} {
		attributes["withdrawals"] = withdrawals
		n.Refuses(api.CodeServer, []string{"before shanghai"}, "testing_buildBlockV1", head.Hash(), attributes, []any{}, "0x")
	}
}
