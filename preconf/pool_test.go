package preconf_test

import (
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// executed are the nonces by sender in the order of execution.
func executed(txs evmstate.Transactions) (order [][2]uint64) {
	for _, tx := range txs.Signed() {
		from, _ := types.Sender(signer, tx)
		for i, a := range accounts {
			if a.address == from {
				order = append(order, [2]uint64{uint64(i), tx.Nonce()})
			}
		}
	}
	return order
}

func TestGapsWaitAndAreFilled(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	a := accounts[0]
	send(t, timeline, a.pay(1, sink, 1), a.pay(3, sink, 1))
	require.Empty(t, preconfirm(t, timeline).Transactions)
	m := timeline.Moment()
	require.Zero(t, m.PoolNonce(a.address))
	for _, p := range m.Pool() {
		require.True(t, p.Queued)
	}
	send(t, timeline, a.pay(0, sink, 1))
	m = timeline.Moment()
	require.EqualValues(t, 2, m.PoolNonce(a.address))
	var queued []bool
	for _, p := range m.Pool() {
		queued = append(queued, p.Queued)
	}
	require.Equal(t, []bool{false, true, false}, queued)
	require.Len(t, preconfirm(t, timeline).Transactions, 2)
	require.Equal(t, 1, timeline.Moment().PoolSize())
}

// Instant mode: the receipt is there when Send returns, one block each, however many send.
func TestInstantFromManyGoroutines(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Mode: control.Instant})
	var wait sync.WaitGroup
	for _, a := range accounts {
		wait.Go(func() {
			for nonce := range uint64(5) {
				tx := a.pay(nonce, sink, 1)
				if err := timeline.Send(tx); err != nil {
					t.Errorf("send: %v", err)
				}
				found, err := timeline.Moment().Find(tx.Hash())
				if err != nil || !found.Executed() || found.View.Pending() || len(found.View.Transactions()) != 1 {
					t.Errorf("%v: not alone in a block", tx.Hash())
				}
			}
		})
	}
	wait.Wait()
	m := timeline.Moment()
	require.EqualValues(t, 40, m.Latest().Number())
	require.EqualValues(t, 40, balance(t, m.Latest(), sink))
}

func TestInstantFillsGapsAndReportsDrops(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Mode: control.Instant})
	feed := timeline.Subscribe()
	defer feed.Close()
	send(t, timeline, accounts[0].emit(1, 1, 1))
	require.Zero(t, timeline.Moment().Latest().Number())
	send(t, timeline, accounts[0].pay(0, sink, 1))
	require.EqualValues(t, 2, timeline.Moment().Latest().Number())
	require.Equal(t, []string{"pooled 1", "pooled 0", "flashblock 1.0", "head 1", "flashblock 2.0", "head 2", "logs 2: [1 1]"}, drain(t, feed))

	// Code at the sender makes execution reject what the pool cannot know (EIP-3607).
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithCode(accounts[1].address, []byte{0})
	}))
	require.ErrorContains(t, timeline.Send(accounts[1].pay(0, sink, 1)), "sender not an eoa")
}

// A transaction is found by sender and nonce wherever it is, impersonated ones too.
func TestFindNonce(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	of := func(nonce uint64) (hash common.Hash, pending, sealed bool) {
		found, err := timeline.Moment().FindNonce(accounts[0].address, nonce)
		require.NoError(t, err)
		if found.Where == preconf.Unknown {
			return common.Hash{}, false, false
		}
		require.Equal(t, accounts[0].address, found.Sender)
		return found.Transaction.Hash(), found.Where == preconf.Preconfirmed, found.Where == preconf.Sealed
	}
	for nonce := range uint64(3) {
		tx := accounts[0].pay(nonce, sink, 1)
		send(t, timeline, accounts[1].pay(nonce, sink, 1), tx)
		for step, do := range []func(){
			func() {}, func() { preconfirm(t, timeline) }, func() { seal(t, timeline, 1) }, func() { seal(t, timeline, 3) },
		} {
			do()
			hash, pending, sealed := of(nonce)
			require.Equal(t, tx.Hash(), hash)
			require.Equal(t, []bool{step == 1, step >= 2}, []bool{pending, sealed})
		}
	}
	hash, _, _ := of(3)
	require.Zero(t, hash)
	reorg(t, timeline, preconf.ReorgOptions{Depth: 12, Length: new(1), Transactions: preconf.Drop})
	hash, _, _ = of(0)
	require.Zero(t, hash, "gone with its block")
}

// Ensure what a reorg gives back replaces a transaction of the same nonce, which control methods may have let in.
func TestRequeueOntoAnOccupiedNonce(t *testing.T) {
	t.Parallel()
	resetNonce := func(s *evmstate.State) *evmstate.State { return s.WithNonce(accounts[0].address, 0) }
	first, second := accounts[0].pay(0, sink, 1), accounts[0].pay(0, sink, 2)
	timeline := newTimeline(t, preconf.Config{})
	send(t, timeline, first)
	seal(t, timeline, 1)
	require.NoError(t, timeline.EditState(resetNonce))
	send(t, timeline, second)
	id := timeline.Snapshot()
	reorg(t, timeline, preconf.ReorgOptions{Depth: 1, Length: new(0)})
	m := timeline.Moment()
	require.Equal(t, 1, m.PoolSize())
	require.ErrorContains(t, find(t, m, second.Hash()).Reason, "replaced by "+first.Hash().Hex())
	require.NoError(t, find(t, m, first.Hash()).Reason)
	require.EqualValues(t, 1, m.PoolNonce(accounts[0].address))

	// Both of them sealed: the later one is given back.
	require.NoError(t, timeline.Revert(id))
	seal(t, timeline, 1)
	reorg(t, timeline, preconf.ReorgOptions{Depth: 2, Length: new(0)})
	m = timeline.Moment()
	require.Equal(t, 1, m.PoolSize())
	require.ErrorIs(t, find(t, m, first.Hash()).Reason, pool.ErrReorged)
	found := find(t, m, second.Hash())
	require.True(t, found.Present())
}

// Ensure a chain without EIP-1559 rejects transactions that have it, and makes other blocks after a reorg.
func TestBeforeLondon(t *testing.T) {
	t.Parallel()
	timeline := under(t, "istanbul", preconf.Config{})
	send(t, timeline, types.MustSignNewTx(accounts[0].key, signer, &types.LegacyTx{To: &sink, Gas: 21_000, GasPrice: gwei}))
	require.ErrorIs(t, timeline.Send(accounts[4].pay(0, sink, 1)), core.ErrTxTypeNotSupported)
	seal(t, timeline, 1)
	first := timeline.Moment().Latest().Hash()
	reorg(t, timeline, preconf.ReorgOptions{Depth: 1, Length: new(1)})
	require.NotEqual(t, first, timeline.Moment().Latest().Hash())
}

// Ensure an account's authorization of its own takes a nonce in the pool as it does in a block, so that the next
// transaction comes behind both (EIP-7702).
func TestAuthorizationTakesANonceInThePool(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	from, chainID := accounts[0], uint256.MustFromBig(signer.ChainID())
	authorization := func(by account, nonce uint64) types.SetCodeAuthorization {
		signed, err := types.SignSetCode(by.key, types.SetCodeAuthorization{ChainID: *chainID, Address: emitter, Nonce: nonce})
		require.NoError(t, err)
		return signed
	}
	delegation := types.MustSignNewTx(from.key, signer, &types.SetCodeTx{
		ChainID: chainID, GasFeeCap: uint256.NewInt(2e9), GasTipCap: uint256.NewInt(1), Gas: 200_000, To: sink,
		AuthList: []types.SetCodeAuthorization{authorization(accounts[1], 1), authorization(from, 7), authorization(from, 1), authorization(from, 2), authorization(accounts[1], 3)},
	})
	send(t, timeline, delegation)
	require.EqualValues(t, 3, timeline.Moment().PoolNonce(from.address))
	next := from.pay(3, sink, 1)
	send(t, timeline, next)
	require.Equal(t, preconf.Place{Where: preconf.Pooled}, timeline.Moment().Place(next.Hash()))
	require.Len(t, preconfirm(t, timeline).Transactions, 2, "in one flashblock")
	require.EqualValues(t, 4, timeline.Moment().PoolNonce(from.address))
}

// Ensure an authorization that another account sends takes the nonce from its authority when it is executed, not in the
// pool: the authority's next nonce is the one that it authorized, a transaction with the nonce after it waits, and of
// two with the same nonce the one that is executed later is void (EIP-7702).
func TestAuthorizationSentByAnother(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	authority, sender, chainID := accounts[0], accounts[1], uint256.MustFromBig(signer.ChainID())
	authorization, err := types.SignSetCode(authority.key, types.SetCodeAuthorization{ChainID: *chainID, Address: emitter})
	require.NoError(t, err)
	delegation := types.MustSignNewTx(sender.key, signer, &types.SetCodeTx{
		ChainID: chainID, GasFeeCap: uint256.NewInt(9e9), GasTipCap: uint256.NewInt(8e9), Gas: 200_000, To: sink,
		AuthList: []types.SetCodeAuthorization{authorization},
	})
	send(t, timeline, delegation)
	require.Zero(t, timeline.Moment().PoolNonce(authority.address))
	same, after := authority.pay(0, sink, 1), authority.pay(1, sink, 1)
	send(t, timeline, same)
	send(t, timeline, after)
	for _, next := range []*types.Transaction{delegation, after} {
		executed := preconfirm(t, timeline).Transactions
		require.Len(t, executed, 1)
		require.Equal(t, next.Hash(), executed[0].Hash())
	}
	require.ErrorIs(t, timeline.Moment().Place(same.Hash()).Reason, core.ErrNonceTooLow)
	require.EqualValues(t, 2, timeline.Moment().PoolNonce(authority.address))
}
