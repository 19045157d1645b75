package evmstate

import (
	"bytes"
	"hash/maphash"
	"runtime"
	"sync"
	"weak"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// Code is the code of a contract, or the delegation designator of an account (EIP-7702), with its hash. States share
// it, so it must not be modified.
type Code struct {
	Hash  common.Hash // Keccak-256 of Bytes
	Bytes []byte
}

// codes holds the codes in use by their hash, weakly: test suites deploy the same contracts thousands of times, and
// each takes its memory once.
var codes = struct {
	sync.Mutex
	held map[common.Hash]weak.Pointer[Code]
}{held: make(map[common.Hash]weak.Pointer[Code])}

// newCode returns a Code of the bytes b, which may be shared, or nil if b is empty.
func newCode(b []byte) *Code {
	if len(b) == 0 {
		return nil
	}
	hash := crypto.Keccak256Hash(b)
	codes.Lock()
	defer codes.Unlock()
	if code := codes.held[hash].Value(); code != nil {
		return code
	}
	code := &Code{Hash: hash, Bytes: bytes.Clone(b)}
	codes.held[hash] = weak.Make(code)
	runtime.AddCleanup(code, forgetCode, hash)
	return code
}

// forgetCode removes a code that is no longer in use from codes, unless it has been made anew.
func forgetCode(hash common.Hash) {
	codes.Lock()
	defer codes.Unlock()
	if codes.held[hash].Value() == nil {
		delete(codes.held, hash)
	}
}

// hash returns the hash of the code: types.EmptyCodeHash if c is nil.
func (c *Code) hash() common.Hash {
	if c == nil {
		return types.EmptyCodeHash
	}
	return c.Hash
}

// bytes returns the code, or nil if c is nil.
func (c *Code) bytes() []byte {
	if c == nil {
		return nil
	}
	return c.Bytes
}

// genesisCodes holds the code of genesis accounts by a hash of its bytes: the networks of a node, and nodes started one
// after another, have the same contracts, and Keccak-256 of their code is most of what a genesis costs.
var genesisCodes = struct {
	sync.Mutex
	seed maphash.Seed
	made map[uint64]*Code
}{seed: maphash.MakeSeed(), made: make(map[uint64]*Code)}

// maxGenesisCodes bounds genesisCodes; beyond it everything is forgotten.
const maxGenesisCodes = 256

// KnowCode makes StateFromAlloc use hash as the Keccak-256 hash of a genesis account's code and not compute it. Nothing
// checks the hash. The code must not be modified afterwards.
func KnowCode(hash common.Hash, code []byte) {
	genesisCodes.Lock()
	defer genesisCodes.Unlock()
	key := maphash.Bytes(genesisCodes.seed, code)
	if genesisCodes.made[key] == nil && len(genesisCodes.made) < maxGenesisCodes {
		genesisCodes.made[key] = &Code{Hash: hash, Bytes: code}
	}
}

// genesisCode is newCode for the code of genesis accounts, by way of genesisCodes.
func genesisCode(b []byte) *Code {
	if len(b) == 0 {
		return nil
	}
	genesisCodes.Lock()
	defer genesisCodes.Unlock()
	key := maphash.Bytes(genesisCodes.seed, b)
	if code := genesisCodes.made[key]; code != nil && bytes.Equal(code.Bytes, b) {
		return code
	}
	if len(genesisCodes.made) >= maxGenesisCodes {
		clear(genesisCodes.made)
	}
	code := newCode(b)
	genesisCodes.made[key] = code
	return code
}
