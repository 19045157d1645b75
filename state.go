package fakenode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// savedVersion is the version of the format of SaveState.
const savedVersion = 1

// saved is a main network on disk: a genesis and the blocks to execute on it.
type saved struct {
	Version int            `json:"version"`
	Genesis *chain.Genesis `json:"genesis"`
	Blocks  hexutil.Bytes  `json:"blocks"` // RLP, one after another
}

// SaveState writes the sealed blocks of the main network for LoadState. Blocks that were built on a state
// edited by control methods cannot be executed again: then the accounts are saved as a new genesis,
// without the blocks, and whole is false.
func (n *Node) SaveState(w io.Writer) (whole bool, err error) {
	moment := n.Moment()
	s := saved{Version: savedVersion}
	var genesis, blocks bytes.Buffer
	if err := moment.Chain().ExportGenesis(&genesis); err != nil {
		return false, err
	}
	if err := json.Unmarshal(genesis.Bytes(), &s.Genesis); err != nil {
		return false, err
	}
	if moment.Edited() {
		state, err := moment.Latest().State()
		if err != nil {
			return false, err
		}
		head := moment.Latest().Header()
		s.Genesis.Alloc, s.Genesis.Timestamp, s.Genesis.BaseFee = state.Alloc(), head.Time, head.BaseFee
	} else if err := moment.Chain().Export(&blocks); err != nil {
		return false, err
	}
	s.Blocks = blocks.Bytes()
	return !moment.Edited(), json.NewEncoder(w).Encode(s)
}

// LoadState reads what SaveState wrote into Genesis and Import. Hardfork, GasLimit and BaseFee then concern
// the test network alone, which is not saved.
func (c *Config) LoadState(r io.Reader) error {
	var s saved
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return fmt.Errorf("saved state: %w", err)
	}
	if s.Version != savedVersion {
		return fmt.Errorf("saved state has version %d, want %d", s.Version, savedVersion)
	}
	c.Genesis, c.Import, c.loaded = s.Genesis, bytes.NewReader(s.Blocks), true
	return nil
}
