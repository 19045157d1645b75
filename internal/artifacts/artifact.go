package artifacts

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

type Artifact struct {
	// Path is the path of the file.
	Path string
	// Name is the contract's name.
	Name string
	// Constructor holds the parameters of the constructor.
	Constructor abi.Arguments
	// Code deploys the contract, in hex without 0x; the addresses of libraries in it are placeholders. It is empty for
	// an interface or an abstract contract.
	Code string
	// Links are the places of the addresses of libraries in Code, in order.
	Links []Link

	source   string // Hardhat's sourceName, such as "contracts/Vault.sol"; empty in Foundry's
	methods  []abi.Method
	errors   []abi.Error
	events   []abi.Event
	deployed template
	layout   layout
}

// Link is a place of a library's address in the code.
type Link struct {
	Source, Library string
	Start           int // in bytes
}

// file is the JSON of both kinds. Foundry's bytecode is an object, Hardhat's a text.
type file struct {
	ABI              []json.RawMessage `json:"abi"`
	ContractName     string            `json:"contractName"`
	SourceName       string            `json:"sourceName"`
	Bytecode         json.RawMessage   `json:"bytecode"`
	DeployedBytecode json.RawMessage   `json:"deployedBytecode"`
	LinkReferences   linkReferences    `json:"linkReferences"`
	StorageLayout    storageLayout     `json:"storageLayout"`
}

// linkReferences holds places by source and library.
type linkReferences map[string]map[string][]struct {
	Start int `json:"start"`
}

// errNoArtifact is the error of an undamaged file that is no artifact.
var errNoArtifact = errors.New("no abi or no bytecode: want an artifact of Foundry or Hardhat")

// Read reads an artifact. Errors begin with the path.
func Read(path string) (*Artifact, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a file", path) // reading a pipe would wait
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a := &Artifact{Path: path}
	if err := a.parse(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

func (a *Artifact) parse(text []byte) error {
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field == "" || !bytes.Contains(text, []byte(`"abi"`)) {
			return errNoArtifact // a list, such as a bare ABI, or JSON with comments
		}
		return err
	}
	if f.ABI == nil || f.Bytecode == nil {
		return errNoArtifact
	}
	a.Name = cmp.Or(f.ContractName, strings.TrimSuffix(filepath.Base(a.Path), ".json"))
	a.source, a.layout = f.SourceName, f.StorageLayout.named()
	for _, entry := range f.ABI {
		if err := a.add(entry); err != nil {
			return fmt.Errorf("abi: %w", err)
		}
	}
	code, links, err := bytecode(f.Bytecode)
	if err != nil {
		return fmt.Errorf("bytecode: %w", err)
	}
	deployed, _, err := bytecode(f.DeployedBytecode)
	if err != nil {
		return fmt.Errorf("deployedBytecode: %w", err)
	}
	if a.deployed, err = newTemplate(deployed); err != nil {
		return fmt.Errorf("deployedBytecode: %w", err)
	}
	a.Code = code
	if links == nil {
		links = f.LinkReferences
	}
	return a.link(links)
}

// bytecode reads code of either kind, in hex without 0x.
func bytecode(raw json.RawMessage) (code string, links linkReferences, err error) {
	if len(raw) == 0 {
		return "", nil, nil
	}
	var foundry struct {
		Object         string         `json:"object"`
		LinkReferences linkReferences `json:"linkReferences"`
	}
	into := any(&foundry)
	if raw[0] == '"' {
		into = &foundry.Object
	}
	err = json.Unmarshal(raw, into)
	return strings.TrimPrefix(foundry.Object, "0x"), foundry.LinkReferences, err
}

// link sets Links.
func (a *Artifact) link(references linkReferences) error {
	for source, libraries := range references {
		for library, places := range libraries {
			for _, place := range places {
				if place.Start < 0 || 2*(place.Start+common.AddressLength) > len(a.Code) {
					return fmt.Errorf("library %s is to be linked at %d, outside of the bytecode", library, place.Start)
				}
				a.Links = append(a.Links, Link{source, library, place.Start})
			}
		}
	}
	slices.SortFunc(a.Links, func(x, y Link) int { return x.Start - y.Start })
	return nil
}

// Library returns the path of a library's artifact: the one that the same tool writes.
func (a *Artifact) Library(l Link) string {
	folder := filepath.Dir(a.Path)
	if a.source == "" { // out/Vault.sol/Vault.json
		return filepath.Join(filepath.Dir(folder), filepath.Base(l.Source), l.Library+".json")
	}
	for range strings.Split(a.source, "/") { // artifacts/contracts/Vault.sol/Vault.json
		folder = filepath.Dir(folder)
	}
	return filepath.Join(folder, filepath.FromSlash(l.Source), l.Library+".json")
}

// maxDimensions is the most dimensions of an array. go-ethereum's parser takes time by their square.
const maxDimensions = 64

// tooDeep matches an array of more dimensions.
var tooDeep = regexp.MustCompile(fmt.Sprintf(`(?:\[[0-9]*\]){%d}`, maxDimensions+1))

// add takes an entry of an ABI. It leaves out entries with types that the ABI's coding does not have, such as functions
// of libraries with storage pointers: nobody calls them from outside.
func (a *Artifact) add(entry json.RawMessage) error {
	if tooDeep.Match(entry) {
		return fmt.Errorf("a type has more than %d dimensions", maxDimensions)
	}
	var one abi.ABI
	if err := json.Unmarshal(append(append([]byte{'['}, entry...), ']'), &one); err != nil {
		if _, wrong := errors.AsType[*json.UnmarshalTypeError](err); wrong {
			return err
		}
		return nil
	}
	if inputs := one.Constructor.Inputs; inputs != nil {
		a.Constructor = inputs
	}
	a.methods = slices.AppendSeq(a.methods, maps.Values(one.Methods))
	a.errors = slices.AppendSeq(a.errors, maps.Values(one.Errors))
	a.events = slices.AppendSeq(a.events, maps.Values(one.Events))
	return nil
}

// compiledFile is the compiled.json of a folder with our own compiled contracts.
type compiledFile struct {
	Contracts map[string]struct {
		File    string `json:"file"`    // without its ending
		Runtime [2]int `json:"runtime"` // where its .bin has the deployed code, in bytes; zero: it has a .code instead
	} `json:"contracts"`
}

// Compiled returns the Set of the contracts that a compiled.json in a folder of these file systems lists. They are read
// when the Set is first used: an unused Set costs nothing. It panics then if a file is damaged, which embedded files
// never are.
func Compiled(systems ...fs.FS) *Set {
	return &Set{tables: sync.OnceValue(func() *tables {
		t := newTables()
		for _, system := range systems {
			if err := t.readCompiled(system); err != nil {
				panic("artifacts: " + err.Error())
			}
		}
		return t
	})}
}

func (t *tables) readCompiled(system fs.FS) error {
	return fs.WalkDir(system, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Base(name) != "compiled.json" {
			return err
		}
		text, err := fs.ReadFile(system, name)
		if err != nil {
			return err
		}
		var f compiledFile
		if err := json.Unmarshal(text, &f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, contract := range slices.Sorted(maps.Keys(f.Contracts)) {
			entry := f.Contracts[contract]
			a := &Artifact{Path: path.Join(path.Dir(name), entry.File), Name: contract}
			if err := a.readCompiled(system, entry.Runtime); err != nil {
				return fmt.Errorf("%s: %w", a.Path, err)
			}
			t.add(a)
		}
		return nil
	})
}

// readCompiled reads the interface and the deployed code. A contract with the same interface as another one of its
// folder may have no .abi: its functions are found in the other's.
func (a *Artifact) readCompiled(system fs.FS, runtime [2]int) error {
	text, err := fs.ReadFile(system, a.Path+".abi")
	var entries []json.RawMessage
	if err == nil {
		err = json.Unmarshal(text, &entries)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if err := a.add(entry); err != nil {
			return err
		}
	}
	ending := ".bin"
	if runtime == [2]int{} {
		ending = ".code"
	}
	if text, err = fs.ReadFile(system, a.Path+ending); err != nil {
		return err
	}
	code := hex.EncodeToString(text)
	if ending == ".bin" {
		code = strings.TrimPrefix(string(text), "0x")
		if to := 2 * runtime[1]; to > len(code) || runtime[0] > runtime[1] {
			return fmt.Errorf("the deployed code ends at %d, behind the bytecode", runtime[1])
		}
		code = code[2*runtime[0] : 2*runtime[1]]
	}
	a.deployed, err = newTemplate(code)
	return err
}
