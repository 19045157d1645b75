package chain_test

import (
	"bytes"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// blockTest is one of ethereum/tests' BlockchainTests: a genesis, blocks in RLP, and the expected chain after them.
type blockTest struct {
	Network       string                `json:"network"`
	Genesis       blockTestHeader       `json:"genesisBlockHeader"`
	Pre           types.GenesisAlloc    `json:"pre"`
	Blocks        []blockTestBlock      `json:"blocks"`
	LastBlockHash common.UnprefixedHash `json:"lastblockhash"`
	PostState     types.GenesisAlloc    `json:"postState"`
	PostStateHash *common.Hash          `json:"postStateHash"`
}

type blockTestHeader struct {
	Hash          common.Hash           `json:"hash"`
	ParentHash    common.Hash           `json:"parentHash"`
	Coinbase      common.Address        `json:"coinbase"`
	MixHash       common.Hash           `json:"mixHash"`
	Nonce         types.BlockNonce      `json:"nonce"`
	ExtraData     hexutil.Bytes         `json:"extraData"`
	Difficulty    *math.HexOrDecimal256 `json:"difficulty"`
	GasLimit      math.HexOrDecimal64   `json:"gasLimit"`
	GasUsed       math.HexOrDecimal64   `json:"gasUsed"`
	Timestamp     math.HexOrDecimal64   `json:"timestamp"`
	BaseFee       *math.HexOrDecimal256 `json:"baseFeePerGas"`
	BlobGasUsed   *math.HexOrDecimal64  `json:"blobGasUsed"`
	ExcessBlobGas *math.HexOrDecimal64  `json:"excessBlobGas"`
}

type blockTestBlock struct {
	RLP    string           `json:"rlp"`
	Header *blockTestHeader `json:"blockHeader"` // nil: the block is invalid
}

// TestBlockTests imports the blocks of the official block tests and compares head, state and genesis.
func TestBlockTests(t *testing.T) {
	t.Parallel()
	runTests(t, conformanceDir(t, "block-tests"), (*blockTest).runClaimed).report(t, "block tests")
}

// runClaimed runs the test if we claim its fork.
func (b *blockTest) runClaimed(ran *tally) error {
	_, _, claimed := networkConfig(b.Network)
	ran.count(b.Network, claimed)
	if !claimed {
		return nil
	}
	return b.run()
}

// genesis returns the test's genesis in geth's format.
func (b *blockTest) genesis() *chain.Genesis {
	config, _, _ := networkConfig(b.Network)
	return &chain.Genesis{
		Config:        config,
		Nonce:         b.Genesis.Nonce.Uint64(),
		Timestamp:     uint64(b.Genesis.Timestamp),
		ParentHash:    b.Genesis.ParentHash,
		ExtraData:     b.Genesis.ExtraData,
		GasLimit:      uint64(b.Genesis.GasLimit),
		GasUsed:       uint64(b.Genesis.GasUsed),
		Difficulty:    (*big.Int)(b.Genesis.Difficulty),
		Mixhash:       b.Genesis.MixHash,
		Coinbase:      b.Genesis.Coinbase,
		Alloc:         b.Pre,
		BaseFee:       (*big.Int)(b.Genesis.BaseFee),
		BlobGasUsed:   (*uint64)(b.Genesis.BlobGasUsed),
		ExcessBlobGas: (*uint64)(b.Genesis.ExcessBlobGas),
	}
}

func (b *blockTest) run() error {
	c, err := chain.New(b.genesis(), chain.Options{})
	if err != nil {
		return err
	}
	if got := c.Head().Hash(); got != b.Genesis.Hash {
		return fmt.Errorf("genesis hash: got %s, want %s", got, b.Genesis.Hash)
	}
	for i, block := range b.Blocks {
		next, err := block.importOn(c)
		if (err == nil) != (block.Header != nil) {
			return fmt.Errorf("block %d: got error %v, valid is %t", i, err, block.Header != nil)
		}
		if err != nil {
			continue
		}
		c = next
		if known, _ := c.BlockByHash(block.Header.Hash); known == nil {
			return fmt.Errorf("block %d: %s is not in the chain", i, block.Header.Hash)
		}
	}
	if got := c.Head().Hash(); got != common.Hash(b.LastBlockHash) {
		return fmt.Errorf("head: got %s, want %x", got, b.LastBlockHash)
	}
	return b.compareState(c)
}

// importOn returns the chain with the block.
func (b *blockTestBlock) importOn(c *chain.Chain) (*chain.Chain, error) {
	raw, err := hexutil.Decode(b.RLP)
	if err != nil {
		return nil, err
	}
	var block types.Block
	if err := rlp.DecodeBytes(raw, &block); err != nil {
		return nil, err
	}
	return c.ImportBlock(&block)
}

// compareState checks the accounts that the test lists; there may be others.
func (b *blockTest) compareState(c *chain.Chain) error {
	state, err := c.StateAt(c.Head())
	if err != nil {
		return err
	}
	if b.PostStateHash != nil && state.Root() != *b.PostStateHash {
		return fmt.Errorf("state root: got %s, want %s", state.Root(), *b.PostStateHash)
	}
	for address, want := range b.PostState {
		nonce, balance, code := state.Nonce(address), state.Balance(address), state.Code(address)
		if nonce != want.Nonce || balance.ToBig().Cmp(want.Balance) != 0 || !bytes.Equal(code, want.Code) {
			return fmt.Errorf("account %s: got nonce %d, balance %v, code %x, want %+v", address, nonce, balance, code, want)
		}
		for slot, value := range want.Storage {
			if got := state.Storage(address, slot); got != value {
				return fmt.Errorf("account %s, slot %s: got %s, want %s", address, slot, got, value)
			}
		}
	}
	return nil
}
