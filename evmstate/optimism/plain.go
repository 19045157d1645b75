package optimism

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"

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
	scalars := s.Storage(L1BlockAddress, slotScalars)
	found = System{L1: &l1, Sequence: binary.BigEndian.Uint64(scalars[24:]), HasTime: r.BlockTime() > 0}
	for _, slot := range found.slots() {
		if s.Storage(L1BlockAddress, slot.Key) != slot.Value {
			return System{}, false
		}
	}
	if found.HasTime {
		millis, code := s.Storage(BaseTimeAddress, slotMillis), s.Storage(BaseTimeAddress, proxyContractSlot)
		found.Millis = binary.BigEndian.Uint16(millis[30:])
		if s.CodeHash(BaseTimeAddress) != proxyCode || code != common.BytesToHash(baseTimeContract[:]) ||
			s.CodeHash(baseTimeContract) != baseTimeCode || millis != found.millisSlot().Value {
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

func (s *System) slots() [7]evmstate.Slot { return s.L1.slots(s.Sequence) }

func (s *System) millisSlot() evmstate.Slot {
	slot := evmstate.Slot{Key: slotMillis}
	binary.BigEndian.PutUint16(slot.Value[30:], s.Millis)
	return slot
}

// After returns the State after the deposits, which SystemIn knew the effect of before.
func (s *System) After(state *evmstate.State) *evmstate.State {
	slots := s.slots()
	state = state.WithSlots(L1BlockAddress, slots[:]...).WithNonce(Depositor, s.Nonce+uint64(s.Count()))
	if s.HasTime {
		state = state.WithSlots(BaseTimeAddress, s.millisSlot())
	}
	return state
}

// SystemAccounts returns the accounts that the deposits change, in the order of what Write takes.
func (r *Rules) SystemAccounts() []common.Address {
	if r.BlockTime() > 0 {
		return []common.Address{Depositor, L1BlockAddress, BaseTimeAddress}
	}
	return []common.Address{Depositor, L1BlockAddress}
}

// Write makes the changes to accounts in which the deposits differ from those before.
func (s *System) Write(before *System, accounts []*evmstate.Storage) {
	accounts[0].SetNonce(s.Nonce + uint64(s.Count()))
	if s.Sequence != before.Sequence || *s.L1 != *before.L1 {
		old := before.slots()
		for i, slot := range s.slots() {
			if slot.Value != old[i].Value {
				accounts[1].Set(slot.Key, slot.Value)
			}
		}
	}
	if s.Millis != before.Millis {
		slot := s.millisSlot()
		accounts[2].Set(slot.Key, slot.Value)
	}
}

// GasKey holds all that the gas of the deposits depends on: deposits with equal ones use the same.
type GasKey struct {
	fields uint64 // three bits for each field of L1, the sequence and the milliseconds: unchanged, zero before, zero now
	zeros  [2]int // zero bytes in the data of each
}

// GasKey returns what the gas of the deposits, which are the given ones, depends on after those before.
func (s *System) GasKey(before *System, deposits []*Included) (key GasKey) {
	now, then := s.fields(), before.fields()
	for i, field := range now {
		for _, bit := range []bool{field == then[i], then[i] == common.Hash{}, field == common.Hash{}} {
			if key.fields <<= 1; bit {
				key.fields |= 1
			}
		}
	}
	for i, d := range deposits {
		key.zeros[i] = bytes.Count(d.Data(), []byte{0})
	}
	return key
}

// fields returns the values that the contracts store, each of which they write by itself.
func (s *System) fields() (words [13]common.Hash) {
	l := s.L1
	for i, n := range []uint64{
		l.Number, l.Time, s.Sequence, uint64(l.BaseFeeScalar), uint64(l.BlobBaseFeeScalar), uint64(l.OperatorFeeScalar),
		l.OperatorFeeConstant, uint64(l.DAFootprintGasScalar), uint64(s.Millis),
	} {
		binary.BigEndian.PutUint64(words[i][24:], n)
	}
	words[9], words[10], words[11], words[12] = l.Hash, l.BatcherHash, l.L1BaseFee.Bytes32(), l.BlobBaseFee.Bytes32()
	return words
}

// Measure sets the gas of the deposits, which are the given ones, by executing them on m, whose State is from. The
// error names an effect that they should not have.
func (s *System) Measure(m *evmstate.Machine, from *evmstate.State, deposits []*Included, r *Rules, pool *core.GasPool) error {
	for i, d := range deposits {
		_, receipt, err := d.deposit.Execute(m, i, pool)
		if err != nil {
			return err
		}
		if receipt.Status != types.ReceiptStatusSuccessful || len(receipt.Logs) > 0 {
			return fmt.Errorf("deposit %d of the system failed, or has logs", i)
		}
		s.Gas[i] = receipt.GasUsed
	}
	left, ok := r.SystemIn(m.State())
	if !ok || *left.L1 != *s.L1 || left.Sequence != s.Sequence || left.Millis != s.Millis || left.Nonce != s.Nonce {
		return fmt.Errorf("the deposits of the system left %+v", left)
	}
	changed := r.SystemAccounts()
	for _, address := range m.State().WrittenSince(from) {
		if !slices.Contains(changed, address) {
			return fmt.Errorf("the deposits of the system changed %s", address)
		}
	}
	return nil
}
