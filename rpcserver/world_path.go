package rpcserver

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

const (
	// WorldPath is what the path of a world begins with, before its name.
	WorldPath = "/w/"
	// maxWorldName is the length of a world's name, in characters.
	maxWorldName = 64
	// maxWorldNumber is the highest number that is a path of its own: /7 is /w/7.
	maxWorldNumber = 65535
)

// routeWorld returns what serves the path of a world, or nil if the path is none. Only a request that may call methods
// makes a world: a link or an image of any web page makes requests, too. Others are answered as at /.
func (s *Server) routeWorld(path string, mayCall bool) http.Handler {
	if s.worlds.limit == 0 {
		return nil
	}
	path, isNamed := strings.CutPrefix(path, WorldPath)
	network, feed, name := networkOf(path)
	if !isNamed {
		name = strings.TrimPrefix(name, "/")
	}
	isNumber := !isNamed && isWorldNumber(name)
	switch {
	case !isNamed && !isNumber:
		return nil
	case !isWorldName(name):
		return worldError{http.StatusNotFound, &WorldNameError{name}}
	}
	w, err := s.Lookup(name)
	if err != nil && (isNumber || s.worlds.auto) {
		if !mayCall {
			return s.World.handler(network, feed)
		}
		s.inTurn(func() { w, err = s.open(name) })
	}
	var unknown *UnknownWorldError
	switch {
	case errors.As(err, &unknown):
		return worldError{http.StatusNotFound, fmt.Errorf("%w: make it with fakenode_newWorld, or start the node with --auto-worlds", err)}
	case err != nil:
		return worldError{http.StatusInsufficientStorage, err}
	}
	return w.handler(network, feed)
}

// networkOf returns which network a path is of, whether it is that of the network's feed, and what is before these in
// the path.
func networkOf(path string) (network NetworkName, feed bool, rest string) {
	rest, feed = strings.CutSuffix(strings.TrimSuffix(path, "/"), FlashblocksPath)
	rest, isTestnet := strings.CutSuffix(rest, TestnetPath)
	if isTestnet {
		return Testnet, feed, rest
	}
	return Main, feed, rest
}

// isWorldName reports whether a world can have the name.
func isWorldName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return 0 < len(name) && len(name) <= maxWorldName
}

// isWorldNumber reports whether text is a number from 1 to maxWorldNumber, without zeros before it.
func isWorldNumber(text string) bool {
	n, err := strconv.ParseUint(text, 10, 32)
	return err == nil && 1 <= n && n <= maxWorldNumber && text[0] != '0' && text[0] != '+'
}

// worldError answers requests to a world that is not there, with an HTTP status and a JSON-RPC error as the body. It
// does not read the request, so the id is null.
type worldError struct {
	status int
	err    error
}

// ServeHTTP implements http.Handler.
func (e worldError) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.status)
	o := shape.Begin(nil)
	o.Text("jsonrpc", "2.0")
	o.Null("id")
	o.Key("error")
	inner := shape.Begin(o.Dst)
	inner.Int("code", api.CodeServer)
	inner.Text("message", e.err.Error())
	o.Dst = inner.End()
	_, _ = w.Write(o.End())
}
