package chain_test

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
)

// stateTest is one of ethereum/tests' GeneralStateTests: a state, a transaction with alternatives, and the expected
// result for each fork.
type stateTest struct {
	Env struct {
		Coinbase      common.UnprefixedAddress `json:"currentCoinbase"`
		Difficulty    *math.HexOrDecimal256    `json:"currentDifficulty"`
		Random        *math.HexOrDecimal256    `json:"currentRandom"`
		GasLimit      math.HexOrDecimal64      `json:"currentGasLimit"`
		Number        math.HexOrDecimal64      `json:"currentNumber"`
		Timestamp     math.HexOrDecimal64      `json:"currentTimestamp"`
		BaseFee       *math.HexOrDecimal256    `json:"currentBaseFee"`
		ExcessBlobGas *math.HexOrDecimal64     `json:"currentExcessBlobGas"`
	} `json:"env"`
	Pre         types.GenesisAlloc         `json:"pre"`
	Transaction stateTestTransaction       `json:"transaction"`
	Post        map[string][]stateTestPost `json:"post"`
}

// stateTestPost is one subtest.
type stateTestPost struct {
	Root            common.UnprefixedHash `json:"hash"`
	Logs            common.UnprefixedHash `json:"logs"`
	TxBytes         hexutil.Bytes         `json:"txbytes"`
	ExpectException any                   `json:"expectException"` // neither null nor "": the transaction is refused
	Indexes         struct {
		Data  int `json:"data"`
		Gas   int `json:"gas"`
		Value int `json:"value"`
	} `json:"indexes"`
}

// TestStateTests runs every subtest of every claimed fork of the official state tests on our State and trie.
func TestStateTests(t *testing.T) {
	t.Parallel()
	runTests(t, conformanceDir(t, "state-tests"), (*stateTest).runClaimed).report(t, "state tests")
}

// runClaimed runs the subtests of the forks we claim.
func (s *stateTest) runClaimed(ran *tally) error {
	for network, posts := range s.Post {
		config, eips, claimed := networkConfig(network)
		for i, post := range posts {
			ran.count(network, claimed)
			if !claimed {
				continue
			}
			if err := s.run(config, eips, post); err != nil {
				return fmt.Errorf("%s, post %d: %w", network, i, err)
			}
		}
	}
	return nil
}

// run executes the transaction of one subtest and compares state root and log hash.
func (s *stateTest) run(config *params.ChainConfig, eips []int, post stateTestPost) error {
	block, err := s.block(config)
	if err != nil {
		return err
	}
	m := evmstate.NewMachine(evmstate.StateFromAlloc(s.Pre), block, config, vm.Config{ExtraEips: eips})
	defer m.Release()
	logs, refusal := s.apply(m, config, post)
	if expected := post.ExpectException != nil && post.ExpectException != ""; (refusal != nil) != expected {
		return fmt.Errorf("refusal: got %w, want %v", refusal, post.ExpectException)
	}
	root, want := m.State().Root(), common.Hash(post.Root)
	if refusal != nil && want == (common.Hash{}) {
		return nil
	}
	if root != want {
		return fmt.Errorf("state root: got %s, want %s", root, want)
	}
	if refusal != nil {
		return nil
	}
	encoded, err := rlp.EncodeToBytes(logs)
	if err != nil {
		return err
	}
	if hash := crypto.Keccak256Hash(encoded); hash != common.Hash(post.Logs) {
		return fmt.Errorf("log hash: got %s, want %x", hash, post.Logs)
	}
	return nil
}

// block returns the test's block as the EVM sees it.
func (s *stateTest) block(config *params.ChainConfig) (vm.BlockContext, error) {
	header := &types.Header{
		Number:     new(big.Int).SetUint64(uint64(s.Env.Number)),
		Time:       uint64(s.Env.Timestamp),
		GasLimit:   uint64(s.Env.GasLimit),
		Coinbase:   common.Address(s.Env.Coinbase),
		Difficulty: new(big.Int),
	}
	if config.IsLondon(header.Number) {
		header.BaseFee = big.NewInt(10) // the tests mean 10 by none
		if s.Env.BaseFee != nil {
			header.BaseFee = (*big.Int)(s.Env.BaseFee)
		}
	}
	if s.Env.Difficulty != nil {
		header.Difficulty = (*big.Int)(s.Env.Difficulty)
	}
	if config.IsCancun(header.Number, header.Time) {
		header.ExcessBlobGas = new(uint64)
		if s.Env.ExcessBlobGas != nil {
			header.ExcessBlobGas = (*uint64)(s.Env.ExcessBlobGas)
		}
	}
	c, err := chain.New(&chain.Genesis{Config: config, Alloc: chain.SystemContracts(config), Difficulty: new(big.Int)}, chain.Options{})
	if err != nil {
		return vm.BlockContext{}, err
	}
	block := c.BlockContext(header)
	// To the tests a block is proof of stake where it has a random number, whatever its difficulty.
	block.Random = nil
	if s.Env.Random != nil && config.IsLondon(header.Number) {
		random := common.BigToHash((*big.Int)(s.Env.Random))
		block.Random, block.Difficulty = &random, new(big.Int)
	}
	block.GetHash = func(n uint64) common.Hash { return crypto.Keccak256Hash([]byte(strconv.FormatUint(n, 10))) }
	return block, nil
}

// apply runs the transaction, and touches the coinbase as a mining reward of 0 does.
func (s *stateTest) apply(m *evmstate.Machine, config *params.ChainConfig, post stateTestPost) ([]*types.Log, error) {
	block := m.EVM().Context
	msg, err := s.Transaction.message(post, block.BaseFee)
	if err != nil {
		return nil, err
	}
	// Beyond the message, check the transaction and the block as import does.
	if limit := eip4844.MaxBlobsPerBlock(config, block.Time); len(msg.BlobHashes) > limit {
		return nil, fmt.Errorf("%d blobs, at most %d", len(msg.BlobHashes), limit)
	}
	if len(post.TxBytes) > 0 {
		var tx types.Transaction
		if err := tx.UnmarshalBinary(post.TxBytes); err != nil {
			return nil, err
		}
		if _, err := types.Sender(types.LatestSigner(config), &tx); err != nil {
			return nil, err
		}
	}
	_, logs, err := m.Apply(context.Background(), msg, core.NewGasPool(block.GasLimit))
	if err != nil {
		return nil, err
	}
	m.Overlay().AddBalance(block.Coinbase, new(uint256.Int), tracing.BalanceChangeUnspecified)
	m.Overlay().Finalise(m.EVM().GetRules())
	return logs, nil
}
