package rpcserver

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/http/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fakenode/fakenode/rpcserver/world"
)

// callTimes are the upper bounds of the histogram of call times, in seconds; a last bucket has none.
var callTimes = [...]float64{0.0001, 0.0004, 0.0016, 0.0064, 0.0256, 0.1024, 0.4096, 1.6384, 6.5536}

// callMetrics counts the calls of a network. It is safe for concurrent use.
type callMetrics struct{ byMethod sync.Map } // name → *methodMetrics

type methodMetrics struct {
	mu      sync.Mutex
	byCode  map[int]uint64 // 0 for a result
	byTime  [len(callTimes) + 1]uint64
	seconds float64
}

// count counts a call. Names that no method has count as "unknown".
func (c *callMetrics) count(method string, known bool, code int, took time.Duration) {
	if !known {
		method = "unknown"
	}
	m := c.of(method)
	seconds := took.Seconds()
	bucket, _ := slices.BinarySearch(callTimes[:], seconds)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.byCode[code]++
	m.byTime[bucket]++
	m.seconds += seconds
}

func (c *callMetrics) of(method string) *methodMetrics {
	m, known := c.byMethod.Load(method)
	if !known {
		m, _ = c.byMethod.LoadOrStore(method, &methodMetrics{byCode: make(map[int]uint64)})
	}
	return m.(*methodMetrics)
}

func (c *callMetrics) visit(f func(method string, m *methodMetrics)) {
	all := maps.Collect(c.byMethod.Range)
	for _, method := range slices.SortedFunc(maps.Keys(all), func(a, b any) int { return strings.Compare(a.(string), b.(string)) }) {
		m := all[method].(*methodMetrics)
		m.mu.Lock()
		f(method.(string), m)
		m.mu.Unlock()
	}
}

// gauges are read when the metrics are requested.
var gauges = []struct {
	name, help string
	value      func(*world.Network) float64
}{
	{"fakenode_clock_seconds", "The node's clock, in Unix time.", func(n *world.Network) float64 {
		return float64(n.Timeline.Moment().Now().UnixNano()) / 1e9
	}},
	{"fakenode_head_block", "Number of the newest sealed block.", func(n *world.Network) float64 {
		return float64(n.Timeline.Moment().Latest().Number())
	}},
	{"fakenode_safe_block", "Number of the safe block.", func(n *world.Network) float64 {
		return float64(n.Timeline.Moment().Safe().Number())
	}},
	{"fakenode_finalized_block", "Number of the finalized block.", func(n *world.Network) float64 {
		return float64(n.Timeline.Moment().Finalized().Number())
	}},
	{"fakenode_preconfirmed_transactions", "Transactions in pre-confirmed blocks.", func(n *world.Network) float64 {
		count := 0
		for _, v := range n.Timeline.Moment().PendingBlocks() {
			count += len(v.Transactions().Signed())
		}
		return float64(count)
	}},
	{"fakenode_pool_transactions", "Transactions in the pool.", func(n *world.Network) float64 {
		return float64(n.Timeline.Moment().PoolSize())
	}},
	{"fakenode_subscriptions", "Open subscriptions.", func(n *world.Network) float64 {
		return float64(len(n.Endpoint.Subscriptions()))
	}},
	{"fakenode_feed_clients", "Clients that read the raw feed of flashblocks.", func(n *world.Network) float64 {
		return float64(n.Feed.Readers())
	}},
	{"fakenode_faults", "Faults in force, of calls, of flashblocks and of the raw feed, and holds of transactions.", func(n *world.Network) float64 {
		return float64(len(n.Endpoint.Faults()) + len(n.Timeline.Moment().Control().Faults.Armed()) + len(n.Timeline.Moment().Holds()) + len(n.Feed.Faults()))
	}},
}

func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	var text bytes.Buffer
	begin := func(name, kind, help string) {
		fmt.Fprintf(&text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	networks := slices.DeleteFunc([]world.NetworkName{world.Main, world.Testnet, world.L1}, func(name world.NetworkName) bool { return s.Network(name) == nil })

	begin("fakenode_calls_total", "counter", "Calls answered, by the code of the error, 0 for a result.")
	for _, network := range networks {
		s.calls[network].visit(func(method string, m *methodMetrics) {
			for _, code := range slices.Sorted(maps.Keys(m.byCode)) {
				fmt.Fprintf(&text, "fakenode_calls_total{code=\"%d\",method=%q,network=%q} %d\n", code, method, network, m.byCode[code])
			}
		})
	}
	begin("fakenode_call_seconds", "histogram", "Wall time that calls took.")
	for _, network := range networks {
		s.calls[network].visit(func(method string, m *methodMetrics) {
			labels, calls := fmt.Sprintf("method=%q,network=%q", method, network), uint64(0)
			for i, count := range m.byTime {
				calls += count
				bound := "+Inf"
				if i < len(callTimes) {
					bound = number(callTimes[i])
				}
				fmt.Fprintf(&text, "fakenode_call_seconds_bucket{%s,le=%q} %d\n", labels, bound, calls)
			}
			fmt.Fprintf(&text, "fakenode_call_seconds_sum{%s} %s\n", labels, number(m.seconds))
			fmt.Fprintf(&text, "fakenode_call_seconds_count{%s} %d\n", labels, calls)
		})
	}
	for _, gauge := range gauges {
		begin(gauge.name, "gauge", gauge.help)
		for _, network := range networks {
			fmt.Fprintf(&text, "%s{network=%q} %s\n", gauge.name, network, number(gauge.value(s.Network(network))))
		}
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(text.Bytes())
}

func number(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }

// pprofPrefix begins the paths of Go's profiles.
const pprofPrefix = "/debug/pprof/"

func profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(pprofPrefix, pprof.Index)
	mux.HandleFunc(pprofPrefix+"cmdline", pprof.Cmdline)
	mux.HandleFunc(pprofPrefix+"profile", pprof.Profile)
	mux.HandleFunc(pprofPrefix+"symbol", pprof.Symbol)
	mux.HandleFunc(pprofPrefix+"trace", pprof.Trace)
	return mux
}
