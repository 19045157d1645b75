package jsonrpc

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// ownPort marks the context of requests that came through Listen: it ends at Close.
type ownPort struct{}

// address is where a client reaches the server. The host is empty in process, and if the client does not name it.
type address struct {
	host   string // with the port
	secure bool   // over TLS
}

func addressOf(req *http.Request) address { return address{req.Host, req.TLS != nil} }

// jsonContent is a shared header value: setting it allocates nothing.
var jsonContent = []string{"application/json"}

// ServeHTTP checks the origin of the request and passes it to the handler that Config.Route returns for its path.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if !s.enter() {
		http.Error(w, "the node is closing", http.StatusServiceUnavailable)
		return
	}
	defer s.running.Done()
	defer s.logPanic(req)
	if err := s.allow.check(req); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	if origin := req.Header.Get("Origin"); origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Add("Vary", "Origin")
	}
	handler := s.route(req)
	if handler == nil {
		http.Error(w, "not found: "+req.URL.Path, http.StatusNotFound)
		return
	}
	handler.ServeHTTP(w, req)
}

// logPanic logs a request's unintended panic, and lets any panic end the connection.
func (s *Server) logPanic(req *http.Request) {
	if crash := recover(); crash != nil {
		if crash != http.ErrAbortHandler {
			s.log.Error("request panicked", "path", req.URL.Path, "panic", crash, "stack", string(debug.Stack()))
		}
		panic(http.ErrAbortHandler)
	}
}

// ServeHTTP serves JSON-RPC by POST and as WebSocket, and the API's page to other GET requests.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if e.isClosed() {
		http.Error(w, "not found: "+req.URL.Path, http.StatusNotFound)
		return
	}
	switch req.Method {
	case http.MethodPost:
		e.servePost(w, req)
	case http.MethodOptions:
		answerPreflight(w, req)
	case http.MethodGet, http.MethodHead:
		if websocket.IsWebSocketUpgrade(req) {
			e.serveWebSocket(w, req)
			return
		}
		e.api.Page.ServeHTTP(w, req)
	default:
		w.Header().Set("Allow", "POST, GET, HEAD, OPTIONS")
		http.Error(w, "method not allowed: "+req.Method, http.StatusMethodNotAllowed)
	}
}

// MayCall reports whether a request can call methods: a POST of JSON, or one that opens a WebSocket. A page of another
// origin can send neither without the browser naming its origin.
func MayCall(req *http.Request) bool {
	if req.Method == http.MethodPost {
		return isJSON(req.Header.Get("Content-Type"))
	}
	return req.Method == http.MethodGet && opensWebSocket(req)
}

// opensWebSocket reports whether a request is a handshake of a WebSocket that can succeed (RFC 6455, section 4.2.1).
func opensWebSocket(req *http.Request) bool {
	key, err := base64.StdEncoding.DecodeString(req.Header.Get("Sec-WebSocket-Key"))
	versions := strings.Join(req.Header.Values("Sec-WebSocket-Version"), ",")
	return err == nil && len(key) == 16 && strings.Contains(versions, "13") && websocket.IsWebSocketUpgrade(req)
}

func (e *Endpoint) servePost(w http.ResponseWriter, req *http.Request) {
	if kind := req.Header.Get("Content-Type"); !isJSON(kind) {
		http.Error(w, fmt.Sprintf("unsupported content type %q: want application/json", kind), http.StatusUnsupportedMediaType)
		return
	}
	in := newBuffer()
	defer in.release()
	var err error
	if in.bytes, err = e.server.limits.readBody(in.bytes[:0], w, req); err != nil {
		rejectBody(w, err)
		return
	}

	ctx := req.Context()
	if ctx.Value(ownPort{}) != e.server { // from another http.Server, whose requests do not end with ours
		var leave func()
		ctx, leave = join(ctx, e.server.ctx)
		defer leave()
	}
	out := newBuffer()
	defer out.release()
	r := e.newRequest(ctx)
	r.client, r.observer = addressOf(req), isObserver(req)
	r.enter(in.bytes)
	e.answer(r, in.bytes, out)
	status := r.disturb(out)
	r.noteAnswer(status, out)
	switch {
	case r.disturbance.silent:
		<-ctx.Done()
		panic(http.ErrAbortHandler)
	case r.disturbance.drop:
		panic(http.ErrAbortHandler) // net/http closes the connection without an answer
	case status == http.StatusNoContent:
		w.WriteHeader(status)
		return
	case status == r.disturbance.httpStatus:
		http.Error(w, strings.TrimSuffix(string(out.bytes), "\n"), status)
		return
	}
	header := w.Header()
	header["Content-Type"] = jsonContent
	if status != http.StatusOK && r.refusal.RetryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(int(r.refusal.RetryAfter.Seconds())))
	}
	header["Content-Length"] = []string{strconv.Itoa(len(out.bytes))}
	w.WriteHeader(status)
	e.server.writeAnswer(w, req, out)
}

// disturb applies faults to an answer, and returns its status over HTTP.
func (r *Request) disturb(answer *buffer) (status int) {
	switch d := r.disturbance; {
	case r.refused > 0 && r.refused == r.calls:
		return r.refusal.HTTPStatus
	case d.httpStatus != 0:
		answer.bytes = append(answer.bytes[:0], "injected fault: "+http.StatusText(d.httpStatus)+"\n"...)
		return d.httpStatus
	}
	r.disturbance.cut(answer)
	return statusOf(answer)
}

// statusOf returns the status of an answer over HTTP without faults.
func statusOf(answer *buffer) int {
	if len(answer.bytes) == 0 {
		return http.StatusNoContent
	}
	return http.StatusOK
}

// isObserver reports whether the client only observes (?observer): no journal has its calls, and no fault strikes them.
func isObserver(req *http.Request) bool {
	return req.URL.RawQuery != "" && req.URL.Query().Has("observer")
}

func isJSON(kind string) bool {
	if kind == "application/json" {
		return true
	}
	media, _, err := mime.ParseMediaType(kind)
	return err == nil && (media == "application/json" || media == "application/json-rpc" || media == "application/jsonrequest")
}

// bodyStep is the memory, in bytes, that a declared Content-Length gets before its bytes arrive.
const bodyStep = 64 << 10

// readBody appends the whole body to buf. The error is *http.MaxBytesError beyond the limit of bytes, and
// os.ErrDeadlineExceeded beyond the limit of time.
func (l Limits) readBody(buf []byte, w http.ResponseWriter, req *http.Request) (body []byte, err error) {
	if req.ContentLength > l.MaxBody {
		return buf, &http.MaxBytesError{Limit: l.MaxBody}
	}
	// A server that cannot set deadlines has limits of its own.
	connection := http.NewResponseController(w)
	if connection.SetReadDeadline(time.Now().Add(l.BodyTimeout)) == nil {
		defer func() {
			if err == nil { // else net/http would wait for the rest of the body
				_ = connection.SetReadDeadline(time.Time{})
			}
		}()
	}
	buf = slices.Grow(buf, int(min(max(req.ContentLength, 0), bodyStep))+bytes.MinRead)
	return readAll(buf, http.MaxBytesReader(w, req.Body, l.MaxBody))
}

func rejectBody(w http.ResponseWriter, err error) {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		w.Header().Set("Connection", "close") // the rest of the body is not read
		http.Error(w, fmt.Sprintf("body too large: the limit is %d bytes", tooLarge.Limit), http.StatusRequestEntityTooLarge)
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		http.Error(w, "body too slow", http.StatusRequestTimeout)
	default:
		http.Error(w, "reading the body: "+err.Error(), http.StatusBadRequest)
	}
}

// readAll appends all of in to buf.
func readAll(buf []byte, in io.Reader) ([]byte, error) {
	into := bytes.NewBuffer(buf)
	_, err := into.ReadFrom(in)
	return into.Bytes(), err
}
