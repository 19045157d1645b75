package fakenode

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/spelling"
	"github.com/fakenode/fakenode/rpcserver/command"
)

// NewGenesis returns a genesis of exactly these accounts, balances in wei, and the system contracts that blocks call:
// the chain id is 31337, the rules are osaka's. For Config.Genesis; there is no token in it.
func NewGenesis(alloc types.GenesisAlloc) *Genesis {
	return assembly.NewGenesis(persona.Dev.ChainID, alloc)
}

// ReadChain reads a chain of one's own for Config.Chain from JSON: an object with the name of a preset, which is
// "like", and values by the names of flags; null leaves one out. It also reads an entry of the superchain registry, in
// TOML, with the hard fork that has begun at a time. The error names the member and what it may be.
func ReadChain(r io.Reader, at time.Time) (Chain, error) {
	read, err := persona.Read(r, at)
	if err == nil {
		var node *Node
		if node, err = New(Config{Chain: &read, Accounts: -1}); err == nil {
			err = node.Close()
		}
	}
	if err != nil {
		return Chain{}, fmt.Errorf("chain: %w", err)
	}
	return read, nil
}

// WriteChain writes whose behaviour the node has as JSON, for ReadChain. The error is that of w.
func (n *Node) WriteChain(w io.Writer) error {
	c := n.config
	row := c.merged()
	if c.Fork == nil {
		row.ChainID = n.ChainID()
	}
	if c.L1 != nil {
		row.Bridge = c.L1.On(row.Bridge)
	}
	if row.Rules = c.row.Rules; row.Rules == cmp.Or(c.like.Rules, string(EthereumRules)) {
		row.Rules = c.like.Rules
	}
	if err := row.Write(w); err != nil {
		return fmt.Errorf("chain: %w", err)
	}
	return nil
}

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
	if moment.Control().Edited {
		return errors.New("the state was edited by control methods")
	}
	if moment.Chain().CodeLimit != 0 {
		return errors.New("contracts may be larger than EIP-170 allows")
	}
	return moment.Chain().Verify(chain.Options{})
}

// ReadPredeploys reads accounts for Config.Predeploys from JSON: an object that maps an address to an object of code
// (the runtime code, hex), storage (slot to word, hex of at most 32 bytes each), balance (wei) and nonce, both a number
// or a string, decimal or 0x and hex. All of them may be left out; the nonce is then 1 for an account with code. The
// error names the address and what is wrong there.
func ReadPredeploys(r io.Reader) (types.GenesisAlloc, error) {
	decoder := json.NewDecoder(r)
	decoder.UseNumber()
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, errors.New("predeploys: want an object that maps addresses to accounts")
	}
	alloc := types.GenesisAlloc{}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("predeploys: %w", spelling.JSON(err))
		}
		name := fmt.Sprint(key)
		if !common.IsHexAddress(name) || !strings.HasPrefix(name, "0x") {
			return nil, fmt.Errorf("predeploys: %q is not an address: want 0x and 40 hex digits", name)
		}
		address := common.HexToAddress(name)
		if _, twice := alloc[address]; twice {
			return nil, fmt.Errorf("predeploys: %s is there twice", name)
		}
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return nil, fmt.Errorf("predeploys: %s: %w", name, spelling.JSON(err))
		}
		if alloc[address], err = readPredeploy(raw); err != nil {
			return nil, fmt.Errorf("predeploys: %s: %w", name, err)
		}
	}
	if _, err := decoder.Token(); err != nil {
		return nil, fmt.Errorf("predeploys: %w", spelling.JSON(err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("predeploys: data after the object")
	}
	return alloc, nil
}

// predeploy is one account of a file of predeploys. Every field may be left out.
type predeploy struct {
	Code    string            `json:"code"`
	Storage map[string]string `json:"storage"`
	Balance json.RawMessage   `json:"balance"`
	Nonce   json.RawMessage   `json:"nonce"`
}

func readPredeploy(raw json.RawMessage) (types.Account, error) {
	var p predeploy
	strict := json.NewDecoder(bytes.NewReader(raw))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&p); err != nil {
		return types.Account{}, spelling.JSON(err)
	}
	account := types.Account{Balance: new(big.Int)}
	var err error
	if account.Code, err = readHex(p.Code); err != nil {
		return account, fmt.Errorf("code: %w", err)
	}
	if len(account.Code) > 0 {
		account.Nonce = 1 // as after a deployment
	}
	for slot, word := range p.Storage {
		at, err := readWord(slot)
		if err != nil {
			return account, fmt.Errorf("storage slot %q: %w", slot, err)
		}
		value, err := readWord(word)
		if err != nil {
			return account, fmt.Errorf("storage word %q of slot %s: %w", word, slot, err)
		}
		if account.Storage == nil {
			account.Storage = map[common.Hash]common.Hash{}
		}
		if _, twice := account.Storage[at]; twice {
			return account, fmt.Errorf("storage slot %s is there twice", at)
		}
		account.Storage[at] = value
	}
	if err := readNumber(p.Balance, 256, account.Balance); err != nil {
		return account, fmt.Errorf("balance: %w", err)
	}
	if p.Nonce != nil {
		nonce := new(big.Int)
		if err := readNumber(p.Nonce, 64, nonce); err != nil {
			return account, fmt.Errorf("nonce: %w", err)
		}
		account.Nonce = nonce.Uint64()
	}
	return account, nil
}

// readHex reads bytes; the empty text is none.
func readHex(text string) ([]byte, error) {
	if text == "" {
		return nil, nil
	}
	digits, prefixed := strings.CutPrefix(text, "0x")
	if !prefixed {
		return nil, errors.New("want 0x and hex digits")
	}
	return hex.DecodeString(digits)
}

// readWord reads a word of up to 32 bytes; leading zeros may be left out.
func readWord(text string) (common.Hash, error) {
	digits, prefixed := strings.CutPrefix(text, "0x")
	if !prefixed || digits == "" {
		return common.Hash{}, errors.New("want 0x and hex digits")
	}
	if len(digits) > 2*common.HashLength {
		return common.Hash{}, fmt.Errorf("%d digits are over the limit of %d", len(digits), 2*common.HashLength)
	}
	word, err := hex.DecodeString(strings.Repeat("0", len(digits)%2) + digits)
	return common.BytesToHash(word), err
}

// readNumber reads a number or a string of one into n; a missing one leaves n as it is.
func readNumber(raw json.RawMessage, bits int, n *big.Int) error {
	if raw == nil {
		return nil
	}
	text := strings.Trim(string(raw), `"`)
	value, ok := math.ParseBig256(text)
	switch {
	case !ok || text == "":
		return fmt.Errorf("%s is no number up to 2^%d - 1: want decimal or 0x and hex", raw, bits)
	case value.Sign() < 0:
		return fmt.Errorf("%s is negative", raw)
	case value.BitLen() > bits:
		return fmt.Errorf("%s is over the limit of 2^%d - 1", raw, bits)
	}
	n.Set(value)
	return nil
}
