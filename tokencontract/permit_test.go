package tokencontract_test

import (
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

const (
	permitInvalid = "EIP2612: invalid signature"
	permitExpired = "FiatTokenV2: permit is expired"
)

// permit returns ten dollars for a stranger to spend, within the hour.
func (w *world) permit(s signer) tokencontract.Permit {
	return tokencontract.Permit{
		Owner: s.address(w), Spender: w.stranger.Address, Value: ten,
		Deadline: uint256.NewInt(w.chain.Now() + 3600),
	}
}

// permit returns the call data of a permit signed by a key.
func (s signer) permit(w *world, p tokencontract.Permit, key fixtures.Account) []byte {
	return s.packPermit(p, key.Sign(w.domain, p.Message()))
}

func (s signer) packPermit(p tokencontract.Permit, signature tokencontract.Signature) []byte {
	if s.vrs {
		return p.Pack(signature)
	}
	return p.PackBytes(signature.Bytes())
}

func permitCases() []tableCase {
	rows := []struct {
		name string
		run  func(w *world, s signer)
	}{
		{"valid, then overwritten", func(w *world, s signer) {
			p := w.permit(s)
			outcome := w.must(w.relayer, s.permit(w, p, w.payer))
			w.logsAre(outcome, "Approval")
			require.Equal(w.t, p.Owner.Bytes(), outcome.Logs[0].Topics[1][12:])
			require.Equal(w.t, p.Spender.Bytes(), outcome.Logs[0].Topics[2][12:])
			require.Equal(w.t, ten.Bytes(), new(uint256.Int).SetBytes(outcome.Logs[0].Data).Bytes())
			w.allowanceIs(p.Owner, p.Spender, ten)
			require.EqualValues(w.t, 1, w.read(binding.PackNonces(p.Owner)).Uint64())
			p.Nonce, p.Value = 1, oneUnit
			w.must(w.relayer, s.permit(w, p, w.payer))
			w.allowanceIs(p.Owner, p.Spender, oneUnit)
			require.EqualValues(w.t, 2, w.read(binding.PackNonces(p.Owner)).Uint64())
		}},
		{"without a deadline", func(w *world, s signer) {
			p := w.permit(s)
			p.Deadline = nil
			w.must(w.relayer, s.permit(w, p, w.payer))
			w.allowanceIs(p.Owner, p.Spender, ten)
		}},
		{"at the deadline", func(w *world, s signer) {
			p := w.permit(s)
			w.chain.SetTime(p.Deadline.Uint64())
			w.must(w.relayer, s.permit(w, p, w.payer))
		}},
		{"a second after the deadline", func(w *world, s signer) {
			p := w.permit(s)
			w.chain.SetTime(p.Deadline.Uint64() + 1)
			w.reverts(w.relayer, s.permit(w, p, w.payer), permitExpired)
			w.allowanceIs(p.Owner, p.Spender, new(tokenUnits))
		}},
		{"value changed", func(w *world, s signer) {
			p := w.permit(s)
			signature := w.payer.Sign(w.domain, p.Message())
			p.Value = plus(ten, oneUnit)
			w.reverts(w.relayer, s.packPermit(p, signature), permitInvalid)
		}},
		{"wrong key", func(w *world, s signer) {
			w.reverts(w.relayer, s.permit(w, w.permit(s), w.stranger), permitInvalid)
		}},
		{"nonce is not the next", func(w *world, s signer) {
			p := w.permit(s)
			p.Nonce = 1
			w.reverts(w.relayer, s.permit(w, p, w.payer), permitInvalid)
			require.Zero(w.t, w.read(binding.PackNonces(p.Owner)).Uint64())
		}},
		{"replay", func(w *world, s signer) {
			data := s.permit(w, w.permit(s), w.payer)
			w.must(w.relayer, data)
			w.reverts(w.relayer, data, permitInvalid)
		}},
		{"nonce used with other terms", func(w *world, s signer) {
			p := w.permit(s)
			w.must(w.relayer, s.permit(w, p, w.payer))
			p.Value = oneUnit
			w.reverts(w.relayer, s.permit(w, p, w.payer), permitInvalid)
		}},
		{"spender is nobody", func(w *world, s signer) {
			p := w.permit(s)
			p.Spender = nobody
			w.reverts(w.relayer, s.permit(w, p, w.payer), "ERC20: approve to the zero address")
		}},
		{"signed as a transfer", func(w *world, s signer) {
			p, a := w.permit(s), w.terms(s)
			w.reverts(w.relayer, s.packPermit(p, w.payer.Sign(w.domain, a.TransferMessage())), permitInvalid)
		}},
		{"paused", func(w *world, s signer) {
			data := s.permit(w, w.permit(s), w.payer)
			w.pause()
			w.reverts(w.relayer, data, paused)
		}},
		{"blacklisted owner and spender", func(w *world, s signer) {
			p := w.permit(s)
			w.blacklist(p.Owner)
			w.blacklist(p.Spender)
			w.must(w.relayer, s.permit(w, p, w.payer))
			w.allowanceIs(p.Owner, p.Spender, ten)
		}},
	}
	var cases []tableCase
	for _, s := range signers {
		for _, row := range rows {
			cases = append(cases, newCase("permit/"+s.name+"/"+row.name, func(w *world) { row.run(w, s) }))
		}
	}
	return cases
}
