package scenario

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/tokencontract"
)

// Transfer is a transfer of the token as an indexer lists it. As JSON it has the same members in lower case.
type Transfer struct {
	Transaction common.Hash    `json:"transaction"`
	BlockHash   common.Hash    `json:"blockHash"`
	From        common.Address `json:"from"`
	To          common.Address `json:"to"`
	Value       uint256.Int    `json:"value"` // in token units
}

// transfers returns those in the blocks of the run.
func (r *run) transfers() (all []Transfer) {
	for m, n := r.Timeline.Moment(), r.first; n <= m.Latest().Number(); n++ {
		view, err := m.ByNumber(n)
		if err != nil {
			continue
		}
		for _, log := range view.Logs() {
			if t, err := tokencontract.DecodeTransfer(*log); err == nil && log.Address == r.Token.VerifyingContract {
				all = append(all, Transfer{log.TxHash, view.Hash(), t.From, t.To, *t.Value})
			}
		}
	}
	return all
}

// askIndexer asks for the transfers in the blocks of the run, and in the end returns what is wrong with them.
func (r *run) askIndexer(step int, final bool) (wrong string) {
	q := Question{Scenario: "explore", Step: step, Payment: Payment{Contract: r.Token.VerifyingContract}, FromBlock: &r.first}
	_, wrong = Exam{Wait: r.Wait, Patience: r.Patience}.insist(r.ctx, r.Timeline, final, func() (Answer, string) {
		said, err := r.Ask(r.ctx, q)
		switch {
		case !final:
			return Open, ""
		case err != nil:
			return Open, err.Error()
		case said.Transfers == nil:
			said.Transfers = new([]Transfer)
		}
		return Open, r.compare(*said.Transfers, r.transfers())
	})
	return wrong
}

// compare returns the error of a list of transfers in words, or "".
func (r *run) compare(listed, held []Transfer) string {
	left := map[Transfer]int{}
	for _, t := range held {
		left[t]++
	}
	for _, t := range listed {
		if left[t]--; left[t] < 0 {
			return fmt.Sprintf("it lists a transfer of %s that no block holds, or holds less often", r.named(t.Transaction))
		}
	}
	for _, t := range held {
		if left[t] > 0 {
			return fmt.Sprintf("it lacks the transfer of %s", r.named(t.Transaction))
		}
	}
	return ""
}

// named names a transaction by the payment that it is.
func (r *run) named(tx common.Hash) string {
	for i, p := range r.payments {
		if p.conclusion.Transaction == tx {
			return fmt.Sprintf("payment %d", i+1)
		}
	}
	return fmt.Sprintf("transaction %s", tx)
}
