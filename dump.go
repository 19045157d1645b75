package fakenode

import (
	"errors"
	"fmt"
	"io"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/rpcserver/command"
)

// ReadDump reads the accounts of a state that anvil has dumped (anvil --dump-state, anvil_dumpState) or that Dump has
// written, for Config.Alloc: JSON, which may be packed with gzip. Blocks and transactions of the dump are not read. The
// error names the account and what is wrong there, or reports that the dump is that of a fork.
func ReadDump(r io.Reader) (types.GenesisAlloc, error) {
	alloc, err := command.ReadDump(r)
	if err != nil {
		return nil, fmt.Errorf("dump: %w", err)
	}
	return alloc, nil
}

// Dump writes the accounts of the network as of the newest sealed block, in anvil's format: for anvil --load-state and
// for ReadDump; of a fork those that changed since the fork block, for anvil_loadState on another fork of that block.
// The error is that of w.
func (n *Network) Dump(w io.Writer) error {
	if err := command.WriteDump(w, n.Moment()); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	return nil
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
