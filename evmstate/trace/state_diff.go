package trace

import (
	"encoding/json"
	"reflect"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate"
)

// StateDiff holds the changes of a transaction, by account, in the form of OpenEthereum's trace module. It encodes to
// the JSON of that form.
type StateDiff map[common.Address]AccountDiff

// AccountDiff holds the changes of one account. The balance is in wei.
type AccountDiff struct {
	Balance Delta[hexutil.Big]                 `json:"balance"`
	Code    Delta[hexutil.Bytes]               `json:"code"`
	Nonce   Delta[hexutil.Uint64]              `json:"nonce"`
	Storage map[common.Hash]Delta[common.Hash] `json:"storage"`
}

// Delta is a value before and after. From is nil if the value is new, To if it was removed; both are nil if it is
// unchanged.
type Delta[T any] struct{ From, To *T }

// MarshalJSON writes "=", {"+": to}, {"-": from} or {"*": {"from", "to"}}.
func (d Delta[T]) MarshalJSON() ([]byte, error) {
	switch {
	case d.From == nil && d.To == nil:
		return []byte(`"="`), nil
	case d.From == nil:
		return json.Marshal(map[string]*T{"+": d.To})
	case d.To == nil:
		return json.Marshal(map[string]*T{"-": d.From})
	}
	type change struct {
		From *T `json:"from"`
		To   *T `json:"to"`
	}
	return json.Marshal(map[string]change{"*": {d.From, d.To}})
}

// newDelta returns the difference of an account's value between two States.
func newDelta[T any](before, after *evmstate.Change, value func(*evmstate.Change) T) (d Delta[T]) {
	if before.Exists {
		d.From = new(value(before))
	}
	if after.Exists {
		d.To = new(value(after))
	}
	if d.From != nil && d.To != nil && reflect.DeepEqual(*d.From, *d.To) {
		return Delta[T]{}
	}
	return d
}

// codeOf returns the code of an account, which may be none.
func codeOf(c *evmstate.Change) hexutil.Bytes {
	if c.Code == nil {
		return nil
	}
	return c.Code.Bytes
}

// size returns about how many bytes the differences have in JSON.
func (d StateDiff) size() int {
	size := 0
	for _, account := range d {
		size += frameSize + 2*entrySize*len(account.Storage)
		for _, code := range []*hexutil.Bytes{account.Code.From, account.Code.To} {
			if code != nil {
				size += 2 * len(*code)
			}
		}
	}
	return size
}

func (d Delta[T]) changed() bool { return d.From != nil || d.To != nil }

// newStateDiff returns the differences of after from before, the State that it was made from.
func newStateDiff(before, after *evmstate.State) StateDiff {
	diff := make(StateDiff)
	for from, to := range after.ChangesSince(before) {
		account := AccountDiff{
			Balance: newDelta(&from, &to, func(c *evmstate.Change) hexutil.Big { return hexutil.Big(*c.Balance.ToBig()) }),
			Code:    newDelta(&from, &to, codeOf),
			Nonce:   newDelta(&from, &to, func(c *evmstate.Change) hexutil.Uint64 { return hexutil.Uint64(c.Nonce) }),
			Storage: make(map[common.Hash]Delta[common.Hash]),
		}
		slots := to.Slots
		if !to.Exists {
			slots = from.Slots
		}
		for i, slot := range slots {
			value := newDelta(&from, &to, func(c *evmstate.Change) common.Hash { return c.Slots[i].Value })
			if value.changed() && (from.Exists && to.Exists || slot.Value != common.Hash{}) {
				account.Storage[slot.Key] = value
			}
		}
		if account.Balance.changed() || account.Code.changed() || account.Nonce.changed() || len(account.Storage) > 0 {
			diff[to.Address] = account
		}
	}
	return diff
}
