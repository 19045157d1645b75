package artifacts

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// Error decodes the data of a revert as an error that a contract declares, such as "InsufficientBalance(have: 5, want:
// 7)". It is empty if no declared error fits.
func (s *Set) Error(data []byte) string {
	if s == nil || len(data) < 4 {
		return ""
	}
	failure, ok := s.tables().errors[[4]byte(data)]
	if !ok {
		return s.next.Error(data)
	}
	return decoded(failure.Name, failure.Inputs, data[4:])
}

// Call returns a call of a contract's function, such as "deposit(amount: 5)". The artifact is the contract's, nil if it
// is not known: then any contract's function fits, as behind a proxy. It is empty for data that call no known function.
func (s *Set) Call(contract *Artifact, data []byte) string {
	method, ok := s.method(contract, data)
	if !ok {
		return ""
	}
	return decoded(method.RawName, method.Inputs, data[4:])
}

// Function returns the signature of the function that is called, such as "deposit(uint256)", or "" as Call does.
func (s *Set) Function(contract *Artifact, data []byte) string {
	method, _ := s.method(contract, data)
	return method.Sig
}

// Result returns the results of a call, such as "5", or "" as Call does.
func (s *Set) Result(contract *Artifact, data, output []byte) string {
	method, ok := s.method(contract, data)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(decoded("", method.Outputs, output), "("), ")")
}

func (s *Set) method(contract *Artifact, data []byte) (method abi.Method, ok bool) {
	if s == nil || len(data) < 4 {
		return abi.Method{}, false
	}
	if contract != nil {
		for _, method := range contract.methods {
			if bytes.Equal(method.ID, data[:4]) {
				return method, true
			}
		}
	}
	if method, ok = s.tables().methods[[4]byte(data)]; ok {
		return method, true
	}
	return s.next.method(nil, data)
}

// Event returns the event in a log, such as "Deposited(from: 0x…, amount: 5)", or "" if no declared event fits.
func (s *Set) Event(contract *Artifact, log *types.Log) string {
	if s == nil || len(log.Topics) == 0 {
		return ""
	}
	events := s.tables().events[log.Topics[0]]
	if contract != nil {
		events = slices.Concat(contract.events, events)
	}
	for _, event := range events {
		if event.ID == log.Topics[0] {
			if text := eventText(&event, log); text != "" {
				return text
			}
		}
	}
	return s.next.Event(nil, log)
}

// eventText is "" if the log and the event have different numbers of topics.
func eventText(event *abi.Event, log *types.Log) string {
	var indexed abi.Arguments
	for _, input := range event.Inputs {
		if input.Indexed {
			indexed = append(indexed, input)
		}
	}
	if len(indexed) != len(log.Topics)-1 {
		return ""
	}
	rest, err := event.Inputs.NonIndexed().Unpack(log.Data)
	if err != nil {
		return ""
	}
	var texts []string
	topics := log.Topics[1:]
	for _, input := range event.Inputs {
		if input.Indexed {
			texts = append(texts, named(input.Name, topicText(input.Type, topics[0])))
			topics = topics[1:]
		} else {
			texts = append(texts, named(input.Name, valueText(input.Type, rest[0])))
			rest = rest[1:]
		}
	}
	return event.RawName + "(" + strings.Join(texts, ", ") + ")"
}

// topicText returns an indexed argument: only the hash for types of more than a word.
func topicText(kind abi.Type, topic common.Hash) string {
	switch kind.T {
	case abi.StringTy, abi.BytesTy, abi.SliceTy, abi.ArrayTy, abi.TupleTy:
		return topic.Hex()
	}
	values, err := abi.Arguments{{Type: kind}}.Unpack(topic[:])
	if err != nil {
		return topic.Hex()
	}
	return valueText(kind, values[0])
}

// decoded returns a name with arguments, or "" for data that do not encode them.
func decoded(name string, inputs abi.Arguments, data []byte) string {
	values, err := inputs.Unpack(data)
	if err != nil {
		return ""
	}
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = named(inputs[i].Name, valueText(inputs[i].Type, value))
	}
	return name + "(" + strings.Join(texts, ", ") + ")"
}

// named returns a text with a name in front, if there is one.
func named(name, text string) string {
	if name == "" {
		return text
	}
	return name + ": " + text
}

// layout holds the names of a contract's variables by their slots; variables that share a slot are joined. Compilers
// leave it in artifacts when asked: extra_output = ["storageLayout"] in foundry.toml.
type layout map[uint64]string

// storageLayout is its JSON.
type storageLayout struct {
	Storage []struct {
		Label string `json:"label"`
		Slot  string `json:"slot"`
	} `json:"storage"`
}

func (l storageLayout) named() layout {
	names := layout{}
	for _, variable := range l.Storage {
		slot, err := strconv.ParseUint(variable.Slot, 10, 64)
		if err != nil {
			continue // usual contracts have no variables from here on
		}
		if before, shared := names[slot]; shared {
			names[slot] = before + ", " + variable.Label
		} else {
			names[slot] = variable.Label
		}
	}
	return names
}

// Variable returns the name of the value in a slot of a contract's storage, such as "balances[0x7099…]", or "slot 3" if
// the artifact has no names or is nil. preimages are the preimages of hashes that the contract computed, which contain
// the keys of mappings.
func (a *Artifact) Variable(slot common.Hash, preimages map[common.Hash][64]byte) string {
	var names layout
	if a != nil {
		names = a.layout
	}
	return names.variable(slot, preimages, maxNesting)
}

const (
	maxNesting = 8  // mappings in mappings
	maxMembers = 32 // slots of a struct that a mapping holds
)

func (l layout) variable(slot common.Hash, preimages map[common.Hash][64]byte, nesting int) string {
	if n, small := smallSlot(slot); small {
		if name, ok := l[n]; ok {
			return name
		}
		return "slot " + strconv.FormatUint(n, 10)
	}
	first := new(uint256.Int).SetBytes32(slot[:])
	for member := range maxMembers {
		if hashed, ok := preimages[first.Bytes32()]; ok && nesting > 0 {
			name := l.variable(common.Hash(hashed[32:]), preimages, nesting-1) + "[" + keyText(hashed[:32]) + "]"
			if member > 0 {
				name += " + " + strconv.Itoa(member)
			}
			return name
		}
		first.SubUint64(first, 1)
	}
	return "slot " + slot.Hex()
}

// smallSlot returns a slot as a number, if it is a variable's own slot rather than a hash.
func smallSlot(slot common.Hash) (n uint64, small bool) {
	return binary.BigEndian.Uint64(slot[24:]), common.BytesToHash(slot[:24]) == common.Hash{}
}

// keyText returns the key of a mapping: small numbers in decimal, possible addresses as addresses, everything else in
// hex.
func keyText(key []byte) string {
	if n, small := smallSlot(common.Hash(key)); small {
		return strconv.FormatUint(n, 10)
	}
	if strings.Trim(string(key[:12]), "\x00") == "" {
		return common.BytesToAddress(key).Hex()
	}
	return common.Hash(key).Hex()
}
