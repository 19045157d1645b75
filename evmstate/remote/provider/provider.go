// Package provider calls JSON-RPC providers over HTTP: in batches, as fast as is allowed, again where that may help,
// and at the next one where one fails. No error holds a key.
package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

const (
	// maxAnswer is the most bytes that an answer may have.
	maxAnswer = 256 << 20
	// maxBatch is how many calls are sent in one request. Every provider takes so many.
	maxBatch = 50
	// FirstPause is about how long the first retry waits. Each further one waits twice as long.
	FirstPause = 100 * time.Millisecond
)

// Call is a call of a method, with parameters that are strings, bools and slices of them.
type Call struct {
	Method string
	Params []any
}

// NewCall returns a call of a method.
func NewCall(method string, params ...any) Call { return Call{method, params} }

// Result is the answer to a call: a value or an error.
type Result struct {
	Value json.RawMessage `json:"result"`
	Error *Error          `json:"error"`
	ID    json.RawMessage `json:"id"`
}

// Error is an error that a provider answers.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	origin  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s answered: %s (code %d)", e.origin, e.Message, e.Code)
}

// busy reports whether the error asks to come again later. Providers agree neither on the code nor on the words.
func (e *Error) busy() bool {
	if e.Code == 429 || e.Code == -32005 || e.Code == -32029 {
		return true
	}
	message := strings.ToLower(e.Message)
	for _, words := range []string{
		"rate limit", "too many requests", "compute units", "exceeded its throughput", "try again", "retry",
		"indexing is in progress", // geth, of transactions, after it was started
	} {
		if strings.Contains(message, words) {
			return true
		}
	}
	return false
}

// Client asks a provider. It is safe for concurrent use.
type Client struct {
	Config
	Origin string // the scheme and host of the URL, which may be shown; the rest may hold keys

	http     *http.Client
	secrets  *strings.Replacer // of keys: some providers repeat the key in an error
	limiter  *rate.Limiter
	batch    int          // the most calls of one request
	noBatch  atomic.Bool  // the node does not take batches
	requests atomic.Int64 // sent so far
	next     *Client      // asked when this node fails; nil for the last one
	failed   atomic.Bool  // next is asked at once
}

// Config describes a provider.
type Config struct {
	URL               string
	Fallbacks         []string // URLs of the providers to ask once those before fail
	Headers           http.Header
	Timeout           time.Duration // of a request with all its retries
	Retries           int           // of a request
	RequestsPerSecond int           // how many calls are sent, each of a batch counted; zero: any number
}

// New returns the client of a provider, whose URL must be one of HTTP, or empty where nothing is asked.
func New(c Config) *Client {
	var next *Client
	if len(c.Fallbacks) > 0 {
		behind := c
		behind.URL, behind.Fallbacks = c.Fallbacks[0], c.Fallbacks[1:]
		next = New(behind)
	}
	origin := ""
	if u, err := url.Parse(c.URL); err == nil && c.URL != "" {
		origin = u.Scheme + "://" + u.Host
	}
	limit, batch := rate.Inf, maxBatch
	if c.RequestsPerSecond > 0 {
		limit, batch = rate.Limit(c.RequestsPerSecond), min(maxBatch, c.RequestsPerSecond)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 16
	return &Client{
		Config: c, Origin: origin, secrets: redactor(c.Headers, append([]string{c.URL}, c.Fallbacks...)...),
		limiter: rate.NewLimiter(limit, batch), batch: batch, next: next,
		http: &http.Client{
			Transport: transport,
			// A redirect would carry the headers to another host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Clean returns text of the provider as one short line without keys.
func (c *Client) Clean(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(c.secrets.Replace(text)), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// Requests returns how many HTTP requests were sent.
func (c *Client) Requests() int { return int(c.requests.Load()) }

// Close closes idle connections. The Client can be used on.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// callNext makes calls at the next node. If that fails, too, this one is asked first again.
func (c *Client) callNext(ctx context.Context, calls []Call) ([]Result, error) {
	results, err := c.next.Call(ctx, calls...)
	if err != nil {
		c.failed.Store(false)
	}
	return results, err
}

// Call makes calls, in as few requests as possible, and returns their results in order.
func (c *Client) Call(ctx context.Context, calls ...Call) ([]Result, error) {
	if c.failed.Load() {
		return c.callNext(ctx, calls)
	}
	results := make([]Result, 0, len(calls))
	for len(calls) > 0 {
		n := min(len(calls), c.batch)
		if c.noBatch.Load() {
			n = 1
		}
		// Waiting for the rate limit does not count as waiting for the node.
		if err := c.limiter.WaitN(ctx, n); err != nil {
			return nil, err
		}
		limited, cancel := context.WithTimeout(ctx, c.Timeout)
		part, err := c.patiently(limited, calls[:n])
		cancel()
		if errors.Is(err, errNoBatch) {
			c.noBatch.Store(true)
			continue
		}
		if err != nil && c.next != nil {
			c.failed.Store(true)
			part, err = c.callNext(ctx, calls)
			return append(results, part...), err
		}
		if err != nil {
			return nil, err
		}
		results, calls = append(results, part...), calls[n:]
	}
	return results, nil
}

// retryable marks an error after which trying again makes sense, no earlier than after pause.
type retryable struct {
	error
	pause time.Duration
}

// errNoBatch is returned for a node that answers a batch with a single error.
var errNoBatch = errors.New("the node takes no batches")

// patiently sends one request until it is answered, the retries are used up or ctx ends.
func (c *Client) patiently(ctx context.Context, calls []Call) ([]Result, error) {
	for tries := 1; ; tries++ {
		results, err := c.send(ctx, calls)
		var again *retryable
		if !errors.As(err, &again) || c.next != nil {
			return results, err
		}
		pause := max(again.pause, time.Duration(float64(FirstPause<<min(tries-1, 6))*(0.5+rand.Float64())))
		deadline, _ := ctx.Deadline()
		if tries > c.Retries || time.Until(deadline) < pause {
			if tries > 1 {
				return nil, fmt.Errorf("%w (tried %d times)", again.error, tries)
			}
			return nil, again.error
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, again.error
		}
		if c.limiter.WaitN(ctx, len(calls)) != nil {
			return nil, again.error
		}
	}
}

// send sends one request. It returns a *retryable for errors that may pass by themselves.
func (c *Client) send(ctx context.Context, calls []Call) ([]Result, error) {
	// A request that hangs leaves time for another.
	ctx, cancel := context.WithTimeout(ctx, max(c.Timeout/2, time.Millisecond))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(encode(calls)))
	if err != nil {
		return nil, errors.New("the URL of the node is not valid")
	}
	maps.Copy(request.Header, c.Headers)
	request.Header.Set("Content-Type", "application/json")
	c.requests.Add(1)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, &retryable{error: c.unreachable(err)}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return nil, &retryable{c.status(response), time.Duration(max(seconds, 0)) * time.Second}
	case err != nil:
		return nil, &retryable{error: c.unreachable(err)}
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("%s answered more than %d bytes", c.Origin, maxAnswer)
	}
	results, err := c.decode(body, len(calls))
	if err != nil && response.StatusCode != http.StatusOK {
		return nil, c.status(response) // 401, 403, 404: an HTML page, most often
	}
	return results, err
}

// encode returns the body of a request: one call, or a batch.
func encode(calls []Call) []byte {
	type message struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  []any  `json:"params"`
	}
	messages := make([]message, len(calls))
	for i, call := range calls {
		messages[i] = message{"2.0", i + 1, call.Method, append([]any{}, call.Params...)}
	}
	var body any = messages
	if len(messages) == 1 {
		body = messages[0]
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		panic(err) // the parameters are strings, bools and slices of them
	}
	return encoded
}

// decode reads the answer to so many calls and puts the results into their order.
func (c *Client) decode(body []byte, calls int) ([]Result, error) {
	body = bytes.TrimSpace(body)
	var answers []Result
	if calls == 1 {
		answers = make([]Result, 1)
		if err := json.Unmarshal(body, &answers[0]); err != nil {
			return nil, fmt.Errorf("%s answered no JSON-RPC: %s", c.Origin, c.Clean(err.Error()))
		}
	} else if err := json.Unmarshal(body, &answers); err != nil {
		var whole Result
		if json.Unmarshal(body, &whole) == nil && whole.Error != nil {
			if failure := c.failure(whole.Error); failure.busy() {
				return nil, &retryable{error: failure}
			}
			return nil, errNoBatch
		}
		return nil, fmt.Errorf("%s answered no JSON-RPC batch: %s", c.Origin, c.Clean(err.Error()))
	}
	if len(answers) != calls {
		return nil, fmt.Errorf("%s answered %d calls of a batch of %d", c.Origin, len(answers), calls)
	}
	ordered := make([]Result, calls)
	for i, answer := range answers {
		at, err := strconv.Atoi(strings.Trim(string(answer.ID), `"`))
		if calls == 1 {
			at, err = 1, nil
		}
		if err != nil || at < 1 || at > calls || ordered[at-1].ID != nil && calls > 1 {
			return nil, fmt.Errorf("%s answered a batch with the wrong ids", c.Origin)
		}
		if answer.Error != nil {
			if answer.Error = c.failure(answer.Error); answer.Error.busy() {
				return nil, &retryable{error: answer.Error}
			}
		} else if answer.Value == nil {
			return nil, fmt.Errorf("%s answered call %d with neither a result nor an error", c.Origin, i+1)
		}
		ordered[at-1] = answer
	}
	return ordered, nil
}

func (c *Client) failure(e *Error) *Error {
	return &Error{Code: e.Code, Message: c.Clean(e.Message), origin: c.Origin}
}

func (c *Client) status(response *http.Response) error {
	return fmt.Errorf("%s answered HTTP %d", c.Origin, response.StatusCode)
}

// unreachable is a transport error without the URL that net/http puts into it.
func (c *Client) unreachable(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	var network net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout() {
		return fmt.Errorf("%s did not answer in time", c.Origin)
	}
	return fmt.Errorf("%s cannot be reached: %s", c.Origin, c.Clean(err.Error()))
}

// shortestSecret is the number of bytes from which on a part of a URL or header counts as a secret: shorter ones occur
// in any text.
const shortestSecret = 6

// secretsOf returns the parts of a URL that may hold keys.
func secretsOf(u *url.URL) []string {
	password, _ := u.User.Password()
	secrets := append(strings.Split(u.Path, "/"), u.EscapedPath(), u.RawQuery, u.RequestURI(), u.User.Username(), password)
	for _, values := range u.Query() {
		secrets = append(secrets, values...)
	}
	return secrets
}

// redactor returns a Replacer of the secrets of headers and of URLs that parse.
func redactor(headers http.Header, urls ...string) *strings.Replacer {
	var secrets []string
	for _, raw := range urls {
		if u, err := url.Parse(raw); err == nil {
			secrets = append(secrets, secretsOf(u)...)
		}
	}
	for _, values := range headers {
		for _, value := range values {
			secrets = append(append(secrets, value), strings.Fields(value)...)
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // the longest first
	var pairs []string
	for _, secret := range slices.Compact(secrets) {
		if len(secret) >= shortestSecret {
			pairs = append(pairs, secret, "***")
		}
	}
	return strings.NewReplacer(pairs...)
}
