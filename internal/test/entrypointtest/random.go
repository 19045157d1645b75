package entrypointtest

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
)

// model holds the expected values of an account after any sequence of operations and deposits.
type model struct {
	nonces  [3]uint64 // the next one of each key
	paid    uint64    // token units
	wei     *uint256.Int
	deposit *uint256.Int
}

// randomCases drive EntryPoint v0.6 and the model through the same random steps.
func randomCases() []Case {
	var cases []Case
	for seed := range uint64(3) {
		cases = append(cases, newCase(fmt.Sprintf("random/%d", seed), func(w *world) {
			random := rand.New(rand.NewPCG(seed, 6))
			w.chain.Must(w.bundler, w.account.Factory, w.account.PackCreate())
			m := &model{wei: w.chain.Ether(w.account.Address()), deposit: new(uint256.Int)}
			for range 40 {
				m.step(w, random)
			}
			w.shopHas(uint256.NewInt(m.paid))
		}))
	}
	return cases
}

// step takes one step in both; the EntryPoint must succeed exactly when the model does.
func (m *model) step(w *world, random *rand.Rand) {
	switch random.IntN(5) {
	case 0:
		wei := uint256.NewInt(random.Uint64N(1_000_000_000_000_000))
		require.True(w.t, w.chain.SendValue(w.bundler, entrypoint.V06Address, binding.PackDepositTo(w.account.Address()), wei).Succeeded)
		m.deposit.Add(m.deposit, wei)
	case 1:
		m.withdraw(w, uint256.NewInt(random.Uint64N(1_000_000_000_000_000)))
	default:
		m.operate(w, random)
	}
	require.Equal(w.t, m.deposit.Dec(), w.deposit(w.account.Address()).Dec())
	require.Equal(w.t, m.wei.Dec(), w.chain.Ether(w.account.Address()).Dec())
}

// withdraw takes wei out of the deposit, by an owner's call of the account.
func (m *model) withdraw(w *world, wei *uint256.Int) {
	data := wallet.PackExecute(entrypoint.V06Address, new(big.Int), binding.PackWithdrawTo(w.account.Address(), wei.ToBig()))
	possible := !wei.Gt(m.deposit)
	require.Equal(w.t, possible, w.chain.Send(w.owner, w.account.Address(), data).Succeeded)
	if possible {
		m.deposit.Sub(m.deposit, wei)
		m.wei.Add(m.wei, wei)
	}
}

// operate sends one or two operations in one transaction: with the next nonce of a key or another, signed by the owner
// or somebody else, paying the account's balance or more.
func (m *model) operate(w *world, random *rand.Rand) {
	next := m.nonces
	valid := true
	var ops []entrypoint.UserOperation
	var amounts []uint64
	for range 1 + random.IntN(2) {
		key, skip := random.IntN(len(next)), random.Uint64N(6)/5
		amount := random.Uint64N(120) * fixtures.USD("1").Uint64()
		op := w.operation(pay(w.shop.Address, uint256.NewInt(amount)))
		op.Nonce = new(big.Int).Lsh(big.NewInt(int64(key)), 64)
		op.Nonce.Or(op.Nonce, new(big.Int).SetUint64(next[key]+skip))
		signer := []fixtures.Account{w.owner, w.owner, w.owner, w.owner, w.owner, w.shop}[random.IntN(6)]
		valid = valid && skip == 0 && signer.Address == w.owner.Address
		next[key]++
		ops, amounts = append(ops, w.sign(op, signer)), append(amounts, amount)
	}
	outcome := w.chain.Send(w.bundler, entrypoint.V06Address, w.handle(ops...))
	require.Equal(w.t, valid, outcome.Succeeded)
	if !valid {
		return
	}
	m.nonces = next
	prefund := w.prefund()
	for range ops { // validation takes the whole prefund; the account pays in what its deposit lacks
		if m.deposit.Lt(prefund) {
			m.wei.Sub(m.wei, new(uint256.Int).Sub(prefund, m.deposit))
			m.deposit.Set(prefund)
		}
		m.deposit.Sub(m.deposit, prefund)
	}
	handled := 0
	for _, log := range outcome.Logs {
		event, err := binding.UnpackUserOperationEventEvent(log)
		if err != nil {
			continue
		}
		possible := m.paid+amounts[handled] <= fixtures.USD("100").Uint64()
		require.Equal(w.t, possible, event.Success)
		if possible {
			m.paid += amounts[handled]
		}
		m.deposit.Add(m.deposit, new(uint256.Int).Sub(prefund, uint256.MustFromBig(event.ActualGasCost)))
		handled++
	}
	require.Len(w.t, ops, handled)
}

// prefund returns the most that an operation may cost, in wei.
func (w *world) prefund() *uint256.Int {
	op := w.operation(nil)
	gas := new(big.Int).Add(op.CallGasLimit, op.VerificationGasLimit)
	gas.Add(gas, op.PreVerificationGas)
	return uint256.MustFromBig(gas.Mul(gas, op.MaxFeePerGas))
}
