package command_test

import (
	"fmt"
	"maps"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/beacon/engine"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// payload returns the attributes of a payload that follows the newest block, changed by members.
func payload(n *servertest.Network, members map[string]any) map[string]any {
	attributes := map[string]any{
		"timestamp": hexutil.Uint64(n.Timeline.Moment().Latest().Time() + 1), "prevRandao": common.Hash{7}, "suggestedFeeRecipient": common.Address{0xfe},
		"withdrawals": []any{}, "parentBeaconBlockRoot": common.Hash{8},
	}
	maps.Copy(attributes, members)
	return attributes
}

// build calls testing_buildBlockV1 upon the newest block.
func build(n *servertest.Network, attributes map[string]any, raw, extra any) engine.ExecutionPayloadEnvelope {
	n.Helper()
	return servertest.Fetch[engine.ExecutionPayloadEnvelope](n, "testing_buildBlockV1", n.Timeline.Moment().Latest().Hash(), attributes, raw, extra)
}

// Ensure the envelope of a built block has the blobs that came with its transactions, given ones as well as those
// that waited in the pool.
func TestBuiltBlockHasItsBlobs(t *testing.T) {
	laboratory.Needs(t, laboratory.Long) // KZG takes seconds to set up
	t.Parallel()
	n := servertest.Plain(t)
	config := servertest.Genesis().Config
	sidecar, err := api.NewSidecar([]kzg4844.Blob{{}})
	require.NoError(t, err)
	fee := uint256.NewInt(3_000_000_000)
	tx, err := types.SignNewTx(servertest.Alice.Key, types.LatestSigner(config), &types.BlobTx{ChainID: uint256.MustFromBig(config.ChainID),
		GasFeeCap: fee, GasTipCap: uint256.NewInt(1), Gas: 21_000, To: servertest.Bob.Address, BlobFeeCap: fee, BlobHashes: sidecar.BlobHashes(), Sidecar: sidecar})
	require.NoError(t, err)
	check := func(transactions any) {
		t.Helper()
		envelope := build(n, payload(n, nil), transactions, nil)
		require.Equal(t, [][]byte{servertest.Raw(t, tx.WithoutBlobTxSidecar())}, envelope.ExecutionPayload.Transactions)
		require.Equal(t, sidecar.Commitments[0][:], []byte(envelope.BlobsBundle.Commitments[0]))
		require.Len(t, envelope.BlobsBundle.Blobs, 1)
		require.Len(t, envelope.BlobsBundle.Proofs, kzg4844.CellProofsPerBlob)
	}
	check([]hexutil.Bytes{servertest.Raw(t, tx)})
	require.NoError(t, n.Eth.SendTransaction(t.Context(), tx))
	check(nil)
}

// Ensure a block built of what waits has what is pre-confirmed, and then what can be executed of the pool, and that the
// chain stays as it is.
func TestBuiltBlockHasWhatWaits(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	first, second := n.Pay(0, 1, 7), n.Pay(1, 2, 7)
	n.Preconfirm()
	pooled := n.Pay(0, 1, 7)
	require.NoError(t, n.Timeline.Send(servertest.Signed(t, fixtures.Dev(3), 5)), "it waits for earlier ones")
	built := build(n, payload(n, nil), nil, nil).ExecutionPayload
	require.Equal(t, [][]byte{servertest.Raw(t, first), servertest.Raw(t, second), servertest.Raw(t, pooled)}, built.Transactions)
	require.Empty(t, built.ExtraData)
	require.Zero(t, n.Timeline.Moment().Latest().Number())
}

// Ensure a built block is what its attributes ask for, and that one which cannot be is refused with the reason.
func TestBuiltBlocks(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Seal(1)
	latest := n.Timeline.Moment().Latest()
	stranger, err := types.SignNewTx(servertest.Alice.Key, types.LatestSignerForChainID(big.NewInt(5)), &types.DynamicFeeTx{ChainID: big.NewInt(5), Gas: 21_000})
	require.NoError(t, err)
	signed := hexutil.Bytes(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 0)))
	for _, c := range []struct {
		parent  common.Hash
		members map[string]any
		raw     any
		words   string
	}{
		{common.Hash{1}, nil, nil, "parent hash " + common.Hash{1}.Hex() + " is not that of the head, " + latest.Hash().Hex()},
		{latest.Hash(), map[string]any{"timestamp": hexutil.Uint64(latest.Time())}, nil, fmt.Sprintf("timestamp %d is not after %d", latest.Time(), latest.Time())},
		{latest.Hash(), nil, []string{"0x01"}, "transaction 0: "},
		{latest.Hash(), nil, []hexutil.Bytes{signed, servertest.Raw(t, stranger)}, "transaction 1: invalid chain id"},
		{latest.Hash(), nil, []hexutil.Bytes{servertest.Raw(t, servertest.Signed(t, servertest.Alice, 3))}, "transaction 0: nonce too high"},
	} {
		n.Refuses(api.CodeServer, []string{c.words}, "testing_buildBlockV1", c.parent, payload(n, c.members), c.raw, nil)
	}
	for target, want := range map[any]uint64{nil: 60_000_000, hexutil.Uint64(30_000_000): 60_000_000 - 60_000_000/1024 + 1, hexutil.Uint64(90_000_000): 60_000_000 + 60_000_000/1024 - 1} {
		members := map[string]any{}
		if target != nil {
			members["targetGasLimit"] = target
		}
		built := build(n, payload(n, members), []hexutil.Bytes{signed}, "0xab")
		is := built.ExecutionPayload
		require.Equal(t, []uint64{want, latest.Number() + 1, latest.Time() + 1}, []uint64{is.GasLimit, is.Number, is.Timestamp}, target)
		require.Equal(t, []byte{0xab}, is.ExtraData)
		require.Equal(t, common.Address{0xfe}, is.FeeRecipient)
		require.Equal(t, common.Hash{7}, is.Random)
		require.Len(t, is.Transactions, 1)
		require.Equal(t, big.NewInt(21_000*1_000_000_000), built.BlockValue, "the tips")
	}

	amsterdam := servertest.NewAmsterdam(t, rpcserver.Config{})
	amsterdam.Seal(2)
	amsterdam.Refuses(api.CodeServer, []string{"the attributes have no slotNumber, which blocks have from amsterdam on"},
		"testing_buildBlockV1", amsterdam.Timeline.Moment().Latest().Hash(), payload(amsterdam, nil), nil, nil)
	build(amsterdam, payload(amsterdam, map[string]any{"slotNumber": "0x7"}), nil, nil)
}

// chainOf returns a chain on a hard fork.
func chainOf(t *testing.T, fork string) *chain.Chain {
	t.Helper()
	genesis := *servertest.Genesis()
	var err error
	genesis.Config, err = chain.ForkConfig(fork, servertest.ChainID)
	require.NoError(t, err)
	c, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	return c
}
