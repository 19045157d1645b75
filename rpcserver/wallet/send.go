package wallet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/simple7702"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// SendCalls serves wallet_sendCalls: the id of a batch whose transactions are in the pool. The calls are one
// transaction if they must be atomic or the account has delegated already, else one each.
func SendCalls(r *api.Request, given sendCalls) (any, error) {
	defer r.Caller.MayTakeLong()()
	from, err := given.accepted(r)
	if err != nil {
		return nil, err
	}
	b := &batch{from: from}
	if err := b.fill(r, &given); err != nil {
		return nil, err
	}
	var id string
	err = r.Network.Timeline.Atomically(func(timeline *preconf.Timeline) error {
		sent, err := b.send(r, timeline)
		if id = sent.id(); err != nil || given.ID == nil {
			return err
		}
		return name(timeline, *given.ID, id)
	})
	switch {
	case errors.Is(err, errNameTaken):
		return nil, duplicate(*given.ID)
	case err != nil:
		return nil, err
	case given.ID != nil:
		id = *given.ID
	}
	return map[string]string{"id": id}, nil
}

// batch holds the transactions for a batch of calls.
type batch struct {
	from         common.Address
	transactions []api.CallObject
	atomic       bool           // the one transaction executes all calls or none
	delegate     common.Address // the code that the first transaction delegates the account to; zero: none
}

// fill makes the transactions, with gas limits and fees. The limit is twice the gas that the calls use when they are
// simulated behind the account's transactions in the pool, so that small changes of the state do not make them fail.
func (b *batch) fill(r *api.Request, given *sendCalls) error {
	atomic, err := atomicityOf(r, b.from)
	if err != nil {
		return err
	}
	creates := slices.IndexFunc(given.Calls, func(c walletCall) bool { return c.To == nil }) // a contract
	switch {
	case given.required() && atomic.Status == unsupported:
		return api.Errorf(codeNotAtomic, "account %s cannot execute calls atomically: %s", b.from, atomic.reason)
	case given.required() && creates >= 0:
		return api.Errorf(codeNotAtomic, "call %d creates a contract, which no batch can do atomically: deploy it by a factory", creates)
	case given.required(), atomic.Status == supported && creates < 0:
		b.delegate, b.atomic = atomic.implementation, true
		b.transactions = []api.CallObject{given.whole(b.from)}
	default:
		b.transactions = api.Each(given.Calls, func(c walletCall) api.CallObject {
			return api.CallObject{From: &b.from, To: c.To, Data: c.Data, Value: c.Value}
		})
	}
	calls := waiting(r.Moment(), b.from)
	before := len(calls)
	for i := range b.transactions {
		call := b.transactions[i].Call()
		if call.Authorizations, err = b.authorizations(r, i, r.Moment().PoolNonce(b.from)); err != nil {
			return err
		}
		calls = append(calls, call)
	}
	results, err := r.SimulatePending(nil, calls...)
	switch {
	case errors.Is(err, core.ErrIntrinsicGas), errors.Is(err, core.ErrFloorDataGas), errors.Is(err, simulate.ErrBlockGasLimit):
		return api.Errorf(codeTooLarge, "the calls, behind %d transactions of %s in the pool, need more gas than the next block has of %d, or --gas-cap allows: %s",
			before, b.from, r.Moment().NextHeader().GasLimit, err)
	case err != nil:
		return api.Refused(err)
	}
	limit := api.MostGas(r.Moment())
	for i := range b.transactions {
		gas := hexutil.Uint64(min(2*results[before+i].MaxUsedGas, limit))
		b.transactions[i].Gas = &gas
		if err := r.Fill(&b.transactions[i]); err != nil {
			return err
		}
	}
	return nil
}

// waiting returns the calls of an account's pooled transactions that come before the next one.
func waiting(m *preconf.Moment, from common.Address) (calls []simulate.Call) {
	for _, p := range m.Pool() {
		if tx := p.Tx; p.From == from && !p.Queued {
			calls = append(calls, api.CallOf(tx, from))
		}
	}
	return calls
}

// authorizations returns the authorizations of transaction i, which has that nonce: the account delegates with the
// first transaction. Its nonce is one higher when the authorization is applied.
func (b *batch) authorizations(r *api.Request, i int, nonce uint64) ([]types.SetCodeAuthorization, error) {
	if i > 0 || b.delegate == (common.Address{}) {
		return nil, nil
	}
	authorization, err := types.SignSetCode(r.Network.Key(b.from), types.SetCodeAuthorization{
		ChainID: *uint256.NewInt(r.Network.ChainID()), Address: b.delegate, Nonce: nonce + 1,
	})
	return []types.SetCodeAuthorization{authorization}, err
}

func (b *batch) send(r *api.Request, timeline *preconf.Timeline) (sent, error) {
	key, s := r.Network.Key(b.from), sent{atomic: b.atomic}
	for i := range b.transactions {
		tx, err := timeline.SendAs(b.from, nil, func(nonce uint64) (*types.Transaction, error) {
			object := b.transactions[i]
			var err error
			if object.AuthorizationList, err = b.authorizations(r, i, nonce); err != nil {
				return nil, err
			}
			tx := r.TransactionWith(&object, nonce)
			if key == nil {
				return tx, nil
			}
			return types.SignTx(tx, r.Signer(), key)
		})
		if err != nil {
			return sent{}, api.Refused(err)
		}
		s.transactions = append(s.transactions, tx.Hash())
	}
	return s, nil
}

// whole returns the transaction from an account to itself that executes all calls.
func (s *sendCalls) whole(from common.Address) api.CallObject {
	calls := make([]simple7702.Call, len(s.Calls))
	for i, c := range s.Calls {
		value := (*uint256.Int)(cmp.Or(c.Value, new(hexutil.U256)))
		calls[i] = simple7702.Call{Target: *c.To, Value: value.ToBig(), Data: *cmp.Or(c.Data, new(hexutil.Bytes))}
	}
	data := hexutil.Bytes(simple7702.PackExecuteBatch(calls))
	return api.CallObject{From: &from, To: &from, Data: &data}
}

// version is the version of the methods for batches of calls.
const version = "2.0.0"

type sendCalls struct {
	Version        *string               `json:"version" wanted:"an object of version, chainId, atomicRequired and calls"`
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

// required reports whether all calls or none must be executed.
func (s *sendCalls) required() bool { return *s.AtomicRequired }

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

// Codes of EIP-1193, EIP-3085, EIP-3326 and EIP-5792.
const (
	codeUnauthorized = 4100 // the node does not sign for the account
	codeNoChain      = 4902 // unknown chain
	codeCapability   = 5700 // a capability that is not optional is not supported
	codeChain        = 5710 // the request is for another chain
	codeDuplicate    = 5720 // there is a batch with that id
	codeUnknownBatch = 5730
	codeTooLarge     = 5740 // too many calls, or too much gas
	codeNotAtomic    = 5760 // all calls or none cannot be promised
)

// unauthorized returns the error about an account that the node does not sign for.
func unauthorized(account common.Address) *jsonrpc.Error {
	return api.Errorf(codeUnauthorized, "account %s is not in the wallet: take one of eth_accounts, or impersonate it", account)
}
