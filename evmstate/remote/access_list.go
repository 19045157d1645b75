package remote

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/remote/provider"
)

type accessAnswer struct {
	Address        common.Address `json:"address"`
	StorageChanges []struct {
		Key     common.Hash           `json:"key"`
		Changes []change[common.Hash] `json:"changes"`
	} `json:"storageChanges"`
	StorageReads   []common.Hash            `json:"storageReads"`
	BalanceChanges []change[*hexutil.U256]  `json:"balanceChanges"`
	NonceChanges   []change[hexutil.Uint64] `json:"nonceChanges"`
	CodeChanges    []struct {
		Index hexutil.Uint  `json:"index"`
		Code  hexutil.Bytes `json:"code"`
	} `json:"codeChanges"`
}

// change is a value after the transaction with an index, from 1 on.
type change[T any] struct {
	Index hexutil.Uint `json:"index"`
	Value T            `json:"value"`
}

// AccessList returns the block access list (EIP-7928) of a block not above the fork block, as the node answers
// eth_getBlockAccessList: one request. Its hash is the one in the block's header. Error.Refused is true for the error
// if the node does not know the method or no longer has the list.
func (f *Fork) AccessList(number uint64) (*bal.BlockAccessList, error) {
	words := func() string { return fmt.Sprintf("access list of block %d", number) }
	value, err := f.cache.get("accessList "+hexutil.EncodeUint64(number), words, func() (any, error) {
		values, err := f.fetchPinned(provider.NewCall("eth_getBlockAccessList", hexutil.EncodeUint64(number)))
		if err != nil {
			return nil, err
		}
		if _, err := f.readAccessList(number, values[0]); err != nil {
			return nil, err
		}
		return values[0], nil
	})
	if err != nil {
		return nil, err
	}
	list, err := f.readAccessList(number, value)
	if err != nil {
		return nil, &Error{words(), err}
	}
	return list, nil
}

// readAccessList reads an answer and compares it with the hash in the block's header.
func (f *Fork) readAccessList(number uint64, answer json.RawMessage) (*bal.BlockAccessList, error) {
	var accounts []accessAnswer
	if err := json.Unmarshal(answer, &accounts); err != nil {
		return nil, f.nonsense(err)
	}
	header, err := f.HeaderByNumber(number)
	if err != nil {
		return nil, err
	}
	if header.BlockAccessListHash == nil {
		return nil, errors.New("its header has no hash of one")
	}
	list := bal.NewConstructionBlockAccessList()
	for i := range accounts {
		if err := accounts[i].addTo(list); err != nil {
			return nil, f.nonsense(err)
		}
	}
	encoded := list.ToEncodingObj()
	if got := encoded.Hash(); got != *header.BlockAccessListHash {
		return nil, fmt.Errorf("%s answered one with hash %s, and the header says %s", f.URL(), got, header.BlockAccessListHash)
	}
	return encoded, nil
}

// addTo adds the account to a list, which brings everything into its order.
func (a *accessAnswer) addTo(list *bal.ConstructionBlockAccessList) error {
	list.AccountRead(a.Address)
	for _, slot := range a.StorageReads {
		list.StorageRead(a.Address, slot)
	}
	for _, slot := range a.StorageChanges {
		for _, c := range slot.Changes {
			list.StorageWrite(uint32(c.Index), a.Address, slot.Key, c.Value)
		}
	}
	for _, c := range a.BalanceChanges {
		if c.Value == nil {
			return fmt.Errorf("a balance of %s that is null", a.Address)
		}
		list.BalanceChange(uint32(c.Index), a.Address, (*uint256.Int)(c.Value))
	}
	for _, c := range a.NonceChanges {
		list.NonceChange(a.Address, uint32(c.Index), uint64(c.Value))
	}
	for _, c := range a.CodeChanges {
		list.CodeChange(a.Address, uint32(c.Index), c.Code)
	}
	return nil
}
