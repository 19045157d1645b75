package tokencontract_test

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

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
		{"already cancelled", func(w *world, s signer) {
			a := w.terms(s)
			w.must(w.relayer, s.cancel(w, a.From, a.Nonce, w.payer))
			w.reverts(w.relayer, s.cancel(w, a.From, a.Nonce, w.payer), used)
		}},
		{"paused", func(w *world, s signer) {
			a := w.terms(s)
			w.pause()
			w.reverts(w.relayer, s.cancel(w, a.From, a.Nonce, w.payer), paused)
			w.usedIs(false, a.From, a.Nonce)
		}},
		{"after expiry", func(w *world, s signer) {
			a := w.terms(s)
			w.chain.SetTime(a.ValidBefore + 86400)
			w.must(w.relayer, s.cancel(w, a.From, a.Nonce, w.payer))
			w.usedIs(true, a.From, a.Nonce)
		}},
		{"blacklisted authorizer and relayer", func(w *world, s signer) {
			a := w.terms(s)
			w.blacklist(a.From)
			w.blacklist(w.relayer.Address)
			w.must(w.relayer, s.cancel(w, a.From, a.Nonce, w.payer))
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
