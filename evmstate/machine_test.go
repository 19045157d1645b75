package evmstate_test

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

func newMachine(t *testing.T, base *evmstate.State) *evmstate.Machine {
	machine := evmstate.NewMachine(base, benchBlock, benchConfig, vm.Config{})
	t.Cleanup(machine.Release)
	return machine
}

func TestMachineApply(t *testing.T) {
	t.Parallel()
	base := evmstate.StateFromAlloc(benchAlloc())
	machine := newMachine(t, base)
	for index := range 2 {
		machine.SetTxContext(common.Hash{byte(index)}, index)
		result, logs, err := machine.Apply(t.Context(), tokenTransfer, nil)
		require.NoError(t, err)
		require.Equal(t, common.Hash{31: 1}.Bytes(), result.Return())
		require.Equal(t, []*types.Log{{
			Address:        token,
			Topics:         []common.Hash{transferTopic, common.BytesToHash(alice[:]), common.BytesToHash(bob[:])},
			Data:           common.Hash{31: 1}.Bytes(),
			BlockNumber:    benchBlock.BlockNumber.Uint64(),
			BlockTimestamp: benchBlock.Time,
			TxHash:         common.Hash{byte(index)},
			TxIndex:        uint(index),
			Index:          uint(index),
		}}, logs)
		require.Equal(t, common.Hash{31: byte(2 + index)}, machine.State().Storage(token, balanceSlot(bob)))
		require.Equal(t, uint64(1+index), machine.State().Nonce(alice))
	}
	require.Zero(t, base.Nonce(alice))
}

// TestMachineInvalidMessage checks that a message rejected after it was charged for gas leaves no trace.
func TestMachineInvalidMessage(t *testing.T) {
	t.Parallel()
	machine := newMachine(t, evmstate.StateFromAlloc(benchAlloc()))
	_, _, err := machine.Apply(t.Context(), plainTransfer, nil)
	require.NoError(t, err)
	before, gp := machine.State(), core.NewGasPool(50_000)

	tooLittle := benchMessage(bob, 1).SkipNonceCheck()
	tooLittle.GasLimit = 20_000
	result, logs, err := machine.Apply(t.Context(), tooLittle, gp)
	require.ErrorIs(t, err, core.ErrIntrinsicGas)
	require.Nil(t, result)
	require.Nil(t, logs)
	require.Same(t, before, machine.State())
	require.Equal(t, core.NewGasPool(50_000), gp)

	_, _, err = machine.Apply(t.Context(), plainTransfer, gp)
	require.ErrorIs(t, err, core.ErrGasLimitReached)
	_, _, err = machine.Apply(t.Context(), benchMessage(bob, 1), nil)
	require.ErrorIs(t, err, core.ErrNonceTooLow)
	require.Same(t, before, machine.State())
}

func TestMachineCancelled(t *testing.T) {
	t.Parallel()
	loop := program.New().Op(vm.JUMPDEST).Push(0).Op(vm.JUMP).Bytes()
	base := evmstate.StateFromAlloc(benchAlloc()).WithCode(contract, loop)
	endless := benchMessage(contract, 0).SkipNonceCheck().SkipGasLimitCapCheck()
	endless.GasLimit, endless.GasPrice, endless.GasFeeCap = 1<<50, wei(7), wei(7)
	endless.GasTipCap = wei(0)
	base = base.WithBalance(alice, wei(0).Lsh(wei(1), 100))

	t.Run("while it runs", func(t *testing.T) {
		t.Parallel()
		machine := newMachine(t, base)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, _, err := machine.Apply(ctx, endless, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Same(t, base, machine.State())
	})
	t.Run("before it runs", func(t *testing.T) {
		t.Parallel()
		machine := newMachine(t, base)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := machine.Apply(ctx, endless, nil)
		require.ErrorIs(t, err, context.Canceled)
		_, _, err = machine.Apply(t.Context(), plainTransfer, nil)
		require.NoError(t, err, "nothing ran: the machine is still good")
	})
}

// TestMachineReleased checks that a Machine which reuses the memory of a released one sees nothing of its writes.
func TestMachineReleased(t *testing.T) {
	t.Parallel()
	base := evmstate.StateFromAlloc(benchAlloc())
	for range 20 {
		machine := evmstate.NewMachine(base, benchBlock, benchConfig, vm.Config{})
		_, logs, err := machine.Apply(t.Context(), tokenTransfer, nil)
		require.NoError(t, err)
		require.Zero(t, logs[0].Index)
		kept := machine.State()
		machine.Overlay().AddBalance(nobody, wei(1), tracing.BalanceChangeUnspecified) // not finalised
		machine.Release()
		require.Equal(t, common.Hash{31: 2}, kept.Storage(token, balanceSlot(bob)))
		require.False(t, kept.Exist(nobody))
	}
	require.Equal(t, common.Hash{31: 1}, base.Storage(token, balanceSlot(bob)))
}

func TestRevertError(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		data         []byte
		reason, text string
	}{
		"no data": {text: "execution reverted"},
		"reason": {
			data: common.FromHex("0x08c379a0" +
				"0000000000000000000000000000000000000000000000000000000000000020" +
				"0000000000000000000000000000000000000000000000000000000000000004" +
				"6e6f706500000000000000000000000000000000000000000000000000000000"),
			reason: "nope", text: "execution reverted: nope",
		},
		"panic": {
			data:   common.FromHex("0x4e487b710000000000000000000000000000000000000000000000000000000000000011"),
			reason: "arithmetic underflow or overflow", text: "execution reverted: arithmetic underflow or overflow",
		},
		"error of its own": {data: common.FromHex("0x12345678"), text: "execution reverted"},
		"broken reason":    {data: common.FromHex("0x08c379a0ff"), text: "execution reverted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := &evmstate.RevertError{Data: test.data}
			require.Equal(t, test.reason, err.Reason())
			require.EqualError(t, err, test.text)
		})
	}
}

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
