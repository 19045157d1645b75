package evmstate_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	gethtests "github.com/ethereum/go-ethereum/tests"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

var (
	contract = common.Address{0xcc}
	nobody   = common.Address{0xee}
	ripemd   = common.BytesToAddress([]byte{3})
	identity = common.BytesToAddress([]byte{4})
)

// phoenix returns the address of a contract and the code that creates it there with CREATE2, always at the same
// address. The contract destroys itself when called with data, and otherwise sets slot 2.
func phoenix() (address common.Address, creator []byte) {
	runtime := program.New().Op(vm.CALLDATASIZE).Push(10).Op(vm.JUMPI).Sstore(2, 7).Op(vm.STOP).Op(vm.JUMPDEST).Selfdestruct(bob)
	init := program.New().Sstore(1, 1).ReturnViaCodeCopy(runtime.Bytes()).Bytes()
	return crypto.CreateAddress2(contract, common.Hash{}, crypto.Keccak256(init)), program.New().Create2(init, 0).Bytes()
}

var phoenixAddress, phoenixCreator = phoenix()

// deletions lists the ways in which accounts and slots disappear, and cases in which they must stay.
var deletions = []struct {
	name  string
	fork  string
	alloc types.GenesisAlloc
	calls []*core.Message
	want  func(*testing.T, *evmstate.State)
}{
	{
		name: "a touched empty account stays before Spurious Dragon", fork: "EIP150",
		alloc: types.GenesisAlloc{nobody: {}}, calls: []*core.Message{call(nobody)},
		want: func(t *testing.T, s *evmstate.State) { require.True(t, s.Exist(nobody)) },
	},
	{
		name: "a touch creates an empty account before Spurious Dragon", fork: "Homestead",
		calls: []*core.Message{call(nobody)},
		want:  func(t *testing.T, s *evmstate.State) { require.True(t, s.Exist(nobody)) },
	},
	{
		name: "a touched empty account goes (EIP-161)", fork: "EIP158",
		alloc: types.GenesisAlloc{nobody: {}}, calls: []*core.Message{call(nobody)},
		want: func(t *testing.T, s *evmstate.State) { require.False(t, s.Exist(nobody)) },
	},
	{
		name: "a touch creates no account (EIP-161)", fork: "Osaka",
		calls: []*core.Message{call(nobody)},
		want:  func(t *testing.T, s *evmstate.State) { require.False(t, s.Exist(nobody)) },
	},
	{
		name: "an empty account that is only read stays", fork: "Osaka",
		alloc: types.GenesisAlloc{nobody: {}, contract: {Code: program.New().Push(nobody).Op(vm.BALANCE).Bytes()}},
		calls: []*core.Message{call(contract)},
		want:  func(t *testing.T, s *evmstate.State) { require.True(t, s.Exist(nobody)) },
	},
	{
		name: "an empty account whose touch is reverted stays, but for RIPEMD-160", fork: "EIP158",
		alloc: types.GenesisAlloc{ripemd: {}, identity: {}, contract: {Code: program.New().
			Call(nil, ripemd, 0, 0, 0, 0, 0).Call(nil, identity, 0, 0, 0, 0, 0).Op(vm.INVALID).Bytes()}},
		calls: []*core.Message{call(contract)},
		want: func(t *testing.T, s *evmstate.State) {
			require.True(t, s.Exist(identity))
			require.False(t, s.Exist(ripemd))
		},
	},
	{
		name: "a slot set to zero is no longer in the trie", fork: "Osaka",
		alloc: types.GenesisAlloc{contract: {
			Code: program.New().Sstore(1, 0).Sstore(2, 0).Bytes(), Storage: map[common.Hash]common.Hash{slot1: {1}, slot2: {2}},
		}},
		calls: []*core.Message{call(contract)},
		want: func(t *testing.T, s *evmstate.State) {
			require.Equal(t, types.EmptyRootHash, s.Proof(contract, nil).StorageHash)
			require.Nil(t, s.Alloc()[contract].Storage)
		},
	},
	{
		name: "a slot set and set back changes nothing", fork: "Osaka",
		alloc: types.GenesisAlloc{contract: {
			Code: program.New().Sstore(1, 5).Sstore(1, 1).Sstore(2, 5).Sstore(2, 0).Bytes(), Storage: map[common.Hash]common.Hash{slot1: {31: 1}},
		}},
		calls: []*core.Message{call(contract)},
		want: func(t *testing.T, s *evmstate.State) {
			require.Equal(t, map[common.Hash]common.Hash{slot1: {31: 1}}, s.Alloc()[contract].Storage)
		},
	},
	{
		name: "self-destruct takes account and storage before Cancun", fork: "Shanghai",
		alloc: types.GenesisAlloc{contract: {
			Balance: big.NewInt(9), Code: program.New().Selfdestruct(nobody).Bytes(), Storage: map[common.Hash]common.Hash{slot1: {1}},
		}},
		calls: []*core.Message{call(contract)},
		want: func(t *testing.T, s *evmstate.State) {
			require.False(t, s.Exist(contract))
			require.Zero(t, s.Storage(contract, slot1))
			require.Equal(t, wei(9), s.Balance(nobody))
		},
	},
	{
		name: "self-destruct to itself burns before Cancun", fork: "Shanghai",
		alloc: types.GenesisAlloc{contract: {Balance: big.NewInt(9), Code: program.New().Selfdestruct(contract).Bytes()}},
		calls: []*core.Message{call(contract)},
		want:  func(t *testing.T, s *evmstate.State) { require.False(t, s.Exist(contract)) },
	},
	{
		name: "self-destruct only moves the balance from Cancun on (EIP-6780)", fork: "Cancun",
		alloc: types.GenesisAlloc{contract: {
			Balance: big.NewInt(9), Code: program.New().Selfdestruct(nobody).Bytes(), Storage: map[common.Hash]common.Hash{slot1: {1}},
		}},
		calls: []*core.Message{call(contract)},
		want: func(t *testing.T, s *evmstate.State) {
			require.Equal(t, common.Hash{1}, s.Storage(contract, slot1))
			require.NotEmpty(t, s.Code(contract))
			require.Equal(t, wei(0), s.Balance(contract))
			require.Equal(t, wei(9), s.Balance(nobody))
		},
	},
	{
		name: "a reverted self-destruct does nothing", fork: "Shanghai",
		alloc: types.GenesisAlloc{
			contract: {Balance: big.NewInt(9), Code: program.New().Selfdestruct(nobody).Bytes()},
			token:    {Code: program.New().Call(nil, contract, 0, 0, 0, 0, 0).Push(0).Push(0).Op(vm.REVERT).Bytes()},
		},
		calls: []*core.Message{call(token)},
		want: func(t *testing.T, s *evmstate.State) {
			require.Equal(t, wei(9), s.Balance(contract))
			require.NotEmpty(t, s.Code(contract))
			require.False(t, s.Exist(nobody))
		},
	},
	{
		name: "a contract created and destroyed in one transaction goes (EIP-6780)", fork: "Osaka",
		alloc: types.GenesisAlloc{contract: {Code: append(append([]byte{}, phoenixCreator...), program.New().
			Call(nil, phoenixAddress, 0, 0, 1, 0, 0).Bytes()...)}},
		calls: []*core.Message{call(contract)},
		want:  func(t *testing.T, s *evmstate.State) { require.False(t, s.Exist(phoenixAddress)) },
	},
	{
		name: "a contract destroyed in a later transaction stays (EIP-6780)", fork: "Osaka",
		alloc: types.GenesisAlloc{contract: {Code: phoenixCreator}},
		calls: []*core.Message{call(contract), call(phoenixAddress), call(phoenixAddress, 1)},
		want: func(t *testing.T, s *evmstate.State) {
			require.Equal(t, common.Hash{31: 7}, s.Storage(phoenixAddress, slot2))
		},
	},
	{
		name: "a contract destroyed and created again has no old storage", fork: "London",
		alloc: types.GenesisAlloc{contract: {Code: phoenixCreator}},
		calls: []*core.Message{call(contract), call(phoenixAddress), call(phoenixAddress, 1), call(contract)},
		want: func(t *testing.T, s *evmstate.State) {
			require.Equal(t, map[common.Hash]common.Hash{slot1: {31: 1}}, s.Alloc()[phoenixAddress].Storage)
		},
	},
	{
		name: "no contract is created where there is storage (EIP-7610)", fork: "Osaka",
		alloc: types.GenesisAlloc{
			contract:       {Code: phoenixCreator},
			phoenixAddress: {Balance: big.NewInt(1), Storage: map[common.Hash]common.Hash{{9}: {9}}},
		},
		calls: []*core.Message{call(contract)},
		want: func(t *testing.T, s *evmstate.State) {
			require.Equal(t, types.EmptyCodeHash, s.CodeHash(phoenixAddress))
			require.Zero(t, s.Storage(phoenixAddress, slot1))
		},
	},
}

// call is a message of alice without value or price.
func call(to common.Address, data ...byte) *core.Message {
	msg := benchMessage(to, 0)
	msg.GasPrice, msg.GasFeeCap, msg.GasTipCap, msg.Data = wei(0), wei(0), wei(0), data
	msg.GasLimit = 300_000
	return msg.SkipNonceCheck()
}

// TestDeletions runs each case with all calls in one block, and again with a commit after each call.
func TestDeletions(t *testing.T) {
	t.Parallel()
	for _, test := range deletions {
		for name, commit := range map[string]bool{"": false, ", block by block": true} {
			t.Run(test.name+name, func(t *testing.T) {
				t.Parallel()
				config := gethtests.Forks[test.fork]
				s := evmstate.StateFromAlloc(test.alloc)
				machine := evmstate.NewMachine(s, testBlock(config, 1), config, vm.Config{NoBaseFee: true})
				defer machine.Release()
				for _, msg := range test.calls {
					_, _, err := machine.Apply(t.Context(), msg, nil)
					require.NoError(t, err)
					if commit {
						machine.Commit()
					}
				}
				test.want(t, machine.State())
				require.Equal(t, evmstate.StateFromAlloc(machine.State().Alloc()).Root(), machine.State().Root())
				require.Equal(t, evmstate.StateFromAlloc(test.alloc).Alloc(), s.Alloc(), "the base is as it was")
			})
		}
	}
}
