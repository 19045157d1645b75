package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
)

// Conclusion is the state that a correct client must have arrived at once a scenario is over.
type Conclusion struct {
	Scenario  string `json:"scenario"`
	Statement string `json:"statement"`

	// Transaction is the scenario's capture; of several, the last.
	Transaction common.Hash `json:"transaction"`
	// Contract is the contract that the payer signed for: the token, for an authorization, or one of docs/payments.md.
	Contract common.Address `json:"contract"`
	// Payer and Nonce name the payment on the contract: an authorization's replay key, the id of an order's terms, a
	// permission, a reserved payment or a channel, or the hash of a user operation. Payer is the account that pays.
	Payer    common.Address `json:"payer"`
	Nonce    common.Hash    `json:"nonce"`
	Merchant common.Address `json:"merchant"`
	// Value of the payment in token units (6 decimals).
	Value *uint256.Int `json:"value"`

	// Settled reports whether Transaction is in the chain at latest and moved its money. If false, it moved none, and the
	// nonce of an authorization is unused.
	Settled bool `json:"settled"`
	// Received is the amount of the payment that the merchant has received at latest, in token units, by Transaction and
	// earlier ones.
	Received *uint256.Int `json:"received"`
	// BlockHash and BlockNumber name the block in which Transaction settled; they are zero unless Settled.
	BlockHash   common.Hash `json:"blockHash"`
	BlockNumber uint64      `json:"blockNumber"`
	// Orphans are the blocks that held the capture and that reorgs removed.
	Orphans []common.Hash `json:"orphans"`
}

// Scenario is a named course of events around one payment.
type Scenario struct {
	Name  string
	Kind  Kind
	About string
	tell  func(*scene)
}

// All returns the scenarios around a payment, sorted by name.
func All() []Scenario { return slices.Clone(scenarios) }

// Kind says what scenarios are about.
type Kind string

const (
	ofPreconfirmations Kind = "pre-confirmations"
	ofReorgs           Kind = "reorgs"
	ofNodesBehind      Kind = "nodes that are behind"
	ofOrders           Kind = "orders"
	ofSubscriptions    Kind = "subscriptions"
	ofChannels         Kind = "channels"
	ofOperations       Kind = "user operations"
	ofBridges          Kind = "an L1's bridge"
)

// Find returns the scenario of that name. The error for an unknown name lists the known ones.
func Find(name string) (Scenario, error) {
	for _, s := range slices.Concat(scenarios, crossings) {
		if s.Name == name {
			return s, nil
		}
	}
	return Scenario{}, fmt.Errorf("unknown scenario %.80q, known are %s", name, strings.Join(Listed(), "; "))
}

// Listed returns a line for each kind of scenario: what it is of, and the names.
func Listed() (lines []string) {
	for _, kind := range []Kind{ofPreconfirmations, ofReorgs, ofNodesBehind, ofOrders, ofSubscriptions, ofChannels, ofOperations, ofBridges} {
		var names []string
		for _, s := range slices.Concat(scenarios, crossings) {
			if s.Kind == kind {
				names = append(names, s.Name)
			}
		}
		lines = append(lines, fmt.Sprintf("of %s: %s", kind, strings.Join(names, ", ")))
	}
	return lines
}

// Stage is the network that scenarios play on.
type Stage struct {
	Timeline *preconf.Timeline
	Accounts []fixtures.Account   // Params.Payer and Params.Merchant are indexes into it
	Token    tokencontract.Domain // the token that is paid with, and its chain
	Stale    func(preconf.Lag)    // lets clients be answered with a lag; nil: it cannot
}
