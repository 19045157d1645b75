package door_test

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure answers do not wait for whoever reads the traces, and that all of them are there when the node is closed.
func TestTracesHoldNothingUp(t *testing.T) {
	t.Parallel()
	read := make(chan struct{})
	var texts []string
	node, err := fakenode.New(fakenode.Config{Traces: func(text string) {
		<-read
		texts = append(texts, text)
	}})
	require.NoError(t, err)
	reverter := common.HexToAddress("0x7111")
	node.SetCode(reverter, common.FromHex("5f5ffd"))
	for range 3 {
		require.Error(t, node.Client().Client().Call(nil, "eth_call", map[string]any{"to": reverter}))
	}
	require.ErrorContains(t, node.Client().Client().Call(nil, "eth_estimateGas", map[string]any{
		"from": reverter, "to": reverter, "value": "0x1", "gasPrice": "0x77359400",
	}), "insufficient funds", "so there is no trace")
	_, err = node.Transact(node.Account(0), fakenode.Tx{To: &reverter, Gas: 100_000})
	require.NoError(t, err)
	node.Seal()
	close(read)
	require.NoError(t, node.Close())
	require.Len(t, texts, 4)
	require.Equal(t, 3, strings.Count(strings.Join(texts, ""), "failed eth_call\n"))
}
