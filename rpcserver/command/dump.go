package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
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
	"github.com/fakenode/fakenode/rpcserver/api"
)

// dumpObject is a state as anvil writes it: the accounts, and the newest block without its transactions, so that anvil
// goes on from its number. Equal states under equal heads give equal dumps.
type dumpObject struct {
	Block           dumpEnvironment                `json:"block"`
	Accounts        map[common.Address]dumpAccount `json:"accounts"`
	BestBlockNumber uint64                         `json:"best_block_number"`
	Blocks          []dumpBlock                    `json:"blocks"`
	Transactions    []struct{}                     `json:"transactions"`
	Fork            *forkDump                      `json:"fork,omitempty"` // absent: Accounts are complete
}

// forkDump holds the members that only the dump of a fork has. Such a dump has only the accounts that changed since the
// fork block.
type forkDump struct {
	remote.Point
	Gone    []common.Address `json:"gone,omitempty"`    // accounts that do not exist any more, sorted
	Partial []common.Address `json:"partial,omitempty"` // accounts with further slots of the other chain, sorted
}

// newForkDump returns the members of a fork's dump besides the accounts, nil unless the state is a fork's.
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

// dumpEnvironment holds the parts of the block that a contract can read.
type dumpEnvironment struct {
	Number      hexutil.Uint64 `json:"number"`
	Beneficiary common.Address `json:"beneficiary"`
	Timestamp   hexutil.Uint64 `json:"timestamp"`
	GasLimit    uint64         `json:"gas_limit"`
	BaseFee     uint64         `json:"basefee"`
	Difficulty  *hexutil.Big   `json:"difficulty"`
	PrevRandao  common.Hash    `json:"prevrandao"`
}

type dumpBlock struct {
	Header       *types.Header `json:"header"`
	Transactions []struct{}    `json:"transactions"`
	Ommers       []struct{}    `json:"ommers"`
}

type dumpAccount struct {
	Nonce   uint64                      `json:"nonce"`
	Balance *hexutil.Big                `json:"balance"`
	Code    hexutil.Bytes               `json:"code"`
	Storage map[common.Hash]common.Hash `json:"storage"`
}

// WriteDump writes the accounts of a chain's head as anvil does, in JSON, so that anvil --load-state and ReadDump read
// it. For a fork it writes only the accounts that changed since the fork block. The error is w's, or reports that the
// state is pruned.
func WriteDump(w io.Writer, m *preconf.Moment) error {
	state, err := m.Latest().State()
	if err != nil {
		return err
	}
	header := m.Latest().Header()
	dump := dumpObject{
		Block: dumpEnvironment{
			Number: hexutil.Uint64(header.Number.Uint64()), Beneficiary: header.Coinbase, Timestamp: hexutil.Uint64(header.Time),
			GasLimit: header.GasLimit, Difficulty: (*hexutil.Big)(header.Difficulty), PrevRandao: header.MixDigest,
		},
		Accounts:        map[common.Address]dumpAccount{},
		BestBlockNumber: header.Number.Uint64(),
		Blocks:          []dumpBlock{{Header: header, Transactions: []struct{}{}, Ommers: []struct{}{}}},
		Transactions:    []struct{}{},
		Fork:            newForkDump(m, state),
	}
	if header.BaseFee != nil {
		dump.Block.BaseFee = header.BaseFee.Uint64()
	}
	for address, account := range state.Alloc() {
		if account.Storage == nil {
			account.Storage = map[common.Hash]common.Hash{}
		}
		dump.Accounts[address] = dumpAccount{account.Nonce, (*hexutil.Big)(account.Balance), account.Code, account.Storage}
	}
	return json.NewEncoder(w).Encode(dump)
}

// DumpState serves anvil_dumpState: the dump, packed with gzip.
func DumpState(r *api.Request) (any, error) {
	var packed bytes.Buffer
	archive := gzip.NewWriter(&packed)
	err := errors.Join(WriteDump(archive, r.Moment()), archive.Close())
	return hexutil.Bytes(packed.Bytes()), err
}

// LoadState serves anvil_loadState: it puts the accounts of a dump into the state of the head. Accounts that are not in
// the dump do not change; nor do slots that are not in the dump of a fork.
func LoadState(r *api.Request, packed hexutil.Bytes) (any, error) {
	dump, err := readDump(bytes.NewReader(packed))
	if err != nil {
		return nil, api.InvalidParams("%s: not a dump of anvil_dumpState: %s", r.Method, err)
	}
	var gone, partial []common.Address
	if dump.fork != nil {
		gone, partial = dump.fork.Gone, dump.fork.Partial
	}
	for _, address := range slices.AppendSeq(slices.Clone(gone), maps.Keys(dump.accounts)) {
		if _, err := r.Account(nil, address); err != nil {
			return nil, err
		}
	}
	err = r.BadInput(r.Network.Timeline.EditState(func(s *evmstate.State) *evmstate.State {
		for _, address := range gone {
			s = s.WithoutAccount(address)
		}
		for address, account := range dump.accounts {
			if _, kept := slices.BinarySearchFunc(partial, address, common.Address.Cmp); !kept {
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
