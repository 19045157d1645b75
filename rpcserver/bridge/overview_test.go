package bridge_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
)

// wait is a condition of a withdrawal in the answer of fakenode_bridge.
type wait struct {
	For   string
	Until *uint64
}

func until(cause string, time uint64) wait { return wait{cause, &time} }

// overview holds the members of fakenode_bridge's answer that the tests read.
type overview struct {
	L1, L2 struct {
		Number    uint64
		Timestamp uint64
	}
	Paused   bool
	Deposits []struct {
		L1TransactionHash, TransactionHash common.Hash
		L1BlockNumber                      uint64
		Value                              *hexutil.Big
		Derived                            bool
		BlockHash                          *common.Hash
		Succeeded                          *bool
	}
	Withdrawals []struct {
		TransactionHash   common.Hash
		Status            string
		Waits             []wait
		Game              *uint64
		L1TransactionHash *common.Hash
		Succeeded         *bool
	}
	Games []struct {
		Index, BlockNumber, CreatedAt uint64
		RootClaim                     common.Hash
		Status                        string
		Right, Blacklisted            bool
	}
	Origins []struct{ Number, FirstBlock, LastBlock uint64 }
}

// crossings is a node with an L1, whose transfers between the chains the tests read.
type crossings struct {
	*testing.T
	*fakenode.Node
}

func newCrossings(t *testing.T, distance uint64) crossings {
	return crossings{t, fakenode.RunConfigT(t, fakenode.Config{
		Preset: fakenode.Optimism, L1: true, L1Distance: distance, StartTime: time.Unix(1_800_000_000, 0), ProposeEvery: -1,
	})}
}

// overview asks both chains, which must give the same answer.
func (c crossings) overview() (above overview) {
	c.Helper()
	var below overview
	for path, answer := range map[string]*overview{"": &above, "/l1": &below} {
		client, err := rpc.DialContext(c.T.Context(), c.URL()+path)
		require.NoError(c, err)
		require.NoError(c, client.Call(answer, "fakenode_bridge"))
		client.Close()
	}
	require.Equal(c, above, below)
	return above
}

// send executes a transaction of account 0 in the next block of a chain.
func (c crossings) send(on *fakenode.Network, to common.Address, wei uint64, data []byte) common.Hash {
	c.Helper()
	hash, err := on.Transact(c.Account(0), fakenode.Tx{To: &to, Value: uint256.NewInt(wei), Data: data, Gas: 3_000_000})
	require.NoError(c, err)
	on.Seal()
	return hash
}

func (c crossings) deposit(wei uint64) common.Hash {
	c.Helper()
	payee := common.Address{1, 2, 3}
	return c.send(c.L1(), l1.Optimism.Portal, wei, l1.Deposit(payee, new(big.Int).SetUint64(wei), 21_000))
}

// prove proves the withdrawal of a transaction by a game about its block.
func (c crossings) prove(hash common.Hash, game uint64) {
	c.Helper()
	found, err := c.Moment().Find(hash)
	require.NoError(c, err)
	w, withdrawn, err := l1.WithdrawalIn(found.Receipt.Logs[0])
	require.NoError(c, err)
	proof, err := found.View.Proof(optimism.MessagePasser, []common.Hash{l1.WithdrawalSlot(withdrawn)})
	require.NoError(c, err)
	output := l1.OutputProof{StateRoot: found.View.Header().Root, MessagePasserStorageRoot: proof.StorageHash, LatestBlockhash: found.View.Hash()}
	c.send(c.L1(), l1.Optimism.Portal, 0, l1.Prove(w, game, output, proof.Storage[0].Proof))
}

// Ensure a deposit is under way until the L2 has its L1 block, moves and disappears with reorgs, and that of many
// deposits the answer has the newest.
func TestOverviewOfDeposits(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 1)
	require.Empty(t, c.overview().Deposits)
	sent := c.deposit(7)
	made := c.overview().Deposits
	require.Len(t, made, 1)
	require.Equal(t, sent, made[0].L1TransactionHash)
	require.EqualValues(t, 7, made[0].Value.ToInt().Int64())
	require.False(t, made[0].Derived)
	require.Nil(t, made[0].Succeeded)
	c.L1().Seal()
	begun := c.overview().Deposits[0]
	require.True(t, begun.Derived)
	require.Nil(t, begun.BlockHash, "it is in the block being built")
	c.Seal()
	derived := c.overview().Deposits[0]
	require.True(t, derived.Derived)
	require.True(t, *derived.Succeeded)
	require.Equal(t, made[0].TransactionHash, derived.TransactionHash)
	found, err := c.Moment().Find(derived.TransactionHash)
	require.NoError(t, err)
	require.Equal(t, *derived.BlockHash, found.View.Hash())

	_, err = c.L1().Reorg(fakenode.ReorgOptions{Depth: 2})
	require.NoError(t, err)
	moved := c.overview().Deposits
	require.Len(t, moved, 1)
	require.Equal(t, sent, moved[0].L1TransactionHash)
	require.NotEqual(t, derived.TransactionHash, moved[0].TransactionHash)
	depth := int(c.L1().BlockNumber() - moved[0].L1BlockNumber + 1)
	_, err = c.L1().Reorg(fakenode.ReorgOptions{Depth: depth, Transactions: fakenode.Drop})
	require.NoError(t, err)
	require.Empty(t, c.overview().Deposits)

	for wei := range uint64(60) {
		c.deposit(wei + 1)
	}
	all := c.overview().Deposits
	require.Len(t, all, 50)
	for i, d := range all {
		require.EqualValues(t, 60-i, d.Value.ToInt().Int64())
	}
}

// Ensure each withdrawal lists its conditions until it is paid, to the second, and that a game that can no longer count
// is ignored.
func TestOverviewOfWithdrawals(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	const day = 24 * 3600
	started := c.send(c.Network, optimism.MessagePasser, 5, l1.Withdraw(common.Address{9}, 21_000))
	at := c.BlockNumber()
	shows := func(status string, waits ...wait) {
		t.Helper()
		w := c.overview().Withdrawals
		require.Len(t, w, 1)
		require.Equal(t, started, w[0].TransactionHash)
		require.Equal(t, status, w[0].Status)
		require.Equal(t, append([]wait{}, waits...), w[0].Waits)
	}
	shows("waiting-to-prove", wait{For: "game"})
	propose := func(root *common.Hash) common.Hash {
		t.Helper()
		made, err := c.Bridge().Propose(&at, root)
		require.NoError(t, err)
		c.L1().Seal()
		return made.Root
	}
	wrong := propose(&common.Hash{1})
	shows("waiting-to-prove", wait{For: "game"})
	propose(nil)
	shows("ready-to-prove")
	got := c.overview()
	require.EqualValues(t, 1, *got.Withdrawals[0].Game)
	require.Len(t, got.Games, 2)
	require.True(t, got.Games[0].Right)
	require.False(t, got.Games[1].Right)
	require.Equal(t, wrong, got.Games[1].RootClaim)
	require.NotEqual(t, common.Hash{1}, wrong, "the claim is a super root with that output root")
	require.Equal(t, at, got.Games[1].BlockNumber)
	pause := func(paused bool) {
		t.Helper()
		_, err := c.Bridge().Pause(paused)
		require.NoError(t, err)
		c.L1().Seal()
		require.Equal(t, paused, c.overview().Paused)
	}
	pause(true)
	shows("waiting-to-prove", wait{For: "unpause"})
	pause(false)

	c.prove(started, 1)
	proven, made := c.overview().L1.Timestamp, c.overview().Games[0].CreatedAt
	over := made + 7*day/2
	shows("waiting-to-finalize", until("maturity", proven+7*day+1), until("resolution", over), until("finality", over+7*day/2+1))
	require.NoError(t, c.Timeline().IncreaseTime(7*day/2*time.Second))
	c.L1().Seal()
	c.L1().Seal()
	resolved := c.overview()
	require.Equal(t, "defender", resolved.Games[0].Status)
	last := resolved.Withdrawals[0].Waits
	require.Len(t, last, 2)
	require.Equal(t, until("maturity", proven+7*day+1), last[0])
	require.Equal(t, "finality", last[1].For)
	require.NoError(t, c.Timeline().IncreaseTime(time.Duration(*last[1].Until-resolved.L1.Timestamp)*time.Second))
	c.L1().Seal()
	shows("ready-to-finalize")
	pause(true)
	shows("waiting-to-finalize", wait{For: "unpause"})
	pause(false)
	id := c.Snapshot()

	found, err := c.Moment().Find(started)
	require.NoError(t, err)
	w, _, err := l1.WithdrawalIn(found.Receipt.Logs[0])
	require.NoError(t, err)
	paid := c.send(c.L1(), l1.Optimism.Portal, 0, l1.Finalize(w))
	shows("finalized")
	require.Equal(t, paid, *c.overview().Withdrawals[0].L1TransactionHash)
	require.True(t, *c.overview().Withdrawals[0].Succeeded)
	require.EqualValues(t, 1, *c.overview().Withdrawals[0].Game)
	_, err = c.L1().Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	shows("ready-to-finalize")

	_, err = c.Bridge().Blacklist(1)
	require.NoError(t, err)
	c.L1().Seal()
	shows("waiting-to-prove", wait{For: "game"})
	require.True(t, c.overview().Games[0].Blacklisted)

	require.NoError(t, c.Revert(id))
	shows("ready-to-finalize")
	depth := int(c.BlockNumber() - at + 1)
	_, err = c.Reorg(fakenode.ReorgOptions{Depth: depth, Transactions: fakenode.Drop, Force: true})
	require.NoError(t, err)
	require.Empty(t, c.overview().Withdrawals)
	require.False(t, c.overview().Games[0].Right, "it claims what was")
}

// Ensure every L2 block is in the list of one of the origins, and that a node without an L1 has no overview.
func TestOverviewOfOrigins(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	c.Advance(3 * time.Minute)
	_, err := c.L1().Reorg(fakenode.ReorgOptions{Depth: 2})
	require.NoError(t, err)
	got := c.overview()
	chain, next := c.Moment().Chain(), c.BlockNumber()
	for _, origin := range got.Origins {
		require.Equal(t, next, origin.LastBlock)
		for n := origin.FirstBlock; n <= origin.LastBlock; n++ {
			require.Equal(t, origin.Number, chain.L1(chain.BlockByNumber(n)).Number)
		}
		next = origin.FirstBlock - 1
	}
	require.Zero(t, next+1, "down to the genesis")
	require.Equal(t, c.L1().BlockNumber(), got.L1.Number)

	c.Advance(11 * time.Minute)
	require.Len(t, c.overview().Origins, 50)
	client, err := rpc.DialContext(t.Context(), fakenode.RunT(t).URL())
	require.NoError(t, err)
	require.ErrorContains(t, client.Call(nil, "fakenode_bridge"), "start the node with --l1")
}

// Ensure the configuration of the rollup names the account that posts the L2's data, the L1 block that its genesis
// refers to and the least base fee.
func TestRollupConfig(t *testing.T) {
	t.Parallel()
	least := uint64(7_000_000)
	c := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: true, Fees: fakenode.FeeRules{MinBaseFee: &least}})
	var config struct {
		Genesis struct {
			L1           struct{ Hash common.Hash }
			SystemConfig struct {
				BatcherAddr common.Address
				MinBaseFee  uint64
			} `json:"system_config"`
		}
	}
	require.NoError(t, c.Client().Client().Call(&config, "optimism_rollupConfig"))
	require.Equal(t, fakenode.L1Operator.Address, config.Genesis.SystemConfig.BatcherAddr)
	require.Equal(t, c.L1().Moment().Chain().BlockByNumber(0).Hash(), config.Genesis.L1.Hash)
	require.Equal(t, least, config.Genesis.SystemConfig.MinBaseFee)
}
