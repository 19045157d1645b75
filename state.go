package fakenode

import (
	"bytes"
	"encoding/json"
	"errors"
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
// edited by control methods, or hold transactions that their sender did not sign, cannot be executed again:
// then the accounts are saved as a new genesis, without the blocks, and whole is false. An error reports why
// even that would be no genesis, or that the network is a fork or an OP-stack chain, which only Config.State keeps; then
// nothing is written.
func (n *Node) SaveState(w io.Writer) (whole bool, err error) {
	moment := n.Moment()
	if moment.Chain().Fork() != nil {
		return false, errors.New("a fork has no genesis to save: Config.State keeps it")
	}
	if moment.Chain().Optimism() != nil {
		return false, errors.New("the state of an OP-stack chain cannot be saved: its blocks cannot be imported; Config.State keeps it")
	}
	whole = !moment.Edited() && moment.Chain().Verify(chain.Options{Lenient: true}) == nil
	s := saved{Version: savedVersion}
	var genesis, blocks bytes.Buffer
	if err := moment.Chain().ExportGenesis(&genesis); err != nil {
		return false, err
	}
	if err := json.Unmarshal(genesis.Bytes(), &s.Genesis); err != nil {
		return false, err
	}
	if !whole {
		state, err := moment.Latest().State()
		if err != nil {
			return false, err
		}
		head := moment.Latest().Header()
		s.Genesis.Alloc, s.Genesis.Timestamp = state.Alloc(), head.Time
		s.Genesis.GasLimit, s.Genesis.BaseFee = head.GasLimit, head.BaseFee
		if _, err := chain.New(s.Genesis, chain.Options{}); err != nil {
			return false, err
		}
	} else if err := moment.Chain().Export(&blocks); err != nil {
		return false, err
	}
	s.Blocks = blocks.Bytes()
	return whole, json.NewEncoder(w).Encode(s)
}

// Importable returns nil if another client can import the main network's exported blocks, else the reason: a state
// edited by control methods, contracts that may be larger than EIP-170 allows, a sender that did not sign, or a header
// that only this node makes.
func (n *Node) Importable() error {
	moment := n.Moment()
	if moment.Edited() {
		return errors.New("the state was edited by control methods")
	}
	if moment.Chain().CodeLimit() != 0 {
		return errors.New("contracts may be larger than EIP-170 allows")
	}
	return moment.Chain().Verify(chain.Options{})
}

// LoadState reads what SaveState wrote into Genesis and Import. Hardfork, GasLimit and BaseFee then concern
// the test network alone, which is not saved.
func (c *Config) LoadState(r io.Reader) error {
	var s saved
	decoder := json.NewDecoder(r)
	if err := decoder.Decode(&s); err != nil {
		return fmt.Errorf("saved state: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("saved state: something follows its end, at byte %d", decoder.InputOffset())
	}
	if s.Version != savedVersion {
		return fmt.Errorf("saved state has version %d, want %d", s.Version, savedVersion)
	}
	if s.Genesis == nil {
		return errors.New("saved state has no genesis")
	}
	c.Genesis, c.Import, c.loaded = s.Genesis, bytes.NewReader(s.Blocks), true
	return nil
}
