package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/remote/provider"
)

// Fork is a chain up to a pinned block, as a node gives it or a file holds it. Safe for concurrent use.
type Fork struct {
	config Config
	client atomic.Pointer[provider.Client] // see node
	cache  *cache
	header *Header

	states sync.Map // uint64 -> *State, of the blocks whose state was asked for
	proofs proofUse
}

// Open pins the fork block, with one request unless the configuration forbids requests. The error names in one line the
// fault in the configuration, the node or the file.
func Open(ctx context.Context, config Config) (*Fork, error) {
	config, client, err := config.complete()
	if err != nil {
		return nil, err
	}
	f := &Fork{config: config, cache: &cache{
		file: config.CacheFile, closed: config.Offline || config.URL == "", readOnly: config.Offline,
		items: make(map[string]*item), misses: make(map[string]struct{}),
	}}
	f.client.Store(client)
	found := false
	if config.CacheFile != "" {
		var items map[string]json.RawMessage
		if f.cache.head, items, found, err = readFile(config.CacheFile); err != nil {
			return nil, err
		}
		for key, value := range items {
			f.cache.items[key] = &item{value: value}
		}
	}
	switch {
	case !found && config.URL == "":
		return nil, fmt.Errorf("fork cache %s does not exist, and no URL is given to fill it from", config.CacheFile)
	case !found && config.Offline:
		return nil, fmt.Errorf("fork cache %s does not exist, and offline nothing can fill it", config.CacheFile)
	case found:
		if err := f.checkBlock(); err != nil {
			return nil, err
		}
	}
	if !f.cache.closed {
		if err := f.pin(ctx, found); err != nil {
			return nil, err
		}
	}
	if f.header, err = f.HeaderByNumber(uint64(f.cache.head.Fork.Number)); err != nil {
		return nil, err
	}
	if computed := f.Header().Hash(); !f.cache.closed && computed != f.Hash() {
		config.Logger.Warn("the fork block's hash is not that of its header: hashes of this chain are not checked",
			"number", f.Number(), "hash", f.Hash(), "header", computed)
	}
	if tag, _, _, _ := parseBlock(config.Block); tag != "" && !found {
		config.Logger.Info("fork block pinned", "from", f.URL(), "chainId", f.ChainID(), "tag", tag, "number", f.Number(), "hash", f.Hash())
	}
	return f, nil
}

// checkBlock compares a block given by number or hash with the file's.
func (f *Fork) checkBlock() error {
	pinned := f.cache.head.Fork
	tag, number, hash, err := parseBlock(f.config.Block)
	switch {
	case err != nil:
		return err
	case tag != "", number != nil && *number == uint64(pinned.Number), hash != nil && *hash == pinned.Hash:
		return nil
	}
	return fmt.Errorf("fork cache %s is of block %d, %s, not of block %s", f.config.CacheFile, uint64(pinned.Number), pinned.Hash, f.config.Block)
}

// parseBlock reads Config.Block: a tag, or a number, or a hash.
func parseBlock(text string) (tag string, number *uint64, hash *common.Hash, err error) {
	switch {
	case text == "":
		return "latest", nil, nil, nil
	case slices.Contains([]string{"latest", "safe", "finalized", "earliest"}, text):
		return text, nil, nil, nil
	case strings.HasPrefix(text, "0x") && len(text) == 2+2*common.HashLength:
		hash = new(common.Hash)
		err = hash.UnmarshalText([]byte(text))
	default:
		var n uint64
		n, err = strconv.ParseUint(text, 0, 63)
		number = &n
	}
	if err != nil {
		err = fmt.Errorf("fork block %q is not a number, a block hash or one of latest, safe, finalized, earliest", text)
	}
	return tag, number, hash, err
}

// pin asks the node for its chain and the block, and compares them with the file's head if there is one.
func (f *Fork) pin(ctx context.Context, found bool) error {
	tag, number, hash, err := parseBlock(f.config.Block)
	if err != nil {
		return err
	}
	if found {
		tag, number, hash = "", new(uint64(f.cache.head.Fork.Number)), nil
	}
	wanted := provider.NewCall("eth_getBlockByNumber", tag, false)
	switch {
	case hash != nil:
		wanted = provider.NewCall("eth_getBlockByHash", *hash, false)
	case number != nil:
		wanted.Params[0] = hexutil.EncodeUint64(*number)
	}
	results, err := f.node().Call(ctx, provider.NewCall("eth_chainId"), wanted)
	if err != nil {
		return fmt.Errorf("fork: %w", err)
	}
	if err := errors.Join(asError(results[0].Error), asError(results[1].Error)); err != nil {
		return fmt.Errorf("fork: %w", err)
	}
	var read head
	if err := json.Unmarshal(results[0].Value, &read.ChainID); err != nil || read.ChainID == 0 {
		return fmt.Errorf("fork: %s answered a chain id of %s", f.URL(), f.node().Clean(string(results[0].Value)))
	}
	if found && read.ChainID != f.cache.head.ChainID {
		return fmt.Errorf("fork cache %s is of chain id %d, but %s has chain id %d", f.config.CacheFile, uint64(f.cache.head.ChainID), f.URL(), uint64(read.ChainID))
	}
	if string(results[1].Value) == "null" {
		if found {
			return fmt.Errorf("fork cache %s is of block %d, which %s does not have", f.config.CacheFile, *number, f.URL())
		}
		return fmt.Errorf("fork: %s has no block %s", f.URL(), f.config.Block)
	}
	header, err := decodeHeader(results[1].Value)
	if err != nil {
		return fmt.Errorf("fork: %s answered a block that is none: %s", f.URL(), f.node().Clean(err.Error()))
	}
	read.Fork = pin{Hash: header.Hash, Number: hexutil.Uint64(header.Number.Uint64())}
	switch {
	case found && read != f.cache.head:
		return fmt.Errorf("fork cache %s is of block %d with hash %s, but at %s that block has hash %s", f.config.CacheFile, *number, f.cache.head.Fork.Hash, f.URL(), header.Hash)
	case number != nil && header.Number.Uint64() != *number, hash != nil && header.Hash != *hash:
		return fmt.Errorf("fork: %s answered block %d, %s, for block %s", f.URL(), header.Number, header.Hash, f.config.Block)
	}
	f.cache.head = read
	_, err = f.cache.get(headerKey(header.Number.Uint64()), nil, func() (any, error) { return header.stored(), nil })
	return err
}

// asError returns nil for no error: a nil *provider.Error is not one.
func asError(e *provider.Error) error {
	if e == nil {
		return nil
	}
	return e
}

// Point identifies the block that a fork stands on: its chain's id, its number and its hash.
type Point struct {
	ChainID uint64      `json:"chainId"`
	Number  uint64      `json:"number"`
	Hash    common.Hash `json:"hash"`
}

// String returns the point in words.
func (p Point) String() string {
	return fmt.Sprintf("chain id %d at block %d, %s", p.ChainID, p.Number, p.Hash)
}

// Point returns the chain and the fork block.
func (f *Fork) Point() Point { return Point{f.ChainID(), f.Number(), f.Hash()} }

// ChainID returns the id of the chain.
func (f *Fork) ChainID() uint64 { return uint64(f.cache.head.ChainID) }

// Number returns the number of the fork block.
func (f *Fork) Number() uint64 { return f.header.Number.Uint64() }

// Hash returns the hash of the fork block.
func (f *Fork) Hash() common.Hash { return f.header.Hash }

// Header returns the header of the fork block, shared: do not modify.
func (f *Fork) Header() *types.Header { return f.header.Header }

// HasMilliseconds reports whether the fork block has a time in milliseconds.
func (f *Fork) HasMilliseconds() bool { return f.header.Milliseconds != nil }

// URL returns the scheme and host of the node, empty without one. The rest of the URL may hold keys.
func (f *Fork) URL() string { return f.node().Origin }

// Config returns the configuration that the Fork was opened with, with the URL in use now. It holds the keys.
func (f *Fork) Config() Config {
	config := f.config
	if now := f.node().URL; now != config.URL {
		config.URL, config.Fallbacks = now, nil // SetURL
	}
	return config
}

func (f *Fork) node() *provider.Client { return f.client.Load() }

// SetURL makes another node of the same chain answer from now on. It returns an error if the fork is offline or the URL
// is not valid.
func (f *Fork) SetURL(url string) error {
	config := f.config
	if config.Offline || config.URL == "" {
		return errors.New("the fork is offline")
	}
	config.URL, config.Fallbacks = url, nil
	config, client, err := config.complete()
	if err == nil {
		f.client.Swap(client).Close()
	}
	return err
}

// Misses returns in words, sorted, the items that were needed but not in the file, if nothing may be fetched.
func (f *Fork) Misses() []string {
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	return slices.Sorted(maps.Keys(f.cache.misses))
}

// Requests returns how many HTTP requests were sent.
func (f *Fork) Requests() int { return f.node().Requests() }

// Save writes new items to the cache file, drops unused ones if the configuration has PruneUnused, and closes idle
// connections. The Fork can be used on.
func (f *Fork) Save() error {
	f.node().Close()
	return f.cache.save(f.config.PruneUnused)
}

// fetch makes calls that must all succeed, for one item.
func (f *Fork) fetch(calls ...provider.Call) ([]json.RawMessage, error) {
	results, err := f.node().Call(context.Background(), calls...)
	if err != nil {
		return nil, err
	}
	values := make([]json.RawMessage, len(results))
	for i, result := range results {
		if result.Error != nil {
			return nil, result.Error
		}
		values[i] = result.Value
	}
	return values, nil
}

// Defaults of Config, and how a Fork waits.
const (
	DefaultTimeout = 10 * time.Second
	DefaultRetries = 5
	FirstPause     = provider.FirstPause
)

// Config describes which chain is forked, and where its answers are kept. URL or CacheFile must be given.
type Config struct {
	// URL of the node's JSON-RPC endpoint, http or https. Empty: everything comes from CacheFile, as if Offline.
	URL string
	// Fallbacks are URLs of more nodes of the chain, http or https. Each is asked once those before it fail.
	Fallbacks []string
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

// complete fills in the defaults and returns a client of the node, or names the field that is wrong, without the URL or
// a header's value.
func (c Config) complete() (Config, *provider.Client, error) {
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
	for _, given := range append([]string{c.URL}, c.Fallbacks...) {
		if u, err := url.Parse(given); given != c.URL || given != "" {
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
				return c, nil, errors.New("fork: the URL is not one such as https://host/path")
			}
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
	return c, provider.New(provider.Config{
		URL: c.URL, Fallbacks: c.Fallbacks, Headers: headers, Timeout: c.Timeout, Retries: c.Retries, RequestsPerSecond: c.RequestsPerSecond,
	}), nil
}

// ErrMiss is wrapped by the Error for an item that is not in the cache file, if nothing may be fetched.
var ErrMiss = errors.New("not in the fork cache")

// Error is returned where an item is needed that cannot be had.
type Error struct {
	// Item in words, such as "storage 0x… of 0x… at block 17".
	Item string
	Err  error
}

// Error names the item. It holds no key of the node's URL or headers.
func (e *Error) Error() string {
	if errors.Is(e.Err, ErrMiss) {
		return fmt.Sprintf("%v: %s", ErrMiss, e.Item)
	}
	return fmt.Sprintf("fork: %s: %v", e.Item, e.Err)
}

// Refused reports whether the node answered, with a JSON-RPC error.
func (e *Error) Refused() bool {
	return errors.As(e.Err, new(*provider.Error))
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }
