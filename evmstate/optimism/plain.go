package optimism

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"

	"github.com/fakenode/fakenode/evmstate"
)

// A chain of 200 ms makes 432,000 blocks a day that hold nothing but the deposits of the system. Where the contracts
// that these call have the code of package predeploys, the slots that they write are known without the EVM, and their
// gas depends on a few things alone, so that it is measured once.

// Code hashes and the slot of package predeploys, and the contract that has the code for BaseTimeAddress.
var (
	l1BlockCode       = common.HexToHash("0x75d4615f99eba26a2797764b92441bb2bbe952206fe3b0a121a6e0ddd5b46598")
	proxyCode         = common.HexToHash("0x380b4004e19c43211bcd2e824d2dd450d75efc90bbee116a3b60cdf17eb53e82")
	baseTimeCode      = common.HexToHash("0x4f96a463bac41f4c65b90b7f1f619e603123b44211268c8350fc08b3f6139489")
	baseTimeContract  = common.HexToAddress("0xc0D3C0d3C0d3C0D3c0d3C0d3c0D3C0d3c0d30030")
	proxyContractSlot = common.HexToHash("0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc")
)

// SystemIn returns the System whose deposits left s; its Gas is not known. ok is false unless the effect of the next
// deposits is known without the EVM.
func (r *Rules) SystemIn(s *evmstate.State) (found System, ok bool) {
	if s.CodeHash(L1BlockAddress) != l1BlockCode || len(s.Code(Depositor)) > 0 {
		return System{}, false
	}
	l1 := l1In(func(slot common.Hash) common.Hash { return s.Storage(L1BlockAddress, slot) })
	scalars, millis := s.Storage(L1BlockAddress, slotScalars), s.Storage(BaseTimeAddress, slotMillis)
	found = System{L1: &l1, Sequence: binary.BigEndian.Uint64(scalars[24:]), HasTime: r.BlockTime() > 0}
	for _, slot := range l1.slots(found.Sequence) {
		if s.Storage(L1BlockAddress, slot.Key) != slot.Value {
			return System{}, false
		}
	}
	if found.HasTime {
		found.Millis = binary.BigEndian.Uint16(millis[30:])
		if s.CodeHash(BaseTimeAddress) != proxyCode || s.CodeHash(baseTimeContract) != baseTimeCode || millis != found.millisWord() ||
			s.Storage(BaseTimeAddress, proxyContractSlot) != common.BytesToHash(baseTimeContract[:]) {
			return System{}, false
		}
	}
	nonce := s.Nonce(Depositor)
	found.Nonce = nonce - uint64(found.Count())
	return found, nonce >= uint64(found.Count())
}

// Count returns the number of the deposits.
func (s *System) Count() int {
	if s.HasTime {
		return 2
	}
	return 1
}

func (s *System) millisWord() (word common.Hash) {
	binary.BigEndian.PutUint16(word[30:], s.Millis)
	return word
}

// After returns the State after the deposits, where SystemIn knew the one before.
func (s *System) After(state *evmstate.State) *evmstate.State {
	slots := s.L1.slots(s.Sequence)
	state = state.WithSlots(L1BlockAddress, slots[:]...).WithNonce(Depositor, s.Nonce+uint64(s.Count()))
	if s.HasTime {
		state = WithMillis(state, s.Millis)
	}
	return state
}

// Accounts returns the accounts that the deposits change, in the order in which Write takes them.
func (s *System) Accounts() []common.Address {
	return []common.Address{Depositor, L1BlockAddress, BaseTimeAddress}[:1+s.Count()]
}

// Write makes the changes to accounts in which the deposits differ from those before.
func (s *System) Write(before *System, accounts []*evmstate.Storage) {
	accounts[0].SetNonce(s.Nonce + uint64(s.Count()))
	old := before.L1.slots(before.Sequence)
	for i, slot := range s.L1.slots(s.Sequence) {
		if slot.Value != old[i].Value {
			accounts[1].Set(slot.Key, slot.Value)
		}
	}
	if s.Millis != before.Millis {
		accounts[2].Set(slotMillis, s.millisWord())
	}
}

// GasKey holds all that the gas of the deposits depends on: deposits with equal ones use the same.
type GasKey struct {
	fields uint64 // three bits for each value that is written by itself: unchanged, zero before, zero now
	zeros  [2]int // zero bytes in the data of each
}

// fieldEnds are the ends of the values in the data of the L1 attributes and the milliseconds behind it.
var fieldEnds = [...]int{8, 12, 20, 28, 36, 68, 100, 132, 164, 168, 176, attributesSize, attributesSize + 2}

// GasKey returns the GasKey of the deposits after those before.
func (s *System) GasKey(before *System) (key GasKey) {
	now, then := binary.BigEndian.AppendUint16(s.L1.calldata(s.Sequence), s.Millis), binary.BigEndian.AppendUint16(before.L1.calldata(before.Sequence), before.Millis)
	isZero := func(field []byte) bool { return len(bytes.Trim(field, "\x00")) == 0 }
	at := 4 // after the selector
	for _, end := range fieldEnds {
		for _, bit := range [...]bool{bytes.Equal(now[at:end], then[at:end]), isZero(then[at:end]), isZero(now[at:end])} {
			if key.fields <<= 1; bit {
				key.fields |= 1
			}
		}
		at = end
	}
	key.zeros = [2]int{bytes.Count(now[:attributesSize], []byte{0}), bytes.Count(now[attributesSize:], []byte{0})}
	return key
}

// Measure sets the gas of the deposits, which are the given ones, by executing them on m, whose State is from. The
// error names an effect that they should not have.
func (s *System) Measure(m *evmstate.Machine, from *evmstate.State, deposits []*Included, pool *core.GasPool) error {
	for i, d := range deposits {
		_, receipt, err := d.deposit.Execute(m, i, pool)
		if err != nil {
			return err
		}
		s.Gas[i] = receipt.GasUsed
	}
	if left, want := m.State().Root(), s.After(from).Root(); left != want {
		return fmt.Errorf("the deposits of the system left the state %s, not %s", left, want)
	}
	return nil
}
