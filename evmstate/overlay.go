package evmstate

import (
	"bytes"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/stateless"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
)

// Overlay holds the changes of transactions on top of a State. It implements go-ethereum's vm.StateDB for the EVM,
// system calls and tracers, and calls the tracer's state hooks. A Machine owns it. It is not safe for concurrent use.
type Overlay struct {
	base    *State                        // state before the current transaction
	hooks   *tracing.Hooks                // nil if nothing is traced
	objects table[common.Address, object] // accounts of the current transaction
	recent  recentSlot                    // the slot last looked up
	journal []change
	revised int // length of the journal at the last Snapshot
	refund  uint64

	txHash  common.Hash
	txIndex int
	logs    []*types.Log // logs of the current transaction
	logSize uint         // number of logs of all transactions so far

	precompiles   []common.Address        // these are warm without an object
	contracts     vm.PrecompiledContracts // replaces precompiles; nil: no replacement
	ripemdTouched bool
	creating      bool // the EVM is about to ask whether an address is taken
	warmCoinbase  bool // EIP-3651 is active though the rules of a message have no Shanghai (CodeLimit.CheckInit)

	// settled is set from Finalise until the transaction is merged into base. Merging waits until the next transaction
	// begins or State is called, so that a one-off call never pays for it.
	settled    bool
	clearEmpty bool // merge removes empty accounts that were touched (EIP-161)
	keepEther  bool // merge leaves a destructed account its balance (EIP-8246)

	recording   bool   // the transaction's accesses belong into the block access list (EIP-7928)
	accessIndex uint32 // of the transaction in that list

	evm       *vm.EVM // to end when a Source fails
	failure   error   // of a Source: the execution so far is void
	writeOnly bool    // the system calls that open a block are running (Machine.OpenBlock)
}

var _ vm.StateDB = (*Overlay)(nil)

// State returns the base with everything finalised so far. Changes of the current transaction are missing until
// Finalise.
func (o *Overlay) State() *State {
	if o.settled {
		o.merge()
	}
	return o.base
}

// Finalise ends a transaction: its changes become part of the base of the next one. Finalise removes accounts that
// self-destructed and, from Spurious Dragon on, empty accounts that were touched (EIP-161). It returns the accounts and
// slots that the transaction accessed (EIP-7928), or nil before Amsterdam.
func (o *Overlay) Finalise(rules params.Rules) *bal.ConstructionBlockAccessList {
	o.settle(rules)
	return o.accesses()
}

// settle is Finalise without its result, which takes time to collect.
func (o *Overlay) settle(rules params.Rules) {
	if o.settled {
		o.merge()
	}
	if o.hooks != nil {
		o.traceSelfDestructs(rules)
	}
	o.settled, o.clearEmpty, o.keepEther = true, rules.IsEIP158, rules.IsAmsterdam
	o.recent = recentSlot{}
	o.refund = 0
	o.resetJournal()
}

// merge writes the settled transaction into the base.
func (o *Overlay) merge() {
	next := *o.base
	for _, object := range o.objects.used() {
		if !object.touched && !(o.ripemdTouched && object.address == ripemd) {
			continue
		}
		switch {
		case o.removes(object):
			if object.base != nil {
				next.set(object.address, nil, nil)
			}
			continue
		case object.destructed:
			next.set(object.address, &account{balance: *object.balance}, nil)
			continue
		}
		if a, slots := object.result(); a != object.base {
			next.set(object.address, a, slots)
		}
	}
	if next.dirty != o.base.dirty {
		merged := next
		o.base = &merged
	}
	o.discard()
}

// removes reports whether merge removes the account of an object that was touched.
func (o *Overlay) removes(object *object) bool {
	keeps := o.keepEther && !object.balance.IsZero() // a destructed account has its balance left
	return !object.exists || object.destructed && !keeps || o.clearEmpty && object.empty()
}

// discard forgets everything since the last merge.
func (o *Overlay) discard() {
	for _, object := range o.objects.used() {
		object.unload()
	}
	o.objects.reset()
	o.recent = recentSlot{}
	o.resetJournal()
	o.refund, o.precompiles = 0, nil
	o.ripemdTouched, o.settled, o.recording = false, false, false
}

// begin starts a transaction and drops everything that was not finalised.
func (o *Overlay) begin() {
	if o.settled {
		o.merge()
	} else {
		o.discard()
	}
	o.logs = nil
}

// release empties the overlay for reuse.
func (o *Overlay) release() {
	o.discard()
	*o = Overlay{objects: o.objects, journal: o.journal}
}

func (o *Overlay) resetJournal() {
	clear(o.journal)
	o.journal, o.revised = o.journal[:0], 0
}

// object returns the account at address as the current transaction sees it.
func (o *Overlay) object(address common.Address) *object {
	if o.settled {
		o.merge()
	}
	if object := o.objects.find(address); object != nil {
		return object
	}
	object := o.objects.add(address)
	var base *account
	if o.failure == nil {
		var err error
		if base, err = o.base.find(address); err != nil {
			o.fail(err)
		}
	}
	object.load(o, address, base)
	return object
}

// fail records the error of a Source and ends the execution, which continues with zeros up to the next jump: the EVM's
// interface to its state has no errors.
func (o *Overlay) fail(err error) {
	if o.failure == nil {
		o.failure = err
	}
	o.evm.Cancel()
}

// SetTxContext sets the transaction hash and index of the next logs, and the transaction's index in the block access
// list (EIP-7928).
func (o *Overlay) SetTxContext(hash common.Hash, index int, accessIndex uint32) {
	o.txHash, o.txIndex, o.accessIndex = hash, index, accessIndex
}

// AddLog appends a log to the current transaction.
func (o *Overlay) AddLog(log *types.Log) {
	o.journal = append(o.journal, change{kind: logAdded})
	log.TxHash, log.TxIndex, log.Index = o.txHash, uint(o.txIndex), o.logSize
	o.logs = append(o.logs, log)
	o.logSize++
	if o.hooks != nil && o.hooks.OnLog != nil {
		o.hooks.OnLog(log)
	}
}

// AddRefund adds an amount of gas to the refund counter.
func (o *Overlay) AddRefund(gas uint64) {
	o.setRefund(o.refund + gas)
}

// SubRefund subtracts an amount of gas from the refund counter.
func (o *Overlay) SubRefund(gas uint64) {
	o.setRefund(o.refund - gas)
}

func (o *Overlay) setRefund(gas uint64) {
	o.journal = append(o.journal, change{kind: refundChanged, refund: o.refund})
	o.refund = gas
}

// GetRefund returns the refund counter, in gas.
func (o *Overlay) GetRefund() uint64 { return o.refund }

// AddPreimage does nothing because preimages are not kept.
func (o *Overlay) AddPreimage(common.Hash, []byte) {}

// Witness returns nil because no witness is collected.
func (o *Overlay) Witness() *stateless.Witness { return nil }

// AccessEvents returns nil because no supported fork has EIP-4762.
func (o *Overlay) AccessEvents() *state.AccessEvents { return nil }

// traceSelfDestructs calls the hooks for the balances, nonces and code that self-destructed accounts lose at the end of
// the transaction, in the order of their addresses. From Amsterdam on they keep their balances (EIP-8246).
func (o *Overlay) traceSelfDestructs(rules params.Rules) {
	var gone []*object
	for _, object := range o.objects.used() {
		if object.destructed {
			gone = append(gone, object)
		}
	}
	slices.SortFunc(gone, func(a, b *object) int { return bytes.Compare(a.address[:], b.address[:]) })
	for _, object := range gone {
		if o.hooks.OnBalanceChange != nil && !object.balance.IsZero() && !rules.IsAmsterdam {
			o.hooks.OnBalanceChange(object.address, object.balance.ToBig(), new(big.Int), tracing.BalanceDecreaseSelfdestructBurn)
		}
		o.traceNonce(object.address, object.nonce, 0, tracing.NonceChangeSelfdestruct)
		o.traceCode(object.address, object.code, nil, tracing.CodeChangeSelfDestruct)
	}
}
