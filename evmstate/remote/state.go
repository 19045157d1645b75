package remote

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/remote/provider"
)

// State holds the accounts after one block: an evmstate.Source.
type State struct {
	fork   *Fork
	number uint64
}

var _ evmstate.Source = (*State)(nil)

// At returns the State after a block not above the fork block; the same number gives the same State.
func (f *Fork) At(number uint64) *State {
	s, _ := f.states.LoadOrStore(number, &State{f, number})
	return s.(*State)
}

// Number returns the number of the block.
func (s *State) Number() uint64 { return s.number }

// BlockHash returns the hash of a block not above the fork block.
func (s *State) BlockHash(number uint64) (common.Hash, error) {
	h, err := s.fork.HeaderByNumber(number)
	if err != nil {
		return common.Hash{}, err
	}
	return h.Hash, nil
}

type storedAccount struct {
	Balance *hexutil.U256  `json:"balance"` // wei
	Code    hexutil.Bytes  `json:"code"`
	Nonce   hexutil.Uint64 `json:"nonce"`
}

func (s *State) accountKey(address common.Address) string {
	return fmt.Sprintf("account %#x %s", s.number, hexutil.Encode(address[:]))
}

func (s *State) accountWords(address common.Address) string {
	return fmt.Sprintf("account %s at block %d", hexutil.Encode(address[:]), s.number)
}

// Account returns an account, fetched with one request.
func (s *State) Account(address common.Address) (evmstate.SourceAccount, error) {
	words := func() string { return s.accountWords(address) }
	stored, err := ask[storedAccount](s.fork.cache, s.accountKey(address), "account", words, func() (any, error) {
		accounts, err := s.fetchAccounts(address)
		if err != nil {
			return nil, err
		}
		return accounts[0], nil
	})
	return evmstate.SourceAccount{Nonce: uint64(stored.Nonce), Balance: (*uint256.Int)(stored.Balance), Code: stored.Code}, err
}

// fetchAccounts asks for accounts, with proofs if proofs are used, with one request or two.
func (s *State) fetchAccounts(addresses ...common.Address) ([]*storedAccount, error) {
	if proven, err := s.proveAccounts(addresses...); proven != nil || err != nil {
		return proven, err
	}
	var calls []provider.Call
	for _, address := range addresses {
		at := []any{address, hexutil.EncodeUint64(s.number)}
		calls = append(calls, provider.NewCall("eth_getBalance", at...), provider.NewCall("eth_getTransactionCount", at...), provider.NewCall("eth_getCode", at...))
	}
	values, err := s.fork.fetch(calls...)
	if err != nil {
		return nil, err
	}
	accounts := make([]*storedAccount, len(addresses))
	for i := range addresses {
		if accounts[i], err = s.fork.accountOf(values[3*i : 3*i+3]); err != nil {
			return nil, err
		}
	}
	return accounts, nil
}

func (f *Fork) accountOf(values []json.RawMessage) (*storedAccount, error) {
	var a storedAccount
	if err := errors.Join(
		json.Unmarshal(values[0], &a.Balance), json.Unmarshal(values[1], &a.Nonce), json.Unmarshal(values[2], &a.Code),
	); err != nil {
		return nil, f.nonsense(err)
	}
	if a.Balance == nil {
		return nil, f.nonsense(errors.New("balance is null"))
	}
	return &a, nil
}

// Load fetches missing accounts, all together in as few requests as the node accepts.
func (s *State) Load(addresses ...common.Address) error {
	var missing []common.Address
	for _, address := range addresses {
		if !s.fork.cache.known(s.accountKey(address)) {
			missing = append(missing, address)
		}
	}
	if len(missing) == 0 || s.fork.cache.closed {
		return nil // Account returns an error that names the missing item
	}
	accounts, err := s.fetchAccounts(missing...)
	if err != nil {
		return &Error{fmt.Sprintf("%d accounts at block %d", len(missing), s.number), err}
	}
	for i, address := range missing {
		_, err := s.fork.cache.get(s.accountKey(address), func() string { return s.accountWords(address) }, func() (any, error) {
			return accounts[i], nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Slot returns the value of a storage slot.
func (s *State) Slot(address common.Address, key common.Hash) (common.Hash, error) {
	words := func() string {
		return fmt.Sprintf("storage %s of %s at block %d", key, hexutil.Encode(address[:]), s.number)
	}
	return ask[common.Hash](s.fork.cache, fmt.Sprintf("storage %#x %s %s", s.number, hexutil.Encode(address[:]), key), "slot", words, func() (any, error) {
		return s.fetchSlot(address, key)
	})
}

// fetchSlot asks for a slot, with a proof if proofs are used.
func (s *State) fetchSlot(address common.Address, key common.Hash) (*common.Hash, error) {
	if proven, err := s.proveSlot(address, key); proven != nil || err != nil {
		return proven, err
	}
	values, err := s.fork.fetch(provider.NewCall("eth_getStorageAt", address, key, hexutil.EncodeUint64(s.number)))
	if err != nil {
		return nil, err
	}
	var word hexutil.Bytes // some nodes leave out leading zeros
	if err := json.Unmarshal(values[0], &word); err != nil || len(word) > common.HashLength {
		return nil, s.fork.nonsense(fmt.Errorf("a storage slot of %s", values[0]))
	}
	return new(common.BytesToHash(word)), nil
}
