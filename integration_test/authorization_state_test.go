package integration_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/tokencontract"
)

// binding packs the token's calls.
var binding = tokencontract.NewToken()

// differentialSteps is how long each sequence of TestAuthorizationState is.
const differentialSteps = 70

// Ensure the state of authorizations, balances, events and revert reasons agree with the model after every step of
// random sequences on both variants: sign, capture, cancel, transfer away, mint, pause, blacklist, time passing, reorg.
// The seed in a failing test's name repeats it.
func TestAuthorizationState(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	var seen tally
	t.Run("seeds", func(t *testing.T) {
		for seed := range laboratory.Budget[uint64](t, 4, 12) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				d := newDifferential(t, seed, &seen)
				for range differentialSteps {
					d.step()
					d.follow()
				}
				d.node.Seal()
				d.follow()
				d.checkFilter()
			})
		}
	})
	// The sequences must have met everything that they are about.
	for _, what := range []string{
		"", reasonPaused, reasonBlacklisted, reasonNotPayee, reasonEarly, reasonExpired, reasonUsed, reasonSignature, reasonBalance,
		"removed by a reorg", "re-executed to another end",
	} {
		require.Positive(t, seen.count(what), "never met: %q", what)
	}
}

// tally counts what happened, over all sequences.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (c *tally) add(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[what]++
}

func (c *tally) count(what string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[what]
}

// differential is one random sequence: a node, driven and read by JSON-RPC, and the model's ledger after each block.
type differential struct {
	t      *testing.T
	node   *fakenode.Node
	client *rpc.Client
	random *rand.Rand
	seen   *tally
	token  common.Address
	domain tokencontract.Domain

	signed []authorized
	sent   map[common.Hash]action
	ended  map[common.Hash]string // how each transaction ended when last executed in a block
	blocks []modelBlock           // by number
	filter string
	live   map[logPlace]int // as the filter reported: times added minus times removed

	pending     *ledger
	pendingTime uint64
}

// modelBlock is a block of the node with the model's ledger after it.
type modelBlock struct {
	hash   common.Hash
	ledger *ledger
}

// logPlace is where a log is on the chain.
type logPlace struct {
	block common.Hash
	index uint
}

func newDifferential(t *testing.T, seed uint64, seen *tally) *differential {
	t.Helper()
	variant := []tokencontract.Variant{tokencontract.Strict, tokencontract.DocumentedFlow}[seed%2]
	node := fakenode.RunConfigT(t, fakenode.Config{Token: variant, StartTime: time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)})
	client, err := rpc.DialContext(t.Context(), node.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	d := &differential{
		t: t, node: node, client: client, random: rand.New(rand.NewPCG(seed, 0)), seen: seen,
		token: node.Token().Address(), domain: node.Token().Domain(),
		sent: map[common.Hash]action{}, ended: map[common.Hash]string{}, live: map[logPlace]int{},
	}
	genesis := &ledger{map[common.Address]uint64{}, map[common.Address]bool{}, map[authorizationKey]bool{}, false, variant == tokencontract.DocumentedFlow}
	for _, account := range node.Accounts() {
		genesis.balances[account.Address] = fixtures.USD("1000000").Uint64()
	}
	d.blocks = []modelBlock{{d.block("0x0").Hash, genesis}}
	d.do(&d.filter, "eth_newFilter", map[string]any{"address": d.token})
	d.follow()
	return d
}

func (d *differential) do(result any, method string, params ...any) {
	d.t.Helper()
	require.NoError(d.t, d.client.CallContext(d.t.Context(), result, method, params...), method)
}

// rpcBlock holds the members of a block that the sequence reads.
type rpcBlock struct {
	Hash         common.Hash
	Number       hexutil.Uint64
	Timestamp    hexutil.Uint64
	Transactions []common.Hash
}

func (d *differential) block(tag string) rpcBlock {
	var block rpcBlock
	d.do(&block, "eth_getBlockByNumber", tag, false)
	return block
}

// follow lets the model execute what the node has executed, in the node's order, and compares everything.
func (d *differential) follow() {
	d.t.Helper()
	head := d.block("latest")
	for len(d.blocks) > 0 {
		newest := len(d.blocks) - 1
		if uint64(newest) <= uint64(head.Number) && d.block(hexutil.Uint64(newest).String()).Hash == d.blocks[newest].hash {
			break
		}
		d.blocks = d.blocks[:newest]
	}
	for n := len(d.blocks); n <= int(head.Number); n++ {
		block := d.block(hexutil.Uint64(n).String())
		next := d.blocks[n-1].ledger.clone()
		d.execute(block, hexutil.Uint64(n).String(), next)
		d.blocks = append(d.blocks, modelBlock{block.Hash, next})
	}
	latest := d.blocks[head.Number].ledger
	pending := d.block("pending")
	d.pending, d.pendingTime = latest.clone(), uint64(pending.Timestamp)
	d.execute(pending, "pending", d.pending)
	d.compare("latest", latest)
	d.compare("pending", d.pending)
	d.drain()
}

// execute applies a block's transactions to the model and compares receipts, events and, for sealed ones, reasons.
func (d *differential) execute(block rpcBlock, tag string, l *ledger) {
	d.t.Helper()
	if len(block.Transactions) == 0 {
		return
	}
	var receipts []*types.Receipt
	d.do(&receipts, "eth_getBlockReceipts", tag)
	require.Len(d.t, receipts, len(block.Transactions))
	for i, hash := range block.Transactions {
		a, ours := d.sent[hash]
		require.True(d.t, ours)
		want := a.apply(l, uint64(block.Timestamp))
		d.seen.add(want.reason)
		var events []string
		for _, log := range receipts[i].Logs {
			event, err := eventOf(log)
			require.NoError(d.t, err)
			events = append(events, event)
		}
		require.Equal(d.t, want.events, events, "%s in block %s", a.name, tag)
		require.Equal(d.t, want.reason == "", receipts[i].Status == types.ReceiptStatusSuccessful, "%s in block %s: %s", a.name, tag, want.reason)
		if tag == "pending" {
			continue
		}
		if before, again := d.ended[hash]; again && before != want.reason {
			d.seen.add("re-executed to another end")
		}
		d.ended[hash] = want.reason
		if want.reason != "" {
			require.Equal(d.t, want.reason, d.traced(hash), "%s in block %s", a.name, tag)
		}
	}
}

// traced returns why a sealed transaction reverted.
func (d *differential) traced(hash common.Hash) string {
	var frame struct{ Output hexutil.Bytes }
	d.do(&frame, "debug_traceTransaction", hash, map[string]any{"tracer": "callTracer"})
	reason, err := abi.UnpackRevert(frame.Output)
	require.NoError(d.t, err)
	return reason
}

// compare reads the token at a block tag: balances, authorizations, supply and pause.
func (d *differential) compare(tag string, l *ledger) {
	d.t.Helper()
	var batch []rpc.BatchElem
	var wants []uint64
	read := func(data []byte, want uint64) {
		batch = append(batch, rpc.BatchElem{
			Method: "eth_call", Args: []any{map[string]any{"to": d.token, "data": hexutil.Bytes(data)}, tag}, Result: new(common.Hash),
		})
		wants = append(wants, want)
	}
	number := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	for _, account := range d.node.Accounts()[:6] {
		read(tokencontract.PackBalanceOf(account.Address), l.balances[account.Address])
		read(binding.PackIsBlacklisted(account.Address), number(l.blacklisted[account.Address]))
	}
	for _, a := range d.signed {
		read(tokencontract.NewToken().PackAuthorizationState(a.From, a.Nonce), number(l.used[a.key()]))
	}
	read(binding.PackTotalSupply(), l.supply())
	read(binding.PackPaused(), number(l.paused))
	require.NoError(d.t, d.client.BatchCallContext(d.t.Context(), batch))
	for i, element := range batch {
		require.NoError(d.t, element.Error)
		got := new(uint256.Int).SetBytes32(element.Result.(*common.Hash)[:])
		require.Equal(d.t, wants[i], got.Uint64(), "%s at %s", element.Args, tag)
	}
}

// drain counts the changes that the filter reports: a log is added once, and may be removed once.
func (d *differential) drain() {
	var changes []types.Log
	d.do(&changes, "eth_getFilterChanges", d.filter)
	for _, log := range changes {
		place := logPlace{log.BlockHash, log.Index}
		if log.Removed {
			d.live[place]--
		} else {
			d.live[place]++
		}
		require.Contains(d.t, []int{0, 1}, d.live[place])
	}
}

// checkFilter compares what is left of the filter's logs with those of the chain.
func (d *differential) checkFilter() {
	d.t.Helper()
	var logs []types.Log
	d.do(&logs, "eth_getLogs", map[string]any{"fromBlock": "earliest", "toBlock": "latest", "address": d.token})
	want := map[logPlace]int{}
	for _, log := range logs {
		want[logPlace{log.BlockHash, log.Index}] = 1
	}
	for place, count := range d.live {
		if count == 0 {
			delete(d.live, place)
		}
	}
	require.Equal(d.t, want, d.live)
}
