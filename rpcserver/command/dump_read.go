package command

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// maxDump is the most bytes a dump may have, and may unpack to.
const maxDump = 256 << 20

// ReadDump reads the accounts of a state that anvil has dumped (anvil_dumpState, --dump-state) or that WriteDump has
// written: JSON, which may be packed with gzip. The error names the account and the fault in it, or reports that the
// dump is a fork's, which lacks the unchanged accounts.
func ReadDump(r io.Reader) (types.GenesisAlloc, error) {
	dump, err := readDump(r)
	if err == nil && dump.fork != nil {
		return nil, fmt.Errorf("it is the dump of a fork of chain %d: it holds only what changed since block %d", dump.fork.ChainID, dump.fork.Number)
	}
	return dump.accounts, err
}

// dumped holds the contents of a dump.
type dumped struct {
	accounts types.GenesisAlloc
	fork     *forkDump // nil: accounts are complete
}

func readDump(r io.Reader) (d dumped, err error) {
	text, err := readUnpacked(r, maxDump)
	if err != nil {
		return d, err
	}
	var dump struct {
		Accounts map[common.Address]json.RawMessage `json:"accounts"`
		Fork     *forkDump                          `json:"fork"`
	}
	if err := json.Unmarshal(text, &dump); err != nil {
		return d, err
	}
	if dump.Accounts == nil {
		return d, errors.New("it has no accounts")
	}
	alloc := make(types.GenesisAlloc, len(dump.Accounts))
	for address, account := range dump.Accounts {
		if alloc[address], err = readAccount(account); err != nil {
			return d, fmt.Errorf("account %s: %w", address, err)
		}
	}
	if dump.Fork != nil {
		slices.SortFunc(dump.Fork.Partial, common.Address.Cmp)
	}
	return dumped{alloc, dump.Fork}, nil
}

// readUnpacked reads all of r, and unpacks it if it is packed with gzip. The error may report that it has more than
// most bytes.
func readUnpacked(r io.Reader, most int) ([]byte, error) {
	source := bufio.NewReader(r)
	r = source
	if magic, _ := source.Peek(2); string(magic) == "\x1f\x8b" {
		archive, err := gzip.NewReader(source)
		if err != nil {
			return nil, err
		}
		r = archive
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err == nil && len(text) > most {
		err = fmt.Errorf("it unpacks to more than %d bytes", most)
	}
	return text, err
}

// dumpedAccount is an account of a dump. Numbers and words may have the forms of anvil, some without leading zeros, and
// of genesis files.
type dumpedAccount struct {
	Nonce   api.Number        `json:"nonce"`
	Balance *amount           `json:"balance"`
	Code    hexutil.Bytes     `json:"code"`
	Storage map[string]amount `json:"storage"`
}

func readAccount(text []byte) (types.Account, error) {
	var dumped dumpedAccount
	err := json.Unmarshal(text, &dumped)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return types.Account{}, fmt.Errorf("%s: %s", wrong.Field, wrong.Value)
	case err != nil:
		return types.Account{}, err
	case dumped.Balance == nil:
		return types.Account{}, errors.New("it has no balance")
	}
	account := types.Account{Nonce: uint64(dumped.Nonce), Balance: dumped.Balance.ToBig(), Code: dumped.Code}
	for text, value := range dumped.Storage {
		var slot amount
		if slot.UnmarshalJSON([]byte(strconv.Quote(text))) != nil {
			return account, fmt.Errorf("slot %q is no word of 32 bytes", api.Excerpt(text))
		}
		if account.Storage == nil {
			account.Storage = make(map[common.Hash]common.Hash, len(dumped.Storage))
		}
		account.Storage[slot.Bytes32()] = value.Bytes32()
	}
	return account, nil
}
