package flashblocks

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

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
