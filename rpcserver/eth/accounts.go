package eth

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Limits of one request, the same as other clients'.
const (
	maxProofKeys    = 1024
	maxStorageSlots = 1024
)

// read answers with what the state of a block has of an account.
func read(r *api.Request, tag *api.BlockTag, address common.Address, of func(*evmstate.State) any, slots ...common.Hash) (any, error) {
	state, err := r.Account(tag, address, slots...)
	if err != nil {
		return nil, err
	}
	return of(state), nil
}

// GetBalance serves eth_getBalance, in wei.
func GetBalance(r *api.Request, address common.Address, tag *api.BlockTag) (any, error) {
	return read(r, tag, address, func(s *evmstate.State) any { return (*hexutil.U256)(s.Balance(address)) })
}

// GetTransactionCount serves eth_getTransactionCount: the account's nonce. Under "pending" it counts the
// pool too, so it is the nonce of the account's next transaction.
func GetTransactionCount(r *api.Request, address common.Address, tag *api.BlockTag) (any, error) {
	if tag.OrLatest().Kind == api.TagPending && !r.Door().UnseenPool {
		if err := r.Load(address); err != nil {
			return nil, err
		}
		return hexutil.Uint64(r.Moment().PoolNonce(address)), nil
	}
	return Nonce(r, address, tag)
}

// Nonce returns the account's nonce in the state of a block. Under "pending" that is the block as it would be sealed,
// without what waits in the pool longer.
func Nonce(r *api.Request, address common.Address, tag *api.BlockTag) (any, error) {
	return read(r, tag, address, func(s *evmstate.State) any { return hexutil.Uint64(s.Nonce(address)) })
}

// storageKey is a storage slot as clients write it: up to 32 bytes of hex, leading zeros and the prefix optional.
type storageKey struct {
	slot   common.Hash
	length int // of what was given, in bytes
}

func (k *storageKey) UnmarshalJSON(raw []byte) error {
	if raw[0] != '"' {
		return errors.New("not a string")
	}
	digits := string(jsonrpc.Unquote(raw))
	if strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0X") {
		digits = digits[2:]
	}
	if len(digits)%2 != 0 {
		digits = "0" + digits
	}
	if len(digits) > 2*common.HashLength {
		return fmt.Errorf("storage key of %d bytes is longer than 32", len(digits)/2)
	}
	decoded, err := hex.DecodeString(digits)
	*k = storageKey{common.BytesToHash(decoded), len(decoded)}
	return err
}

func (storageKey) Wanted() string { return "a storage key (at most 32 bytes in hex)" }

// GetStorageAt serves eth_getStorageAt: the 32 bytes of one slot.
func GetStorageAt(r *api.Request, address common.Address, key storageKey, tag *api.BlockTag) (any, error) {
	return read(r, tag, address, func(s *evmstate.State) any { return s.Storage(address, key.slot) }, key.slot)
}

// GetStorageValues serves eth_getStorageValues: many slots of many accounts at one block.
func GetStorageValues(r *api.Request, wanted map[common.Address][]common.Hash, tag *api.BlockTag) (any, error) {
	slots := 0
	for _, keys := range wanted {
		slots += len(keys)
	}
	switch {
	case slots == 0:
		return nil, api.InvalidParams("empty request: no storage slots given")
	case slots > maxStorageSlots:
		return nil, api.Errorf(api.CodeClientLimit, "too many slots: %d, the limit is %d", slots, maxStorageSlots)
	}
	state, err := r.State(tag)
	if err != nil {
		return nil, err
	}
	values := make(map[common.Address][]common.Hash, len(wanted))
	for address, keys := range wanted {
		if err := state.Load(address, keys...); err != nil {
			return nil, err
		}
		values[address] = api.Each(keys, func(key common.Hash) common.Hash { return state.Storage(address, key) })
	}
	return values, nil
}

// GetProof serves eth_getProof (EIP-1186).
func GetProof(r *api.Request, address common.Address, keys []storageKey, tag *api.BlockTag) (any, error) {
	if len(keys) > maxProofKeys {
		return nil, api.InvalidParams("too many storage keys: %d, the limit is %d", len(keys), maxProofKeys)
	}
	v, err := r.View(tag.OrLatest())
	if err != nil {
		return nil, err
	}
	proof, err := v.Proof(address, api.Each(keys, func(key storageKey) common.Hash { return key.slot }))
	if err != nil {
		return nil, err
	}
	object := proofObject{
		Address: proof.Address, AccountProof: hexOf(proof.Proof), Balance: (*hexutil.U256)(proof.Balance), CodeHash: proof.CodeHash,
		Nonce: hexutil.Uint64(proof.Nonce), StorageHash: proof.StorageHash, StorageProof: make([]storageProof, len(proof.Storage)),
	}
	for i, storage := range proof.Storage {
		slot := storageProof{(*hexutil.Big)(storage.Slot.Big()), (*hexutil.Big)(storage.Value.Big()), hexOf(storage.Proof)}
		if keys[i].length == common.HashLength {
			slot.Key = storage.Slot
		}
		object.StorageProof[i] = slot
	}
	return object, nil
}

type proofObject struct {
	Address      common.Address  `json:"address"`
	AccountProof []hexutil.Bytes `json:"accountProof"`
	Balance      *hexutil.U256   `json:"balance"` // wei
	CodeHash     common.Hash     `json:"codeHash"`
	Nonce        hexutil.Uint64  `json:"nonce"`
	StorageHash  common.Hash     `json:"storageHash"`
	StorageProof []storageProof  `json:"storageProof"`
}

// storageProof is the proof of one slot. A key that was given with all its 32 bytes is answered with them, a shorter
// one as a quantity, as older clients expect.
type storageProof struct {
	Key   any             `json:"key"`
	Value *hexutil.Big    `json:"value"`
	Proof []hexutil.Bytes `json:"proof"`
}

func hexOf(nodes [][]byte) []hexutil.Bytes {
	return api.Each(nodes, func(node []byte) hexutil.Bytes { return node })
}

// accountObject is an account in the state trie, the answer to eth_getAccount.
type accountObject struct {
	Balance     *hexutil.U256  `json:"balance"` // wei
	CodeHash    common.Hash    `json:"codeHash"`
	Nonce       hexutil.Uint64 `json:"nonce"`
	StorageRoot common.Hash    `json:"storageRoot"`
}

// GetAccount serves eth_getAccount. An account that does not exist is answered as an empty one.
func GetAccount(r *api.Request, address common.Address, tag *api.BlockTag) (any, error) {
	v, err := r.Executed(tag.OrLatest())
	if err != nil {
		return nil, err
	}
	state, err := v.State()
	if err == nil {
		err = state.Load(address)
	}
	if err != nil {
		return nil, err
	}
	if !state.Exist(address) {
		return accountObject{Balance: new(hexutil.U256), CodeHash: types.EmptyCodeHash, StorageRoot: types.EmptyRootHash}, nil
	}
	proof, err := v.Proof(address, nil)
	if err != nil {
		return nil, err
	}
	return accountObject{(*hexutil.U256)(proof.Balance), proof.CodeHash, hexutil.Uint64(proof.Nonce), proof.StorageHash}, nil
}

type accountInfoObject struct {
	Balance *hexutil.U256  `json:"balance"` // wei
	Code    hexutil.Bytes  `json:"code"`
	Nonce   hexutil.Uint64 `json:"nonce"`
}

// GetAccountInfo serves eth_getAccountInfo: balance, code and nonce in one answer.
func GetAccountInfo(r *api.Request, address common.Address, tag *api.BlockTag) (any, error) {
	return read(r, tag, address, func(s *evmstate.State) any {
		return accountInfoObject{(*hexutil.U256)(s.Balance(address)), s.Code(address), hexutil.Uint64(s.Nonce(address))}
	})
}

// GetCode serves eth_getCode (contract 4-getCode, 4-rule4): the bytecode of an account, "0x" without code. A missing
// block means latest; under "pending" it shows contracts deployed before their block is sealed.
func GetCode(r *api.Request, address common.Address, tag *api.BlockTag) (any, error) {
	return read(r, tag, address, func(s *evmstate.State) any { return hexutil.Bytes(s.Code(address)) })
}
