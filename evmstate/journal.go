package evmstate

import "github.com/ethereum/go-ethereum/common"

// change is how to undo one change of a transaction. Which fields count depends
// on its kind.
type change struct {
	kind   changeKind
	object *object
	fields fields       // of object, before
	word   *common.Hash // a slot's value or transient value
	value  common.Hash  // of word, before
	warm   *bool        // an object's or slot's
	refund uint64       // before
}

type changeKind uint8

const (
	fieldsChanged changeKind = iota
	wordChanged
	warmed
	refundChanged
	logAdded
)

// ripemd is the precompile whose touch, alone, outlives a revert: a client bug
// that became part of mainnet's history (EIP-161, block 2,675,119).
var ripemd = common.BytesToAddress([]byte{3})

// Snapshot returns a revision to which RevertToSnapshot can return during the
// same transaction.
func (o *Overlay) Snapshot() int { return len(o.journal) }

// RevertToSnapshot undoes all changes since a Snapshot. Later snapshots are void.
func (o *Overlay) RevertToSnapshot(revision int) {
	for i := len(o.journal) - 1; i >= revision; i-- {
		o.undo(&o.journal[i])
	}
	clear(o.journal[revision:])
	o.journal = o.journal[:revision]
}

func (o *Overlay) undo(c *change) {
	switch c.kind {
	case fieldsChanged:
		c.object.fields = c.fields
	case wordChanged:
		*c.word = c.value
	case warmed:
		*c.warm = false
	case refundChanged:
		o.refund = c.refund
	case logAdded:
		o.logs = o.logs[:len(o.logs)-1]
		o.logSize--
	}
}

// touch journals the object's fields, which the caller is about to change, and
// marks it as written to.
func (o *Overlay) touch(object *object) {
	o.journal = append(o.journal, change{kind: fieldsChanged, object: object, fields: object.fields})
	object.touched = true
}

// setWord journals and sets a slot's value or transient value.
func (o *Overlay) setWord(word *common.Hash, value common.Hash) {
	o.journal = append(o.journal, change{kind: wordChanged, word: word, value: *word})
	*word = value
}

// heat journals and sets the warmth of an object or slot.
func (o *Overlay) heat(warm *bool) {
	if !*warm {
		o.journal = append(o.journal, change{kind: warmed, warm: warm})
		*warm = true
	}
}
