package preconf

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf/control"
)

// notKept lists the fields of a world that a restart does not keep by Saved, with the reason.
var notKept = map[string]string{
	"cfg":           "the new configuration holds",
	"chain":         "package store keeps blocks, states and orphans",
	"late":          "a late block counts as announced",
	"lastAnnounced": "the pending block says whether its newest flashblock is it",
	"blobs":         "blocks have none: they are those of a run's own transactions",
	"below":         "the L1 below is a network of its own in the file",
}

// kept lists the fields of a world that Saved keeps. TestSavedKeepsEverything asks for each of them.
var kept = []string{"control", "pool", "dropped", "tip"}

// Ensure each field of a world is kept by a restart, or is known not to be.
func TestFieldsOfWorldAreKept(t *testing.T) {
	t.Parallel()
	for _, field := range reflect.VisibleFields(reflect.TypeFor[world]()) {
		if _, ok := notKept[field.Name]; !ok {
			require.Contains(t, kept, field.Name, "a restart must keep it, or notKept must say why not")
		}
	}
}

// filler sets values to distinct ones that are not zero.
type filler struct{ n int64 }

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch value := v.Addr().Interface().(type) {
	case **big.Int:
		*value = big.NewInt(f.n)
		return
	case *big.Int:
		value.SetInt64(f.n)
		return
	case *control.Deposits:
		*value = control.Deposits{{SourceHash: common.Hash{byte(f.n)}, Mint: big.NewInt(f.n), Value: big.NewInt(f.n), Data: []byte{}}}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0))
	case reflect.Array:
		f.fill(v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString(fmt.Sprint("value ", f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(f.n)
	case reflect.Uint8:
		v.SetUint(uint64(f.n%255 + 1))
	case reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.n))
	default:
		panic("fill cannot set " + v.Type().String())
	}
}

// missing returns the path of a field with a zero value, "" if there is none. Of values of other packages, which have
// JSON forms of their own, it is enough that something is set.
func missing(v reflect.Value, path string) string {
	switch {
	case v.IsZero():
		return path
	case v.Type() == reflect.TypeFor[big.Int]() || v.Type() == reflect.TypeFor[optimism.Deposit]():
		return ""
	case v.Kind() == reflect.Pointer:
		return missing(v.Elem(), path)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if at := missing(v.Field(i), path+"."+v.Type().Field(i).Name); at != "" {
				return at
			}
		}
	case v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem().Kind() != reflect.Uint8:
		return missing(v.Index(0), path+"[0]")
	}
	return ""
}

// savedAgain returns the timeline that goes on from what a file would hold of another one, before it is used. Edits
// change its configuration.
func savedAgain(t *testing.T, timeline *Timeline, edits ...func(*Config)) *Timeline {
	t.Helper()
	m := timeline.Moment()
	text, err := json.Marshal(m.Saved())
	require.NoError(t, err)
	saved := new(Saved)
	require.NoError(t, json.Unmarshal(text, saved))
	cfg := timeline.Config()
	cfg.Chain, cfg.Saved = m.Sealed(), saved
	for _, edit := range edits {
		edit(&cfg)
	}
	again, err := New(cfg)
	require.NoError(t, err)
	return again
}

// Ensure a file keeps each field of what a node is set to, whatever fields there will be.
func TestSavedKeepsEveryField(t *testing.T) {
	t.Parallel()
	timeline := newKept(t, nil)
	var given control.Control
	new(filler).fill(reflect.ValueOf(&given).Elem())
	given.Settings.Mode = control.Instant
	require.Empty(t, missing(reflect.ValueOf(given), "Control"), "the filler leaves it out")

	w := timeline.Moment().world
	w.control = given
	w.pool.Arrived, w.pool.Front = 70, -80
	timeline.show(newMoment(w), nil, timeline.present.Load().past, nil)
	again := savedAgain(t, timeline).Moment()
	require.Equal(t, given.RestoreFaults(), again.control)
	require.Equal(t, w.pool.Arrivals, again.pool.Arrivals)
}

// Ensure a node that ended within a scenario goes on as it was set before it: with instant blocks, and with what was
// armed.
func TestSavedWithinAScenario(t *testing.T) {
	t.Parallel()
	timeline := newKept(t, nil)
	require.NoError(t, timeline.Set(Mode(control.Instant)))
	_, err := timeline.FlashblockFault(control.FlashblockFault{Kind: control.StallFlashblocks, Count: 4})
	require.NoError(t, err)
	before := timeline.Moment().control
	require.NoError(t, timeline.WithoutFaults(func() error {
		require.Equal(t, control.Manual, timeline.Moment().Mode())
		require.Zero(t, timeline.Moment().control.Faults)
		again := savedAgain(t, timeline).Moment().control
		require.Equal(t, control.Instant, again.Settings.Mode)
		require.Equal(t, before.Faults, again.Faults)
		return nil
	}))
	require.Equal(t, before, timeline.Moment().control)
}

// newKept starts a timeline with two accounts, on a chain of the OP stack unless rules are nil.
func newKept(t *testing.T, rules *optimism.Rules) *Timeline {
	t.Helper()
	config, err := chain.ForkConfig("osaka", 31337)
	require.NoError(t, err)
	alloc := chain.SystemContracts(config)
	for _, a := range []common.Address{{1}, {2}} {
		alloc[a] = types.Account{Balance: big.NewInt(1e18)}
	}
	genesis := &chain.Genesis{Config: config, Alloc: alloc, GasLimit: 30_000_000, Timestamp: 1_700_000_000, Difficulty: new(big.Int)}
	if rules != nil {
		genesis.ExtraData, genesis.Coinbase = rules.ExtraData(), optimism.SequencerFeeVault
	}
	c, err := chain.New(genesis, chain.Options{Optimism: rules})
	require.NoError(t, err)
	timeline, err := New(Config{Chain: c, BlockTime: 2 * time.Second})
	require.NoError(t, err)
	return timeline
}

// Ensure what was set at run time holds after a restart with the same configuration, and that of a configuration that
// is another one does.
func TestSavedUnderAnotherConfig(t *testing.T) {
	t.Parallel()
	timeline := newKept(t, nil)
	require.NoError(t, timeline.Set(Mode(control.Interval)))
	require.NoError(t, timeline.Set(BlockTime(3*time.Second)))
	_, err := timeline.FlashblockFault(control.FlashblockFault{Kind: control.LagContext, Count: 5})
	require.NoError(t, err)
	set := func(timeline *Timeline) []any {
		c := timeline.Moment().control
		return []any{c.Settings.Mode, c.Settings.BlockTime, c.Faults.Lag}
	}
	require.Equal(t, []any{control.Interval, 3 * time.Second, uint64(5)}, set(savedAgain(t, timeline)))
	other := savedAgain(t, timeline, func(c *Config) { c.Mode, c.BlockTime, c.PendingLag = control.Instant, 4*time.Second, 2 })
	require.Equal(t, []any{control.Instant, 4 * time.Second, uint64(2)}, set(other))
	require.Equal(t, set(other), set(savedAgain(t, other)), "which holds from now on")
}

// sendAs sends a transaction of an account without its signature.
func sendAs(t *testing.T, timeline *Timeline, from byte, nonce uint64, tx types.TxData) common.Hash {
	t.Helper()
	sent, err := timeline.SendAs(common.Address{from}, &nonce, func(uint64) (*types.Transaction, error) { return types.NewTx(tx), nil })
	require.NoError(t, err)
	return sent.Hash()
}

// Ensure a node that does not pre-confirm any more has in its pool what was pre-confirmed, ahead of all that came
// later.
func TestSavedWithoutPreconf(t *testing.T) {
	t.Parallel()
	timeline := newKept(t, nil)
	send := func(from byte) common.Hash {
		return sendAs(t, timeline, from, 0, &types.LegacyTx{GasPrice: big.NewInt(1e10), Gas: 21_000, To: &common.Address{9}, Value: big.NewInt(int64(from))})
	}
	preconfirmed := send(1)
	_, err := timeline.Preconfirm()
	require.NoError(t, err)
	later := send(2)
	again := savedAgain(t, timeline, func(c *Config) { c.NoPreconf = true })
	require.Zero(t, again.Moment().Pending().Count())
	_, err = again.Seal(1)
	require.NoError(t, err)
	sealed := again.Moment().Latest()
	require.Equal(t, []common.Hash{preconfirmed, later}, []common.Hash{sealed.At(0).Transaction.Hash(), sealed.At(1).Transaction.Hash()})
}

// Ensure a restarted node does not announce a flashblock again that was announced before: on an OP-stack chain the
// flashblocks add up to the block.
func TestSavedKeepsWhatWasAnnounced(t *testing.T) {
	t.Parallel()
	timeline := newKept(t, optimism.Azul.DefaultRules())
	_, err := timeline.Preconfirm()
	require.NoError(t, err)
	again := savedAgain(t, timeline)
	feed := again.Subscribe()
	defer feed.Close()
	_, err = again.Seal(1)
	require.NoError(t, err)
	event, err := feed.Poll()
	require.NoError(t, err)
	require.Equal(t, HeadAdded, event.Kind)
}
