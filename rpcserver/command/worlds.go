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

// newWorldObject holds the URLs of a new world.
type newWorldObject struct {
	Name                string `json:"name"`
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
	made, err := r.Network.Worlds.NewWorld(p.Name, (*uint64)(p.Snapshot), p.Owner, p.TTL.milliseconds())
	var badName *world.NameError
	var badLease *world.LeaseError
	switch {
	case errors.As(err, &badName), errors.As(err, &badLease):
		return nil, r.BadInput(err)
	case err != nil:
		return nil, api.Refused(err)
	}
	url := func(scheme, path string) string {
		if path == "" {
			return ""
		}
		return r.Caller.URL(scheme) + path
	}
	return newWorldObject{
		made.Name, url("http", made.Path), url("ws", made.Path), url("http", made.TestnetPath), url("ws", made.TestnetPath),
		url("http", made.L1Path), url("ws", made.L1Path),
	}, nil
}

// CloseWorld serves fakenode_closeWorld. A client that calls it over a WebSocket of the world that it closes gets the
// close frame in place of the answer.
func CloseWorld(r *api.Request, name string) (any, error) {
	return nil, api.Refused(r.Network.Worlds.CloseWorld(name))
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
	worlds := r.Network.Worlds.ListWorlds()
	objects := make([]worldObject, len(worlds))
	for i, w := range worlds {
		objects[i] = worldObject{w.Name, w.Head, w.Clients, w.Made.UnixMilli(), w.Owner, w.TTL.Milliseconds()}
	}
	return objects, nil
}
