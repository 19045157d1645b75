package remote

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Defaults of Config.
const (
	DefaultTimeout = 10 * time.Second
	DefaultRetries = 5
)

// Config describes which chain is forked, and where its answers are kept. URL or CacheFile must be given.
type Config struct {
	// URL of the node's JSON-RPC endpoint, http or https. Empty: everything comes from CacheFile, as if Offline.
	URL string
	// Block to fork at: a decimal or 0x number, a block hash, or one of the tags latest, safe, finalized and earliest.
	// Empty: the block of CacheFile if the file exists, else latest. With a file a tag means the file's block too: it was
	// resolved when the file was begun.
	Block string
	// CacheFile keeps the answers. Empty: they are kept in memory only.
	CacheFile string
	// Offline never connects and does not write CacheFile. An item that is missing there is an *Error that wraps ErrMiss.
	Offline bool
	// PruneUnused lets Save drop the items that nobody asked for.
	PruneUnused bool
	// Headers to send with each request, as "Name: value".
	Headers []string
	// Timeout bounds a request with all its retries. Zero: 10 s.
	Timeout time.Duration
	// Retries is how often a request is tried again. Zero: 5; negative: never.
	Retries int
	// RequestsPerSecond bounds how many calls are sent; each call of a batch counts. Zero: any number.
	RequestsPerSecond int
	// Logger gets messages about the fork as a whole. Nil: slog.Default().
	Logger *slog.Logger
}

// Pinned returns c with number in place of its tag, if it has one. number is the block that an earlier run resolved the
// tag to.
func (c Config) Pinned(number uint64) Config {
	if tag, _, _, _ := parseBlock(c.Block); tag != "" {
		c.Block = strconv.FormatUint(number, 10)
	}
	return c
}

// complete fills in the defaults, or names the field that is wrong, without the URL or a header's value.
func (c Config) complete() (Config, http.Header, error) {
	if c.URL == "" && c.CacheFile == "" {
		return c, nil, errors.New("fork: neither a URL nor a cache file is given")
	}
	c.Offline = c.Offline || c.URL == "" && !c.PruneUnused
	switch {
	case c.Offline && c.CacheFile == "":
		return c, nil, errors.New("fork: offline without a cache file")
	case c.Offline && c.PruneUnused:
		return c, nil, errors.New("fork: offline leaves the cache file as it is, so unused items cannot be pruned")
	case c.PruneUnused && c.CacheFile == "":
		return c, nil, errors.New("fork: no cache file to prune")
	case c.Timeout < 0:
		return c, nil, fmt.Errorf("fork: timeout %s is negative", c.Timeout)
	case c.RequestsPerSecond < 0:
		return c, nil, fmt.Errorf("fork: %d requests per second is negative", c.RequestsPerSecond)
	}
	if c.URL != "" {
		if u, err := url.Parse(c.URL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return c, nil, errors.New("fork: the URL is not one such as https://host/path")
		}
	}
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	c.Retries = max(cmp.Or(c.Retries, DefaultRetries), 0)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	headers := make(http.Header)
	for i, header := range c.Headers {
		name, value, found := strings.Cut(header, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || name == "" || strings.ContainsAny(name, " \t\r\n") || strings.ContainsAny(value, "\r\n") {
			return c, nil, fmt.Errorf("fork: header %d is not of the form \"Name: value\"", i+1)
		}
		headers.Add(name, value)
	}
	return c, headers, nil
}
