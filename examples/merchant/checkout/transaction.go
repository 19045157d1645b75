package checkout

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
)

// call is a transaction of the merchant that lacks only its account nonce.
type call struct {
	target
	gas            uint64
	feeCap, tipCap *big.Int // wei per gas
	nonce          uint64   // the next one, as the chain counts
	purse          *big.Int // wei that the merchant holds
}

const (
	// maxGas is the most gas that the merchant pays for in one transaction. A capture takes some 80,000, or 180,000 from
	// Amsterdam on; the first charge of a subscription, which deploys a wallet there, 1,540,000. The rest is for a
	// contract wallet that checks its signature, and that could burn any amount of the merchant's gas.
	maxGas = 2_000_000
	// spareGas is for a slot that others empty before the transaction fills it again: 97,920 of state gas (EIP-8037) from
	// Amsterdam on, and 20,000 before.
	spareGas = 120_000
)

// prepare tries a call out and prices it. Problems: TokenRefuse with the token's reason when it would revert,
// Costly.
func (c *chain) prepare(ctx context.Context, to target) (call, error) {
	gas, err := c.client.EstimateGas(ctx, ethereum.CallMsg{From: c.merchant, To: &to.contract, Data: to.data})
	if reason, reverted := revertReason(err); reverted {
		return call{}, problem(TokenRefuse, "%s refuses: %s", c.name(to.contract), reason)
	}
	if err != nil {
		return call{}, unavailable("estimate gas", err)
	}
	gas += max(gas/4, spareGas)
	if gas > maxGas {
		return call{}, problem(Costly, "it would take %d gas, the merchant pays for %d at most", gas, maxGas)
	}
	p := call{target: to, gas: gas}
	if p.feeCap, p.tipCap, err = c.fees(ctx); err != nil {
		return call{}, err
	}
	if p.purse, err = c.purse(ctx); err != nil {
		return call{}, err
	}
	if p.nonce, err = c.client.PendingNonceAt(ctx, c.merchant); err != nil {
		return call{}, unavailable("read account nonce", err)
	}
	return p, nil
}

// name returns a contract's name for messages.
func (c *chain) name(contract common.Address) string {
	if contract == c.token {
		return "the token"
	}
	return "the contract"
}

// fees returns the fees to offer, in wei per gas: twice the base fee, for some dozen full blocks.
func (c *chain) fees(ctx context.Context) (feeCap, tipCap *big.Int, err error) {
	tipCap, err = c.client.SuggestGasTipCap(ctx)
	if err != nil {
		return nil, nil, unavailable("read tip", err)
	}
	head, err := c.header(ctx, latest)
	switch {
	case err != nil:
		return nil, nil, err
	case head.BaseFee == nil:
		return nil, nil, problem(Unavailable, "the chain has no base fee: it is older than London")
	}
	return new(big.Int).Add(tipCap, new(big.Int).Lsh(head.BaseFee, 1)), tipCap, nil
}

// purse returns the wei that the merchant has for gas, before the waiting transactions.
func (c *chain) purse(ctx context.Context) (*big.Int, error) {
	balance, err := c.client.BalanceAt(ctx, c.merchant, latest)
	if err != nil {
		return nil, unavailable("read balance", err)
	}
	return balance, nil
}

// affordable checks that a purse holds what all transactions that wait may cost, in wei: a node rejects one that its
// sender cannot pay for.
func (c *chain) affordable(purse, costs *big.Int) error {
	if purse.Cmp(costs) >= 0 {
		return nil
	}
	return &Problem{
		Code: Unavailable, Message: "the merchant's account cannot pay for gas",
		Err: fmt.Errorf("%s holds %s wei, its transactions may cost %s", c.merchant, purse, costs),
	}
}

// transaction returns the call with an account nonce, unsigned.
func (c *chain) transaction(p call, nonce uint64) types.TxData {
	return &types.DynamicFeeTx{
		ChainID: c.signer.ChainID(), Nonce: nonce, GasTipCap: p.tipCap, GasFeeCap: p.feeCap, Gas: p.gas, To: &p.contract, Data: p.data,
	}
}

// nothing returns a transaction that only uses up an account nonce: a transfer of nothing from the merchant to itself.
func (c *chain) nothing(ctx context.Context, nonce uint64) (types.TxData, error) {
	feeCap, tipCap, err := c.fees(ctx)
	if err != nil {
		return nil, err
	}
	return &types.DynamicFeeTx{
		ChainID: c.signer.ChainID(), Nonce: nonce, GasTipCap: tipCap, GasFeeCap: feeCap, Gas: params.TxGas, To: &c.merchant,
	}, nil
}

// send hands a signed transaction to the node. After an error the node may have it all the same.
func (c *chain) send(ctx context.Context, tx *types.Transaction) error {
	if err := c.client.SendTransaction(ctx, tx); err != nil {
		return unavailable("send transaction", err)
	}
	return nil
}

// whyReverted asks the token, at the block of the transaction, for the reason; state may have changed in between, so
// that there is none.
func (c *chain) whyReverted(ctx context.Context, tx *types.Transaction, block *big.Int) (string, error) {
	_, err := c.client.CallContract(ctx, ethereum.CallMsg{From: c.merchant, To: tx.To(), Data: tx.Data()}, block)
	if reason, reverted := revertReason(err); reverted {
		return reason, nil
	}
	if err != nil {
		return "", unavailable("read revert reason", err)
	}
	return "", nil
}
