package userop

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
)

// Topics of the events of EntryPoints, which are the same in all versions.
var (
	operationEvent = crypto.Keccak256Hash([]byte("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"))
	reasonEvent    = crypto.Keccak256Hash([]byte("UserOperationRevertReason(bytes32,address,uint256,bytes)"))
	beginEvent     = crypto.Keccak256Hash([]byte("BeforeExecution()"))
)

// Included is an operation in a block, pre-confirmed or sealed.
type Included struct {
	EntryPoint common.Address
	// Operation is nil where the bundle calls handleOps from a contract.
	Operation *Operation
	Event     *types.Log // of the EntryPoint, about the operation
	Bundle    preconf.Found
}

// LookUp returns the operation with that hash from the newest block that holds it, or nil. On a fork it does not look
// below the fork block.
func LookUp(m *preconf.Moment, hash common.Hash) (*Included, error) {
	filter := chain.LogFilter{Addresses: addresses(), Topics: [][]common.Hash{{operationEvent}, {hash}}}
	event, err := newest(m, filter)
	if event == nil {
		return nil, err
	}
	found, err := m.Find(event.TxHash)
	if err != nil || !found.Executed() {
		return nil, err
	}
	in := &Included{EntryPoint: event.Address, Event: event, Bundle: found}
	v, _ := at(event.Address)
	for _, o := range v.operations(found.Transaction.Data()) {
		if *o.Sender == in.Sender() && number(o.Nonce).Cmp(in.Nonce()) == 0 {
			in.Operation = o
			if signed, ok := found.Transaction.(*types.Transaction); ok {
				o.Authorization = authorizationOf(signed, *o.Sender)
			}
		}
	}
	return in, nil
}

// newest returns the newest log, or nil. It searches the newest blocks first, and then twice as many each time.
func newest(m *preconf.Moment, of chain.LogFilter) (newest *types.Log, err error) {
	base, first := m.Chain().Base(), m.Latest().Number()+1
	for to, blocks := (filter.Bound{Tag: filter.Pending}), uint64(64); newest == nil && first > base; blocks *= 2 {
		first -= min(blocks, first-base)
		logs, err := m.Logs(of, filter.At(first), to)
		if err != nil {
			return nil, err
		}
		for l := range logs {
			newest = l
		}
		to = filter.At(first - 1)
	}
	return newest, nil
}

// Waiting is an operation in the pool.
type Waiting struct {
	*Operation
	EntryPoint EntryPoint
	Bundle     *types.Transaction
}

// Pool returns the operations in the pool, in the order of arrival.
func Pool(m *preconf.Moment) (list []Waiting) {
	for _, tx := range m.Pool() {
		ops := operationsOf(tx.Tx)
		if len(ops) == 2 && number(ops[0].Nonce).Cmp(number(ops[1].Nonce)) == 0 { // by the fault RevertBundle
			ops = ops[:1]
		}
		for _, o := range ops {
			v, _ := at(*tx.Tx.To())
			list = append(list, Waiting{o, v, tx.Tx})
		}
	}
	return list
}

// WaitingAs returns the pool's operation with that hash, or nil.
func WaitingAs(m *preconf.Moment, hash common.Hash) *Waiting {
	for _, o := range Pool(m) {
		known, err := hashOf(m, o.EntryPoint, o.Operation)
		if err == nil && known == hash {
			return &o
		}
	}
	return nil
}

// Indexes of the words in the data of an operation's event.
const (
	nonceWord = iota
	successWord
	costWord // in wei
	gasWord
)

// Nonce returns the operation's nonce.
func (in *Included) Nonce() *big.Int { return eventWord(in.Event, nonceWord) }

// Succeeded reports whether the account's call did not revert.
func (in *Included) Succeeded() bool { return eventWord(in.Event, successWord).Sign() != 0 }

// Cost returns the wei that the operation paid.
func (in *Included) Cost() *big.Int { return eventWord(in.Event, costWord) }

// Gas returns the gas that the operation paid for.
func (in *Included) Gas() *big.Int { return eventWord(in.Event, gasWord) }

// Sender returns the operation's account.
func (in *Included) Sender() common.Address { return common.BytesToAddress(in.Event.Topics[2][:]) }

// Paymaster returns the contract that paid in the sender's place, or the zero address.
func (in *Included) Paymaster() common.Address { return common.BytesToAddress(in.Event.Topics[3][:]) }

// eventWord returns a word of the data of an operation's event.
func eventWord(event *types.Log, i int) *big.Int {
	return new(big.Int).SetBytes(event.Data[32*i : 32*i+32])
}

// Logs returns the operation's own logs: between the end of the previous operation and its own event.
func (in *Included) Logs() (own []*types.Log) {
	for _, l := range in.Bundle.Receipt.Logs {
		switch {
		case l.Index == in.Event.Index:
			return own
		case l.Address == in.EntryPoint && (l.Topics[0] == beginEvent || l.Topics[0] == operationEvent):
			own = nil
		default:
			own = append(own, l)
		}
	}
	return own
}

// Reason returns the data with which the account's call reverted; own are the operation's Logs.
func (in *Included) Reason(own []*types.Log) []byte {
	for _, l := range own {
		if l.Address != in.EntryPoint || l.Topics[0] != reasonEvent || l.Topics[1] != in.Event.Topics[1] || len(l.Data) < 96 {
			continue
		}
		n := new(big.Int).SetBytes(l.Data[64:96])
		if rest := l.Data[96:]; n.IsUint64() && n.Uint64() <= uint64(len(rest)) {
			return rest[:n.Uint64()]
		}
	}
	return nil
}

// Place is the place of an operation: its stage, the reason why it is not further, and the fault that struck it.
type Place struct {
	// Where is the stage of its bundle, or Dropped if the bundle reverted. Unknown: nobody has sent it, or it was lost
	// with a pre-confirmation before a block held it.
	Where preconf.Where
	// Reason is the reason why it is not further, as in Moment.Place of preconf. Nil: nothing is in its way, or the reason
	// is unknown.
	Reason error
	// Bundle is the transaction that holds it, or held it last. Zero: none is known.
	Bundle common.Hash
	// View is the block that holds the bundle, removed from the chain if Where is preconf.Orphaned. Nil: none does.
	View *preconf.View
	// Fault is the kind of the fault that struck it. Empty: none.
	Fault FaultKind
}

// PlaceOf returns the place of an operation. On a fork of a chain that does not answer it is unknown for that reason.
func PlaceOf(m *preconf.Moment, operation common.Hash) Place {
	fault := struckOf(m, operation)
	p := placeOf(m, operation, fault)
	if fault != nil {
		p.Fault = fault.Kind
	}
	return p
}

func placeOf(m *preconf.Moment, operation common.Hash, fault *struck) Place {
	in, err := LookUp(m, operation)
	if err != nil {
		return Place{Where: preconf.Unknown, Reason: err}
	}
	if in != nil {
		return placeAt(m, in.Event.TxHash)
	}
	if o := WaitingAs(m, operation); o != nil {
		return placeAt(m, o.Bundle.Hash())
	}
	if fault != nil {
		return lost(m, fault)
	}
	if bundle, ok := orphaned(m, operation); ok {
		return placeAt(m, bundle)
	}
	return Place{Where: preconf.Unknown}
}

func placeAt(m *preconf.Moment, bundle common.Hash) Place {
	p := m.Place(bundle)
	return Place{Where: p.Where, Reason: p.Reason, View: p.View, Bundle: bundle}
}

// lost returns the place of an operation that a fault struck and that is neither executed nor in the pool.
func lost(m *preconf.Moment, fault *struck) Place {
	switch {
	case fault.Bundle != (common.Hash{}):
		p := placeAt(m, fault.Bundle)
		if fault.Kind == RevertBundle && (p.Where == preconf.Preconfirmed || p.Where == preconf.Sealed) {
			p.Where, p.Reason = preconf.Dropped, errBundleReverted
		}
		return p
	case fault.lies(m):
		return Place{Where: preconf.Dropped, Reason: fmt.Errorf("it was never sent: the bundler lies about it until block %d", fault.Until)}
	case fault.Kind == Lie:
		return Place{Where: preconf.Dropped, Reason: errLied}
	}
	return Place{Where: preconf.Dropped, Reason: errForgotten}
}

// Reasons of operations that faults struck.
var (
	errBundleReverted = errors.New("its bundle reverted, because another operation in it failed its validation")
	errLied           = errors.New("it was never sent: the bundler lied about it")
	errForgotten      = errors.New("the bundler has forgotten it")
)

// orphaned returns the bundle with an operation in the highest block with one that a reorg removed.
func orphaned(m *preconf.Moment, operation common.Hash) (bundle common.Hash, ok bool) {
	for _, block := range slices.Backward(m.Chain().Orphans()) {
		for _, l := range block.Logs() {
			if _, known := at(l.Address); known && len(l.Topics) > 1 && l.Topics[0] == operationEvent && l.Topics[1] == operation {
				return l.TxHash, true
			}
		}
	}
	return common.Hash{}, false
}
