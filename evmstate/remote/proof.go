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
	"github.com/fakenode/fakenode/evmstate/remote/provider"
)

// proofUse reports whether proofs are used. The first one decides: nodes for development change their state by hand, so
// that it does not fit the header, and many public nodes prove only the newest blocks.
type proofUse struct {
	mu    sync.Mutex
	tried bool
	off   bool
}

// proofAnswer holds the members of an answer to eth_getProof that are needed.
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

// proveAccounts returns accounts that were proven, with one request; nil if proofs are not used.
func (s *State) proveAccounts(addresses ...common.Address) ([]*storedAccount, error) {
	var calls []provider.Call
	block := hexutil.EncodeUint64(s.number)
	for _, address := range addresses {
		calls = append(calls, provider.NewCall("eth_getProof", address, []common.Hash{}, block), provider.NewCall("eth_getCode", address, block))
	}
	var proven []*storedAccount
	err := s.prove(func() error {
		values, err := s.fork.fetch(calls...)
		if err != nil {
			return err
		}
		accounts, misfit, fits := make([]*storedAccount, len(addresses)), -1, 0
		for i, address := range addresses {
			accounts[i], err = s.provenAccount(address, values[2*i], values[2*i+1])
			switch {
			case err == nil:
				fits++
			case errors.Is(err, errProof):
				misfit = i
			default:
				return err
			}
		}
		switch {
		case misfit >= 0 && fits > 0: // so the node does prove
			return fmt.Errorf("what %s answered of account %s does not fit the state root of block %d", s.fork.URL(), addresses[misfit], s.number)
		case misfit >= 0:
			return errProof
		}
		proven = accounts
		return nil
	})
	return proven, err
}

func (s *State) provenAccount(address common.Address, proven, code json.RawMessage) (*storedAccount, error) {
	proof, err := s.readProof(address, proven)
	if err != nil {
		return nil, err
	}
	account := &storedAccount{Balance: proof.Balance, Nonce: proof.Nonce}
	if err := json.Unmarshal(code, &account.Code); err != nil {
		return nil, s.fork.nonsense(err)
	}
	hash := crypto.Keccak256Hash(account.Code)
	if hash != proof.CodeHash && (len(account.Code) > 0 || proof.CodeHash != common.Hash{}) {
		return nil, errProof
	}
	return account, nil
}

// proveSlot returns a slot that was proven, nil if proofs are not used.
func (s *State) proveSlot(address common.Address, key common.Hash) (*common.Hash, error) {
	var proven *common.Hash
	err := s.prove(func() error {
		values, err := s.fork.fetch(provider.NewCall("eth_getProof", address, []common.Hash{key}, hexutil.EncodeUint64(s.number)))
		if err != nil {
			return err
		}
		proof, err := s.readProof(address, values[0])
		if err != nil {
			return err
		}
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

// prove calls ask, which asks for proofs and checks them, unless proofs are not used. The first call decides on that; a
// node that refuses one is not asked for further ones. An answer that does not fit the root is an error later.
func (s *State) prove(ask func() error) error {
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
	err := ask()
	if errors.As(err, new(*provider.Error)) || first && errors.Is(err, errProof) {
		f.refuseProofs(first, err)
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

func (f *Fork) refuseProofs(locked bool, reason error) {
	f.config.Logger.Info("accounts and slots of the fork are not checked by proofs", "from", f.URL(), "reason", f.node().Clean(reason.Error()))
	if !locked {
		f.proofs.mu.Lock()
		defer f.proofs.mu.Unlock()
	}
	f.proofs.tried, f.proofs.off = true, true
}

// readProof reads an answer to eth_getProof and compares the account with the state root.
func (s *State) readProof(address common.Address, answer json.RawMessage) (*proofAnswer, error) {
	var proof proofAnswer
	if err := json.Unmarshal(answer, &proof); err != nil || proof.Balance == nil {
		return nil, s.fork.nonsense(errors.New("a proof that is none"))
	}
	return &proof, proof.check(s.fork.header.Root, address)
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

// lookUp returns the value that a proof proves at a key, nil if the proof shows that there is none.
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
