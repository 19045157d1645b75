package tokencontract_test

import (
	"math"

	"github.com/fakenode/fakenode/tokencontract"
)

// orderCases are calls with everything wrong at once. Each fault is repaired in turn; the next one must answer.
func orderCases() []tableCase {
	var cases []tableCase
	for _, k := range settlements {
		for _, s := range signers {
			cases = append(cases, newCase(k.name+"/"+s.name+"/order of checks", func(w *world) { settleInOrder(w, k, s) }))
		}
	}
	return append(cases,
		newCase("cancelAuthorization/order of checks", func(w *world) {
			s, nonce := signers[0], tokencontract.NonceFromSeed("spent")
			w.must(w.relayer, s.cancel(w, w.payer.Address, nonce, w.payer))
			w.pause()
			w.reverts(w.relayer, s.cancel(w, w.payer.Address, nonce, w.stranger), paused)
			w.unpause()
			w.reverts(w.relayer, s.cancel(w, w.payer.Address, nonce, w.stranger), used)
			nonce = tokencontract.NonceFromSeed("fresh")
			w.reverts(w.relayer, s.cancel(w, w.payer.Address, nonce, w.stranger), invalid)
			w.blacklist(w.payer.Address) // not checked
			w.must(w.relayer, s.cancel(w, w.payer.Address, nonce, w.payer))
		}),
		newCase("permit/order of checks", func(w *world) {
			p := w.permit(signers[0])
			p.Spender, p.Deadline = nobody, new(tokenUnits)
			w.pause()
			w.reverts(w.relayer, signers[0].permit(w, p, w.stranger), paused)
			w.unpause()
			w.reverts(w.relayer, signers[0].permit(w, p, w.stranger), permitExpired)
			p.Deadline = nil
			w.reverts(w.relayer, signers[0].permit(w, p, w.stranger), permitInvalid)
			w.reverts(w.relayer, signers[0].permit(w, p, w.payer), "ERC20: approve to the zero address")
			p.Spender = w.stranger.Address
			w.must(w.relayer, signers[0].permit(w, p, w.payer))
		}),
	)
}

func settleInOrder(w *world, k settlement, s signer) {
	spent := w.terms(s)
	spent.Value, spent.Nonce = new(tokenUnits), tokencontract.NonceFromSeed("spent")
	w.must(k.sender(w), k.signed(w, s, spent))

	now := w.chain.Now()
	a := tokencontract.Authorization{
		From: s.address(w), To: w.merchant.Address, Value: plus(startUSD, oneUnit),
		ValidAfter: now + 86400, ValidBefore: now, Nonce: spent.Nonce,
	}
	caller, key := w.stranger, w.stranger
	w.blacklist(a.From)
	w.blacklist(a.To)
	w.pause()

	steps := []struct {
		reason string
		repair func()
	}{
		{paused, w.unpause},
		{blacklisted, func() { w.unBlacklist(a.From) }},
		{blacklisted, func() { w.unBlacklist(a.To) }},
		{notPayee, func() { caller = w.merchant }},
		{early, func() { a.ValidAfter = 0 }},
		{expired, func() { a.ValidBefore = math.MaxInt64 }},
		{used, func() { a.Nonce = tokencontract.NonceFromSeed("fresh") }},
		{invalid, func() { key = w.payer }},
		{overBalance, func() { a.Value = ten }},
	}
	for _, step := range steps {
		if step.reason == notPayee && !k.receive {
			continue
		}
		w.reverts(caller, k.signedBy(w, s, a, key), step.reason)
		w.usedIs(false, a.From, tokencontract.NonceFromSeed("fresh"))
		step.repair()
	}
	w.must(caller, k.signedBy(w, s, a, key))
	w.balanceIs(w.merchant.Address, ten)
}
