package checkout

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/b20"
	"github.com/fakenode/fakenode/tokencontract"
)

// memo is a transfer that the payer sends, with the order's nonce as its memo (B20). Nothing is signed for the
// merchant, who has nothing to capture: the chain says whether it is paid.
type memo struct {
	*chain
	noRequests
}

// stablecoin packs calls of a B20 token; memoTopic is the topic of its event Memo(caller, memo).
var (
	stablecoin = b20.NewStablecoin()
	memoTopic  = stablecoin.GetABI().Events["Memo"].ID
)

// payerCall is a call for the payer to send, as eth_sendTransaction takes it.
type payerCall struct {
	From common.Address `json:"from"`
	To   common.Address `json:"to"`
	Data hexutil.Bytes  `json:"data"`
}

// terms tries a transfer of nothing. A token refuses it that has no memos, is paused, or has policies against the payer
// or the merchant. Problems: TokenRefuse.
func (m memo) terms(ctx context.Context, o *Order) error {
	nothing := stablecoin.PackTransferWithMemo(m.merchant, new(big.Int), o.Terms.Nonce)
	_, err := m.client.CallContract(ctx, ethereum.CallMsg{From: o.Terms.From, To: &m.token, Data: nothing}, latest)
	if reason, reverted := revertReason(err); reverted {
		return problem(TokenRefuse, "the token refuses a transfer with a memo: %s", reason)
	}
	if err != nil {
		return unavailable("try a transfer", err)
	}
	return nil
}

func (m memo) toSign(o Order) ToSign {
	return ToSign{Transaction: payerCall{o.Terms.From, m.token, stablecoin.PackTransferWithMemo(m.merchant, o.Terms.Value.ToBig(), o.Terms.Nonce)}}
}

func (memo) join(context.Context, Order, Signed) (Credential, error) { return nil, paidByPayer() }

func (memo) approval(Order, Credential) target { return target{} }

func (memo) check(context.Context, Order, *uint256.Int) error { return paidByPayer() }

func (memo) capture(Order, *uint256.Int, Credential) target { return target{} }

func paidByPayer() *Problem {
	return problem(Conflict, "a %s order is paid by a transaction of its payer", Memo)
}

// remit records the payment of the order that a Memo names. The Transfer is right before it, at logIndex - 1 of the
// same receipt. Anybody may send any memo, so one with another transfer, or with too little, is no payment. Of two
// payments the first one counts: the other is money to send back.
func (s *search) remit(ctx context.Context, log types.Log) error {
	receipt, err := s.chain.receipt(ctx, log.TxHash)
	if err != nil {
		return err
	}
	if receipt == nil || receipt.BlockHash != log.BlockHash {
		return errMoved
	}
	for _, before := range receipt.Logs {
		if before.Index+1 != log.Index || before.Address != s.chain.token {
			continue
		}
		transfer, err := tokencontract.DecodeTransfer(*before)
		if err != nil {
			return nil
		}
		key := replayKey{transfer.From, log.Topics[2]}
		order, ours := s.orders[key]
		if !ours || order.Path != Memo || transfer.To != s.chain.merchant || !transfer.Value.Eq(order.Terms.Value) {
			return nil
		}
		if !s.found[key].Sealed() {
			s.found[key] = &Settlement{Outcome: OutcomeCaptured, Transaction: log.TxHash, BlockNumber: log.BlockNumber, BlockHash: log.BlockHash}
		}
	}
	return nil
}
