package channel

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/tokencontract"
)

// state is the contract's record of a channel on the wire. A seller adds what was charged.
type state struct {
	ChannelID           common.Hash  `json:"channelId"`
	Balance             *uint256.Int `json:"balance"`
	TotalClaimed        *uint256.Int `json:"totalClaimed"`
	WithdrawRequestedAt uint64       `json:"withdrawRequestedAt"`
	RefundNonce         *uint256.Int `json:"refundNonce"`
	Charged             *uint256.Int `json:"chargedCumulativeAmount,omitempty"`
}

// settledExtra is the extra of an answer to /settle.
type settledExtra struct {
	State   *state       `json:"channelState,omitempty"`
	Charged *uint256.Int `json:"chargedAmount,omitempty"`
}

// state reads a channel at the newest sealed block, all of it at once.
func (s *Scheme) state(ctx context.Context, id common.Hash) (channels.State, error) {
	read, _, err := s.read(ctx, id)
	return read, err
}

// read reads a channel together with what else is asked for, whose answer is nil where a call reverts.
func (s *Scheme) read(ctx context.Context, id common.Hash, more ...contracts.Multicall3Call) (channels.State, []contracts.Multicall3Result, error) {
	var calls []contracts.Multicall3Call
	for _, data := range channels.PackState(id) {
		calls = append(calls, contracts.Multicall3Call{Target: channels.Address, CallData: data})
	}
	answer, err := s.f.Read(ctx, contracts.Multicall3Address, s.multicall.PackTryAggregate(false, append(calls, more...)))
	if err != nil {
		return channels.State{}, nil, err
	}
	results, err := s.multicall.UnpackTryAggregate(answer)
	if err != nil || len(results) != len(calls)+len(more) {
		return channels.State{}, nil, errRead
	}
	var answers [3][]byte
	for i := range answers {
		answers[i] = results[i].ReturnData
	}
	read, err := channels.UnpackState(answers)
	if err != nil {
		return channels.State{}, nil, errRead
	}
	return read, results[len(answers):], nil
}

// owned is the call for a payer's tokens.
func owned(c channels.Channel) contracts.Multicall3Call {
	return contracts.Multicall3Call{Target: c.Token, CallData: tokencontract.PackBalanceOf(c.Payer)}
}

func wire(id common.Hash, s channels.State) *state {
	return &state{ChannelID: id, Balance: s.Balance, TotalClaimed: s.TotalClaimed, WithdrawRequestedAt: s.Withdrawal.InitiatedAt, RefundNonce: s.RefundNonce}
}
