package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

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
	Payment

	// Settled reports whether Transaction is in the chain at latest and moved the payment's money. If false, it moved none
	// of it, and the nonce of an authorization is unused.
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

// Payment identifies the payment of a scenario.
type Payment struct {
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
	ofDecoys           Kind = "decoys"
	ofCaptures         Kind = "captures"
	ofOrders           Kind = "orders"
	ofSubscriptions    Kind = "subscriptions"
	ofChannels         Kind = "channels"
	ofOperations       Kind = "user operations"
	ofNatives          Kind = "a native token"
	ofBridges          Kind = "an L1's bridge"
)

// kinds are all kinds, those of every exam first, and last the one that no exam has.
var kinds = []Kind{ofPreconfirmations, ofReorgs, ofNodesBehind, ofDecoys, ofCaptures, ofOrders, ofSubscriptions, ofChannels, ofOperations, ofNatives, ofBridges}

// Find returns the scenario of that name. The error for an unknown name lists the known ones.
func Find(name string) (Scenario, error) {
	for _, s := range slices.Concat(scenarios, natives, crossings) {
		if s.Name == name {
			return s, nil
		}
	}
	return Scenario{}, fmt.Errorf("unknown scenario %.80q, known are %s", name, strings.Join(Listed(), "; "))
}

// Listed returns a line for each kind of scenario: what it is of, and the names.
func Listed() (lines []string) {
	for _, kind := range kinds {
		var names []string
		for _, s := range slices.Concat(scenarios, natives, crossings) {
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
	// Hide lets the receipt of a transaction be null for clients, or no longer. Nil: it cannot.
	Hide func(hash common.Hash, hidden bool)
}

// MaxDepth, MaxTimes and MaxStep are the upper limits of Params.Depth, Params.Times and Params.Step.
const (
	MaxDepth = 1_000
	MaxTimes = 100
	MaxStep  = time.Hour
)

// Params vary a scenario. The zero value works.
type Params struct {
	// Payer and Merchant are indexes of development accounts. If both are zero, they are 0 and 1.
	Payer    int
	Merchant int
	// Amount is the payment in dollars. Empty: "25.00".
	Amount string
	// Depth is the depth of the reorgs, in blocks, up to MaxDepth. Zero: the scenario's own.
	Depth int
	// Times is the number of flaps of the head, or of flashblocks that stall, up to MaxTimes. Zero: the scenario's own.
	Times int
	// Step is the wall time after each move, up to MaxStep, so that clients that poll see it; no other writer changes the
	// timeline meanwhile. Zero: the moves follow at once.
	Step time.Duration

	keepFinal bool // a reorg that would remove a finalized block ends the scenario
}

// Check returns an error that names the member with which no scenario can be played by so many accounts.
func (p Params) Check(accounts int) error {
	_, err := p.complete(accounts)
	return err
}

// complete fills in the defaults, or returns the error of Check.
func (p Params) complete(accounts int) (Params, error) {
	if p.Payer == 0 && p.Merchant == 0 {
		p.Merchant = 1
	}
	if p.Amount == "" {
		p.Amount = "25.00"
	}
	first, last := min(p.Payer, p.Merchant), max(p.Payer, p.Merchant)
	switch {
	case p.Depth < 0 || p.Depth > MaxDepth:
		return p, fmt.Errorf("depth %d is outside 1 to %d", p.Depth, MaxDepth)
	case p.Times < 0 || p.Times > MaxTimes:
		return p, fmt.Errorf("times %d is outside 1 to %d", p.Times, MaxTimes)
	case p.Step < 0 || p.Step > MaxStep:
		return p, fmt.Errorf("step %s is outside 0 to %s", p.Step, MaxStep)
	case first < 0 || first >= accounts:
		return p, fmt.Errorf("account %d: the node has accounts 0 to %d", first, accounts-1)
	case last >= accounts:
		return p, fmt.Errorf("account %d: the node has accounts 0 to %d", last, accounts-1)
	case first == last:
		return p, errors.New("payer and merchant are the same account")
	}
	_, err := fixtures.ParseUSD(p.Amount)
	return p, err
}
