package flashblocks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure the feed of a replica has the frames of blocks when the replica has them, each once, and that nobody
// resumes there: whether frames were kept would depend on other readers.
func TestFeedOfReplica(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Replicas: 1, ReplicaLag: []fakenode.Replica{{Blocks: 1}}})
	near, far := listen(t, node.Network, "/flashblocks"), listen(t, node.Network, "/replica/1/flashblocks")
	for block := range 4 {
		node.Preconfirm()
		node.Preconfirm()
		want := ids(near.frames())
		require.Len(t, want, 2)
		require.Empty(t, ids(far.frames()), "block %d", block+1)
		node.Seal()
		require.Equal(t, want, ids(far.frames()))
	}
	require.Empty(t, listen(t, node.Network, "/replica/1/flashblocks?block_number=0&flashblock_index=0").frames())
	require.Len(t, listen(t, node.Network, "/flashblocks?block_number=0&flashblock_index=0").frames(), 8)

	// Without a request the frames come when the replica has them.
	alone := listen(t, node.Network, "/replica/1/flashblocks")
	node.Preconfirm()
	node.Seal()
	first := <-alone.messages
	require.NoError(t, first.err)
	require.Contains(t, string(first.data), `"prev_flashblock_id":"4-1"`)
}

// Ensure a frame of a chain with gas refunds has the transaction that would end the block, once there is a refund.
func TestFrameWithLastTransaction(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Rules: fakenode.LagoonRules})
	r := listen(t, node.Network, "/flashblocks")
	node.Preconfirm()
	send(t, node, 0)
	node.Preconfirm()
	node.Seal()
	frames := r.raw()
	require.Len(t, frames, 2)
	require.NotContains(t, string(frames[0].data), "post_exec_tx")
	var second struct {
		Diff struct {
			Transactions []hexutil.Bytes `json:"transactions"`
			PostExec     hexutil.Bytes   `json:"post_exec_tx"`
		} `json:"diff"`
	}
	require.NoError(t, json.Unmarshal(frames[1].data, &second))
	require.Len(t, second.Diff.Transactions, 1, "that of the user alone")
	sealed := node.Moment().Latest().Block().Transactions()
	want, err := sealed[len(sealed)-1].MarshalBinary()
	require.NoError(t, err)
	require.Equal(t, hexutil.Encode(want), second.Diff.PostExec.String())
}

// Ensure the frames of a chain of each hard fork have the members that its blocks have, and zeros in place of
// others.
func TestFramesOfEarlierForks(t *testing.T) {
	t.Parallel()
	for fork, has := range map[string]struct{ baseFee, withdrawals, blobs bool }{
		"paris": {baseFee: true}, "shanghai": {baseFee: true, withdrawals: true}, "cancun": {true, true, true},
	} {
		node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Hardfork: fork})
		r := listen(t, node.Network, "/flashblocks")
		send(t, node, 0)
		node.Preconfirm()
		data := r.raw()[0]
		frame := decode(t, data)
		require.Equal(t, has.baseFee, frame.Base.BaseFeePerGas.ToInt().Sign() > 0, fork)
		require.Equal(t, !has.withdrawals, strings.Contains(string(data.data), `"withdrawals_root":"0x`+strings.Repeat("0", 64)+`"`), fork)
		require.Equal(t, has.blobs, frame.Diff.BlobGasUsed != nil, fork)
		require.EqualValues(t, 1, frame.Base.BlockNumber)
		require.NotZero(t, frame.Base.GasLimit)
		require.NotZero(t, frame.Diff.GasUsed)
		require.Equal(t, node.Moment().Pending().Header().Coinbase, frame.Base.FeeRecipient)
	}
}
