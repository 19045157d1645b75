package fakenode

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/core/types"
	jsonv2 "github.com/go-json-experiment/json"

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
	var file map[common.Address]predeploy
	err := jsonv2.UnmarshalRead(r, &file, jsonv2.RejectUnknownMembers(true))
	if wrong, is := errors.AsType[*jsonv2.SemanticError](err); is {
		at := cmp.Or(strings.TrimPrefix(string(wrong.JSONPointer), "/"), "the file")
		err = fmt.Errorf("%s: %s", at, spelling.Untyped(cmp.Or(wrong.Err, errors.New("it is of the wrong kind")).Error()))
	}
	if err != nil {
		return nil, fmt.Errorf("predeploys: %w", spelling.JSON(err))
	}
	alloc := types.GenesisAlloc{}
	for address, p := range file {
		account := types.Account{Code: p.Code, Balance: (*big.Int)(&p.Balance)}
		switch {
		case account.Balance.Sign() < 0:
			return nil, fmt.Errorf("predeploys: %s/balance: %d is negative", address, account.Balance)
		case p.Nonce != nil:
			account.Nonce = uint64(*p.Nonce)
		case len(p.Code) > 0:
			account.Nonce = 1 // as after a deployment
		}
		for slot, value := range p.Storage {
			if account.Storage == nil {
				account.Storage = map[common.Hash]common.Hash{}
			}
			account.Storage[common.Hash(slot)] = common.Hash(value)
		}
		alloc[address] = account
	}
	return alloc, nil
}

// predeploy is one account of a file of predeploys. Every field may be left out.
type predeploy struct {
	Code    hexBytes             `json:"code"`
	Storage map[word]word        `json:"storage"`
	Balance math.HexOrDecimal256 `json:"balance"`
	Nonce   *math.HexOrDecimal64 `json:"nonce"`
}

// hexBytes are bytes in hex; the empty text is none.
type hexBytes []byte

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	digits, prefixed := strings.CutPrefix(string(text), "0x")
	if !prefixed && digits != "" {
		return errors.New("want 0x and hex digits")
	}
	*b, err = hex.DecodeString(digits)
	return err
}

// word is up to 32 bytes in hex; leading zeros may be left out.
type word common.Hash

func (w *word) UnmarshalText(text []byte) error {
	digits, prefixed := strings.CutPrefix(string(text), "0x")
	if !prefixed || digits == "" || len(digits) > 2*common.HashLength {
		return fmt.Errorf("want 0x and up to %d hex digits", 2*common.HashLength)
	}
	bytes, err := hex.DecodeString(strings.Repeat("0", len(digits)%2) + digits)
	*w = word(common.BytesToHash(bytes))
	return err
}
