package rpcserver

import (
	"maps"
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/tokencontract"
)

const (
	networkStart   = 1_700_000_000 // Unix seconds
	networkChainID = 31337
)

// The contracts of the genesis.
var (
	tokenAddress = tokencontract.MainnetAddress

	// loggerAddress holds loggerCode.
	loggerAddress = common.HexToAddress("0x10c")
	// loggerCode emits count logs. Call data: topic 0, topic 1, count; the data of each log is how many are
	// still to come, itself included.
	loggerCode = common.FromHex("6040355b8015601f5780600052602035600035602060" + "00a2600190036003565b00")

	emitter  = common.HexToAddress("0x1000000000000000000000000000000000000001") // one log: topics from the call data's first two words, data the rest
	reverter = common.HexToAddress("0x1000000000000000000000000000000000000002") // reverts with the call data
	observer = common.HexToAddress("0x1000000000000000000000000000000000000003") // returns number, time, base fee, coinbase, prevrandao, gas limit, chain id, hash of the block before
	counter  = common.HexToAddress("0x1000000000000000000000000000000000000004") // adds one to slot 0, returns it and logs it without topics
	spinner  = common.HexToAddress("0x1000000000000000000000000000000000000005") // never ends
	fourfold = common.HexToAddress("0x1000000000000000000000000000000000000006") // one log with four topics and no data
)

// alice and bob are the first accounts of the genesis.
var alice, bob = fixtures.Dev(0), fixtures.Dev(1)

// contracts returns the code of the contracts that are in the genesis for these tests alone.
func contracts() map[common.Address][]byte {
	return map[common.Address][]byte{
		emitter:  labcode.Emitter(),
		reverter: labcode.Reverter(),
		observer: labcode.Observer(vm.NUMBER, vm.TIMESTAMP, vm.BASEFEE, vm.COINBASE, vm.DIFFICULTY, vm.GASLIMIT, vm.CHAINID),
		counter:  labcode.Counter(),
		spinner:  labcode.Spinner(),
		fourfold: program.New().Push(4).Push(3).Push(2).Push(1).Push0().Push0().Op(vm.LOG4).Bytes(),
	}
}

// networkGenesis holds development accounts with 10,000 ETH and 1,000 tokens each, and the contracts. All tests
// share it, as its chain then is shared.
var networkGenesis = sync.OnceValue(func() *chain.Genesis {
	config, err := chain.ForkConfig("", networkChainID)
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
	alloc[loggerAddress] = types.Account{Balance: new(big.Int), Code: loggerCode, Nonce: 1}
	for address, code := range contracts() {
		alloc[address] = types.Account{Balance: new(big.Int), Code: code, Nonce: 1}
	}
	token, err := tokencontract.Alloc(tokencontract.Genesis{
		Params:   tokencontract.Params{Name: tokencontract.MainnetName, Owner: fixtures.Dev(0).Address},
		Address:  tokenAddress,
		ChainID:  networkChainID,
		Balances: tokens,
	})
	if err != nil {
		panic(err)
	}
	alloc[tokenAddress] = token
	return &chain.Genesis{
		Config: config, Timestamp: networkStart, GasLimit: 60_000_000, BaseFee: big.NewInt(1_000_000_000),
		Difficulty: new(big.Int), Alloc: alloc,
	}
})

// topic is a word that ends in one byte.
func topic(last byte) common.Hash { return common.BytesToHash([]byte{last}) }

// loggerCall is the call data that makes the logger emit count logs.
func loggerCall(topic0, topic1 string, count int64) []byte {
	a, b := common.HexToHash(topic0), common.HexToHash(topic1)
	return append(append(append([]byte(nil), a[:]...), b[:]...), common.BigToHash(big.NewInt(count)).Bytes()...)
}

// callData returns the call data of a function of addresses.
func callData(signature string, arguments ...common.Address) []byte {
	data := crypto.Keccak256([]byte(signature))[:4]
	for _, argument := range arguments {
		data = append(data, common.LeftPadBytes(argument[:], 32)...)
	}
	return data
}
