package preconf

import (
	"cmp"
	"encoding/binary"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
)

// env returns the environment of the next block on the builder's head.
func (w *world) env() chain.Env {
	e := w.envAt(w.control.Timestamp(w.head()), w.control.Next.FromL1)
	if w.control.Next.PrevRandao != nil {
		e.PrevRandao = *w.control.Next.PrevRandao
	}
	return e
}

// envAt is env with the time of the block, and what L1 brings into it, given.
func (w *world) envAt(timestamp int64, from control.FromL1) chain.Env {
	e := chain.Env{L1: from.L1, Deposits: from.Deposits}
	seconds := uint64(timestamp / int64(time.Second))
	if w.hasL1() {
		e = w.cfg.Derivation.Next(w.below.chain, w.builder(), seconds)
	}
	e.Time, e.Millis = seconds, uint16(timestamp%int64(time.Second)/int64(time.Millisecond))
	e.Coinbase, e.BaseFee, e.ExtraData = w.control.Settings.Coinbase, w.control.Next.BaseFee, w.cfg.ExtraData
	if w.control.Settings.GasLimit != 0 {
		e.GasLimit = w.control.Settings.GasLimit
	}
	if w.cfg.NoBeacon {
		e.BeaconRoot = new(w.builder().Head().Hash())
	}
	w.applyWeather(&e)
	e.BaseFee = cmp.Or(e.BaseFee, w.cfg.FixedBaseFee)
	switch {
	case w.cfg.NoBeacon && w.control.Reorgs == 0:
	case !w.hasL1():
		e.PrevRandao = w.prevRandao(w.randaoNumber(e))
	case w.control.Reorgs > 0: // of the L2 alone: the same blocks would come again
		e.PrevRandao = w.prevRandao(e.L1.Number)
	}
	return e
}

// randaoNumber returns the number of the block that decides PREVRANDAO: the next one, or with Denim its L1 block's.
func (w *world) randaoNumber(e chain.Env) uint64 {
	if w.builder().BlockTime() > 0 {
		if l1, err := w.builder().NextL1(e); err == nil {
			return l1.Number
		}
	}
	return w.nextNumber()
}

// prevRandao returns the prevRandao of block n: repeatable, and different on each branch.
func (w *world) prevRandao(n uint64) common.Hash {
	var b [24]byte // n in 16 bytes, the branch in 8
	binary.BigEndian.PutUint64(b[8:], n)
	binary.BigEndian.PutUint64(b[16:], w.control.Reorgs)
	return crypto.Keccak256Hash(b[:])
}
