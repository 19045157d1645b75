package wallet

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/fixtures/contracts/simple7702"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// atomicity describes whether an account can execute all calls or none.
type atomicity struct {
	// Status is EIP-5792's: supported, ready (after a delegation) or unsupported.
	Status string `json:"status"`

	reason         string         // why it is unsupported
	implementation common.Address // to delegate to, if it is ready
}

// The statuses of EIP-5792.
const (
	supported   = "supported"
	ready       = "ready"
	unsupported = "unsupported"
)

// implementations are the codes with which accounts execute batches; accounts delegate to the first one.
var implementations = []common.Address{simple7702.V08Address, simple7702.V09Address}

// GetCapabilities serves wallet_getCapabilities: the capabilities on the network's chain, if it is among the requested
// chains.
func GetCapabilities(r *api.Request, account common.Address, chains *[]hexutil.Uint64) (any, error) {
	m := r.Moment()
	if !owned(r, m, account) {
		return nil, unauthorized(account)
	}
	capabilities := map[hexutil.Uint64]any{}
	id := hexutil.Uint64(r.Network.ChainID())
	if chains != nil && !slices.Contains(*chains, id) {
		return capabilities, nil
	}
	atomic, err := atomicityOf(r, account)
	if err != nil {
		return nil, err
	}
	capabilities[id] = map[string]any{"atomic": atomic}
	return capabilities, nil
}

// owned reports whether the node signs for the account.
func owned(r *api.Request, m *preconf.Moment, account common.Address) bool {
	return r.Network.Key(account) != nil || m.Impersonated(account)
}

// atomicityOf returns the atomicity of an account in the block being built.
func atomicityOf(r *api.Request, account common.Address) (*atomicity, error) {
	state, err := r.State(&api.BlockTag{Kind: api.TagPending})
	if err != nil {
		return nil, err
	}
	for _, address := range append([]common.Address{account}, implementations...) {
		if err := state.Load(address); err != nil {
			return nil, err
		}
	}
	code := state.Code(account)
	runs, delegated := types.ParseDelegation(code)
	present := slices.IndexFunc(implementations, func(i common.Address) bool { return len(state.Code(i)) > 0 })
	m := r.Moment()
	next := m.NextHeader()
	switch {
	case delegated && slices.Contains(implementations, runs):
		return &atomicity{Status: supported}, nil
	case delegated:
		return &atomicity{Status: unsupported, reason: "it delegates to " + runs.Hex()}, nil
	case len(code) > 0:
		return &atomicity{Status: unsupported, reason: "it is a contract"}, nil
	case r.Network.Key(account) == nil:
		return &atomicity{Status: unsupported, reason: "the node has no key to sign its delegation with"}, nil
	case !m.Chain().Config().IsPrague(next.Number, next.Time):
		return &atomicity{Status: unsupported, reason: "there are no delegations before prague"}, nil
	case present < 0:
		return &atomicity{Status: unsupported, reason: "the chain has no contract at " + implementations[0].Hex() + " to delegate to"}, nil
	}
	return &atomicity{Status: ready, implementation: implementations[present]}, nil
}
