package l1

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Types of games that the OP stack's own chains respect.
const (
	CannonKona      = 8 // about an output root
	SuperCannonKona = 9 // about a super root, since upgrade 20 of September 2026
)

// IsSuper reports whether games of a type are about super roots.
func IsSuper(kind uint32) bool { return kind == 4 || kind == 5 || kind == 7 || kind == SuperCannonKona }

// SuperRoot holds the values that a super root of one chain hashes, version 1.
type SuperRoot struct {
	Time    uint64 // of the L2 block, in Unix seconds
	ChainID uint64 // the L2's
	Output  common.Hash
}

// Encoded returns the extra data of a game about the super root.
func (s SuperRoot) Encoded() []byte {
	data := binary.BigEndian.AppendUint64([]byte{1}, s.Time)
	data = append(data, word(s.ChainID).Bytes()...)
	return append(data, s.Output[:]...)
}

// Root returns the super root.
func (s SuperRoot) Root() common.Hash { return crypto.Keccak256Hash(s.Encoded()) }

// anchor returns the super root from which a chain's games start, and its time in Unix seconds: the L2's genesis, whose
// root the L1's genesis cannot know, is there by the placeholder of new chains.
func (s Settings) anchor() (root common.Hash, time uint64) {
	if !IsSuper(s.GameType) {
		return common.Hash{}, 0
	}
	return common.Hash{0xde, 0xad}, s.L1.Time
}
