// Package recording records the traffic of a node, serves it again without a chain, and checks whether a node still
// answers the same. It is for the flag --record and the commands replay and check.
//
// A recording is text with one event a line, after a line with the flags that the node was started with:
//
//	fakenode recording 1 {"host":"127.0.0.1:8545","flags":["--seal=manual","--start-time=2026-01-01T00:00:00Z"]}
//	1767225600.000000000 / http:1 > {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}
//	1767225600.000000000 / http:1 < {"jsonrpc":"2.0","id":1,"result":"0x7a69"}
//	1767225600.000000000 / ws:1 +
//	1767225600.000000000 /w/a world *
//
// That is: the time of the network's clock, the network's path (after "//" and the host, if the client names the server
// by another host than the first line), the number of the HTTP request or WebSocket connection, the kind of the event,
// and the message. A message of several lines is written as a quoted string of Go.
package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// magic begins the first line of a recording; a Head as JSON follows.
const magic = "fakenode recording 1 "

type Head struct {
	// Host is the address on which the node listened.
	Host string `json:"host"`
	// Flags are the given flags that affect the node's answers.
	Flags []string `json:"flags"`
	// Withheld are the names of flags that were given but may hold secrets.
	Withheld []string `json:"withheld,omitempty"`
}

type Recording struct {
	Head   Head
	Events []Event
}

type Event struct {
	jsonrpc.TapEvent
	// At is the time of the network's clock.
	At time.Time
	// Path is the network's: "/", "/testnet", "/w/NAME" or "/w/NAME/testnet".
	Path string
	// Line is counted from 1.
	Line int
}

// passed is the kind of an event that follows a message: it is answered, or waits for an event that another may cause.
// It is never written.
const passed jsonrpc.TapKind = '~'

// Channel names the HTTP request or WebSocket connection that the event is about.
func (e *Event) Channel() string { return e.target() + " " + who(e) }

// target returns the network's path as the client asks for it.
func (e *Event) target() string {
	if e.Observer {
		return e.Path + "?observer"
	}
	return e.Path
}

// who returns the number of the HTTP request or WebSocket connection, as it is written.
func who(e *Event) string {
	switch {
	case e.Kind == world.TapMade:
		return "world"
	case e.Connection != 0:
		return "ws:" + strconv.FormatUint(e.Connection, 10)
	}
	return "http:" + strconv.FormatUint(e.Exchange, 10)
}

// appendEvent appends the line of an event. host is the host of the first line.
func appendEvent(dst []byte, e *Event, host string) []byte {
	dst = fmt.Appendf(dst, "%d.%09d ", e.At.Unix(), e.At.Nanosecond())
	if e.Host != "" && e.Host != host {
		dst = append(append(dst, "//"...), e.Host...)
	}
	dst = append(append(dst, e.Channel()...), ' ', byte(e.Kind))
	if e.Status != 0 && e.Status != http.StatusOK {
		dst = strconv.AppendInt(dst, int64(e.Status), 10)
	}
	if len(e.Payload) > 0 {
		dst = appendPayload(append(dst, ' '), e.Payload)
	}
	return append(dst, '\n')
}

// appendPayload appends a message unchanged, or quoted if it has several lines.
func appendPayload(dst, payload []byte) []byte {
	if payload[0] == '"' || bytes.ContainsAny(payload, "\n\r") {
		return strconv.AppendQuote(dst, string(payload))
	}
	return append(dst, payload...)
}

// Read reads a recording. A last line without its end, left by a process that was killed, is not read. The error names
// the line.
func Read(in io.Reader) (*Recording, error) {
	lines := bufio.NewReader(in)
	first, err := lines.ReadString('\n')
	text, isRecording := strings.CutPrefix(first, magic)
	if !isRecording {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, fmt.Errorf("line 1: a recording begins with %q", strings.TrimSpace(magic))
	}
	r := new(Recording)
	if err := json.Unmarshal([]byte(text), &r.Head); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	for number := 2; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return r, nil
		}
		if err != nil {
			return nil, err
		}
		event, err := parseEvent(line[:len(line)-1], r.Head.Host)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		event.Line = number
		r.Events = append(r.Events, event)
	}
}

// kinds are the kinds of events that a line can have.
const kinds = "+-x><!*"

func parseEvent(line []byte, host string) (e Event, err error) {
	parts := bytes.SplitN(line, []byte(" "), 5)
	if len(parts) < 4 || len(parts[3]) == 0 {
		return e, errors.New("want a time, a path, a channel and what happened")
	}
	if e.At, err = parseTime(string(parts[0])); err != nil {
		return e, err
	}
	e.Host, e.Path = host, string(parts[1])
	if named, isNamed := strings.CutPrefix(e.Path, "//"); isNamed {
		slash := strings.IndexByte(named, '/')
		if slash < 0 {
			return e, fmt.Errorf("%q has no path", parts[1])
		}
		e.Host, e.Path = named[:slash], named[slash:]
	}
	e.Path, e.Observer = strings.CutSuffix(e.Path, "?observer")
	if !strings.HasPrefix(e.Path, "/") {
		return e, fmt.Errorf("path %q does not begin with /", e.Path)
	}
	if e.Kind = jsonrpc.TapKind(parts[3][0]); !strings.ContainsRune(kinds, rune(e.Kind)) {
		return e, fmt.Errorf("%q is not one of %s", parts[3][:1], strings.Join(strings.Split(kinds, ""), " "))
	}
	if err := e.parseWho(string(parts[2])); err != nil {
		return e, err
	}
	if status := string(parts[3][1:]); status != "" {
		if e.Status, err = strconv.Atoi(status); err != nil {
			return e, fmt.Errorf("status %q is no number", status)
		}
	} else if e.Kind == jsonrpc.TapAnswer && e.Exchange != 0 {
		e.Status = http.StatusOK
	}
	if len(parts) < 5 {
		return e, nil
	}
	e.Payload = parts[4] // a part of the line: recordings may be large
	if bytes.HasPrefix(e.Payload, []byte(`"`)) {
		text, err := strconv.Unquote(string(e.Payload))
		if err != nil {
			return e, errors.New("the quoted message is broken")
		}
		e.Payload = []byte(text)
	}
	return e, nil
}

// parseWho reads the number of the HTTP request or WebSocket connection.
func (e *Event) parseWho(text string) error {
	if e.Kind == world.TapMade {
		if text != who(e) {
			return fmt.Errorf("channel %q: want world for *", text)
		}
		return nil
	}
	kind, number, _ := strings.Cut(text, ":")
	n, err := strconv.ParseUint(number, 10, 64)
	if err == nil && n > 0 {
		switch kind {
		case "http":
			e.Exchange = n
			return nil
		case "ws":
			e.Connection = n
			return nil
		}
	}
	return fmt.Errorf("channel %q: want http: or ws: and a number", text)
}

func parseTime(text string) (time.Time, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	nanoseconds, fractionErr := strconv.ParseUint(fraction, 10, 32)
	if err != nil || fractionErr != nil || len(fraction) != 9 {
		return time.Time{}, fmt.Errorf("time %q: want Unix seconds with nine decimals", text)
	}
	return time.Unix(seconds, int64(nanoseconds)).UTC(), nil
}

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
