package eth

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// The time that eth_callAfter waits, in wall time: without a timeout, and at most.
const (
	callAfterWait    = 3 * time.Second
	maxCallAfterWait = time.Minute
)

// nonceCondition is the nonce that eth_callAfter waits for.
type nonceCondition struct {
	api.ContractObject `json:"-"`

	Account *common.Address `json:"account"`
	Nonce   *api.Number     `json:"nonce"`
	Timeout *api.Number     `json:"timeout"` // milliseconds
}

func (nonceCondition) Wanted() string { return "{account, nonce, timeout?}" }

// CallAfter serves MegaETH's eth_callAfter: eth_call at latest, once an account's nonce has come to a number, with what
// is pre-confirmed.
func CallAfter(r *api.Request, object api.CallObject, after nonceCondition, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	if after.Account == nil || after.Nonce == nil {
		return nil, api.InvalidParams("invalid argument 1 (condition) of %s: account or nonce is missing, want %s", r.Method, after.Wanted())
	}
	wait := callAfterWait
	if given := after.Timeout; given != nil {
		const limit = api.Number(maxCallAfterWait / time.Millisecond)
		if *given > limit {
			return nil, api.InvalidParams("timeout of %d ms is too long, the limit is %d ms", *given, limit)
		}
		wait = time.Duration(*given) * time.Millisecond
	}
	waiter := r.Network.Timeline.Waiter()
	r.Caller.LetOthersPass()
	ctx, cancel := context.WithTimeout(r.Ctx, wait)
	defer cancel()
	var failure error
	err := waiter.Until(ctx, func(m *preconf.Moment) bool {
		accounts, err := m.Pending().State()
		if err == nil {
			err = accounts.Load(*after.Account)
		}
		failure = err
		return err != nil || accounts.Nonce(*after.Account) >= uint64(*after.Nonce)
	})
	switch {
	case failure != nil:
		return nil, failure
	case err != nil && r.Ctx.Err() == nil:
		return nil, api.Errorf(api.CodeServer, "Timeout: timeout waiting for nonce condition")
	case err != nil:
		return nil, api.Refused(err)
	}
	return Executing(Execution.Answer)(r, object, nil, state, block)
}
