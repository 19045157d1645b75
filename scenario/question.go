package scenario

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/preconf"
)

// Question asks a back end about the payment of a story after a move. As JSON it has the same members in lower case.
type Question struct {
	Scenario string `json:"scenario"`
	Step     int    `json:"step"`
	Payment
	// Order and Capture are for back ends that capture: what the payer owes, and the authorization to capture for it now.
	Order   *common.Hash `json:"order,omitempty"`
	Capture *Capture     `json:"capture,omitempty"`
	// FromBlock asks an indexer for all transfers of the contract from this block on. Nil: the question is another.
	FromBlock *uint64 `json:"fromBlock,omitempty"`
}

// Answer is a back end's view of a payment: Open, Paid or Shipped.
type Answer struct {
	Payment string `json:"payment"`
	// Amount has the token units that the back end credits. Nil: it does not say.
	Amount *uint256.Int `json:"amount,omitempty"`
	// Transfers list what an indexer has. Nil: nothing.
	Transfers *[]Transfer `json:"transfers,omitempty"`
}

var (
	// Open is a payment that has not been made, as far as the back end knows.
	Open = Answer{Payment: "open"}
	// Paid is a payment that a sealed block holds. It may be taken back.
	Paid = Answer{Payment: "paid"}
	// Shipped is a payment for which the back end has given what it does not get back.
	Shipped = Answer{Payment: "shipped"}
)

// question returns the question after a move.
func (s *scene) question(step int) Question {
	return Question{Scenario: s.conclusion.Scenario, Step: step, Payment: s.conclusion.Payment, Order: s.order}
}

// judge returns the error of an answer in words, or "". final reports whether what the chain holds is final.
func (s *scene) judge(t *preconf.Timeline, said Answer, final bool) string {
	paid, number := new(uint256.Int), uint64(0)
	found, err := t.Moment().Find(s.conclusion.Transaction)
	if err == nil && found.Where == preconf.Sealed && found.Receipt.Status == types.ReceiptStatusSuccessful {
		paid, number = s.paidBy(found.Receipt), found.View.Number()
	}
	switch open := said.Payment == Open.Payment; {
	case !open && paid.IsZero():
		return fmt.Sprintf("it says %s, and no block holds the payment", said.Payment)
	case !open && said.Amount != nil && !said.Amount.Eq(paid):
		return fmt.Sprintf("it says %s with %s token units, and the payment is of %s", said.Payment, said.Amount.Dec(), paid.Dec())
	case open && final && !paid.IsZero() && number <= t.Moment().Finalized().Number():
		return "it says open, and the payment is final"
	}
	return ""
}
