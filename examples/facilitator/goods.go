package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/examples/facilitator/channel"
	"github.com/fakenode/fakenode/examples/facilitator/paywall"
	"github.com/fakenode/fakenode/tokencontract"
)

// Prices, in token units (6 decimals).
const (
	reportPrice  = 10_000 // a cent
	wordPrice    = 100
	wordsCeiling = 10_000
	quotePrice   = 100
)

// withdrawDelay is how long a payer's withdrawal takes, in seconds: the time there is to claim what was charged.
const withdrawDelay = 3_600

func price(f *paywall.Facilitator, scheme string, amount uint64, payTo, token common.Address) paywall.Requirements {
	r := paywall.Requirements{
		Scheme: scheme, Network: f.Network(), Amount: uint256.NewInt(amount), Asset: token, PayTo: payTo, MaxTimeoutSeconds: 300,
		Extra: paywall.Extra{Name: tokencontract.MainnetName, Version: tokencontract.Version},
	}
	settles := f.Address()
	switch scheme {
	case paywall.Upto:
		r.Extra.FacilitatorAddress = &settles
	case channel.Name:
		r.Extra.ReceiverAuthorizer, r.Extra.WithdrawDelay, r.Extra.MinDeposit = &settles, withdrawDelay, uint256.NewInt(100*amount)
	}
	return r
}

// report costs the same every time.
func report(f *paywall.Facilitator, payTo, token common.Address) paywall.Route {
	return paywall.Route{
		Scheme: f.Scheme(paywall.Exact), Description: "A report", Price: price(f, paywall.Exact, reportPrice, payTo, token),
		Serve: func(w http.ResponseWriter, _ *http.Request) *uint256.Int {
			fmt.Fprintln(w, `{"report": "sunny"}`)
			return uint256.NewInt(reportPrice)
		},
	}
}

// words costs a price for each word; the number of words is known once they are written.
func words(f *paywall.Facilitator, payTo, token common.Address) paywall.Route {
	return paywall.Route{
		Scheme: f.Scheme(paywall.Upto), Description: "Words, paid by the word", Price: price(f, paywall.Upto, wordsCeiling, payTo, token),
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

// quote is cheap: it is paid by a voucher on a channel, without a transaction.
func quote(f *paywall.Facilitator, till *channel.Till, payTo, token common.Address) paywall.Route {
	return paywall.Route{
		Scheme: till, Description: "A quote, paid by the request", Price: price(f, channel.Name, quotePrice, payTo, token),
		Serve: func(w http.ResponseWriter, _ *http.Request) *uint256.Int {
			fmt.Fprintln(w, `{"quote": 42}`)
			return uint256.NewInt(quotePrice)
		},
	}
}
