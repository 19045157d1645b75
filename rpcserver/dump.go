package rpcserver

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// dumpVersion is the version of the format of anvil_dumpState.
const dumpVersion = 1

// maxDump is the most bytes a dump may unpack to.
const maxDump = 1 << 30

// stateDump is the accounts of the head: JSON, packed with gzip. The format is the node's own.
type stateDump struct {
	Version  int                `json:"version"`
	Accounts types.GenesisAlloc `json:"accounts"`
}

// dumpState serves anvil_dumpState: all accounts of the head. Equal states give equal dumps.
func dumpState(r *request) (any, error) {
	state, err := r.moment().Latest().State()
	if err != nil {
		return nil, err
	}
	if state.Forked() {
		return nil, errorf(codeServer, "%s: a fork holds only what changed, which is no state of its own", r.method)
	}
	var packed bytes.Buffer
	archive := gzip.NewWriter(&packed)
	if err := json.NewEncoder(archive).Encode(stateDump{dumpVersion, state.Alloc()}); err != nil {
		return nil, err
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return hexutil.Bytes(packed.Bytes()), nil
}

// loadState serves anvil_loadState: puts the accounts of a dump into the state of the head. Accounts that are
// not in the dump stay.
func loadState(r *request, packed hexutil.Bytes) (any, error) {
	dump, err := unpack(packed)
	if err != nil {
		return nil, invalidParams("%s: not a dump of anvil_dumpState: %s", r.method, err)
	}
	for address := range dump.Accounts {
		if _, err := r.account(nil, address); err != nil {
			return nil, err
		}
	}
	err = r.badInput(r.network.Timeline.EditState(func(s *evmstate.State) *evmstate.State {
		for address, account := range dump.Accounts {
			s = s.WithoutAccount(address)
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
