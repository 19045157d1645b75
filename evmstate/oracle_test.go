package evmstate_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	gethtests "github.com/ethereum/go-ethereum/tests"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// oracleForks names the forks that the oracle runs under, as the official tests name them.
var oracleForks = []string{
	"Frontier", "Homestead", "EIP150", "EIP158", "Byzantium", "Constantinople", "ConstantinopleFix",
	"Istanbul", "Berlin", "London", "Merge", "Shanghai", "Cancun", "Prague", "Osaka", "Amsterdam",
}

// TestOracle executes random blocks on a Machine and on go-ethereum's own state, and checks that every message and
// every block has the same result.
func TestOracle(t *testing.T) {
	t.Parallel()
	seeds := laboratory.Budget[uint64](t, 4, 40)
	for fork, name := range oracleForks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range seeds {
				runOracle(t, name, randomChoices(uint8(fork), seed))
			}
		})
	}
}

// FuzzOracle runs TestOracle for as many seeds as there is time for. The fuzzer chooses the seed rather than the random
// bytes, because it would spend its time on shortening them.
func FuzzOracle(f *testing.F) {
	for fork := range oracleForks {
		f.Add(uint8(fork), uint64(1_000))
	}
	f.Fuzz(func(t *testing.T, fork uint8, seed uint64) {
		runOracle(t, oracleForks[int(fork)%len(oracleForks)], randomChoices(fork, seed))
	})
}

func randomChoices(fork uint8, seed uint64) []byte {
	key := [32]byte{fork}
	binary.BigEndian.PutUint64(key[1:], seed)
	data := make([]byte, 1500)
	_, _ = rand.NewChaCha8(key).Read(data)
	return data
}

// runOracle returns how many messages it compared.
func runOracle(t *testing.T, fork string, data []byte) (compared int) {
	config := gethtests.Forks[fork]
	c := &choices{data: data}
	block := testBlock(config, 1)
	w := newWorld(c, config, config.Rules(block.BlockNumber, block.Random != nil, block.Time))
	ours := evmstate.StateFromAlloc(w.alloc)
	theirs := newReference(t, w.alloc)
	require.Equal(t, theirs.root, ours.Root(), "genesis")

	for number := int64(1); c.more(); number++ {
		block := testBlock(config, number)
		traced := c.once(3)
		var executed int
		ours, executed = runBlock(t, w, block, ours, theirs, traced)
		compared += executed
		if theirs.root != ours.Root() || number%4 == 0 { // shows whether accounts are wrong or only tries
			require.Equal(t, theirs.root, evmstate.StateFromAlloc(ours.Alloc()).Root(), "accounts after block %d", number)
		}
		require.Equal(t, theirs.root, ours.Root(), "root after block %d", number)
	}
	return compared
}

// runBlock executes the messages of one block on both states. It returns ours, and how many messages were valid.
func runBlock(t *testing.T, w *world, block vm.BlockContext, base *evmstate.State, theirs *reference, traced bool) (*evmstate.State, int) {
	var events [2][]string
	var cfg [2]vm.Config
	if traced {
		cfg[0].Tracer, cfg[1].Tracer = recorder(&events[0]), recorder(&events[1])
	}
	machine := evmstate.NewMachine(base, block, w.config, cfg[0])
	defer machine.Release()
	evm := vm.NewEVM(block, state.NewHookedState(theirs.db, cfg[1].Tracer), w.config, cfg[1])
	defer evm.Release()

	parent := &types.Header{Number: new(big.Int).Sub(block.BlockNumber, common.Big1)}
	var accesses [2]*bal.ConstructionBlockAccessList
	for i, evm := range []*vm.EVM{machine.EVM(), evm} {
		if w.rules.IsCancun {
			accesses[i] = core.PreExecution(context.Background(), &common.Hash{7}, parent, w.config, evm, block.BlockNumber, block.Time)
		}
	}
	limit := uint64(1_500_000)
	if w.rules.IsAmsterdam {
		limit = 45_000_000
	}
	pools, executed := [2]*core.GasPool{core.NewGasPool(limit), core.NewGasPool(limit)}, 0
	count := 1 + w.below(6)
	for index := range count {
		msg := w.message(theirs.db.GetNonce, block.BaseFee)
		hash := common.BytesToHash([]byte{byte(index), 1})
		machine.SetTxContext(hash, index)
		theirs.db.SetTxContext(hash, index, uint32(index+1))

		got, gotLogs, gotErr := machine.Apply(t.Context(), msg, pools[0])
		want, wantLogs, wantAccesses, wantErr := theirs.apply(evm, msg, pools[1], hash)
		require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(gotErr), "error of message %d", index)
		require.Equal(t, want, got, "message %d: %+v", index, msg)
		require.Equal(t, wantLogs, append([]*types.Log(nil), gotLogs...), "logs of message %d", index)
		require.Equal(t, pools[1], pools[0], "gas pool after message %d", index)
		require.Equal(t, events[1], events[0], "state hooks of message %d", index)
		if wantErr == nil {
			executed++
			gotAccesses := machine.Accesses()
			require.Equal(t, encoded(wantAccesses), encoded(gotAccesses), "accesses of message %d", index)
			accesses[0].Merge(gotAccesses)
			accesses[1].Merge(wantAccesses)
		}
		if !w.rules.IsByzantium {
			require.Equal(t, theirs.db.IntermediateRoot(w.rules), machine.Commit().Root(), "root after message %d", index)
		}
	}
	if w.rules.IsShanghai {
		withdrawals := types.Withdrawals{{Address: w.address(), Amount: uint64(w.below(2))}}
		got, gotAccesses, err := core.PostExecution(context.Background(), w.config, block.BlockNumber, block.Time, nil, withdrawals, machine.EVM(), uint32(count+1))
		require.NoError(t, err)
		want, wantAccesses, err := core.PostExecution(context.Background(), w.config, block.BlockNumber, block.Time, nil, withdrawals, evm, uint32(count+1))
		require.NoError(t, err)
		require.Equal(t, want, got, "requests")
		accesses[0].Merge(gotAccesses)
		accesses[1].Merge(wantAccesses)
	} else { // a block reward
		for _, db := range []vm.StateDB{machine.Overlay(), evm.StateDB} {
			db.AddBalance(coinbase, uint256.NewInt(5), tracing.BalanceIncreaseRewardMineBlock)
			db.Finalise(w.rules)
		}
	}
	require.Equal(t, events[1], events[0], "state hooks")
	if w.rules.IsAmsterdam {
		list := accesses[0].ToEncodingObj()
		require.Equal(t, accesses[1].ToEncodingObj().Hash(), list.Hash(), "hash of the block access list")
		require.NoError(t, list.Validate(limit, count))
	}
	theirs.commit(t, w.rules)
	return machine.Commit(), executed
}

// encoded returns a list in the form that can be compared, or nil if there is none.
func encoded(list *bal.ConstructionBlockAccessList) *bal.BlockAccessList {
	if list == nil {
		return nil
	}
	return list.ToEncodingObj()
}

// reference is go-ethereum's own state, the oracle.
type reference struct {
	db   *state.StateDB
	root common.Hash
}

func newReference(t testing.TB, alloc types.GenesisAlloc) *reference {
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	require.NoError(t, err)
	for address, account := range alloc {
		db.AddBalance(address, uint256.MustFromBig(account.Balance), tracing.BalanceIncreaseGenesisBalance)
		db.SetCode(address, account.Code, tracing.CodeChangeGenesis)
		db.SetNonce(address, account.Nonce, tracing.NonceChangeGenesis)
		for key, value := range account.Storage {
			db.SetState(address, key, value)
		}
	}
	r := &reference{db: db}
	r.commit(t, params.Rules{})
	return r
}

// commit writes the state to its database and opens it again.
func (r *reference) commit(t testing.TB, rules params.Rules) {
	var err error
	r.root, err = r.db.Commit(rules, 0)
	require.NoError(t, err)
	r.db, err = state.New(r.root, r.db.Database())
	require.NoError(t, err)
}

func (r *reference) apply(evm *vm.EVM, msg *core.Message, gp *core.GasPool, hash common.Hash) (*core.ExecutionResult, []*types.Log, *bal.ConstructionBlockAccessList, error) {
	snapshot, before := r.db.Snapshot(), gp.Snapshot()
	result, err := core.ApplyMessage(evm, msg, gp)
	if err != nil {
		r.db.RevertToSnapshot(snapshot)
		gp.Set(before)
		return nil, nil, nil, err
	}
	accesses := evm.StateDB.Finalise(evm.GetRules())
	return result, r.db.GetLogs(hash, evm.Context.BlockNumber.Uint64(), common.Hash{}, evm.Context.Time), accesses, nil
}

// recorder returns hooks that append a line to events for every change of state.
func recorder(events *[]string) *tracing.Hooks {
	note := func(format string, a ...any) { *events = append(*events, fmt.Sprintf(format, a...)) }
	return &tracing.Hooks{
		OnBalanceChange: func(a common.Address, before, after *big.Int, reason tracing.BalanceChangeReason) {
			note("balance of %v: %v to %v, %v", a, before, after, reason)
		},
		OnNonceChangeV2: func(a common.Address, before, after uint64, reason tracing.NonceChangeReason) {
			note("nonce of %v: %v to %v, %v", a, before, after, reason)
		},
		OnCodeChangeV2: func(a common.Address, hashBefore common.Hash, before []byte, hashAfter common.Hash, after []byte, reason tracing.CodeChangeReason) {
			note("code of %v: %v %x to %v %x, %v", a, hashBefore, before, hashAfter, after, reason)
		},
		OnStorageChange: func(a common.Address, slot, before, after common.Hash) {
			note("slot %v of %v: %v to %v", slot, a, before, after)
		},
		OnLog: func(log *types.Log) { note("log %+v", *log) },
	}
}

func testBlock(config *params.ChainConfig, number int64) vm.BlockContext {
	block := vm.BlockContext{
		CanTransfer: core.CanTransfer,
		Transfer:    core.Transfer,
		GetHash:     func(n uint64) common.Hash { return crypto.Keccak256Hash(big.NewInt(int64(n)).Bytes()) },
		Coinbase:    coinbase,
		GasLimit:    30_000_000,
		BlockNumber: big.NewInt(number),
		Time:        uint64(1_000 + number),
		Difficulty:  big.NewInt(1),
		BlobBaseFee: big.NewInt(1),
		SlotNum:     uint64(number) + 77,

		CostPerStateByte: params.CostPerStateByte,
	}
	if config.IsLondon(block.BlockNumber) {
		block.BaseFee = big.NewInt(7)
	}
	if config.TerminalTotalDifficulty != nil {
		block.Difficulty, block.Random = new(big.Int), &common.Hash{9}
	}
	return block
}
