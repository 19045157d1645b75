package rpcserver

import (
	"cmp"
	"net/http"
	"time"

	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/rpcserver/stream"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// defaultWorlds is how many worlds there may be where Config.Worlds is zero.
const defaultWorlds = 1_000

// host is the world.Server of a Server.
type host struct {
	server *Server
	config *Config
}

// worldLimit returns how many worlds there may be beside the one at /.
func (c *Config) worldLimit() int {
	if c.Disabled != nil && c.Disabled("fakenode_newWorld") {
		return 0
	}
	return max(cmp.Or(c.Worlds, defaultWorlds), 0)
}

// tokens are the payment tokens of the networks.
var tokens = map[world.NetworkName]paytoken.Deployment{
	world.Main: paytoken.Main, world.Testnet: paytoken.Testnet, world.L1: paytoken.L1,
}

func (h host) Serve(n *world.Network, timeline *preconf.Timeline) {
	n.Network = api.Network{Offer: h.server.offer, Timeline: timeline, Token: tokens[n.Name()]}
}

// Connect implements world.Server. Only the calls of the world at / are measured.
func (h host) Connect(n *world.Network) {
	s := h.server
	running := &s.hubs
	if n.Tap() != nil {
		running = nil
	}
	n.Streams = stream.NewHub(n.Timeline, n.Profile, running)
	now := func() time.Time { return n.Timeline.Moment().Now() }
	calls := jsonrpc.API[*api.Request]{
		Methods: s.offer.Methods,
		New:     n.NewRequest,
		Begin:   (*api.Request).Begin,
		ToWire: func(r *jsonrpc.Request, err error) *jsonrpc.Error {
			return explained(r, h.config.DevNode.ToWire(n.Profile, err), err)
		},
		Unknown:       h.config.DevNode.Unknown(),
		AppendValue:   shape.AppendValue,
		TypeNames:     api.TypeNames,
		Notifications: eth.Notifications,
		Streams:       []string{flashblocks.Kind},
		Lenient:       n.Profile == shape.Geth,
		Now:           now,
		Announce:      n.Streams.CatchUp,
		Admit:         s.offer.Provider.Rate(now),
		Page:          http.HandlerFunc(open),
		Tap:           n.Tap(),
	}
	if n.World().Name() == "" {
		calls.Done = s.calls[n.Name()].count
	}
	n.Endpoint = jsonrpc.NewEndpoint(s.wire, calls)
	feed := s.feeds
	feed.Timeline, feed.Endpoint = n.Timeline, n.Endpoint
	n.Feed = flashblocks.New(feed)
}
