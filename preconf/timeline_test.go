package preconf_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// A transaction is in the pool, then pre-confirmed, then sealed.
func TestPaymentThroughTheTimeline(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	to := common.HexToAddress("0x10000000000000000000000000000000000000aa")
	tx := accounts[0].pay(0, to, 7)

	send(t, timeline, tx)
	m := timeline.Moment()
	found := find(t, m, tx.Hash())
	require.True(t, found.Present())
	require.Nil(t, found.View)
	require.Zero(t, balance(t, m.Pending(), to))
	require.EqualValues(t, 1, m.PoolNonce(accounts[0].address))

	p := advance(t, timeline, 200*time.Millisecond)
	require.Equal(t, preconf.Progress{Time: start.Add(200 * time.Millisecond), FlashblockIndex: 0}, p)
	m = timeline.Moment()
	found = find(t, m, tx.Hash())
	require.True(t, found.Executed())
	require.True(t, found.View.Pending())
	require.Equal(t, common.Hash{}, found.View.Hash())
	require.Equal(t, common.Hash{}, found.Receipt.BlockHash)
	require.EqualValues(t, 1, found.Receipt.BlockNumber.Uint64())
	require.EqualValues(t, 7, balance(t, m.Pending(), to))
	require.Zero(t, balance(t, m.Latest(), to))
	require.EqualValues(t, start.Unix()+2, m.Pending().Time())

	p = advance(t, timeline, 1800*time.Millisecond)
	require.Equal(t, preconf.Progress{Time: start.Add(2 * time.Second), BlockNumber: 1, FlashblockIndex: 0}, p)
	m = timeline.Moment()
	require.EqualValues(t, 7, balance(t, m.Latest(), to))
	found = find(t, m, tx.Hash())
	require.True(t, found.Executed())
	require.Equal(t, m.Latest().Hash(), found.Receipt.BlockHash)
	require.EqualValues(t, start.Unix()+2, m.Latest().Time())
}
