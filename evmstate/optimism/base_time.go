package optimism

import (
	"encoding/binary"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate"
)

const (
	// setMillisSelector is the selector of setTimestampMillisPart(uint16).
	setMillisSelector = 0x86bdf394
	baseTimeSize      = 36 // bytes of calldata
	baseTimeGas       = 1_000_000
	// BaseTimeIndex is the position of the BaseTime deposit in a block.
	BaseTimeIndex = 1
)

// BaseTimeDeposit returns the deposit that follows the L1 attributes from Denim on: it writes the milliseconds beyond
// the whole second of the block's time into the contract BaseTime.
func BaseTimeDeposit(number uint64, millis uint16) *Deposit {
	var block [32]byte
	binary.BigEndian.PutUint64(block[24:], number)
	data := make([]byte, baseTimeSize)
	binary.BigEndian.PutUint32(data, setMillisSelector)
	binary.BigEndian.PutUint16(data[baseTimeSize-2:], millis)
	return &Deposit{
		SourceHash: domainHash(baseTimeDomain, crypto.Keccak256Hash(block[:])),
		From:       Depositor,
		To:         &BaseTimeAddress,
		Value:      noValue,
		Gas:        baseTimeGas,
		Data:       data,
	}
}

// ReadBaseTime returns the milliseconds that a BaseTime deposit writes, and reports whether d is one.
func ReadBaseTime(d *Deposit) (millis uint16, ok bool) {
	if d.From != Depositor || d.To == nil || *d.To != BaseTimeAddress || len(d.Data) != baseTimeSize ||
		binary.BigEndian.Uint32(d.Data) != setMillisSelector {
		return 0, false
	}
	return binary.BigEndian.Uint16(d.Data[baseTimeSize-2:]), true
}

// ReadMillis is ReadBaseTime for a transaction of a block.
func ReadMillis(tx evmstate.Transaction) (millis uint16, ok bool) {
	deposit := IncludedOf(tx)
	if deposit == nil {
		return 0, false
	}
	return ReadBaseTime(deposit.deposit)
}

// WithMillis returns s with the milliseconds in the contract BaseTime, as a BaseTime deposit leaves them: the other
// bits of their slot stay.
func WithMillis(s *evmstate.State, millis uint16) *evmstate.State {
	word := s.Storage(BaseTimeAddress, slotMillis)
	binary.BigEndian.PutUint16(word[30:], millis)
	return s.WithStorage(BaseTimeAddress, slotMillis, word)
}

// slotMillis of the contract BaseTime holds the milliseconds in its last two bytes.
var slotMillis common.Hash

// BlockTime returns the fixed distance of two blocks, or 0 if the rules leave it open. If it is fixed, every block has
// a time in milliseconds, which is a multiple of it.
func (r *Rules) BlockTime() time.Duration { return r.Upgrade.BlockTime }
