package evmstate_test

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// message returns a random message; most are valid. nonce returns the nonce of a sender.
func (w *world) message(nonce func(common.Address) uint64, baseFee *big.Int) *core.Message {
	floor := new(uint256.Int)
	if baseFee != nil {
		floor.SetFromBig(baseFee)
	}
	from := pick(w.choices, w.senders)
	msg := &core.Message{
		From:      from,
		Nonce:     nonce(from),
		Value:     new(uint256.Int),
		GasLimit:  pick(w.choices, []uint64{100_000, 150_000, 200_000, 400_000, 400_000, 100_000, 60_000, 30_000}),
		GasPrice:  new(uint256.Int).AddUint64(floor, uint64(w.below(3))),
		GasFeeCap: new(uint256.Int).AddUint64(floor, 2),
		GasTipCap: uint256.NewInt(uint64(w.below(3))),
	}
	if w.rules.IsAmsterdam { // state gas needs more, and a limit above 2^24 leaves some of it for state gas alone
		msg.GasLimit = pick(w.choices, []uint64{20_000, 60_000, 200_000, 400_000, 1_000_000, 2_000_000, 5_000_000, 17_000_000, 17_500_000})
	}
	if w.once(24) {
		msg.Nonce++
	}
	if w.once(3) {
		msg.Value.SetUint64(pick(w.choices, []uint64{1, 2, 1e11, 1e13}))
	}
	if w.once(8) {
		msg.Data = w.init()
		return msg
	}
	to := pick(w.choices, w.contracts)
	if w.once(3) {
		to = w.address()
	}
	msg.To = &to
	msg.Data = make([]byte, w.below(40))
	if w.rules.IsBerlin && w.once(4) {
		msg.AccessList = types.AccessList{{Address: w.address(), StorageKeys: []common.Hash{w.hash(), w.hash()}}, {Address: w.address()}}
	}
	if w.rules.IsCancun && w.once(12) {
		msg.BlobHashes = []common.Hash{{1, 2}}
		msg.BlobGasFeeCap = uint256.NewInt(uint64(1 + w.below(2)))
	}
	if w.rules.IsPrague && w.once(4) {
		for range 1 + w.below(3) {
			msg.SetCodeAuthorizations = append(msg.SetCodeAuthorizations, w.authorization(nonce, from))
		}
	}
	return msg
}

func (w *world) authorization(nonce func(common.Address) uint64, from common.Address) types.SetCodeAuthorization {
	i := w.below(len(w.keys))
	auth := types.SetCodeAuthorization{ChainID: *uint256.MustFromBig(w.config.ChainID), Nonce: nonce(w.senders[i])}
	if w.senders[i] == from {
		auth.Nonce++
	}
	if !w.once(4) {
		auth.Address = w.address()
	}
	if w.once(6) {
		auth.Nonce++
	}
	signed, err := types.SignSetCode(w.keys[i], auth)
	if err != nil {
		panic(err)
	}
	return signed
}
