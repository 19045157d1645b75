package chain_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
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
	"github.com/fakenode/fakenode/internal/test/laboratory"
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
	laboratory.OneGoroutine(t)
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

// stateTestTransaction is a transaction with alternatives for data (and access list), gas and value.
type stateTestTransaction struct {
	Sender               *common.Address     `json:"sender"`
	SecretKey            hexutil.Bytes       `json:"secretKey"`
	GasPrice             *quantity           `json:"gasPrice"`
	MaxFeePerGas         *quantity           `json:"maxFeePerGas"`
	MaxPriorityFeePerGas *quantity           `json:"maxPriorityFeePerGas"`
	MaxFeePerBlobGas     *quantity           `json:"maxFeePerBlobGas"`
	Nonce                *quantity           `json:"nonce"`
	To                   string              `json:"to"` // "" creates a contract
	Data                 []string            `json:"data"`
	AccessLists          []*types.AccessList `json:"accessLists"`
	GasLimit             []quantity          `json:"gasLimit"`
	Value                []quantity          `json:"value"`
	BlobHashes           []common.Hash       `json:"blobVersionedHashes"`
	Authorizations       []struct {
		ChainID *quantity           `json:"chainId"`
		Address common.Address      `json:"address"`
		Nonce   math.HexOrDecimal64 `json:"nonce"`
		V       math.HexOrDecimal64 `json:"v"`
		R       *quantity           `json:"r"`
		S       *quantity           `json:"s"`
	} `json:"authorizationList"`
}

// message returns the alternative that a subtest names; baseFee is nil before London. A value that no transaction can
// hold is an error, as if the transaction had been rejected.
func (tx *stateTestTransaction) message(post stateTestPost, baseFee *big.Int) (*core.Message, error) {
	msg := &core.Message{BlobHashes: tx.BlobHashes}
	at := post.Indexes
	return msg, cmp.Or(
		tx.nonce(msg),
		tx.sender(msg),
		tx.recipient(msg),
		pick("gas limit", tx.GasLimit, at.Gas, func(gas quantity) error { return gas.uint64("gas limit", &msg.GasLimit) }),
		pick("value", tx.Value, at.Value, func(value quantity) error { return value.word("value", &msg.Value) }),
		pick("data", tx.Data, at.Data, func(data string) (err error) {
			msg.Data, err = hex.DecodeString(strings.TrimPrefix(data, "0x"))
			return err
		}),
		tx.accessList(msg, at.Data),
		tx.fees(msg, baseFee),
		tx.authorizations(msg),
	)
}

// pick calls use with one of the alternatives.
func pick[T any](name string, alternatives []T, at int, use func(T) error) error {
	if at < 0 || at >= len(alternatives) {
		return fmt.Errorf("%s %d of %d", name, at, len(alternatives))
	}
	return use(alternatives[at])
}

func (tx *stateTestTransaction) nonce(msg *core.Message) error {
	return tx.Nonce.uint64("nonce", &msg.Nonce)
}

func (tx *stateTestTransaction) sender(msg *core.Message) error {
	switch {
	case tx.Sender != nil:
		msg.From = *tx.Sender
	case len(tx.SecretKey) > 0:
		key, err := crypto.ToECDSA(tx.SecretKey)
		if err != nil {
			return err
		}
		msg.From = crypto.PubkeyToAddress(key.PublicKey)
	}
	return nil
}

func (tx *stateTestTransaction) recipient(msg *core.Message) error {
	if tx.To == "" {
		return nil
	}
	msg.To = new(common.Address)
	return msg.To.UnmarshalText([]byte(tx.To))
}

func (tx *stateTestTransaction) accessList(msg *core.Message, at int) error {
	if tx.AccessLists == nil {
		return nil
	}
	return pick("access list", tx.AccessLists, at, func(list *types.AccessList) error {
		if list != nil {
			msg.AccessList = *list
		}
		return nil
	})
}

// fees sets the prices of gas (EIP-1559). A transaction with a gas price pays all of it.
func (tx *stateTestTransaction) fees(msg *core.Message, baseFee *big.Int) error {
	feeCap := cmp.Or(tx.MaxFeePerGas, tx.GasPrice)
	tip := cmp.Or(tx.MaxPriorityFeePerGas, feeCap)
	if err := cmp.Or(
		feeCap.word("fee cap", &msg.GasFeeCap),
		tip.word("tip", &msg.GasTipCap),
	); err != nil {
		return err
	}
	if tx.MaxFeePerBlobGas != nil { // go-ethereum takes a message with a blob fee cap, even 0, for a blob transaction
		if err := tx.MaxFeePerBlobGas.word("blob fee cap", &msg.BlobGasFeeCap); err != nil {
			return err
		}
	}
	if baseFee == nil {
		if tx.GasPrice == nil {
			return errors.New("no gas price, before london")
		}
		return tx.GasPrice.word("gas price", &msg.GasPrice)
	}
	msg.GasPrice = msg.GasFeeCap
	if effective := new(big.Int).Add(baseFee, msg.GasTipCap.ToBig()); effective.Cmp(msg.GasFeeCap.ToBig()) < 0 {
		msg.GasPrice = uint256.MustFromBig(effective)
	}
	return nil
}

func (tx *stateTestTransaction) authorizations(msg *core.Message) error {
	if tx.Authorizations == nil {
		return nil
	}
	msg.SetCodeAuthorizations = make([]types.SetCodeAuthorization, len(tx.Authorizations))
	for i, auth := range tx.Authorizations {
		var id, r, s *uint256.Int
		if err := cmp.Or(auth.ChainID.word("chain id", &id), auth.R.word("r", &r), auth.S.word("s", &s)); err != nil {
			return fmt.Errorf("authorization %d: %w", i, err)
		}
		msg.SetCodeAuthorizations[i] = types.SetCodeAuthorization{
			ChainID: *id, Address: auth.Address, Nonce: uint64(auth.Nonce), V: uint8(auth.V), R: *r, S: *s,
		}
	}
	return nil
}

// quantity is a number as the tests write it: decimal or hex, "" or "0x" for 0, and with "0x:bigint " in front where it
// has more bits than its field can hold. Nil is 0.
type quantity struct{ n big.Int }

// UnmarshalJSON implements json.Unmarshaler.
func (q *quantity) UnmarshalJSON(raw []byte) error {
	text := strings.TrimPrefix(string(bytes.Trim(raw, `"`)), "0x:bigint ")
	base := 10
	if digits, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		text, base = digits, 16
	}
	if text == "" {
		return nil
	}
	if _, ok := q.n.SetString(text, base); !ok {
		return fmt.Errorf("%s is not a number", raw)
	}
	return nil
}

// uint64 stores the number, which must have at most 64 bits.
func (q *quantity) uint64(name string, into *uint64) error {
	if q == nil {
		return nil
	}
	if *into = q.n.Uint64(); !q.n.IsUint64() {
		return fmt.Errorf("%s %v is not a 64-bit number", name, &q.n)
	}
	return nil
}

// word stores the number, which must have at most 256 bits.
func (q *quantity) word(name string, into **uint256.Int) error {
	*into = new(uint256.Int)
	if q == nil {
		return nil
	}
	if overflow := (*into).SetFromBig(&q.n); overflow || q.n.Sign() < 0 {
		return fmt.Errorf("%s %v is not a 256-bit number", name, &q.n)
	}
	return nil
}
