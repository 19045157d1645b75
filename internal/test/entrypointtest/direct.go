package entrypointtest

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// CompareCalls makes random calls of deposits, stakes and nonces, one after another while time goes by, and of
// functions that only some versions have. Both codes must answer and log exactly alike.
func CompareCalls(t require.TestingT, version Version, published []byte, seed uint64, calls int) {
	w := newTwins(t, version, published, seed)
	for range calls {
		from, data, wei := fixtures.Dev(w.random.IntN(3)), w.directCall(), new(uint256.Int)
		if w.one(2) {
			wei.SetUint64(pick(w, 1, 1_000, uint64(1_000_000)))
		}
		ours, theirs := w.ours.SendValue(from, version.Address, data, wei), w.theirs.SendValue(from, version.Address, data, wei)
		what := common.Bytes2Hex(data)
		require.Equal(t, contracttest.Describe(theirs.Output), contracttest.Describe(ours.Output), what)
		require.Equal(t, theirs.Succeeded, ours.Succeeded, what)
		require.Equal(t, len(theirs.Logs), len(ours.Logs), what)
		for i, log := range ours.Logs {
			require.Equal(t, theirs.Logs[i].Topics, log.Topics, what)
			require.Equal(t, theirs.Logs[i].Data, log.Data, what)
		}
		now := w.ours.Now() + w.random.Uint64N(3)
		w.ours.SetTime(now)
		w.theirs.SetTime(now)
	}
}

// directCall returns a call of a function that needs no operation.
func (w *twins) directCall() []byte {
	account := fixtures.Dev(w.random.IntN(3)).Address
	amount := pick(w, new(big.Int), big.NewInt(1), big.NewInt(900), new(big.Int).Lsh(common.Big1, 80))
	to := pick(w, beneficiary, factory, w.version.Address, entrypoint.V07SenderCreatorAddress) // the last takes no ether
	switch w.random.IntN(16) {
	case 0:
		return nil // receive
	case 1:
		return v07.PackDepositTo(account)
	case 2:
		return v07.PackWithdrawTo(to, amount)
	case 3, 4:
		return v07.PackAddStake(pick[uint32](w, 0, 1, 2, 5))
	case 5, 6:
		return v07.PackUnlockStake()
	case 7, 8:
		return v07.PackWithdrawStake(to)
	case 9:
		return v07.PackGetDepositInfo(account)
	case 10:
		return v07.PackIncrementNonce(amount)
	case 11:
		return v07.PackGetNonce(account, amount)
	case 12:
		return v07.PackGetSenderAddress(pick(w, append(factory.Bytes(), pack("make", uint8(0), [32]byte{1})...), append(factory.Bytes(), pack("make", uint8(10), [32]byte{})...)))
	case 13:
		return w.ofOneVersion()
	default:
		return v07.PackBalanceOf(account)
	}
}

// ofOneVersion returns a call that some of the versions have.
func (w *twins) ofOneVersion() []byte {
	op := w.operation()
	if w.version.Name == "0.6" {
		simulated := binding.GetABI()
		undeployed, err := simulated.Pack("_validateSenderAndPaymaster", op.InitCode, op.Sender, unpacked([]entrypoint.PackedUserOperation{op})[0].PaymasterAndData)
		require.NoError(w.t, err)
		return pick(w, undeployed, binding.PackDeposits(rich), binding.PackSIGVALIDATIONFAILED(), binding.PackGetUserOpHash(unpacked([]entrypoint.PackedUserOperation{op})[0]))
	}
	choices := [][]byte{
		v07.PackGetUserOpHash(op), v07.PackDelegateAndRevert(rich, pack("execute", pick[uint8](w, 0, 10), common.Address{}, []byte(nil))),
	}
	for _, id := range []uint32{0x01ffc9a7, 0xcf28ef97, 0x3e84f021, 0x915074d8, 0x60fc6b6e, 0x989ccc58, 0x6930d3ee, 0x283f5489, 0xd9934b3f, 0xffffffff} {
		choices = append(choices, v07.PackSupportsInterface([4]byte(common.LeftPadBytes(big.NewInt(int64(id)).Bytes(), 4))))
	}
	if w.version.Name != "0.7" {
		choices = append(choices, v09.PackSenderCreator(), v09.PackGetDomainSeparatorV4(), v09.PackGetPackedUserOpTypeHash(), v09.PackEip712Domain())
	}
	return pick(w, choices...)
}
