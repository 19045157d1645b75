package recording

import (
	"encoding/json"
	"io"
	"net/url"
	"regexp"
	"sync"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Writer writes a recording, each event immediately and as a whole line. After an error it writes nothing more. It is
// safe for concurrent use.
type Writer struct {
	out    io.Writer
	failed func(error) // called once

	mu     sync.Mutex
	host   string
	buffer []byte
	err    error
}

// NewWriter returns a Writer that calls failed with the first error of writing.
func NewWriter(out io.Writer, failed func(error)) *Writer { return &Writer{out: out, failed: failed} }

func (w *Writer) Begin(head Head) error {
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.host = head.Host
	w.buffer = append(append([]byte(magic), text...), '\n')
	w.write()
	return w.err
}

// Note writes an event. It fits NewTap.
func (w *Writer) Note(e Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e.Kind {
	case passed:
		return
	case jsonrpc.TapMessage:
		e.Payload = withoutKeys(e.Payload)
	}
	w.buffer = appendEvent(w.buffer[:0], &e, w.host)
	w.write()
}

// write writes the line in the buffer; the caller holds mu.
func (w *Writer) write() {
	if w.err != nil {
		return
	}
	if _, w.err = w.out.Write(w.buffer); w.err != nil {
		w.failed(w.err)
	}
}

// Err returns the first error of writing.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// remoteURL finds the URLs of other nodes that messages name (anvil_reset). Providers put keys into them.
var remoteURL = regexp.MustCompile(`(?i)("jsonRpcUrl"\s*:\s*)"([^"]*)"`)

// withoutKeys returns a message in which URLs of other nodes are cut to scheme and host.
func withoutKeys(message []byte) []byte {
	return remoteURL.ReplaceAllFunc(message, func(found []byte) []byte {
		parts := remoteURL.FindSubmatch(found)
		origin := "withheld"
		if u, err := url.Parse(string(parts[2])); err == nil && u.Host != "" {
			origin = u.Scheme + "://" + u.Host
		}
		return append(append(append([]byte(nil), parts[1]...), '"'), origin+`"`...)
	})
}
