package jsonrpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// toy is a server of an API that shows the behaviour of the wire: at / and, as another endpoint, at /other.
type toy struct {
	*Server
	main, other *Endpoint
}

// toyNow is the time on the clock of a toy's journals.
var toyNow = time.Unix(1_700_000_000, 200_000_000)

const toyPage = "a page for browsers\n"

// newToy returns a toy that serves the table and does not listen yet.
func newToy(t testing.TB, config Config, table map[string]Method[*Request]) *toy {
	t.Helper()
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	s := &toy{}
	config.Route = s.route
	s.Server = New(config)
	api := toyAPI(table)
	s.main, s.other = NewEndpoint(s.Server, api), NewEndpoint(s.Server, api)
	return s
}

// toyTable returns a table whose R is the Request itself.
func toyTable(methods map[string]Method[*Request]) Table[*Request] {
	return Table[*Request]{
		Methods: methods, Begin: func(*Request) {},
		New: func() (*Request, *Request) {
			r := new(Request)
			return r, r
		},
	}
}

// toyAPI returns the API of a toy.
func toyAPI(methods map[string]Method[*Request]) API {
	return API{
		Methods:       toyTable(methods),
		ToWire:        func(*Request, error) *Error { return nil },
		AppendValue:   AppendValue,
		Now:           func() time.Time { return toyNow },
		Announce:      func(uint64) {},
		Admit:         func() *Error { return nil },
		Notifications: map[string][]string{"test_subscription": {"letters", "numbers"}},
		Page:          http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(toyPage)) }),
	}
}

func (s *toy) route(req *http.Request) http.Handler {
	switch req.URL.Path {
	case "/":
		return s.main
	case "/other":
		return s.other
	}
	return nil
}

// listen starts a toy on a free port, closed with the test.
func listen(t testing.TB, config Config, table map[string]Method[*Request]) *toy {
	t.Helper()
	s := newToy(t, config, table)
	require.NoError(t, s.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// stub holds the state that the methods of a toy work on.
type stub struct {
	waiting chan struct{} // test_wait has begun
	feed    feed          // the source of test_subscribe
}

func newStub() *stub {
	return &stub{waiting: make(chan struct{}, 16), feed: feed{method: "test_subscription", stopped: make(chan struct{}, 1<<16)}}
}

// chainCall is a call of test_chain, and toyChain its result.
const (
	chainCall = `{"jsonrpc":"2.0","id":1,"method":"test_chain"}`
	toyChain  = "0x7a69"
)

// point is a parameter object that knows its members.
type point struct {
	X     int    `json:"x"`
	Y     *int   `json:"y,omitempty"`
	Label string `json:"label,omitempty"`
}

func (point) Strict(lenient bool) bool { return !lenient }

func (point) Wanted() string { return "{x, y?, label?}" }

// rawResult is a result that writes its own JSON.
type rawResult json.RawMessage

func (r rawResult) AppendJSON(dst []byte) []byte { return append(dst, r...) }

// table returns the methods.
func (s *stub) table() map[string]Method[*Request] {
	return map[string]Method[*Request]{
		"test_chain":   Params0(func(*Request) (any, error) { return toyChain, nil }),
		"test_version": Params0(func(*Request) (any, error) { return "31337", nil }),
		"test_echo": Params3(func(_ *Request, text string, number int, at *point) (any, error) {
			return map[string]any{"text": text, "number": number, "point": at}, nil
		}, "text", "number", "point"),
		"test_named": Params2(func(_ *Request, from string, to *string) (any, error) {
			return []any{from, to}, nil
		}, "from", "to").Named("from", "to"),
		"test_four": Params4(func(_ *Request, a, b, c string, d *bool) (any, error) {
			return []any{a, b, c, d}, nil
		}, "first", "second", "third", "fourth"),
		"test_two":   Params2(func(_ *Request, text string, _ *bool) (any, error) { return text, nil }, "text", "flag"),
		"test_raw":   Params1(func(_ *Request, raw json.RawMessage) (any, error) { return rawResult(raw), nil }, "value"),
		"test_fails": Params0(func(*Request) (any, error) { return nil, errors.New("secret detail") }),
		"test_reverts": Params0(func(*Request) (any, error) {
			return nil, &Error{Code: CodeServer, Message: "execution reverted", Data: "0x08c379a0"}
		}),
		"test_panics":  Params0(func(*Request) (any, error) { panic("at the disco") }),
		"test_badType": Params0(func(*Request) (any, error) { return make(chan int), nil }),
		"test_wait": Params0(func(r *Request) (any, error) {
			r.LetOthersPass()
			s.waiting <- struct{}{}
			<-r.Context().Done()
			return nil, r.Context().Err()
		}),
		"test_exempt":      Params0(func(*Request) (any, error) { return true, nil }).Exempt(),
		"test_subscribe":   Params1(s.feed.subscribe, "eager notifications"),
		"test_unsubscribe": Params1(func(r *Request, id string) (any, error) { return r.Unsubscribe(id) }, "subscription id"),
	}
}

// feed reports numbers to its subscribers, under its own lock.
type feed struct {
	method string // of the notifications

	mu          sync.Mutex
	subscribers []*Subscription // in the order of their subscriptions, so that a fault meets the same one on every run
	stopped     chan struct{}   // one for each subscription ended
}

// subscribe opens a subscription that gets eager numbers before it is answered.
func (f *feed) subscribe(r *Request, eager int) (any, error) {
	return r.Subscribe(f.method, "numbers", func(sub *Subscription) (stop func()) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.subscribers = append(f.subscribers, sub)
		for i := range eager {
			sub.Notify(new(News), json.RawMessage(fmt.Sprint(i)))
		}
		return func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			if i := slices.Index(f.subscribers, sub); i >= 0 {
				f.subscribers = slices.Delete(f.subscribers, i, i+1)
				f.stopped <- struct{}{}
			}
		}
	})
}

// publish reports to all subscribers and returns how many are still open.
func (f *feed) publish(results ...json.RawMessage) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	took, news := 0, new(News)
	news.Add(results)
	for _, sub := range f.subscribers {
		if sub.Notify(news, results...) {
			took++
		}
	}
	return took
}
