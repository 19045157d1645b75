package world

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Route returns the handler of a URL path, or nil if there is none. The first call to a number makes its world, with
// Config.Auto the first call to any name. Only a request that may call methods makes one, because a link or an image of
// any web page makes requests, too. Other requests are answered as at /.
func (t *Table) Route(path string, mayCall bool) http.Handler {
	p, err := ParsePath(path)
	switch {
	case err == nil && p.World == "":
		return t.World.handler(p)
	case t.config.Count == 0:
		return nil
	}
	switch {
	case errors.As(err, new(*NameError)):
		return noWorld{http.StatusNotFound, err}
	case err != nil:
		return nil
	}
	w, err := t.Lookup(p.World)
	if err != nil && (p.Number || t.config.Auto) {
		if !mayCall {
			return t.World.handler(p)
		}
		w, err = t.open(p.World)
	}
	switch {
	case errors.As(err, new(*UnknownError)):
		return noWorld{http.StatusNotFound, fmt.Errorf("%w: make it with fakenode_newWorld, or start the node with --auto-worlds", err)}
	case err != nil:
		return noWorld{http.StatusInsufficientStorage, err}
	}
	return w.handler(p)
}

// handler returns the handler of a path of the world, or nil if the world does not have the network.
func (w *World) handler(p Path) http.Handler {
	n := w.Network(p.Network)
	switch {
	case n == nil:
		return nil
	case p.Replica != 0:
		return w.used(n.atReplica(p))
	}
	return w.used(n.served(p))
}

// noWorld answers requests to an unknown world with an HTTP status and a JSON-RPC error, whose id is null.
type noWorld struct {
	status int
	err    error
}

func (e noWorld) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.status)
	o := shape.Begin(nil)
	o.Text("jsonrpc", "2.0")
	o.Null("id")
	o.Add("error", api.Errorf(api.CodeServer, "%s", e.err))
	_, _ = w.Write(o.End())
}

// ErrNoWorlds is returned by NewWorld if Config.Count is zero, and after Close.
var ErrNoWorlds = errors.New("worlds are switched off")

// ExistsError is returned by NewWorld for a name that is in use.
type ExistsError struct{ Name string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("world %s exists already: close it, or choose another name", e.Name)
}

// UnknownError is returned for a name that no world has.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no world %s", e.Name) }

// LimitError is returned by NewWorld when there are as many worlds as Config.Count allows, or Config.PerOwner their
// owner.
type LimitError struct {
	Limit int
	Owner string // empty: of all
}

func (e *LimitError) Error() string {
	if e.Owner != "" {
		return fmt.Sprintf("cannot make another world for %q: the limit is %d worlds an owner, close those that are not needed", e.Owner, e.Limit)
	}
	return fmt.Sprintf("cannot make another world: the limit is %d worlds, close those that are not needed", e.Limit)
}
