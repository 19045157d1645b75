package keeping_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
)

// newWorld returns a new world of a node.
func newWorld(t *testing.T, of *fakenode.Node, name string) *fakenode.Node {
	t.Helper()
	world, err := of.NewWorld(fakenode.WorldOptions{Name: name, Owner: "of " + name, TTL: time.Hour})
	require.NoError(t, err)
	return world
}

// worldsOf returns the answer of fakenode_worlds.
func worldsOf(t *testing.T, node *fakenode.Node) (worlds []map[string]any) {
	t.Helper()
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	require.NoError(t, client.Call(&worlds, "fakenode_worlds"))
	return worlds
}

// againWithWorlds is again for a node with worlds, and ensures that these are the same, too.
func againWithWorlds(t *testing.T, node *fakenode.Node, config fakenode.Config) *fakenode.Node {
	t.Helper()
	listed := worldsOf(t, node)
	pictures := make(map[string][2]picture)
	for _, w := range listed {
		world := node.World(w["name"].(string))
		pictures[world.Name()] = [2]picture{pictureOf(t, world.Network), pictureOf(t, world.Testnet())}
	}
	restored := again(t, node, config)
	require.Equal(t, listed, worldsOf(t, restored))
	for name, was := range pictures {
		world := restored.World(name)
		require.Equal(t, was, [2]picture{pictureOf(t, world.Network), pictureOf(t, world.Testnet())}, name)
	}
	return restored
}

// spend sends a transfer from an account, with the nonce that is due at pending.
func spend(t *testing.T, node *fakenode.Node, from int, wei int64) *types.Transaction {
	t.Helper()
	state, err := node.Moment().Pending().State()
	require.NoError(t, err)
	tx := transfer(t, node, from, state.Nonce(node.Account(from).Address), wei)
	require.NoError(t, node.Send(tx))
	return tx
}

// Ensure worlds are at the next start what they were when the node was stopped: those of the node, of snapshots and of
// other worlds, each with its blocks, orphans, edits, pool, pending block, clock and faults, and that all go on as if
// nothing had happened.
func TestStateKeepsWorlds(t *testing.T) {
	t.Parallel()
	config := keptConfig(t)
	node := fakenode.RunConfigT(t, config)
	whale, contract, code := common.Address{0xaa}, common.Address{0xcc}, []byte{1, 2, 3}
	edit := func(n *fakenode.Node, wei uint64) {
		t.Helper()
		require.NoError(t, n.Timeline().EditState(func(s *evmstate.State) *evmstate.State {
			return s.WithBalance(whale, uint256.NewInt(wei)).WithStorage(whale, common.Hash{1}, common.Hash{byte(wei)})
		}))
	}
	for range 4 {
		spend(t, node, 1, 100)
		node.Seal()
	}
	early := node.Snapshot()
	edit(node, 1)
	node.Seal()
	_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1})
	require.NoError(t, err)

	idle := newWorld(t, node, "idle") // nothing ever happens in it
	shop := newWorld(t, node, "shop")
	shop.Token().Mint(shop.Account(0).Address, fixtures.USD("1"))
	spend(t, shop, 2, 7)
	shop.Seal()
	edit(shop, 2)
	shop.Seal()
	_, err = shop.Reorg(fakenode.ReorgOptions{Depth: 3, Length: new(1)})
	require.NoError(t, err)
	require.NoError(t, shop.Timeline().EditState(func(s *evmstate.State) *evmstate.State { return s.WithCode(contract, code) }))
	copied := newWorld(t, shop, "copy")
	edit(copied, 3)
	copied.Seal()
	edit(shop, 4)
	preconfirmed, waiting := spend(t, shop, 3, 1), transfer(t, shop, 4, 9, 1)
	shop.Preconfirm()
	require.NoError(t, shop.Send(waiting))
	_, err = shop.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.OmitTransactions, Hashes: []common.Hash{waiting.Hash()}})
	require.NoError(t, err)
	require.NoError(t, shop.Timeline().Set(preconf.Safe(2)))
	shop.Testnet().Advance(10 * time.Second)
	then, err := node.NewWorld(fakenode.WorldOptions{Name: "then", Snapshot: &early})
	require.NoError(t, err)
	then.Seal()
	node.Seal()

	// What a world was copied from may take blocks away that the world has.
	require.NoError(t, node.Revert(early))
	node.Seal()
	shop = nil

	for range 2 {
		node = againWithWorlds(t, node, config)
		require.EqualValues(t, 6, node.World("idle").BlockNumber())
		require.Equal(t, idle.Moment().Latest().Hash(), node.World("idle").Moment().Latest().Hash())
		shop = node.World("shop")
		require.Equal(t, fakenode.Preconfirmed, shop.Place(preconfirmed.Hash()).Where)
		require.Equal(t, fakenode.Pooled, shop.Place(waiting.Hash()).Where)
		require.Equal(t, fakenode.Unknown, node.Place(preconfirmed.Hash()).Where)
		state, err := node.World("copy").Moment().Latest().State()
		require.NoError(t, err)
		require.EqualValues(t, 3, state.Balance(whale).Uint64())
		require.Equal(t, code, state.Code(contract))
	}
	for i, name := range []string{"idle", "shop", "copy", "then"} {
		world := node.World(name)
		_, err := world.Reorg(fakenode.ReorgOptions{Depth: 2})
		require.NoError(t, err)
		edit(world, 10+uint64(i))
		world.Seal()
		newWorld(t, world, "of-"+name).Seal()
	}
	againWithWorlds(t, node, config)
}

// Ensure the blocks that worlds share with what they are copies of are in the file once, so that a world with one block
// takes a few KiB, and that one that was closed takes nothing.
func TestStateSharesBlocksOfWorlds(t *testing.T) {
	t.Parallel()
	config := keptConfig(t)
	node := fakenode.RunConfigT(t, config)
	for range 100 {
		node.Seal()
	}
	golden := newWorld(t, node, "golden")
	for range 100 {
		golden.Seal()
	}
	require.NoError(t, node.Close())
	one := bytesOfWorlds(t, config.State)
	require.Greater(t, one, 100*1_000) // its hundred blocks

	node = fakenode.RunConfigT(t, config)
	for i := range 10 {
		newWorld(t, node.World("golden"), fmt.Sprint("w", i)).Seal()
	}
	node = againWithWorlds(t, node, config)
	require.NoError(t, node.Close())
	require.Less(t, bytesOfWorlds(t, config.State)-one, 10*6_000)

	node = fakenode.RunConfigT(t, config)
	require.NoError(t, node.World("golden").Close())
	for i := range 10 {
		require.NoError(t, node.World(fmt.Sprint("w", i)).Close())
	}
	require.NoError(t, node.Close())
	require.Zero(t, bytesOfWorlds(t, config.State))
}

// bytesOfWorlds returns how many bytes of keys and values a file has for worlds.
func bytesOfWorlds(t *testing.T, path string) (sum int) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
	require.NoError(t, err)
	defer db.Close()
	var count func(*bbolt.Bucket) error
	count = func(bucket *bbolt.Bucket) error {
		return bucket.ForEach(func(k, v []byte) error {
			sum += len(k) + len(v)
			if v == nil {
				return count(bucket.Bucket(k))
			}
			return nil
		})
	}
	require.NoError(t, db.View(func(tx *bbolt.Tx) error { return count(tx.Bucket([]byte("copies"))) }))
	return sum
}

// Ensure worlds stay in the file while they are switched off, and are there again when they are on, however few there
// may be; then no more can be made until there are few enough.
func TestStateKeepsWorldsThatAreOff(t *testing.T) {
	t.Parallel()
	config := keptConfig(t)
	node := fakenode.RunConfigT(t, config)
	for _, name := range []string{"a", "b", "c"} {
		newWorld(t, node, name).Seal()
	}
	require.NoError(t, node.Close())
	for _, off := range []func(*fakenode.Config){
		func(c *fakenode.Config) { c.Worlds.Count = -1 },
		func(c *fakenode.Config) { c.NoControl = true },
	} {
		without := config
		off(&without)
		node := fakenode.RunConfigT(t, without)
		node.Seal()
		require.Nil(t, node.NetworkAt("/w/a"))
		require.NoError(t, node.Close())
	}
	config.Worlds.Count = 2
	node = fakenode.RunConfigT(t, config)
	require.Len(t, worldsOf(t, node), 3)
	_, err := node.NewWorld(fakenode.WorldOptions{Name: "d"})
	require.ErrorContains(t, err, "the limit is 2 worlds")
	require.NoError(t, node.World("a").Close())
	require.NoError(t, node.World("b").Close())
	newWorld(t, node, "d")
	require.Len(t, worldsOf(t, againWithWorlds(t, node, config)), 2)
}

// Ensure a damaged world makes the file a damaged one, and that recovering gives back the rest: the world up to the
// damage, all others whole, and without those that are copies of what is lost.
func TestRecoverWorlds(t *testing.T) {
	t.Parallel()
	config := keptConfig(t)
	node := fakenode.RunConfigT(t, config)
	for range 3 {
		spend(t, node, 1, 1)
		node.Seal()
	}
	other, shop := newWorld(t, node, "other"), newWorld(t, node, "shop")
	spend(t, other, 2, 1)
	other.Seal()
	var third *types.Transaction
	for i := range 4 {
		tx := spend(t, shop, 2, 5)
		shop.Seal()
		switch i {
		case 1:
			node = again(t, node, config)
			shop = node.World("shop")
			newWorld(t, shop, "early").Seal()
			node = again(t, node, config)
			shop = node.World("shop")
		case 2:
			third = tx
		}
	}
	newWorld(t, shop, "late").Seal()
	other = node.World("other")
	require.NoError(t, node.Close())
	_, r, _ := third.RawSignatureValues()
	damaged := flipped(t, config.State, r.Bytes())

	_, err := fakenode.New(config)
	require.ErrorContains(t, err, config.State+" is damaged: network main of world shop: record 6: ")
	require.ErrorContains(t, err, "goes on from block 3 of the main network and 0 of the test network, with what is whole of 3 worlds")
	text, err := os.ReadFile(config.State)
	require.NoError(t, err)
	require.True(t, bytes.Equal(damaged, text), "the damaged file is touched")

	var log bytes.Buffer
	config.Recover, config.State = config.State, filepath.Join(t.TempDir(), "new.db")
	config.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	recovered := fakenode.RunConfigT(t, config)
	for _, line := range []string{
		`msg="a world is left out" world=late reason="one of its networks is missing"`,
		`msg="nothing is left of a network of a world" network="main of world late"`,
		`msg="recovered what is whole; the damaged file is as it was" from=` + config.Recover + " into=" + config.State + " block=3 testnet=0",
	} {
		require.Equal(t, 1, strings.Count(log.String(), line), log.String())
	}
	require.Equal(t, 3, strings.Count(log.String(), "level=WARN"), log.String())
	require.EqualValues(t, 3, recovered.BlockNumber())
	require.Equal(t, other.Moment().Latest().Hash(), recovered.World("other").Moment().Latest().Hash())
	require.EqualValues(t, 5, recovered.World("shop").BlockNumber())
	require.EqualValues(t, 6, recovered.World("early").BlockNumber())
	require.Nil(t, recovered.NetworkAt("/w/late"))
	state, err := recovered.World("shop").Moment().Latest().State()
	require.NoError(t, err)
	require.Equal(t, big.NewInt(3+10), state.Balance(common.Address{0xbb}).ToBig())
	recovered.World("shop").Seal()
	config.Recover = ""
	againWithWorlds(t, recovered, config)
}
