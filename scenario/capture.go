package scenario

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/tokencontract"
)

const capturedTwice = "it has captured two authorizations for one order"

// Capture is an authorization that a back end is handed to capture. As JSON it has the members of x402's payload.
type Capture struct {
	From        common.Address `json:"from"`
	To          common.Address `json:"to"`
	Value       string         `json:"value"`              // in token units, decimal
	ValidAfter  uint64         `json:"validAfter,string"`  // in Unix seconds
	ValidBefore uint64         `json:"validBefore,string"` // in Unix seconds
	Nonce       common.Hash    `json:"nonce"`
	// Signature is of TransferWithAuthorization, which anybody may send; ReceiveSignature is of
	// ReceiveWithAuthorization, which the merchant sends.
	Signature        tokencontract.Signature `json:"signature"`
	ReceiveSignature tokencontract.Signature `json:"receiveSignature"`
}

func settledUnseen(s *scene) {
	s.hide(s.capture.Hash())
	block := s.bury(1)
	s.did("Its receipt, and that alone, is null")
	s.hide(common.Hash{})
	s.did("The receipt is there")
	s.settled(block, "The payment happened once, while its receipt was null: a transaction that was sent is pending until a block holds it or its authorization has expired, however often its receipt is null. A correct client remembers the hash for the order before it sends, asks for it again, and captures no second authorization for the order meanwhile.")
}

// hide lets the receipt of a transaction be null for clients, and no longer that of the one before. The zero hash is
// none.
func (s *scene) hide(hash common.Hash) {
	if s.Hide == nil {
		return
	}
	if s.hidden != (common.Hash{}) {
		s.Hide(s.hidden, false)
	}
	if s.hidden = hash; hash != (common.Hash{}) {
		s.Hide(hash, true)
	}
}

// offer signs an authorization for the back end, and makes it the payment.
func (s *scene) offer(nonce common.Hash) *Capture {
	a := fixtures.Authorization(s.payer, s.merchant, s.value, s.Timeline.Moment().Now())
	a.Nonce, s.conclusion.Nonce = nonce, nonce
	return &Capture{
		a.From, a.To, a.Value.Dec(), a.ValidAfter, a.ValidBefore, a.Nonce, s.payer.Sign(s.Token, a.TransferMessage()), s.payer.Sign(s.Token, a.ReceiveMessage()),
	}
}

// sentWith returns the transaction with a nonce of an authorization that waits, is pre-confirmed or is in the newest
// block, or nil.
func (s *scene) sentWith(nonce common.Hash) *types.Transaction {
	moment := s.Timeline.Moment()
	sent := slices.Concat(moment.Pending().Transactions().Signed(), moment.Latest().Transactions().Signed())
	for _, listed := range moment.Pool() {
		sent = append(sent, listed.Tx)
	}
	for _, tx := range sent {
		if bytes.Contains(tx.Data(), nonce[:]) {
			return tx
		}
	}
	return nil
}

// used reports whether an authorization of the payer is used at latest.
func (s *scene) used(nonce common.Hash) bool {
	state := got(s.Timeline.Moment().Latest().State())
	return state.Storage(s.Token.VerifyingContract, tokencontract.AuthorizationSlot(s.payer.Address, nonce)) != (common.Hash{})
}

// playCapture hands the back end an authorization for an order, hides the receipt of the transaction that captures it,
// and, unless the back end calls the order paid, hands it a second authorization for the same order, as a payer does
// who is told that nothing was paid. Then the receipt is there. The payer has paid once.
func (e Exam) playCapture(ctx context.Context, told Scenario, stage Stage, p Params) (mark Mark, err error) {
	mark.Scenario = told.Name
	mark.Rule = "One order is paid once: who has sent a capture remembers its hash, and captures no other authorization for the order before that one is final, or has expired unused."
	t := stage.Timeline
	if t.Moment().Mode() == control.Instant { // its blocks would come before the receipt is hidden
		if err := t.Set(preconf.Mode(control.Manual)); err != nil {
			return mark, err
		}
		defer func() { err = errors.Join(err, t.Set(preconf.Mode(control.Instant))) }()
	}
	s := &scene{Stage: stage, ctx: ctx}
	defer s.hide(common.Hash{})
	err = attempt(func() {
		s.begin(told.Name, p)
		said := Open
		s.order = new(s.unique())
		ask := func(capture *Capture) (Answer, string) {
			q := s.question(mark.Step)
			q.Capture = capture
			return e.answer(ctx, q)
		}
		var nonces []common.Hash
		for mark.Step < 2 && said.Payment == Open.Payment && mark.Failed == "" {
			mark.Step++
			capture := s.offer(s.unique())
			nonces = append(nonces, capture.Nonce)
			said, mark.Failed = e.handOver(s, capture, ask)
			mark.Did = fmt.Sprintf("Authorization %d for the order was handed over, and there is no receipt of a transaction that captures it.", mark.Step)
			if mark.Failed == "" && mark.Step == 1 && e.Restart != nil {
				mark.Did += " The back end was started anew."
				if err := e.Restart(ctx); err != nil {
					mark.Failed = err.Error()
				}
			}
		}
		s.hide(common.Hash{})
		must(finalize(ctx, t))
		nonces = slices.DeleteFunc(nonces, func(nonce common.Hash) bool { return !s.used(nonce) })
		switch {
		case mark.Failed != "":
		case len(nonces) == 0:
			mark.Failed = "it has captured nothing"
		case len(nonces) > 1:
			mark.Failed = capturedTwice
		default:
			mark.Step, mark.Did, s.conclusion.Nonce = mark.Step+1, "The receipt is there, and the payment is final.", nonces[0]
			_, mark.Failed = e.insist(ctx, t, true, func() (Answer, string) {
				said, wrong := ask(nil)
				if wrong == "" && said.Payment == Open.Payment {
					wrong = "it says open, and the payment is final"
				}
				return said, wrong
			})
		}
	})
	return mark, err
}

// handOver hands over an authorization. A transaction that captures it gets into a block, and its receipt is null.
func (e Exam) handOver(s *scene, capture *Capture, ask func(*Capture) (Answer, string)) (said Answer, wrong string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		said, wrong = ask(capture)
	}()
	var over <-chan time.Time
	for seen := false; ; {
		changed := s.Timeline.Changed()
		if !seen {
			if tx := s.sentWith(capture.Nonce); tx != nil {
				seen = true
				s.captures(tx)
				s.hide(tx.Hash())
				s.seals(1)
			}
		}
		select {
		case <-done:
			done, over = nil, time.After(e.Wait) // it may send later than it answers
		case <-over:
			return said, wrong
		case <-changed:
		}
	}
}
