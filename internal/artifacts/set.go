package artifacts

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
)

// Set holds the artifacts of projects. A nil Set holds none. It is safe for concurrent use.
type Set struct {
	tables func() *tables // never nil
	next   *Set           // used for everything that this one does not know; nil: none
	found  sync.Map       // hash of deployed code that has an artifact → *Artifact
}

// tables hold the artifacts' entries by selector, topic and size of the code.
type tables struct {
	bySize  map[int][]*Artifact // by the size of the deployed code, in bytes
	methods map[[4]byte]abi.Method
	errors  map[[4]byte]abi.Error
	events  map[common.Hash][]abi.Event // several may differ in their indexed arguments
}

func newTables() *tables {
	return &tables{
		bySize: map[int][]*Artifact{}, methods: map[[4]byte]abi.Method{},
		errors: map[[4]byte]abi.Error{}, events: map[common.Hash][]abi.Event{},
	}
}

// Load reads all artifacts in folders and below, and the files that are named; other files in the folders are left out.
// Without paths the Set is nil. If several artifacts have a selector or a code, the first counts, in the order of the
// paths and then of the names. The error begins with the path of a file that cannot be read, or of a folder without
// artifacts.
func Load(paths []string) (*Set, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	t := newTables()
	for _, path := range paths {
		n, err := t.load(path)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, fmt.Errorf("%s: no artifact of Foundry or Hardhat", path)
		}
	}
	return &Set{tables: func() *tables { return t }}, nil
}

// Before returns a Set that looks in s first and then in next.
func (s *Set) Before(next *Set) *Set {
	if s == nil {
		return next
	}
	return &Set{tables: s.tables, next: next}
}

// load adds the artifacts of a path and returns their number.
func (t *tables) load(root string) (n int, err error) {
	if _, err := os.Stat(root); err != nil {
		return 0, err
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "build-info": // the compiler's input and whole output
			return filepath.SkipDir
		case entry.IsDir(), !strings.HasSuffix(path, ".json"):
			return nil
		}
		a, err := Read(path)
		if errors.Is(err, errNoArtifact) {
			return nil
		}
		if err == nil {
			t.add(a)
			n++
		}
		return err
	})
	return n, err
}

func (t *tables) add(a *Artifact) {
	if size := len(a.deployed.code); size > 0 {
		t.bySize[size] = append(t.bySize[size], a)
	}
	for _, method := range a.methods {
		if id := [4]byte(method.ID); t.methods[id].ID == nil {
			t.methods[id] = method
		}
	}
	for _, failure := range a.errors {
		if id := [4]byte(failure.ID[:4]); t.errors[id].ID == (common.Hash{}) {
			t.errors[id] = failure
		}
	}
	for _, event := range a.events {
		t.events[event.ID] = append(t.events[event.ID], event)
	}
}

// Contract returns the artifact of deployed code, nil if there is none. It takes the hash to recognise the code the
// next time.
func (s *Set) Contract(hash common.Hash, code []byte) *Artifact {
	if s == nil || len(code) == 0 {
		return nil
	}
	if known, ok := s.found.Load(hash); ok {
		return known.(*Artifact)
	}
	for _, a := range s.tables().bySize[len(code)] {
		if a.deployed.matches(code) {
			s.found.Store(hash, a)
			return a
		}
	}
	return s.next.Contract(hash, code)
}

// Accounts give the code of accounts, as a State does.
type Accounts interface {
	Code(common.Address) []byte
	CodeHash(common.Address) common.Hash
}

// At returns the artifact of an account's code, or of the code that it delegates to (EIP-7702). Nil: none is known.
func (s *Set) At(accounts Accounts, address common.Address) *Artifact {
	code := accounts.Code(address)
	if target, delegated := types.ParseDelegation(code); delegated {
		address, code = target, accounts.Code(target)
	}
	return s.Contract(accounts.CodeHash(address), code)
}

// template is deployed code as the compiler leaves it: with zeros where the constructor puts immutables, and in the
// places of addresses of libraries and of a library's own address.
type template struct {
	code []byte
	open []span // any bytes fit here
}

type span struct{ start, length int }

// newTemplate reads code in hex without 0x.
func newTemplate(text string) (t template, err error) {
	for { // placeholders of libraries have 40 characters, such as __$4a1c…$__
		at := strings.Index(text, "__")
		if at < 0 || at+2*common.AddressLength > len(text) {
			break
		}
		t.open = append(t.open, span{at / 2, common.AddressLength})
		text = text[:at] + strings.Repeat("0", 2*common.AddressLength) + text[at+2*common.AddressLength:]
	}
	if t.code, err = hex.DecodeString(text); err != nil {
		return t, err
	}
	for at := 0; at < len(t.code); at++ {
		op := vm.OpCode(t.code[at])
		if op < vm.PUSH1 || op > vm.PUSH32 {
			continue
		}
		length := int(op-vm.PUSH1) + 1
		immutable := op == vm.PUSH32 || op == vm.PUSH20 && at == 0 // a library begins with its own address
		if immutable && at+length < len(t.code) && common.BytesToHash(t.code[at+1:at+1+length]) == (common.Hash{}) {
			t.open = append(t.open, span{at + 1, length})
		}
		at += length
	}
	return t, nil
}

// matches reports whether code of the template's size may have been made from it.
func (t *template) matches(code []byte) bool {
	code = bytes.Clone(code)
	for _, s := range t.open {
		clear(code[s.start : s.start+s.length])
	}
	return bytes.Equal(code, t.code)
}
