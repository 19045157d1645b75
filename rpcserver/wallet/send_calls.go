package wallet

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// version is the version of the methods for batches of calls.
const version = "2.0.0"

// sendCalls is the parameter of wallet_sendCalls.
type sendCalls struct {
	Version        *string               `json:"version"`
	ID             *string               `json:"id"`
	From           *common.Address       `json:"from"`
	ChainID        *hexutil.Uint64       `json:"chainId"`
	AtomicRequired *bool                 `json:"atomicRequired"`
	Calls          []walletCall          `json:"calls"`
	Capabilities   map[string]capability `json:"capabilities"`
}

// walletCall is a call of a batch. Without To it creates a contract.
type walletCall struct {
	To           *common.Address       `json:"to"`
	Data         *hexutil.Bytes        `json:"data"`
	Value        *hexutil.U256         `json:"value"` // in wei
	Capabilities map[string]capability `json:"capabilities"`
}

// capability is a client's request beyond EIP-5792. The wallet supports none.
type capability struct {
	Optional bool `json:"optional"`
}

func (sendCalls) Wanted() string { return "an object of version, chainId, atomicRequired and calls" }

// required reports whether all calls or none must be executed.
func (s *sendCalls) required() bool { return *s.AtomicRequired }

// creation returns the first call that creates a contract, or -1.
func (s *sendCalls) creation() int {
	return slices.IndexFunc(s.Calls, func(c walletCall) bool { return c.To == nil })
}

// accepted returns the sender of the calls. The error names the fault in the request.
func (s *sendCalls) accepted(r *api.Request) (common.Address, error) {
	if problem := s.problem(); problem != "" {
		return common.Address{}, api.InvalidParams("invalid argument 0 (calls) of %s: %s", r.Method, problem)
	}
	if uint64(*s.ChainID) != r.Network.ChainID() {
		return common.Address{}, api.Errorf(codeChain, "chain %s is not supported: this one is %s", s.ChainID, hexutil.Uint64(r.Network.ChainID()))
	}
	m := r.Moment()
	from, err := s.account(r)
	if err != nil {
		return from, err
	}
	if !owned(r, m, from) {
		return from, unauthorized(from)
	}
	if name := s.unsupported(); name != "" {
		return from, api.Errorf(codeCapability, "capability %q is not supported: leave it out, or mark it as optional", api.Excerpt(name))
	}
	if len(s.Calls) > maxCalls {
		return from, api.Errorf(codeTooLarge, "a batch of %d calls is too large, the limit is %d", len(s.Calls), maxCalls)
	}
	if s.ID != nil {
		if _, taken := sentAs(m, *s.ID); taken {
			return from, duplicate(*s.ID)
		}
	}
	return from, nil
}

// problem describes the fault in the request, "" for none.
func (s *sendCalls) problem() string {
	switch {
	case s.Version == nil:
		return "version is missing: \"" + version + "\""
	case *s.Version != version:
		return "version " + api.Excerpt(*s.Version) + " is not supported, want \"" + version + "\""
	case s.ChainID == nil:
		return "chainId is missing"
	case s.AtomicRequired == nil:
		return "atomicRequired is missing: true or false"
	case len(s.Calls) == 0:
		return "there are no calls"
	case s.ID != nil && (*s.ID == "" || len(*s.ID) > maxID):
		return fmt.Sprintf("the id is empty or longer than %d characters", maxID)
	}
	return ""
}

// account returns the sender of the calls: by default the node's first account.
func (s *sendCalls) account(r *api.Request) (common.Address, error) {
	switch {
	case s.From != nil:
		return *s.From, nil
	case len(r.Network.Accounts) == 0:
		return common.Address{}, api.Errorf(codeUnauthorized, "the wallet has no account: start the node with --accounts 1 or more")
	}
	return r.Network.Accounts[0].Address, nil
}

// unsupported returns a capability that the client requires, or "".
func (s *sendCalls) unsupported() string {
	all := []map[string]capability{s.Capabilities}
	for _, c := range s.Calls {
		all = append(all, c.Capabilities)
	}
	var names []string
	for _, capabilities := range all {
		for name, c := range capabilities {
			if !c.Optional {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}

func duplicate(id string) *jsonrpc.Error {
	return api.Errorf(codeDuplicate, "there is a batch with the id %s", api.Excerpt(id))
}
