package keeping_test

import (
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/preconf/control"
)

// keptConfig is a node that is kept in a new file.
func keptConfig(t *testing.T) fakenode.Config {
	t.Helper()
	return fakenode.Config{State: filepath.Join(t.TempDir(), "state.db"), StartTime: time.Unix(1_800_000_000, 0), Preset: fakenode.BaseFlashblocks}
}

// again stops a node, starts another with the same settings, and ensures that it is the same.
func again(t *testing.T, node *fakenode.Node, config fakenode.Config) *fakenode.Node {
	t.Helper()
	main, test := pictureOf(t, node.Network), pictureOf(t, node.Testnet())
	require.NoError(t, node.Close())
	restored := fakenode.RunConfigT(t, config)
	require.Equal(t, main, pictureOf(t, restored.Network))
	require.Equal(t, test, pictureOf(t, restored.Testnet()))
	return restored
}

// transfer returns a signed transfer of wei from an account on the main network.
func transfer(t *testing.T, node *fakenode.Node, from int, nonce uint64, wei int64) *types.Transaction {
	t.Helper()
	chainID := node.Moment().Chain().Config().ChainID
	tx, err := types.SignNewTx(node.Account(from).Key, types.LatestSignerForChainID(chainID), &types.DynamicFeeTx{
		ChainID: chainID, Nonce: nonce, GasFeeCap: big.NewInt(1e11), GasTipCap: big.NewInt(1), Gas: 21_000, To: &common.Address{0xbb}, Value: big.NewInt(wei),
	})
	require.NoError(t, err)
	return tx
}

// picture lists the answers of a network to requests: all of its state that a user can see.
type picture struct {
	Blocks          []blockPicture
	Orphans         []common.Hash
	Pending         *types.Header
	Flashblock      int
	Preconfirmed    []common.Hash
	Next            *types.Header
	Pool            []poolPicture
	Now             time.Time
	Mode            string
	BlockTime       time.Duration
	Coinbase        common.Address
	Edited          bool
	Faults          []control.ArmedFault
	Holds           []control.Hold
	Weather         []control.Forecast
	Safe, Finalized uint64
}

type poolPicture struct {
	Hash   common.Hash
	Sender common.Address
	Queued bool
}

type blockPicture struct {
	Hash, Root common.Hash
	Logs       int
}

func pictureOf(t *testing.T, n *fakenode.Network) picture {
	t.Helper()
	m := n.Moment()
	p := picture{
		Pending: m.Pending().Header(), Flashblock: m.Pending().FlashblockIndex(), Next: m.NextHeader(),
		Now: m.Now(), Mode: m.Mode().String(), BlockTime: m.BlockTime(), Coinbase: m.Control().Settings.Coinbase, Edited: m.Control().Edited,
		Faults: m.Control().Faults.Armed(), Holds: m.Holds(), Weather: m.Weather(),
		Safe: m.Safe().Number(), Finalized: m.Finalized().Number(),
	}
	for _, tx := range m.Pending().Transactions() {
		p.Preconfirmed = append(p.Preconfirmed, tx.Hash())
	}
	for _, tx := range m.Pool() {
		p.Pool = append(p.Pool, poolPicture{tx.Tx.Hash(), tx.From, tx.Queued})
	}
	for _, orphan := range m.Sealed().Orphans() {
		p.Orphans = append(p.Orphans, orphan.Hash())
	}
	for n := m.Sealed().Base(); n <= m.Sealed().Head().Number(); n++ {
		block := m.Sealed().BlockByNumber(n)
		state, err := m.Sealed().StateAt(block)
		require.NoError(t, err, "state of block %d", n)
		p.Blocks = append(p.Blocks, blockPicture{block.Hash(), state.Root(), len(block.Logs())})
	}
	return p
}

// Ensure blocks that an announced revert removes stay readable when the snapshot has a late block, are orphans of the
// late block's chain, and are kept.
func TestStateKeepsOrphansBesideLateBlock(t *testing.T) {
	t.Parallel()
	config := keptConfig(t)
	node := fakenode.RunConfigT(t, config)
	_, err := node.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.LateBlock})
	require.NoError(t, err)
	node.Seal()
	require.True(t, node.Moment().Late())
	early := node.Snapshot()
	node.Seal()
	removed := node.Seal()
	require.NoError(t, node.Timeline().RevertAnnounced(early))
	_, err = node.Moment().ByHash(removed)
	require.NoError(t, err)
	require.NoError(t, node.Close())
	node = fakenode.RunConfigT(t, config) // the late block is head now
	_, err = node.Moment().ByHash(removed)
	require.NoError(t, err)
	node.Seal()
	view, err := node.Moment().ByHash(removed)
	require.NoError(t, err)
	require.True(t, view.Orphan())
}

// requireDerived ensures that every block of the main network refers to a block that its L1 has, by the rules.
func requireDerived(t *testing.T, node *fakenode.Node) {
	t.Helper()
	l2, l1 := node.Moment().Chain(), node.L1().Moment().Chain()
	for n := uint64(1); n <= l2.Head().Number(); n++ {
		b := l2.BlockByNumber(n)
		origin, before := l2.L1(b), l2.L1(l2.BlockByNumber(n-1))
		require.LessOrEqual(t, origin.Number-before.Number, uint64(1), "block %d", n)
		require.LessOrEqual(t, origin.Time, b.Time(), "block %d", n)
		require.Equal(t, l1.BlockByNumber(origin.Number).Hash(), origin.Hash, "block %d", n)
	}
}

// Ensure a node with an L1 that is started again is the one that was stopped, its worlds too, and that the file says
// whether there is one.
func TestL1IsKept(t *testing.T) {
	t.Parallel()
	config := keptConfig(t)
	config.L1 = new(fakenode.L1Config)
	node := fakenode.RunConfigT(t, config)
	node.Advance(40 * time.Second)
	world, err := node.NewWorld(fakenode.WorldOptions{Name: "other"})
	require.NoError(t, err)
	_, err = world.L1().Reorg(fakenode.ReorgOptions{Depth: 2})
	require.NoError(t, err)
	node.L1().Seal()
	l1, of := pictureOf(t, node.L1()), pictureOf(t, world.L1())
	heads := []common.Hash{world.Moment().Latest().Hash(), world.L1().Moment().Latest().Hash()}

	node = again(t, node, config)
	require.Equal(t, l1, pictureOf(t, node.L1()))
	requireDerived(t, node)
	world = node.World("other")
	require.Equal(t, of, pictureOf(t, world.L1()))
	require.Equal(t, heads, []common.Hash{world.Moment().Latest().Hash(), world.L1().Moment().Latest().Hash()})
	requireDerived(t, world)
	world.L1().Seal()
	of = pictureOf(t, world.L1())
	node = again(t, node, config)
	require.Equal(t, of, pictureOf(t, node.World("other").L1()), "at the start after that, too")
	node.Advance(30 * time.Second)
	require.Equal(t, node.Now(), node.L1().Now())
	requireDerived(t, node)
	require.NoError(t, node.Close())

	config.L1 = nil
	_, err = fakenode.New(config)
	require.ErrorContains(t, err, "--l1 must be given again")
	without := keptConfig(t)
	require.NoError(t, fakenode.RunConfigT(t, without).Close())
	without.L1 = new(fakenode.L1Config)
	_, err = fakenode.New(without)
	require.ErrorContains(t, err, "keeps a network without an L1 beside it")
}
