package permit2test

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures/contracts/permit2"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// allowanceSlot is keccak256(spender ‖ keccak256(token ‖ keccak256(owner ‖ 1))).
func allowanceSlot(owner, token, spender common.Address) common.Hash {
	slot := common.BigToHash(big.NewInt(1))
	for _, key := range []common.Address{owner, token, spender} {
		slot = crypto.Keccak256Hash(common.LeftPadBytes(key[:], 32), slot[:])
	}
	return slot
}

// model holds the expected money and permissions of one owner after any sequence of steps.
type model struct {
	amount, expiration, nonce uint64
	used                      map[uint64]bool
	spent                     uint64
}

// randomCases drive Permit2 and the model through the same random steps.
func randomCases() []Case {
	var cases []Case
	for seed := range uint64(4) {
		cases = append(cases, newCase(fmt.Sprintf("random/%d", seed), func(w *world) {
			random := rand.New(rand.NewPCG(seed, 2))
			m := &model{used: map[uint64]bool{}}
			for range 120 {
				w.chain.SetTime(w.chain.Now() + random.Uint64N(4))
				m.step(w, random)
			}
			got := w.allowance(w.payer.Address)
			require.Equal(w.t, []uint64{m.amount, m.expiration, m.nonce}, []uint64{got.Amount.Uint64(), got.Expiration.Uint64(), got.Nonce.Uint64()})
			w.shopHas(uint256.NewInt(m.spent))
		}))
	}
	return cases
}

// step takes one step in both; Permit2 must succeed exactly when the model does.
func (m *model) step(w *world, random *rand.Rand) {
	amount, now := random.Uint64N(20), w.chain.Now()
	deadline := now - 1 + random.Uint64N(3)
	switch random.IntN(5) {
	case 0:
		expiration := []uint64{0, now + random.Uint64N(8)}[random.IntN(2)]
		w.must(w.payer, w.approve(new(big.Int).SetUint64(amount), expiration))
		m.amount, m.expiration = amount, max(expiration, map[bool]uint64{true: now}[expiration == 0])
	case 1:
		p := w.allowancePermit()
		p.Amount, p.Expiration, p.SigDeadline = uint256.NewInt(amount), now+random.Uint64N(8), deadline
		p.Nonce = m.nonce + random.Uint64N(2)
		outcome := w.chain.Send(w.stranger, permit2.Address, p.Pack(w.payer.Address, signers[0].sign(p.TypedData(contracttest.ChainID), w.payer)))
		require.Equal(w.t, deadline >= now && p.Nonce == m.nonce, outcome.Succeeded)
		if outcome.Succeeded {
			m.amount, m.expiration, m.nonce = amount, p.Expiration, m.nonce+1
		}
	case 2:
		outcome := w.chain.Send(w.spender, permit2.Address, w.spend(new(big.Int).SetUint64(amount)))
		require.Equal(w.t, now <= m.expiration && amount <= m.amount, outcome.Succeeded)
		if outcome.Succeeded {
			m.amount, m.spent = m.amount-amount, m.spent+amount
		}
	case 3:
		p := w.permit()
		p.Amount, p.Deadline, p.Nonce = uint256.NewInt(amount), deadline, uint256.NewInt(random.Uint64N(600))
		asked := random.Uint64N(20)
		data := p.Pack(w.payer.Address, w.shop.Address, uint256.NewInt(asked), signers[0].sign(p.TypedData(contracttest.ChainID), w.payer))
		outcome := w.chain.Send(w.spender, permit2.Address, data)
		require.Equal(w.t, deadline >= now && asked <= amount && !m.used[p.Nonce.Uint64()], outcome.Succeeded)
		if outcome.Succeeded {
			m.used[p.Nonce.Uint64()] = true
			m.spent += asked
		}
	case 4:
		bit := random.Uint64N(600)
		w.must(w.payer, binding.PackInvalidateUnorderedNonces(new(big.Int).SetUint64(bit/256), new(big.Int).Lsh(big.NewInt(1), uint(bit%256))))
		m.used[bit] = true
	}
}
