package bridge_test

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
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
		Hash      common.Hash
		Number    uint64
		Timestamp uint64
	}
	Paused   bool
	Deposits []struct {
		L1TransactionHash, L1BlockHash, TransactionHash common.Hash
		L1BlockNumber                                   uint64
		From                                            common.Address
		To                                              *common.Address
		Mint, Value                                     *hexutil.Big
		Derived                                         bool
		BlockHash                                       *common.Hash
		BlockNumber                                     *uint64
		Succeeded                                       *bool
	}
	Withdrawals []struct {
		WithdrawalHash, TransactionHash, BlockHash common.Hash
		BlockNumber                                uint64
		Sender, Target                             common.Address
		Value                                      *hexutil.Big
		Status                                     string
		Waits                                      []wait
		Game                                       *uint64
		ProvenAt                                   *uint64
		Prover                                     *common.Address
		L1TransactionHash                          *common.Hash
		Succeeded                                  *bool
	}
	Games []struct {
		Index, BlockNumber, CreatedAt uint64
		RootClaim                     common.Hash
		Status                        string
		Right, Blacklisted            bool
		ResolvedAt                    *uint64
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
		Preset: fakenode.Optimism, L1: &fakenode.L1Config{Distance: distance, ProposeEvery: -1}, StartTime: time.Unix(1_800_000_000, 0),
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

// withdrawal returns the withdrawal of a transaction, its hash and the block that it is in.
func (c crossings) withdrawal(of common.Hash) (l1.Withdrawal, common.Hash, *preconf.View) {
	c.Helper()
	found, err := c.Moment().Find(of)
	require.NoError(c, err)
	logs := found.Receipt.Logs
	i := slices.IndexFunc(logs, func(log *types.Log) bool { return log.Address == optimism.MessagePasser })
	require.GreaterOrEqual(c, i, 0, "no withdrawal")
	w, hash, err := l1.WithdrawalIn(logs[i])
	require.NoError(c, err)
	return w, hash, found.View
}

// prove proves the withdrawal of a transaction by a game about its block.
func (c crossings) prove(of common.Hash, game uint64) {
	c.Helper()
	w, hash, view := c.withdrawal(of)
	proof, err := view.Proof(optimism.MessagePasser, []common.Hash{l1.WithdrawalSlot(hash)})
	require.NoError(c, err)
	output := l1.OutputProof{StateRoot: view.Header().Root, MessagePasserStorageRoot: proof.StorageHash, LatestBlockhash: view.Hash()}
	c.send(c.L1(), l1.Optimism.Portal, 0, l1.Prove(w, game, output, proof.Storage[0].Proof))
}

// mature passes the time until a proven withdrawal can be finalized.
func (c crossings) mature() {
	c.Helper()
	for range 2 {
		require.NoError(c, c.Timeline().IncreaseTime(4*24*time.Hour))
		c.L1().Seal()
		c.L1().Seal()
	}
}

// finalize pays the proven withdrawal of a transaction.
func (c crossings) finalize(of common.Hash) common.Hash {
	c.Helper()
	w, _, _ := c.withdrawal(of)
	return c.send(c.L1(), l1.Optimism.Portal, 0, l1.Finalize(w))
}

// Ensure a deposit is under way until the L2 has its L1 block, and moves and disappears with reorgs.
func TestOverviewOfDeposits(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 1)
	require.Empty(t, c.overview().Deposits)
	sent := c.deposit(7)
	made := c.overview().Deposits
	require.Len(t, made, 1)
	require.Equal(t, []common.Hash{sent, c.L1().Moment().Latest().Hash()}, []common.Hash{made[0].L1TransactionHash, made[0].L1BlockHash})
	require.Equal(t, []common.Address{c.Account(0).Address, {1, 2, 3}}, []common.Address{made[0].From, *made[0].To})
	require.Equal(t, []int64{7, 7}, []int64{made[0].Mint.ToInt().Int64(), made[0].Value.ToInt().Int64()})
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
}

// Ensure a withdrawal is told with what it waits for and, once it is paid, with its payment; package rollup has the
// times.
func TestOverviewOfWithdrawals(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	const day = 24 * 3600
	started := c.send(c.Network, optimism.MessagePasser, 5, l1.Withdraw(common.Address{9}, 21_000))
	at := c.BlockNumber()
	begun, upper, lower := c.overview(), c.Moment().Latest(), c.L1().Moment().Latest()
	require.Equal(t, []common.Hash{upper.Hash(), lower.Hash()}, []common.Hash{begun.L2.Hash, begun.L1.Hash})
	w := begun.Withdrawals[0]
	require.Equal(t, []any{"waiting-to-prove", []wait{{For: "game"}}}, []any{w.Status, w.Waits})
	require.Equal(t, []common.Address{c.Account(0).Address, {9}}, []common.Address{w.Sender, w.Target})
	require.EqualValues(t, 5, w.Value.ToInt().Int64())
	require.Equal(t, []any{started, upper.Hash(), at}, []any{w.TransactionHash, w.BlockHash, w.BlockNumber})
	require.NotZero(t, w.WithdrawalHash)
	require.Nil(t, w.ProvenAt)
	require.Nil(t, w.Prover)
	made, err := c.Bridge().Propose(&at, nil)
	require.NoError(t, err)
	_, err = c.Bridge().Pause(true)
	require.NoError(t, err)
	c.L1().Seal()
	paused := c.overview()
	require.True(t, paused.Paused)
	require.EqualValues(t, 0, *paused.Withdrawals[0].Game)
	require.Equal(t, []wait{{For: "unpause"}}, paused.Withdrawals[0].Waits)
	game := paused.Games[0]
	require.Equal(t, []any{made.Root, at, true}, []any{game.RootClaim, game.BlockNumber, game.Right})
	_, err = c.Bridge().Pause(false)
	require.NoError(t, err)
	c.L1().Seal()
	c.prove(started, 0)
	over := game.CreatedAt + 7*day/2
	waits := []wait{until("maturity", c.overview().L1.Timestamp+7*day+1), until("resolution", over), until("finality", over+7*day/2+1)}
	require.Equal(t, waits, c.overview().Withdrawals[0].Waits)
	c.mature()
	require.Equal(t, "defender", c.overview().Games[0].Status)
	paid := c.finalize(started)
	w = c.overview().Withdrawals[0]
	require.Equal(t, []any{"finalized", paid, true}, []any{w.Status, *w.L1TransactionHash, *w.Succeeded})
	_, err = c.Bridge().Blacklist(0)
	require.NoError(t, err)
	c.L1().Seal()
	require.True(t, c.overview().Games[0].Blacklisted)
}

// Ensure the origins are told with their L2 blocks, and that a node without an L1 has no overview.
func TestOverviewOfOrigins(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	c.Advance(3 * time.Minute)
	newest := c.overview().Origins[0]
	chain := c.Moment().Chain()
	require.Equal(t, c.BlockNumber(), newest.LastBlock)
	require.Equal(t, newest.Number, chain.L1(chain.BlockByNumber(newest.FirstBlock)).Number)
	client, err := rpc.DialContext(t.Context(), fakenode.RunT(t).URL())
	require.NoError(t, err)
	require.ErrorContains(t, client.Call(nil, "fakenode_bridge"), "start the node with --l1")
}

// Ensure deposits that create a contract, mint nothing or fail are shown as that, and a withdrawal by who proved it and
// whether its call failed.
func TestUnusualCrossings(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	failing := common.Address{0xfa}
	c.SetCode(failing, []byte{0xfe})
	sent := c.send(c.L1(), l1.Optimism.Portal, 0, l1.Deposit(failing, common.Big0, 50_000))
	c.Seal()
	c.Seal()
	d := c.overview().Deposits[0]
	require.Equal(t, sent, d.L1TransactionHash)
	require.Zero(t, d.Mint.ToInt().Sign())
	require.True(t, d.Derived)
	require.False(t, *d.Succeeded)
	block := c.Moment().Chain().BlockByNumber(*d.BlockNumber)
	require.Equal(t, d.L1BlockNumber, c.Moment().Chain().L1(block).Number)

	target := common.Address{9}
	c.L1().SetCode(target, []byte{0xfe})
	started := c.send(c.Network, optimism.MessagePasser, 5, l1.Withdraw(target, 21_000))
	at := c.BlockNumber()
	_, err := c.Bridge().Propose(&at, nil)
	require.NoError(t, err)
	c.L1().Seal()
	c.prove(started, 0)
	w := c.overview().Withdrawals[0]
	require.Equal(t, c.L1().Moment().Latest().Time(), *w.ProvenAt)
	require.Equal(t, c.Account(0).Address, *w.Prover)
	require.Nil(t, w.Succeeded)
	require.Nil(t, c.overview().Games[0].ResolvedAt)
	c.mature()
	require.Equal(t, "ready-to-finalize", c.overview().Withdrawals[0].Status)
	require.NotNil(t, c.overview().Games[0].ResolvedAt)
	c.finalize(started)
	w = c.overview().Withdrawals[0]
	require.Equal(t, "finalized", w.Status)
	require.False(t, *w.Succeeded)
}
