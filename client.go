package fakenode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/fakenode/fakenode/rpcserver"
)

// Client returns a client of the network that calls the node inside this process: it opens no port and starts no
// goroutine, so nothing leaks if it is not closed. Its calls meet the faults of Fail and are in the journal, like those
// of any client. The errors of its calls that revert have the reason under every Profile; clients that dial URL see it
// with Geth. Subscriptions need a socket: dial WebSocketURL for them.
func (n *Network) Client() *ethclient.Client {
	n.node.t.Helper()
	transport := &http.Client{Transport: inProcess{n.node.host.server}}
	client, err := rpc.DialOptions(context.Background(), "http://127.0.0.1"+n.path(), rpc.WithHTTPClient(transport))
	n.check(err) // cannot happen: dialing HTTP connects to nothing
	return ethclient.NewClient(client)
}

// inProcess is an http.RoundTripper that hands requests to a handler.
type inProcess struct{ handler http.Handler }

// errConnectionDropped is the error of a request that the handler aborted.
var errConnectionDropped = errors.New("the node closed the connection without an answer")

// RoundTrip implements http.RoundTripper.
func (p inProcess) RoundTrip(req *http.Request) (response *http.Response, err error) {
	served := req.Clone(rpcserver.InProcess(req.Context()))
	served.Host = "" // URLs in answers are then those of the port, if it is open
	if served.Body == nil {
		served.Body = http.NoBody
	}
	defer served.Body.Close()
	answer := &answer{header: http.Header{}, code: http.StatusOK}
	defer func() {
		switch aborted := recover(); aborted {
		case nil:
		case http.ErrAbortHandler:
			response, err = nil, errConnectionDropped
		default:
			panic(aborted)
		}
	}()
	p.handler.ServeHTTP(answer, served)
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", answer.code, http.StatusText(answer.code)), StatusCode: answer.code,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: answer.header, Body: io.NopCloser(&answer.body), ContentLength: int64(answer.body.Len()), Request: req,
	}, nil
}

// answer is an http.ResponseWriter that collects what is written.
type answer struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(code int)        { a.code = code }
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }

// Calls returns the calls that clients made of a method, oldest first; "" means all methods. It includes calls whose
// answer a fault kept back. MarkCalls counts from a point on.
func (n *Network) Calls(method string) []Call { return n.node.world.Calls(n.name, method) }

// WaitForCall waits until clients have made count calls of a method ("" means any) since the network began, and returns
// all calls of it so far, oldest first. The error is ctx.Err(), or reports that count is more than Limits.JournalSize.
func (n *Network) WaitForCall(ctx context.Context, method string, count int) ([]Call, error) {
	return CallMark{network: n}.WaitForCall(ctx, method, count)
}

// CallMark is a point in time between the calls of a network's clients. It stays valid when the network reverts to a
// snapshot: calls are not undone. Safe for concurrent use.
type CallMark struct {
	network *Network
	last    uint64 // number of the newest call before it
}

// MarkCalls returns the point from which later calls are counted: take it before the code under test acts.
func (n *Network) MarkCalls() CallMark {
	return CallMark{network: n, last: n.node.world.LastCall(n.name)}
}

// Calls returns the calls of a method ("" means all) that clients made since the mark, oldest first.
func (m CallMark) Calls(method string) []Call {
	return m.network.node.world.CallsSince(m.network.name, m.last, method)
}

// WaitForCall waits until clients have made count calls of a method ("" means any) since the mark, and returns all of
// these so far, oldest first. The error is ctx.Err(), or reports that count is more than Limits.JournalSize.
func (m CallMark) WaitForCall(ctx context.Context, method string, count int) ([]Call, error) {
	return m.network.node.world.WaitForCalls(ctx, m.network.name, m.last, method, count)
}
