package chain_test

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
)

// forkOf returns the chain that goes on from the head of a node's chain.
func forkOf(t *testing.T, under *fakenode.Node, o chain.Options) *chain.Chain {
	t.Helper()
	f := servertest.OpenFork(t, under.URL(), "")
	c, err := chain.NewFork(f, under.Moment().Chain().Config(), evmstate.StateFromSource(f.At(f.Number())), o)
	require.NoError(t, err)
	return c
}

// upstream returns a node with five blocks, each with a transfer of tokens.
func upstream(t *testing.T) *fakenode.Node {
	t.Helper()
	under := fakenode.RunT(t)
	for range 5 {
		under.Token().Transfer(under.Account(1), common.Address{0xaa}, fixtures.USD("1"))
	}
	return under
}

// Ensure blocks at and below a fork block are the other chain's, by number and by hash, with all they hold, and that
// blocks above it follow them.
func TestBlocksBelowTheForkBlock(t *testing.T) {
	t.Parallel()
	under := upstream(t)
	token := under.Token().Address()
	below, c := under.Moment().Chain(), forkOf(t, under, chain.Options{})
	base := c.Base()
	require.Equal(t, below.Head().Number(), base)
	require.Equal(t, below.Head().Hash(), c.Head().Hash())
	require.Nil(t, c.Genesis())
	require.Equal(t, base, c.Fork().Number())
	c = grow(t, c, 3)
	for n := range base + 4 {
		block, err := c.BlockAt(n)
		require.NoError(t, err)
		require.Equal(t, n, block.Number())
		require.Equal(t, n <= base, c.Ancestral(n))
		byHash, canonical, err := c.BlockWith(block.Hash())
		require.NoError(t, err)
		require.True(t, canonical)
		require.Equal(t, block.Hash(), byHash.Hash())
		if n > 0 {
			parent, err := c.Parent(block.Header())
			require.NoError(t, err)
			require.Equal(t, block.Header().ParentHash, parent.Hash())
		}
		state, err := c.StateAt(block)
		require.NoError(t, err)
		if n > base {
			require.Same(t, block, c.BlockByNumber(n))
			_, err = c.Proof(block, token, nil)
			require.ErrorIs(t, err, chain.ErrNoProof)
			continue
		}
		want := below.BlockByNumber(n)
		require.Equal(t, n == base, c.BlockByNumber(n) != nil)
		require.NoError(t, block.Load())
		require.Equal(t, want.Hash(), block.Header().Hash())
		require.Equal(t, want.Count(), block.Count())
		require.Equal(t, want.Logs(), block.Logs())
		require.Equal(t, want.Size(), block.Size())
		for i, receipt := range want.Receipts() {
			require.Equal(t, receipt.TxHash, block.Receipts()[i].TxHash)
			require.Equal(t, want.Sender(i), block.Sender(i))
			require.Equal(t, want.Transaction(i).Hash(), block.Transaction(i).Hash())
		}
		proof, err := c.Proof(block, token, []common.Hash{{1}})
		require.NoError(t, err)
		expected, err := below.Proof(want, token, []common.Hash{{1}})
		require.NoError(t, err)
		require.Equal(t, expected, proof)
		before, err := below.StateAt(want)
		require.NoError(t, err)
		require.Equal(t, before.Balance(under.Account(1).Address), state.Balance(under.Account(1).Address))
		again, err := c.StateAt(block)
		require.NoError(t, err)
		require.Same(t, state, again)
	}
	above, err := c.BlockAt(base + 4)
	require.NoError(t, err)
	require.Nil(t, above)
	none, _, err := c.BlockWith(common.Hash{1})
	require.NoError(t, err)
	require.Nil(t, none)
	parent, err := c.Parent(below.BlockByNumber(0).Header())
	require.NoError(t, err)
	require.Nil(t, parent)
}

// Ensure the logs of both chains come in order, in one list, and those of one side alone where only that is asked
// for.
func TestLogsAcrossTheForkBlock(t *testing.T) {
	t.Parallel()
	under := upstream(t)
	token := under.Token().Address()
	c := forkOf(t, under, chain.Options{})
	base := c.Base()
	own := types.MustSignNewTx(under.Account(1).Key, types.LatestSigner(c.Config()), &types.LegacyTx{
		Nonce: 5, To: &token, Gas: 100_000, GasPrice: big.NewInt(100 * gwei), Data: under.Moment().Latest().Block().Transaction(0).Data(),
	})
	for range 2 {
		c = grow(t, c, 1)
	}
	d, _, err := draft(t, c, chain.Env{}).Add(own, under.Account(1).Address)
	require.NoError(t, err)
	c, _ = seal(t, d)
	for _, test := range []struct {
		from, to uint64
		want     []uint64
	}{
		{0, 99, []uint64{1, 2, 3, 4, 5, base + 3}}, {2, 3, []uint64{2, 3}}, {5, 5, []uint64{5}}, {base, base + 3, []uint64{5, base + 3}},
		{base + 1, 99, []uint64{base + 3}}, {base + 3, base + 3, []uint64{base + 3}}, {4, 3, nil}, {base + 4, 99, nil}, {0, 0, nil},
	} {
		logs, err := c.Logs(chain.LogFilter{Addresses: []common.Address{token}}, test.from, test.to)
		require.NoError(t, err)
		var numbers []uint64
		for l := range logs {
			numbers = append(numbers, l.BlockNumber)
		}
		require.Equal(t, test.want, numbers, "%d to %d", test.from, test.to)
	}
	all, err := c.Logs(chain.LogFilter{}, 0, 99)
	require.NoError(t, err)
	for range all { // stopping early is fine on both sides
		break
	}
	require.Len(t, slices.Collect(all), 6)

	for _, test := range []struct{ from, to, blocks uint64 }{{0, 99, base + 1}, {2, 3, 2}, {base, base, 1}, {base + 1, 99, 0}, {3, 2, 0}} {
		fees, err := c.FeesBelow(test.from, test.to, []float64{50})
		require.NoError(t, err)
		if test.blocks == 0 {
			require.Nil(t, fees)
			continue
		}
		require.Len(t, fees.GasUsed, int(test.blocks), "%d to %d", test.from, test.to)
		require.EqualValues(t, test.from, fees.Oldest)
		require.Len(t, fees.Rewards, int(test.blocks))
	}
	plain, err := newChain(t, "osaka").FeesBelow(0, 1, nil)
	require.NoError(t, err)
	require.Nil(t, plain)
	require.False(t, newChain(t, "osaka").Ancestral(0))
}

// Ensure what a fork lacks when the other chain does not answer is an error of that, and a panic where there is none
// in the results.
func TestForkWhoseOtherChainIsGone(t *testing.T) {
	t.Parallel()
	under := upstream(t)
	known := under.Moment().Chain().BlockByNumber(1)
	c := forkOf(t, under, chain.Options{})
	require.NoError(t, under.Close())
	failed := new(remote.Error)
	for name, ask := range map[string]func() error{
		"number": func() error { _, err := c.BlockAt(1); return err },
		"hash":   func() error { _, _, err := c.BlockWith(known.Hash()); return err },
		"load":   func() error { return c.Head().Load() },
		"parent": func() error { _, err := c.Parent(known.Header()); return err },
		"proof":  func() error { _, err := c.Proof(c.Head(), common.Address{1}, nil); return err },
		"fees":   func() error { _, err := c.FeesBelow(0, 1, nil); return err },
		"logs":   func() error { _, err := c.Logs(chain.LogFilter{}, 0, 1); return err },
		"sender": func() error {
			d := draft(t, c, chain.Env{})
			_, _, err := d.Add(types.NewTx(&types.LegacyTx{Gas: 21_000, GasPrice: big.NewInt(gwei)}), common.Address{0x99})
			return err
		},
	} {
		require.ErrorAs(t, ask(), &failed, name)
	}
	func() {
		defer func() {
			err, _ := recover().(error)
			require.ErrorAs(t, err, &failed)
		}()
		c.Head().Transactions()
	}()
	require.EqualValues(t, c.Base()+1, grow(t, c, 1).Head().Number(), "what a block needs was fetched before")
}

// Ensure the hard fork of a fork block is known by its header, and by its precompiled contracts where headers are
// alike.
func TestHardforkOfTheForkBlock(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"istanbul", "london", "paris", "shanghai", "cancun", "prague", "osaka", "amsterdam"} {
		under := fakenode.RunConfigT(t, fakenode.Config{Hardfork: name})
		have, err := chain.HardforkAt(servertest.OpenFork(t, under.URL(), ""))
		require.NoError(t, err)
		require.Equal(t, name, have)
	}
	berlin, err := chain.HardforkAt(servertest.OpenFork(t, fakenode.RunConfigT(t, fakenode.Config{Hardfork: "berlin"}).URL(), ""))
	require.NoError(t, err)
	require.Equal(t, "istanbul", berlin, "nothing tells them apart")

	// Public chains are known by their id: their schedule counts, not what the header has.
	for _, test := range []struct {
		id   uint64
		at   int64
		want string
	}{
		{11155111, 1_700_000_000, "shanghai"}, {11155111, 1_720_000_000, "cancun"}, {560048, 1_745_000_000, "prague"}, {2, 1_700_000_000, "osaka"},
		{1, 1_700_000_000, "osaka"}, // a block of mainnet with that number was before London
	} {
		under := fakenode.RunConfigT(t, fakenode.Config{Hardfork: "osaka", ChainID: test.id, StartTime: time.Unix(test.at, 0)})
		have, err := chain.HardforkAt(servertest.OpenFork(t, under.URL(), ""))
		require.NoError(t, err)
		require.Equal(t, test.want, have, "%d", test.id)
	}
}

// Ensure a chain of blocks of 200 ms can be forked by its own rules, and its blocks have their times, below it too.
func TestForkOfMilliseconds(t *testing.T) {
	t.Parallel()
	under := fakenode.RunConfigT(t, fakenode.Config{Rules: fakenode.DenimRules})
	for range 7 {
		under.Seal()
	}
	f := servertest.OpenFork(t, under.URL(), "")
	rules := chain.OptimismAt(f)
	require.Equal(t, optimism.Denim, rules.Upgrade)
	below := under.Moment().Chain()
	c, err := chain.NewFork(f, below.Config(), evmstate.StateFromSource(f.At(f.Number())), chain.Options{Optimism: rules})
	require.NoError(t, err)
	c = grow(t, c, 2)
	for n := uint64(1); n <= c.Head().Number(); n++ {
		block, err := c.BlockAt(n)
		require.NoError(t, err)
		ms, ok := c.Milliseconds(block)
		require.True(t, ok)
		if n <= 7 {
			want, _ := below.Milliseconds(below.BlockByNumber(n))
			require.Equal(t, want, ms)
			guessed, ok := c.MillisecondsBelow(n, block.Time())
			require.True(t, ok)
			require.Equal(t, ms, guessed)
			_, ok = c.MillisecondsBelow(n, block.Time()+1)
			require.False(t, ok)
			continue
		}
		parent, err := c.BlockAt(n - 1)
		require.NoError(t, err)
		before, _ := c.Milliseconds(parent)
		require.Equal(t, before+200, ms)
		require.Empty(t, block.Requests())
	}
}

// Ensure blocks from before a chain had milliseconds have none, however many transactions they have, and those above
// them do: a fork of an Azul chain that becomes Denim.
func TestForkBeforeMilliseconds(t *testing.T) {
	t.Parallel()
	under := fakenode.RunConfigT(t, fakenode.Config{Rules: fakenode.AzulRules})
	under.Seal()
	_, err := under.Transact(under.Account(0), fakenode.Tx{To: &common.Address{1}, Gas: 21_000})
	require.NoError(t, err)
	under.Seal()
	require.Nil(t, chain.OptimismAt(servertest.OpenFork(t, under.URL(), "")))
	c := forkOf(t, under, chain.Options{Optimism: optimism.Denim.DefaultRules()})
	for n := uint64(1); n <= 2; n++ {
		block, err := c.BlockAt(n)
		require.NoError(t, err)
		require.EqualValues(t, n, block.Count())
		_, ok := c.Milliseconds(block)
		require.False(t, ok)
	}
	_, ok := c.MillisecondsBelow(1, under.Moment().Latest().Time())
	require.False(t, ok)
	c = grow(t, c, 1)
	ms, ok := c.Milliseconds(c.Head())
	require.True(t, ok)
	require.Equal(t, under.Moment().Latest().Time()*1000+200, ms)
}
