package scenario

import (
	"fmt"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
)

// untilBlock is the wall time after which a back end that has sent its transaction and does not answer gets a block.
const untilBlock = 200 * time.Millisecond

// hand hands over an authorization for a new order, or by an odd a a second one for the newest, if it is called open.
func (r *run) hand(a int) string {
	number := len(r.payments)
	if a%2 == 0 || number == 0 || !r.payments[number-1].open {
		if number == maxPayments {
			return ""
		}
		s := &scene{Stage: r.Stage, ctx: r.ctx}
		s.cast("explore", Params{Payer: r.payerOf(r.plays), Merchant: 1})
		r.plays++
		number++
		s.order = new(tokencontract.NonceFromSeed(fmt.Sprintf("order %s %d", s.unique(), number)))
		r.payments = append(r.payments, &payment{scene: s})
	}
	p := r.payments[number-1]
	capture := p.offer(tokencontract.NonceFromSeed(fmt.Sprintf("%s %d", p.order, len(p.nonces))))
	p.nonces, p.validBefore = append(p.nonces, capture.Nonce), capture.ValidBefore
	q, answered := p.question(len(p.nonces)), make(chan Answer, 1)
	q.Capture = capture
	go func() {
		said, wrong := Exam{Ask: r.Ask}.answer(r.ctx, q)
		if wrong != "" {
			said = Open // the payer learns of nothing
		}
		answered <- said
	}()
	for {
		select {
		case said := <-answered:
			p.look()
			p.open = said.Payment == Open.Payment
			return fmt.Sprintf("Authorization %d for order %d is handed over, which is then called %s", len(p.nonces), number, said.Payment)
		case <-time.After(untilBlock):
			if p.look() {
				got(r.Timeline.SealContext(r.ctx, 1))
			}
		}
	}
}

// look finds the transaction that captures the authorization handed over last, and reports whether it was sent.
func (p *payment) look() bool {
	tx := p.sentWith(p.conclusion.Nonce)
	if tx != nil {
		p.captures(tx)
	}
	return tx != nil
}

// judge is the scene's, or about the order: it is paid when one of its authorizations is used.
func (p *payment) judge(t *preconf.Timeline, said Answer, final bool) string {
	if p.order == nil {
		return p.scene.judge(t, said, final)
	}
	p.look()
	used := 0
	for _, nonce := range p.nonces {
		if p.used(nonce) {
			used++
		}
	}
	switch p.open = said.Payment == Open.Payment; {
	case final && used > 1:
		return capturedTwice
	case !p.open && used == 0:
		return fmt.Sprintf("it says %s, and no block holds the payment", said.Payment)
	case p.open && final && used > 0:
		return "it says open, and the payment is final"
	}
	return ""
}
