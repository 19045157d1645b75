package fakenode

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/keeping"
)

// SaveState writes the sealed blocks of the main network for LoadState. Blocks that were built on a state
// edited by control methods, or hold transactions that their sender did not sign, cannot be executed again:
// then the accounts are saved as a new genesis, without the blocks, and whole is false. An error reports why
// even that would be no genesis, or that the network is a fork or an OP-stack chain, which only Config.State keeps;
// then nothing is written.
func (n *Node) SaveState(w io.Writer) (whole bool, err error) {
	export, whole, err := keeping.NewExport(n.Moment())
	if err != nil {
		return false, err
	}
	return whole, json.NewEncoder(w).Encode(export)
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

// LoadState reads what SaveState wrote into Genesis and Import. Hardfork, GasLimit and BaseFee then apply to the test
// network alone, which is not saved.
func (c *Config) LoadState(r io.Reader) error {
	export, err := keeping.ReadExport(r)
	if err != nil {
		return err
	}
	c.goOnFrom(export)
	return nil
}

// goOnFrom makes the main network the one of an export.
func (c *Config) goOnFrom(e *keeping.Export) {
	c.Genesis, c.Import, c.loaded = e.Genesis, bytes.NewReader(e.Blocks), true
}
