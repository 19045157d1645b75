package rpcserver

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/page"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/rpcserver/stream"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Config configures a Server. Main must be set. A Server does not change it.
type Config struct {
	// Main is the network at /. The L1 below it, if it has one, is at /l1.
	Main *preconf.Timeline
	// Testnet is the network at /testnet. Nil means that /testnet is not found.
	Testnet *preconf.Timeline

	api.Settings

	// Limits bound the requests of clients. They must be valid (Limits.Validate).
	Limits api.Limits

	// DevNode is the development node whose answers to imitate beyond the profiles of the networks. Empty: none.
	DevNode dialect.Node

	// Allow lists who is served besides programs on loopback.
	Allow jsonrpc.Allow
	// Disabled reports whether a method is switched off, as if it were unknown. Nil: none is. Only New calls it.
	Disabled func(method string) bool

	// Flashblocks configures the raw feed.
	Flashblocks flashblocks.Frames

	// Worlds configures the worlds, whose Log is the server's. A Count of zero: 1,000. There are none besides the one at /
	// if fakenode_newWorld is Disabled.
	Worlds world.Config

	// Log gets internal errors, panics and warnings, with the request; at info the faults, at debug each call. Nil means
	// internal errors, panics and warnings alone, to slog.Default().
	Log *slog.Logger
	// Profiling serves net/http/pprof at /debug/pprof/.
	Profiling bool
}

// Server serves the API. It is an http.Handler, and has a port of its own after Listen. Its methods about networks are
// about the world at /. It is safe for concurrent use. Without a port and without requests it has no goroutine.
type Server struct {
	*world.Table
	wire  *jsonrpc.Server
	pprof http.Handler // nil without Profiling
	offer *api.Offer
	feeds flashblocks.Config // shared by the raw feeds
	hubs  sync.WaitGroup
	calls map[world.NetworkName]*callMetrics
}

// New returns a Server for config. It opens no port.
func New(config Config) *Server { return newServer(config, config.methods()) }

// methods returns the methods that the config leaves on.
func (c *Config) methods() map[string]jsonrpc.Method[*api.Request] {
	table := c.DevNode.Methods(allMethods())
	worlds := c.worldLimits().Count > 0
	if c.Disabled == nil && worlds {
		return table
	}
	on := maps.Clone(table)
	maps.DeleteFunc(on, func(name string, _ jsonrpc.Method[*api.Request]) bool {
		return c.Disabled != nil && c.Disabled(name) || methods[name].worlds && !worlds
	})
	return on
}

// newServer is New with another method table, which must not change.
func newServer(config Config, methods map[string]jsonrpc.Method[*api.Request]) *Server {
	s := &Server{
		calls: map[world.NetworkName]*callMetrics{world.Main: new(callMetrics), world.Testnet: new(callMetrics), world.L1: new(callMetrics)},
	}
	log := cmp.Or(config.Log, slog.Default())
	if config.Profiling {
		s.pprof = profiles()
	}
	s.wire = jsonrpc.New(jsonrpc.Config{
		Route:  s.route,
		Limits: config.Limits.Provider.Limited(config.Limits).Transport(),
		Allow:  config.Allow,
		Log:    config.Log,
	})
	s.offer = &api.Offer{
		Settings: config.Settings,
		Methods:  methods,
		Turns:    api.NewTurns(),
		Limits:   config.Limits.Provider.Limited(config.Limits).Filled(),
		Provider: config.Limits.Provider.Habits(),
		Keyring:  api.NewKeyring(config.Accounts),
		Log:      log,
	}
	s.offer.ClientVersion = cmp.Or(config.ClientVersion, eth.ClientVersion)
	s.feeds = flashblocks.Config{
		Header: (*preconf.View).HeaderSoFar, Running: &s.hubs, Frames: config.Flashblocks,
	}
	worlds := config.Worlds
	worlds.Limits, worlds.Log = config.worldLimits(), log
	worlds.Serve = func(n *world.Network, timeline *preconf.Timeline) {
		n.Network = api.Network{Offer: s.offer, Timeline: timeline, Token: tokens[n.Name]}
	}
	worlds.Connect = func(n *world.Network) { s.connect(n, config.DevNode.Imitation()) }
	s.Table = world.NewTable(worlds, config.Main, config.Testnet)
	return s
}

// route returns the handler of a request, or nil if there is none.
func (s *Server) route(req *http.Request) http.Handler {
	path := req.URL.Path
	switch {
	case strings.HasPrefix(path, page.Prefix):
		return http.HandlerFunc(page.Serve)
	case s.pprof != nil && strings.HasPrefix(path, pprofPrefix):
		return s.pprof
	}
	switch path {
	case "/health":
		return http.HandlerFunc(health)
	case "/metrics":
		return http.HandlerFunc(s.metrics)
	}
	return s.Table.Route(path, jsonrpc.MayCall(req))
}

const helpText = `This is fakenode, a chain node for tests.
POST JSON-RPC 2.0 here with Content-Type: application/json, or open a WebSocket. GET /health says whether it serves.
`

// open answers a GET of a network's URL: a browser gets the page, any other client a hint.
func open(w http.ResponseWriter, req *http.Request) {
	if page.Wanted(req) {
		page.Serve(w, req)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Vary", "Accept")
	_, _ = io.WriteString(w, helpText)
}

func health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"status":"ok"}`+"\n")
}

// ServeHTTP serves JSON-RPC at /, /testnet and /l1 and at the paths of worlds by POST and as WebSocket, and /health.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) { s.wire.ServeHTTP(w, req) }

// Listen opens a TCP port, such as "127.0.0.1:0" for any free one, and serves on it until Close. It works once.
func (s *Server) Listen(address string) error { return s.wire.Listen(address) }

// URL returns the HTTP URL of the main network, empty before Listen. The test network is at URL() + TestnetPath.
func (s *Server) URL() string { return s.wire.URL("http") }

// WebSocketURL returns the WebSocket URL of the main network. It is empty before Listen.
func (s *Server) WebSocketURL() string { return s.wire.URL("ws") }

// Close ends the server: it cancels requests, closes WebSocket connections with 1001, waits for all of them, but at
// most 1.5 s, and closes the port. Further calls do nothing. It must not be called from within a request.
func (s *Server) Close() {
	if err := s.wire.Close(); err != nil {
		s.offer.Log.Warn(err.Error()) // what still runs may hold any lock
	} else {
		s.Table.Close()
		s.hubs.Wait()
	}
	s.Unwatch()
}

// defaultWorlds is how many worlds there may be where Config.Worlds is zero.
const defaultWorlds = 1_000

// worldLimits returns how many worlds there may be beside the one at /.
func (c *Config) worldLimits() world.Limits {
	limits := c.Worlds.Limits
	if limits.Count = max(cmp.Or(limits.Count, defaultWorlds), 0); c.Disabled != nil && c.Disabled("fakenode_newWorld") {
		limits.Count = 0
	}
	return limits
}

// tokens are the payment tokens of the networks.
var tokens = map[world.NetworkName]paytoken.Deployment{
	world.Main: paytoken.Main, world.Testnet: paytoken.Testnet, world.L1: paytoken.L1,
}

// connect makes what serves a network, as a node does. Only the calls of the world at / are measured.
func (s *Server) connect(n *world.Network, as dialect.Imitation) {
	running := &s.hubs
	if n.Tap != nil {
		running = nil
	}
	n.Streams = stream.NewHub(n.Timeline, n.Receipts, n.Replica, running)
	now := func() time.Time { return n.Timeline.Moment().Now() }
	calls := jsonrpc.API{
		Methods: jsonrpc.Table[*api.Request]{Methods: s.offer.Methods, New: n.NewRequest, Begin: (*api.Request).Begin},
		ToWire: func(r *jsonrpc.Request, err error) *jsonrpc.Error {
			return explained(r, as.ToWire(&n.Behaviour, err), err)
		},
		Unknown:       as.Unknown,
		Malformed:     as.Malformed,
		AppendValue:   shape.AppendValue,
		TypeNames:     api.TypeNames,
		Notifications: eth.Notifications,
		Streams:       []string{flashblocks.Kind},
		Lenient:       n.Lenient,
		Now:           now,
		Announce:      n.Streams.CatchUp,
		Admit:         s.offer.Provider.Rate(now),
		Page:          http.HandlerFunc(open),
		Tap:           n.Tap,
	}
	if n.World.Name == "" {
		calls.Done = s.calls[n.Name].count
	}
	of := n.Original()
	calls.Journal = of.Endpoint // nil for n itself, which has none yet
	n.Endpoint = jsonrpc.NewEndpoint(s.wire, calls)
	feed := s.feeds
	feed.Timeline, feed.Endpoint, feed.Replica = n.Timeline, n.Endpoint, n.Replica
	n.Raw = flashblocks.New(feed)
	n.Feed = of.Raw
}

// inProcess marks the context of requests from the node's own process.
type inProcess struct{}

// InProcess returns the context of a request from the node's own process. Its client is the test's, not one that the
// contract was written for: the messages of its errors have the reason of a revert under every profile.
func InProcess(ctx context.Context) context.Context {
	return context.WithValue(ctx, inProcess{}, true)
}

// explained returns wire, which stands for err, with the reason of a revert if the client is in the process.
func explained(r *jsonrpc.Request, wire *jsonrpc.Error, err error) *jsonrpc.Error {
	var revert *evmstate.RevertError
	if wire == nil || wire.Message != "execution reverted" || !errors.As(err, &revert) || r.Context().Value(inProcess{}) == nil {
		return wire
	}
	told := *wire
	told.Message = revert.Error()
	return &told
}
