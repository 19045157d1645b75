package remote

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// saveDelay is how long new items wait to be written, so that one write takes many.
const saveDelay = time.Second

// cache holds all known items and those being fetched. Safe for concurrent use.
type cache struct {
	head head
	file string // empty: none
	// closed caches fetch nothing, readOnly ones do not change the file.
	closed, readOnly bool

	mu     sync.Mutex
	items  map[string]*item
	misses map[string]struct{} // items that were not there, in words
	timer  *time.Timer         // to the next write, or nil
	fresh  bool                // the file lacks items, or the last write failed
	writes sync.Mutex          // one write at a time
}

// item holds one answer, or its place until the answer arrives.
type item struct {
	value json.RawMessage // compact, members sorted; set under cache.mu
	err   error
	done  chan struct{} // closed once value or err is set; nil: from the file
	used  bool          // asked for in this run; guarded by cache.mu
}

// get returns an item. The first caller for a missing one fetches it; others wait for its answer. The error is an
// *Error that names the item with words.
func (c *cache) get(key string, words func() string, fetch func() (any, error)) (json.RawMessage, error) {
	c.mu.Lock()
	known := c.items[key]
	switch {
	case known != nil:
		known.used = true
		c.mu.Unlock()
		if known.done != nil {
			<-known.done
		}
		return known.value, known.err
	case c.closed:
		missing := words()
		c.misses[missing] = struct{}{}
		c.mu.Unlock()
		return nil, &Error{Item: missing, Err: ErrMiss}
	}
	own := &item{done: make(chan struct{}), used: true}
	c.items[key] = own
	c.mu.Unlock()

	var value json.RawMessage
	fetched, err := fetch()
	if err == nil {
		value, err = canonical(fetched)
	}
	c.mu.Lock()
	if err != nil {
		own.err = &Error{Item: words(), Err: err}
		delete(c.items, key)
	} else {
		own.value = value
		c.saveSoon()
	}
	c.mu.Unlock()
	close(own.done)
	return own.value, own.err
}

// ask returns an item of the cache as get does, read into a value; kind names what it holds.
func ask[T any](c *cache, key, kind string, words func() string, fetch func() (any, error)) (value T, err error) {
	text, err := c.get(key, words, fetch)
	if err != nil {
		return value, err
	}
	if err := json.Unmarshal(text, &value); err != nil {
		return value, &Error{words(), fmt.Errorf("the cache holds no %s: %w", kind, err)}
	}
	return value, nil
}

// known reports whether an item is there, or is being fetched.
func (c *cache) known(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.items[key] != nil
}

// canonical encodes a value so that equal answers of different nodes are equal bytes.
func canonical(value any) (json.RawMessage, error) {
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var plain any
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber()
	if err := decoder.Decode(&plain); err != nil {
		return nil, err
	}
	return json.Marshal(plain) // members of a map come sorted
}

// saveSoon writes the file a moment later. The caller holds mu.
func (c *cache) saveSoon() {
	c.fresh = true
	if c.file != "" && !c.readOnly && c.timer == nil {
		c.timer = time.AfterFunc(saveDelay, func() { _ = c.save(false) }) // Save returns an error that lasts
	}
}

// head is the first line of a cache file: the chain and the fork block that its items belong to.
type head struct {
	ChainID hexutil.Uint64 `json:"chainId"`
	Fork    pin            `json:"fork"`
}

type pin struct {
	Hash   common.Hash    `json:"hash"`
	Number hexutil.Uint64 `json:"number"`
}

type line struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// readFile reads a cache file; found is false where there is none. A file that was merged may repeat lines, but not
// contradict itself. Errors name the file and the line.
func readFile(path string) (h head, items map[string]json.RawMessage, found bool, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return head{}, nil, false, nil
	}
	if err != nil {
		return head{}, nil, false, fmt.Errorf("fork cache: %w", err)
	}
	defer file.Close()
	items = make(map[string]json.RawMessage)
	in := bufio.NewReaderSize(file, 1<<16)
	for number := 1; ; number++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(bytes.TrimSpace(text)) == 0 {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return head{}, nil, false, fmt.Errorf("fork cache: %w", err)
		}
		if err := readLine(text, number, &h, items); err != nil {
			return head{}, nil, false, fmt.Errorf("fork cache %s, line %d: %w", path, number, err)
		}
	}
	if h == (head{}) {
		return head{}, nil, false, fmt.Errorf("fork cache %s is empty: want a first line with chainId and fork", path)
	}
	return h, items, true, nil
}

func readLine(text []byte, number int, h *head, items map[string]json.RawMessage) error {
	if number == 1 || bytes.HasPrefix(text, []byte(`{"chainId"`)) {
		var read head
		if err := json.Unmarshal(text, &read); err != nil || read == (head{}) {
			return errors.New("want a head with chainId and fork")
		}
		if number > 1 && read != *h {
			return errors.New("this is the cache of another fork than the first line says")
		}
		*h = read
		return nil
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil || l.Key == "" || l.Value == nil {
		return errors.New("want an item with key and value")
	}
	if held, ok := items[l.Key]; ok && !bytes.Equal(held, l.Value) {
		return fmt.Errorf("the cache has two values for %q", l.Key)
	}
	items[l.Key] = l.Value
	return nil
}

// save writes the file if there is anything to write. With prune it drops unused items.
func (c *cache) save(prune bool) error {
	c.writes.Lock()
	defer c.writes.Unlock()
	c.mu.Lock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	fresh := c.fresh
	c.fresh = false
	lines := make(map[string]json.RawMessage, len(c.items))
	for key, item := range c.items {
		if item.value != nil && (item.used || !prune) {
			lines[key] = item.value
		}
	}
	c.mu.Unlock()
	if c.file == "" || c.readOnly || !fresh && !prune {
		return nil
	}
	if !prune { // another process may have added to the file
		if h, items, found, err := readFile(c.file); err == nil && found && h == c.head {
			for key, value := range items {
				if _, ok := lines[key]; !ok {
					lines[key] = value
				}
			}
		}
	}
	err := writeFile(c.file, c.head, lines)
	if err != nil {
		c.mu.Lock()
		c.fresh = true
		c.mu.Unlock()
	}
	return err
}

// writeFile writes a new file in path's folder and renames it to path.
func writeFile(path string, h head, items map[string]json.RawMessage) error {
	sorted := make([]string, 0, len(items)+1)
	for key, value := range items {
		sorted = append(sorted, encodeLine(line{key, value}))
	}
	sorted = append(sorted, encodeLine(h)) // its first member sorts before "key"
	slices.Sort(sorted)
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("fork cache: %w", err)
	}
	out := bufio.NewWriter(file)
	for _, text := range sorted {
		_, _ = out.WriteString(text) // Flush returns the error
	}
	err = errors.Join(out.Flush(), file.Chmod(0o644), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("fork cache %s: %w", path, err), os.Remove(file.Name()))
	}
	return nil
}

func encodeLine(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err) // strings and values that were encoded before
	}
	return string(encoded) + "\n"
}
