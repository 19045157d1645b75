package servertest

import (
	"maps"
	"math/big"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/tokencontract"
)

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

// contracts returns the code of the contracts that are in the genesis for these tests alone.
func contracts() map[common.Address][]byte {
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
	maps.Copy(alloc, fixtures.Predeploys())
	tokens := make(map[common.Address]*uint256.Int)
	for i := range fixtures.DevAccounts {
		alloc[fixtures.Dev(i).Address] = types.Account{Balance: fixtures.Ether("10000").ToBig()}
		tokens[fixtures.Dev(i).Address] = fixtures.USD("1000")
	}
	alloc[Logger] = types.Account{Balance: new(big.Int), Code: LoggerCode, Nonce: 1}
	for address, code := range contracts() {
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
