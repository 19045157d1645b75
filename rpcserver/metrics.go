package rpcserver

import (
	"net/http"
	"net/http/pprof"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/fakenode/fakenode/rpcserver/world"
)

// metrics counts the calls of a server and serves what there is to measure at /metrics.
type metrics struct {
	handler  http.Handler
	answered *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// metrics returns the metrics of the server, which are made when they are first needed.
func (s *Server) metrics() *metrics {
	s.makeMetrics.Do(func() { s.measured = newMetrics(s) })
	return s.measured
}

func newMetrics(s *Server) *metrics {
	m := &metrics{
		answered: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fakenode_calls_total", Help: "Calls answered, by the code of the error, 0 for a result.",
		}, []string{"network", "method", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "fakenode_call_seconds", Help: "Wall time that calls took.", Buckets: prometheus.ExponentialBuckets(0.0001, 4, 9),
		}, []string{"network", "method"}),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.answered, m.seconds, collector{s})
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

// callMetrics counts the calls of a network. It looks up a method's metrics once, which takes longer than to count.
// Safe for concurrent use.
type callMetrics struct {
	network  string
	all      func() *metrics
	mu       sync.RWMutex
	byMethod map[string]*methodMetrics
}

// methodMetrics counts the calls of a method.
type methodMetrics struct {
	results prometheus.Counter
	errors  *prometheus.CounterVec // by code
	seconds prometheus.Observer
}

// countCalls returns what counts the calls of a network. Names that no method has count as "unknown".
func (s *Server) countCalls(network NetworkName) func(method string, known bool, code int, took time.Duration) {
	calls := &callMetrics{network: string(network), all: s.metrics}
	return func(method string, known bool, code int, took time.Duration) {
		if !known {
			method = "unknown"
		}
		m := calls.of(method)
		m.seconds.Observe(took.Seconds())
		if code == 0 {
			m.results.Inc()
			return
		}
		m.errors.WithLabelValues(strconv.Itoa(code)).Inc()
	}
}

// of returns the metrics of a method.
func (c *callMetrics) of(method string) *methodMetrics {
	c.mu.RLock()
	m := c.byMethod[method]
	c.mu.RUnlock()
	if m != nil {
		return m
	}
	labels := prometheus.Labels{"network": c.network, "method": method}
	errors := c.all().answered.MustCurryWith(labels)
	m = &methodMetrics{results: errors.WithLabelValues("0"), errors: errors, seconds: c.all().seconds.With(labels)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byMethod == nil {
		c.byMethod = make(map[string]*methodMetrics)
	}
	c.byMethod[method] = m
	return m
}

// gauge is something about a network that is looked at when it is asked for.
type gauge struct {
	about *prometheus.Desc
	value func(*world.Network) float64
}

func newGauge(name, help string, value func(*world.Network) float64) gauge {
	return gauge{prometheus.NewDesc(name, help, []string{"network"}, nil), value}
}

var gauges = []gauge{
	newGauge("fakenode_clock_seconds", "The node's clock, in Unix time.", func(n *world.Network) float64 {
		return float64(n.Timeline.Moment().Now().UnixNano()) / 1e9
	}),
	newGauge("fakenode_head_block", "Number of the newest sealed block.", func(n *world.Network) float64 {
		return float64(n.Timeline.Moment().Latest().Number())
	}),
	newGauge("fakenode_safe_block", "Number of the safe block.", func(n *world.Network) float64 {
		return float64(n.Timeline.Moment().Safe().Number())
	}),
	newGauge("fakenode_finalized_block", "Number of the finalized block.", func(n *world.Network) float64 {
		return float64(n.Timeline.Moment().Finalized().Number())
	}),
	newGauge("fakenode_preconfirmed_transactions", "Transactions in pre-confirmed blocks.", func(n *world.Network) float64 {
		count := 0
		for _, v := range n.Timeline.Moment().PendingBlocks() {
			count += len(v.Transactions().Signed())
		}
		return float64(count)
	}),
	newGauge("fakenode_pool_transactions", "Transactions in the pool.", func(n *world.Network) float64 {
		return float64(n.Timeline.Moment().PoolSize())
	}),
	newGauge("fakenode_subscriptions", "Open subscriptions.", func(n *world.Network) float64 {
		return float64(len(n.Endpoint.Subscriptions()))
	}),
	newGauge("fakenode_feed_clients", "Clients that read the raw feed of flashblocks.", func(n *world.Network) float64 {
		return float64(n.Feed.Readers())
	}),
	newGauge("fakenode_faults", "Faults in force, of calls, of flashblocks and of the raw feed.", func(n *world.Network) float64 {
		return float64(len(n.Endpoint.Faults()) + len(n.Timeline.Moment().ArmedFaults()) + len(n.Feed.Faults()))
	}),
}

// collector looks at the networks of a server when it is asked.
type collector struct{ server *Server }

// Describe implements prometheus.Collector.
func (collector) Describe(descriptions chan<- *prometheus.Desc) {
	for _, g := range gauges {
		descriptions <- g.about
	}
}

// Collect implements prometheus.Collector.
func (c collector) Collect(found chan<- prometheus.Metric) {
	for _, name := range []NetworkName{Main, Testnet} {
		n := c.server.Network(name)
		if n == nil {
			continue
		}
		for _, g := range gauges {
			found <- prometheus.MustNewConstMetric(g.about, prometheus.GaugeValue, g.value(n), string(name))
		}
	}
}

// pprofPrefix begins the paths of Go's profiles.
const pprofPrefix = "/debug/pprof/"

// profiles serves Go's profiles.
func profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(pprofPrefix, pprof.Index)
	mux.HandleFunc(pprofPrefix+"cmdline", pprof.Cmdline)
	mux.HandleFunc(pprofPrefix+"profile", pprof.Profile)
	mux.HandleFunc(pprofPrefix+"symbol", pprof.Symbol)
	mux.HandleFunc(pprofPrefix+"trace", pprof.Trace)
	return mux
}
