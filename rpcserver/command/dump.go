package command

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

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
	Accounts        map[common.Address]dumpAccount `json:"accounts"`
	Block           dumpEnvironment                `json:"block"`
	BestBlockNumber uint64                         `json:"best_block_number"`
	Blocks          []dumpBlock                    `json:"blocks"`
	Transactions    []struct{}                     `json:"transactions"`
	Fork            *forkDump                      `json:"fork,omitempty"` // absent: the accounts are complete
}

// forkDump holds the members that only the dump of a fork has. Such a dump has only the accounts that changed since the
// fork block.
type forkDump struct {
	remote.Point
	Gone    []common.Address `json:"gone,omitempty"`    // accounts that do not exist any more, sorted
	Partial []common.Address `json:"partial,omitempty"` // accounts with further slots of the other chain, sorted
}

// newForkDump returns the members of a fork's dump besides the accounts, which are sorted.
func newForkDump(m *preconf.Moment, accounts []evmstate.Change) *forkDump {
	dump := &forkDump{Point: m.Chain().Fork().Point()}
	for _, account := range accounts {
		switch {
		case !account.Exists:
			dump.Gone = append(dump.Gone, account.Address)
		case !account.Whole:
			dump.Partial = append(dump.Partial, account.Address)
		}
	}
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

// WriteDump writes the accounts of a chain's head as anvil does, in JSON, so that anvil --load-state and ReadDump read
// it. For a fork it writes only the accounts that changed since the fork block. The error is w's, or reports that the
// state is pruned.
func WriteDump(w io.Writer, m *preconf.Moment) error {
	state, err := m.Latest().State()
	if err != nil {
		return err
	}
	accounts := slices.SortedFunc(state.All(), func(a, b evmstate.Change) int { return a.Address.Cmp(b.Address) })
	header := m.Latest().Header()
	dump := dumpObject{
		Accounts: make(map[common.Address]dumpAccount, len(accounts)),
		Block: dumpEnvironment{
			Number: hexutil.Uint64(header.Number.Uint64()), Beneficiary: header.Coinbase, Timestamp: hexutil.Uint64(header.Time),
			GasLimit: header.GasLimit, Difficulty: (*hexutil.Big)(header.Difficulty), PrevRandao: header.MixDigest,
		},
		BestBlockNumber: header.Number.Uint64(),
		Blocks:          []dumpBlock{{Header: header, Transactions: []struct{}{}, Ommers: []struct{}{}}},
		Transactions:    []struct{}{},
	}
	for _, account := range accounts {
		if account.Exists {
			dump.Accounts[account.Address] = dumpAccountOf(account)
		}
	}
	if state.Forked() {
		dump.Fork = newForkDump(m, accounts)
	}
	if header.BaseFee != nil {
		dump.Block.BaseFee = header.BaseFee.Uint64()
	}
	text, err := json.Marshal(dump)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(append(text, '\n'), 64<<10) {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// dumpAccount is an account as a dump has it.
type dumpAccount struct {
	Nonce   uint64                      `json:"nonce"`
	Balance *hexutil.U256               `json:"balance"` // wei
	Code    hexutil.Bytes               `json:"code"`
	Storage map[common.Hash]common.Hash `json:"storage"`
}

func dumpAccountOf(account evmstate.Change) dumpAccount {
	dumped := dumpAccount{account.Nonce, (*hexutil.U256)(account.Balance), nil, make(map[common.Hash]common.Hash, len(account.Slots))}
	if account.Code != nil {
		dumped.Code = account.Code.Bytes
	}
	for _, slot := range account.Slots {
		dumped.Storage[slot.Key] = slot.Value
	}
	return dumped
}

// DumpState serves anvil_dumpState: the dump, packed with gzip.
func DumpState(r *api.Request) (any, error) {
	p := &packer{request: r}
	p.archive = gzip.NewWriter(&p.packed)
	if err := errors.Join(WriteDump(p, r.Moment()), p.archive.Close()); err != nil {
		return nil, err
	}
	return hexutil.Bytes(p.packed.Bytes()), nil
}

// packer packs a dump for a client. It fails once the client has left or the answer has no room.
type packer struct {
	request *api.Request
	packed  bytes.Buffer
	archive *gzip.Writer
}

func (p *packer) Write(text []byte) (int, error) {
	if err := p.request.Ctx.Err(); err != nil {
		return 0, err
	}
	if room := p.request.Caller.Room(); 2*p.packed.Len() > room {
		return 0, api.TooLarge("the dump is too large: the limit is %d bytes (--max-answer)", room)
	}
	return p.archive.Write(text)
}

// LoadState serves anvil_loadState: it puts the accounts of a dump into the state of the head. Accounts that are not in
// the dump do not change; nor do slots that are not in the dump of a fork.
func LoadState(r *api.Request, packed hexutil.Bytes) (any, error) {
	accounts, fork, err := readDump(bytes.NewReader(packed))
	if err != nil {
		return nil, api.InvalidParams("%s: not a dump of anvil_dumpState: %s", r.Method, err)
	}
	var gone, partial []common.Address
	if fork != nil {
		gone, partial = fork.Gone, fork.Partial
	}
	for _, address := range slices.AppendSeq(slices.Clone(gone), maps.Keys(accounts)) {
		if _, err := r.Account(nil, address); err != nil {
			return nil, err
		}
	}
	err = r.BadInput(r.Network.Timeline.EditState(func(s *evmstate.State) *evmstate.State {
		for _, address := range gone {
			s = s.WithoutAccount(address)
		}
		for address, account := range accounts {
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
	return true, err
}

// maxDump is the most bytes a dump may have, and may unpack to.
const maxDump = 256 << 20

// ReadDump reads the accounts of a state that anvil has dumped (anvil_dumpState, --dump-state) or that WriteDump has
// written: JSON, which may be packed with gzip. The error names the account and the fault in it, or reports that the
// dump is a fork's, which lacks the unchanged accounts.
func ReadDump(r io.Reader) (types.GenesisAlloc, error) {
	accounts, fork, err := readDump(r)
	if err == nil && fork != nil {
		return nil, fmt.Errorf("it is the dump of a fork of chain %d: it holds only what changed since block %d", fork.ChainID, fork.Number)
	}
	return accounts, err
}

// readDump returns the accounts of a dump, which are complete if fork is nil.
func readDump(r io.Reader) (accounts types.GenesisAlloc, fork *forkDump, err error) {
	text, err := readUnpacked(r, maxDump)
	if err != nil {
		return nil, nil, err
	}
	var dump struct {
		Accounts map[common.Address]json.RawMessage `json:"accounts"`
		Fork     *forkDump                          `json:"fork"`
	}
	if err := json.Unmarshal(text, &dump); err != nil {
		return nil, nil, errors.New("it is not the JSON of accounts by address")
	}
	if dump.Accounts == nil {
		return nil, nil, errors.New("it has no accounts")
	}
	alloc := make(types.GenesisAlloc, len(dump.Accounts))
	for address, account := range dump.Accounts {
		if alloc[address], err = readAccount(account); err != nil {
			return nil, nil, fmt.Errorf("account %s: %w", address, err)
		}
	}
	if dump.Fork != nil {
		slices.SortFunc(dump.Fork.Partial, common.Address.Cmp)
	}
	return alloc, dump.Fork, nil
}

// readUnpacked reads all of r, unpacked if it is packed with gzip: at most so many bytes.
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

// dumpedAccount is an account of a dump. Numbers and words may have the forms of anvil and of genesis files.
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
