package evmstate

import (
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// Source gives the accounts of one block of another chain; a State on top of it holds only the changes since that
// block. It always gives the same answers. An error means that the answer cannot be had now; the State's method returns
// it. Safe for concurrent use.
type Source interface {
	// Number returns the number of the block.
	Number() uint64
	// Account returns an account, or the zero SourceAccount if it does not exist or is empty.
	Account(address common.Address) (SourceAccount, error)
	// Slot returns the value of a storage slot, or zero if it is not set.
	Slot(address common.Address, key common.Hash) (common.Hash, error)
	// BlockHash returns the hash of a block not above Number.
	BlockHash(number uint64) (common.Hash, error)
}

// SourceAccount is an account of a Source, without its storage.
type SourceAccount struct {
	Nonce   uint64
	Balance *uint256.Int // wei; nil is 0
	Code    []byte       // copied
}

// StateFromSource returns a State with the accounts of source. It reads each when it is first needed and remembers it
// for all States made from it. Its root and proofs cover only changes: see Commit.
//
// The methods of such a State that return no error panic with the error of the Source; after Load they do not.
func StateFromSource(source Source) *State {
	s := NewState()
	s.origin = &origin{source: source}
	return s
}

// Forked reports whether the State is over a Source.
func (s *State) Forked() bool { return s.origin != nil }

// Load makes sure that an account and some of its slots can be read without asking the Source again. On a State without
// a Source it does nothing. The error is the Source's.
func (s *State) Load(address common.Address, slots ...common.Hash) error {
	if s.origin == nil {
		return nil
	}
	a, err := s.find(address)
	if err != nil {
		return err
	}
	for _, slot := range slots {
		if _, err := a.find(slot); err != nil {
			return err
		}
	}
	return nil
}

// origin is a Source with everything read from it so far. All States over the Source share it.
type origin struct {
	source   Source
	accounts sync.Map // common.Address -> *account; gone for accounts that do not exist
	storages sync.Map // common.Address -> *remoteStorage
}

func (o *origin) storage(address common.Address) *remoteStorage {
	known, ok := o.storages.Load(address)
	if !ok {
		known, _ = o.storages.LoadOrStore(address, &remoteStorage{origin: o, address: address})
	}
	return known.(*remoteStorage)
}

// gone marks an account known not to exist; no entry means not known yet.
var gone = new(account)

// account returns an account of the Source, or nil if it does not exist.
func (o *origin) account(address common.Address) (*account, error) {
	if known, ok := o.accounts.Load(address); ok {
		return existing(known.(*account)), nil
	}
	read, err := o.source.Account(address)
	if err != nil {
		return nil, err
	}
	a := gone
	if read.Nonce != 0 || len(read.Code) > 0 || read.Balance != nil && !read.Balance.IsZero() {
		a = &account{nonce: read.Nonce, code: newCode(read.Code)}
		if read.Balance != nil {
			a.balance = *read.Balance
		}
		if read.Nonce != 0 || len(read.Code) > 0 { // an account with a balance alone has no storage
			a.remote = o.storage(address)
		}
	}
	known, _ := o.accounts.LoadOrStore(address, a)
	return existing(known.(*account)), nil
}

func existing(a *account) *account {
	if a == gone {
		return nil
	}
	return a
}

// remoteStorage is the storage of an account of a Source, with the slots read so far.
type remoteStorage struct {
	origin  *origin
	address common.Address
	slots   sync.Map // common.Hash -> common.Hash
}

// slot returns the value of a slot, zero if it is not set.
func (r *remoteStorage) slot(key common.Hash) (common.Hash, error) {
	if known, ok := r.slots.Load(key); ok {
		return known.(common.Hash), nil
	}
	value, err := r.origin.source.Slot(r.address, key)
	if err == nil {
		r.slots.Store(key, value)
	}
	return value, err
}

// writesBlindly holds the hashes of the system contracts' code that writes for the system without reading: beacon roots
// (EIP-4788) and block hashes (EIP-2935). Each block writes other slots of them. Reading a fork's old values first
// would make every block depend on the Source for nothing.
var writesBlindly = func() map[common.Hash]bool {
	hashes := make(map[common.Hash]bool)
	for _, code := range [][]byte{params.BeaconRootsCode, params.HistoryStorageCode} {
		hashes[crypto.Keccak256Hash(code)] = true
	}
	return hashes
}()

// OpenBlock runs call, which makes the system calls that open a block (EIP-4788, EIP-2935). It returns an error if a
// Source failed; then the Machine can only be released.
func (m *Machine) OpenBlock(call func()) error {
	m.overlay.writeOnly = true
	call()
	m.overlay.writeOnly = false
	return m.overlay.failure
}

// Err returns the error of a Source that an execution other than Apply met, or nil. After an error the Machine can only
// be released.
func (m *Machine) Err() error { return m.overlay.failure }

// sourceHash returns BLOCKHASH for a State over a Source: the EVM's own function (next) does not know the blocks of the
// other chain.
func (o *Overlay) sourceHash(next vm.GetHashFunc) vm.GetHashFunc {
	source := o.base.origin.source
	return func(number uint64) common.Hash {
		if hash := next(number); hash != (common.Hash{}) || number > source.Number() || o.failure != nil {
			return hash
		}
		hash, err := source.BlockHash(number)
		if err != nil {
			o.fail(err)
		}
		return hash
	}
}
