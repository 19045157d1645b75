package artifacts

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

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
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var entries []json.RawMessage
	if err == nil {
		if err := json.Unmarshal(text, &entries); err != nil {
			return err
		}
	}
	for _, entry := range entries {
		if err := a.add(entry); err != nil {
			return err
		}
	}
	var code string
	if runtime == [2]int{} {
		text, err := fs.ReadFile(system, a.Path+".code")
		if err != nil {
			return err
		}
		code = hex.EncodeToString(text)
	} else {
		text, err := fs.ReadFile(system, a.Path+".bin")
		if err != nil {
			return err
		}
		code = strings.TrimPrefix(string(text), "0x")
		if to := 2 * runtime[1]; to > len(code) || runtime[0] > runtime[1] {
			return fmt.Errorf("the deployed code ends at %d, behind the bytecode", runtime[1])
		}
		code = code[2*runtime[0] : 2*runtime[1]]
	}
	a.deployed, err = newTemplate(code)
	return err
}
