package rpcserver

import (
	"crypto/ecdsa"
	"encoding/json"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
)

// DefaultChainID is the chain id of a Chain that sets neither an id nor a timeline.
const DefaultChainID = 31337

// Profile says whose answers are given where the contract and live clients differ (design section 5).
type Profile int

const (
	// Spec answers as the contract says.
	Spec Profile = iota
	// Geth answers as execution-apis and live clients do.
	Geth
)

// Chain is what one network of a Server answers from. It must not be copied or changed once a Server has it.
type Chain struct {
	// ID is the chain id. Zero: the timeline's, 31337 without one.
	ID uint64
	// Now reads the network's clock, which stamps the journal. Nil: the timeline's clock, the wall clock
	// without one.
	Now func() time.Time
	// Timeline is the chain with what is pre-confirmed on it. Without one, only the methods that need no
	// chain work.
	Timeline *preconf.Timeline
	// Keys are the accounts that the node signs for, in the order of eth_accounts.
	Keys []*ecdsa.PrivateKey
	// Profile is whose answers to give. Zero: the contract's.
	Profile Profile
	// Limits bound what one request may ask for.
	Limits Limits
	// Scenario plays a named course of events for fakenode_scenario and returns what a correct client must
	// conclude. params is nil if the caller gave none. What it refuses is told with -32000, an *Error as it
	// is. Nil: there are none.
	Scenario func(name string, params json.RawMessage) (any, error)

	// sending is held while a transaction is given its nonce, so that concurrent ones all get their own.
	sending sync.Mutex

	indexKeys sync.Once
	keys      map[common.Address]*ecdsa.PrivateKey
}

// Limits bound what one request may ask for. The zero value works.
type Limits struct {
	// LogsMaxRange is how many blocks eth_getLogs may span (contract section 8). Zero: any number.
	LogsMaxRange uint64
	// LogsMaxResults is how many logs eth_getLogs may find in more than one block. Zero: any number.
	LogsMaxResults uint64
	// LogsTimeout is how long eth_getLogs may search, in wall time. Zero: 10 s.
	LogsTimeout time.Duration
	// GasCap is the gas that calls and simulations may use. Zero: 50,000,000.
	GasCap uint64
	// CallTimeout is how long calls and simulations may run, in wall time. Zero: 5 s.
	CallTimeout time.Duration
}

const defaultLogsTimeout = 10 * time.Second

func (c *Chain) id() uint64 {
	switch {
	case c.ID != 0:
		return c.ID
	case c.Timeline != nil:
		return c.Timeline.Moment().Chain().Config().ChainID.Uint64()
	}
	return DefaultChainID
}

func (c *Chain) now() time.Time {
	switch {
	case c.Now != nil:
		return c.Now()
	case c.Timeline != nil:
		return c.Timeline.Moment().Now()
	}
	return time.Now()
}

// callLimits are the limits of calls and simulations.
func (c *Chain) callLimits() simulate.Limits {
	return simulate.Limits{GasCap: c.Limits.GasCap, Timeout: c.Limits.CallTimeout}
}

// key returns the private key of an account that the node signs for, nil for any other.
func (c *Chain) key(account common.Address) *ecdsa.PrivateKey {
	c.indexKeys.Do(func() {
		c.keys = make(map[common.Address]*ecdsa.PrivateKey, len(c.Keys))
		for _, key := range c.Keys {
			c.keys[crypto.PubkeyToAddress(key.PublicKey)] = key
		}
	})
	return c.keys[account]
}
