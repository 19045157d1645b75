package explain

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// maxCompared is the number of transactions that fakenode_compareForks compares at once.
const maxCompared = 10_000

type compareOptions struct {
	Forks       *[2]string    `json:"forks"`       // default osaka and amsterdam
	Transaction *common.Hash  `json:"transaction"` // default: all of the blocks
	FromBlock   *api.BlockTag `json:"fromBlock"`   // default: the first
	ToBlock     *api.BlockTag `json:"toBlock"`     // default: the newest
}

func (compareOptions) Wanted() string {
	return "an object of forks (two names), transaction (a hash), fromBlock and toBlock"
}

// Strict rejects unknown members under every profile.
func (compareOptions) Strict(bool) bool { return true }

// compareAnswer is the answer to fakenode_compareForks. All numbers are plain.
type compareAnswer struct {
	Forks        [2]string             `json:"forks"`
	Compared     int                   `json:"compared"`
	Breaks       int                   `json:"breaks"` // how many succeed under the first fork alone
	Transactions []comparedTransaction `json:"transactions"`
	size         int                   // of Transactions, about, in bytes
}

type comparedTransaction struct {
	Hash     common.Hash     `json:"hash"`
	Block    uint64          `json:"block"`
	Index    int             `json:"index"`
	From     common.Address  `json:"from"`
	To       *common.Address `json:"to"`
	GasLimit uint64          `json:"gasLimit"`
	Differs  []string        `json:"differs"`  // of status, gas and logs
	Outcomes [2]outcome      `json:"outcomes"` // in the order of forks
}

type outcome struct {
	Status       string       `json:"status"` // success, failed, or rejected: it cannot be in a block
	Reason       string       `json:"reason,omitempty"`
	GasUsed      uint64       `json:"gasUsed"`
	ExecutionGas *uint64      `json:"executionGas,omitempty"` // before refunds, from amsterdam on, as is
	StateGas     *uint64      `json:"stateGas,omitempty"`
	GasNeeded    uint64       `json:"gasNeeded,omitempty"` // the smallest sufficient limit
	Logs         []outcomeLog `json:"logs"`
}

type outcomeLog struct {
	Address common.Address `json:"address"`
	Topics  []common.Hash  `json:"topics"`
	Data    hexutil.Bytes  `json:"data"`
}

// CompareForks serves fakenode_compareForks: transactions under the rules of two hard forks side by side, each on the
// state that it had in its block.
func CompareForks(r *api.Request, options *compareOptions) (any, error) {
	if options == nil {
		options = new(compareOptions)
	}
	answer := compareAnswer{Forks: [2]string{"osaka", "amsterdam"}, Transactions: []comparedTransaction{}}
	if options.Forks != nil {
		answer.Forks = *options.Forks
	}
	var both [2]*chain.Chain
	for side, fork := range answer.Forks {
		var err error
		if both[side], err = r.Moment().Chain().Under(fork); err != nil {
			return nil, r.BadInput(err)
		}
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

// span returns the numbers of the first and the last block; by default all blocks sealed here.
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
	return max(from, r.Moment().Chain().Base()+1), to, nil
}

// add compares one transaction of a block, or all for index -1.
func (a *compareAnswer) add(r *api.Request, v *preconf.View, index int, both [2]*chain.Chain) error {
	list, err := trace.Compare(r.Ctx, v.Chain(), v, index, both)
	if err != nil {
		return traceFailure(err)
	}
	for _, c := range list {
		if a.size += comparedSize(&c); a.size > r.Caller.Room()/2 { // the answer is a copy
			return api.TooLarge("the comparison is too large: the limit is %d bytes (--max-answer): give fromBlock and toBlock", r.Caller.Room()/2)
		}
		tx := v.Transaction(c.Index)
		compared := comparedTransaction{
			Hash: c.Hash, Block: v.Number(), Index: c.Index, From: v.Sender(c.Index), To: tx.To(), GasLimit: tx.Gas(),
			Differs: differences(&c.Outcomes[0], &c.Outcomes[1]),
		}
		for side := range c.Outcomes {
			compared.Outcomes[side] = outcomeOf(&c.Outcomes[side])
		}
		if compared.Outcomes[0].Status == "success" && compared.Outcomes[1].Status != "success" {
			a.Breaks++
		}
		a.Compared++
		a.Transactions = append(a.Transactions, compared)
	}
	return nil
}

// comparedSize returns about how many bytes a comparison has in JSON.
func comparedSize(c *trace.Comparison) int {
	size := 1 << 10
	for side := range c.Outcomes {
		for _, l := range c.Outcomes[side].Logs {
			size += 512 + 2*len(l.Data)
		}
	}
	return size
}

func outcomeOf(o *trace.Outcome) outcome {
	shown := outcome{Status: "success", GasUsed: o.GasUsed, GasNeeded: o.Needed, Logs: []outcomeLog{}}
	switch {
	case o.Rejected != nil:
		shown.Status, shown.Reason = "rejected", o.Rejected.Error()
	case o.Failed != nil:
		shown.Status, shown.Reason = "failed", o.Failed.Error()
	}
	if o.Gas != nil {
		shown.ExecutionGas, shown.StateGas = &o.Gas.Execution, &o.Gas.State
	}
	for _, l := range o.Logs {
		shown.Logs = append(shown.Logs, outcomeLog{l.Address, l.Topics, l.Data})
	}
	return shown
}

func differences(a, b *trace.Outcome) []string {
	names := []string{}
	if (a.Rejected == nil) != (b.Rejected == nil) || (a.Failed == nil) != (b.Failed == nil) {
		names = append(names, "status")
	}
	if a.GasUsed != b.GasUsed {
		names = append(names, "gas")
	}
	if !slices.EqualFunc(a.Logs, b.Logs, sameLog) {
		names = append(names, "logs")
	}
	return names
}

func sameLog(a, b *types.Log) bool {
	return a.Address == b.Address && slices.Equal(a.Topics, b.Topics) && bytes.Equal(a.Data, b.Data)
}
