package fakenode

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/internal/artifacts"
)

// Transact signs a transaction of an account whose key is known, puts it into the pool (in Instant mode: into a block)
// and returns its hash. The nonce follows those in the pool, the gas price is twice the base fee. If Gas is estimated,
// a call that would revert is an error with its reason, and nothing is sent. Send takes a transaction that is signed.
func (n *Network) Transact(from Account, tx Tx) (common.Hash, error) {
	sent, err := tx.Send(n.Timeline(), from)
	if err != nil {
		return common.Hash{}, fmt.Errorf("transaction of %s: %w", from.Address, err)
	}
	return sent.Hash(), nil
}

// Deploy creates a contract in one transaction of an account, sealed when it returns, and returns its address. code is
// the init code; the arguments of the constructor are encoded by their Go types: common.Address as address, common.Hash
// as bytes32, bool, string, []byte as bytes, and *big.Int, *uint256.Int and Go's integers as an integer of any width.
// On an error, which holds the revert reason, nothing changed.
func (n *Network) Deploy(from Account, code []byte, arguments ...any) (common.Address, error) {
	encoded, err := artifacts.Encode(arguments)
	if err != nil {
		return common.Address{}, fmt.Errorf("deploy: %w", err)
	}
	receipt, err := Tx{Data: append(append([]byte(nil), code...), encoded...)}.Seal(n.Timeline(), from)
	if err != nil {
		return common.Address{}, fmt.Errorf("deploy: %w", err)
	}
	return receipt.ContractAddress, nil
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
	a, err := artifacts.Read(path)
	if err != nil {
		return common.Address{}, err
	}
	for _, link := range a.Links {
		library := a.Library(link)
		if _, deployed := libraries[library]; deployed {
			continue
		}
		if libraries[library], err = n.deployArtifact(from, library, nil, libraries, append(above, path)); err != nil {
			return common.Address{}, fmt.Errorf("library %s of %s: %w", link.Library, path, err)
		}
	}
	code, err := a.InitCode(libraries, arguments)
	if err != nil {
		return common.Address{}, err
	}
	address, err := n.Deploy(from, code)
	if err != nil {
		return common.Address{}, fmt.Errorf("%s: %w", path, err)
	}
	return address, nil
}

// Send puts a signed transaction into the pool (in Instant mode: into a block), as eth_sendRawTransaction
// does. The errors are those of package preconf.
func (n *Network) Send(tx *types.Transaction) error { return n.Timeline().Send(tx) }
