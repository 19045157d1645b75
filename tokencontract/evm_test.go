package tokencontract_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
)

const testChainID = 31337

// evm is the smallest chain: go-ethereum's EVM on a state, without blocks.
type evm struct {
	t       *testing.T
	state   *state.StateDB
	chainID uint64
	time    uint64
	sent    int64
}

func newEVM(t *testing.T) *evm {
	t.Helper()
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	require.NoError(t, err)
	return &evm{t: t, state: db, chainID: testChainID, time: 1_700_000_000}
}

func (e *evm) Now() uint64              { return e.time }
func (e *evm) SetTime(timestamp uint64) { e.time = timestamp }

func (e *evm) config(from common.Address) *runtime.Config {
	rules := *params.MergedTestChainConfig
	rules.ChainID = new(big.Int).SetUint64(e.chainID)
	return &runtime.Config{
		ChainConfig: &rules, Origin: from, State: e.state, Time: e.time,
		BlockNumber: big.NewInt(1), GasLimit: 30_000_000, BaseFee: new(big.Int),
	}
}

func (e *evm) Send(from fixtures.Account, to *common.Address, data []byte) ending {
	e.sent++
	hash := common.BigToHash(big.NewInt(e.sent))
	e.state.SetTxContext(hash, int(e.sent), 0)
	config := e.config(from.Address)
	var out ending
	var err error
	if to == nil {
		out.Output, out.Created, _, err = runtime.Create(data, config)
	} else {
		out.Output, _, err = runtime.Call(*to, data, config)
	}
	out.Succeeded = err == nil
	out.Logs = e.state.GetLogs(hash, 1, common.Hash{}, e.time)
	e.state.Finalise(e.rules())
	return out
}

func (e *evm) Call(from, to common.Address, data []byte) ending {
	snapshot := e.state.Snapshot()
	defer e.state.RevertToSnapshot(snapshot)
	output, _, err := runtime.Call(to, data, e.config(from))
	return ending{Succeeded: err == nil, Output: output}
}

func (e *evm) Storage(account common.Address, slot common.Hash) common.Hash {
	return e.state.GetState(account, slot)
}

func (e *evm) Delegate(account fixtures.Account, to common.Address) {
	e.state.SetCode(account.Address, types.AddressToDelegation(to), tracing.CodeChangeAuthorization)
}

// place puts a genesis account on the chain.
func (e *evm) place(address common.Address, account types.Account) {
	e.state.SetCode(address, account.Code, tracing.CodeChangeGenesis)
	e.state.SetNonce(address, account.Nonce, tracing.NonceChangeGenesis)
	for slot, value := range account.Storage {
		e.state.SetState(address, slot, value)
	}
	e.state.Finalise(e.rules())
}

func (e *evm) storageRoot(address common.Address) common.Hash {
	e.state.IntermediateRoot(e.rules())
	return e.state.GetStorageRoot(address)
}

func (e *evm) rules() params.Rules {
	return e.config(common.Address{}).ChainConfig.Rules(big.NewInt(1), true, e.time)
}

// Ensure the token behaves as in the table, in a bare EVM.
func TestToken(t *testing.T) {
	t.Parallel()
	for _, c := range allCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, newEVM(t))
		})
	}
}
