package remote_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
)

// forkOf returns a timeline on the head of a node's chain.
func forkOf(t *testing.T, under *fakenode.Node) *preconf.Timeline {
	t.Helper()
	f := servertest.OpenFork(t, under.URL(), "")
	rules, err := chain.ForkConfig("osaka", f.ChainID())
	require.NoError(t, err)
	c, err := chain.NewFork(f, rules, evmstate.StateFromSource(f.At(f.Number())), chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c})
	require.NoError(t, err)
	return timeline
}

// Ensure what a Moment of a fork returns at and below the fork block is what the chain there has, and that it returns
// the error of the other chain where that does not answer.
func TestMomentBelowTheForkBlock(t *testing.T) {
	t.Parallel()
	under := fakenode.RunT(t)
	payer, token := under.Account(1), under.Token().Address()
	for range 3 {
		under.Token().Transfer(payer, common.Address{0xaa}, fixtures.USD("1"))
		under.Seal()
	}
	below := under.Moment()
	m := forkOf(t, under).Moment()
	third, err := below.ByNumber(3)
	require.NoError(t, err)

	for n := range below.Latest().Number() + 1 {
		want, err := below.ByNumber(n)
		require.NoError(t, err)
		got, err := m.ByNumber(n)
		require.NoError(t, err)
		require.Equal(t, want.Hash(), got.Hash())
		require.True(t, got.Ancestral())
		require.NoError(t, got.Load())
		require.Equal(t, want.Count(), got.Count())
		for i, receipt := range want.Receipts() {
			require.Equal(t, receipt.TxHash, got.Receipts()[i].TxHash)
			require.Equal(t, receipt.Logs, got.Receipts()[i].Logs)
		}
		require.Equal(t, want.Logs(), got.Logs())
		byHash, err := m.ByHash(want.Hash())
		require.NoError(t, err)
		require.Equal(t, got.Number(), byHash.Number())
		logs, err := m.LogsOf(chain.LogFilter{Addresses: []common.Address{token}}, want.Hash())
		require.NoError(t, err)
		require.Equal(t, want.Logs(), slices.Collect(logs))
		proof, err := got.Proof(token, nil)
		require.NoError(t, err)
		expected, err := want.Proof(token, nil)
		require.NoError(t, err)
		require.Equal(t, expected, proof)
	}
	require.Equal(t, logsOf(t, below), logsOf(t, m))
	_, err = m.Pending().Proof(token, nil)
	require.ErrorIs(t, err, chain.ErrNoProof)
	require.False(t, m.Pending().Ancestral())
	require.False(t, below.Latest().Ancestral())

	tx := third.Transaction(0)
	found, err := m.FindNonce(payer.Address, tx.Nonce())
	require.NoError(t, err)
	require.Equal(t, tx.Hash(), found.Transaction.Hash())
	found, err = m.Find(tx.Hash())
	require.NoError(t, err)
	require.Equal(t, preconf.Sealed, found.Where)
	require.EqualValues(t, 3, found.View.Number())
	found, err = m.Find(common.Hash{1})
	require.NoError(t, err)
	require.Equal(t, preconf.Unknown, found.Where)
	found, err = m.FindNonce(payer.Address, 9)
	require.NoError(t, err)
	require.Equal(t, preconf.Unknown, found.Where)

	again := forkOf(t, under).Moment()
	require.NoError(t, under.Close())
	failed := new(remote.Error)
	for name, ask := range map[string]func() error{
		"earliest": func() error { _, err := again.Earliest(); return err },
		"number":   func() error { _, err := again.ByNumber(1); return err },
		"hash":     func() error { _, err := again.ByHash(third.Hash()); return err },
		"content":  func() error { return again.Latest().Load() },
		"logs": func() error {
			_, err := again.Logs(chain.LogFilter{}, filter.At(1), filter.At(2))
			return err
		},
		"transaction": func() error { _, err := again.Find(tx.Hash()); return err },
		"nonce":       func() error { _, err := again.FindNonce(payer.Address, 0); return err },
		"proof":       func() error { _, err := again.Latest().Proof(token, nil); return err },
	} {
		require.ErrorAs(t, ask(), &failed, name)
	}
	require.Panics(t, func() { again.Latest().Transactions() })
}

// logsOf returns all logs.
func logsOf(t *testing.T, m *preconf.Moment) []*types.Log {
	t.Helper()
	logs, err := m.Logs(chain.LogFilter{}, filter.At(0), filter.Bound{Tag: filter.Latest})
	require.NoError(t, err)
	return slices.Collect(logs)
}

// Ensure a transaction that needs what the other chain does not give is refused when it is sent, and is not in the
// pool.
func TestSendOnAForkNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	under := fakenode.RunT(t)
	timeline := forkOf(t, under)
	from := under.Account(1)
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithBalance(from.Address, uint256.NewInt(1e18))
	}))
	require.NoError(t, under.Close())
	to := under.Token().Address()
	failed := new(remote.Error)
	require.ErrorAs(t, timeline.Send(types.MustSignNewTx(from.Key, timeline.Moment().Signer(), &types.LegacyTx{
		To: &to, Gas: 100_000, GasPrice: big.NewInt(2e9), Data: []byte{1, 2, 3, 4},
	})), &failed)
	_, err := timeline.SendAs(common.Address{0xbb}, nil, func(uint64) (*types.Transaction, error) { return nil, nil })
	require.ErrorAs(t, err, &failed, "whose nonce is not known")
	require.Zero(t, timeline.Moment().PoolSize())
}
