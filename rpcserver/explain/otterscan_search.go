package explain

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// maxPage is the most transactions that Otterscan may ask for at once.
const maxPage = 1000

func pageSize(r *api.Request, size api.Number) (int, error) {
	if size == 0 || size > maxPage {
		return 0, api.InvalidParams("page size of %s: have %d, want 1 to %d", r.Method, size, maxPage)
	}
	return int(size), nil
}

type otsPage struct {
	Block    otsBlock     `json:"fullblock"`
	Receipts []otsReceipt `json:"receipts"`
}

// otsReceipt is a receipt with the block's timestamp, and without its logs unless it is whole.
type otsReceipt map[string]json.RawMessage

func otsReceiptOf(v *preconf.View, i int, members shape.ReceiptMembers, whole bool) otsReceipt {
	receipt := membersOf(shape.ReceiptOf(v.At(i), members))
	if !whole {
		receipt["logs"], receipt["logsBloom"] = json.RawMessage("null"), json.RawMessage("null")
	}
	receipt["timestamp"] = fmt.Appendf(nil, `"%#x"`, v.Time())
	return receipt
}

// OtsBlockTransactions serves ots_getBlockTransactions. Page 0 has the last transactions of the block, as Otterscan
// shows the newest first; within a page they are in the block's order. Only the selector of their input is given.
func OtsBlockTransactions(r *api.Request, tag PlainTag, page, size api.Number) (any, error) {
	limit, err := pageSize(r, size)
	if err != nil {
		return nil, err
	}
	v, err := r.Block(tag.BlockTag)
	if err != nil || v == nil {
		return nil, err
	}
	count := v.Count()
	end := 0
	if page <= api.Number(count/limit) {
		end = count - int(page)*limit
	}
	transactions := []map[string]json.RawMessage{}
	answer := otsPage{Block: otsBlockOf(v), Receipts: []otsReceipt{}}
	for i := max(end-limit, 0); i < end; i++ {
		transactions = append(transactions, otsTransactionOf(v, i))
		answer.Receipts = append(answer.Receipts, otsReceiptOf(v, i, r.Network.Receipts, false))
	}
	answer.Block["transactions"], err = json.Marshal(transactions)
	return answer, err
}

func otsTransactionOf(v *preconf.View, i int) map[string]json.RawMessage {
	transaction := membersOf(shape.TransactionOf(v.At(i)))
	const selector = len(`"0x12345678`)
	if input := transaction["input"]; len(input) > selector {
		transaction["input"] = append(input[:selector:selector], '"')
	}
	return transaction
}

// otsFound is the answer to ots_searchTransactionsBefore and ots_searchTransactionsAfter, the newest first.
type otsFound struct {
	Txs       []json.RawMessage `json:"txs"`
	Receipts  []otsReceipt      `json:"receipts"`
	FirstPage bool              `json:"firstPage"`
	LastPage  bool              `json:"lastPage"`
}

// OtsSearchBefore serves ots_searchTransactionsBefore: from the block below number downwards, 0 from the head.
func OtsSearchBefore(r *api.Request, account common.Address, number, size api.Number) (any, error) {
	m := r.Moment()
	first := m.Latest().Number()
	if number != 0 {
		first = min(first, uint64(number)-1)
	}
	found, exhausted, err := otsSearch(r, m, account, size, true, func(yield func(uint64) bool) {
		for n := first; n > 0 && yield(n); n-- { // genesis has no transactions
		}
	})
	if err != nil {
		return nil, err
	}
	found.FirstPage, found.LastPage = number == 0, exhausted
	return found, nil
}

// OtsSearchAfter serves ots_searchTransactionsAfter: from the block above number upwards.
func OtsSearchAfter(r *api.Request, account common.Address, number, size api.Number) (any, error) {
	m := r.Moment()
	found, exhausted, err := otsSearch(r, m, account, size, false, func(yield func(uint64) bool) {
		for n := uint64(number); n < m.Latest().Number() && yield(n+1); n++ {
		}
	})
	if err != nil {
		return nil, err
	}
	slices.Reverse(found.Txs)
	slices.Reverse(found.Receipts)
	found.FirstPage, found.LastPage = exhausted, number == 0
	return found, nil
}

// otsSearch collects the transactions that touch an account from blocks, until a page is full at the end of a block.
// backwards puts the last transaction of a block first. exhausted reports whether no further block has any. On a fork a
// page with any transactions ends at the fork block: blocks below take many requests.
func otsSearch(
	r *api.Request, m *preconf.Moment, account common.Address, size api.Number, backwards bool, blocks iter.Seq[uint64],
) (found otsFound, exhausted bool, err error) {
	limit, err := pageSize(r, size)
	if err != nil {
		return found, false, err
	}
	found = otsFound{Txs: []json.RawMessage{}, Receipts: []otsReceipt{}}
	below, bytes := belowSearch{request: r}, 0
	for number := range blocks {
		v, err := m.ByNumber(number)
		if err != nil {
			return found, false, err
		}
		if err := r.Ctx.Err(); err != nil {
			return found, false, err
		}
		if backwards && below.visited == 0 && v.Ancestral() && len(found.Txs) > 0 {
			return found, false, nil
		}
		if err := below.visit(v); err != nil {
			return found, false, err
		}
		touching, err := touching(r, v, account)
		if err != nil {
			return found, false, err
		}
		if len(touching) > 0 && len(found.Txs) >= limit {
			return found, false, nil
		}
		if backwards {
			slices.Reverse(touching)
		}
		for _, position := range touching {
			transaction := shape.TransactionOf(v.At(position)).AppendJSON(nil)
			if bytes += len(transaction); bytes > r.Caller.Room()/2 { // the answer is a copy
				return found, false, api.TooLarge("the page is too large: the limit is %d bytes (--max-answer): ask for fewer", r.Caller.Room()/2)
			}
			found.Txs = append(found.Txs, transaction)
			found.Receipts = append(found.Receipts, otsReceiptOf(v, position, r.Network.Receipts, r.Network.WholeSearch))
		}
	}
	return found, true, nil
}

// takesPart reports whether the account is the transaction's sender, its recipient, or the contract it created.
func takesPart(found *preconf.Found, account common.Address) bool {
	to := found.Transaction.To()
	return found.Sender == account || is(to, account) || to == nil && found.Receipt.ContractAddress == account
}

// ranCode reports whether the transaction may have called a contract. It did not if it sent ether to another account
// for exactly 21,000 gas: from Amsterdam on, where all else begins with less (EIP-2780), code may have used the rest.
func ranCode(found *preconf.Found) bool {
	tx := found.Transaction
	return found.Receipt.GasUsed != params.TxGas || tx.Value().Sign() == 0 || is(tx.To(), found.Sender)
}

// touching returns the indices of a block's transactions that involve an account: as sender or recipient, as the
// contract created, or in a call by a contract. If the state is no longer kept, or the block has more frames than fit
// into an answer, calls by contracts are not seen.
func touching(r *api.Request, v *preconf.View, account common.Address) ([]int, error) {
	if err := v.Load(); err != nil {
		return nil, err
	}
	var positions []int
	var flats []trace.Flat
	for i := range v.Count() {
		found := v.At(i)
		if takesPart(&found, account) {
			positions = append(positions, i)
			continue
		}
		if !ranCode(&found) {
			continue
		}
		if flats == nil {
			var err error
			flats, err = trace.FlatBlock(r.Ctx, v.Chain(), v, trace.FlatConfig{})
			if errors.As(err, new(*chain.PrunedError)) || errors.As(err, new(*trace.SizeError)) {
				flats = make([]trace.Flat, v.Count())
			} else if err != nil {
				return nil, traceFailure(err)
			}
		}
		if slices.ContainsFunc(flats[i].Frames, func(frame trace.Frame) bool {
			return is(frame.Sender(), account) || is(frame.Receiver(), account)
		}) {
			positions = append(positions, i)
		}
	}
	return positions, nil
}

func is(a *common.Address, account common.Address) bool { return a != nil && *a == account }

// maxBelow is the number of blocks at or below a fork block that one call searches: each takes several requests.
const maxBelow = 256

// belowSearch counts the blocks at or below a fork block that a call searches.
type belowSearch struct {
	request *api.Request
	visited int
}

// visit counts v. It returns an error if v is one too many.
func (s *belowSearch) visit(v *preconf.View) error {
	if !v.Ancestral() {
		return nil
	}
	if s.visited == maxBelow {
		return api.Errorf(api.CodeServer, "%s searches at most %d blocks at or below the fork block, and has come to block %d: ask for fewer",
			s.request.Method, maxBelow, v.Number())
	}
	s.visited++
	return nil
}
