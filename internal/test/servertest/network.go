// Package servertest starts servers of one chain and calls their methods, for the tests of the rooms of rpcserver.
package servertest

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"math/big"
	"runtime"
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
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
	"github.com/fakenode/fakenode/tokencontract"
	_ "github.com/fakenode/fakenode/tracers" // of debug_trace*
)

// Network is a server with one chain on the manual clock, and a caller of its methods.
type Network struct {
	testing.TB
	Server   *rpcserver.Server
	Timeline *preconf.Timeline
	Eth      *ethclient.Client // over HTTP
	Nonces   map[common.Address]uint64
}

// New starts a Network on a free port. It fills in config's Start, and its Chain if there is none.
func New(t testing.TB, config preconf.Config, served rpcserver.Config) *Network {
	t.Helper()
	var err error
	if config.Chain == nil {
		config.Chain, err = chain.New(Genesis(), chain.Options{})
		require.NoError(t, err)
	}
	config.Start = time.Unix(Start, 0)
	timeline, err := preconf.New(config)
	require.NoError(t, err)
	for i := range fixtures.DevAccounts {
		served.Accounts = append(served.Accounts, fixtures.Dev(i))
	}
	served.Limits.CallTimeout = cmp.Or(served.Limits.CallTimeout, time.Minute) // wall time: a busy machine stretches calls
	served.Main, served.ClientVersion = timeline, "fakenode/test"
	n := &Network{TB: t, Server: Listen(t, served), Timeline: timeline, Nonces: make(map[common.Address]uint64)}
	n.Eth, err = ethclient.Dial(n.Server.URL())
	require.NoError(t, err)
	t.Cleanup(n.Eth.Close)
	return n
}

// Plain starts a Network by the zero values of its settings.
func Plain(t testing.TB) *Network {
	t.Helper()
	return New(t, preconf.Config{}, rpcserver.Config{})
}

// OpenFork opens a block of the chain that is served at url, the newest if block is empty. Each request is made once.
func OpenFork(t testing.TB, url, block string) *remote.Fork {
	t.Helper()
	f, err := remote.Open(t.Context(), remote.Config{URL: url, Block: block, Retries: -1, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	return f
}

// Fork starts a network on the head of n's chain, whose data it reads at url.
func (n *Network) Fork(url string, served rpcserver.Config) *Network {
	n.Helper()
	f := OpenFork(n, url, "")
	c, err := chain.NewFork(f, n.Timeline.Moment().Chain().Config(), evmstate.StateFromSource(f.At(f.Number())), chain.Options{})
	require.NoError(n, err)
	return New(n, preconf.Config{Chain: c}, served)
}

// DenimChain returns a chain with the rules of Denim.
func DenimChain(t testing.TB) *chain.Chain {
	t.Helper()
	g, rules := *Genesis(), optimism.Denim.DefaultRules()
	g.Alloc, g.GasLimit = maps.Clone(g.Alloc), optimism.Denim.GasLimit
	predeploys.Place(&g, rules)
	c, err := chain.New(&g, chain.Options{Optimism: rules})
	require.NoError(t, err)
	return c
}

// Try calls a method in the process and returns its result or error.
func (n *Network) Try(method string, params ...any) (json.RawMessage, *jsonrpc.Error) {
	n.Helper()
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	require.NoError(n, err)
	var answer struct {
		Result json.RawMessage
		Error  *jsonrpc.Error
	}
	require.NoError(n, json.Unmarshal(n.Server.Call(context.Background(), world.Main, body), &answer))
	return answer.Result, answer.Error
}

// Fetch calls a method that must succeed, and decodes its result.
func Fetch[T any](n *Network, method string, params ...any) T {
	n.Helper()
	raw, failure := n.Try(method, params...)
	if failure != nil {
		require.Fail(n, method+" failed", "%d %s", failure.Code, failure.Message)
	}
	var result T
	require.NoError(n, json.Unmarshal(raw, &result), "%s: %s", method, raw)
	return result
}

func (n *Network) Do(method string, params ...any) {
	n.Helper()
	Fetch[json.RawMessage](n, method, params...)
}

// Fails calls a method that must fail with the code.
func (n *Network) Fails(code int, method string, params ...any) *jsonrpc.Error {
	n.Helper()
	_, failure := n.Try(method, params...)
	require.NotNil(n, failure, "%s%v succeeded", method, params)
	require.Equal(n, code, failure.Code, failure.Message)
	return failure
}

// Refuses calls a method that must fail with the code and a message with all of the words.
func (n *Network) Refuses(code int, words []string, method string, params ...any) {
	n.Helper()
	failure := n.Fails(code, method, params...)
	for _, word := range words {
		require.Contains(n, failure.Message, word)
	}
}

// Transact signs and sends a transaction of account i and returns it. Fees fit any test.
func (n *Network) Transact(i int, to *common.Address, value *big.Int, data []byte) *types.Transaction {
	n.Helper()
	tx := n.Sign(i, to, value, data)
	require.NoError(n, n.Timeline.Send(tx))
	return tx
}

// Sign returns the account's next transaction.
func (n *Network) Sign(i int, to *common.Address, value *big.Int, data []byte) *types.Transaction {
	n.Helper()
	from := fixtures.Dev(i)
	nonce, counted := n.Nonces[from.Address]
	if !counted {
		nonce = n.Timeline.Moment().PoolNonce(from.Address)
	}
	n.Nonces[from.Address] = nonce + 1
	gas := uint64(21_000)
	switch {
	case to == nil:
		gas = 8_000_000
	case len(data) > 0:
		gas = 3_000_000
	}
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(big.NewInt(ChainID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(ChainID), Nonce: nonce, GasTipCap: big.NewInt(1_000_000_000), GasFeeCap: big.NewInt(20_000_000_000),
		Gas: gas, To: to, Value: value, Data: data,
	})
	require.NoError(n, err)
	return tx
}

func (n *Network) Pay(i, j int, wei int64) *types.Transaction {
	n.Helper()
	to := fixtures.Dev(j).Address
	return n.Transact(i, &to, big.NewInt(wei), nil)
}

// Logs makes Logger emit count logs with the topics.
func (n *Network) Logs(i int, topic0, topic1 string, count int64) *types.Transaction {
	n.Helper()
	return n.Transact(i, &Logger, new(big.Int), LoggerCall(topic0, topic1, count))
}

// Send sends from an account by eth_sendTransaction, which fills in what is missing, and returns the hash.
func (n *Network) Send(from fixtures.Account, to *common.Address, data []byte) common.Hash {
	n.Helper()
	return Fetch[common.Hash](n, "eth_sendTransaction", map[string]any{"from": from.Address, "to": to, "data": hexutil.Bytes(data)})
}

// Emit makes Emitter emit a log with two topics and some data.
func (n *Network) Emit(topic0, topic1 byte, data ...byte) common.Hash {
	n.Helper()
	return n.Send(Alice, &Emitter, append(append(Topic(topic0).Bytes(), Topic(topic1).Bytes()...), data...))
}

func (n *Network) Preconfirm() {
	n.Helper()
	_, err := n.Timeline.Preconfirm()
	require.NoError(n, err)
}

func (n *Network) Seal(blocks int) []common.Hash {
	n.Helper()
	hashes, err := n.Timeline.Seal(blocks)
	require.NoError(n, err)
	return hashes
}

func (n *Network) Client() *rpc.Client {
	n.Helper()
	client, err := rpc.Dial(n.Server.WebSocketURL())
	require.NoError(n, err)
	n.Cleanup(client.Close)
	return client
}

// Signed returns a signed transfer of one wei.
func Signed(t testing.TB, from fixtures.Account, nonce uint64) *types.Transaction {
	t.Helper()
	tx, err := types.SignNewTx(from.Key, types.LatestSigner(Genesis().Config), &types.DynamicFeeTx{
		ChainID: Genesis().Config.ChainID, Nonce: nonce, Gas: params.TxGas, GasFeeCap: big.NewInt(3 * params.GWei),
		GasTipCap: big.NewInt(params.GWei), To: &Bob.Address, Value: big.NewInt(1),
	})
	require.NoError(t, err)
	return tx
}

func Raw(t testing.TB, tx *types.Transaction) []byte {
	t.Helper()
	encoded, err := tx.MarshalBinary()
	require.NoError(t, err)
	return encoded
}

// LiveHeap returns the bytes of the heap that are in use.
func LiveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// Listen starts a Server on a free port, closed with the test.
func Listen(t testing.TB, config rpcserver.Config) *rpcserver.Server {
	t.Helper()
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	server := rpcserver.New(config)
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(server.Close)
	return server
}

// The beginning and the id of the chain.
const (
	Start   = 1_700_000_000 // Unix seconds
	ChainID = 31337
)

// The contracts of the genesis.
var (
	Token = tokencontract.MainnetAddress

	// Logger holds LoggerCode.
	Logger = common.HexToAddress("0x10c")
	// LoggerCode emits count logs. Call data: topic 0, topic 1, count; the data of each log is the number of logs that are
	// still to come, itself included.
	LoggerCode = common.FromHex("6040355b8015601f5780600052602035600035602060" + "00a2600190036003565b00")

	Emitter  = common.HexToAddress("0x1000000000000000000000000000000000000001") // one log: topics from the call data's first two words, data the rest
	Reverter = common.HexToAddress("0x1000000000000000000000000000000000000002") // reverts with the call data
	Observer = common.HexToAddress("0x1000000000000000000000000000000000000003") // returns number, time, base fee, coinbase, prevrandao, gas limit, chain id, hash of the block before
	Counter  = common.HexToAddress("0x1000000000000000000000000000000000000004") // adds one to slot 0, returns it and logs it without topics
	Spinner  = common.HexToAddress("0x1000000000000000000000000000000000000005") // never ends
	Fourfold = common.HexToAddress("0x1000000000000000000000000000000000000006") // one log with four topics and no data
)

// Alice and Bob are the first accounts of the genesis.
var Alice, Bob = fixtures.Dev(0), fixtures.Dev(1)

// laboratory returns the code of the contracts that are in the genesis for these tests alone.
func laboratory() map[common.Address][]byte {
	return map[common.Address][]byte{
		Emitter:  labcode.Emitter(),
		Reverter: labcode.Reverter(),
		Observer: labcode.Observer(vm.NUMBER, vm.TIMESTAMP, vm.BASEFEE, vm.COINBASE, vm.DIFFICULTY, vm.GASLIMIT, vm.CHAINID),
		Counter:  labcode.Counter(),
		Spinner:  labcode.Spinner(),
		Fourfold: program.New().Push(4).Push(3).Push(2).Push(1).Push0().Push0().Op(vm.LOG4).Bytes(),
	}
}

// Genesis holds development accounts with 10,000 ETH and 1,000 tokens each, and the contracts. All tests
// share it, as its chain then is shared.
var Genesis = sync.OnceValue(func() *chain.Genesis {
	config, err := chain.ForkConfig("", ChainID)
	if err != nil {
		panic(err)
	}
	alloc := chain.SystemContracts(config)
	maps.Copy(alloc, contracts.Predeploys())
	tokens := make(map[common.Address]*uint256.Int)
	for i := range fixtures.DevAccounts {
		alloc[fixtures.Dev(i).Address] = types.Account{Balance: fixtures.Ether("10000").ToBig()}
		tokens[fixtures.Dev(i).Address] = fixtures.USD("1000")
	}
	alloc[Logger] = types.Account{Balance: new(big.Int), Code: LoggerCode, Nonce: 1}
	for address, code := range laboratory() {
		alloc[address] = types.Account{Balance: new(big.Int), Code: code, Nonce: 1}
	}
	token, err := tokencontract.Alloc(tokencontract.Genesis{
		Params:   tokencontract.Params{Name: tokencontract.MainnetName, Owner: fixtures.Dev(0).Address},
		Address:  Token,
		ChainID:  ChainID,
		Balances: tokens,
	})
	if err != nil {
		panic(err)
	}
	alloc[Token] = token
	return &chain.Genesis{
		Config: config, Timestamp: Start, GasLimit: 60_000_000, BaseFee: big.NewInt(1_000_000_000),
		Difficulty: new(big.Int), Alloc: alloc,
	}
})

// Topic returns a word that ends in one byte.
func Topic(last byte) common.Hash { return common.BytesToHash([]byte{last}) }

// LoggerCall returns the call data that makes Logger emit count logs.
func LoggerCall(topic0, topic1 string, count int64) []byte {
	a, b := common.HexToHash(topic0), common.HexToHash(topic1)
	return append(append(append([]byte(nil), a[:]...), b[:]...), common.BigToHash(big.NewInt(count)).Bytes()...)
}

// CallData returns the call data of a function of addresses.
func CallData(signature string, arguments ...common.Address) []byte {
	data := crypto.Keccak256([]byte(signature))[:4]
	for _, argument := range arguments {
		data = append(data, common.LeftPadBytes(argument[:], 32)...)
	}
	return data
}

func Padded(hex string) string { return common.HexToHash(hex).Hex()[2:] }

// NewAmsterdam starts a Network that reaches Amsterdam at its second block.
func NewAmsterdam(t *testing.T, served rpcserver.Config) *Network {
	t.Helper()
	config, err := chain.ForkConfig("bpo2", ChainID)
	require.NoError(t, err)
	config.AmsterdamTime = new(uint64(Start + 3))
	g := *Genesis()
	g.Config, g.Alloc = config, chain.SystemContracts(config)
	for address, account := range Genesis().Alloc {
		g.Alloc[address] = account
	}
	on, err := chain.New(&g, chain.Options{})
	require.NoError(t, err)
	return New(t, preconf.Config{Chain: on}, served)
}
