package fakenode

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

// artifact is a compiled contract as Foundry (out/) and Hardhat (artifacts/) write it.
type artifact struct {
	path   string
	source string // Hardhat's sourceName, such as "contracts/Vault.sol"; empty in Foundry's
	abi    abi.ABI
	code   string // in hex without 0x; addresses of libraries are placeholders
	links  []artifactLink
}

// artifactLink is a place of a library's address in the code.
type artifactLink struct {
	source, library string
	start           int // in bytes
}

// artifactFile is the JSON of both kinds. Foundry's bytecode is an object, Hardhat's a text.
type artifactFile struct {
	ABI            *abi.ABI        `json:"abi"`
	SourceName     string          `json:"sourceName"`
	Bytecode       json.RawMessage `json:"bytecode"`
	LinkReferences linkReferences  `json:"linkReferences"`
}

// linkReferences holds places by source and library.
type linkReferences map[string]map[string][]struct {
	Start int `json:"start"`
}

// readArtifact reads an artifact. Errors begin with the path.
func readArtifact(path string) (*artifact, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file artifactFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if file.ABI == nil || file.Bytecode == nil {
		return nil, fmt.Errorf("%s: no abi or no bytecode: want an artifact of Foundry or Hardhat", path)
	}
	code := struct {
		Object         string         `json:"object"`
		LinkReferences linkReferences `json:"linkReferences"`
	}{LinkReferences: file.LinkReferences}
	target := any(&code)
	if file.Bytecode[0] == '"' {
		target = &code.Object
	}
	if err := json.Unmarshal(file.Bytecode, target); err != nil {
		return nil, fmt.Errorf("%s: bytecode: %w", path, err)
	}
	a := &artifact{path: path, source: file.SourceName, abi: *file.ABI, code: strings.TrimPrefix(code.Object, "0x")}
	if a.code == "" {
		return nil, fmt.Errorf("%s: the bytecode is empty: an interface or abstract contract cannot be deployed", path)
	}
	for source, libraries := range code.LinkReferences {
		for library, places := range libraries {
			for _, place := range places {
				if place.Start < 0 || 2*(place.Start+common.AddressLength) > len(a.code) {
					return nil, fmt.Errorf("%s: library %s is to be linked at %d, outside of the bytecode", path, library, place.Start)
				}
				a.links = append(a.links, artifactLink{source, library, place.Start})
			}
		}
	}
	slices.SortFunc(a.links, func(x, y artifactLink) int { return x.start - y.start })
	return a, nil
}

// library returns the path of the artifact of a library: beside the contract's, by the same tool's rules.
func (a *artifact) library(l artifactLink) string {
	folder := filepath.Dir(a.path)
	if a.source == "" { // out/Vault.sol/Vault.json
		return filepath.Join(filepath.Dir(folder), filepath.Base(l.source), l.library+".json")
	}
	for range strings.Split(a.source, "/") { // artifacts/contracts/Vault.sol/Vault.json
		folder = filepath.Dir(folder)
	}
	return filepath.Join(folder, filepath.FromSlash(l.source), l.library+".json")
}

// linked returns the init code with the addresses of the libraries, followed by the arguments.
func (a *artifact) linked(libraries map[string]common.Address, arguments []any) ([]byte, error) {
	code := a.code
	for _, link := range a.links {
		at := 2 * link.start
		code = code[:at] + hex.EncodeToString(libraries[a.library(link)].Bytes()) + code[at+2*common.AddressLength:]
	}
	init, err := hex.DecodeString(code)
	if err != nil {
		return nil, fmt.Errorf("%s: bytecode: %w", a.path, err)
	}
	inputs := a.abi.Constructor.Inputs
	if len(inputs) != len(arguments) {
		return nil, fmt.Errorf("%s: the constructor takes %d arguments, not %d", a.path, len(inputs), len(arguments))
	}
	values := make([]any, len(arguments))
	for i, input := range inputs {
		values[i] = converted(arguments[i], input.Type)
	}
	encoded, err := inputs.Pack(values...)
	if err != nil {
		return nil, fmt.Errorf("%s: arguments of the constructor: %w", a.path, err)
	}
	return append(init, encoded...), nil
}

// converted returns an argument with the Go type that package abi wants for a type, where its value allows: whole
// numbers of any Go type for integers, texts for nothing but texts.
func converted(argument any, kind abi.Type) any {
	if kind.T != abi.IntTy && kind.T != abi.UintTy {
		return argument
	}
	_, value := solidity(argument)
	n, whole := value.(*big.Int)
	target := kind.GetType()
	switch {
	case !whole:
		return argument
	case target.Kind() == reflect.Pointer:
		return n
	case kind.T == abi.UintTy && n.Sign() >= 0 && n.BitLen() <= kind.Size:
		return reflect.ValueOf(n.Uint64()).Convert(target).Interface()
	case kind.T == abi.IntTy && n.IsInt64() && n.BitLen() < kind.Size:
		return reflect.ValueOf(n.Int64()).Convert(target).Interface()
	}
	return argument
}

// DeployArtifact creates the contract of an artifact, a JSON file in Foundry's out/ or Hardhat's artifacts/, as Deploy
// does, and returns its address. Libraries that it is to be linked with are deployed first, once each, from the
// artifacts beside it. The arguments of the constructor are encoded by the ABI: *big.Int, *uint256.Int, int and uint64
// for integers, common.Address, common.Hash or [32]byte for bytes32, and else the Go types of package abi. Errors name
// the file; libraries that were deployed before one stay.
func (n *Network) DeployArtifact(from Account, path string, arguments ...any) (common.Address, error) {
	return n.deployArtifact(from, path, arguments, map[string]common.Address{}, nil)
}

// deployArtifact deploys what libraries does not have yet; above are the artifacts that need this one.
func (n *Network) deployArtifact(from Account, path string, arguments []any, libraries map[string]common.Address, above []string) (common.Address, error) {
	if slices.Contains(above, path) {
		return common.Address{}, fmt.Errorf("%s: the library is to be linked with itself", path)
	}
	a, err := readArtifact(path)
	if err != nil {
		return common.Address{}, err
	}
	for _, link := range a.links {
		library := a.library(link)
		if _, deployed := libraries[library]; deployed {
			continue
		}
		if libraries[library], err = n.deployArtifact(from, library, nil, libraries, append(above, path)); err != nil {
			return common.Address{}, fmt.Errorf("library %s of %s: %w", link.library, path, err)
		}
	}
	code, err := a.linked(libraries, arguments)
	if err != nil {
		return common.Address{}, err
	}
	address, err := n.Deploy(from, code)
	if err != nil {
		return common.Address{}, fmt.Errorf("%s: %w", path, err)
	}
	return address, nil
}
