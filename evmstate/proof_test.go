package evmstate_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethdb/memorydb"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

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
