package tokencontract_test

import (
	"math"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

type tokenUnits = uint256.Int

const (
	invalid     = "FiatTokenV2: invalid signature"
	used        = "FiatTokenV2: authorization is used or canceled"
	early       = "FiatTokenV2: authorization is not yet valid"
	expired     = "FiatTokenV2: authorization is expired"
	notPayee    = "FiatTokenV2: caller must be the payee"
	paused      = "Pausable: paused"
	blacklisted = "Blacklistable: account is blacklisted"
	overBalance = "ERC20: transfer amount exceeds balance"
)

// settlementCases are the cases of both functions for every signer.
func settlementCases() []tableCase {
	rows := []struct {
		name string
		run  func(w *world, k settlement, s signer)
	}{
		{"valid", settleValid},
		{"value changed", func(w *world, k settlement, s signer) {
			a := w.terms(s)
			signature := w.payer.Sign(w.domain, k.message(a)).Bytes()
			a.Value = plus(ten, oneUnit)
			w.reverts(k.sender(w), k.pack(w, s, a, signature), invalid)
			w.untouched(s, a)
		}},
		{"wrong key", func(w *world, k settlement, s signer) {
			a := w.terms(s)
			w.reverts(k.sender(w), k.signedBy(w, s, a, w.stranger), invalid)
			w.untouched(s, a)
		}},
		{"replay", func(w *world, k settlement, s signer) {
			data := k.signed(w, s, w.terms(s))
			w.must(k.sender(w), data)
			w.reverts(k.sender(w), data, used)
		}},
		{"over the balance", func(w *world, k settlement, s signer) {
			a := w.terms(s)
			a.Value = plus(startUSD, oneUnit)
			w.reverts(k.sender(w), k.signed(w, s, a), overBalance)
			w.untouched(s, a)
		}},
		{"signed for the other function", func(w *world, k settlement, s signer) {
			a := w.terms(s)
			other := settlement{receive: !k.receive}
			signature := w.payer.Sign(w.domain, other.message(a)).Bytes()
			w.reverts(k.sender(w), k.pack(w, s, a, signature), invalid)
			w.untouched(s, a)
		}},
		{"signed for another domain", settleOtherDomain},
		{"cancelled before", func(w *world, k settlement, s signer) {
			a := w.terms(s)
			w.must(w.relayer, s.cancel(w, a.From, a.Nonce, w.payer))
			w.reverts(k.sender(w), k.signed(w, s, a), used)
			w.balanceIs(a.From, startUSD)
		}},
		{"balance gone before", func(w *world, k settlement, s signer) {
			a := w.terms(s)
			drain := a
			drain.To, drain.Value, drain.Nonce = w.stranger.Address, startUSD, tokencontract.NonceFromSeed("drain")
			w.must(w.relayer, settlements[0].signed(w, s, drain))
			w.reverts(k.sender(w), k.signed(w, s, a), overBalance)
			w.usedIs(false, a.From, a.Nonce)
			w.fund(a.From, ten)
			w.must(k.sender(w), k.signed(w, s, a))
		}},
	}
	var cases []tableCase
	for _, k := range settlements {
		for _, s := range signers {
			for _, row := range rows {
				cases = append(cases, newCase(k.name+"/"+s.name+"/"+row.name, func(w *world) { row.run(w, k, s) }))
			}
		}
	}
	for _, s := range signers {
		cases = append(cases, newCase("receiveWithAuthorization/"+s.name+"/caller is not the payee", func(w *world) {
			a := w.terms(s)
			data := settlements[1].signed(w, s, a)
			for _, caller := range []fixtures.Account{w.relayer, w.payer} {
				w.reverts(caller, data, notPayee)
			}
			w.untouched(s, a)
		}))
	}
	return append(cases,
		newCase("transferWithAuthorization/blacklisted relayer may submit", func(w *world) {
			w.blacklist(w.relayer.Address)
			w.must(w.relayer, settlements[0].signed(w, signers[0], w.terms(signers[0])))
		}),
		newCase("transferWithAuthorization/to the payer itself", func(w *world) {
			a := w.terms(signers[0])
			a.To = a.From
			w.must(w.relayer, settlements[0].signed(w, signers[0], a))
			w.usedIs(true, a.From, a.Nonce)
			w.balanceIs(a.From, startUSD)
		}),
		newCase("transferWithAuthorization/to nobody", func(w *world) {
			a := w.terms(signers[0])
			a.To = nobody
			w.reverts(w.relayer, settlements[0].signed(w, signers[0], a), "ERC20: transfer to the zero address")
		}),
		newCase("authorizationState/is per account", func(w *world) {
			a := w.terms(signers[0])
			w.must(w.relayer, settlements[0].signed(w, signers[0], a))
			w.usedIs(true, a.From, a.Nonce)
			w.usedIs(false, w.wallet, a.Nonce)
		}),
	)
}

func settleValid(w *world, k settlement, s signer) {
	a := w.terms(s)
	w.usedIs(false, a.From, a.Nonce)
	outcome := w.must(k.sender(w), k.signed(w, s, a))
	w.logsAre(outcome, "AuthorizationUsed", "Transfer")
	event, err := tokencontract.DecodeAuthorizationUsed(*outcome.Logs[0])
	require.NoError(w.t, err)
	require.Equal(w.t, tokencontract.AuthorizationUsed{Authorizer: a.From, Nonce: a.Nonce}, event)
	w.transferLogIs(outcome.Logs[1], a.From, a.To, ten)
	w.usedIs(true, a.From, a.Nonce)
	w.balanceIs(a.From, minus(startUSD, ten))
	w.balanceIs(a.To, ten)
}

func settleOtherDomain(w *world, k settlement, s signer) {
	a := w.terms(s)
	for _, change := range []func(d *tokencontract.Domain){
		func(d *tokencontract.Domain) { d.ChainID++ },
		func(d *tokencontract.Domain) { d.VerifyingContract = common.Address{1} },
		func(d *tokencontract.Domain) { d.Name = tokencontract.TestnetName },
		func(d *tokencontract.Domain) { d.Version = "1" },
	} {
		domain := w.domain
		change(&domain)
		signature := w.payer.Sign(domain, k.message(a)).Bytes()
		w.reverts(k.sender(w), k.pack(w, s, a, signature), invalid)
	}
	w.untouched(s, a)
}

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

// cancel returns the call data of a cancellation signed by a key.
func (s signer) cancel(w *world, authorizer common.Address, nonce common.Hash, key fixtures.Account) []byte {
	c := tokencontract.Cancellation{Authorizer: authorizer, Nonce: nonce}
	signature := key.Sign(w.domain, c.Message())
	if s.vrs {
		return c.Pack(signature)
	}
	return c.PackBytes(signature.Bytes())
}

func cancelCases() []tableCase {
	rows := []struct {
		name string
		run  func(w *world, s signer)
	}{
		{"by a relayer", func(w *world, s signer) {
			a := w.terms(s)
			outcome := w.must(w.relayer, s.cancel(w, a.From, a.Nonce, w.payer))
			w.logsAre(outcome, "AuthorizationCanceled")
			event, err := tokencontract.DecodeAuthorizationCanceled(*outcome.Logs[0])
			require.NoError(w.t, err)
			require.Equal(w.t, tokencontract.AuthorizationCanceled{Authorizer: a.From, Nonce: a.Nonce}, event)
			w.usedIs(true, a.From, a.Nonce)
		}},
		{"signed by someone else", func(w *world, s signer) {
			a := w.terms(s)
			w.reverts(w.relayer, s.cancel(w, a.From, a.Nonce, w.stranger), invalid)
			w.usedIs(false, a.From, a.Nonce)
			w.must(w.relayer, settlements[0].signed(w, s, a))
		}},
		{"already used", func(w *world, s signer) {
			a := w.terms(s)
			w.must(w.relayer, settlements[0].signed(w, s, a))
			w.reverts(w.relayer, s.cancel(w, a.From, a.Nonce, w.payer), used)
		}},
		{"after expiry", func(w *world, s signer) {
			a := w.terms(s)
			w.chain.SetTime(a.ValidBefore + 86400)
			w.must(w.relayer, s.cancel(w, a.From, a.Nonce, w.payer))
			w.usedIs(true, a.From, a.Nonce)
		}},
	}
	var cases []tableCase
	for _, s := range signers {
		for _, row := range rows {
			cases = append(cases, newCase("cancelAuthorization/"+s.name+"/"+row.name, func(w *world) { row.run(w, s) }))
		}
	}
	return cases
}
