package artifacts

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
)

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
	first := slot
	for member := range maxMembers {
		if hashed, ok := preimages[first]; ok && nesting > 0 {
			name := l.variable(common.Hash(hashed[32:]), preimages, nesting-1) + "[" + keyText(hashed[:32]) + "]"
			if member > 0 {
				name += " + " + strconv.Itoa(member)
			}
			return name
		}
		first = before(first)
	}
	return "slot " + slot.Hex()
}

// smallSlot returns a slot as a number, if it is a variable's own slot rather than a hash.
func smallSlot(slot common.Hash) (n uint64, small bool) {
	return binary.BigEndian.Uint64(slot[24:]), common.BytesToHash(slot[:24]) == common.Hash{}
}

// before returns the number of the slot before one that is not 0.
func before(slot common.Hash) common.Hash {
	for i := len(slot) - 1; i >= 0; i-- {
		slot[i]--
		if slot[i] != 0xff {
			break
		}
	}
	return slot
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
