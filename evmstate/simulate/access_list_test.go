package simulate_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

func TestCreateAccessList(t *testing.T) {
	t.Parallel()
	calls := common.HexToAddress("0xc3")
	reverts := common.HexToAddress("0xc4")
	chases := common.HexToAddress("0xc5")
	v := newView(t, "", map[common.Address][]byte{
		target: counter(),
		calls: program.New().Call(nil, target, 0, 0, 0, 0, 0).StaticCall(nil, 4, 0, 0, 0, 0).
			Push(nobody).Op(vm.BALANCE).Push(rich).Op(vm.BALANCE).Bytes(),
		reverts: program.New().Push0().Op(vm.SLOAD).Push0().Push0().Op(vm.REVERT).Bytes(),
		// Reads slot 1, and slot 2 only if that cost less than 1,000 gas.
		chases: func() []byte {
			p := program.New().Op(vm.GAS).Push(1).Op(vm.SLOAD, vm.POP, vm.GAS, vm.SWAP1, vm.SUB).Push(1000).Op(vm.GT)
			p = p.Push(p.Size()+4).Op(vm.JUMPI, vm.STOP, vm.JUMPDEST)
			return p.Push(2).Op(vm.SLOAD, vm.STOP).Bytes()
		}(),
	})
	for _, test := range []struct {
		name string
		to   common.Address
		want types.AccessList
		err  error
	}{
		{"transfer", nobody, types.AccessList{}, nil},
		{"own storage", target, types.AccessList{{Address: target, StorageKeys: []common.Hash{word(0)}}}, nil},
		{"others, without sender, target and precompiles", calls, types.AccessList{
			{Address: nobody, StorageKeys: []common.Hash{}}, {Address: target, StorageKeys: []common.Hash{word(0)}},
		}, nil},
		{"reverted", reverts, types.AccessList{{Address: reverts, StorageKeys: []common.Hash{word(0)}}}, vm.ErrExecutionReverted},
		{"changed by the list itself", chases, types.AccessList{{Address: chases, StorageKeys: []common.Hash{word(1), word(2)}}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			list, gas, failure, err := simulate.CreateAccessList(t.Context(), v, callTo(test.to), nil, nil, simulate.Limits{})
			require.NoError(t, err)
			require.Equal(t, test.want, list)
			require.Equal(t, test.err, failure)
			call := callTo(test.to)
			call.AccessList = &list
			r, err := simulate.RunCall(t.Context(), v, call, nil, nil, simulate.Limits{})
			require.NoError(t, err)
			require.Equal(t, r.GasUsed, gas, "gas with the list")
		})
	}

	free := callTo(target)
	free.MaxFeePerBlobGas = new(big.Int)
	_, _, _, err := simulate.CreateAccessList(t.Context(), v, free, nil, nil, simulate.Limits{})
	require.ErrorIs(t, err, simulate.ErrZeroBlobFee)
	tipped := callTo(nobody)
	tipped.MaxPriorityFeePerGas = big.NewInt(1)
	tipped.Gas = ptr(uint64(21_000))
	_, _, _, err = simulate.CreateAccessList(t.Context(), v, tipped, nil, nil, simulate.Limits{})
	require.NoError(t, err)
	tipped.From = &poor
	_, _, _, err = simulate.CreateAccessList(t.Context(), v, tipped, nil, nil, simulate.Limits{})
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
}

// Ensure a list ends for code that reads another slot the less gas it has left, and needs no entry for an account whose
// authorization takes effect.
func TestAccessListLimits(t *testing.T) {
	t.Parallel()
	key, err := crypto.ToECDSA(word(7).Bytes())
	require.NoError(t, err)
	authority, reader := crypto.PubkeyToAddress(key.PublicKey), common.HexToAddress("0xc6")
	v := newView(t, "", map[common.Address][]byte{
		target:  program.New().Call(nil, reader, 0, 0, 0, 0, 0).Bytes(),
		reader:  program.New().Op(vm.GAS, vm.SLOAD, vm.STOP).Bytes(),
		another: program.New().Push(authority).Op(vm.BALANCE, vm.STOP).Bytes(),
	})
	_, _, _, err = simulate.CreateAccessList(t.Context(), v, callTo(target), nil, nil, simulate.Limits{})
	require.EqualError(t, err, "the access list still grows after 32 executions: what the call touches depends on the gas it has left")

	for _, test := range []struct {
		chainID, nonce uint64
		cold           bool // the account has an entry
	}{
		{chainID, 0, false}, {0, 0, false}, {chainID, math.MaxUint64 - 1, false}, {chainID, math.MaxUint64, true}, {chainID + 1, 0, true},
	} {
		auth, err := types.SignSetCode(key, types.SetCodeAuthorization{ChainID: *uint256.NewInt(test.chainID), Nonce: test.nonce, Address: nobody})
		require.NoError(t, err)
		call := callTo(another)
		call.Authorizations = []types.SetCodeAuthorization{auth}
		list, _, failure, err := simulate.CreateAccessList(t.Context(), v, call, nil, nil, simulate.Limits{})
		require.NoError(t, err)
		require.NoError(t, failure)
		require.Equal(t, test.cold, len(list) == 1, "%+v", test)
	}
}
