package bridge

import (
	"cmp"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/rollup"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// With returns a method that gets the bridge of the network, or answers -32601 where there is none.
func With[P any](f func(rollup.Bridge, *api.Request, P) (any, error)) func(*api.Request, P) (any, error) {
	return func(r *api.Request, p P) (any, error) {
		b, err := rollup.Of(r.Network.Timeline)
		if err != nil {
			return nil, api.Errorf(api.CodeMethodNotFound, "%s: %s", r.Method, err)
		}
		return f(b, r, p)
	}
}

// Alone is With for a method without parameters.
func Alone(f func(rollup.Bridge, *api.Request) (any, error)) func(*api.Request) (any, error) {
	with := With(func(b rollup.Bridge, r *api.Request, _ any) (any, error) { return f(b, r) })
	return func(r *api.Request) (any, error) { return with(r, nil) }
}

type proposal struct {
	api.ControlObject `wanted:"{number?, root?}"`

	Number *api.Number  `json:"number"` // of the L2 block; absent: the head's
	Root   *common.Hash `json:"root"`   // absent: the right one
}

type proposedObject struct {
	Number          hexutil.Uint64 `json:"number"`
	Root            common.Hash    `json:"root"`
	TransactionHash common.Hash    `json:"transactionHash"` // on the L1
}

// Propose serves fakenode_propose: a game about a block of the L2, with the next block of the L1.
func Propose(b rollup.Bridge, r *api.Request, p *proposal) (any, error) {
	p = cmp.Or(p, new(proposal))
	made, err := b.Propose((*uint64)(p.Number), p.Root)
	if err != nil {
		return nil, api.Refused(err)
	}
	return proposedObject{hexutil.Uint64(made.Number), made.Root, made.Transaction}, nil
}

type gameEnd struct {
	api.ControlObject `wanted:"{index, status: \"defender\" | \"challenger\"}"`

	Index  *api.Number `json:"index"`
	Status string      `json:"status"` // empty: defender
}

var results = map[string]l1.Status{"": l1.DefenderWins, "defender": l1.DefenderWins, "challenger": l1.ChallengerWins}

// ResolveGame serves fakenode_resolveGame: it ends a game with the next block of the L1. It answers with the hash of
// the transaction there.
func ResolveGame(b rollup.Bridge, r *api.Request, end gameEnd) (any, error) {
	result, known := results[end.Status]
	switch {
	case end.Index == nil:
		return nil, api.InvalidParams("%s: index is missing", r.Method)
	case !known:
		return nil, api.InvalidParams("%s: status %q is neither %q nor %q", r.Method, api.Excerpt(end.Status), "defender", "challenger")
	}
	return sent(r)(b.Resolve(uint64(*end.Index), result))
}

// BlacklistGame serves fakenode_blacklistGame, with the next block of the L1.
func BlacklistGame(b rollup.Bridge, r *api.Request, index api.Number) (any, error) {
	return sent(r)(b.Blacklist(uint64(index)))
}

// PausePortal serves fakenode_pausePortal: it stops withdrawals with the next block of the L1, or resumes them.
func PausePortal(b rollup.Bridge, r *api.Request, paused bool) (any, error) {
	return sent(r)(b.Pause(paused))
}

// sent answers with the hash of a transaction, or with the reason why it was not sent.
func sent(r *api.Request) func(common.Hash, error) (any, error) {
	return func(hash common.Hash, err error) (any, error) {
		switch {
		case errors.As(err, new(*rollup.UnknownGameError)):
			return nil, r.BadInput(err)
		case err != nil:
			return nil, api.Refused(err)
		}
		return hash, nil
	}
}
