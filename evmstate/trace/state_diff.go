package trace

import (
	"encoding/json"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
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

// Delta is a value before and after. From is nil for what came into being, To for what ceased to be; without either
// the value is unchanged.
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

// prestate is an account as go-ethereum's prestateTracer writes it. Before the transaction it holds the whole account
// but only the slots that change; after it, what changed. Zeros are left out.
type prestate struct {
	Balance *hexutil.Big                `json:"balance"`
	Code    *hexutil.Bytes              `json:"code"`
	Nonce   uint64                      `json:"nonce"`
	Storage map[common.Hash]common.Hash `json:"storage"`
}

// decodeStateDiff reads what prestateTracer wrote in diffMode.
func decodeStateDiff(raw json.RawMessage) (StateDiff, error) {
	var changed struct{ Pre, Post map[common.Address]prestate }
	if err := json.Unmarshal(raw, &changed); err != nil {
		return nil, fmt.Errorf("accounts of prestateTracer: %w", err)
	}
	diff := make(StateDiff, len(changed.Post))
	for address, after := range changed.Post {
		if before, existed := changed.Pre[address]; existed {
			diff[address] = before.change(after)
		} else {
			diff[address] = after.created()
		}
	}
	for address, before := range changed.Pre {
		if _, remains := changed.Post[address]; !remains {
			diff[address] = before.removed()
		}
	}
	return diff, nil
}

func (p prestate) balance() *hexutil.Big {
	if p.Balance == nil {
		return new(hexutil.Big)
	}
	return p.Balance
}

func (p prestate) code() *hexutil.Bytes {
	if p.Code == nil {
		return new(hexutil.Bytes)
	}
	return p.Code
}

func (p prestate) created() AccountDiff {
	diff := AccountDiff{
		Balance: Delta[hexutil.Big]{To: p.balance()},
		Code:    Delta[hexutil.Bytes]{To: p.code()},
		Nonce:   Delta[hexutil.Uint64]{To: (*hexutil.Uint64)(&p.Nonce)},
		Storage: make(map[common.Hash]Delta[common.Hash], len(p.Storage)),
	}
	for slot, value := range p.Storage {
		diff.Storage[slot] = Delta[common.Hash]{To: &value}
	}
	return diff
}

func (p prestate) removed() AccountDiff {
	diff := AccountDiff{
		Balance: Delta[hexutil.Big]{From: p.balance()},
		Code:    Delta[hexutil.Bytes]{From: p.code()},
		Nonce:   Delta[hexutil.Uint64]{From: (*hexutil.Uint64)(&p.Nonce)},
		Storage: make(map[common.Hash]Delta[common.Hash], len(p.Storage)),
	}
	for slot, value := range p.Storage {
		diff.Storage[slot] = Delta[common.Hash]{From: &value}
	}
	return diff
}

// change returns what became of an account that existed before and after. A nonce never becomes 0, so a 0 in after
// means unchanged.
func (p prestate) change(after prestate) AccountDiff {
	diff := AccountDiff{Storage: make(map[common.Hash]Delta[common.Hash])}
	if after.Balance != nil {
		diff.Balance = Delta[hexutil.Big]{From: p.balance(), To: after.Balance}
	}
	if after.Code != nil {
		diff.Code = Delta[hexutil.Bytes]{From: p.code(), To: after.Code}
	}
	if after.Nonce != 0 {
		diff.Nonce = Delta[hexutil.Uint64]{From: (*hexutil.Uint64)(&p.Nonce), To: (*hexutil.Uint64)(&after.Nonce)}
	}
	for _, slots := range []map[common.Hash]common.Hash{p.Storage, after.Storage} {
		for slot := range slots {
			from, to := p.Storage[slot], after.Storage[slot]
			diff.Storage[slot] = Delta[common.Hash]{From: &from, To: &to}
		}
	}
	return diff
}
