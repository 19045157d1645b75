package evmstate

import "github.com/ethereum/go-ethereum/common"

// change holds the values that undo one change of a transaction. Its kind describes which fields are set.
type change struct {
	kind   changeKind
	object *object
	fields fields       // fields of object before the change
	word   *common.Hash // the slot or transient slot that changed
	value  common.Hash  // value of word before the change
	warm   *bool        // the object or slot that became warm
	refund uint64       // refund counter before the change
}

type changeKind uint8

const (
	fieldsChanged changeKind = iota
	wordChanged
	warmed
	refundChanged
	logAdded
)

// ripemd is the RIPEMD-160 precompile. It is the only account that stays touched after a revert: a client bug that
// became part of mainnet's history (EIP-161, block 2,675,119).
var ripemd = common.BytesToAddress([]byte{3})

// Snapshot returns a revision that RevertToSnapshot can go back to during the same transaction.
func (o *Overlay) Snapshot() int {
	o.revised = len(o.journal)
	return o.revised
}

// RevertToSnapshot undoes all changes since a Snapshot. Revisions taken later become invalid.
func (o *Overlay) RevertToSnapshot(revision int) {
	for i := len(o.journal) - 1; i >= revision; i-- {
		o.undo(&o.journal[i])
	}
	clear(o.journal[revision:])
	o.journal, o.revised = o.journal[:revision], revision
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

// touch records the object's fields in the journal, for a caller about to change them, and marks the object as written
// to.
func (o *Overlay) touch(object *object) {
	o.journal = append(o.journal, change{kind: fieldsChanged, object: object, fields: object.fields})
	object.touched = true
}

// setSlot sets a slot. It saves the value before in the journal, unless one was saved there since the last Snapshot:
// going back to any Snapshot brings back the oldest since, and loops write the same slots many times.
func (o *Overlay) setSlot(s *slot, value common.Hash) {
	if s.saved < o.revised || s.saved >= len(o.journal) || o.journal[s.saved].word != &s.value {
		s.saved = len(o.journal)
		o.journal = append(o.journal, change{kind: wordChanged, word: &s.value, value: s.value})
	}
	s.value = value
}

// heat makes an object or slot warm and records the change in the journal.
func (o *Overlay) heat(warm *bool) {
	if !*warm {
		o.journal = append(o.journal, change{kind: warmed, warm: warm})
		*warm = true
	}
}
