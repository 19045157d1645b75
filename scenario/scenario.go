package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
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
	About string
	tell  func(*scene) error
}

// All returns the scenarios around a payment, sorted by name.
func All() []Scenario { return slices.Clone(scenarios) }

// Find returns the scenario of that name. The error for an unknown name lists the known ones.
func Find(name string) (Scenario, error) {
	var names []string
	for _, s := range slices.Concat(scenarios, crossings) {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Scenario{}, fmt.Errorf("unknown scenario %.80q, known are %s", name, strings.Join(names, ", "))
}

// Stage is the network that scenarios play on.
type Stage struct {
	Timeline *preconf.Timeline
	Accounts []fixtures.Account   // Params.Payer and Params.Merchant are indexes into it
	Token    tokencontract.Domain // the token that is paid with, and its chain
}

// Play plays the scenario and returns once it is over. Waiting transactions are sealed first, armed faults wait until
// the end, and no other writer changes the timeline meanwhile. On an error, ctx.Err() included, the timeline is as it
// was before.
func (s Scenario) Play(ctx context.Context, stage Stage, p Params) (conclusion Conclusion, err error) {
	err = stage.Timeline.Atomically(func(own *preconf.Timeline) error {
		stage.Timeline = own
		return own.Undisturbed(func() error {
			conclusion, err = s.play(ctx, stage, p)
			return err
		})
	})
	return conclusion, err
}

func (s Scenario) play(ctx context.Context, stage Stage, p Params) (Conclusion, error) {
	mode := stage.Timeline.Moment().Mode()
	if mode == control.Instant { // a scenario seals blocks at the places of its story
		if err := stage.Timeline.SetMode(control.Manual); err != nil {
			return Conclusion{}, err
		}
	}
	scene, err := newScene(ctx, stage, p)
	if err == nil {
		scene.conclusion.Scenario = s.Name
		err = s.tell(scene)
	}
	if err != nil {
		return Conclusion{}, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	if !scene.concluded() {
		return Conclusion{}, fmt.Errorf("scenario %s: the payment went otherwise than it should", s.Name)
	}
	if mode == control.Instant {
		if err := stage.Timeline.SetMode(control.Instant); err != nil {
			return Conclusion{}, err
		}
	}
	return scene.conclusion, nil
}
