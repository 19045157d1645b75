package integration_test

import (
	"fmt"
	"maps"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// ledger holds the token's state in plain Go: the model that the contract on the node is compared with.
type ledger struct {
	balances    map[common.Address]uint64 // token units (6 decimals)
	blacklisted map[common.Address]bool
	used        map[authorizationKey]bool
	paused      bool
	documented  bool // a capture takes either signature
}

// authorizationKey is the replay key of an authorization (contract 4.2-store).
type authorizationKey struct {
	authorizer common.Address
	nonce      common.Hash
}

func (l *ledger) clone() *ledger {
	return &ledger{maps.Clone(l.balances), maps.Clone(l.blacklisted), maps.Clone(l.used), l.paused, l.documented}
}

// verdict is how a transaction to the token ends: the revert reason, or "" and the events in order.
type verdict struct {
	reason string
	events []string
}

func refuse(reason string) verdict { return verdict{reason: reason} }

// action is a transaction to the token: its sender, its call data, and the verdict of the model on it in a block with a
// timestamp (Unix seconds). Applying it changes the ledger only if it succeeds.
type action struct {
	name  string
	from  fakenode.Account
	data  []byte
	apply func(l *ledger, at uint64) verdict
}

// authorized is an authorization with its signature, as the model sees it.
type authorized struct {
	tokencontract.Authorization
	receive   bool // signed as ReceiveWithAuthorization; otherwise as TransferWithAuthorization
	signature tokencontract.Signature
	genuine   bool // signed by the payer, for these terms
}

func (a authorized) key() authorizationKey { return authorizationKey{a.From, a.Nonce} }

// settle is the check order of both functions, for a caller.
func (a authorized) settle(receive bool, caller common.Address) func(*ledger, uint64) verdict {
	return func(l *ledger, at uint64) verdict {
		value := a.Value.Uint64()
		switch {
		case l.paused:
			return refuse(reasonPaused)
		case l.blacklisted[a.From], l.blacklisted[a.To]:
			return refuse(reasonBlacklisted)
		case receive && caller != a.To:
			return refuse(reasonNotPayee)
		case at <= a.ValidAfter:
			return refuse(reasonEarly)
		case at >= a.ValidBefore:
			return refuse(reasonExpired)
		case l.used[a.key()]:
			return refuse(reasonUsed)
		case !a.genuine || a.receive != receive && !(receive && l.documented):
			return refuse(reasonSignature)
		case value > l.balances[a.From]:
			return refuse(reasonBalance)
		}
		l.used[a.key()] = true
		l.move(a.From, a.To, value)
		return verdict{events: []string{usedEvent(a.From, a.Nonce), transferEvent(a.From, a.To, value)}}
	}
}

// cancelling is cancelAuthorization; it minds neither time nor blacklist.
func cancelling(key authorizationKey, genuine bool) func(*ledger, uint64) verdict {
	return func(l *ledger, _ uint64) verdict {
		switch {
		case l.paused:
			return refuse(reasonPaused)
		case l.used[key]:
			return refuse(reasonUsed)
		case !genuine:
			return refuse(reasonSignature)
		}
		l.used[key] = true
		return verdict{events: []string{canceledEvent(key.authorizer, key.nonce)}}
	}
}

func transferring(from, to common.Address, value uint64) func(*ledger, uint64) verdict {
	return func(l *ledger, _ uint64) verdict {
		switch {
		case l.paused:
			return refuse(reasonPaused)
		case l.blacklisted[from], l.blacklisted[to]:
			return refuse(reasonBlacklisted)
		case value > l.balances[from]:
			return refuse(reasonBalance)
		}
		l.move(from, to, value)
		return verdict{events: []string{transferEvent(from, to, value)}}
	}
}

func minting(to common.Address, value uint64) func(*ledger, uint64) verdict {
	return func(l *ledger, _ uint64) verdict {
		switch {
		case l.paused:
			return refuse(reasonPaused)
		case l.blacklisted[to]:
			return refuse(reasonBlacklisted)
		}
		l.balances[to] += value
		return verdict{events: []string{"Mint", transferEvent(common.Address{}, to, value)}}
	}
}

func pausing(paused bool) func(*ledger, uint64) verdict {
	return func(l *ledger, _ uint64) verdict {
		l.paused = paused
		if paused {
			return verdict{events: []string{"Pause"}}
		}
		return verdict{events: []string{"Unpause"}}
	}
}

func blacklisting(account common.Address, blacklisted bool) func(*ledger, uint64) verdict {
	return func(l *ledger, _ uint64) verdict {
		l.blacklisted[account] = blacklisted
		if blacklisted {
			return verdict{events: []string{"Blacklisted"}}
		}
		return verdict{events: []string{"UnBlacklisted"}}
	}
}

func (l *ledger) move(from, to common.Address, value uint64) {
	l.balances[from] -= value
	l.balances[to] += value
}

func (l *ledger) supply() uint64 {
	var sum uint64
	for _, balance := range l.balances {
		sum += balance
	}
	return sum
}

// The reasons of the token that the model knows.
const (
	reasonPaused      = "Pausable: paused"
	reasonBlacklisted = "Blacklistable: account is blacklisted"
	reasonNotPayee    = "FiatTokenV2: caller must be the payee"
	reasonEarly       = "FiatTokenV2: authorization is not yet valid"
	reasonExpired     = "FiatTokenV2: authorization is expired"
	reasonUsed        = "FiatTokenV2: authorization is used or canceled"
	reasonSignature   = "FiatTokenV2: invalid signature"
	reasonBalance     = "ERC20: transfer amount exceeds balance"
)

func usedEvent(authorizer common.Address, nonce common.Hash) string {
	return fmt.Sprintf("AuthorizationUsed(%s, %s)", authorizer, nonce)
}

func canceledEvent(authorizer common.Address, nonce common.Hash) string {
	return fmt.Sprintf("AuthorizationCanceled(%s, %s)", authorizer, nonce)
}

func transferEvent(from, to common.Address, value uint64) string {
	return fmt.Sprintf("Transfer(%s, %s, %d)", from, to, value)
}

// eventOf writes a log as the model does: payments in full, other events by name.
func eventOf(log *types.Log) (string, error) {
	if e, err := tokencontract.DecodeTransfer(*log); err == nil {
		return transferEvent(e.From, e.To, e.Value.Uint64()), nil
	}
	if e, err := tokencontract.DecodeAuthorizationUsed(*log); err == nil {
		return usedEvent(e.Authorizer, e.Nonce), nil
	}
	if e, err := tokencontract.DecodeAuthorizationCanceled(*log); err == nil {
		return canceledEvent(e.Authorizer, e.Nonce), nil
	}
	event, err := tokencontract.ABI().EventByID(log.Topics[0])
	if err != nil {
		return "", err
	}
	return event.Name, nil
}
