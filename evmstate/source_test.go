package evmstate_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// chainBelow is a Source with the accounts of a State.
type chainBelow struct {
	*evmstate.State
	unreachable bool
}

var errUnreachable = errors.New("unreachable")

func (c *chainBelow) Number() uint64 { return 1 }

func (c *chainBelow) BlockHash(uint64) (common.Hash, error) { return common.Hash{}, errUnreachable }

func (c *chainBelow) Account(address common.Address) (evmstate.SourceAccount, error) {
	if c.unreachable {
		return evmstate.SourceAccount{}, errUnreachable
	}
	return evmstate.SourceAccount{Nonce: c.State.Nonce(address), Balance: c.State.Balance(address), Code: c.State.Code(address)}, nil
}

func (c *chainBelow) Slot(address common.Address, key common.Hash) (common.Hash, error) {
	if c.unreachable {
		return common.Hash{}, errUnreachable
	}
	return c.State.Storage(address, key), nil
}

// Ensure an account of a Source exists once it has a nonce, a balance or code, and not if it has none of them.
func TestAccountsOfSource(t *testing.T) {
	t.Parallel()
	nonce, balance, code, nothing := common.Address{1}, common.Address{2}, common.Address{3}, common.Address{4}
	below := evmstate.NewState().WithNonce(nonce, 7).WithBalance(balance, uint256.NewInt(8)).WithCode(code, []byte{9}).Commit()
	s := evmstate.StateFromSource(&chainBelow{State: below})
	for _, account := range []common.Address{nonce, balance, code} {
		require.True(t, s.Exist(account), account)
	}
	require.False(t, s.Exist(nothing))
	require.EqualValues(t, 7, s.Nonce(nonce))
	require.EqualValues(t, 8, s.Balance(balance).Uint64())
	require.Equal(t, []byte{9}, s.Code(code))
}

// Ensure the changes of a State over a Source lead to it again without asking the Source, and that the accounts and
// slots that did not change are still those of the Source.
func TestChangesOverSource(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		below := shuffled(evmstate.NewState(), random, 20)
		start := evmstate.StateFromSource(&chainBelow{State: below}).Tracked()
		before := shuffled(start, random, 8).Commit()
		after := before.Tracked()
		for range 3 {
			after = shuffled(after, random, 8).Commit()
		}

		elsewhere := &chainBelow{State: below, unreachable: true}
		empty := evmstate.StateFromSource(elsewhere)
		replayed := empty.With(before.Changes()).Commit().With(after.Changes()).Commit()
		whole := empty.With(after.All()).Commit()
		elsewhere.unreachable = false
		for _, again := range []*evmstate.State{replayed, whole} {
			require.Equal(t, after.Root(), again.Root(), "seed %d", seed)
			for n := range byte(6) {
				address := common.Address{n}
				require.Equal(t, after.Exist(address), again.Exist(address), "seed %d, account %d", seed, n)
				require.Equal(t, after.Balance(address), again.Balance(address), "seed %d, account %d", seed, n)
				require.Equal(t, after.CodeHash(address), again.CodeHash(address), "seed %d, account %d", seed, n)
				for slot := range byte(4) {
					require.Equal(t, after.Storage(address, common.Hash{slot}), again.Storage(address, common.Hash{slot}), "seed %d, slot %d of %d", seed, slot, n)
				}
			}
		}
	}
}
