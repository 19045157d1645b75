package rpcserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/gorilla/websocket"

	"github.com/fakenode/fakenode/rpcserver/page"
)

const helpText = `This is fakenode, a chain node for tests.
POST JSON-RPC 2.0 here with Content-Type: application/json, or open a WebSocket. GET /health says whether it serves.
`

// buffers holds request and answer bytes between requests; large ones too, so that a big eth_getLogs
// answer does not pay for its memory each time.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

type buffer struct{ bytes []byte }

// ownPort marks the context of requests that came through Listen: it ends at Close.
type ownPort struct{}

// Shared header values: setting them allocates nothing.
var jsonContent = []string{"application/json"}

// ServeHTTP serves JSON-RPC at / and /testnet by POST and as WebSocket, and /health.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if !s.enter() {
		http.Error(w, "the node is closing", http.StatusServiceUnavailable)
		return
	}
	defer s.running.Done()
	if err := s.origins.check(req); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	if origin := req.Header.Get("Origin"); origin != "" {
		allowOrigin(w.Header(), origin)
	}
	if req.URL.Path == "/health" {
		w.Header()["Content-Type"] = jsonContent
		_, _ = io.WriteString(w, `{"status":"ok"}`+"\n")
		return
	}
	if strings.HasPrefix(req.URL.Path, page.Prefix) {
		page.Serve(w, req)
		return
	}
	var e *endpoint
	switch req.URL.Path {
	case "/", "":
		e = s.main
	case TestnetPath, TestnetPath + "/":
		e = s.testnet
	}
	if e == nil {
		http.Error(w, "not found: "+req.URL.Path, http.StatusNotFound)
		return
	}
	switch req.Method {
	case http.MethodPost:
		s.servePost(w, req, e)
	case http.MethodOptions:
		answerPreflight(w, req)
	case http.MethodGet, http.MethodHead:
		if websocket.IsWebSocketUpgrade(req) {
			s.serveWebSocket(w, req, e)
			return
		}
		if page.Wanted(req) {
			page.Serve(w, req)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, helpText)
	default:
		w.Header().Set("Allow", "POST, GET, HEAD, OPTIONS")
		http.Error(w, "method not allowed: "+req.Method, http.StatusMethodNotAllowed)
	}
}

// servePost answers one JSON-RPC body.
func (s *Server) servePost(w http.ResponseWriter, req *http.Request, e *endpoint) {
	if kind := req.Header.Get("Content-Type"); !isJSON(kind) {
		http.Error(w, fmt.Sprintf("unsupported content type %q: want application/json", kind), http.StatusUnsupportedMediaType)
		return
	}
	in := buffers.Get().(*buffer)
	defer buffers.Put(in)
	var err error
	if in.bytes, err = s.readBody(in.bytes[:0], req); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			w.Header().Set("Connection", "close") // the rest of the body is not read
			http.Error(w, fmt.Sprintf("body too large: the limit is %d bytes", tooLarge.Limit), http.StatusRequestEntityTooLarge)
			return
		}
		http.Error(w, "reading the body: "+err.Error(), http.StatusBadRequest)
		return
	}

	ctx := req.Context()
	if ctx.Value(ownPort{}) != s { // from a foreign http.Server, whose requests do not end with ours
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
	}
	out := buffers.Get().(*buffer)
	defer buffers.Put(out)
	r := &request{ctx: ctx, server: s, endpoint: e, network: e.network}
	out.bytes = s.answer(r, in.bytes, out.bytes[:0])
	writeAnswer(w, out.bytes, r.disturbance)
}

func writeAnswer(w http.ResponseWriter, answer []byte, d disturbance) {
	switch {
	case d.drop:
		panic(http.ErrAbortHandler) // net/http closes the connection without an answer
	case d.httpStatus != 0:
		http.Error(w, "injected fault: "+http.StatusText(d.httpStatus), d.httpStatus)
		return
	case len(answer) == 0:
		w.WriteHeader(http.StatusNoContent)
		return
	}
	answer = d.cut(answer)
	header := w.Header()
	header["Content-Type"] = jsonContent
	if len(answer) > 2048 { // net/http counts shorter ones itself
		header["Content-Length"] = []string{strconv.Itoa(len(answer))}
	}
	_, _ = w.Write(answer) // the client is gone: nobody left to tell
}

// isJSON says whether a Content-Type header announces JSON-RPC.
func isJSON(kind string) bool {
	if kind == "application/json" {
		return true
	}
	media, _, err := mime.ParseMediaType(kind)
	return err == nil && (media == "application/json" || media == "application/json-rpc" || media == "application/jsonrequest")
}

// readBody appends the whole body to buf; *http.MaxBytesError beyond the limit.
func (s *Server) readBody(buf []byte, req *http.Request) ([]byte, error) {
	limit := s.config.Limits.MaxBody
	if req.ContentLength > limit {
		return buf, &http.MaxBytesError{Limit: limit}
	}
	if size := req.ContentLength; size >= 0 {
		if int64(cap(buf)) < size {
			buf = make([]byte, size)
		}
		buf = buf[:size]
		_, err := io.ReadFull(req.Body, buf)
		return buf, err
	}
	buf, err := readAll(buf, io.LimitReader(req.Body, limit+1))
	if err == nil && int64(len(buf)) > limit {
		err = &http.MaxBytesError{Limit: limit}
	}
	return buf, err
}

// readAll appends everything from in to buf.
func readAll(buf []byte, in io.Reader) ([]byte, error) {
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := in.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
	}
}
