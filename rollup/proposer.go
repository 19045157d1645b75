package rollup

import (
	"cmp"
	"crypto/ecdsa"
	"fmt"
	"math/big"
	"sort"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
)

// Proposer claims the L2's state on the L1, and resolves its claims when their time is over. It is a preconf.Operator,
// and immutable.
type Proposer struct {
	l1.Addresses
	// Key is the key of the account that owns the contracts.
	Key *ecdsa.PrivateKey
	// Interval is the number of L2 blocks between two proposals. Zero: proposals come on command only.
	Interval uint64
	// Roots is the number of intermediate roots in a game's extra data, after the number and the address of its parent, as
	// in Base's games. Zero: the extra data is the number alone.
	Roots uint64
}

const (
	proposalGas = 3_000_000
	callGas     = 300_000
	// operatorTip and operatorFee are the operator's gas prices at most, in wei: enough in any weather.
	operatorTip = 1_000_000_000
	operatorFee = 10_000_000_000_000
)

// Transactions implements preconf.Operator: a game for the next block of the L2 that is due and safe, and the end of
// each game whose time is over.
func (p *Proposer) Transactions(l1Now, l2Now *preconf.Moment) []*types.Transaction {
	state, err := l1Now.Latest().State()
	if err != nil {
		return nil
	}
	read := state.Storage
	next, kind, duration := p.Interval, p.GameType(read), p.Duration(read)
	l2 := l2Now.Chain()
	var calls []*types.Transaction
	nonce := l1Now.PoolNonce(p.address())
	if nonce != state.Nonce(p.address()) {
		return nil // an earlier transaction still waits
	}
	add := func(to common.Address, gas uint64, data []byte) {
		calls = append(calls, p.Sign(l1Now, nonce, to, gas, data))
		nonce++
	}
	now := uint64(l1Now.Now().Unix())
	for i := range p.Count(read) {
		game := p.Game(read, i, l2)
		if game.Type == kind {
			next = max(next, game.Number+p.Interval)
		}
		if game.Status == l1.InProgress && now >= game.Created+duration {
			add(game.Address, callGas, l1.Resolve())
		}
	}
	if p.Interval > 0 && next <= l2Now.Safe().Number() {
		if data, _, err := p.Claim(l1Now, l2Now, next, nil); err == nil {
			add(p.Factory, proposalGas, data)
		}
	}
	return calls
}

// Game returns game i, which must be below Count. Number is set for a game about a super root, too: it is the number of
// the newest block of the L2 up to its time.
func (p *Proposer) Game(read l1.Storage, i uint64, l2 *chain.Chain) l1.Game {
	g := p.Addresses.Game(read, i)
	if g.Super != nil {
		g.Number = numberAt(l2, g.Super.Time)
	}
	return g
}

// numberAt returns the number of the newest block of the L2 that is not later than a time in Unix seconds; the oldest
// one's if there is none.
func numberAt(l2 *chain.Chain, time uint64) uint64 {
	base := l2.Base()
	later := sort.Search(int(l2.Head().Number()-base)+1, func(i int) bool { return l2.BlockByNumber(base+uint64(i)).Time() > time })
	return base + uint64(max(later, 1)) - 1
}

// Claim returns the calldata for the factory that makes a game about block n of the L2 with an output root that may be
// wrong; nil is the right one. It also returns the claim of the game, which is that root or a super root with it. The
// error is OutputAt's, or reports that the factory would refuse the claim: a game has shown a state as new.
func (p *Proposer) Claim(l1Now, l2Now *preconf.Moment, n uint64, given *common.Hash) (data []byte, claim common.Hash, err error) {
	root := *cmp.Or(given, new(common.Hash))
	if given == nil {
		output, err := OutputAt(l2Now, n)
		if err != nil {
			return nil, claim, err
		}
		root = output.Root()
	}
	state, err := l1Now.Latest().State()
	if err != nil {
		return nil, claim, err
	}
	read, sequence := state.Storage, n
	kind, anchor := p.GameType(read), p.Anchor(read)
	if l1.IsSuper(kind) {
		v, err := l2Now.ByNumber(n)
		if err != nil {
			return nil, claim, err
		}
		sequence = v.Time()
	}
	if sequence <= anchor {
		return nil, claim, fmt.Errorf("a game about block %d (%d) would not be newer than the anchor of the games (%d)", n, sequence, anchor)
	}
	if l1.IsSuper(kind) {
		super := superRoot(l2Now, sequence, root)
		return l1.Create(kind, super.Root(), super.Encoded()), super.Root(), nil
	}
	extra := common.BigToHash(new(big.Int).SetUint64(n)).Bytes()
	if p.Roots > 0 {
		parent, from := p.Registry, uint64(0)
		if count := p.Count(read); count > 0 {
			last := p.Addresses.Game(read, count-1)
			parent, from = last.Address, last.Number
		}
		extra = append(extra, parent[:]...)
		for i := range p.Roots {
			at := from + (n-min(from, n))*(i+1)/p.Roots
			intermediate := root
			if i+1 < p.Roots {
				output, err := OutputAt(l2Now, min(at, n))
				if err != nil {
					return nil, claim, err
				}
				intermediate = output.Root()
			}
			extra = append(extra, intermediate[:]...)
		}
	}
	return l1.Create(kind, root, extra), root, nil
}

// Sign returns a transaction of the operator to a contract on the L1.
func (p *Proposer) Sign(l1Now *preconf.Moment, nonce uint64, to common.Address, gas uint64, data []byte) *types.Transaction {
	return types.MustSignNewTx(p.Key, l1Now.Signer(), &types.DynamicFeeTx{
		ChainID: l1Now.Chain().Config().ChainID, Nonce: nonce, To: &to, Gas: gas, Data: data,
		GasTipCap: big.NewInt(operatorTip), GasFeeCap: big.NewInt(operatorFee),
	})
}

func (p *Proposer) address() common.Address { return crypto.PubkeyToAddress(p.Key.PublicKey) }

// Output holds the values that an output root hashes, version 0.
type Output struct {
	StateRoot, PasserRoot, BlockHash common.Hash
}

// Root returns the output root.
func (o Output) Root() common.Hash {
	return crypto.Keccak256Hash(make([]byte, 32), o.StateRoot[:], o.PasserRoot[:], o.BlockHash[:])
}

// OutputAt returns the output of block n of the L2. The error is a *preconf.UnknownBlockError or a *chain.PrunedError.
func OutputAt(l2 *preconf.Moment, n uint64) (Output, error) {
	v, err := l2.ByNumber(n)
	if err != nil {
		return Output{}, err
	}
	state, err := v.State()
	if err != nil {
		return Output{}, err
	}
	return Output{v.Header().Root, state.StorageRoot(optimism.MessagePasser), v.Hash()}, nil
}

// superRoot returns the super root of the L2 at a time with that output root.
func superRoot(l2 *preconf.Moment, time uint64, output common.Hash) l1.SuperRoot {
	return l1.SuperRoot{Time: time, ChainID: l2.Chain().Config().ChainID.Uint64(), Output: output}
}

// SuperRootAt returns the super root of the L2 at a time in Unix seconds, and the newest block up to then, which it is
// about, with its output. The error is OutputAt's.
func SuperRootAt(l2 *preconf.Moment, time uint64) (root l1.SuperRoot, output Output, of *preconf.View, err error) {
	if of, err = l2.ByNumber(numberAt(l2.Chain(), time)); err != nil {
		return root, output, nil, err
	}
	output, err = OutputAt(l2, of.Number())
	return superRoot(l2, time, output.Root()), output, of, err
}
