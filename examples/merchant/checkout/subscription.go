package checkout

import (
	"context"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/contracts/spendpermission"
)

// subscription is an amount in every period: the owner of a smart account signs a spend permission once, the merchant
// has it approved on-chain, which deploys the account, and then charges without another signature until it ends.
type subscription struct {
	*chain
	noRequests
}

// account is the customer's smart account: its owners are the customer's key, which signs, and the manager, which pays.
// On a public chain the factory computes another address for it: ask it there.
func (subscription) account(o Order) smartwallet.Account {
	return smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(o.Owner), smartwallet.AccountOwner(spendpermission.Address))
}

// terms makes the owner's account the payer, deployed or not. Periods are counted from the order's validAfter.
func (s subscription) terms(ctx context.Context, o *Order) error {
	for _, contract := range []common.Address{smartwallet.FactoryAddress, spendpermission.Address} {
		if err := s.deployed(ctx, o.Path, contract); err != nil {
			return err
		}
	}
	o.Owner = o.Terms.From
	o.Terms.From = s.account(*o).Address()
	return nil
}

func (s subscription) permission(o Order) spendpermission.Permission {
	return spendpermission.Permission{
		Account: o.Terms.From, Spender: s.merchant, Token: s.token, Allowance: o.Terms.Value, Period: o.Period,
		Start: o.Terms.ValidAfter, End: o.Terms.ValidBefore, Salt: new(uint256.Int).SetBytes(o.Terms.Nonce[:]),
	}
}

func (s subscription) toSign(o Order) ToSign {
	return ToSign{TypedData: s.account(o).TypedData(s.domain.ChainID, s.permission(o).Hash(s.domain.ChainID))}
}

// join wraps the owner's signature as the account takes it, with the call that deploys the account (ERC-6492).
func (s subscription) join(_ context.Context, o Order, signed Signed) (Credential, error) {
	digest := s.account(o).Digest(s.domain.ChainID, s.permission(o).Hash(s.domain.ChainID))
	if err := s.verifyKey(o.Owner, digest, "SpendPermission", signed.Signature); err != nil {
		return nil, err
	}
	return s.account(o).WrapUndeployed(smartwallet.WrapSignature(0, signed.Signature)), nil
}

func (s subscription) approval(o Order, credential Credential) target {
	return target{spendpermission.Address, s.permission(o).PackApproveWithSignature(credential)}
}

func (s subscription) check(ctx context.Context, o Order, amount *uint256.Int) error {
	manager := spendpermission.Address
	answer, err := s.client.CallContract(ctx, ethereum.CallMsg{To: &manager, Data: s.permission(o).PackIsValid()}, pending)
	if err != nil {
		return unavailable("read the permission", err)
	}
	if new(uint256.Int).SetBytes(answer).IsZero() {
		return problem(Conflict, "the permission is not approved on-chain yet, or was revoked")
	}
	return s.covered(ctx, o.Terms.From, amount)
}

func (s subscription) capture(o Order, amount *uint256.Int, _ Credential) target {
	return target{spendpermission.Address, s.permission(o).PackSpend(amount)}
}
