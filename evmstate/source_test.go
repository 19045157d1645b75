package evmstate_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethdb/memorydb"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/trie"
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
	below := evmstate.NewState().WithNonce(nonce, 1).WithStorage(nonce, slot1, common.Hash{6}).WithBalance(balance, uint256.NewInt(8)).
		WithCode(code, []byte{9}).WithStorage(code, slot1, common.Hash{10}).Commit()
	s := evmstate.StateFromSource(&chainBelow{State: below})
	for _, account := range []common.Address{nonce, balance, code} {
		require.True(t, s.Exist(account), account)
	}
	require.False(t, s.Exist(nothing))
	require.EqualValues(t, 1, s.Nonce(nonce))
	require.Equal(t, common.Hash{6}, s.Storage(nonce, slot1), "of a constructor that left no code")
	require.EqualValues(t, 8, s.Balance(balance).Uint64())
	require.Equal(t, []byte{9}, s.Code(code))
	require.Equal(t, common.Hash{10}, s.Storage(code, slot1))
	require.Zero(t, s.Storage(code, slot2))
}

// TestLoad checks that the State does not ask the Source again for anything that Load has read, and that Load returns
// the error of the Source.
func TestLoad(t *testing.T) {
	t.Parallel()
	source := &chainBelow{State: evmstate.StateFromAlloc(benchAlloc())}
	s := evmstate.StateFromSource(source)
	require.NoError(t, s.Load(token, balanceSlot(bob)))
	source.unreachable = true
	require.Equal(t, common.Hash{31: 1}, s.Storage(token, balanceSlot(bob)))
	require.NoError(t, s.Load(token, balanceSlot(bob)))
	require.ErrorIs(t, s.Load(token, balanceSlot(alice)), errUnreachable)
	require.ErrorIs(t, s.Load(alice), errUnreachable)
}

// TestExecuteOverUnreachableSource checks that a message fails with the error of the Source if it needs something that
// the Source does not give, whatever the message does afterwards.
func TestExecuteOverUnreachableSource(t *testing.T) {
	t.Parallel()
	hasher := program.New().Push(0).Op(vm.BLOCKHASH).Bytes()
	source := &chainBelow{State: evmstate.StateFromAlloc(benchAlloc()).WithCode(contract, hasher)}
	known := evmstate.StateFromSource(source)
	for _, address := range []common.Address{alice, token, contract, coinbase} {
		require.NoError(t, known.Load(address))
	}
	source.unreachable = true
	block := benchBlock
	block.GetHash = func(uint64) common.Hash { return common.Hash{} }
	for name, test := range map[string]struct {
		base *evmstate.State
		msg  *core.Message
	}{
		"an account":     {evmstate.StateFromSource(source), plainTransfer},
		"a slot":         {known, tokenTransfer},
		"a block's hash": {known, benchMessage(contract, 0)},
	} {
		machine := evmstate.NewMachine(test.base, block, benchConfig, vm.Config{})
		_, _, err := machine.Apply(t.Context(), test.msg, nil)
		require.ErrorIs(t, err, errUnreachable, name)
		require.ErrorIs(t, machine.Err(), errUnreachable, name)
		machine.Release()
	}
}

// TestOpenBlock checks that the system calls that open a block do not ask the Source for the slots that they write,
// also if they write zero over what the Source has, and that what executes afterwards does ask.
func TestOpenBlock(t *testing.T) {
	t.Parallel()
	written := common.Hash{} // slot 0 is the one that block 1 writes
	below := evmstate.StateFromAlloc(benchAlloc()).WithStorage(params.HistoryStorageAddress, written, common.Hash{7})
	for _, parent := range []common.Hash{{5}, {}} {
		source := &chainBelow{State: below}
		base := evmstate.StateFromSource(source)
		for _, address := range []common.Address{params.HistoryStorageAddress, params.SystemAddress, {}} {
			require.NoError(t, base.Load(address))
		}
		source.unreachable = true
		machine := newMachine(t, base)
		require.NoError(t, machine.OpenBlock(func() { core.ProcessParentBlockHash(parent, machine.EVM(), nil) }))
		require.Equal(t, parent, machine.State().Storage(params.HistoryStorageAddress, written))
		machine.Overlay().GetState(params.HistoryStorageAddress, slot1)
		require.ErrorIs(t, machine.Err(), errUnreachable)
	}
}

// Ensure the changes of a State over a Source lead to it again without asking the Source, and that unchanged accounts
// and slots still come from the Source.
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

// Ensure the allocation of a State over a Source has the accounts that changed, as they are, and none that is gone.
func TestAllocOverSource(t *testing.T) {
	t.Parallel()
	kept, changed, gone, added := common.Address{1}, common.Address{2}, common.Address{3}, common.Address{4}
	below := evmstate.NewState().WithBalance(kept, uint256.NewInt(1)).WithBalance(changed, uint256.NewInt(2)).
		WithBalance(gone, uint256.NewInt(3)).Commit()
	s := evmstate.StateFromSource(&chainBelow{State: below})
	require.NoError(t, s.Load(kept, common.Hash{}))
	require.NoError(t, s.Load(changed))
	require.NoError(t, s.Load(gone))
	require.NoError(t, s.Load(added))
	s = s.WithNonce(changed, 5).WithoutAccount(gone).WithCode(added, []byte{1}).WithStorage(added, common.Hash{1}, common.Hash{2}).Commit()
	alloc := s.Alloc()
	require.Len(t, alloc, 2)
	require.EqualValues(t, 5, alloc[changed].Nonce)
	require.EqualValues(t, 2, alloc[changed].Balance.Int64())
	require.Empty(t, alloc[changed].Storage)
	require.Equal(t, []byte{1}, alloc[added].Code)
	require.Equal(t, map[common.Hash]common.Hash{{1}: {2}}, alloc[added].Storage)
	require.False(t, s.Exist(gone))
	require.True(t, s.Exist(kept))
	alloc[added].Code[0] = 9
	require.Equal(t, []byte{1}, s.Code(added), "the caller's to change")
}

// TestProof lets go-ethereum verify proofs of existing and of missing accounts and slots.
func TestProof(t *testing.T) {
	t.Parallel()
	committed := evmstate.StateFromAlloc(benchAlloc()).WithStorage(token, slot1, common.Hash{31: 0x80}).Commit()
	for name, s := range map[string]*evmstate.State{
		"committed":     committed,
		"not committed": committed.WithBalance(bob, wei(77)).WithStorage(token, slot2, common.Hash{1}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, address := range []common.Address{alice, bob, token, {0xee}} {
				verifyProof(t, s, s.Proof(address, []common.Hash{slot1, slot2, balanceSlot(alice), {9}}))
			}
		})
	}
}

func verifyProof(t *testing.T, s *evmstate.State, proof *evmstate.AccountProof) {
	require.Equal(t, s.Balance(proof.Address), proof.Balance)
	require.Equal(t, s.Nonce(proof.Address), proof.Nonce)
	require.Equal(t, s.CodeHash(proof.Address), proof.CodeHash)
	got := verify(t, s.Root(), proof.Address[:], proof.Proof)
	if !s.Exist(proof.Address) {
		require.Empty(t, got)
		require.Zero(t, proof.StorageHash)
		require.Equal(t, types.EmptyRootHash, s.StorageRoot(proof.Address))
	} else {
		want, err := rlp.EncodeToBytes(&types.StateAccount{
			Nonce: proof.Nonce, Balance: proof.Balance, Root: proof.StorageHash, CodeHash: proof.CodeHash[:],
		})
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, proof.StorageHash, s.Commit().StorageRoot(proof.Address))
	}
	for _, slot := range proof.Storage {
		require.Equal(t, s.Storage(proof.Address, slot.Slot), slot.Value)
		if proof.StorageHash == types.EmptyRootHash || !s.Exist(proof.Address) {
			require.Equal(t, [][]byte{}, slot.Proof)
			continue
		}
		var want []byte
		if slot.Value != (common.Hash{}) {
			want, _ = rlp.EncodeToBytes(common.TrimLeftZeroes(slot.Value[:]))
		}
		require.Equal(t, want, verify(t, proof.StorageHash, slot.Slot[:], slot.Proof))
	}
}

// verify returns the value that the nodes prove to be at the hash of key, or nil if they prove that there is none.
func verify(t *testing.T, root common.Hash, key []byte, nodes [][]byte) []byte {
	db := memorydb.New()
	for _, node := range nodes {
		require.NoError(t, db.Put(crypto.Keccak256(node), node))
	}
	value, err := trie.VerifyProof(root, crypto.Keccak256(key), db)
	require.NoError(t, err)
	return value
}
