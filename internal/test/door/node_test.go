package door_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// recorder stands for a test that is expected to fail.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Errorf(format string, args ...any) { r.failure = fmt.Sprintf(format, args...) }
func (r *recorder) Fatalf(format string, args ...any) { r.failure = fmt.Sprintf(format, args...) }

// Ensure a node with a genesis of other holders ends without a complaint about the token.
func TestGenesisOfOtherHolders(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Accounts: 30})
	r := &recorder{TB: t}
	t.Run("node", func(t *testing.T) {
		r.TB = t
		fakenode.RunConfigT(r, fakenode.Config{Genesis: node.Moment().Chain().Genesis()})
	})
	require.Empty(t, r.failure)
}

// Ensure blocks of one instant rise in time, so that other clients import them.
func TestInstantBlocksAreImportable(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	for nonce := range uint64(3) {
		pay(t, node, nonce)
	}
	require.EqualValues(t, 3, node.Moment().Latest().Number())
	require.NoError(t, node.Importable())
}

// pay sends a transaction from development account 0.
func pay(t *testing.T, node *fakenode.Node, nonce uint64) {
	t.Helper()
	tx, err := types.SignNewTx(node.Account(0).Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
		Nonce: nonce, GasPrice: big.NewInt(1e10), Gas: 21_000, To: new(node.Account(1).Address),
	})
	require.NoError(t, err)
	require.NoError(t, node.Send(tx))
}

// Ensure wrong use fails the test with a reason instead of a panic.
func TestMisuseFailsTheTest(t *testing.T) {
	t.Parallel()
	r := &recorder{TB: t}
	require.Nil(t, fakenode.RunConfigT(r, fakenode.Config{Port: -1}))
	require.Equal(t, "fakenode: port -1 is outside 0 to 65535", r.failure)
	node := fakenode.RunT(r)
	node.Account(20)
	require.Equal(t, "fakenode: account 20: the node has accounts 0 to 19", r.failure)
	node.Advance(-time.Second)
	require.Contains(t, r.failure, "-1s")
	node.CheckBalance(r, node.Account(0).Address, fixtures.USD("1"))
	require.Contains(t, r.failure, "got 1000000000000 units, want 1000000")
	_, err := fakenode.RunConfigT(t, fakenode.Config{GasLimit: 100_000}).DeployToken(fakenode.Strict, tokencontract.Params{})
	require.ErrorContains(t, err, "deploy token: ")
}
