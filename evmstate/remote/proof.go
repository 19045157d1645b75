package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethdb/memorydb"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// proofUse reports whether the node's proofs are asked for. The first one decides: nodes for development change their
// state by hand, so that it does not fit the header, and many public ones prove only the newest blocks.
type proofUse struct {
	mu    sync.Mutex
	tried bool
	off   bool
}

// proofAnswer is the answer to eth_getProof, as far as it is needed.
type proofAnswer struct {
	Balance      *hexutil.U256   `json:"balance"`
	CodeHash     common.Hash     `json:"codeHash"`
	Nonce        hexutil.Uint64  `json:"nonce"`
	StorageHash  common.Hash     `json:"storageHash"`
	AccountProof []hexutil.Bytes `json:"accountProof"`
	StorageProof []struct {
		Value *hexutil.U256   `json:"value"`
		Proof []hexutil.Bytes `json:"proof"`
	} `json:"storageProof"`
}

// proof returns the answer as a proof of an account and those slots.
func (p *proofAnswer) proof(address common.Address, slots []common.Hash) *evmstate.AccountProof {
	proof := &evmstate.AccountProof{
		Address: address, Proof: nodes(p.AccountProof), Balance: (*uint256.Int)(p.Balance), CodeHash: p.CodeHash,
		Nonce: uint64(p.Nonce), StorageHash: p.StorageHash, Storage: make([]evmstate.StorageProof, len(slots)),
	}
	for i, slot := range p.StorageProof {
		proof.Storage[i] = evmstate.StorageProof{Slot: slots[i], Proof: nodes(slot.Proof)}
		if slot.Value != nil {
			proof.Storage[i].Value = (*uint256.Int)(slot.Value).Bytes32()
		}
	}
	return proof
}

func nodes(encoded []hexutil.Bytes) [][]byte {
	plain := make([][]byte, len(encoded))
	for i, node := range encoded {
		plain[i] = node
	}
	return plain
}

// errProof is returned for a proof that does not prove the values it came with.
var errProof = errors.New("does not fit the state root of the block")

// proveAccount returns an account that was proven, nil if proofs are not used.
func (s *State) proveAccount(address common.Address) (*storedAccount, error) {
	var proven *storedAccount
	err := s.prove(address, nil, func(proof *proofAnswer, code hexutil.Bytes) error {
		hash := crypto.Keccak256Hash(code)
		if hash != proof.CodeHash && (len(code) > 0 || proof.CodeHash != common.Hash{}) {
			return errProof
		}
		proven = &storedAccount{Balance: proof.Balance, Code: code, Nonce: proof.Nonce}
		return nil
	})
	return proven, err
}

// proveSlot returns a slot that was proven, nil if proofs are not used.
func (s *State) proveSlot(address common.Address, key common.Hash) (*common.Hash, error) {
	var proven *common.Hash
	err := s.prove(address, &key, func(proof *proofAnswer, _ hexutil.Bytes) error {
		if len(proof.StorageProof) != 1 || proof.StorageProof[0].Value == nil {
			return errProof
		}
		slot := proof.StorageProof[0]
		value := common.Hash((*uint256.Int)(slot.Value).Bytes32())
		if err := proveWord(proof.StorageHash, key, slot.Proof, value); err != nil {
			return err
		}
		proven = &value
		return nil
	})
	return proven, err
}

// prove asks for the proof of an account, with its code or with one slot, and hands it to take if it fits the root. It
// returns nil without calling take if proofs are not used.
func (s *State) prove(address common.Address, key *common.Hash, take func(*proofAnswer, hexutil.Bytes) error) error {
	f := s.fork
	if s.number != f.Number() {
		return nil // the root would be one more item
	}
	f.proofs.mu.Lock()
	first, off := !f.proofs.tried, f.proofs.off
	if first {
		defer f.proofs.mu.Unlock() // others wait for the verdict
	} else {
		f.proofs.mu.Unlock()
	}
	if off {
		return nil
	}
	err := s.askProof(address, key, take)
	var refusal *callError
	if errors.As(err, &refusal) || first && errors.Is(err, errProof) {
		f.refuseProofs(first)
		return nil
	}
	if errors.Is(err, errProof) {
		return fmt.Errorf("the proof of %s %w", f.URL(), err)
	}
	if err == nil && first {
		f.proofs.tried = true
	}
	return err
}

// refuseProofs lets no further proof be asked for.
func (f *Fork) refuseProofs(locked bool) {
	if !locked {
		f.proofs.mu.Lock()
		defer f.proofs.mu.Unlock()
	}
	f.proofs.tried, f.proofs.off = true, true
}

func (s *State) askProof(address common.Address, key *common.Hash, take func(*proofAnswer, hexutil.Bytes) error) error {
	block := hexutil.EncodeUint64(s.number)
	slots := []common.Hash{}
	calls := []call{{"eth_getProof", []any{address, slots, block}}}
	if key != nil {
		calls[0].params[1] = append(slots, *key)
	} else {
		calls = append(calls, call{"eth_getCode", []any{address, block}})
	}
	values, err := s.fork.fetch(calls...)
	if err != nil {
		return err
	}
	var proof proofAnswer
	var code hexutil.Bytes
	if err := json.Unmarshal(values[0], &proof); err != nil || proof.Balance == nil {
		return s.fork.nonsense(errors.New("a proof that is none"))
	}
	if key == nil {
		if err := json.Unmarshal(values[1], &code); err != nil {
			return s.fork.nonsense(err)
		}
	}
	if err := proof.check(s.fork.header.Root, address); err != nil {
		return err
	}
	return take(&proof, code)
}

// check compares the account with the one that its proof proves against a state root.
func (p *proofAnswer) check(root common.Hash, address common.Address) error {
	node, err := lookUp(root, crypto.Keccak256(address[:]), p.AccountProof)
	if err != nil {
		return err
	}
	var account types.StateAccount
	if node == nil {
		if p.Nonce != 0 || !(*uint256.Int)(p.Balance).IsZero() {
			return errProof
		}
		if p.StorageHash == (common.Hash{}) {
			p.StorageHash = types.EmptyRootHash
		}
		if p.StorageHash != types.EmptyRootHash || p.CodeHash != (common.Hash{}) && p.CodeHash != types.EmptyCodeHash {
			return errProof
		}
		return nil
	}
	if err := rlp.DecodeBytes(node, &account); err != nil ||
		account.Nonce != uint64(p.Nonce) || !account.Balance.Eq((*uint256.Int)(p.Balance)) ||
		account.Root != p.StorageHash || !bytes.Equal(account.CodeHash, p.CodeHash[:]) {
		return errProof
	}
	return nil
}

// proveWord compares a slot with the value that its proof proves against a storage root.
func proveWord(root, key common.Hash, proof []hexutil.Bytes, value common.Hash) error {
	node, err := lookUp(root, crypto.Keccak256(key[:]), proof)
	if err != nil {
		return err
	}
	var proven []byte
	if node != nil {
		if err := rlp.DecodeBytes(node, &proven); err != nil {
			return errProof
		}
	}
	if common.BytesToHash(proven) != value {
		return errProof
	}
	return nil
}

// lookUp returns what a proof proves to be at a key, nil for nothing.
func lookUp(root common.Hash, key []byte, proof []hexutil.Bytes) ([]byte, error) {
	if root == types.EmptyRootHash && len(proof) == 0 {
		return nil, nil
	}
	nodes := memorydb.New()
	for _, node := range proof {
		if err := nodes.Put(crypto.Keccak256(node), node); err != nil {
			return nil, err
		}
	}
	node, err := trie.VerifyProof(root, key, nodes)
	if err != nil {
		return nil, errProof
	}
	return node, nil
}
