package assembly

import (
	"fmt"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/paytoken"
)

// chains are the chains of a new node's networks. l1 is nil without an L1.
type chains struct{ main, testnet, l1 *chain.Chain }

// chains makes the chains of the networks.
func (s *Spec) chains() (made chains, err error) {
	switch {
	case s.L1 != nil:
		made.l1, made.main, err = s.bridgedChains()
	case s.Fork != nil:
		made.main, err = s.forkChain(*s.Fork)
	default:
		made.main, err = s.mainChain()
	}
	if err != nil {
		return made, err
	}
	made.testnet, err = s.madeFrom(s.recipe(s.TestnetID, paytoken.Testnet), s.Predeploys)
	return made, err
}

// mainChain returns the chain of a main network with a genesis, continued by Import.
func (s *Spec) mainChain() (main *chain.Chain, err error) {
	if s.Genesis != nil {
		main, err = chain.New(s.Genesis, s.Chain)
	} else {
		main, err = s.madeFrom(s.recipe(s.ChainID, paytoken.Main), s.Predeploys, s.Alloc)
	}
	if err != nil || s.Import == nil {
		return main, err
	}
	if main, err = main.Import(s.Import); err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	return main, nil
}

// madeFrom returns the chain on the genesis of a recipe with the user's own accounts, of which the later ones win.
func (s *Spec) madeFrom(r recipe, own ...types.GenesisAlloc) (*chain.Chain, error) {
	genesis, err := r.genesis(s.Accounts, s.Start, own...)
	if err != nil {
		return nil, err
	}
	return chain.New(genesis, s.Chain)
}
