package integration_test

import (
	"encoding/json"
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// The contracts of the lab's genesis.
var (
	emitter   = common.HexToAddress("0x1000000000000000000000000000000000000001") // one log: the first two words of the call data as topics, the rest as data
	reverter  = common.HexToAddress("0x1000000000000000000000000000000000000002") // reverts with the call data
	observer  = common.HexToAddress("0x1000000000000000000000000000000000000003") // returns number, time, base fee, and the hash of the block before
	counter   = common.HexToAddress("0x1000000000000000000000000000000000000004") // adds one to slot 0, returns it, and logs it without topics
	burner    = common.HexToAddress("0x1000000000000000000000000000000000000005") // uses as much gas as the first word of the call data names
	forwarder = common.HexToAddress("0x1000000000000000000000000000000000000006") // sends its call's value to the address in the first word; reverts if that fails
	teller    = common.HexToAddress("0x1000000000000000000000000000000000000007") // returns the balance of the address in the first word
	cleaner   = common.HexToAddress("0x1000000000000000000000000000000000000008") // sets slot 0, one before, to the call data's first word
)

func labContracts() map[common.Address][]byte {
	burn, again := program.New().Op(vm.GAS).Jumpdest()
	forward := program.New().
		Push0().Push0().Push0().Push0().Op(vm.CALLVALUE).Push0().Op(vm.CALLDATALOAD, vm.GAS, vm.CALL)
	done := uint64(forward.Size() + 6) // past PUSH1, JUMPI, PUSH0, PUSH0, REVERT
	return map[common.Address][]byte{
		emitter:   labcode.Emitter(),
		reverter:  labcode.Reverter(),
		observer:  labcode.Observer(vm.NUMBER, vm.TIMESTAMP, vm.BASEFEE),
		counter:   labcode.Counter(),
		burner:    burn.Op(vm.GAS, vm.DUP2, vm.SUB).Push0().Op(vm.CALLDATALOAD, vm.GT).Push(again).Op(vm.JUMPI).Bytes(),
		forwarder: forward.Push(done).Op(vm.JUMPI).Push0().Push0().Op(vm.REVERT, vm.JUMPDEST).Bytes(),
		teller:    program.New().Push0().Op(vm.CALLDATALOAD, vm.BALANCE).Push0().Op(vm.MSTORE).Return(0, 32).Bytes(),
		cleaner:   program.New().Push0().Op(vm.CALLDATALOAD).Push0().Op(vm.SSTORE).Bytes(),
	}
}

const labTime = 1_700_000_000 // Unix seconds of the genesis

// labAlloc returns the accounts of the lab's genesis: the development accounts and the contracts.
func labAlloc(config *params.ChainConfig) types.GenesisAlloc {
	alloc := chain.SystemContracts(config)
	for i := range fixtures.DevAccounts {
		alloc[fixtures.Dev(i).Address] = types.Account{Balance: fixtures.Ether("10000").ToBig()}
	}
	for address, code := range labContracts() {
		alloc[address] = types.Account{Balance: new(big.Int), Code: code}
	}
	cleaned := alloc[cleaner]
	cleaned.Storage = map[common.Hash]common.Hash{{}: word(1)}
	alloc[cleaner] = cleaned
	return alloc
}

// labGenesis is shared by all labs, as its first State then is.
var labGenesis = sync.OnceValue(func() *fakenode.Genesis {
	config, err := chain.ForkConfig("osaka", 31337)
	if err != nil {
		panic(err)
	}
	return &fakenode.Genesis{
		Config: config, Alloc: labAlloc(config), GasLimit: 30_000_000, Difficulty: new(big.Int),
		BaseFee: big.NewInt(params.GWei), Timestamp: labTime,
	}
})

// lab is a node with the lab's genesis, seen through RPC.
type lab struct {
	*fakenode.Node
	t      testing.TB
	client *rpc.Client // HTTP
	eth    *ethclient.Client
}

// openLab starts a node; config needs no genesis.
func openLab(t testing.TB, config fakenode.Config) *lab {
	t.Helper()
	config.Genesis, config.StartTime = labGenesis(), time.Unix(labTime, 0)
	return visit(t, fakenode.RunConfigT(t, config))
}

// visit looks at a running node through RPC.
func visit(t testing.TB, node *fakenode.Node) *lab {
	t.Helper()
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return &lab{node, t, client, ethclient.NewClient(client)}
}

// do calls a method and decodes its result.
func (l *lab) do(result any, method string, params ...any) {
	l.t.Helper()
	require.NoError(l.t, l.client.CallContext(l.t.Context(), result, method, params...), method)
}

// ask calls a method and returns its result as it came.
func (l *lab) ask(method string, params ...any) string {
	l.t.Helper()
	var result json.RawMessage
	l.do(&result, method, params...)
	return string(result)
}

// fails calls a method that must fail with a code, and returns message and data.
func (l *lab) fails(code int, method string, params ...any) (string, any) {
	l.t.Helper()
	var failure rpc.DataError
	require.ErrorAs(l.t, l.client.CallContext(l.t.Context(), nil, method, params...), &failure, method)
	require.Equal(l.t, code, failure.(rpc.Error).ErrorCode(), "%s: %s", method, failure)
	return failure.Error(), failure.ErrorData()
}

// send sends a transaction from a development account; a nil to deploys.
func (l *lab) send(from int, to *common.Address, data []byte) common.Hash {
	l.t.Helper()
	var hash common.Hash
	l.do(&hash, "eth_sendTransaction", map[string]any{"from": l.Account(from).Address, "to": to, "input": hexutil.Bytes(data)})
	return hash
}

// emit sends a transaction that logs two topics and some data.
func (l *lab) emit(from int, topic0, topic1 byte, data ...byte) common.Hash {
	l.t.Helper()
	return l.send(from, &emitter, labcode.EmitterCall(topic0, topic1, data...))
}

// word is 32 bytes of which the last is not zero.
func word(last byte) common.Hash { return common.BytesToHash([]byte{last}) }

// addressWord is an address as a call's argument.
func addressWord(a common.Address) []byte { return common.BytesToHash(a.Bytes()).Bytes() }

// created is the address of an account's contract.
func created(from common.Address, nonce uint64) common.Address {
	return crypto.CreateAddress(from, nonce)
}
