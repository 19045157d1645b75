package rpcserver

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
)

// errForkDump is returned for the dump of a fork.
var errForkDump = errors.New("a fork holds only what changed, which is no state of its own")

// dumpObject is a state as anvil writes it: the accounts, and the newest block without its transactions, so that anvil
// goes on from its number. Equal states under equal heads give equal dumps.
type dumpObject struct {
	Block           dumpEnvironment                `json:"block"`
	Accounts        map[common.Address]dumpAccount `json:"accounts"`
	BestBlockNumber uint64                         `json:"best_block_number"`
	Blocks          []dumpBlock                    `json:"blocks"`
	Transactions    []struct{}                     `json:"transactions"`
}

// dumpEnvironment is what a contract sees of the block.
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
// it. The error is that of w, that the chain is a fork, or that the state is pruned.
func WriteDump(w io.Writer, m *preconf.Moment) error {
	state, err := m.Latest().State()
	if err != nil {
		return err
	}
	if state.Forked() {
		return errForkDump
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

// dumpState serves anvil_dumpState: the dump, packed with gzip.
func dumpState(r *request) (any, error) {
	var packed bytes.Buffer
	archive := gzip.NewWriter(&packed)
	err := errors.Join(WriteDump(archive, r.moment()), archive.Close())
	if errors.Is(err, errForkDump) {
		return nil, errorf(codeServer, "%s: %s", r.method, errForkDump)
	}
	return hexutil.Bytes(packed.Bytes()), err
}

// loadState serves anvil_loadState: puts the accounts of a dump into the state of the head. Accounts that are
// not in the dump stay.
func loadState(r *request, packed hexutil.Bytes) (any, error) {
	accounts, err := ReadDump(bytes.NewReader(packed))
	if err != nil {
		return nil, invalidParams("%s: not a dump of anvil_dumpState: %s", r.method, err)
	}
	for address := range accounts {
		if _, err := r.account(nil, address); err != nil {
			return nil, err
		}
	}
	err = r.badInput(r.network.Timeline.EditState(func(s *evmstate.State) *evmstate.State {
		for address, account := range accounts {
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
