package scenario

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/tokencontract"
)

// accidents lists what a schedule may have. Each does what it can in the state of the run, and returns what that was in
// words; errors, and "" for what cannot be now, skip it. In what comes next it shows.
var accidents = []struct {
	name string
	next []string
	do   func(r *run, a, b int) string
}{
	{"pay", []string{"seal", "seal", "flashblock"}, (*run).pay},
	{"seal", []string{"reorg", "nothing"}, (*run).sealSome},
	{"flashblock", []string{"seal"}, (*run).flashblock},
	{"reorg", []string{"seal"}, (*run).reorg},
	{"lose", []string{"seal"}, (*run).lose},
	{"omit", []string{"seal"}, (*run).omit},
	{"alter", []string{"flashblock"}, (*run).alter},
	{"late", []string{"seal"}, (*run).late},
	{"resend", []string{"seal"}, (*run).resend},
	{"expire", nil, (*run).expire},
	{"spike", []string{"seal"}, (*run).spike},
	{"behind", []string{"pay", "seal", "reorg", "caughtUp"}, (*run).answersFromBehind},
	{"caughtUp", nil, (*run).caughtUp},
	{"answer", []string{"pay", "reorg"}, (*run).spoilAnswer},
	{"notification", []string{"pay", "seal", "reorg"}, (*run).spoilNotification},
	{"cut", []string{"pay", "seal", "reorg"}, (*run).cut},
	{"filters", []string{"pay", "seal", "reorg"}, (*run).loseFilters},
	{"restart", []string{"seal", "reorg"}, (*run).restart},
	{"pause", []string{"pay", "seal"}, (*run).pause},
	{"blacklist", []string{"seal"}, (*run).blacklist},
	{"final", nil, (*run).final},
	{"nothing", nil, func(*run, int, int) string { return "Nothing happened" }},
}

// AccidentNames returns the names of all accidents.
func AccidentNames() (names []string) {
	for _, a := range accidents {
		names = append(names, a.name)
	}
	return names
}

func kindOf(name string) int { return slices.Index(AccidentNames(), name) }

// Decoys of a payment, in words.
const (
	fromFakeToken  = "from another token's contract"
	byAnotherPayer = "of another payer with the same nonce"
	inAnotherToken = "in another token"
)

// lookalikes say what a payment is by its number: a real one, half of the time, or a decoy.
var lookalikes = []string{"", "", "", fromFakeToken, byAnotherPayer, inAnotherToken}

// pay sends a payment, or a decoy of one, into the pool.
func (r *run) pay(a, _ int) string {
	if r.Captures {
		return r.hand(a)
	}
	decoy := lookalikes[a%len(lookalikes)]
	if len(r.payments) == maxPayments {
		return ""
	}
	s := &scene{Stage: r.Stage, ctx: r.ctx}
	s.cast("explore", Params{Payer: r.payerOf(r.plays), Merchant: 1})
	r.plays++
	s.conclusion.Nonce = tokencontract.NonceFromSeed(fmt.Sprintf("%s %d", s.unique(), len(r.payments)))
	s.decoy = decoy != ""
	payer := s.payer
	if decoy == byAnotherPayer {
		payer = s.stranger()
	}
	authorization := fixtures.Authorization(payer, s.merchant, s.value, s.Timeline.Moment().Now())
	authorization.Nonce = s.conclusion.Nonce
	switch decoy {
	case fromFakeToken:
		s.captures(s.impostor(s.payer))
	case inAnotherToken:
		s.captures(s.inOtherToken())
	default: // each by its payer, so that one which is lost holds up no other
		s.captures(s.sign(payer, s.Token.VerifyingContract, authorization.PackTransfer(payer.Sign(s.Token, authorization.TransferMessage()))))
	}
	must(r.Timeline.Send(s.capture))
	r.payments = append(r.payments, &payment{scene: s, validBefore: authorization.ValidBefore})
	if s.decoy {
		return fmt.Sprintf("Payment %d is sent, a decoy %s", len(r.payments), decoy)
	}
	return fmt.Sprintf("Payment %d is sent", len(r.payments))
}

// picked returns a payment that the chain has at one of these places, and its number. Without one it ends the move,
// unless one that waits will do: that is made.
func (r *run) picked(n int, where ...preconf.Where) (p *payment, number int) {
	var fit []int
	for i, p := range r.payments {
		is := preconf.Dropped // if the node has forgotten it
		if found, err := r.Timeline.Moment().Find(p.conclusion.Transaction); err == nil {
			is = found.Where
		}
		if p.capture != nil && slices.Contains(where, is) {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		if !slices.Contains(where, preconf.Pooled) || len(r.payments) == maxPayments || slices.Contains(r.Without, "pay") {
			must(errors.New("there is no such payment"))
		}
		r.told += fmt.Sprintf("  %s.\n", r.pay(0, 0))
		fit = append(fit, len(r.payments)-1)
	}
	i := fit[n%len(fit)]
	return r.payments[i], i + 1
}

func (r *run) sealSome(a, _ int) string {
	got(r.Timeline.SealContext(r.ctx, 1+a/4%4))
	return fmt.Sprintf("Blocks are sealed up to %d", r.Timeline.Moment().Latest().Number())
}

func (r *run) flashblock(int, int) string {
	f := got(r.Timeline.Preconfirm())
	return fmt.Sprintf("Flashblock %d of block %d comes", f.Index, f.Number)
}

// reorg removes up to Depth blocks: from a = Depth on, those down to the newest payment if these are no more. By b
// their transactions are lost, go back to the pool and are mined again, or are mined a block later.
func (r *run) reorg(a, b int) string {
	depth := 1 + a%r.Depth
	if found := r.newest(); a >= r.Depth && found <= r.Depth {
		depth = found
	}
	options := control.ReorgOptions{Depth: depth, Transactions: control.Drop}
	fate := "their transactions are lost"
	switch b % 4 {
	case 1:
		options.Transactions, fate = control.Requeue, "their transactions are mined again"
	case 2:
		options.Transactions = control.Requeue
		options.Blocks, fate = [][]*types.Transaction{nil}, "their transactions come a block later"
	}
	result := got(r.Timeline.Reorg(options))
	return fmt.Sprintf("A reorg replaces %d blocks by %d: %s", len(result.Removed), len(result.Added), fate)
}

// newest returns how many blocks a reorg must remove to remove the newest payment, or more than there are.
func (r *run) newest() int {
	depth, moment := math.MaxInt, r.Timeline.Moment()
	for _, p := range r.payments {
		if found, err := moment.Find(p.conclusion.Transaction); err == nil && found.Where == preconf.Sealed && !p.decoy {
			depth = min(depth, 1+int(moment.Latest().Number()-found.View.Number()))
		}
	}
	return depth
}

// strike arms a fault of pre-confirmation.
func (r *run) strike(f control.FlashblockFault, words string, args ...any) string {
	got(r.Timeline.FlashblockFault(f))
	return fmt.Sprintf(words, args...)
}

// fates say what becomes of the transactions of a fault of pre-confirmation.
var fates = []string{"gone", "back in the pool"}

func (r *run) lose(_, b int) string {
	return r.strike(control.FlashblockFault{Kind: control.DropFlashblocks, Gone: b%2 == 0}, "The newest flashblock is lost, its transactions are %s", fates[b%2])
}

func (r *run) omit(a, b int) string {
	p, number := r.picked(a, preconf.Pooled, preconf.Preconfirmed)
	fault := control.FlashblockFault{Kind: control.OmitTransactions, Gone: b%2 == 0, Hashes: []common.Hash{p.conclusion.Transaction}}
	return r.strike(fault, "The next block will not have payment %d, which is then %s", number, fates[b%2])
}

func (r *run) alter(a, _ int) string {
	p, number := r.picked(a, preconf.Pooled)
	return r.strike(control.FlashblockFault{Kind: control.AlterLogs, Hashes: []common.Hash{p.conclusion.Transaction}}, "Payment %d will be announced with another amount", number)
}

func (r *run) late(int, int) string {
	return r.strike(control.FlashblockFault{Kind: control.LateBlock}, "The next block will be late")
}

// resend sends a payment again that is in no block.
func (r *run) resend(a, _ int) string {
	p, number := r.picked(a, preconf.Orphaned, preconf.Dropped)
	must(r.Timeline.Send(p.capture))
	return fmt.Sprintf("Payment %d is sent again", number)
}

// expire makes a block in the last second of an authorization that waits, at its end, or a second later.
func (r *run) expire(a, b int) string {
	p, number := r.picked(a, preconf.Pooled, preconf.Preconfirmed)
	at := p.validBefore - 1 + uint64(b%3)
	must(r.Timeline.Set(preconf.NextBlockTime(at)))
	got(r.Timeline.SealContext(r.ctx, 1))
	return fmt.Sprintf("A block is sealed %d s after the last second of payment %d", b%3, number)
}

func (r *run) spike(a, _ int) string {
	to := new(big.Int).Mul(new(big.Int).SetUint64(1e12), big.NewInt(int64(1+a%4)))
	must(r.Timeline.Set(preconf.Weather(control.Weather{Of: control.OfBaseFee, Shape: control.Spike, To: to, Blocks: 2 + a%4})))
	return "The base fee rises above what payments offer, and falls again"
}

// answersFromBehind lets all calls be answered by a node that is behind, or on the removed branch.
func (r *run) answersFromBehind(a, _ int) string {
	r.lying = true
	if a%3 == 2 {
		r.Stale(preconf.Lag{Orphaned: true})
		return "A node answers that has not seen the last reorg"
	}
	r.Stale(preconf.Lag{Blocks: 1 + a%3})
	return fmt.Sprintf("A node %d blocks behind answers", 1+a%3)
}

func (r *run) caughtUp(int, int) string {
	if !r.lying {
		return ""
	}
	r.Stale(preconf.Lag{})
	r.lying = false
	return "The node has caught up"
}

// spoilAnswer spoils answers of a method that the back end has asked; of some methods those about one payment.
func (r *run) spoilAnswer(a, b int) string {
	var methods []string
	for _, call := range r.Calls() {
		method, _, _ := strings.Cut(call, " ")
		methods = append(methods, method)
	}
	slices.Sort(methods)
	if methods = slices.Compact(methods); len(methods) == 0 {
		return ""
	}
	method, where, about := methods[a%len(methods)], "", ""
	if (method == "eth_getTransactionReceipt" || method == "eth_getTransactionByHash") && len(r.payments) > 0 {
		where, about = r.payments[len(r.payments)-1].conclusion.Transaction.Hex(), fmt.Sprintf(" about payment %d", len(r.payments))
	}
	effects := len(r.Effects)
	effect, nth, times := r.Effects[b%effects], 1+b/effects%3, 1+b/effects/3%3
	must(r.Fail(method, where, effect, nth, times))
	r.failing = true
	return fmt.Sprintf("Answers %d to %d of %s%s are %s", nth, nth+times-1, method, about, effect)
}

func (r *run) spoilNotification(a, b int) string {
	effect, nth := r.Notified[b%len(r.Notified)], 1+a%3
	must(r.Fail("eth_subscription", "", effect, nth, 1))
	r.failing = true
	return fmt.Sprintf("Notification %d is %s", nth, effect)
}

func (r *run) cut(int, int) string {
	if r.Cut() == 0 {
		return ""
	}
	return "Every socket is cut"
}

func (r *run) loseFilters(int, int) string {
	lost := 0
	for id := range uint64(64) {
		if r.Timeline.Filters().Remove(id) {
			lost++
		}
	}
	if lost == 0 {
		return ""
	}
	return fmt.Sprintf("The node forgets %d filters", lost)
}

// restart kills the node, whose file has all, or lacks the last move or two, and starts it again. What is final, and
// what is deeper than any reorg, was written. In place of blocks that are lost others come, and one more: a lower head
// would be that of a node that is behind.
func (r *run) restart(a, _ int) string {
	now, lacks := r.Timeline.Moment(), min(a%3, len(r.before)-1)
	head, file := now.Latest().Number(), r.before[len(r.before)-1-lacks]
	kept := min(head, file.Latest().Number())
	for ; got(now.ByNumber(kept)).Hash() != got(file.ByNumber(kept)).Hash(); kept-- {
	}
	if kept < now.Finalized().Number() || kept+uint64(r.Depth) < head {
		return ""
	}
	must(r.Timeline.Restart(file))
	r.Cut()
	for kept < head && r.Timeline.Moment().Latest().Number() <= head {
		got(r.Timeline.SealContext(r.ctx, 1))
	}
	r.before = r.before[:0]
	return "The node is killed and started from its file, which " + []string{"has all", "lacks the last move", "lacks the last two moves"}[lacks]
}

// pause lets the token refuse what comes into the next blocks.
func (r *run) pause(int, int) string {
	token := tokencontract.NewToken()
	r.asOwner(token.PackPause(), token.PackUnpause())
	return "The token will be paused"
}

func (r *run) blacklist(a, _ int) string {
	p, number := r.picked(a, preconf.Pooled, preconf.Preconfirmed, preconf.Sealed)
	token := tokencontract.NewToken()
	r.asOwner(token.PackBlacklist(p.payer.Address), token.PackUnBlacklist(p.payer.Address))
	return fmt.Sprintf("The payer of payment %d will be on the token's blacklist", number)
}

// asOwner sends a call of the token's owner, and at the end of the run the call that undoes it.
func (r *run) asOwner(call, undo []byte) {
	s := &scene{Stage: r.Stage, ctx: r.ctx}
	send := func(call []byte) {
		tx := s.sign(paytoken.Owner, s.Token.VerifyingContract, call)
		must(s.try(tx))
		must(r.Timeline.Send(tx))
	}
	send(call)
	r.undo = append(r.undo, func() { send(undo) })
}

// final makes everything final, while nodes lie or fail.
func (r *run) final(int, int) string {
	must(finalize(r.ctx, r.Timeline))
	return "Everything is final"
}

// attempt makes a move, and returns "" for one that cannot be now.
func (r *run) attempt(move Accident) (did string) {
	r.before = append(r.before, r.Timeline.Moment())
	_ = attempt(func() { did = accidents[kindOf(move.Name)].do(r, move.A, move.B) })
	r.happened[move.Name] = r.happened[move.Name] || did != ""
	return did
}
