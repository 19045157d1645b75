package bundler

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/userop"
)

// Begin returns an error if the node is no bundler: jsonrpc.Method.Within.
func Begin(r *api.Request) (done func(), err error) {
	switch {
	case r.Network.Bundler.Off:
		return nil, api.Errorf(api.CodeMethodNotFound, "%s: the bundler is off: start the node without --no-bundler", r.Method)
	case len(r.Network.Accounts) == 0:
		return nil, api.Errorf(api.CodeMethodNotFound, "%s: the bundler has no account to send from: start the node with --accounts 1 or more", r.Method)
	}
	return func() {}, nil
}

// of returns the bundler of a request's network, which sends from the node's last account.
func of(r *api.Request) *userop.Bundler {
	return &userop.Bundler{
		Timeline: r.Network.Timeline,
		Key:      r.Network.Accounts[len(r.Network.Accounts)-1].Key,
		Loose:    r.Network.Bundler.Rules == api.LooseBundler,
		Run:      r.SimulatePending,
		Price:    api.SuggestedPrice,
		MostGas:  api.MostGas,
		Tell: func(m *preconf.Moment, in *userop.Included) (operation, receipt json.RawMessage, err error) {
			operation, err = shape.AppendValue(nil, objectOf(in))
			return operation, receiptObject{in, m, r.Network.Receipts}.AppendJSON(nil), err
		},
	}
}

// accepted returns the bundler for a valid operation of a client, and the operation's EntryPoint.
func accepted(r *api.Request, o *userop.Operation, entryPoint common.Address) (*userop.Bundler, userop.EntryPoint, error) {
	b := of(r)
	v, err := b.Accept(o, entryPoint)
	return b, v, toWire(err)
}

// SupportedEntryPoints serves eth_supportedEntryPoints: the EntryPoints that the chain has, the newest first.
func SupportedEntryPoints(r *api.Request) (any, error) {
	return userop.Supported(r.Moment())
}

// SendUserOperation serves eth_sendUserOperation: it adds an operation that would be paid for in the block being built
// to the pool, in a bundle of its own, and returns its hash.
func SendUserOperation(r *api.Request, o userop.Operation, entryPoint common.Address) (any, error) {
	defer r.Caller.MayTakeLong()()
	b, v, err := accepted(r, &o, entryPoint)
	if err != nil {
		return nil, err
	}
	bundle, err := b.Bundle(&o, v)
	if err != nil {
		return nil, toWire(err)
	}
	if err := bundle.Send(); err != nil {
		return nil, api.Refused(err)
	}
	return bundle.Hash, nil
}

// EstimateUserOperationGas serves eth_estimateUserOperationGas: limits with which the operation succeeds.
func EstimateUserOperationGas(r *api.Request, o userop.Operation, entryPoint common.Address, state *api.StateOverrides) (any, error) {
	defer r.Caller.MayTakeLong()()
	overrides, err := state.Overrides(&r.Network.Behaviour)
	if err != nil {
		return nil, err
	}
	b, v, err := accepted(r, &o, entryPoint)
	if err != nil {
		return nil, err
	}
	e, err := b.Estimate(&o, v, overrides)
	if err != nil {
		return nil, toWire(err)
	}
	return e, nil
}

// DumpMempool serves debug_bundler_dumpMempool: the operations in the pool for an EntryPoint, in the order of arrival.
func DumpMempool(r *api.Request, entryPoint common.Address) (any, error) {
	if _, err := userop.EntryPointAt(r.Moment(), entryPoint); err != nil {
		return nil, toWire(err)
	}
	list := []*userop.Operation{}
	for _, o := range userop.Pool(r.Moment()) {
		if o.EntryPoint.Address == entryPoint {
			list = append(list, o.Operation)
		}
	}
	return list, nil
}

// ClearState serves debug_bundler_clearState: it removes all operations from the pool.
func ClearState(r *api.Request) (any, error) {
	of(r).Clear()
	return "ok", nil
}

// codes are the error codes of ERC-7769, except for Failing and Aggregated: theirs are the codes of other bundlers.
var codes = map[userop.Cause]int{
	userop.Invalid:      api.CodeInvalidParams,
	userop.Rejected:     -32500,
	userop.ByPaymaster:  -32501,
	userop.BreaksRule:   -32502,
	userop.NotInTime:    -32503,
	userop.Aggregated:   -32506,
	userop.BadSignature: -32507,
	userop.LowDeposit:   -32508,
	userop.Failing:      -32521,
}

// toWire returns a userop.Error as clients see it, and any other error unchanged. Nil stays nil.
func toWire(err error) error {
	var refused *userop.Error
	if !errors.As(err, &refused) {
		return err
	}
	wire := api.Errorf(codes[refused.Cause], "%s", refused.Text)
	wire.Data = refused.Data
	return wire
}

// SponsorContext is a client's choice of payment to the paymaster service. Its zero value asks for a free operation.
type SponsorContext struct {
	Token *common.Address `json:"token" wanted:"an object: {token?} or {erc20?}"` // the token that the account pays with, in Pimlico's clients
	ERC20 *common.Address `json:"erc20"`                                          // the same in Coinbase's
}

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
	Sponsor map[string]string `json:"sponsor,omitempty"`
}

// GetPaymasterStubData serves pm_getPaymasterStubData: data of the right length for an estimate alone.
func GetPaymasterStubData(r *api.Request, o userop.Operation, entryPoint common.Address, chainID hexutil.Big, c *SponsorContext) (any, error) {
	v, err := sponsored(r, &o, entryPoint, &chainID, c)
	if err != nil {
		return nil, err
	}
	return sponsorshipObject{userop.PaymasterOf(r.Moment()).Stub(&o, v, c.token()), map[string]string{"name": "fakenode"}}, nil
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
