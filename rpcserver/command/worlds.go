package command

import (
	"cmp"
	"errors"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// newWorldParams are the parameters of fakenode_newWorld.
type newWorldParams struct {
	api.ControlObject `wanted:"{name?, snapshot?, owner?, ttl?}"`

	Name     *string     `json:"name"`
	Snapshot *api.Number `json:"snapshot"`
	Owner    string      `json:"owner"`
	TTL      count       `json:"ttl"` // milliseconds
}

// newWorldObject holds the URLs of a new world, and the chain id of its main network.
type newWorldObject struct {
	Name                string `json:"name"`
	ChainID             uint64 `json:"chainId"`
	URL                 string `json:"url"`
	WebSocketURL        string `json:"webSocketUrl"`
	TestnetURL          string `json:"testnetUrl,omitempty"` // absent without a test network
	TestnetWebSocketURL string `json:"testnetWebSocketUrl,omitempty"`
	L1URL               string `json:"l1Url,omitempty"` // absent without an L1
	L1WebSocketURL      string `json:"l1WebSocketUrl,omitempty"`
}

// NewWorld serves fakenode_newWorld: it copies the world of the request. A snapshot belongs to the network of the
// request; the world's other network is copied as it is now.
func NewWorld(r *api.Request, p *newWorldParams) (any, error) {
	p = cmp.Or(p, new(newWorldParams))
	made, err := world.Of(r.Network).NewWorld(p.Name, (*uint64)(p.Snapshot), p.Owner, p.TTL.milliseconds())
	switch {
	case errors.As(err, new(*world.NameError)), errors.As(err, new(*world.LeaseError)):
		return nil, r.BadInput(err)
	case err != nil:
		return nil, api.Refused(err)
	}
	url := func(scheme string, of world.NetworkName) string {
		if made.Timeline(of) == nil {
			return ""
		}
		return r.Caller.URL(scheme) + made.PathOf(of)
	}
	return newWorldObject{
		made.Name, made.Timeline(world.Main).Moment().Chain().Config().ChainID.Uint64(),
		url("http", world.Main), url("ws", world.Main), url("http", world.Testnet), url("ws", world.Testnet),
		url("http", world.L1), url("ws", world.L1),
	}, nil
}

// CloseWorld serves fakenode_closeWorld. A client in the world gets the close frame in place of the answer.
func CloseWorld(r *api.Request, name string) (any, error) {
	return nil, api.Refused(world.Of(r.Network).CloseWorld(name))
}

// worldObject is a world in the list of fakenode_worlds.
type worldObject struct {
	Name        string `json:"name"`
	BlockNumber uint64 `json:"blockNumber"` // of the main network's head
	Clients     int    `json:"clients"`     // open WebSocket connections
	CreatedMs   int64  `json:"createdMs"`   // Unix time, of the wall clock
	Owner       string `json:"owner,omitempty"`
	TTL         int64  `json:"ttl,omitempty"` // milliseconds
}

// Worlds serves fakenode_worlds: all worlds except the one at /, oldest first.
func Worlds(r *api.Request) (any, error) {
	return api.Each(world.Of(r.Network).Worlds(), func(w *world.World) worldObject {
		return worldObject{
			w.Name, w.Timeline(world.Main).Moment().Latest().Number(), w.Clients(), w.Created.UnixMilli(), w.Owner, w.TTL.Milliseconds(),
		}
	}), nil
}
