// Package persona holds the nodes that one can be like: each is a literal of the behaviours that the rooms of the house
// have, in a file of its own. Nothing else in the house knows which node it imitates.
package persona

import (
	"reflect"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/tokencontract"
)

// Persona says whose behaviour a node has. A field that is zero is left out: another persona may decide it (Fill), and
// else it has the default of its room.
type Persona struct {
	// ChainID and TestnetID are the chain ids of the networks.
	ChainID, TestnetID uint64
	// Accounts is the number of development accounts. Zero: fixtures.DevAccounts.
	Accounts int
	// ForkKeepsChainID gives a fork ChainID, too. False: it has the other chain's.
	ForkKeepsChainID bool

	// Rules names the upgrade of an OP-stack chain. Empty, or "ethereum": the rules are Ethereum's.
	Rules string
	// Hardfork names the hard fork. Empty: that of Rules, or the newest.
	Hardfork string
	// Fees are the rules of the base fee of an OP-stack chain.
	Fees Fees
	// L1Scalars multiply the L1 base fee and blob base fee, for the fees of an OP-stack chain. Zero: Base's.
	L1Scalars [2]uint32
	// Chain holds the options of chains.
	Chain chain.Options
	// GasLimit of blocks, in gas.
	GasLimit uint64
	// KeepsBaseFee gives the first block the base fee of the genesis block. False: it follows from that block.
	KeepsBaseFee bool

	// Mode, Order, BlockTime and FlashblockTime are those of preconf.Config.
	Mode                      control.Mode
	Order                     pool.Order
	BlockTime, FlashblockTime time.Duration
	// Blocks, Pool and Wire are the behaviours of the rooms.
	Blocks preconf.Behaviour
	Pool   pool.Behaviour
	Wire   api.Behaviour
	// Limits bound the requests of clients.
	Limits api.Limits
	// Methods is the node whose methods, errors and texts to imitate.
	Methods dialect.Node
	// Frames decides what a frame of the raw feed has besides the block.
	Frames flashblocks.Metadata

	// Bridge is the L1 of an OP-stack chain, and the bridge to it.
	Bridge assembly.Bridge
	// X402Assets puts the tokens of the chain that x402 pays with into the genesis.
	X402Assets bool
	// Token is the variant of the token in the genesis.
	Token tokencontract.Variant
}

// Fees are the rules of the base fee of an OP-stack chain.
type Fees struct {
	// Denominator: a block changes the base fee by at most (Elasticity-1)/Denominator. Zero: the preset's.
	Denominator uint32
	// Elasticity is the gas limit of a block divided by its target. Zero: the preset's.
	Elasticity uint32
	// MinBaseFee is the least base fee, in wei. Nil: the preset's.
	MinBaseFee *uint64
}

// all are the personas by their names, in the order in which they are listed.
var all = []struct {
	name string
	is   Persona
}{
	{"dev", Dev}, {"base", Base}, {"base-flashblocks", BaseFlashblocks}, {"optimism", Optimism}, {"unichain", Unichain},
	{"megaeth", MegaETH}, {"rise", Rise}, {"arc", Arc}, {"monad", Monad}, {"anvil", Anvil}, {"hardhat", Hardhat},
}

// Names lists the names of personas.
func Names() []string {
	var names []string
	for _, p := range all {
		names = append(names, p.name)
	}
	return names
}

// Named returns the persona of a name, or nil if there is none.
func Named(name string) *Persona {
	for _, p := range all {
		if p.name == name {
			return &p.is
		}
	}
	return nil
}

// Fill sets the fields of p that are left out to those of other.
func (p *Persona) Fill(other Persona) { fill(reflect.ValueOf(p).Elem(), reflect.ValueOf(other)) }

func fill(into, from reflect.Value) {
	switch {
	case into.Kind() == reflect.Struct:
		for i := range into.NumField() {
			fill(into.Field(i), from.Field(i))
		}
	case into.IsZero():
		into.Set(from)
	}
}

// FillProfile sets the fields of p that are left out to those of its profile, and of the way in which its clients see
// what is not in a block yet. Persona Geth's are those of forms like geth's without methods of their own.
func (p *Persona) FillProfile() {
	profile := Spec
	if p.Wire.Profile != "" && p.Methods == "" {
		profile = Geth
	}
	pooled := p.FlashblockTime == preconf.NoFlashblocks // the pending block is what the pool would make
	if pooled {
		p.Fill(Persona{Blocks: profile.Blocks})
	}
	profile.Blocks = preconf.Behaviour{}
	p.Fill(ways[p.Wire.Preconf])
	if p.Methods != "" {
		profile.Pool.RequireTip = false // a node of its own decides which tips it takes
	}
	p.Fill(profile)
	p.Fill(Spec)
	p.Blocks.PendingPool, p.Pool.AnnounceReady = pooled && p.Blocks.PendingPool, pooled && p.Pool.AnnounceReady
}

// ways has the behaviours that differ with the way in which clients see what is not in a block yet.
var ways = map[api.Preconf]Persona{
	api.PreconfPending:  {Blocks: preconf.Behaviour{PendingHash: preconf.HashSoFar}},
	api.PreconfRealtime: {Blocks: preconf.Behaviour{PendingHash: preconf.NoHash}},
	api.PreconfMegaETH:  {Blocks: preconf.Behaviour{PendingHash: preconf.NoHash}, Methods: dialect.MegaETH},
	api.PreconfRise:     {Blocks: preconf.Behaviour{PendingHash: preconf.NoHash}},
	api.PreconfMonad:    {Blocks: preconf.Behaviour{CommitStates: true}},
}
