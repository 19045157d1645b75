package command

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// edit changes an account in the state of the head, and so in the pending block's.
func edit(r *api.Request, account common.Address, change func(*evmstate.State) *evmstate.State) error {
	if _, err := r.Account(nil, account); err != nil {
		return err
	}
	return r.BadInput(r.Network.Timeline.EditState(change))
}

// SetBalance serves anvil_setBalance, in wei.
func SetBalance(r *api.Request, account common.Address, wei amount) (any, error) {
	return nil, edit(r, account, func(s *evmstate.State) *evmstate.State { return s.WithBalance(account, &wei.Int) })
}

// AddBalance serves anvil_addBalance, in wei. A sum beyond 2^256-1 becomes 2^256-1.
func AddBalance(r *api.Request, account common.Address, wei amount) (any, error) {
	return nil, edit(r, account, func(s *evmstate.State) *evmstate.State {
		return s.WithBalance(account, evmstate.Sum(s.Balance(account), &wei.Int))
	})
}

// ImpersonateSignature serves anvil_impersonateSignature: ecrecover returns the account for the signature.
func ImpersonateSignature(r *api.Request, signature hexutil.Bytes, account common.Address) (any, error) {
	if len(signature) != crypto.SignatureLength {
		return nil, api.InvalidParams("invalid argument 0 (signature) of %s: %d bytes, want %d", r.Method, len(signature), crypto.SignatureLength)
	}
	return nil, r.BadInput(r.Network.Timeline.ImpersonateSignature([crypto.SignatureLength]byte(signature), account))
}

// SetCode serves anvil_setCode. Code over the limit of the next block's rules is rejected.
func SetCode(r *api.Request, account common.Address, code bareBytes) (any, error) {
	moment := r.Moment()
	next, on := moment.Pending().Header(), moment.Chain()
	if err := on.CodeLimit.CheckCode(on.Config().IsAmsterdam(next.Number, next.Time), len(code)); err != nil {
		return nil, api.InvalidParams("%s: %s", r.Method, err)
	}
	return SetAnyCode(r, account, code)
}

// SetAnyCode serves anvil_setCode without the limit on code.
func SetAnyCode(r *api.Request, account common.Address, code bareBytes) (any, error) {
	return nil, edit(r, account, func(s *evmstate.State) *evmstate.State { return s.WithCode(account, code) })
}

// SetAnyNonce serves anvil_setNonce for chains on which a nonce may go back.
func SetAnyNonce(r *api.Request, account common.Address, nonce api.Number) (any, error) {
	return nil, edit(r, account, func(s *evmstate.State) *evmstate.State { return s.WithNonce(account, uint64(nonce)) })
}

// SetNonce serves anvil_setNonce. A nonce never goes back: transactions of lower nonces are in blocks already.
func SetNonce(r *api.Request, account common.Address, nonce api.Number) (any, error) {
	if _, err := r.Account(nil, account); err != nil {
		return nil, err
	}
	return nil, r.Network.Timeline.Atomically(func(timeline *preconf.Timeline) error {
		state, err := timeline.Moment().Latest().State()
		if err != nil {
			return err
		}
		if current := state.Nonce(account); uint64(nonce) < current {
			return api.InvalidParams("%s: cannot set the nonce of %s to %d: it is %d and never goes back", r.Method, account, nonce, current)
		}
		return r.BadInput(timeline.EditState(func(s *evmstate.State) *evmstate.State {
			return s.WithNonce(account, uint64(nonce))
		}))
	})
}

// Delegate serves fakenode_delegate: the account runs the code of the implementation (EIP-7702), or no longer any if
// that is the zero address, as after an authorization of its own.
func Delegate(r *api.Request, account, implementation common.Address) (any, error) {
	if _, err := r.Account(nil, account); err != nil {
		return nil, err
	}
	return nil, r.BadInput(r.Network.Timeline.Delegate(account, implementation))
}

func SetStorageAt(r *api.Request, account common.Address, slot amount, value common.Hash) (any, error) {
	return true, edit(r, account, func(s *evmstate.State) *evmstate.State { return s.WithStorage(account, slot.Bytes32(), value) })
}
