package assembly

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
)

// Values where nothing else is said: the gas limit of blocks, and the base fee of a genesis block in wei.
const (
	DefaultGasLimit = 60_000_000
	DefaultBaseFee  = 1_000_000_000
)

// Spec describes a node. Unless a field says what its zero value means, it must be set.
type Spec struct {
	// Options describe the node to its file; with an empty Path there is none. Fork stands in the place of the main
	// network's genesis, and Chain has the rules of the OP stack of a genesis. Below is that of L1, and a nil Logger
	// slog.Default().
	// Expected.Genesis is the main network's. Nil: it is made by Recipe.
	keeping.Options
	// Recipe describes the main network's genesis. Those of the others have chain ids of their own and the number 0.
	Recipe

	// Start is the time of the genesis blocks.
	Start time.Time
	// Accounts are the development accounts that Mnemonic derives.
	Accounts []fixtures.Account
	// TestnetID is the chain id of the test network.
	TestnetID uint64
	// Predeploys are in the genesis of the main and the test network, Alloc in the main network's alone. Later ones
	// replace earlier ones at the same address.
	Predeploys, Alloc types.GenesisAlloc
	// Import is read for blocks after the main network's genesis. Nil: none.
	Import io.Reader
	// L1 is below the main network. Nil: none.
	L1 *L1
}

// Build returns the timelines of the networks of a node, as the file of s.Path has them or new ones. kept is that
// file, nil for none; it also has the node's worlds.
func (s *Spec) Build() (main, testnet *preconf.Timeline, kept *keeping.File, err error) {
	if s.Path == "" {
		main, testnet, err = s.begin()
		return main, testnet, nil, err
	}
	if kept, err = keeping.Open(s.keeping()); err != nil {
		return nil, nil, nil, err
	}
	if kept.Main == nil {
		if main, testnet, err = s.begin(); err == nil {
			err = kept.Begin(main, testnet)
		}
		if err != nil {
			return nil, nil, nil, errors.Join(err, kept.Close())
		}
	}
	return kept.Main, kept.Testnet, kept, nil
}

func (s *Spec) begin() (main, testnet *preconf.Timeline, err error) {
	onMain, onTestnet := s.mainTimeline(), s.Testnet
	switch {
	case s.L1 != nil:
		onMain.Chain, onMain.Below, err = s.bridged()
	case s.Fork != nil:
		onMain.Chain, err = s.forkChain(*s.Fork)
	default:
		onMain.Chain, err = s.mainChain()
	}
	if err != nil {
		return nil, nil, err
	}
	if onTestnet.Chain, err = s.madeFrom(s.recipe(s.TestnetID, paytoken.Testnet), s.Predeploys); err != nil {
		return nil, nil, err
	}
	if main, err = preconf.New(onMain); err != nil {
		return nil, nil, err
	}
	testnet, err = preconf.New(onTestnet)
	return main, testnet, err
}

func (s *Spec) keeping() keeping.Options {
	o := s.Options
	o.Main, o.Logger = s.mainTimeline(), cmp.Or(s.Logger, slog.Default())
	if s.Fork != nil {
		o.Fork = s.logged(*s.Fork)
	}
	if s.L1 != nil {
		o.Below = new(s.l1Timeline())
	}
	return o
}

// mainChain returns the chain of a main network with a genesis, continued by Import.
func (s *Spec) mainChain() (main *chain.Chain, err error) {
	if s.Expected.Genesis != nil {
		main, err = chain.New(s.Expected.Genesis, s.Chain)
	} else {
		r := s.recipe(s.ChainID, paytoken.Main)
		r.GenesisNumber = s.GenesisNumber
		main, err = s.madeFrom(r, s.Predeploys, s.Alloc)
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
func (s *Spec) madeFrom(r Recipe, own ...types.GenesisAlloc) (*chain.Chain, error) {
	genesis, err := r.genesis(s.Accounts, s.Start, own...)
	if err != nil {
		return nil, err
	}
	return chain.New(genesis, s.Chain)
}
