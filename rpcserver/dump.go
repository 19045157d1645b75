package rpcserver

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
)

// dumpVersion is the version of the format of anvil_dumpState.
const dumpVersion = 1

// maxDump is the most bytes a dump may unpack to.
const maxDump = 256 << 20

// stateDump is the accounts of the head: JSON, packed with gzip. The format is the node's own.
type stateDump struct {
	Version  int                `json:"version"`
	Accounts types.GenesisAlloc `json:"accounts"`
	Fork     *forkDump          `json:"fork,omitempty"` // absent: Accounts are all there are
}

// forkDump is what the dump of a fork has besides: its accounts are those that changed since the fork block.
type forkDump struct {
	remote.Point
	Gone    []common.Address `json:"gone,omitempty"`    // accounts that do not exist any more, sorted
	Partial []common.Address `json:"partial,omitempty"` // accounts with further slots of the other chain, sorted
}

// newForkDump returns what the dump of a state has besides its accounts, nil unless the state is that of a fork.
func newForkDump(m *preconf.Moment, state *evmstate.State) *forkDump {
	if !state.Forked() {
		return nil
	}
	dump := &forkDump{Point: m.Chain().Fork().Point()}
	for account := range state.All() {
		switch {
		case !account.Exists:
			dump.Gone = append(dump.Gone, account.Address)
		case !account.Whole:
			dump.Partial = append(dump.Partial, account.Address)
		}
	}
	slices.SortFunc(dump.Gone, common.Address.Cmp)
	slices.SortFunc(dump.Partial, common.Address.Cmp)
	return dump
}

// dumpState serves anvil_dumpState: all accounts of the head; on a fork, those that changed since the fork block. Equal
// states give equal dumps.
func dumpState(r *request) (any, error) {
	m := r.moment()
	state, err := m.Latest().State()
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	archive := gzip.NewWriter(&packed)
	if err := json.NewEncoder(archive).Encode(stateDump{dumpVersion, state.Alloc(), newForkDump(m, state)}); err != nil {
		return nil, err
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return hexutil.Bytes(packed.Bytes()), nil
}

// loadState serves anvil_loadState: puts the accounts of a dump into the state of the head. Accounts that are
// not in the dump stay, and so do the slots that the dump of a fork does not have.
func loadState(r *request, packed hexutil.Bytes) (any, error) {
	dump, err := unpack(packed)
	if err != nil {
		return nil, invalidParams("%s: not a dump of anvil_dumpState: %s", r.method, err)
	}
	var partial map[common.Address]bool
	gone := []common.Address{}
	if dump.Fork != nil {
		gone, partial = dump.Fork.Gone, make(map[common.Address]bool, len(dump.Fork.Partial))
		for _, address := range dump.Fork.Partial {
			partial[address] = true
		}
	}
	for _, address := range slices.AppendSeq(slices.Clone(gone), maps.Keys(dump.Accounts)) {
		if _, err := r.account(nil, address); err != nil {
			return nil, err
		}
	}
	err = r.badInput(r.network.Timeline.EditState(func(s *evmstate.State) *evmstate.State {
		for _, address := range gone {
			s = s.WithoutAccount(address)
		}
		for address, account := range dump.Accounts {
			if !partial[address] {
				s = s.WithoutAccount(address)
			}
			s = s.WithBalance(address, uint256.MustFromBig(account.Balance))
			s = s.WithNonce(address, account.Nonce)
			s = s.WithCode(address, account.Code)
			for slot, value := range account.Storage {
				s = s.WithStorage(address, slot, value)
			}
		}
		return s
	}))
	if err != nil {
		return nil, err
	}
	return true, nil
}

// unpack reads a dump.
func unpack(packed []byte) (stateDump, error) {
	var dump stateDump
	archive, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return dump, err
	}
	text, err := io.ReadAll(io.LimitReader(archive, maxDump+1))
	switch {
	case err != nil:
		return dump, err
	case len(text) > maxDump:
		return dump, fmt.Errorf("it unpacks to more than %d bytes", maxDump)
	}
	if err := json.Unmarshal(text, &dump); err != nil {
		return dump, err
	}
	if dump.Version != dumpVersion {
		return dump, fmt.Errorf("version %d, want %d", dump.Version, dumpVersion)
	}
	for address, account := range dump.Accounts {
		if account.Balance == nil || account.Balance.Sign() < 0 || account.Balance.BitLen() > 256 {
			return dump, fmt.Errorf("balance of %s is not between 0 and 2^256-1", address)
		}
	}
	return dump, nil
}
