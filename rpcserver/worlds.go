package rpcserver

import (
	"errors"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// servedBy returns the network that the request went to with the world that it is part of.
func servedBy(r *api.Request) *served { return r.Network.Owner.(*served) }

// newWorldParams are the parameters of fakenode_newWorld.
type newWorldParams struct {
	api.ControlObject
	Name     *string     `json:"name"`
	Snapshot *api.Number `json:"snapshot"`
}

func (newWorldParams) Wanted() string { return "{name?, snapshot?}" }

// newWorldObject describes where a new world is.
type newWorldObject struct {
	Name                string `json:"name"`
	URL                 string `json:"url"`
	WebSocketURL        string `json:"webSocketUrl"`
	TestnetURL          string `json:"testnetUrl,omitempty"` // absent without a test network
	TestnetWebSocketURL string `json:"testnetWebSocketUrl,omitempty"`
}

// newWorld serves fakenode_newWorld: makes a copy of the world that the request went to. A snapshot is one of the
// network that the request went to; the world's other network is copied as it is now.
func newWorld(r *api.Request, p *newWorldParams) (any, error) {
	n := servedBy(r)
	var o WorldOptions
	if p != nil && p.Name != nil {
		if *p.Name == "" {
			return nil, r.BadInput(&WorldNameError{})
		}
		o.Name = *p.Name
	}
	if p != nil && p.Snapshot != nil {
		id := uint64(*p.Snapshot)
		if n == n.world.main {
			o.Snapshot = &id
		} else {
			o.TestnetSnapshot = &id
		}
	}
	w, err := n.world.server.NewWorld(n.world, o)
	var badName *WorldNameError
	switch {
	case errors.As(err, &badName):
		return nil, r.BadInput(err)
	case err != nil:
		return nil, api.Refused(err)
	}
	object := newWorldObject{
		Name:         w.Name(),
		URL:          r.Caller.URL("http") + w.Path(),
		WebSocketURL: r.Caller.URL("ws") + w.Path(),
	}
	if w.testnet != nil {
		object.TestnetURL, object.TestnetWebSocketURL = object.URL+TestnetPath, object.WebSocketURL+TestnetPath
	}
	return object, nil
}

// closeWorld serves fakenode_closeWorld. A client that calls it over a WebSocket of the world that it closes gets the
// close frame in place of the answer.
func closeWorld(r *api.Request, name string) (any, error) {
	s := servedBy(r).world.server
	w, err := s.Lookup(name)
	if err != nil {
		return nil, api.Refused(err)
	}
	s.CloseWorld(w)
	return nil, nil
}

// worldObject is a world in the list of fakenode_worlds.
type worldObject struct {
	Name        string `json:"name"`
	BlockNumber uint64 `json:"blockNumber"` // of the main network's head
	Clients     int    `json:"clients"`     // open WebSocket connections
	CreatedMs   int64  `json:"createdMs"`   // Unix time, of the wall clock
}

// listWorlds serves fakenode_worlds: the worlds beside the one at /, oldest first.
func listWorlds(r *api.Request) (any, error) {
	worlds := servedBy(r).world.server.Worlds()
	objects := make([]worldObject, len(worlds))
	for i, w := range worlds {
		head := w.main.network.Timeline.Moment().Latest()
		objects[i] = worldObject{w.name, head.Number(), w.clients(), w.created.UnixMilli()}
	}
	return objects, nil
}
