package shape_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Ensure results estimate how long their JSON is: those that are long wait for their turn to be encoded.
func TestSizes(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Logs(0, "0xa", "0xb", 50)
	n.Do("fakenode_seal")
	m := n.Timeline.Moment()
	v := m.Latest()
	for name, result := range map[string]jsonrpc.Sized{
		"logs":     shape.LogsOf(m, v.At(0).Receipt.Logs),
		"receipts": shape.ReceiptsOf(v, shape.Spec),
		"block":    shape.BlockOf(v, true),
		"hashes":   shape.BlockOf(v, false),
	} {
		require.InEpsilon(t, len(result.AppendJSON(nil)), result.Size(), 0.5, name)
	}
}
