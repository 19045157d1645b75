package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/examples/facilitator/paywall"
	"github.com/fakenode/fakenode/tokencontract"
)

// Prices, in token units (6 decimals).
const (
	reportPrice  = 10_000 // a cent
	wordPrice    = 100
	wordsCeiling = 10_000
)

func price(f *paywall.Facilitator, scheme string, amount uint64, payTo, token common.Address) paywall.Requirements {
	r := paywall.Requirements{
		Scheme: scheme, Network: f.Network(), Amount: uint256.NewInt(amount), Asset: token, PayTo: payTo, MaxTimeoutSeconds: 300,
		Extra: paywall.Extra{Name: tokencontract.MainnetName, Version: tokencontract.Version},
	}
	if scheme == paywall.Upto {
		settles := f.Address()
		r.Extra.FacilitatorAddress = &settles
	}
	return r
}

// report costs the same every time.
func report(f *paywall.Facilitator, payTo, token common.Address) paywall.Route {
	return paywall.Route{
		Facilitator: f, Description: "A report", Price: price(f, paywall.Exact, reportPrice, payTo, token),
		Serve: func(w http.ResponseWriter, _ *http.Request) *uint256.Int {
			fmt.Fprintln(w, `{"report": "sunny"}`)
			return uint256.NewInt(reportPrice)
		},
	}
}

// words costs a price for each word; the number of words is known once they are written.
func words(f *paywall.Facilitator, payTo, token common.Address) paywall.Route {
	return paywall.Route{
		Facilitator: f, Description: "Words, paid by the word", Price: price(f, paywall.Upto, wordsCeiling, payTo, token),
		Serve: func(w http.ResponseWriter, r *http.Request) *uint256.Int {
			count, err := strconv.ParseUint(r.URL.Query().Get("count"), 10, 64)
			count = min(max(count, 1), wordsCeiling/wordPrice)
			if err != nil {
				count = 1
			}
			fmt.Fprintln(w, strings.TrimSpace(strings.Repeat("word ", int(count))))
			return uint256.NewInt(count * wordPrice)
		},
	}
}
