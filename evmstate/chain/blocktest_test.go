package chain_test

import (
	"bytes"
	"fmt"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// blockTest is one of ethereum/tests' BlockchainTests: a genesis, blocks in RLP, and what the chain must be after them.
type blockTest struct {
	Network       string             `json:"network"`
	GenesisRLP    hexutil.Bytes      `json:"genesisRLP"`
	Genesis       blockTestHeader    `json:"genesisBlockHeader"`
	Pre           types.GenesisAlloc `json:"pre"`
	Blocks        []blockTestBlock   `json:"blocks"`
	LastBlockHash common.Hash        `json:"lastblockhash"`
	PostState     types.GenesisAlloc `json:"postState"`
	PostStateHash *common.Hash       `json:"postStateHash"`
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
	dir := conformanceDir(t, "block-tests")
	var ran tally
	t.Run("files", func(t *testing.T) {
		for _, path := range jsonFiles(t, dir) {
			name, err := filepath.Rel(dir, path)
			require.NoError(t, err)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for name, test := range readTests[*blockTest](t, path) {
					_, claimed := networkConfig(test.Network)
					ran.count(test.Network, claimed)
					if claimed {
						require.NoError(t, test.run(), name)
					}
				}
			})
		}
	})
	ran.print("block tests")
}

// genesis returns the test's genesis in geth's format.
func (b *blockTest) genesis() *chain.Genesis {
	config, _ := networkConfig(b.Network)
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
	if encoded, err := rlp.EncodeToBytes(c.Head().Body()); err != nil || len(b.GenesisRLP) > 0 && !bytes.Equal(encoded, b.GenesisRLP) {
		return fmt.Errorf("genesis rlp: got %x, want %x (%w)", encoded, b.GenesisRLP, err)
	}
	for i, block := range b.Blocks {
		raw, err := hexutil.Decode(block.RLP)
		next := c
		if err == nil {
			next, err = c.Import(bytes.NewReader(raw))
		}
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
	if got := c.Head().Hash(); got != b.LastBlockHash {
		return fmt.Errorf("head: got %s, want %s", got, b.LastBlockHash)
	}
	return b.compareState(c)
}

// compareState checks every account of the state after the last block, and that there is no other.
func (b *blockTest) compareState(c *chain.Chain) error {
	state, err := c.StateAt(c.Head())
	if err != nil {
		return err
	}
	if b.PostStateHash != nil && state.Root() != *b.PostStateHash {
		return fmt.Errorf("state root: got %s, want %s", state.Root(), *b.PostStateHash)
	}
	if b.PostState == nil {
		return nil
	}
	got := state.Alloc()
	if len(got) != len(b.PostState) {
		return fmt.Errorf("accounts: got %d, want %d", len(got), len(b.PostState))
	}
	for address, want := range b.PostState {
		account, ok := got[address]
		if !ok {
			return fmt.Errorf("account %s is missing", address)
		}
		if account.Nonce != want.Nonce || account.Balance.Cmp(want.Balance) != 0 || !bytes.Equal(account.Code, want.Code) {
			return fmt.Errorf("account %s: got %+v, want %+v", address, account, want)
		}
		if len(account.Storage) != len(want.Storage) {
			return fmt.Errorf("account %s: got %d slots, want %d", address, len(account.Storage), len(want.Storage))
		}
		for slot, value := range want.Storage {
			if account.Storage[slot] != value {
				return fmt.Errorf("account %s, slot %s: got %s, want %s", address, slot, account.Storage[slot], value)
			}
		}
	}
	return nil
}
