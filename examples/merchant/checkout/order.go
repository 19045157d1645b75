package checkout

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/tokencontract"
)

// Stage is where an order's authorization stands for the merchant (contract 3.2-drafted). "Signed, unused" is not among
// them: the back end does not see a signature before it stores it.
type Stage string

// The stages.
const (
	Drafted  Stage = "drafted"  // terms set
	Stored   Stage = "stored"   // signed and stored, nonce unused
	Captured Stage = "captured" // the transfer to the merchant, or one of several, is in a sealed block
	Voided   Stage = "voided"   // never to be submitted; the nonce stays unused
	Canceled Stage = "canceled" // the nonce was consumed on-chain without paying the merchant, in a sealed block
)

// Outcome is how a nonce was consumed on-chain.
type Outcome string

// The outcomes.
const (
	OutcomeCaptured Outcome = "captured" // by the transfer that the terms describe
	OutcomeCanceled Outcome = "canceled" // by cancelAuthorization
	OutcomeDiverted Outcome = "diverted" // by another transfer: the payer signed the nonce away a second time
)

// Settlement is where on the chain a nonce was consumed.
type Settlement struct {
	Outcome     Outcome
	Transaction common.Hash
	BlockNumber uint64
	BlockHash   common.Hash // zero while only pre-confirmed
}

// Sealed reports whether the settlement is in a sealed block, not only pre-confirmed.
func (s *Settlement) Sealed() bool { return s != nil && s.BlockHash != common.Hash{} }

// Order is an order with everything known of its payment except the signature.
type Order struct {
	ID           string
	Version      int64 // grows with every change
	Path         Path
	Terms        tokencontract.Authorization // Variable: Value is the ceiling; Subscription: of each period; Requests: the deposit
	Owner        common.Address              // Subscription: the key's account that signs for the payer, a smart account
	Period       uint64                      // Subscription: seconds
	Price        *uint256.Int                // Requests: of each, token units
	Vouched      *uint256.Int                // Requests: what the payer signed for so far, token units
	Expired      bool                        // not settled, and no block from now on may settle it
	Settlement   *Settlement                 // nil: the nonce is unused
	Final        bool                        // no reorg will change it any more
	Transactions []Transaction

	permitNonce    uint64 // Variable: of the payer's permit
	signed, voided bool
	fromBlock      uint64 // the nonce cannot have been consumed before this block
}

// Stage returns the stage that follows from what is known; the chain comes first.
func (o Order) Stage() Stage {
	switch {
	case !o.Path.once() && !o.voided && !o.Received().IsZero():
		return Captured
	case o.Settlement.Sealed() && o.Settlement.Outcome == OutcomeCaptured:
		return Captured
	case o.Settlement.Sealed():
		return Canceled
	case o.voided:
		return Voided
	case o.signed:
		return Stored
	}
	return Drafted
}

// underWay reports whether a recorded transaction of the kind has succeeded or still may.
func (o Order) underWay(kind Kind) bool {
	return slices.ContainsFunc(o.Transactions, func(t Transaction) bool { return t.Kind == kind && t.State.alive() })
}

// capturing reports whether there is a capture of the order that may still, or again, settle: a reverted one is
// executed anew after a reorg.
func (o Order) capturing() bool {
	return slices.ContainsFunc(o.Transactions, func(t Transaction) bool {
		return t.Kind == KindCapture && (t.State.alive() || !t.Final)
	})
}

// consumed returns a Problem if the nonce is consumed, sealed or pre-confirmed, else nil.
func (o Order) consumed() error {
	if o.Settlement == nil {
		return nil
	}
	return problem(Conflict, "order is %s by transaction %s", o.Settlement.Outcome, o.Settlement.Transaction)
}

// Kind is the purpose of a transaction of the merchant.
type Kind string

// The kinds.
const (
	KindCapture Kind = "capture"
	KindCancel  Kind = "cancel"
	KindApprove Kind = "approve" // of a Subscription, and the deposit of Requests, before the first capture
)

// State is how far a recorded transaction has come.
type State string

// The states. A reorg, or a node that forgets, brings a transaction back to an earlier one.
const (
	Recorded State = "recorded" // the node does not have it: it will be sent, again if need be
	Refused  State = "refused"  // the same, and refused so often in a row that another transaction may take its account nonce
	Sent     State = "sent"     // the node has it, pre-confirmed at best
	Included State = "included" // in a sealed block, successful
	Reverted State = "reverted" // in a sealed block, without effect
	Replaced State = "replaced" // its account nonce went to a transaction that this merchant did not record
)

func (s State) alive() bool { return s != Reverted && s != Replaced }

// Transaction is an entry of the outbox: a transaction of the merchant, recorded before it was sent.
type Transaction struct {
	Kind     Kind
	Part     int          // of a capture: which
	Amount   *uint256.Int // of a capture: token units
	Nonce    uint64       // of the merchant's account
	Hash     common.Hash
	State    State
	Attempts int    // how often it was sent, or tried to
	Refusals int    // how often the node refused it, since it last took it
	Reason   string // why it reverted, by the token; or what became of its account nonce
	Final    bool   // no reorg will change it any more

	order       string
	blockNumber uint64      // that holds it, with blockHash
	blockHash   common.Hash // zero: none does
	raw         []byte      // signed bytes, the credential inside; empty once Final
}

// waits reports whether the transaction may still succeed in a later block.
func (t Transaction) waits() bool {
	return t.State == Recorded || t.State == Refused || t.State == Sent
}

// costs returns the most that the waiting transactions can cost, in wei.
func costs(list []Transaction) (*big.Int, error) {
	sum := new(big.Int)
	for _, t := range list {
		if !t.waits() {
			continue
		}
		tx, err := t.signed()
		if err != nil {
			return nil, err
		}
		sum.Add(sum, tx.Cost())
	}
	return sum, nil
}

// signed decodes the transaction.
func (t Transaction) signed() (*types.Transaction, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(t.raw); err != nil {
		return nil, fmt.Errorf("recorded transaction %s: %w", t.Hash, err)
	}
	return tx, nil
}
