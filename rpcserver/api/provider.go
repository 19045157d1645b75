package api

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Provider names a provider of nodes whose limits a Server imitates: the range and the results of eth_getLogs, the size
// of a batch and the calls per second, each with the code and text of its error.
type Provider string

// The providers.
const (
	Alchemy   Provider = "alchemy"
	Infura    Provider = "infura"
	QuickNode Provider = "quicknode"
	Coinbase  Provider = "coinbase"
	BaseNode  Provider = "base" // the node that Base runs, without a plan's limits
)

// Valid reports whether the provider is known or empty.
func (p Provider) Valid() bool { return p == "" || providers[p] != nil }

// Habits returns the provider's habits, nil for no provider.
func (p Provider) Habits() *Habits { return providers[p] }

// Limited returns the limits with the provider's in place of zeros.
func (p Provider) Limited(l Limits) Limits {
	h := providers[p]
	if h == nil {
		return l
	}
	l.LogsMaxRange = cmp.Or(l.LogsMaxRange, h.logsRange)
	l.LogsMaxResults = cmp.Or(l.LogsMaxResults, h.logsResults)
	l.MaxBatch = cmp.Or(l.MaxBatch, h.batch)
	return l
}

// Habits are the limits of a provider. A zero is the node's own limit.
type Habits struct {
	logsRange, logsResults uint64
	addresses, topics      int // of a filter, and of each of its topic positions
	batch                  int
	perSecond              int // calls, on the node's clock

	// RangeTooLarge and tooManyResults make the errors of eth_getLogs; a nil tooManyResults means the node's own.
	RangeTooLarge  func(first, blocks, limit uint64) *jsonrpc.Error
	TooManyResults func(first, last, limit uint64) *jsonrpc.Error
	tooManyCalls   func(perSecond int) *jsonrpc.Error
	unknownFilter  int // the code of "filter not found"; zero: geth's and the node's own, -32000
}

// Codes that only providers use.
const (
	codeLimit          = -32005
	codeQuickNodeRate  = -32007
	codeQuickNodeRange = -32614
	codeCoinbaseRate   = -32016
)

// providers are the habits that the providers document, or that their users have reported. Plans differ; these are
// common ones. docs/rpc.md names the origin of each, and which are unconfirmed.
var providers = map[Provider]*Habits{
	Alchemy: {
		logsRange: 10, logsResults: 10_000, batch: 1000, perSecond: 25, unknownFilter: jsonrpc.CodeInvalidRequest,
		RangeTooLarge: func(first, _, limit uint64) *jsonrpc.Error {
			return jsonrpc.Errorf(jsonrpc.CodeInvalidRequest, "Under the Free tier plan, you can make eth_getLogs requests with up to a %d block range. "+
				"Based on your parameters, this block range should work: [%#x, %#x]. Upgrade to PAYG for expanded block range.", limit, first, first+limit-1)
		},
		TooManyResults: func(first, last, _ uint64) *jsonrpc.Error {
			return InvalidParams("Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, "+
				"or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [%#x, %#x]", first, last)
		},
		tooManyCalls: func(int) *jsonrpc.Error {
			return Errorf(http.StatusTooManyRequests, "Your app has exceeded its compute units per second capacity. If you have retries enabled, "+
				"you can safely ignore this message. If not, check out https://docs.alchemy.com/reference/throughput")
		},
	},
	Infura: {
		logsRange: 10_000, logsResults: 10_000, perSecond: 6,
		RangeTooLarge: func(_, blocks, limit uint64) *jsonrpc.Error {
			return InvalidParams("range %d exceeds limit of %d", blocks, limit)
		},
		TooManyResults: func(first, last, limit uint64) *jsonrpc.Error {
			failure := Errorf(codeLimit, "query returned more than %d results. Try with this block range [0x%X, 0x%X].", limit, first, last)
			failure.Data = infuraRange{fmt.Sprintf("0x%X", first), limit, fmt.Sprintf("0x%X", last)}
			return failure
		},
		tooManyCalls: func(int) *jsonrpc.Error { return Errorf(http.StatusTooManyRequests, "Too Many Requests") },
	},
	QuickNode: {
		logsRange: 10_000, perSecond: 50,
		RangeTooLarge: func(_, _, limit uint64) *jsonrpc.Error {
			failure := Errorf(codeQuickNodeRange, "eth_getLogs is limited to a %s range", thousands(limit))
			failure.HTTPStatus = http.StatusRequestEntityTooLarge
			return failure
		},
		tooManyCalls: func(perSecond int) *jsonrpc.Error {
			return Errorf(codeQuickNodeRate, "%d/second request limit reached - reduce calls per second or upgrade your account at quicknode.com", perSecond)
		},
	},
	BaseNode: {
		logsRange: 100_000, logsResults: 20_000, addresses: 1000, topics: 1000,
		RangeTooLarge: func(_, _, limit uint64) *jsonrpc.Error {
			return InvalidParams("query exceeds max block range %d", limit)
		},
	},
	Coinbase: {
		logsRange: 1000, perSecond: 50,
		RangeTooLarge: func(_, _, limit uint64) *jsonrpc.Error {
			return Errorf(codeLimit, "please limit the query to at most %d blocks", limit)
		},
		tooManyCalls: func(int) *jsonrpc.Error { return Errorf(codeCoinbaseRate, "over rate limit") },
	},
}

// RefusedFilter marks the error of a method about a filter. That of an unknown one has the provider's code.
func (r *Request) RefusedFilter(err error) error {
	if h := r.Network.Provider; h != nil && h.unknownFilter != 0 && errors.As(err, new(*filter.UnknownError)) {
		return Errorf(h.unknownFilter, "filter not found")
	}
	return Refused(err)
}

// CheckFilter rejects a filter of logs with more addresses, or more topics in a position, than the provider allows.
func (h *Habits) CheckFilter(addresses int, topics [][]common.Hash) error {
	if h.addresses > 0 && addresses > h.addresses {
		return InvalidParams("too many filter addresses: max %d, got %d", h.addresses, addresses)
	}
	for slot, position := range topics {
		if h.topics > 0 && len(position) > h.topics {
			return InvalidParams("too many filter topics in slot %d: max %d, got %d", slot, h.topics, len(position))
		}
	}
	return nil
}

// infuraRange is the data of Infura's error about too many logs: a range that would fit.
type infuraRange struct {
	From  string `json:"from"`
	Limit uint64 `json:"limit"`
	To    string `json:"to"`
}

// thousands writes a number with commas.
func thousands(n uint64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// Rate returns a function that admits as many calls a second as the provider, by a clock, and rejects others.
func (h *Habits) Rate(now func() time.Time) func() *jsonrpc.Error {
	if h == nil || h.perSecond == 0 {
		return func() *jsonrpc.Error { return nil }
	}
	var mu sync.Mutex
	var second int64
	var calls int
	return func() *jsonrpc.Error {
		mu.Lock()
		defer mu.Unlock()
		if at := now().Unix(); at != second {
			second, calls = at, 0
		}
		if calls++; calls <= h.perSecond {
			return nil
		}
		refusal := h.tooManyCalls(h.perSecond)
		refusal.HTTPStatus, refusal.RetryAfter = http.StatusTooManyRequests, time.Second
		return refusal
	}
}
