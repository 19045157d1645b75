package scenario_test

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
)

// capture is a back end that remembers the transaction of an order before it sends it, and makes no other.
func capture(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
	return capturing(ctx, s, q, false, false)
}

// captors are those with a fault each.
var captors = map[string]func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error){
	"captures again what has no receipt": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		return capturing(ctx, s, q, true, false)
	},
	"forgets what it seems not to have sent": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		return capturing(ctx, s, q, false, true)
	},
}

func capturing(ctx context.Context, s *till, q scenario.Question, again, forgets bool) (scenario.Answer, error) {
	receipt := func() bool {
		if s.sent[*q.Order] == nil {
			return false
		}
		receipt, err := s.TransactionReceipt(ctx, s.sent[*q.Order].Hash())
		if err != nil || receipt.Status != types.ReceiptStatusSuccessful {
			return false
		}
		header, err := s.HeaderByNumber(ctx, receipt.BlockNumber)
		return err == nil && header.Hash() == receipt.BlockHash
	}
	if c := q.Capture; c != nil {
		if s.sent[*q.Order] == nil || again && !receipt() {
			merchant, v, token := s.node.Account(1), c.ReceiveSignature, s.node.Token().Address()
			nonce, err := s.PendingNonceAt(ctx, merchant.Address)
			if err != nil {
				return scenario.Open, err
			}
			data := tokencontract.NewToken().PackReceiveWithAuthorizationVRS(c.From, c.To, q.Value.ToBig(), new(big.Int).SetUint64(c.ValidAfter), new(big.Int).SetUint64(c.ValidBefore), c.Nonce, v.V(), v.R(), v.S())
			s.sent[*q.Order] = types.MustSignNewTx(merchant.Key, types.HomesteadSigner{}, &types.LegacyTx{Nonce: nonce, To: &token, Gas: 200_000, GasPrice: big.NewInt(1e11), Data: data})
		}
		if err := s.SendTransaction(ctx, s.sent[*q.Order]); err != nil && forgets {
			delete(s.sent, *q.Order)
		}
	}
	return answer(receipt(), scenario.Paid), nil
}
