package tokencontract_test

import "github.com/fakenode/fakenode/tokencontract"

// boundCases are the ends of the time window: both exclusive for authorizations, inclusive for a permit's deadline.
func boundCases() []tableCase {
	rows := []struct {
		name   string
		at     func(a tokencontract.Authorization) uint64
		reason string
	}{
		{"at validAfter", func(a tokencontract.Authorization) uint64 { return a.ValidAfter }, early},
		{"a second after validAfter", func(a tokencontract.Authorization) uint64 { return a.ValidAfter + 1 }, ""},
		{"a second before validBefore", func(a tokencontract.Authorization) uint64 { return a.ValidBefore - 1 }, ""},
		{"at validBefore", func(a tokencontract.Authorization) uint64 { return a.ValidBefore }, expired},
		{"a day after validBefore", func(a tokencontract.Authorization) uint64 { return a.ValidBefore + 86400 }, expired},
	}
	var cases []tableCase
	for _, k := range settlements {
		for _, s := range signers {
			for _, row := range rows {
				cases = append(cases, newCase(k.name+"/"+s.name+"/"+row.name, func(w *world) {
					a := w.terms(s)
					a.ValidAfter, a.ValidBefore = w.chain.Now()+1000, w.chain.Now()+2000
					data := k.signed(w, s, a)
					w.chain.SetTime(row.at(a))
					if row.reason == "" {
						w.must(k.sender(w), data)
						w.usedIs(true, a.From, a.Nonce)
						return
					}
					w.reverts(k.sender(w), data, row.reason)
					w.untouched(s, a)
				}))
			}
		}
	}
	return cases
}
