package eth

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// syncRules are the rules of eth_sendRawTransactionSync and eth_sendTransactionSync, in which nodes differ.
type syncRules struct {
	normal, longest time.Duration   // how long it waits, in wall time, without a timeout, and at most
	zero            time.Duration   // how long with a timeout of zero
	capped          bool            // a timeout above the longest means the longest; false: it is an error
	forgiving       bool            // a timeout that is not valid means none
	hexOnly         bool            // a timeout is a string in hex
	ready           bool            // a nonce too high is refused with the next one, not pooled; a fee too low ends the wait
	at              []preconf.Where // where the transaction is once it answers; none: pre-confirmed or sealed
	expired         func(hash common.Hash, after time.Duration) error
}

var sealed = []preconf.Where{preconf.Sealed}

// syncDialects are the rules by their names. docs/preconfirmations.md has the source of each.
var syncDialects = map[api.SendSync]syncRules{
	api.SyncSpec:      {normal: 6 * time.Second, longest: 6 * time.Second, expired: unconfirmed},
	api.SyncGeth:      {normal: 6 * time.Second, longest: 6 * time.Second, zero: 6 * time.Second, capped: true, expired: unconfirmed},
	api.SyncEIP:       {normal: 2 * time.Second, longest: 6 * time.Second, zero: 2 * time.Second, forgiving: true, ready: true, expired: unprocessed},
	api.SyncArbitrum:  {normal: 20 * time.Second, longest: time.Minute, zero: 20 * time.Second, capped: true, hexOnly: true, at: sealed, expired: unconfirmed},
	api.SyncAnnounced: {normal: 20 * time.Second, longest: time.Minute, zero: 20 * time.Second, capped: true, hexOnly: true, expired: unconfirmed},
	api.SyncPolygon:   {normal: 6 * time.Second, longest: 6 * time.Second, zero: 6 * time.Second, capped: true, hexOnly: true, at: sealed, expired: unconfirmed},
	api.SyncMegaETH:   {normal: 10 * time.Second, longest: 10 * time.Second, capped: true, expired: expired},
	api.SyncMonad:     {normal: 2 * time.Second, longest: 10 * time.Second, zero: 2 * time.Second, forgiving: true, at: sealed, expired: unavailable},
}

func unconfirmed(hash common.Hash, after time.Duration) error {
	return syncTimeout(hash, fmt.Sprintf("transaction %s was added to the pool but was not confirmed within %s", hash, after))
}

func unprocessed(hash common.Hash, after time.Duration) error {
	return syncTimeout(hash, fmt.Sprintf("The transaction was added to the mempool but wasn't processed in %s.", after))
}

func syncTimeout(data any, text string) error {
	failure := api.Errorf(api.CodeSyncTimeout, "%s", text)
	failure.Data = data
	return failure
}

func unavailable(hash common.Hash, after time.Duration) error {
	return syncTimeout(map[string]common.Hash{"hash": hash}, fmt.Sprintf("Transaction receipt not available within %dms timeout", after.Milliseconds()))
}

func expired(common.Hash, time.Duration) error {
	return api.Errorf(api.CodeServer, "realtime transaction expired")
}

// syncRulesOf returns the rules of the request's network.
func syncRulesOf(r *api.Request) syncRules {
	return syncDialects[cmp.Or(r.Network.SendSync, api.SyncSpec)]
}

// Milliseconds is a timeout as a client gives it.
type Milliseconds struct {
	raw     json.RawMessage
	number  api.Number
	problem error
}

// UnmarshalJSON implements json.Unmarshaler. What is no number is an error only under rules that say so.
func (m *Milliseconds) UnmarshalJSON(raw []byte) error {
	m.raw = append(json.RawMessage(nil), raw...)
	m.problem = m.number.UnmarshalJSON(raw)
	return nil
}

// wait returns how long to wait for a receipt.
func (s syncRules) wait(r *api.Request, timeout *Milliseconds) (time.Duration, error) {
	if timeout == nil {
		return s.normal, nil
	}
	problem, limit := timeout.problem, api.Number(s.longest/time.Millisecond)
	if s.hexOnly && timeout.raw[0] != '"' {
		problem = api.BadNumber("not a string in hex")
	}
	switch {
	case s.forgiving && (problem != nil || timeout.number > limit):
		return s.normal, nil
	case problem != nil:
		return 0, api.InvalidParams("invalid argument 1 (timeout) of %s: have %s (%s), want %s", r.Method, api.Excerpt(timeout.raw), api.Problem(problem), api.Number.Wanted(0))
	case timeout.number == 0:
		return s.zero, nil
	case timeout.number > limit && s.capped:
		return s.longest, nil
	case timeout.number > limit:
		return 0, api.InvalidParams("timeout of %d ms is too long, the limit is %d ms", timeout.number, limit)
	}
	return time.Duration(timeout.number) * time.Millisecond, nil
}

// SendRawTransactionSync serves eth_sendRawTransactionSync (EIP-7966): it waits, in wall time, until the
// transaction is pre-confirmed or sealed and answers its receipt. The timeout is in milliseconds.
func SendRawTransactionSync(r *api.Request, raw hexutil.Bytes, timeout *Milliseconds) (any, error) {
	if r.Network.NoSendSync {
		return nil, api.Errorf(api.CodeMethodNotFound, "method not found")
	}
	rules := syncRulesOf(r)
	if rules.ready {
		if err := checkGap(r, raw); err != nil {
			return nil, err
		}
	}
	return sendAndWait(r, rules, timeout, func() (common.Hash, error) { return Send(r, raw) })
}

// RealtimeSendRawTransaction serves MegaETH's realtime_sendRawTransaction.
func RealtimeSendRawTransaction(r *api.Request, raw hexutil.Bytes, timeout *Milliseconds) (any, error) {
	return sendAndWait(r, syncDialects[api.SyncMegaETH], timeout, func() (common.Hash, error) { return Send(r, raw) })
}

// SendTransactionSync serves eth_sendTransactionSync, which waits as eth_sendRawTransactionSync does.
func SendTransactionSync(r *api.Request, object api.CallObject, timeout *Milliseconds) (any, error) {
	return sendAndWait(r, syncRulesOf(r), timeout, func() (common.Hash, error) { return SendObject(r, &object) })
}

// checkGap returns the error of EIP-7966 for a transaction with an earlier nonce missing, whose data is the next one.
func checkGap(r *api.Request, raw []byte) error {
	tx := new(types.Transaction)
	if tx.UnmarshalBinary(raw) != nil {
		return nil // as Send reports
	}
	from, err := types.Sender(r.Signer(), tx)
	if err != nil || r.Load(from) != nil {
		return nil
	}
	next := r.Moment().PoolNonce(from)
	if tx.Nonce() <= next {
		return nil
	}
	failure := api.Errorf(api.CodeNonceGap, "The transaction was rejected due to a nonce gap. Please resubmit with the next on-chain nonce.")
	failure.Data = hexutil.Uint64(next)
	return failure
}

// checkFee returns the error of EIP-7966 for a transaction that waits in the pool for a lower base fee.
func checkFee(m *preconf.Moment, hash common.Hash) error {
	found, err := m.Find(hash)
	least := m.NextHeader().BaseFee
	if err != nil || found.Where != preconf.Pooled || least == nil {
		return nil
	}
	most := evmstate.Signed(found.Transaction).GasFeeCap()
	if most.Cmp(least) >= 0 {
		return nil
	}
	failure := api.Errorf(api.CodeNotReady, "The transaction was added to the mempool but wasn't processed: its fee cap of %d wei is below the base fee of %d wei.", most, least)
	failure.Data = hash
	return failure
}

// sendAndWait sends and then waits for the receipt.
func sendAndWait(r *api.Request, rules syncRules, timeout *Milliseconds, send func() (common.Hash, error)) (any, error) {
	wait, err := rules.wait(r, timeout)
	if err != nil {
		return nil, err
	}
	hash, err := send()
	if err != nil {
		return nil, err
	}
	waiter := r.Network.Timeline.Waiter()
	if rules.ready {
		if err := checkFee(r.Network.Timeline.Moment(), hash); err != nil {
			return nil, err
		}
	}
	r.Caller.LetOthersPass()
	ctx, cancel := context.WithTimeout(r.Ctx, wait)
	defer cancel()
	found, err := waiter.Wait(ctx, hash, rules.at...)
	switch {
	case err == nil:
		return shape.ReceiptOf(found, r.Network.Receipts), nil
	case r.Ctx.Err() == nil && ctx.Err() != nil:
		return nil, rules.expired(hash, wait)
	}
	return nil, api.Refused(err)
}
