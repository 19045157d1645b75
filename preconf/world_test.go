package preconf_test

import (
	"crypto/ecdsa"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
)

var (
	start  = time.Unix(1_700_000_000, 0).UTC()
	signer = types.LatestSignerForChainID(big.NewInt(31337))

	// emitter logs its second word of call data under its first as topic.
	emitter     = common.HexToAddress("0xe000000000000000000000000000000000000001")
	emitterCode = common.FromHex("60203560005260003560206000a100")

	ether = big.NewInt(1e18)
	gwei  = big.NewInt(1e9)
)

// account is a funded key.
type account struct {
	key     *ecdsa.PrivateKey
	address common.Address
}

var accounts = func() []account {
	all := make([]account, 8)
	for i := range all {
		key, err := crypto.ToECDSA(crypto.Keccak256([]byte{byte(i)}))
		if err != nil {
			panic(err)
		}
		all[i] = account{key, crypto.PubkeyToAddress(key.PublicKey)}
	}
	return all
}()

var genesis = func() *chain.Genesis {
	config, err := chain.ForkConfig("osaka", 31337)
	if err != nil {
		panic(err)
	}
	alloc := chain.SystemContracts(config)
	for _, a := range accounts {
		alloc[a.address] = types.Account{Balance: new(big.Int).Mul(big.NewInt(1000), ether)}
	}
	alloc[emitter] = types.Account{Code: emitterCode, Balance: new(big.Int)}
	return &chain.Genesis{
		Config: config, Alloc: alloc, GasLimit: 30_000_000, BaseFee: gwei,
		Timestamp: uint64(start.Unix()), Difficulty: new(big.Int),
	}
}()

// newTimeline starts one on the test genesis at start, manual unless cfg says otherwise.
func newTimeline(t testing.TB, cfg preconf.Config) *preconf.Timeline {
	t.Helper()
	if cfg.Chain == nil {
		c, err := chain.New(genesis, chain.Options{})
		require.NoError(t, err)
		cfg.Chain = c
	}
	if cfg.Start.IsZero() {
		cfg.Start = start
	}
	timeline, err := preconf.New(cfg)
	require.NoError(t, err)
	return timeline
}

// sign makes a transaction with a fee cap of 100 gwei and a tip of 1 gwei unless inner says otherwise.
func (a account) sign(inner types.DynamicFeeTx) *types.Transaction {
	inner.ChainID = signer.ChainID()
	if inner.GasFeeCap == nil {
		inner.GasFeeCap = big.NewInt(100e9)
	}
	if inner.GasTipCap == nil {
		inner.GasTipCap = gwei
	}
	if inner.Gas == 0 {
		inner.Gas = 100_000
	}
	return types.MustSignNewTx(a.key, signer, &inner)
}

// pay transfers wei.
func (a account) pay(nonce uint64, to common.Address, wei int64) *types.Transaction {
	return a.sign(types.DynamicFeeTx{Nonce: nonce, To: &to, Value: big.NewInt(wei), Gas: 21_000})
}

// emit lets the emitter log data under a topic.
func (a account) emit(nonce uint64, topic, data byte) *types.Transaction {
	call := make([]byte, 64)
	call[31], call[63] = topic, data
	return a.sign(types.DynamicFeeTx{Nonce: nonce, To: &emitter, Data: call})
}

func send(t testing.TB, timeline *preconf.Timeline, txs ...*types.Transaction) {
	t.Helper()
	for _, tx := range txs {
		require.NoError(t, timeline.Send(tx))
	}
}

func find(t testing.TB, m *preconf.Moment, hash common.Hash) preconf.Found {
	t.Helper()
	found, err := m.Find(hash)
	require.NoError(t, err)
	return found
}

func preconfirm(t testing.TB, timeline *preconf.Timeline) preconf.Flashblock {
	t.Helper()
	f, err := timeline.Preconfirm()
	require.NoError(t, err)
	return f
}

func seal(t testing.TB, timeline *preconf.Timeline, n int) []common.Hash {
	t.Helper()
	hashes, err := timeline.Seal(n)
	require.NoError(t, err)
	require.Len(t, hashes, n)
	return hashes
}

func advance(t testing.TB, timeline *preconf.Timeline, d time.Duration) preconf.Progress {
	t.Helper()
	p, err := timeline.Advance(d)
	require.NoError(t, err)
	return p
}

func reorg(t testing.TB, timeline *preconf.Timeline, o control.ReorgOptions) control.ReorgResult {
	t.Helper()
	r, err := timeline.Reorg(o)
	require.NoError(t, err)
	return r
}

func newBlockFilter(t testing.TB, timeline *preconf.Timeline) uint64 {
	t.Helper()
	id, err := timeline.Filters().Add(filter.Filter{Kind: filter.Blocks})
	require.NoError(t, err)
	return id
}

// logsIn are the logs of the emitter between two bounds, as topic and data.
func logsIn(t testing.TB, m *preconf.Moment, from, to filter.Bound) []string {
	t.Helper()
	logs, err := m.Logs(chain.LogFilter{}, from, to)
	require.NoError(t, err)
	var seen []string
	for l := range logs {
		seen = append(seen, name(l))
	}
	return seen
}

// name is a log as "topic data", with "removed" behind if it is.
func name(l *types.Log) string {
	s := l.Topics[0].Big().String() + " " + new(big.Int).SetBytes(l.Data).String()
	if l.Removed {
		s += " removed"
	}
	return s
}

func names(logs []*types.Log) []string {
	var all []string
	for _, l := range logs {
		all = append(all, name(l))
	}
	return all
}

// balance in wei at a view.
func balance(t testing.TB, v *preconf.View, a common.Address) int64 {
	t.Helper()
	s, err := v.State()
	require.NoError(t, err)
	return s.Balance(a).ToBig().Int64()
}

// nonce of an account at a view.
func nonce(t testing.TB, v *preconf.View, a common.Address) uint64 {
	t.Helper()
	s, err := v.State()
	require.NoError(t, err)
	return s.Nonce(a)
}

var (
	latest    = filter.Bound{Tag: filter.Latest}
	pending   = filter.Bound{Tag: filter.Pending}
	earliest  = filter.Bound{Tag: filter.Earliest}
	safe      = filter.Bound{Tag: filter.Safe}
	finalized = filter.Bound{Tag: filter.Finalized}
	unset     = filter.Bound{}
)

// newHasher derives the roots of lists in a block.
func newHasher() types.ListHasher { return trie.NewStackTrie(nil) }
