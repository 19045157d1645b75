package wallet

import (
	"bytes"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/preconf"
)

const (
	// maxID is the longest id of a batch, in characters (EIP-5792).
	maxID = 8194
	// maxCalls is the number of calls that a batch may have: the hashes of as many transactions fit into an id.
	maxCalls = 100
)

// The marks end the ids that the wallet makes, so that no id is a transaction's hash, and show how the calls are
// executed.
var (
	atomicMark     = crypto.Keccak256([]byte("fakenode wallet_sendCalls atomic"))
	sequentialMark = crypto.Keccak256([]byte("fakenode wallet_sendCalls sequential"))
)

// sent describes the transactions of a batch of calls.
type sent struct {
	transactions []common.Hash
	atomic       bool // one transaction executes all calls or none
}

// id returns the id of a batch: the hashes of its transactions and a mark.
func (s sent) id() string {
	var id []byte
	for _, hash := range s.transactions {
		id = append(id, hash[:]...)
	}
	if s.atomic {
		return hexutil.Encode(append(id, atomicMark...))
	}
	return hexutil.Encode(append(id, sequentialMark...))
}

// sentAs returns the transactions of the batch with an id, or with a name that the client gave it; known is false if
// there is no such batch.
func sentAs(m *preconf.Moment, id string) (s sent, known bool) {
	if of, ok := named(m, id); ok {
		id = of
	}
	if len(id) > maxID {
		return sent{}, false
	}
	decoded, err := hexutil.Decode(strings.ToLower(id))
	if err != nil || len(decoded)%common.HashLength != 0 {
		return sent{}, false
	}
	hashes, atomic := bytes.CutSuffix(decoded, atomicMark)
	if !atomic {
		hashes, known = bytes.CutSuffix(decoded, sequentialMark)
	}
	for ; len(hashes) > 0; hashes = hashes[common.HashLength:] {
		s.transactions = append(s.transactions, common.BytesToHash(hashes[:common.HashLength]))
	}
	s.atomic = atomic
	return s, (atomic || known) && len(s.transactions) > 0
}

// noteOf returns under which name a node notes the id of the batch that a client gave a name to.
func noteOf(name string) string { return "wallet.batch." + name }

// errNameTaken is returned for a name that another batch has.
var errNameTaken = errors.New("there is a batch with this name")

// name lets a client ask for the batch with an id by a name of its own. Nobody else may write to the timeline
// meanwhile. The error is errNameTaken or a *control.BudgetError.
func name(t *preconf.Timeline, name, id string) error {
	if _, taken := named(t.Moment(), name); taken {
		return errNameTaken
	}
	return t.SetNote(noteOf(name), []byte(id))
}

// named returns the id of the batch with a name of a client's, and reports whether there is one.
func named(m *preconf.Moment, name string) (id string, known bool) {
	note := m.Note(noteOf(name))
	return string(note), note != nil
}
