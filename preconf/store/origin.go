package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
)

// Origin describes the first block of a network: a genesis, or a block of another chain.
type Origin struct {
	Genesis *chain.Genesis // nil for a fork
	Fork    *Fork          // nil for a genesis
	// Upgrade names the rules of an OP-stack chain. Empty: Ethereum's rules.
	Upgrade string
}

// Fork is the origin of a fork.
type Fork struct {
	remote.Point
	Rules *params.ChainConfig `json:"rules"` // of the blocks above
}

// originOf describes the first block of a chain.
func originOf(c *chain.Chain) *Origin {
	o := &Origin{Genesis: c.Genesis()}
	if fork := c.Fork(); fork != nil {
		o.Fork = &Fork{fork.Point(), c.Config()}
	}
	if rules := c.Optimism(); rules != nil {
		o.Upgrade = rules.Upgrade.Name
	}
	return o
}

// puts returns the origin of a chain as values of the network's bucket.
func (o *Origin) puts(c *chain.Chain) ([]put, error) {
	var puts []put
	var err error
	if o.Fork != nil {
		var text []byte
		text, err = json.Marshal(o.Fork)
		puts = append(puts, sets(nil, forkKey, text))
	} else {
		var text bytes.Buffer
		err = c.ExportGenesis(&text)
		puts = append(puts, sets(nil, genesisKey, text.Bytes()))
	}
	if o.Upgrade != "" {
		puts = append(puts, sets(nil, upgradeKey, []byte(o.Upgrade)))
	}
	return puts, err
}

// readOrigin reads the origin of a network from its bucket.
func readOrigin(bucket *bbolt.Bucket) (*Origin, error) {
	o := new(Origin)
	name, into := genesisKey, any(&o.Genesis)
	if bucket.Get(forkKey) != nil {
		name, into = forkKey, &o.Fork
	}
	text, err := unsealed(name, bucket.Get(name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err == nil && (o.Genesis == nil && o.Fork == nil || o.Fork != nil && (o.Fork.Rules == nil || o.Fork.Rules.ChainID == nil)) {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if sealed := bucket.Get(upgradeKey); sealed != nil {
		if text, err = unsealed(upgradeKey, sealed); err != nil {
			return nil, fmt.Errorf("%s: %w", upgradeKey, err)
		}
		o.Upgrade = string(text)
	}
	return o, nil
}

// Origin returns the network's origin, or nil if the network is not in the file.
func (n *Network) Origin() *Origin { return n.origin }

// first returns the chain of the first block. On a fork its State is the other chain's: the log has all changes, also
// those before the first block was made.
func (n *Network) first(fork *remote.Fork, o chain.Options) (*chain.Chain, error) {
	if n.origin.Fork == nil {
		c, err := chain.New(n.origin.Genesis, o)
		if err != nil {
			return nil, n.damaged(err)
		}
		return c, nil
	}
	if fork == nil || fork.Point() != n.origin.Fork.Point {
		return nil, fmt.Errorf("%s is of a fork of %s", n.store.path, n.origin.Fork)
	}
	return chain.NewFork(fork, n.origin.Fork.Rules, evmstate.StateFromSource(fork.At(fork.Number())), o)
}

// setBase sets the root of the first block's State before any change.
func (l *log) setBase(c *chain.Chain) {
	root := &l.at(0).root
	*root = c.BlockByNumber(c.Base()).Header().Root
	if c.Fork() != nil {
		*root = types.EmptyRootHash // roots cover only changes
	}
}
