package flashblocks

import (
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// maxUnsent is the number of frames that may wait to be encoded.
const maxUnsent = 1 << 16

// sender encodes frames for the readers and sends them, in order. It has a goroutine while there are frames to send, so
// nothing else waits for a slow encoding. Safe for concurrent use.
type sender struct {
	running *sync.WaitGroup // counts the goroutine

	mu    sync.Mutex
	tasks []func() // oldest first
	busy  bool     // the goroutine is there
}

// send sends a frame to readers. It cuts them off if the sender is too far behind, or if the frame cannot be encoded.
func (s *sender) send(made *frame, readers []*reader) {
	s.mu.Lock()
	full := len(s.tasks) >= maxUnsent
	s.mu.Unlock()
	if full {
		for _, r := range readers {
			r.sub.TooSlow(fmt.Sprintf("more than %d flashblocks wait to be encoded", maxUnsent))
		}
		return
	}
	s.do(func() {
		for _, r := range readers {
			if !r.sub.IsOpen() {
				continue
			}
			message, err := made.encoded(r.compressed)
			if err != nil {
				r.sub.Fail(err.Error())
				continue
			}
			r.sub.Notify(made.news, message...)
		}
	})
}

// do adds a task for the goroutine, after all earlier ones.
func (s *sender) do(task func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasks = append(s.tasks, task)
	if !s.busy {
		s.busy = true
		s.running.Go(s.run)
	}
}

func (s *sender) wait() {
	s.mu.Lock()
	if !s.busy {
		s.mu.Unlock()
		return
	}
	done := make(chan struct{})
	s.tasks = append(s.tasks, func() { close(done) })
	s.mu.Unlock()
	<-done
}

func (s *sender) run() {
	for {
		s.mu.Lock()
		if len(s.tasks) == 0 {
			s.busy = false
			s.mu.Unlock()
			return
		}
		tasks := s.tasks
		s.tasks = nil
		s.mu.Unlock()
		for i, task := range tasks {
			tasks[i] = nil
			task()
		}
	}
}

// missed returns the recent frames that come after a flashblock: the frames behind its first one or, if it has none
// among them, those with a higher block or index. A flashblock that was announced again is returned once.
func missed(recent []*frame, after preconf.FlashblockID) []*frame {
	first := slices.IndexFunc(recent, func(f *frame) bool { return f.id() == after })
	if first >= 0 {
		recent = recent[first+1:]
	}
	var left []*frame
	for i, f := range recent {
		id := f.id()
		above := id.Number > after.Number || id.Number == after.Number && id.Index > after.Index
		told := f.repeat && (first >= 0 || i > 0)
		if (first >= 0 || above) && !told {
			left = append(left, f)
		}
	}
	return left
}

// ServeHTTP serves the feed to a client that opens a WebSocket.
func (f *Feed) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if none := f.config.Timeline.Moment().NoFlashblocks(); none != nil {
		http.Error(w, "not found: "+req.URL.Path+": "+none.Error(), http.StatusNotFound)
		return
	}
	if req.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "method not allowed: "+req.Method, http.StatusMethodNotAllowed)
		return
	}
	q, err := parseQuery(req.URL.RawQuery, f.config.Brotli)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	f.config.Endpoint.ServeStream(w, req, jsonrpc.Stream{
		Kind:   Kind,
		Binary: q.compressed,
		Start: func(sub *jsonrpc.Subscription) (stop func()) {
			return f.join(sub, q)
		},
		CatchUp: f.catchUp,
	})
}

// query holds the options of a reader in the query of the URL.
type query struct {
	compressed bool
	after      *preconf.FlashblockID // resume after this one; nil: only later frames
}

// The parameters of the query.
const (
	compressionParameter = "compression"
	numberParameter      = "block_number"
	indexParameter       = "flashblock_index"
)

// parseQuery reads a URL's query; compressed is for readers that do not set it. Its errors name the parameter.
func parseQuery(raw string, compressed bool) (query, error) {
	q := query{compressed: compressed}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return q, fmt.Errorf("query of the URL: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch name {
		case compressionParameter, numberParameter, indexParameter:
		default:
			return q, fmt.Errorf("unknown parameter %q: want %s, %s, %s, or none", jsonrpc.Excerpt(name), compressionParameter,
				numberParameter, indexParameter)
		}
		if times := len(values[name]); times > 1 {
			return q, fmt.Errorf("%s is given %d times, want it once", name, times)
		}
	}
	if values.Has(compressionParameter) {
		switch given := values.Get(compressionParameter); strings.ToLower(given) {
		case "brotli":
			q.compressed = true
		case "none":
			q.compressed = false
		default:
			return q, fmt.Errorf("%s is %q, want brotli or none", compressionParameter, jsonrpc.Excerpt(given))
		}
	}
	if values.Has(numberParameter) != values.Has(indexParameter) {
		return q, fmt.Errorf("%s and %s go together: they name the flashblock to resume after", numberParameter, indexParameter)
	}
	if values.Has(numberParameter) {
		number, err := parseNumber(values, numberParameter, 64)
		if err != nil {
			return q, err
		}
		index, err := parseNumber(values, indexParameter, 31)
		if err != nil {
			return q, err
		}
		q.after = &preconf.FlashblockID{Number: number, Index: int(index)}
	}
	return q, nil
}

// parseNumber reads a decimal number of at most so many bits.
func parseNumber(values url.Values, name string, bits int) (uint64, error) {
	number, err := strconv.ParseUint(values.Get(name), 10, bits)
	if err != nil {
		most := uint64(math.MaxUint64) >> (64 - bits)
		return 0, fmt.Errorf("%s is %q, want a decimal number from 0 to %d", name, jsonrpc.Excerpt(values.Get(name)), most)
	}
	return number, nil
}
