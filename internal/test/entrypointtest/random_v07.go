package entrypointtest

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

// packedModel holds the expected values of an account of EntryPoint v0.7 after any sequence of operations and deposits,
// and the amount that the beneficiary was paid.
type packedModel struct {
	model
	earned *uint256.Int // wei
}

// movement is the effect of an operation: it pays token units to the bundler, or takes wei out of the deposit.
type movement struct {
	pays uint64
	wei  *uint256.Int // nil: it pays
}

// randomPackedCases drive EntryPoint v0.7 and the model through the same random steps.
func randomPackedCases() []Case {
	var cases []Case
	for seed := range uint64(3) {
		cases = append(cases, newPackedCase(fmt.Sprintf("random/%d", seed), func(w *packedWorld) {
			random := rand.New(rand.NewPCG(seed, 7))
			m := &packedModel{model{wei: w.Ether(w.account), deposit: new(uint256.Int)}, new(uint256.Int)}
			for range 40 {
				m.step(w, random)
			}
		}))
	}
	return cases
}

// step takes one step in both. No wei may be lost or made.
func (m *packedModel) step(w *packedWorld, random *rand.Rand) {
	if random.IntN(5) == 0 {
		wei := uint256.NewInt(random.Uint64N(1_000_000_000_000_000))
		require.True(w.t, w.SendValue(w.bundler, entrypoint.V07Address, v07.PackDepositTo(w.account), wei).Succeeded)
		m.deposit.Add(m.deposit, wei)
	} else {
		m.operate(w, random)
	}
	held := w.Read(entrypoint.V07Address, v07.PackBalanceOf(w.account))
	require.Equal(w.t, m.deposit.Dec(), new(uint256.Int).SetBytes(held).Dec())
	require.Equal(w.t, m.deposit.Dec(), w.Ether(entrypoint.V07Address).Dec())
	require.Equal(w.t, m.wei.Dec(), w.Ether(w.account).Dec())
	require.Equal(w.t, m.earned.Dec(), w.Ether(beneficiary).Dec())
	require.Equal(w.t, fixtures.USD("100").Uint64()-m.paid, w.Tokens(w.account).Uint64())
}

// operate sends one or two operations in one transaction: with the next nonce of a key or another, signed by the owner
// or somebody else, paying or withdrawing the account's balance or more.
func (m *packedModel) operate(w *packedWorld, random *rand.Rand) {
	next, valid := m.nonces, true
	var ops []entrypoint.PackedUserOperation
	var moves []movement
	for range 1 + random.IntN(2) {
		move, call := m.move(w, random)
		key, skip := random.IntN(len(next)), random.Uint64N(6)/5
		op := w.operation(call)
		op.Nonce = new(big.Int).Lsh(big.NewInt(int64(key)), 64)
		op.Nonce.Or(op.Nonce, new(big.Int).SetUint64(next[key]+skip))
		signer := []fixtures.Account{w.owner, w.owner, w.owner, w.owner, w.owner, w.bundler}[random.IntN(6)]
		valid = valid && skip == 0 && signer.Address == w.owner.Address
		next[key]++
		ops, moves = append(ops, w.sign(op, signer)), append(moves, move)
	}
	outcome := w.Send(w.bundler, entrypoint.V07Address, entrypoint.PackHandlePackedOps(beneficiary, ops...))
	require.Equal(w.t, valid, outcome.Succeeded)
	if !valid {
		return
	}
	m.nonces = next
	prefund := uint256.NewInt(packedGas * packedFee)
	for range ops { // validation takes the whole prefund; the account pays in what its deposit lacks
		if m.deposit.Lt(prefund) {
			m.wei.Sub(m.wei, new(uint256.Int).Sub(prefund, m.deposit))
			m.deposit.Set(prefund)
		}
		m.deposit.Sub(m.deposit, prefund)
	}
	m.execute(w, outcome, moves, prefund)
}

// move returns a random movement, and the call for it.
func (m *packedModel) move(w *packedWorld, random *rand.Rand) (movement, []byte) {
	if random.IntN(3) == 0 {
		wei := uint256.NewInt(random.Uint64N(2 * (1 + m.deposit.Uint64())))
		call := v07.PackWithdrawTo(w.account, wei.ToBig())
		return movement{wei: wei}, simpleAccount.PackExecute(entrypoint.V07Address, new(big.Int), call)
	}
	amount := random.Uint64N(60) * dollar.Uint64()
	call := tokencontract.PackTransfer(w.bundler.Address, uint256.NewInt(amount))
	return movement{pays: amount}, simpleAccount.PackExecute(contracttest.TokenAddress, new(big.Int), call)
}

// execute compares the EntryPoint's event of each operation with the model: it succeeds exactly when the model lets it,
// and the rest of its prefund goes back to the deposit before the next one runs.
func (m *packedModel) execute(w *packedWorld, outcome contracttest.Outcome, moves []movement, prefund *uint256.Int) {
	handled := 0
	for _, log := range outcome.Logs {
		event, err := v07.UnpackUserOperationEventEvent(log)
		if err != nil {
			continue
		}
		move := moves[handled]
		possible := m.paid+move.pays <= fixtures.USD("100").Uint64()
		if move.wei != nil {
			possible = !move.wei.Gt(m.deposit)
		}
		require.Equal(w.t, possible, event.Success)
		switch {
		case possible && move.wei != nil:
			m.deposit.Sub(m.deposit, move.wei)
			m.wei.Add(m.wei, move.wei)
		case possible:
			m.paid += move.pays
		}
		cost := uint256.MustFromBig(event.ActualGasCost)
		require.False(w.t, cost.Gt(prefund))
		m.deposit.Add(m.deposit, new(uint256.Int).Sub(prefund, cost))
		m.earned.Add(m.earned, cost)
		handled++
	}
	require.Len(w.t, moves, handled)
}
