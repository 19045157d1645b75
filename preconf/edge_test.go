package preconf_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// under starts a timeline by the rules of a hard fork.
func under(t *testing.T, fork string, cfg preconf.Config) *preconf.Timeline {
	t.Helper()
	config, err := chain.ForkConfig(fork, 31337)
	require.NoError(t, err)
	g := *genesis
	g.Config = config
	g.Alloc = chain.SystemContracts(config)
	for _, a := range accounts {
		g.Alloc[a.address] = types.Account{Balance: ether}
	}
	if !config.IsLondon(new(big.Int)) {
		g.BaseFee = nil
	}
	if !config.IsShanghai(new(big.Int), g.Timestamp) {
		g.Difficulty = new(big.Int)
	}
	cfg.Chain, err = chain.New(&g, chain.Options{})
	require.NoError(t, err)
	return newTimeline(t, cfg)
}

// Ensure the timestamp of the next block is not before the earliest nor after the latest that there can be.
func TestNextBlockTimeBounds(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	first := uint64(start.Unix())
	require.Equal(t, &control.TimeError{Given: first, Earliest: first + 1}, timeline.SetNextBlockTime(first))
	require.ErrorContains(t, timeline.SetNextBlockTime(control.LatestTime+1), "6000000000")
	before := timeline.Moment()
	require.NoError(t, timeline.SetNextBlockTime(first+1))
	require.NotSame(t, before, timeline.Moment())
	seal(t, timeline, 1)
	require.Equal(t, first+1, timeline.Moment().Latest().Time())
	require.NoError(t, timeline.SetNextBlockTime(control.LatestTime))
	seal(t, timeline, 1)
	require.EqualValues(t, control.LatestTime, timeline.Moment().Latest().Time())
}

// Ensure rules without a base fee or blobs, and a chain without L1, have none to set and no weather of it.
func TestQuantitiesThatRulesLack(t *testing.T) {
	t.Parallel()
	course := func(of control.Quantity) control.Weather {
		return control.Weather{Of: of, Shape: control.Ramp, To: big.NewInt(1e9), Blocks: 3}
	}
	berlin, shanghai := under(t, "berlin", preconf.Config{}), under(t, "shanghai", preconf.Config{})
	before := berlin.Moment()
	require.EqualError(t, berlin.SetNextBaseFee(big.NewInt(1)), "a base fee is not supported before EIP-1559 is active")
	require.EqualError(t, berlin.SetWeather(course(control.OfBaseFee)),
		"weather of baseFee: blocks have no base fee before london")
	require.Same(t, before, berlin.Moment())
	require.NoError(t, shanghai.SetNextBaseFee(big.NewInt(1)))
	require.EqualError(t, shanghai.SetWeather(course(control.OfBlobBaseFee)),
		"weather of blobBaseFee: blocks have no blobs: want ethereum's rules from cancun on")
	cancun := under(t, "cancun", preconf.Config{})
	for _, of := range []control.Quantity{control.OfBaseFee, control.OfBlobBaseFee, control.OfTip} {
		require.NoError(t, cancun.SetWeather(course(of)), of)
	}
	require.Len(t, cancun.Moment().Weather(), 3)
	for _, of := range []control.Quantity{control.OfL1BaseFee, control.OfL1BlobBaseFee} {
		require.ErrorIs(t, cancun.SetWeather(course(of)), preconf.ErrNoRollup)
	}
	_, err := newJovian(t, preconf.Config{}).Moment().Latest().AccessList()
	require.NoError(t, err)
}

// Ensure a course of the tip is what is proposed, from the present tip on, and each caller may change what it gets.
func TestTipWeather(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	require.Equal(t, gwei, timeline.Moment().SuggestedTip())
	course := control.Weather{Of: control.OfTip, Shape: control.Ramp, To: big.NewInt(3e9), Blocks: 3}
	require.NoError(t, timeline.SetWeather(course))
	for _, want := range []int64{1e9, 2e9, 3e9, 1e9} {
		tip := timeline.Moment().SuggestedTip()
		require.EqualValues(t, want, tip.Int64())
		tip.SetInt64(7)
		require.EqualValues(t, want, timeline.Moment().SuggestedTip().Int64())
		seal(t, timeline, 1)
	}
}

// Ensure a tip of zero is refused where nodes ask for one, unless blocks cost nothing.
func TestLeastTip(t *testing.T) {
	t.Parallel()
	free := func(nonce uint64) *types.Transaction {
		return accounts[0].sign(types.DynamicFeeTx{Nonce: nonce, To: &emitter, GasTipCap: new(big.Int)})
	}
	timeline := newTimeline(t, preconf.Config{PaysTip: true})
	err := timeline.Send(free(0))
	require.ErrorIs(t, err, txpool.ErrTxGasPriceTooLow)
	require.ErrorContains(t, err, "gas tip cap 0, minimum needed 1")
	require.NoError(t, timeline.Send(accounts[0].sign(types.DynamicFeeTx{To: &emitter, GasTipCap: big.NewInt(1)})))
	require.NoError(t, timeline.SetNextBaseFee(new(big.Int)))
	require.NoError(t, timeline.Send(free(1)))
	require.NoError(t, newTimeline(t, preconf.Config{}).Send(free(0)), "nobody asks for one")
}

// Ensure a change to sealing at once seals what is pre-confirmed, and what waits in the pool unless it is to wait.
func TestInstantFromPending(t *testing.T) {
	t.Parallel()
	for _, waits := range []bool{false, true} {
		timeline := newTimeline(t, preconf.Config{Waits: waits})
		send(t, timeline, accounts[0].pay(0, emitter, 0))
		preconfirm(t, timeline)
		send(t, timeline, accounts[1].pay(0, emitter, 0))
		require.NoError(t, timeline.SetMode(control.Instant))
		m := timeline.Moment()
		require.EqualValues(t, 1, find(t, m, accounts[0].pay(0, emitter, 0).Hash()).View.Number())
		require.Equal(t, waits, m.PoolSize() == 1)
		if waits {
			require.EqualValues(t, 1, m.Latest().Number())
		} else {
			require.EqualValues(t, 2, m.Latest().Number())
		}
	}
}

// Ensure a block has a time in milliseconds by the rules of Denim alone.
func TestMilliseconds(t *testing.T) {
	t.Parallel()
	plain := newTimeline(t, preconf.Config{})
	preconfirm(t, plain)
	for _, v := range []*preconf.View{plain.Moment().Latest(), plain.Moment().Pending()} {
		ms, ok := v.Milliseconds()
		require.False(t, ok)
		require.Zero(t, ms)
		require.NoError(t, v.LoadTime())
	}
	denim := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base, StartTime: start}).Timeline()
	seal(t, denim, 3)
	for n := range uint64(4) {
		v, err := denim.Moment().ByNumber(n)
		require.NoError(t, err)
		require.NoError(t, v.LoadTime())
		ms, ok := v.Milliseconds()
		require.True(t, ok)
		require.Equal(t, uint64(start.UnixMilli())+200*n, ms)
	}
}

// Ensure a pending block has the state of before its newest flashblock, and proofs of its own.
func TestEarlierState(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	payee := common.Address{0xaa}
	earlier := func() uint64 {
		state, err := timeline.Moment().Pending().Earlier()
		require.NoError(t, err)
		return state.Balance(payee).Uint64()
	}
	for n := range uint64(3) {
		send(t, timeline, accounts[0].pay(n, payee, 5))
		preconfirm(t, timeline)
		require.Equal(t, 5*n, earlier())
		v := timeline.Moment().Pending()
		state, err := v.State()
		require.NoError(t, err)
		require.EqualValues(t, 5*n+5, state.Balance(payee).Uint64())
		proof, err := v.Proof(payee, nil)
		require.NoError(t, err)
		require.EqualValues(t, 5*n+5, proof.Balance.Uint64())
	}
	seal(t, timeline, 1)
	send(t, timeline, accounts[0].pay(3, payee, 5))
	preconfirm(t, timeline)
	require.EqualValues(t, 15, earlier(), "the head's")
}

// Ensure blocks have an access list from Amsterdam on, whose hash is in the header so far, and grows with the block.
func TestPendingAccessList(t *testing.T) {
	t.Parallel()
	timeline := under(t, "amsterdam", preconf.Config{})
	var before common.Hash
	for n := range uint64(2) {
		send(t, timeline, accounts[0].pay(n, common.Address{0xaa, byte(n)}, 1))
		preconfirm(t, timeline)
		v := timeline.Moment().Pending()
		list, err := v.AccessList()
		require.NoError(t, err)
		hash := v.HeaderSoFar().BlockAccessListHash
		require.Equal(t, list.Hash(), *hash)
		require.NotEqual(t, before, *hash)
		before = *hash
	}
	seal(t, timeline, 1)
	latest := timeline.Moment().Latest()
	list, err := latest.AccessList()
	require.NoError(t, err)
	require.Equal(t, list.Hash(), *latest.Header().BlockAccessListHash)
	old := newTimeline(t, preconf.Config{})
	preconfirm(t, old)
	require.Nil(t, old.Moment().Pending().HeaderSoFar().BlockAccessListHash)
	none, err := old.Moment().Pending().AccessList()
	require.NoError(t, err)
	require.Nil(t, none)
}

// Ensure a wait for a sealed block does not end with the pre-confirmation, and ends with the reason of a drop.
func TestWaitSealed(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	tx := accounts[0].pay(0, emitter, 0)
	send(t, timeline, tx)
	waiter := timeline.Waiter()
	preconfirm(t, timeline)
	seal(t, timeline, 1)
	found, err := waiter.Wait(t.Context(), tx.Hash())
	require.NoError(t, err)
	require.Equal(t, preconf.Preconfirmed, found.Where)
	found, err = waiter.WaitSealed(t.Context(), tx.Hash())
	require.NoError(t, err)
	require.Equal(t, preconf.Sealed, found.Where)
	require.EqualValues(t, 1, found.View.Number())
}

// Ensure a transaction of a block under a fork is found with its place and receipt, one that nobody sent is not, and
// sending says where the other chain does not answer.
func TestFindUnderAFork(t *testing.T) {
	t.Parallel()
	below := fakenode.RunT(t)
	hash, err := below.Transact(below.Account(0), fakenode.Tx{To: &common.Address{0xaa}})
	require.NoError(t, err)
	below.Seal()
	below.Seal()
	timeline := forkOf(t, below)
	m := timeline.Moment()
	found := find(t, m, hash)
	require.Equal(t, preconf.Sealed, found.Where)
	require.Equal(t, below.Account(0).Address, found.Sender)
	require.EqualValues(t, 1, found.View.Number())
	require.Zero(t, found.Index)
	require.Equal(t, hash, found.Receipt.TxHash)
	require.Equal(t, hash, found.Transaction.Hash())
	require.Equal(t, preconf.Unknown, find(t, m, common.Hash{1}).Where)
	require.Equal(t, preconf.Unknown, find(t, newTimeline(t, preconf.Config{}).Moment(), hash).Where)
	for nonce, where := range map[uint64]preconf.Where{0: preconf.Sealed, 1: preconf.Unknown} {
		found, err := m.FindNonce(below.Account(0).Address, nonce)
		require.NoError(t, err)
		require.Equal(t, where, found.Where, nonce)
	}
	sent, err := timeline.SendAs(below.Account(0).Address, nil, func(nonce uint64) (*types.Transaction, error) {
		require.EqualValues(t, 1, nonce)
		return types.NewTx(&types.LegacyTx{Nonce: nonce, To: &emitter, Gas: 50_000, GasPrice: big.NewInt(1e11)}), nil
	})
	require.NoError(t, err)
	preconfirm(t, timeline)
	require.Equal(t, preconf.Preconfirmed, find(t, timeline.Moment(), sent.Hash()).Where)
	require.NoError(t, below.Close())
	_, err = timeline.SendAs(common.Address{0xbb}, nil, func(uint64) (*types.Transaction, error) {
		require.Fail(t, "the nonce is not known")
		return nil, nil
	})
	require.ErrorContains(t, err, "fork")
}
