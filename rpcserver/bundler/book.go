package bundler

import (
	"encoding/json"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
)

// book is all that the bundler remembers, and empty unless faults were armed.
type book struct {
	Armed  []Fault  // oldest first
	Struck []struck // oldest first, at most maxStruck
}

// struck is an operation that a fault struck.
type struck struct {
	Hash common.Hash
	Kind FaultKind
	// Bundle is the transaction that has the operation. Zero: it was not sent.
	Bundle common.Hash
	// Replaced is the transaction that the bundler answers with although Bundle replaced it.
	Replaced common.Hash
	// Until is the number of the first block in which a lie is not told any more; Operation and Receipt are the lie.
	Until     uint64
	Operation json.RawMessage `json:",omitempty"`
	Receipt   json.RawMessage `json:",omitempty"`
}

// bookNote is the name under which a timeline has the book, encoded.
const bookNote = "bundler"

// maxStruck bounds book.Struck.
const maxStruck = 1_000

// bookOf returns the book of a moment.
func bookOf(m *preconf.Moment) (b book) {
	if note := m.Note(bookNote); note != nil {
		if err := json.Unmarshal(note, &b); err != nil {
			return book{} // a file is checked against damage where it is read
		}
	}
	return b
}

// keep writes the book.
func (b *book) keep(t *preconf.Timeline) error {
	if surplus := len(b.Struck) - maxStruck; surplus > 0 {
		b.Struck = b.Struck[surplus:]
	}
	note, err := json.Marshal(b)
	if err == nil {
		t.SetNote(bookNote, note)
	}
	return err
}

// take returns the oldest fault that strikes an operation of the sender, and uses it up, or nil.
func (b *book) take(sender common.Address, strikes func(FaultKind) bool) *Fault {
	for i, f := range b.Armed {
		if !strikes(f.Kind) || f.Sender != nil && *f.Sender != sender {
			continue
		}
		if b.Armed[i].Count--; b.Armed[i].Count == 0 {
			b.Armed = slices.Delete(b.Armed, i, i+1)
		}
		return &f
	}
	return nil
}

// struckOf returns what a moment knows of an operation that a fault struck, the last one, or nil.
func struckOf(m *preconf.Moment, operation common.Hash) *struck {
	for _, s := range slices.Backward(bookOf(m).Struck) {
		if s.Hash == operation {
			return &s
		}
	}
	return nil
}

// moved lets a bundle be another transaction.
func (b *book) moved(from, to common.Hash) {
	for i := range b.Struck {
		if b.Struck[i].Bundle == from {
			b.Struck[i].Bundle = to
		}
	}
}

// lies reports whether the bundler tells a lie about the operation at a moment.
func (s *struck) lies(m *preconf.Moment) bool {
	return s != nil && s.Receipt != nil && m.NextHeader().Number.Uint64() < s.Until
}
