package scenario_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
)

// till is a shop of a test that remembers. It looks at the chain when it is asked.
type till struct {
	*ethclient.Client
	node   *fakenode.Node
	seen   map[common.Hash]*types.Receipt
	status map[common.Hash]scenario.Answer
	height uint64 // of the last look
	filter string
	logs   map[common.Hash]types.Log
	blocks []*types.Header // that an indexer has, in their order
	rows   map[common.Hash][]scenario.Transfer
	sent   map[common.Hash]*types.Transaction // by order
}

func newTill(node *fakenode.Node) *till {
	client, err := ethclient.Dial(node.URL()) // over HTTP, where no call needs the socket of one before
	if err != nil {
		panic(err)
	}
	return &till{client, node, map[common.Hash]*types.Receipt{}, map[common.Hash]scenario.Answer{}, node.BlockNumber(), "", map[common.Hash]types.Log{}, nil, map[common.Hash][]scenario.Transfer{}, map[common.Hash]*types.Transaction{}}
}

// paid returns the receipt of a payment, pre-confirmed or in a block of the chain, if it is one.
func (s *till) paid(ctx context.Context, q scenario.Question, any bool) (*types.Receipt, error) {
	receipt, err := s.TransactionReceipt(ctx, q.Transaction)
	switch {
	case errors.Is(err, ethereum.NotFound):
		return nil, nil
	case err != nil:
		return nil, err
	case receipt.Status != types.ReceiptStatusSuccessful:
		return nil, nil
	}
	for _, log := range receipt.Logs {
		transfer, err := tokencontract.DecodeTransfer(*log)
		if err == nil && (any || log.Address == q.Contract && transfer.From == q.Payer) && transfer.To == q.Merchant {
			return receipt, nil
		}
	}
	return nil, nil
}

// inChain is paid for receipts of blocks of the chain.
func (s *till) inChain(ctx context.Context, q scenario.Question) (*types.Receipt, error) {
	receipt, err := s.paid(ctx, q, false)
	if err != nil || receipt == nil {
		return nil, err
	}
	header, err := s.HeaderByNumber(ctx, receipt.BlockNumber)
	if errors.Is(err, ethereum.NotFound) || err == nil && header.Hash() != receipt.BlockHash {
		return nil, nil
	}
	return receipt, err
}

func (s *till) head(ctx context.Context, tag rpc.BlockNumber) (*types.Header, error) {
	return s.HeaderByNumber(ctx, big.NewInt(int64(tag)))
}

// tills are shops with a fault each.
var tills = map[string]func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error){
	"ships at the flashblock": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		receipt, err := s.paid(ctx, q, false)
		return answer(receipt != nil, scenario.Shipped), err
	},
	"ships with the first block": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		receipt, err := s.inChain(ctx, q)
		return answer(receipt != nil, scenario.Shipped), err
	},
	"counts on a number it remembers": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		if s.seen[q.Transaction] == nil {
			receipt, err := s.inChain(ctx, q)
			if s.seen[q.Transaction] = receipt; receipt == nil {
				return scenario.Open, err
			}
		}
		final, err := s.head(ctx, rpc.FinalizedBlockNumber)
		return answer(err == nil && final.Number.Cmp(s.seen[q.Transaction].BlockNumber) >= 0, scenario.Shipped), err
	},
	"gives up after a lost announcement": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		if s.status[q.Transaction] == scenario.Paid { // given up
			return scenario.Open, nil
		}
		receipt, err := s.paid(ctx, q, false)
		if before := s.seen[q.Transaction]; err == nil && before != nil && receipt == nil {
			s.status[q.Transaction] = scenario.Paid
		}
		s.seen[q.Transaction] = receipt
		return sure(ctx, s, q)
	},
	"walks by a cursor": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		head, err := s.BlockNumber(ctx)
		if err != nil {
			return scenario.Open, err
		}
		for ; s.height < head; s.height++ {
			logs, err := s.FilterLogs(ctx, ethereum.FilterQuery{FromBlock: new(big.Int).SetUint64(s.height + 1), ToBlock: new(big.Int).SetUint64(s.height + 1), Addresses: []common.Address{q.Contract}})
			if err != nil {
				return scenario.Open, err
			}
			for _, log := range logs {
				s.logs[log.TxHash] = log
			}
		}
		if _, known := s.logs[q.Transaction]; !known {
			return scenario.Open, nil
		}
		return sure(ctx, s, q)
	},
	"waits by the clock": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		receipt, err := s.inChain(ctx, q)
		if err != nil || receipt == nil {
			return scenario.Open, err
		}
		head, err := s.head(ctx, rpc.LatestBlockNumber)
		return answer(err == nil && head.Number.Uint64() >= receipt.BlockNumber.Uint64()+2, scenario.Shipped), err
	},
	"believes one null": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		if s.status[q.Transaction] == scenario.Paid { // given up
			return scenario.Open, nil
		}
		receipt, err := s.inChain(ctx, q)
		if err == nil && s.seen[q.Transaction] != nil && receipt == nil {
			s.status[q.Transaction] = scenario.Paid
		}
		if receipt != nil {
			s.seen[q.Transaction] = receipt
		}
		return sure(ctx, s, q)
	},
	"makes a filter once": byFilter(false, false),
	"waits for removed":   byFilter(true, true),
	"trusts what was announced": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		receipt, err := s.paid(ctx, q, false)
		if receipt != nil && s.seen[q.Transaction] == nil {
			s.seen[q.Transaction] = receipt
		}
		said, sureErr := sure(ctx, s, q)
		if said.Payment == scenario.Shipped.Payment && s.seen[q.Transaction] != nil {
			transfer, _ := tokencontract.DecodeTransfer(*transferOf(s.seen[q.Transaction]))
			said.Amount = transfer.Value
		}
		return said, errors.Join(err, sureErr)
	},
	"takes another token's event": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		receipt, err := s.paid(ctx, q, true)
		if err != nil || receipt == nil {
			return scenario.Open, err
		}
		final, err := s.head(ctx, rpc.FinalizedBlockNumber)
		return answer(err == nil && final.Number.Cmp(receipt.BlockNumber) >= 0, scenario.Shipped), err
	},
}

func transferOf(receipt *types.Receipt) *types.Log {
	i := slices.IndexFunc(receipt.Logs, func(log *types.Log) bool {
		_, err := tokencontract.DecodeTransfer(*log)
		return err == nil
	})
	return receipt.Logs[i]
}

func answer(yes bool, said scenario.Answer) scenario.Answer {
	if yes {
		return said
	}
	return scenario.Open
}

// sure is a shop that ships what is in a final block of the chain.
func sure(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
	receipt, err := s.inChain(ctx, q)
	if err != nil || receipt == nil {
		return scenario.Open, err
	}
	final, err := s.head(ctx, rpc.FinalizedBlockNumber)
	if err != nil || final.Number.Cmp(receipt.BlockNumber) < 0 {
		return scenario.Open, err
	}
	return scenario.Shipped, nil
}

// byFilter is a shop that learns of payments by a filter. One that trusts it asks for no block; one that does not renew
// it is deaf when the node has forgotten it.
func byFilter(trusts, renews bool) func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
	return func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		renew := func() error {
			past := map[string]any{"address": q.Contract, "fromBlock": "0x0"}
			if err := s.Client.Client().CallContext(ctx, &s.filter, "eth_newFilter", past); err != nil {
				return err
			}
			var logs []types.Log
			err := s.Client.Client().CallContext(ctx, &logs, "eth_getFilterLogs", s.filter)
			for _, log := range logs {
				s.logs[log.TxHash] = log
			}
			return err
		}
		var logs []types.Log
		err := errors.New("none yet")
		if s.filter != "" {
			err = s.Client.Client().CallContext(ctx, &logs, "eth_getFilterChanges", s.filter)
		}
		if err != nil && (renews || s.filter == "") {
			if err := renew(); err != nil {
				return scenario.Open, err
			}
		}
		for _, log := range logs {
			if log.Removed {
				delete(s.logs, log.TxHash)
			} else {
				s.logs[log.TxHash] = log
			}
		}
		log, known := s.logs[q.Transaction]
		if transfer, err := tokencontract.DecodeTransfer(log); !known || trusts && (err != nil || transfer.From != q.Payer) {
			return scenario.Open, nil
		}
		if trusts {
			return scenario.Paid, nil
		}
		return sure(ctx, s, q)
	}
}

// begins returns a back end on a world.
func begins(shop func(context.Context, *till, scenario.Question) (scenario.Answer, error)) func(context.Context, *fakenode.Node) (*scenario.World, error) {
	return func(_ context.Context, node *fakenode.Node) (*scenario.World, error) {
		world, err := node.NewWorld(fakenode.WorldOptions{})
		if err != nil {
			return nil, err
		}
		s := newTill(world)
		return world.ExploredWorld(func(ctx context.Context, q scenario.Question) (scenario.Answer, error) { return shop(ctx, s, q) }, func() {
			s.Close()
			_ = world.Close()
		}), nil
	}
}

// TestExploreFindsBrokenShops checks that each broken shop is failed within 400 schedules, by one of at most eight
// moves that fails it again and again, and not the shop that is sure.
func TestExploreFindsBrokenShops(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(tills)) {
		fooled(t, name, tills[name], sure, scenario.Exploration{})
	}
	for _, name := range slices.Sorted(maps.Keys(indexers)) {
		fooled(t, "indexer "+name, indexers[name], index, scenario.Exploration{Indexer: true})
	}
	for _, name := range slices.Sorted(maps.Keys(captors)) {
		fooled(t, name, captors[name], capture, scenario.Exploration{Captures: true})
	}
}

// fooled checks that a back end is failed, and that a right one passes the schedule.
func fooled(t *testing.T, name string, broken, right func(context.Context, *till, scenario.Question) (scenario.Answer, error), e scenario.Exploration) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		node := fakenode.RunConfigT(t, fakenode.Config{Lags: fakenode.Lags{FinalizedLag: new(uint64(8))}})
		play := func(e scenario.Exploration, shop func(context.Context, *till, scenario.Question) (scenario.Answer, error)) scenario.Finding {
			finding, err := e.Explore(t.Context(), func(ctx context.Context) (*scenario.World, error) { return begins(shop)(ctx, node) })
			require.NoError(t, err)
			return finding
		}
		finding := play(scenario.Exploration{Seed: 2, Indexer: e.Indexer, Captures: e.Captures}, broken)
		require.NotEmpty(t, finding.Failed, "%s", finding)
		require.False(t, finding.Flaky, "%s", finding)
		require.LessOrEqual(t, len(finding.Moves), 8, "%s", finding)
		again := scenario.Exploration{Runs: -1, Indexer: e.Indexer, Captures: e.Captures, Found: []scenario.Schedule{finding.Schedule}}
		require.Equal(t, finding.Failed, play(again, broken).Failed)
		require.Empty(t, play(again, right).Failed)
	})
}

// TestExploreFindsShopThatWaitsForRemoved checks that a shop which trusts removed logs is failed within 400 schedules
// of reorgs alone where these are silent, of kills alone, and not where each removed log is announced.
func TestExploreFindsShopThatWaitsForRemoved(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	for _, c := range []struct {
		preset   fakenode.Preset
		accident string
		fooled   bool
	}{{fakenode.Monad, "reorg", true}, {fakenode.Optimism, "reorg", false}, {fakenode.Optimism, "restart", true}} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: c.preset})
		others := slices.DeleteFunc(scenario.AccidentNames(), func(name string) bool { return name == "pay" || name == "seal" || name == c.accident })
		e := scenario.Exploration{Seed: 2, Runs: 400, Without: others}
		finding, err := e.Explore(t.Context(), func(ctx context.Context) (*scenario.World, error) {
			return begins(tills["waits for removed"])(ctx, node)
		})
		require.NoError(t, err)
		require.Equal(t, c.fooled, finding.Failed != "", "%s: %s", c.preset, finding)
	}
}

// TestExplorePassesGoodShop checks that a shop which ships what is final passes, an indexer that goes back and a
// back end that captures once. FAKENODE_SCHEDULES is how many each is played; make schedules has 10,000.
func TestExplorePassesGoodShop(t *testing.T) { // not beside others: it measures the heap
	laboratory.OneGoroutine(t)
	node := fakenode.RunConfigT(t, fakenode.Config{Lags: fakenode.Lags{FinalizedLag: new(uint64(8))}})
	var finding scenario.Finding
	for i, shop := range []func(context.Context, *till, scenario.Question) (scenario.Answer, error){sure, index, capture} {
		var err error
		e := scenario.Exploration{Runs: laboratory.Number(t, "FAKENODE_SCHEDULES", laboratory.Budget(t, 60, 1_000)), Seed: 7, Indexer: i == 1, Captures: i == 2}
		finding, err = e.Explore(t.Context(), func(ctx context.Context) (*scenario.World, error) { return begins(shop)(ctx, node) })
		require.NoError(t, err)
		require.Empty(t, finding.Failed, "%s", finding)
		require.Greater(t, finding.Calls, 3)
	}
	runtime.GC()
	var kept runtime.MemStats
	runtime.ReadMemStats(&kept)
	require.Less(t, kept.HeapAlloc, uint64(300<<20), "of %d schedules", finding.Runs)
}

// BenchmarkExplore plays schedules against the shop that is sure: in the process, and behind an HTTP server of its own,
// where it asks the node at least five times for an answer.
func BenchmarkExplore(b *testing.B) {
	asking := func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		for range 4 {
			if _, err := s.BlockNumber(ctx); err != nil {
				return scenario.Open, err
			}
		}
		return sure(ctx, s, q)
	}
	for _, name := range []string{"in process", "over HTTP"} {
		b.Run(name, func(b *testing.B) {
			node := fakenode.RunConfigT(b, fakenode.Config{Lags: fakenode.Lags{FinalizedLag: new(uint64(8))}})
			begin := begins(sure)
			if name == "over HTTP" {
				begin = func(ctx context.Context, node *fakenode.Node) (*scenario.World, error) {
					return overHTTP(begins(asking)(ctx, node))
				}
			}
			finding, err := scenario.Exploration{Runs: b.N, Seed: 7}.Explore(b.Context(), func(ctx context.Context) (*scenario.World, error) { return begin(ctx, node) })
			require.NoError(b, err)
			require.Empty(b, finding.Failed, "%s", finding)
			b.ReportMetric(float64(b.N)/b.Elapsed().Minutes(), "schedules/min")
		})
	}
}

// overHTTP puts the back end of a world behind a server.
func overHTTP(w *scenario.World, err error) (*scenario.World, error) {
	if err != nil {
		return nil, err
	}
	ask, end := w.Ask, w.Close
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		var q scenario.Question
		_ = json.NewDecoder(request.Body).Decode(&q)
		said, err := ask(request.Context(), q)
		if err != nil {
			response.WriteHeader(http.StatusInternalServerError)
		}
		_ = json.NewEncoder(response).Encode(said)
	}))
	w.Ask = func(ctx context.Context, q scenario.Question) (said scenario.Answer, err error) {
		body, err := json.Marshal(q)
		if err != nil {
			return said, err
		}
		response, err := server.Client().Post(server.URL, "application/json", bytes.NewReader(body))
		if err != nil {
			return said, err
		}
		defer response.Body.Close()
		return said, json.NewDecoder(response.Body).Decode(&said)
	}
	w.Close = func() {
		server.Close()
		end()
	}
	return w, nil
}

// Ensure the same seed finds the same schedule, and that a schedule comes back from text and JSON.
func TestSchedulesRepeat(t *testing.T) {
	t.Parallel()
	laboratory.OneGoroutine(t)
	var found []scenario.Finding
	for range 2 {
		node := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_800_000_000, 0), Lags: fakenode.Lags{FinalizedLag: new(uint64(8))}})
		finding, err := scenario.Exploration{Seed: 3}.Explore(t.Context(), func(ctx context.Context) (*scenario.World, error) {
			return begins(tills["ships with the first block"])(ctx, node)
		})
		require.NoError(t, err)
		found = append(found, finding)
	}
	require.Equal(t, found[0], found[1])
	schedule := found[0].Schedule
	parsed, err := fakenode.ParseSchedule(schedule.String())
	require.NoError(t, err)
	require.Equal(t, schedule.Moves, parsed.Moves)
	raw, err := json.Marshal(schedule)
	require.NoError(t, err)
	read, err := scenario.ReadSchedule(bytes.NewReader(raw))
	require.NoError(t, err)
	require.Equal(t, schedule, read)
	for raw, want := range map[string]string{
		`{"version":2,"moves":["pay 0 0"]}`:       "a schedule of version 2: this program reads version 1",
		`{"version":1,"moves":["explode 0 0"]}`:   `"explode 0 0" is no move: want a name and two numbers, such as "reorg 1 0"; the names are pay, `,
		`{"version":1}`:                           "a schedule without moves",
		`{"version":1,"moves":["pay 0 0"],"x":1}`: `it has no member "x"`,
	} {
		_, err := scenario.ReadSchedule(strings.NewReader(raw))
		require.ErrorContains(t, err, want)
	}
	require.EqualError(t, scenario.Exploration{Without: []string{"rain"}}.Check(), `there is no accident "rain": they are `+strings.Join(scenario.AccidentNames(), ", "))
}
