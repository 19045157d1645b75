package eth_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// poolCount is the answer to txpool_status as clients read it.
type poolCount struct{ Pending, Queued string }

func TestTxpool(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	require.Equal(t, `{"pending":{},"queued":{}}`, string(servertest.Fetch[json.RawMessage](n, "txpool_content")))
	first, second := n.Pay(0, 1, 7), n.Logs(0, "0x1", "0x2", 1)
	n.Nonces[fixtures.Dev(2).Address] = 11
	ahead := n.Pay(2, 1, 9)
	created := n.Transact(3, nil, new(big.Int), []byte{0})

	require.Equal(t, poolCount{"0x3", "0x1"}, servertest.Fetch[poolCount](n, "txpool_status"))
	type pooled struct {
		Hash        common.Hash
		From        common.Address
		BlockNumber *string
	}
	type content struct {
		Pending, Queued map[common.Address]map[string]pooled
	}
	dev := func(i int) common.Address { return fixtures.Dev(i).Address }
	all := servertest.Fetch[content](n, "txpool_content")
	require.Equal(t, content{
		Pending: map[common.Address]map[string]pooled{
			dev(0): {"0": {first.Hash(), dev(0), nil}, "1": {second.Hash(), dev(0), nil}},
			dev(3): {"0": {created.Hash(), dev(3), nil}},
		},
		Queued: map[common.Address]map[string]pooled{dev(2): {"11": {ahead.Hash(), dev(2), nil}}},
	}, all)
	require.Contains(t, string(servertest.Fetch[json.RawMessage](n, "txpool_content")), strings.ToLower(dev(0).Hex()), "senders in lower case")

	type half struct{ Pending, Queued map[string]pooled }
	require.Equal(t, half{all.Pending[dev(0)], map[string]pooled{}}, servertest.Fetch[half](n, "txpool_contentFrom", dev(0)))
	require.Equal(t, half{map[string]pooled{}, all.Queued[dev(2)]}, servertest.Fetch[half](n, "txpool_contentFrom", dev(2)))
	require.Equal(t, half{map[string]pooled{}, map[string]pooled{}}, servertest.Fetch[half](n, "txpool_contentFrom", dev(9)))

	text := servertest.Fetch[struct {
		Pending, Queued map[common.Address]map[string]string
	}](n, "txpool_inspect")
	require.Equal(t, fmt.Sprintf("%s: 7 wei + 21000 gas × 20000000000 wei", dev(1).Hex()), text.Pending[dev(0)]["0"])
	require.Equal(t, "contract creation: 0 wei + 8000000 gas × 20000000000 wei", text.Pending[dev(3)]["0"])

	n.Do("fakenode_preconfirm")
	require.Equal(t, poolCount{"0x0", "0x1"}, servertest.Fetch[poolCount](n, "txpool_status"), "what is pre-confirmed has left the pool")
}
