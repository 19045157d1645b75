package rollup_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/rollup"
)

// pair is an L2 whose L1 makes a block each second, so that waits end to the second.
type pair struct {
	*testing.T
	*fakenode.Node
	at l1.Addresses
}

func newPair(t *testing.T, preset fakenode.Preset) pair {
	at := l1.Optimism
	if preset == fakenode.Base {
		at = l1.Base
	}
	return pair{t, fakenode.RunConfigT(t, fakenode.Config{
		Preset: preset, L1: &fakenode.L1Config{BlockTime: time.Second, ProposeEvery: -1}, StartTime: time.Unix(1_800_000_000, 0),
	}), at}
}

// overview returns the present overview.
func (p pair) overview() *rollup.Overview {
	p.Helper()
	o, err := p.Bridge().Overview()
	require.NoError(p, err)
	return o
}

// do executes a command of the bridge in the next block of the L1.
func (p pair) do(hash common.Hash, err error) {
	p.Helper()
	require.NoError(p, err)
	p.L1().Seal()
	found, err := p.L1().Moment().Find(hash)
	require.NoError(p, err)
	require.Equal(p, types.ReceiptStatusSuccessful, found.Receipt.Status)
}

// send sends a transaction of account 0.
func (p pair) send(on *fakenode.Network, to common.Address, wei uint64, data []byte) common.Hash {
	p.Helper()
	hash, err := on.Transact(p.Account(0), fakenode.Tx{To: &to, Value: uint256.NewInt(wei), Data: data, Gas: 3_000_000})
	require.NoError(p, err)
	return hash
}

func (p pair) deposit(wei uint64) common.Hash {
	p.Helper()
	return p.send(p.L1(), p.at.Portal, wei, l1.Deposit(common.Address{1, 2, 3}, new(big.Int).SetUint64(wei), 21_000))
}

// propose makes a game about a block with a root, nil for the right one.
func (p pair) propose(number uint64, root *common.Hash) {
	p.Helper()
	made, err := p.Bridge().Propose(&number, root)
	require.NoError(p, err)
	require.Equal(p, number, made.Number)
	p.do(made.Transaction, nil)
}

// until lets the next block of the L1 have a time.
func (p pair) until(seconds uint64) {
	p.Helper()
	require.NoError(p, p.Timeline().IncreaseTime(time.Duration(seconds-uint64(p.Now().Unix()))*time.Second))
	p.L1().Seal()
	require.Equal(p, seconds, p.L1().Moment().Latest().Time())
}

// prove proves a withdrawal by a game about its block.
func (p pair) prove(w l1.Withdrawal, hash common.Hash, at, game uint64) {
	p.Helper()
	v, err := p.Moment().ByNumber(at)
	require.NoError(p, err)
	proof, err := v.Proof(optimism.MessagePasser, []common.Hash{l1.WithdrawalSlot(hash)})
	require.NoError(p, err)
	output, err := rollup.OutputAt(p.Moment(), at)
	require.NoError(p, err)
	require.Equal(p, rollup.Output{StateRoot: v.Header().Root, PasserRoot: proof.StorageHash, BlockHash: v.Hash()}, output)
	made := l1.OutputProof{StateRoot: output.StateRoot, MessagePasserStorageRoot: output.PasserRoot, LatestBlockhash: output.BlockHash}
	p.do(p.send(p.L1(), p.at.Portal, 0, l1.Prove(w, game, made, proof.Storage[0].Proof)), nil)
}

// Ensure a withdrawal says what it waits for and until when, to the second, until it is paid.
func TestWithdrawal(t *testing.T) {
	t.Parallel()
	p := newPair(t, fakenode.Optimism)
	const day = 24 * 3600
	sent := p.send(p.Network, optimism.MessagePasser, 5, l1.Withdraw(common.Address{9}, 21_000))
	p.Seal()
	at := p.BlockNumber()
	shows := func(stage rollup.Stage, game int, waits ...rollup.Wait) rollup.Withdrawal {
		t.Helper()
		all := p.overview().Withdrawals
		require.Len(t, all, 1)
		w := all[0]
		require.Equal(t, []any{sent, stage, waits}, []any{w.Log.TxHash, w.Stage, w.Waits})
		require.Equal(t, game < 0, w.Game == nil)
		require.True(t, game < 0 || w.Game.Index == uint64(game), "game %d", game)
		require.Equal(t, stage == rollup.Finalized, w.Payment != nil)
		return w
	}
	first := shows(rollup.WaitingToProve, -1, rollup.Wait{For: rollup.ForGame})
	require.EqualValues(t, 5, first.Value.Int64())
	require.Equal(t, common.Address{9}, first.Target)
	p.propose(at, &common.Hash{1})
	shows(rollup.WaitingToProve, -1, rollup.Wait{For: rollup.ForGame})
	p.do(p.Bridge().Pause(true))
	require.True(t, p.overview().Paused)
	shows(rollup.WaitingToProve, -1, rollup.Wait{For: rollup.ForGame}, rollup.Wait{For: rollup.ForUnpause})
	p.do(p.Bridge().Pause(false))
	p.propose(at, nil)
	p.Advance(4 * time.Second)
	p.propose(p.BlockNumber(), nil)
	shows(rollup.ReadyToProve, 1)
	p.do(p.Bridge().Pause(true))
	shows(rollup.WaitingToProve, 1, rollup.Wait{For: rollup.ForUnpause})
	p.do(p.Bridge().Pause(false))
	p.do(p.Bridge().Resolve(1, l1.ChallengerWins))
	require.Equal(t, l1.ChallengerWins, p.overview().Games[1].Status)
	p.propose(at, &common.Hash{2})
	p.propose(p.BlockNumber(), nil)
	shows(rollup.ReadyToProve, 2)

	p.do(p.Bridge().Blacklist(2))
	require.True(t, p.overview().Games[2].Blacklisted)
	later := p.overview().Games[0].Number
	require.Greater(t, later, at)
	game := shows(rollup.ReadyToProve, 4).Game
	p.Advance(10 * time.Minute)
	p.propose(at+1, nil)
	p.prove(first.Withdrawal, first.Hash, later, 4)
	proven := p.L1().Moment().Latest().Time()
	maturity, over := rollup.Wait{For: rollup.ForMaturity, Until: proven + 7*day + 1}, game.Created+7*day/2
	finality := func(end uint64) rollup.Wait { return rollup.Wait{For: rollup.ForFinality, Until: end + 7*day/2 + 1} }
	w := shows(rollup.WaitingToFinalize, 4, maturity, rollup.Wait{For: rollup.ForResolution, Until: over}, finality(over))
	require.Equal(t, &l1.Proof{Submitter: p.Account(0).Address, Game: game.Address, Time: proven}, w.Proof)
	p.until(over - 1)
	require.Equal(t, l1.InProgress, p.overview().Games[1].Status)
	shows(rollup.WaitingToFinalize, 4, maturity, rollup.Wait{For: rollup.ForResolution, Until: over}, finality(over))
	p.L1().Seal()
	require.Equal(t, l1.DefenderWins, p.overview().Games[1].Status, "in the first block that is made then")
	shows(rollup.WaitingToFinalize, 4, maturity, finality(over))
	p.until(finality(over).Until - 1)
	shows(rollup.WaitingToFinalize, 4, maturity, finality(over))
	p.L1().Seal()
	shows(rollup.WaitingToFinalize, 4, maturity)
	p.do(p.Bridge().Pause(true))
	shows(rollup.WaitingToFinalize, 4, maturity, rollup.Wait{For: rollup.ForUnpause})
	p.do(p.Bridge().Pause(false))
	p.until(maturity.Until - 1)
	shows(rollup.WaitingToFinalize, 4, maturity)
	p.L1().Seal()
	shows(rollup.ReadyToFinalize, 4)
	id := p.Snapshot()

	paid := p.send(p.L1(), p.at.Portal, 0, l1.Finalize(first.Withdrawal))
	p.do(paid, nil)
	w = shows(rollup.Finalized, 4)
	require.Equal(t, paid, w.Payment.TxHash)
	require.Equal(t, first.Hash, w.Payment.Topics[1])
	p.do(p.Bridge().Blacklist(4))
	shows(rollup.Finalized, 4)

	require.NoError(t, p.Revert(id))
	p.do(p.Bridge().Blacklist(4))
	shows(rollup.ReadyToProve, 5)
	slot := common.Hash{31: 1} // of the registry: from its beginning, up to when games do not count
	state, err := p.L1().Moment().Latest().State()
	require.NoError(t, err)
	word := state.Storage(p.at.Registry, slot)
	big.NewInt(0).SetUint64(p.overview().Games[0].Created - 1).FillBytes(word[:8])
	p.L1().SetStorage(p.at.Registry, slot, word)
	require.Equal(t, []bool{false, true}, []bool{p.overview().Games[0].Retired, p.overview().Games[1].Retired})
	shows(rollup.ReadyToProve, 5)
	big.NewInt(0).SetUint64(p.overview().Games[0].Created).FillBytes(word[:8])
	p.L1().SetStorage(p.at.Registry, slot, word)
	require.True(t, p.overview().Games[0].Retired)
	shows(rollup.WaitingToProve, -1, rollup.Wait{For: rollup.ForGame})
}

// Ensure the newest 50 deposits, games and origins are listed, the last one first and each once, however far apart.
func TestOverviewHasTheNewest(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	p := newPair(t, fakenode.Base)
	wei := uint64(0)
	for _, blocks := range []int{0, 62, 1, 1, 70, 140, 0} {
		for range blocks {
			p.L1().Seal()
		}
		wei++
		p.deposit(wei)
		p.L1().Seal()
	}
	shows := func(newest, count uint64) {
		t.Helper()
		all := p.overview().Deposits
		require.Len(t, all, int(count))
		for i, d := range all {
			require.Equal(t, newest-uint64(i), d.Value.Uint64())
			require.Equal(t, p.at.Portal, d.Log.Address)
			require.Equal(t, d.Hash(), d.Found.Transaction.Hash())
		}
	}
	p.Seal()
	shows(7, 7)
	for range 42 {
		wei++
		p.deposit(wei)
	}
	p.L1().Seal()
	p.Seal()
	shows(49, 49)
	for range 2 {
		wei++
		p.deposit(wei)
	}
	p.L1().Seal()
	p.Seal()
	shows(51, 50)
	o := p.overview()
	require.Len(t, o.Origins, 50)
	require.Equal(t, o.L1.Number(), p.L1().BlockNumber())
	chain, next, number := p.Moment().Chain(), p.BlockNumber(), o.Origins[0].Origin.Number
	for i, epoch := range o.Origins {
		require.Equal(t, number-uint64(i), epoch.Origin.Number)
		require.Equal(t, next, epoch.Last)
		for n := epoch.First; n <= epoch.Last; n++ {
			require.Equal(t, epoch.Origin, chain.L1(chain.BlockByNumber(n)))
		}
		next = epoch.First - 1
	}
}
