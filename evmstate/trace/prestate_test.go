package trace_test

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/trace"
)

// prestate is an account in the result of go-ethereum's prestateTracer: before the transaction the whole account with
// only the slots that change; after it, only the changes. Zeros are left out.
type prestate struct {
	Balance *hexutil.Big
	Code    *hexutil.Bytes
	Nonce   uint64
	Storage map[common.Hash]common.Hash
}

// diff returns the state difference of prestateTracer in diffMode, without accounts that it lists as new though they do
// not exist: their code hash changed from zero to the hash of no code.
func (o *oracle) diff() trace.StateDiff {
	changed := o.PrestateTracer
	diff := make(trace.StateDiff, len(changed.Post))
	for address, after := range changed.Post {
		if before, existed := changed.Pre[address]; existed {
			diff[address] = before.change(after)
		} else if after.exists() {
			diff[address] = after.created()
		}
	}
	for address, before := range changed.Pre {
		if _, remains := changed.Post[address]; !remains {
			diff[address] = before.removed()
		}
	}
	return diff
}

func (p prestate) exists() bool {
	return p.Nonce != 0 || p.Balance != nil || p.Code != nil && len(*p.Code) > 0 || len(p.Storage) > 0
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

func (p prestate) created() trace.AccountDiff {
	diff := trace.AccountDiff{
		Balance: trace.Delta[hexutil.Big]{To: p.balance()},
		Code:    trace.Delta[hexutil.Bytes]{To: p.code()},
		Nonce:   trace.Delta[hexutil.Uint64]{To: (*hexutil.Uint64)(&p.Nonce)},
		Storage: make(map[common.Hash]trace.Delta[common.Hash], len(p.Storage)),
	}
	for slot, value := range p.Storage {
		diff.Storage[slot] = trace.Delta[common.Hash]{To: &value}
	}
	return diff
}

func (p prestate) removed() trace.AccountDiff {
	diff := trace.AccountDiff{
		Balance: trace.Delta[hexutil.Big]{From: p.balance()},
		Code:    trace.Delta[hexutil.Bytes]{From: p.code()},
		Nonce:   trace.Delta[hexutil.Uint64]{From: (*hexutil.Uint64)(&p.Nonce)},
		Storage: make(map[common.Hash]trace.Delta[common.Hash], len(p.Storage)),
	}
	for slot, value := range p.Storage {
		diff.Storage[slot] = trace.Delta[common.Hash]{From: &value}
	}
	return diff
}

// change returns the change of an account that existed before and after. A nonce never becomes 0, so a 0 in after means
// unchanged.
func (p prestate) change(after prestate) trace.AccountDiff {
	diff := trace.AccountDiff{Storage: make(map[common.Hash]trace.Delta[common.Hash])}
	if after.Balance != nil {
		diff.Balance = trace.Delta[hexutil.Big]{From: p.balance(), To: after.Balance}
	}
	if after.Code != nil {
		diff.Code = trace.Delta[hexutil.Bytes]{From: p.code(), To: after.Code}
	}
	if after.Nonce != 0 {
		diff.Nonce = trace.Delta[hexutil.Uint64]{From: (*hexutil.Uint64)(&p.Nonce), To: (*hexutil.Uint64)(&after.Nonce)}
	}
	for _, slots := range []map[common.Hash]common.Hash{p.Storage, after.Storage} {
		for slot := range slots {
			from, to := p.Storage[slot], after.Storage[slot]
			diff.Storage[slot] = trace.Delta[common.Hash]{From: &from, To: &to}
		}
	}
	return diff
}
