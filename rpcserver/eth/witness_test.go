package eth_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/stateless"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure go-ethereum executes a block with nothing but its witness, and comes to the roots of its header.
func TestExecutionWitness(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Logs(0, "0xa", "0xb", 2)
	n.Seal(2)
	n.Transact(1, &servertest.Counter, new(big.Int), []byte{1})
	n.Transact(2, &servertest.Observer, new(big.Int), []byte{1}) // asks for the hash of the block before
	n.Pay(0, 5, 1)
	n.Seal(1)

	answer := servertest.Fetch[struct{ State, Codes, Keys, Headers []hexutil.Bytes }](n, "debug_executionWitness", "0x3")
	witness := &stateless.Witness{Codes: make(map[string]struct{}), State: make(map[string]struct{})}
	for _, raw := range answer.Headers {
		header := new(types.Header)
		require.NoError(t, rlp.DecodeBytes(raw, header))
		witness.Headers = append(witness.Headers, header)
	}
	for _, code := range answer.Codes {
		witness.Codes[string(code)] = struct{}{}
	}
	for _, node := range answer.State {
		witness.State[string(node)] = struct{}{}
	}
	require.Len(t, witness.Headers, 3)
	require.Contains(t, answer.Keys, hexutil.Bytes(servertest.Counter.Bytes()))

	block := new(types.Block)
	require.NoError(t, rlp.DecodeBytes(servertest.Fetch[hexutil.Bytes](n, "debug_getRawBlock", "0x3"), block))
	bare := types.CopyHeader(block.Header())
	bare.Root, bare.ReceiptHash = common.Hash{}, common.Hash{}
	root, receipts, err := core.ExecuteStateless(t.Context(), n.Timeline.Moment().Chain().Config(), vm.Config{}, types.NewBlockWithHeader(bare).WithBody(*block.Body()), witness)
	require.NoError(t, err)
	require.Equal(t, block.Root(), root)
	require.Equal(t, block.ReceiptHash(), receipts)

	n.Refuses(api.CodeServer, []string{"genesis"}, "debug_executionWitness", "0x0")
	n.Refuses(api.CodeServer, []string{"not sealed"}, "debug_executionWitness", "pending")
	fork := n.Fork(n.Server.URL(), rpcserver.Config{})
	fork.Seal(1)
	fork.Refuses(api.CodeServer, []string{"fork"}, "debug_executionWitness", "latest")
}

// Ensure debug_getRawTransactions returns the transactions of a block as they were sent, and none of an unknown block.
func TestGetRawTransactions(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	var want []hexutil.Bytes
	for i := range 2 {
		raw, err := n.Pay(i, 5, 1).MarshalBinary()
		require.NoError(t, err)
		want = append(want, raw)
	}
	n.Do("fakenode_preconfirm")
	require.Equal(t, want, servertest.Fetch[[]hexutil.Bytes](n, "debug_getRawTransactions", "pending"))
	n.Seal(1)
	require.Equal(t, want, servertest.Fetch[[]hexutil.Bytes](n, "debug_getRawTransactions", n.Timeline.Moment().Latest().Hash()))
	require.Empty(t, servertest.Fetch[[]hexutil.Bytes](n, "debug_getRawTransactions", "0x99"))
}
