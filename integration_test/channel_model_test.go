package integration_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// channelModel is the settlement contract in plain Go, for channels of one payer and one receiver. It is a value:
// assigning it keeps a point in time.
type channelModel struct {
	channels         [3]struct{ balance, claimed, refunds, withdrawal, started uint64 }
	claimed, settled uint64
}

// channelCall is a call to the contract. By names its sender: the payer, the receiver or a stranger.
type channelCall struct {
	kind, by               string
	channel                int
	amount, ceiling, nonce uint64
	forged                 bool // a signature in it is somebody else's
}

// apply makes a call in a block with a timestamp, and reports whether it succeeds.
func (m *channelModel) apply(c channelCall, at uint64) bool {
	ch := &m.channels[c.channel]
	left := ch.balance - ch.claimed
	ok := false
	switch c.kind {
	case "deposit":
		if ok = c.amount > 0 && !c.forged; ok {
			ch.balance += c.amount
		}
	case "claim", "claimWithSignature":
		news := c.amount > ch.claimed
		ok = (c.kind == "claim") == (c.by == "receiver") && (!news || c.amount <= c.ceiling && c.amount <= ch.balance && !c.forged)
		if ok && news {
			m.claimed, ch.claimed = m.claimed+c.amount-ch.claimed, c.amount
		}
	case "settle":
		ok, m.settled = true, m.claimed
	case "initiateWithdraw":
		if ok = c.by == "payer" && c.amount > 0 && ch.started == 0 && c.amount <= left; ok {
			ch.withdrawal, ch.started = c.amount, at
		}
	case "finalizeWithdraw":
		if ok = c.by == "payer" && ch.started > 0 && at >= ch.started+channels.MinWithdrawDelay; ok {
			ch.balance, ch.withdrawal, ch.started = ch.balance-min(ch.withdrawal, left), 0, 0
		}
	case "refund", "refundWithSignature":
		direct := c.kind == "refund"
		if ok = c.amount > 0 && (direct && c.by == "receiver" || !direct && !c.forged && c.nonce == ch.refunds); ok {
			back := min(c.amount, left)
			ch.balance, ch.refunds, ch.withdrawal = ch.balance-back, ch.refunds+1, ch.withdrawal-min(ch.withdrawal, back)
			if ch.withdrawal == 0 {
				ch.started = 0
			}
		}
	}
	return ok
}

// channelWorld is a node with three channels, the calls sent to it, and the model after each block.
type channelWorld struct {
	t        *testing.T
	node     *fakenode.Node
	client   *ethclient.Client
	random   *rand.Rand
	channels [3]channels.Channel
	calls    map[common.Hash]channelCall
	models   []channelModel // by block number
	salt     uint64
	outcomes map[string][2]int // by kind: how many failed, how many succeeded
}

// Ensure random calls succeed exactly when the model predicts it, block for block, however often reorgs and lost
// pre-confirmations move them in time or drop them; and that every token unit is where the model has it.
func TestChannelModel(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	calls := laboratory.Budget(t, 1_000, 12_500)
	for seed := range laboratory.Budget[uint64](t, 1, 4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			w := newChannelWorld(t, seed)
			for len(w.calls) < calls {
				w.step()
			}
			for kind, count := range w.outcomes {
				require.True(t, count[1] > 0 && (count[0] > 0 || kind == "settle"), "%s has outcomes %v", kind, count)
			}
			require.Len(t, w.outcomes, 8)
		})
	}
}

func newChannelWorld(t *testing.T, seed uint64) *channelWorld {
	t.Helper()
	node := fakenode.RunT(t)
	w := &channelWorld{
		t: t, node: node, client: node.Client(), random: rand.New(rand.NewPCG(seed, 26)), calls: map[common.Hash]channelCall{},
		models: make([]channelModel, 1), outcomes: map[string][2]int{},
	}
	for i := range w.channels {
		w.channels[i] = channels.Channel{
			Payer: node.Account(0).Address, Receiver: node.Account(1).Address, ReceiverAuthorizer: node.Account(2).Address,
			Token: node.Token().Address(), WithdrawDelay: channels.MinWithdrawDelay, Salt: common.BigToHash(big.NewInt(int64(i))),
		}
	}
	return w
}

// step sends some calls, sometimes loses a pre-confirmation, seals a block a while later, and sometimes reorganizes.
func (w *channelWorld) step() {
	for range 1 + w.random.IntN(20) {
		w.send()
	}
	if w.random.IntN(4) == 0 {
		w.node.Preconfirm()
		if w.random.IntN(2) == 0 {
			_, err := w.node.FlashblockFault(fakenode.FlashblockFault{Kind: control.DropFlashblocks, Count: 1, Gone: w.random.IntN(2) == 0})
			require.NoError(w.t, err)
		}
	}
	if w.random.IntN(2) == 0 {
		require.NoError(w.t, w.node.Timeline().Set(preconf.NextBlockTime(w.node.Moment().Latest().Header().Time+1+w.random.Uint64N(800))))
	}
	w.node.Seal()
	same := len(w.models) - 1
	if depth := 1 + w.random.IntN(4); depth <= same && w.random.IntN(8) == 0 {
		fate := []control.Fate{control.Requeue, control.Drop, control.Reverse}[w.random.IntN(3)]
		_, err := w.node.Reorg(fakenode.ReorgOptions{Depth: depth, Transactions: fate, Force: true})
		require.NoError(w.t, err)
		same -= depth - 1
	}
	w.follow(same)
}

// follow applies the blocks above one that is in the model already.
func (w *channelWorld) follow(same int) {
	w.t.Helper()
	w.models = w.models[:same+1]
	for uint64(len(w.models)-1) < w.node.BlockNumber() {
		model := w.models[len(w.models)-1]
		number := rpc.BlockNumber(len(w.models))
		header, err := w.client.HeaderByNumber(w.t.Context(), big.NewInt(number.Int64()))
		require.NoError(w.t, err)
		receipts, err := w.client.BlockReceipts(w.t.Context(), rpc.BlockNumberOrHashWithNumber(number))
		require.NoError(w.t, err)
		for _, receipt := range receipts {
			call, ours := w.calls[receipt.TxHash]
			require.True(w.t, ours)
			want := uint64(types.ReceiptStatusFailed)
			if model.apply(call, header.Time) {
				want = types.ReceiptStatusSuccessful
			}
			require.Equal(w.t, want, receipt.Status, "block %d: %+v of %+v", number, call, model)
			count := w.outcomes[call.kind]
			count[want]++
			w.outcomes[call.kind] = count
		}
		w.models = append(w.models, model)
	}
	w.agrees()
}

// agrees compares the contract's records and everybody's tokens with the model.
func (w *channelWorld) agrees() {
	w.t.Helper()
	model, sum := w.models[len(w.models)-1], uint64(0)
	for i, want := range model.channels {
		var answers [3][]byte
		for j, data := range channels.PackState(w.channels[i].ID(w.node.ChainID())) {
			answers[j] = w.call(data)
		}
		got, err := channels.UnpackState(answers)
		require.NoError(w.t, err)
		require.Equal(w.t, []uint64{want.balance, want.claimed, want.refunds, want.withdrawal, want.started}, []uint64{
			got.Balance.Uint64(), got.TotalClaimed.Uint64(), got.RefundNonce.Uint64(), got.Withdrawal.Amount.Uint64(), got.Withdrawal.InitiatedAt,
		})
		sum += want.balance
	}
	start := fixtures.USD("1000000").Uint64()
	for account, want := range map[common.Address]uint64{
		w.channels[0].Payer: start - sum, w.channels[0].Receiver: start + model.settled, channels.Address: sum - model.settled,
	} {
		require.Equal(w.t, want, w.node.Token().BalanceOf(account).Uint64(), account)
	}
}

func (w *channelWorld) call(data []byte) []byte {
	answer, err := w.client.CallContract(w.t.Context(), ethereum.CallMsg{To: &channels.Address, Data: data}, nil)
	require.NoError(w.t, err)
	return answer
}

// send sends a random call.
func (w *channelWorld) send() {
	kinds := []string{"deposit", "claim", "claimWithSignature", "settle", "initiateWithdraw", "finalizeWithdraw", "refund", "refundWithSignature"}
	c := channelCall{
		kind: kinds[w.random.IntN(len(kinds))], by: []string{"payer", "receiver", "stranger"}[w.random.IntN(3)], channel: w.random.IntN(len(w.channels)),
		forged: w.random.IntN(8) == 0,
	}
	last := w.models[len(w.models)-1].channels[c.channel]
	c.amount, c.nonce = w.random.Uint64N(200), last.refunds+w.random.Uint64N(2)
	if c.kind == "claim" || c.kind == "claimWithSignature" {
		c.by = []string{"receiver", "receiver", c.by}[w.random.IntN(3)]
		if c.kind == "claimWithSignature" {
			c.by = "stranger"
		}
		c.amount = last.claimed + w.random.Uint64N(100)
		c.ceiling = c.amount + w.random.Uint64N(60) - min(c.amount, 10)
	}
	from := map[string]fakenode.Account{"payer": w.node.Account(0), "receiver": w.node.Account(1), "stranger": w.node.Account(3)}[c.by]
	hash, err := w.node.Transact(from, fakenode.Tx{To: &channels.Address, Data: w.data(c), Gas: 400_000})
	require.NoError(w.t, err)
	w.calls[hash] = c
}

// data encodes a call, with the signatures it needs.
func (w *channelWorld) data(c channelCall) []byte {
	payer, authorizer := w.node.Account(0), w.node.Account(2)
	if c.forged {
		payer, authorizer = w.node.Account(4), w.node.Account(4)
	}
	id, channel, amount := w.node.ChainID(), w.channels[c.channel], uint256.NewInt(c.amount)
	switch c.kind {
	case "deposit":
		w.salt++
		salt := uint256.NewInt(w.salt)
		a := channel.Authorization(id, amount, 0, uint64(w.node.Now().Add(1_000_000*time.Hour).Unix()), salt)
		signature := payer.Sign(w.node.Token().Domain(), a.ReceiveMessage()).Bytes()
		return channel.PackDeposit(amount, channels.ERC3009CollectorAddress, channels.AuthorizationData(a, salt, signature))
	case "claim", "claimWithSignature":
		ceiling := uint256.NewInt(c.ceiling)
		voucher := contracts.Digest(channels.VoucherData(id, channel.ID(id), ceiling))
		claim := channels.Claim{Channel: channel, Ceiling: ceiling, Signature: payer.SignDigest(voucher).Bytes(), Total: amount}
		if c.kind == "claim" {
			return channels.PackClaim(claim)
		}
		batch := contracts.Digest(channels.ClaimBatchData(id, claim))
		return channels.PackClaimWithSignature(w.node.Account(2).SignDigest(batch).Bytes(), claim)
	case "settle":
		return channels.PackSettle(channel.Receiver, channel.Token)
	case "initiateWithdraw":
		return channel.PackInitiateWithdraw(amount)
	case "finalizeWithdraw":
		return channel.PackFinalizeWithdraw()
	case "refund":
		return channel.PackRefund(amount)
	}
	nonce := uint256.NewInt(c.nonce)
	digest := contracts.Digest(channels.RefundData(id, channel.ID(id), nonce, amount))
	return channel.PackRefundWithSignature(amount, nonce, authorizer.SignDigest(digest).Bytes())
}
