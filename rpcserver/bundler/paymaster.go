package bundler

import (
	"cmp"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/userop"
)

// SponsorContext is a client's choice of payment to the paymaster service. Its zero value asks for a free operation.
type SponsorContext struct {
	Token *common.Address `json:"token"` // the token that the account pays with, in Pimlico's clients
	ERC20 *common.Address `json:"erc20"` // the same in Coinbase's
}

// Wanted describes the object in error messages.
func (SponsorContext) Wanted() string { return "an object: {token?} or {erc20?}" }

// token returns the token that the account pays with, or nil.
func (c *SponsorContext) token() *common.Address {
	if c == nil {
		return nil
	}
	return cmp.Or(c.Token, c.ERC20)
}

// sponsorshipObject is the answer of the paymaster service (ERC-7677).
type sponsorshipObject struct {
	userop.Payment
	Sponsor *sponsorObject `json:"sponsor,omitempty"`
}

type sponsorObject struct {
	Name string `json:"name"`
}

// GetPaymasterStubData serves pm_getPaymasterStubData: data of the right length for the estimate of an operation, which
// no EntryPoint accepts.
func GetPaymasterStubData(r *api.Request, o userop.Operation, entryPoint common.Address, chainID hexutil.Big, c *SponsorContext) (any, error) {
	v, err := sponsored(r, &o, entryPoint, &chainID, c)
	if err != nil {
		return nil, err
	}
	return sponsorshipObject{userop.PaymasterOf(r.Moment()).Stub(&o, v, c.token()), &sponsorObject{"fakenode"}}, nil
}

// GetPaymasterData serves pm_getPaymasterData: the paymaster's signature for an operation with all its limits.
func GetPaymasterData(r *api.Request, o userop.Operation, entryPoint common.Address, chainID hexutil.Big, c *SponsorContext) (any, error) {
	v, err := sponsored(r, &o, entryPoint, &chainID, c)
	if err != nil {
		return nil, err
	}
	paid, err := userop.PaymasterOf(r.Moment()).Sponsor(r.Moment(), &o, v, c.token())
	if err != nil {
		return nil, toWire(err)
	}
	return sponsorshipObject{Payment: paid}, nil
}

// sponsored returns the EntryPoint of an operation for the paymaster to pay, if it sponsors the sender.
func sponsored(r *api.Request, o *userop.Operation, entryPoint common.Address, chainID *hexutil.Big, c *SponsorContext) (userop.EntryPoint, error) {
	_, v, err := accepted(r, o, entryPoint)
	if err != nil {
		return v, err
	}
	if has := r.Network.ChainID(); !chainID.ToInt().IsUint64() || chainID.ToInt().Uint64() != has {
		return v, api.InvalidParams("chain id %s is not that of this chain, %#x", chainID, has)
	}
	m := r.Moment()
	err = userop.PaymasterOf(m).Sponsors(m, o, c.token())
	if errors.Is(err, userop.ErrNoPaymaster) {
		return v, api.Errorf(api.CodeMethodNotFound, "%s: %s", r.Method, err)
	}
	return v, toWire(err)
}
