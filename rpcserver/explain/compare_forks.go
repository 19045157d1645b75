package explain

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/forkcheck"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// maxCompared is the number of transactions that fakenode_compareForks compares at once.
const maxCompared = 10_000

type compareOptions struct {
	api.ControlObject `wanted:"an object of forks (two names), transaction (a hash) or call (the parameters of eth_call), fromBlock, toBlock and stateByteGas"`

	Forks        *[2]string    `json:"forks"`        // default osaka and amsterdam
	Transaction  *common.Hash  `json:"transaction"`  // default: all of the blocks
	FromBlock    *api.BlockTag `json:"fromBlock"`    // default: the first
	ToBlock      *api.BlockTag `json:"toBlock"`      // default: the newest
	StateByteGas api.Number    `json:"stateByteGas"` // price of a byte of state in gas; 0: go-ethereum's
	Call         *calledParams `json:"call"`         // in place of transactions
}

// calledParams are the parameters of eth_call.
type calledParams struct {
	object api.CallObject
	tag    *api.BlockTag
	state  *api.StateOverrides
	block  *api.BlockOverrides
}

// UnmarshalJSON implements json.Unmarshaler. Unknown members of overrides are an error.
func (p *calledParams) UnmarshalJSON(raw []byte) error {
	var state, block json.RawMessage
	if err := json.Unmarshal(raw, &[]any{&p.object, &p.tag, &state, &block}); err != nil {
		return err
	}
	return errors.Join(strictly(state, &p.state), strictly(block, &p.block))
}

// strictly decodes a parameter that may be absent or null.
func strictly[T any](raw json.RawMessage, into **T) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return jsonrpc.Decode(raw, into, false)
}

// compareAnswer is the answer to fakenode_compareForks. All numbers are plain.
type compareAnswer struct {
	Forks        [2]string         `json:"forks"`
	Compared     int               `json:"compared"`
	Breaks       int               `json:"breaks"` // how many succeed under the first fork alone
	Transactions []json.RawMessage `json:"transactions"`
	size         int               // of Transactions, in bytes
}

// CompareForks serves fakenode_compareForks: transactions, each on the state of its block, under two hard forks.
func CompareForks(r *api.Request, options *compareOptions) (any, error) {
	options = cmp.Or(options, new(compareOptions))
	answer := compareAnswer{Forks: [2]string{"osaka", "amsterdam"}, Transactions: []json.RawMessage{}}
	if options.Forks != nil {
		answer.Forks = *options.Forks
	}
	both, err := forkcheck.Under(r.Moment().Chain(), answer.Forks, uint64(options.StateByteGas))
	if err != nil {
		return nil, r.BadInput(err)
	}
	if options.Call != nil {
		compared, err := options.Call.compare(r, both)
		if err != nil {
			return nil, err
		}
		return &answer, answer.append(r, []forkcheck.Transaction{compared})
	}
	if options.Transaction != nil {
		v, index, err := traced(r, *options.Transaction)
		if err != nil {
			return nil, err
		}
		return &answer, answer.add(r, v, index, both)
	}
	from, to, err := options.span(r)
	if err != nil {
		return nil, err
	}
	for number := from; number <= to; number++ {
		v, err := r.Moment().ByNumber(number)
		if err != nil {
			return nil, err
		}
		if n := answer.Compared + v.Count(); n > maxCompared {
			return nil, api.Errorf(api.CodeClientLimit, "the blocks have more than %d transactions: give fromBlock and toBlock", maxCompared)
		}
		if v.Count() == 0 {
			continue
		}
		if err := answer.add(r, v, -1, both); err != nil {
			return nil, err
		}
	}
	return &answer, nil
}

func (p *calledParams) compare(r *api.Request, both [2]*chain.Chain) (compared forkcheck.Transaction, err error) {
	accounts, overrides, err := api.Overrides(&r.Network.Behaviour, p.state, p.block)
	if err != nil {
		return compared, err
	}
	v, err := r.CallView(p.tag.OrLatest())
	if err != nil {
		return compared, err
	}
	return forkcheck.CompareCall(r.Ctx, v, p.object.Call(), accounts, overrides, both, r.Network.Artifacts)
}

// CompareCall compares a call on a network in the same way, in Go. The parameters are those of eth_call.
func CompareCall(ctx context.Context, n *api.Network, params []json.RawMessage, both [2]*chain.Chain) (*forkcheck.Transaction, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	var p calledParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	r, _ := n.NewRequest()
	r.Ctx = ctx
	compared, err := p.compare(r, both)
	return &compared, err
}

// span returns the numbers of the first and the last block: by default all that were sealed here.
func (o *compareOptions) span(r *api.Request) (from, to uint64, err error) {
	from, to = r.Moment().Chain().Base()+1, r.Moment().Latest().Number()
	for _, end := range []struct {
		tag  *api.BlockTag
		into *uint64
	}{{o.FromBlock, &from}, {o.ToBlock, &to}} {
		if end.tag == nil {
			continue
		}
		v, err := r.View(*end.tag)
		if err != nil {
			return 0, 0, err
		}
		*end.into = min(v.Number(), r.Moment().Latest().Number())
	}
	return max(from, 1), to, nil
}

// add compares one transaction of a block, or all for index -1.
func (a *compareAnswer) add(r *api.Request, v *preconf.View, index int, both [2]*chain.Chain) error {
	list, err := forkcheck.Compare(r.Ctx, v.Chain(), v, index, both, r.Network.Artifacts)
	if err != nil {
		return traceFailure(err)
	}
	return a.append(r, list)
}

func (a *compareAnswer) append(r *api.Request, list []forkcheck.Transaction) error {
	for _, compared := range list {
		text, err := json.Marshal(compared)
		if err != nil {
			return err
		}
		if a.size += len(text); a.size > r.Caller.Room()/2 { // the answer is a copy
			return api.TooLarge("the comparison is too large: the limit is %d bytes (--max-answer): give fromBlock and toBlock", r.Caller.Room()/2)
		}
		if compared.Outcomes[0].Status == "success" && compared.Outcomes[1].Status != "success" {
			a.Breaks++
		}
		a.Compared++
		a.Transactions = append(a.Transactions, text)
	}
	return nil
}
